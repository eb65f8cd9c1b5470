import type { CreateSimulator } from '../../../sandbox/simulator.ts'
import { createZohoSimulator } from '../../zoho/simulator/simulator.ts'
import type { SimulatedProduct } from '../../zoho/simulator/world.ts'

export const inventory: SimulatedProduct = {
  platform: 'zoho-inventory',
  name: 'Zoho Inventory',
  base: '/inventory/v1',
  scope: 'ZohoInventory',
  limit: [
    { requests: 10, seconds: 1 },
    { requests: 100, seconds: 60 },
  ],
  plan: 'PROFESSIONAL',
  callsPerDay: 5000,
  dataCenter: { location: 'eu', accountsServer: 'https://accounts.zoho.eu', apiDomain: 'https://www.zohoapis.eu' },
  organization: {
    id: '20071334455',
    name: 'Lagerhaus Söder GmbH',
    zone: 'Europe/Berlin',
    shortZone: 'CET',
    baseCurrency: 'EUR',
  },
  idPrefix: '4815000000',
  numbersContacts: false,
  filtersByType: false, // not among the documented parameters
}
export const createZohoInventorySimulator: CreateSimulator = createZohoSimulator(inventory)
