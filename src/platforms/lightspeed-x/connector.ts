// Lightspeed Retail X-Series: https://x-series-api.lightspeedhq.com/
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { businessDayStartSetting } from '../../kit/business-day.ts'
import { authorizationCode } from '../../kit/oauth.ts'
import { discover, domainPattern } from './account.ts'
import { customer } from './customer.ts'
import { readError } from './error.ts'
import { location } from './location.ts'
import { order } from './order.ts'
import { payment } from './payment.ts'
import { paymentMethod } from './payment-method.ts'
import { product } from './product.ts'
import { refund } from './refund.ts'
import { shapes } from './shapes.ts'
import { taxRate } from './tax-rate.ts'
import { hooks } from './webhooks.ts'

const scope = [
  ...['products', 'customers', 'sales', 'inventory', 'suppliers'].flatMap((area) => [`${area}:read`, `${area}:write`]),
  ...['retailer', 'outlets', 'registers', 'payment_types', 'payments', 'taxes', 'users'].map((area) => `${area}:read`),
  'webhooks',
].join(' ')
const optional = (title: string, description: string, more: object = {}) =>
  Type.Optional(Type.String({ title, description, ...more }))

export const lightspeedX: Connector = {
  id: 'lightspeed-x',
  name: 'Lightspeed Retail X-Series',
  docs: 'https://x-series-api.lightspeedhq.com/',
  apiVersion: { name: '2026-07', reviewBy: '2027-07-01' },
  verticals: ['retail_pos'],
  limit: [{ requests: 1, seconds: 1 }],
  business: '{domainPrefix}',
  origins: { api: 'https://{domainPrefix}.retail.lightspeed.app', login: 'https://secure.retail.lightspeed.app' },
  auth: [
    authorizationCode({
      authorize: { origin: 'login', path: '/connect', scope: '{scopes}' },
      // The redirect contains the shop: the code is exchanged at that shop's own host.
      callback: { domainPrefix: 'domain_prefix' },
      token: { path: '/api/1.0/token', encoding: 'form' },
      answer: { keep: { domainPrefix: '/domain_prefix', scope: '/scope' } },
      refreshToken: 'single_use',
      registration: {
        console: { name: 'Lightspeed Retail developer portal', url: 'https://developers.retail.lightspeed.app/' },
        redirect: 'your application, Redirect URL',
      },
    }),
    {
      kind: 'static', // of the retailer
      fields: ['accessToken'],
      title: 'Personal token',
      words: {
        accessToken: { label: 'Personal token', help: 'In Retail: Setup, Personal tokens. The Plus plan has them.' },
      },
    },
  ],
  frame: { headers: { authorization: 'Bearer {accessToken}' } },
  settings: Type.Object({
    // The only host that the client secret may be sent to.
    domainPrefix: Type.String({
      title: 'Store name in the URL',
      description: 'The part before .retail.lightspeed.app; determined for an authorized app',
      pattern: domainPattern,
    }),
    scopes: Type.Optional(
      Type.String({
        title: 'Requested scopes',
        description:
          'Scopes that a customer is asked to approve. Add one for product costs if Lightspeed has given you it',
        pattern: '^[a-z_]+(:[a-z_]+)*( [a-z_]+(:[a-z_]+)*)*$',
        default: scope,
      }),
    ),
    registerId: optional('Register ID', 'Register of written sales; determined if there is only one'),
    userId: optional('User ID', 'Cashier of written sales; by default the user who authorized the app'),
    paymentTypeId: optional(
      'Payment type ID',
      'Payment type of written sales that are COMPLETED; determined if there is only one',
    ),
    taxId: optional('Tax ID', 'Tax of written lines with tax; by default the default tax of the shop'),
    outletId: optional('Outlet ID', 'Outlet for stock; by default the outlet of the register', {
      reference: 'location',
    }),
    ...businessDayStartSetting,
  }),
  discover,
  shapes,
  readError,
  hooks,
  entities: { product, order, customer, location, payment, refund, tax_rate: taxRate, payment_method: paymentMethod },
}
