// Lightspeed Retail X-Series: https://x-series-api.lightspeedhq.com/
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { authorizationCode } from '../../kit/oauth.ts'
import { discover, domainPattern } from './account.ts'
import { customer } from './customer.ts'
import { readError } from './error.ts'
import { order } from './order.ts'
import { product } from './product.ts'

const scope = [
  ...['products', 'customers', 'sales', 'inventory', 'suppliers'].flatMap((area) => [`${area}:read`, `${area}:write`]),
  ...['retailer', 'outlets', 'registers', 'payment_types', 'payments', 'taxes', 'users'].map((area) => `${area}:read`),
].join(' ')
const optional = (title: string, description: string) => Type.Optional(Type.String({ title, description }))

export const lightspeedX: Connector = {
  id: 'lightspeed-x',
  name: 'Lightspeed Retail X-Series',
  docs: 'https://x-series-api.lightspeedhq.com/',
  verticals: ['retail_pos'],
  limit: [{ requests: 1, seconds: 1 }],
  origins: { api: 'https://{domainPrefix}.retail.lightspeed.app', login: 'https://secure.retail.lightspeed.app' },
  auth: [
    authorizationCode({
      authorize: { origin: 'login', path: '/connect', scope },
      callback: { domainPrefix: 'domain_prefix' }, // the redirect tells which shop it was: the code is traded at that shop's own host
      token: { path: '/api/1.0/token', encoding: 'form' },
      answer: { keep: { domainPrefix: '/domain_prefix', scope: '/scope' } },
      refreshToken: 'single_use',
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
      title: 'Store name in the address',
      description: 'The part before .retail.lightspeed.app; an authorised app is told',
      pattern: domainPattern,
    }),
    registerId: optional('Register ID', 'Register that written sales are booked on; found out where there is only one'),
    userId: optional('User ID', 'User whom written sales name as their cashier; the one who authorised unless told'),
    paymentTypeId: optional(
      'Payment type ID',
      'Payment type of written sales that are COMPLETED; found out where there is only one',
    ),
    taxId: optional('Tax ID', 'Tax of written lines that carry tax; the default tax of the shop unless told'),
    outletId: optional('Outlet ID', 'Outlet that stock is counted at; that of the register unless told'),
  }),
  discover,
  readError,
  entities: { product, order, customer },
}
