// What WooCommerce's responses must have. An empty page is `[]`: error.ts accepts it only with WordPress's own headers.
import type { Shape } from '../../contract/connector.ts'
import { api } from './api.ts'

const one = { '/id': 'id' } as const satisfies Shape
const page = { '/*/id': 'id' } as const satisfies Shape
/** Without its lines, an order would count as empty, and an update would add them again. */
const order = { ...one, '/line_items/*/id': 'id' } as const satisfies Shape
/** The type decides whether a product has variations. */
const product = { ...one, '/type': 'string' } as const satisfies Shape

export const shapes: Readonly<Record<string, Shape>> = {
  [`GET ${api}/data/currencies/current`]: { '/code': 'string' },
  [`GET ${api}/settings/general`]: { '/0/id': 'id', '/*/id': 'id' },
  [`GET ${api}/products`]: { ...page, '/*/type': 'string' },
  [`POST ${api}/products`]: product,
  [`GET ${api}/products/{id}`]: product,
  [`PUT ${api}/products/{id}`]: product,
  [`GET ${api}/products/{id}/variations`]: page,
  [`PUT ${api}/products/{id}/variations/{variation}`]: one,
  [`GET ${api}/products/categories`]: page,
  [`POST ${api}/products/categories`]: one,
  [`GET ${api}/products/categories/{id}`]: one,
  [`GET ${api}/orders`]: { ...page, '/*/line_items/*/id': 'id' },
  [`POST ${api}/orders`]: order,
  [`GET ${api}/orders/{id}`]: order,
  [`PUT ${api}/orders/{id}`]: order,
  [`GET ${api}/refunds`]: { ...page, '/*/parent_id': 'id' },
  [`GET ${api}/taxes`]: page,
  [`GET ${api}/taxes/{id}`]: one,
  [`GET ${api}/payment_gateways`]: page,
  [`GET ${api}/payment_gateways/{id}`]: one,
  [`GET ${api}/customers`]: page,
  [`POST ${api}/customers`]: one,
  [`GET ${api}/customers/{id}`]: one,
  [`PUT ${api}/customers/{id}`]: one,
  [`GET ${api}/webhooks`]: { ...page, '/*/topic': 'string', '/*/delivery_url': 'string' },
  [`POST ${api}/webhooks`]: one,
  [`PUT ${api}/webhooks/{id}`]: one,
  [`DELETE ${api}/webhooks/{id}`]: one,
}
