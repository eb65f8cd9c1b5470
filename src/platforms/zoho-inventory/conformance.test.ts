import { conformance } from '../../conformance/suite.ts'
import { zohoInventory } from './connector.ts'
import { createZohoInventorySimulator } from './simulator/simulator.ts'

conformance(zohoInventory, createZohoInventorySimulator)
conformance(zohoInventory, createZohoInventorySimulator, { database: 'postgres' })
