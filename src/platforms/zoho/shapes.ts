// What Zoho's responses must have: `code`, which every response has, and the record or the list that was requested.
import type { Shape } from '../../contract/connector.ts'

const done = { '/code': 'number' } as const satisfies Shape
const contact = { ...done, '/contact/contact_id': 'id' } as const satisfies Shape

export const shapesUnder = (base: string): Readonly<Record<string, Shape>> => ({
  [`GET ${base}/organizations`]: { ...done, '/organizations/*/organization_id': 'id' },
  [`GET ${base}/settings/currencies`]: {
    ...done,
    '/currencies/*/currency_id': 'id',
    '/currencies/*/currency_code': 'string',
  },
  [`GET ${base}/contacts`]: {
    ...done,
    '/contacts/*/contact_id': 'id',
    '/page_context/has_more_page': 'boolean?', // the documented list of Zoho Inventory has none
  },
  [`GET ${base}/contacts/{id}`]: contact,
  [`POST ${base}/contacts`]: contact,
  [`PUT ${base}/contacts/{id}`]: done, // read back afterwards
  [`DELETE ${base}/contacts/{id}`]: done,
  [`POST ${base}/contacts/{id}/active`]: done,
  [`POST ${base}/contacts/{id}/inactive`]: done,
})
