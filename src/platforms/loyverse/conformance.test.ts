import { conformance } from '../../conformance/suite.ts'
import { loyverse } from './connector.ts'
import { createLoyverseSimulator } from './simulator/simulator.ts'

conformance(loyverse, createLoyverseSimulator)
