import { conformance } from '../../conformance/suite.ts'
import { lightspeedX } from './connector.ts'
import { createLightspeedXSimulator } from './simulator/simulator.ts'

conformance(lightspeedX, createLightspeedXSimulator)
