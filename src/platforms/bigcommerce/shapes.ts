// What BigCommerce's responses must have. V3 wraps everything in `data`, with `meta` beside a list; V2 sends bare
// arrays, and a 204 instead of an empty one.
import type { Shape } from '../../contract/connector.ts'

const one = { '/data/id': 'id' } as const satisfies Shape
const page = { '/data/*/id': 'id', '/meta': 'object' } as const satisfies Shape
/** Bulk calls with one record. */
const first = { '/data/0/id': 'id' } as const satisfies Shape
const v2Order = { '/id': 'id' } as const satisfies Shape
const v2Page = { '/*/id': 'id?' } as const satisfies Shape

const v3: Readonly<Record<string, Shape>> = {
  'GET /catalog/products': { ...page, '/data/*/variants/*/id': 'id' },
  'POST /catalog/products': one,
  'GET /catalog/products/{id}': { ...one, '/data/variants/*/id': 'id' },
  'PUT /catalog/products/{id}': one,
  'PUT /catalog/products/{id}/variants/{variant}': one,
  'GET /catalog/products/{id}/images': page,
  'POST /catalog/products/{id}/images': one,
  'GET /catalog/categories': page,
  'POST /catalog/categories': one,
  'GET /catalog/brands': page,
  'GET /customers': page,
  'POST /customers': first,
  'PUT /customers': first,
  // An address that the customer already has is not in the response.
  'POST /customers/addresses': { '/data': 'array' },
  'PUT /customers/addresses': { '/data': 'array' },
  'DELETE /customers/addresses': 'nothing',
  'GET /tax/rates': { '/data/*/id': 'id', '/data/*/class_rates': 'array' },
  'GET /tax/zones': { '/data/*/id': 'id' },
  'GET /orders/payment_actions/refunds': { '/data/*/id': 'id', '/data/*/order_id': 'id' },
  'GET /hooks': { ...page, '/data/*/scope': 'string', '/data/*/destination': 'string' },
  'POST /hooks': one,
  'PUT /hooks/{id}': one,
  'DELETE /hooks/{id}': one,
}
const v2: Readonly<Record<string, Shape>> = {
  'GET /store': { '/currency': 'string' },
  'GET /orders': v2Page,
  'POST /orders': v2Order,
  'GET /orders/{id}': v2Order,
  'PUT /orders/{id}': v2Order,
  'GET /orders/{id}/products': v2Page,
  'GET /orders/{id}/taxes': v2Page,
  'GET /tax_classes': v2Page,
  'GET /payments/methods': { '/*/code': 'string' },
}
const below = (version: string, rows: Readonly<Record<string, Shape>>) =>
  Object.fromEntries(
    Object.entries(rows).map(([key, shape]) => [key.replace(' ', ` /stores/{store}/${version}`), shape]),
  )

export const shapes: Readonly<Record<string, Shape>> = { ...below('v3', v3), ...below('v2', v2) }
