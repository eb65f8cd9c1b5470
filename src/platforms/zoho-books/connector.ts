// Zoho Books, API v3: https://www.zoho.com/books/api/v3/
import type { Connector } from '../../contract/connector.ts'
import { createZohoConnector } from '../zoho/connector.ts'

export const zohoBooks: Connector = createZohoConnector({
  id: 'zoho-books',
  name: 'Zoho Books',
  docs: 'https://www.zoho.com/books/api/v3/contacts/',
  apiVersion: { name: 'v3', reviewBy: '2027-11-01' },
  // All integrations of the organization share them.
  limit: [{ requests: 100, seconds: 60, usable: 90 }],
  dailyCalls: { FREE: 1000, STANDARD: 2000, PROFESSIONAL: 5000, PREMIUM: 10_000, ELITE: 10_000, ULTIMATE: 10_000 },
  base: '/books/v3',
  scope: 'ZohoBooks',
  numbersContacts: true,
})
