// What Loyverse's responses must have. A page has its list even if it is empty; the last page has no cursor.
import type { Shape } from '../../contract/connector.ts'

const page = (name: string, id = 'id') =>
  ({ [`/${name}/*/${id}`]: 'id', '/cursor': 'string?' }) as const satisfies Shape
const one = { '/id': 'id' } as const satisfies Shape
/** An item whose variants are all deleted. */
const deletedItem = { ...one, '/deleted_at': 'string', '/variants': 'array' } as const satisfies Shape
const item = { ...one, '/variants/0/variant_id': 'id', '/variants/*/variant_id': 'id' } as const satisfies Shape

export const shapes: Readonly<Record<string, Shape>> = {
  'GET /v1.0/merchant/': { '/currency/code': 'id' },
  'GET /v1.0/stores': page('stores'),
  'GET /v1.0/payment_types': page('payment_types'),
  'GET /v1.0/taxes': page('taxes'),
  'GET /v1.0/discounts': page('discounts'),
  'GET /v1.0/categories': page('categories'),
  'POST /v1.0/categories': one,
  'GET /v1.0/suppliers/': page('suppliers'),
  'POST /v1.0/suppliers/': one,
  'GET /v1.0/items': { ...page('items'), '/items/*/variants/*/variant_id': 'id' },
  'POST /v1.0/items': item,
  'GET /v1.0/items/{id}': [item, deletedItem],
  'DELETE /v1.0/items/{id}': { '/deleted_object_ids': 'array' },
  'GET /v1.0/variants': { ...page('variants', 'variant_id'), '/variants/*/item_id': 'id' },
  'POST /v1.0/variants': { '/variant_id': 'id' },
  'GET /v1.0/variants/{id}': { '/variant_id': 'id', '/item_id': 'id' },
  'GET /v1.0/inventory': { ...page('inventory_levels', 'variant_id'), '/inventory_levels/*/store_id': 'id' },
  'POST /v1.0/inventory': { '/inventory_levels': 'array' },
  'GET /v1.0/receipts': page('receipts', 'receipt_number'),
  'POST /v1.0/receipts': { '/receipt_number': 'id' },
  'GET /v1.0/receipts/{number}': { '/receipt_number': 'id' },
  'GET /v1.0/customers': page('customers'),
  'POST /v1.0/customers': one,
  'GET /v1.0/customers/{id}': one,
  'GET /v1.0/webhooks/': { ...page('webhooks'), '/webhooks/*/url': 'string', '/webhooks/*/type': 'string' },
  'POST /v1.0/webhooks/': one,
  // Not documented; the webhook is looked up before it is registered again.
  'DELETE /v1.0/webhooks/{id}': 'anything',
}
