// What Square's responses must have. Members that would be empty are left out, so an empty page is `{}`.
import type { Shape } from '../../contract/connector.ts'

const page = (name: string) =>
  ({ [`/${name}`]: 'array?', [`/${name}/*/id`]: 'id?', '/cursor': 'position?' }) as const satisfies Shape
const one = (name: string) => ({ [`/${name}/id`]: 'id' }) as const satisfies Shape

export const shapes: Readonly<Record<string, Shape>> = {
  'GET /v2/locations': { '/locations/*/id': 'id' },
  'GET /v2/locations/{id}': one('location'),
  'POST /v2/catalog/search': { ...page('objects'), '/related_objects': 'array?', '/latest_time': 'string?' },
  'POST /v2/catalog/search-catalog-items': page('items'),
  'POST /v2/catalog/batch-retrieve': { '/objects/*/id': 'id?', '/related_objects': 'array?' },
  'GET /v2/catalog/object/{id}': one('object'),
  'POST /v2/catalog/object': { '/catalog_object/id': 'id' },
  'DELETE /v2/catalog/object/{id}': { '/deleted_object_ids': 'array' },
  'POST /v2/inventory/counts/batch-retrieve': { '/counts': 'array?', '/cursor': 'position?' },
  'POST /v2/inventory/changes/batch-create': { '/counts': 'array?', '/changes': 'array?' },
  'GET /v2/customers': { ...page('customers'), '/count': 'number?' },
  'POST /v2/customers/search': { ...page('customers'), '/count': 'number?' },
  'POST /v2/customers': one('customer'),
  'GET /v2/customers/{id}': one('customer'),
  'PUT /v2/customers/{id}': one('customer'),
  'POST /v2/orders/search': page('orders'),
  'POST /v2/orders': one('order'),
  'POST /v2/orders/batch-retrieve': { '/orders': 'array?', '/orders/*/id': 'id?' },
  'GET /v2/payments': page('payments'),
  'POST /v2/payments': one('payment'),
  'GET /v2/payments/{id}': one('payment'),
  'GET /v2/refunds': page('refunds'),
  'GET /v2/refunds/{id}': one('refund'),
  'GET /v2/orders/{id}': one('order'),
  'PUT /v2/orders/{id}': one('order'),
  'POST /v2/team-members/search': page('team_members'),
  'POST /v2/team-members': one('team_member'),
  'GET /v2/team-members/{id}': one('team_member'),
  'PUT /v2/team-members/{id}': one('team_member'),
  'POST /v2/labor/timecards/search': page('timecards'),
  'GET /v2/labor/timecards/{id}': one('timecard'),
  'POST /v2/labor/scheduled-shifts/search': page('scheduled_shifts'),
  'GET /v2/labor/scheduled-shifts/{id}': one('scheduled_shift'),
}
