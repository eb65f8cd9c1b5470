// The adapter is the one of Zoho Books, whose suite runs on SQLite.
import { conformance } from '../../conformance/suite.ts'
import { zohoInventory } from './connector.ts'
import { createZohoInventorySimulator } from './simulator/simulator.ts'

conformance(zohoInventory, createZohoInventorySimulator, { database: 'postgres' })
