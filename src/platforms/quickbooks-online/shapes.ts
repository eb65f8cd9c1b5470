// What QuickBooks' responses must have. A query without rows has an empty `QueryResponse`.
import type { Shape } from '../../contract/connector.ts'

const one = { '/Customer/Id': 'id', '/Customer/SyncToken': 'id' } as const satisfies Shape

export const shapes: Readonly<Record<string, Shape>> = {
  'GET /v3/company/{realmId}/query': {
    '/QueryResponse': 'object',
    '/QueryResponse/Customer': 'array?',
    '/QueryResponse/Customer/*/Id': 'id?',
  },
  'GET /v3/company/{realmId}/customer/{id}': one,
  'POST /v3/company/{realmId}/customer': one,
}
