// Toast: https://doc.toasttab.com/doc/devguide/index.html
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { category } from './category.ts'
import { employee } from './employee.ts'
import { readError, throttle } from './error.ts'
import { location } from './location.ts'
import { order } from './order.ts'
import { payment } from './payment.ts'
import { paymentMethod } from './payment-method.ts'
import { product } from './product.ts'
import { refund } from './refund.ts'
import { shapes } from './shapes.ts'
import { shift } from './shift.ts'
import { taxRate } from './tax-rate.ts'
import { timeEntry } from './time-entry.ts'
import { hooks } from './webhooks.ts'

export const toast: Connector = {
  id: 'toast',
  name: 'Toast',
  docs: 'https://doc.toasttab.com/doc/devguide/index.html',
  apiVersion: { name: 'v2', reviewBy: '2027-11-01' },
  verticals: ['restaurant'],
  limit: [{ requests: 5, seconds: 1 }],
  // https://doc.toasttab.com/doc/devguide/apiRateLimiting.html
  lanes: { menus: [{ requests: 1, seconds: 1 }], history: [{ requests: 1, seconds: 10 }] },
  maxResponseBytes: 16 * 1024 * 1024, // all menus of a restaurant come in one response
  business: '{apiHost} {restaurantGuid}',
  origins: { api: 'https://{apiHost}' },
  auth: [
    {
      kind: 'client_credentials',
      login: {
        path: '/authentication/v1/authentication/login',
        encoding: 'json',
        fields: { clientId: '{clientId}', clientSecret: '{clientSecret}', userAccessType: 'TOAST_MACHINE_CLIENT' },
      },
      answer: {
        access: '/token/accessToken',
        expires: { in: '/token/expiresIn' },
        // https://doc.toasttab.com/doc/devguide/authentication.html
        ended: [{ at: '/code', matches: /^10010$/ }],
      },
      title: 'API access credentials',
      words: {
        clientId: { label: 'Client ID', help: 'Shown with the credentials of your Toast API access in Toast Web.' },
        clientSecret: { label: 'Client secret' },
      },
    },
  ],
  frame: { headers: { authorization: 'Bearer {accessToken}', 'Toast-Restaurant-External-ID': '{restaurantGuid}' } },
  settings: Type.Object({
    apiHost: Type.String({
      title: 'API hostname',
      description: 'Host that Toast assigned to you, such as ws-api.toasttab.com',
      pattern: '^([a-z0-9-]+\\.)+toasttab\\.com$',
    }),
    restaurantGuid: Type.String({
      title: 'Restaurant GUID',
      description: 'GUID of the restaurant location',
      pattern: '^[0-9a-fA-F-]{36}$',
    }),
    namingAuthority: Type.Optional(
      Type.String({
        title: 'Naming authority',
        description: 'Prefix of external identifiers that Toast assigned to you; required for writes',
        pattern: '^[^:\\s]+$',
      }),
    ),
    diningOptionGuid: Type.Optional(
      Type.String({
        title: 'Dining option GUID',
        description: 'Dining option of written orders; by default the first dine-in option',
      }),
    ),
  }),
  regions: [
    { label: 'Production', settings: { apiHost: 'ws-api.toasttab.com' } },
    { label: 'Sandbox of Toast, for partners', settings: { apiHost: 'ws-sandbox-api.eng.toasttab.com' }, test: true },
  ],
  shapes,
  readError,
  throttle,
  hooks,
  entities: {
    product,
    order,
    category,
    employee,
    time_entry: timeEntry,
    shift,
    location,
    payment,
    refund,
    tax_rate: taxRate,
    payment_method: paymentMethod,
  },
}
