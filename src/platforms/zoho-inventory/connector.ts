// Zoho Inventory, API v1: https://www.zoho.com/inventory/api/v1/
import type { Connector } from '../../contract/connector.ts'
import { createZohoConnector } from '../zoho/connector.ts'

export const zohoInventory: Connector = createZohoConnector({
  id: 'zoho-inventory',
  name: 'Zoho Inventory',
  docs: 'https://www.zoho.com/inventory/api/v1/contacts/',
  apiVersion: { name: 'v1', reviewBy: '2027-11-01' },
  limit: [
    { requests: 10, seconds: 1 },
    { requests: 100, seconds: 60, usable: 90 }, // all integrations of the organization share them
  ],
  // Of Premium, 7,500 and 75,000 are documented.
  dailyCalls: { FREE: 1000, STANDARD: 2500, PROFESSIONAL: 5000, PREMIUM: 7500, ENTERPRISE: 10_000 },
  base: '/inventory/v1',
  scope: 'ZohoInventory',
  numbersContacts: false,
  // Without it Zoho would silently use the organization's base currency, and the first transaction makes it final.
  requires: ['/currencyCode'],
})
