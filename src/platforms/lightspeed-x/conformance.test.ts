import { conformance } from '../../conformance/suite.ts'
import { lightspeedX } from './connector.ts'
import { createLightspeedXSimulator } from './simulator.ts'

conformance(lightspeedX, createLightspeedXSimulator)
