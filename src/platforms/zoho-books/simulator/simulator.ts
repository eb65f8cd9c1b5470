import type { CreateSimulator } from '../../../sandbox/simulator.ts'
import { createZohoSimulator } from '../../zoho/simulator/simulator.ts'
import type { SimulatedProduct } from '../../zoho/simulator/world.ts'

export const books: SimulatedProduct = {
  platform: 'zoho-books',
  name: 'Zoho Books',
  base: '/books/v3',
  scope: 'ZohoBooks',
  limit: [{ requests: 100, seconds: 60 }],
  dataCenter: { location: 'us', accountsServer: 'https://accounts.zoho.com', apiDomain: 'https://www.zohoapis.com' },
  organization: {
    id: '10229182',
    name: 'Zillium Harbor Inc',
    zone: 'America/Los_Angeles',
    shortZone: 'PST',
    baseCurrency: 'USD',
  },
  idPrefix: '460000000',
  numbersContacts: true,
  filtersByType: true,
}
export const createZohoBooksSimulator: CreateSimulator = createZohoSimulator(books)
