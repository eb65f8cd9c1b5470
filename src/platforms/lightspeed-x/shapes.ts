// What Lightspeed's responses must have. An empty page is the end of a list: it has its `version`, with nulls.
import type { Shape } from '../../contract/connector.ts'
import { api } from './api.ts'

const few = { '/data/*/id': 'id' } as const satisfies Shape
const list = { ...few, '/version': 'object', '/version/max': 'number?' } as const satisfies Shape
/** An empty array alone could come from anything in between. Every response of the API counts the calls that are left. */
const bare = { 'header x-ratelimit-remaining': 'string' } as const satisfies Shape
const one = { '/data/id': 'id' } as const satisfies Shape

export const shapes: Readonly<Record<string, Shape>> = {
  [`GET ${api}/retailer`]: { '/data/currency/code': 'id', '/data/tax_exclusive': 'boolean' },
  [`GET ${api}/registers`]: few,
  [`GET ${api}/outlets`]: list,
  [`GET ${api}/outlets/{id}`]: one,
  [`GET ${api}/payment_types`]: list,
  [`GET ${api}/taxes`]: list,
  [`GET ${api}/taxes/{id}`]: one,
  // An object in the schema, a list in the example.
  [`GET ${api}/user`]: { '/data/id': 'id?', '/data/0/id': 'id?' },
  [`GET ${api}/brands`]: list,
  [`POST ${api}/brands`]: { '/data': 'id' },
  [`GET ${api}/tags`]: list,
  [`POST ${api}/tags`]: { '/data': 'id' },
  [`GET ${api}/product_categories`]: {
    '/data/categories/*/id': 'id',
    '/page_info': 'object',
    '/page_info/has_next': 'boolean?',
  },
  [`POST ${api}/product_categories/bulk`]: { '/data/0/id': 'id' },
  [`GET ${api}/products`]: list,
  [`POST ${api}/products`]: { '/data/0': 'id' },
  [`GET ${api}/products/{id}`]: one,
  // Not documented: the product is read after it.
  [`PUT ${api}/products/{id}`]: 'anything',
  [`GET ${api}/inventory/{id}`]: { ...bare, '/*/outlet_id': 'id', '/*/current_inventory_level': 'number' },
  [`POST ${api}/inventory`]: { ...bare, '/*/product_id': 'id', '/*/outlet_id': 'id', '/*/version': 'number' },
  [`GET ${api}/search`]: few,
  [`GET ${api}/customers`]: list,
  [`POST ${api}/customers`]: one,
  [`GET ${api}/customers/{id}`]: one,
  [`PUT ${api}/customers/{id}`]: one,
  [`GET ${api}/sales`]: list,
  [`POST ${api}/sales`]: one,
  [`GET ${api}/sales/{id}`]: one,
  [`PUT ${api}/sales/{id}`]: one,
  [`GET ${api}/webhooks`]: { ...few, '/data/*/type': 'string' },
  [`POST ${api}/webhooks`]: one,
  [`PUT ${api}/webhooks/{id}`]: one,
  // The response has no documented body; the webhook is looked up before it is registered again.
  [`DELETE ${api}/webhooks/{id}`]: 'anything',
}
