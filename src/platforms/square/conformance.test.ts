import { conformance } from '../../conformance/suite.ts'
import { square } from './connector.ts'
import { createSquareSimulator } from './simulator/simulator.ts'

conformance(square, createSquareSimulator)
