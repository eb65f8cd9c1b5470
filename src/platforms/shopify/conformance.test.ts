import { conformance } from '../../conformance/suite.ts'
import { shopify } from './connector.ts'
import { createShopifySimulator } from './simulator/simulator.ts'

conformance(shopify, createShopifySimulator)
