import { conformance } from '../../conformance/suite.ts'
import { woocommerce } from './connector.ts'
import { createWoocommerceSimulator } from './simulator/simulator.ts'

conformance(woocommerce, createWoocommerceSimulator)
