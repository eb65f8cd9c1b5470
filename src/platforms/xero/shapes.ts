// What Xero's responses must have. An empty page has an empty array of contacts.
import type { Shape } from '../../contract/connector.ts'

const read = { '/Contacts/*/ContactID': 'id' } as const satisfies Shape
const written = { '/Contacts/0/ContactID': 'id' } as const satisfies Shape

export const shapes: Readonly<Record<string, Shape>> = {
  'GET /connections': { '/*/tenantId': 'id' },
  'GET /api.xro/2.0/Contacts': {
    ...read,
    '/pagination/page': 'number?',
    '/pagination/pageCount': 'number?',
    '/pagination/itemCount': 'number?',
  },
  'GET /api.xro/2.0/Contacts/{id}': read,
  'PUT /api.xro/2.0/Contacts': written,
  'POST /api.xro/2.0/Contacts/{id}': written,
}
