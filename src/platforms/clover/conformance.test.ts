import { conformance } from '../../conformance/suite.ts'
import { clover } from './connector.ts'
import { createCloverSimulator } from './simulator/simulator.ts'

conformance(clover, createCloverSimulator)
