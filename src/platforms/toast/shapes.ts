// What Toast's responses must have. Lists are bare arrays. An empty one could be anything's, so it needs the header
// that Toast adds to every response: https://doc.toasttab.com/doc/devguide/apiRateLimiting.html
import type { Shape } from '../../contract/connector.ts'

const rows: Shape = [
  { '/0/guid': 'id', '/*/guid': 'id' },
  { '/*/guid': 'id', 'header x-toast-ratelimit-remaining': 'string' },
]
const one = { '/guid': 'id' } as const satisfies Shape

export const shapes: Readonly<Record<string, Shape>> = {
  'GET /restaurants/v1/restaurants/{guid}': { '/guid': 'id', '/general': 'object' },
  'GET /config/v2/diningOptions': rows,
  'GET /config/v2/tables': rows,
  'GET /config/v2/alternatePaymentTypes': rows,
  'GET /config/v2/taxRates': rows,
  'GET /config/v2/taxRates/{id}': one,
  'GET /menus/v2/metadata': { '/lastUpdated': 'string' },
  'GET /menus/v2/menus': { '/menus': 'array', '/menus/*/guid': 'id' },
  'GET /stock/v1/inventory': rows,
  'POST /stock/v1/inventory/search': rows,
  'GET /orders/v2/ordersBulk': rows,
  'GET /orders/v2/orders/{id}': one,
  'GET /orders/v2/payments/{id}': { '/guid': 'id', '/orderGuid': 'id' },
  'POST /orders/v2/prices': { '/checks': 'array', '/checks/0/totalAmount': 'number' },
  'POST /orders/v2/orders': { '/guid': 'id?', '/orders/0/guid': 'id?' }, // one of the two: `orderIn`
  'GET /labor/v1/employees': rows,
  'POST /labor/v1/employees': one,
  'GET /labor/v1/employees/{id}': one,
  'PATCH /labor/v1/employees/{id}': one,
  'DELETE /labor/v1/employees/{id}': one,
  'PUT /labor/v1/employees/{id}/unarchive': one,
  'PUT /labor/v1/employees/{id}/jobs': one,
  'GET /labor/v1/jobs': rows,
  'GET /labor/v1/jobs/{id}': one,
  'GET /labor/v1/shifts': rows,
  'GET /labor/v1/shifts/{id}': one,
  'GET /labor/v1/timeEntries': rows,
  'GET /labor/v1/timeEntries/{id}': one,
}
