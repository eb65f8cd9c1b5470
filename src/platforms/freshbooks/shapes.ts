// What FreshBooks' responses must have. A page has its list and the number of pages, even if it is empty.
import type { Shape } from '../../contract/connector.ts'

const one = { '/response/result/client/id': 'id' } as const satisfies Shape
const callback = { '/response/result/callback/callbackid': 'id' } as const satisfies Shape

export const shapes: Readonly<Record<string, Shape>> = {
  'GET /auth/api/v1/users/me': { '/response/business_memberships': 'array' },
  'GET /accounting/account/{accountId}/users/clients': {
    '/response/result/clients/*/id': 'id',
    '/response/result/pages': 'id',
  },
  'POST /accounting/account/{accountId}/users/clients': one,
  'GET /accounting/account/{accountId}/users/clients/{id}': one,
  'PUT /accounting/account/{accountId}/users/clients/{id}': one,
  'GET /events/account/{accountId}/events/callbacks': {
    '/response/result/callbacks/*/callbackid': 'id',
    '/response/result/pages': 'id',
  },
  'POST /events/account/{accountId}/events/callbacks': callback,
  'GET /events/account/{accountId}/events/callbacks/{id}': callback,
  'PUT /events/account/{accountId}/events/callbacks/{id}': callback,
  'DELETE /events/account/{accountId}/events/callbacks/{id}': 'anything',
}
