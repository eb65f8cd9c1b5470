import { conformance } from '../../conformance/suite.ts'
import { zohoBooks } from './connector.ts'
import { createZohoBooksSimulator } from './simulator/simulator.ts'

conformance(zohoBooks, createZohoBooksSimulator)
