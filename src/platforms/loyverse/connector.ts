// Loyverse: https://developer.loyverse.com/docs/
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { businessDayStartSetting, timezoneSetting } from '../../kit/business-day.ts'
import { authorizationCode } from '../../kit/oauth.ts'
import { discover } from './account.ts'
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

const scopes =
  'ITEMS_READ ITEMS_WRITE INVENTORY_READ INVENTORY_WRITE SUPPLIERS_READ SUPPLIERS_WRITE RECEIPTS_READ RECEIPTS_WRITE CUSTOMERS_READ CUSTOMERS_WRITE MERCHANT_READ STORES_READ PAYMENT_TYPES_READ TAXES_READ'
const optional = (title: string, description: string, more: object = {}) =>
  Type.Optional(Type.String({ title, description: `${description}; determined if there is only one`, ...more }))

export const loyverse: Connector = {
  id: 'loyverse',
  name: 'Loyverse',
  docs: 'https://developer.loyverse.com/docs/',
  apiVersion: { name: 'v1.0', reviewBy: '2027-11-01' },
  verticals: ['retail_pos'],
  limit: [{ requests: 5, seconds: 6 }], // 300 in 300 seconds, shared by all clients of the account
  business: '{merchantId}',
  origins: { api: 'https://api.loyverse.com' },
  auth: [
    authorizationCode({
      authorize: { origin: 'api', path: '/oauth/authorize', scope: scopes },
      token: { path: '/oauth/token', encoding: 'form' },
      answer: { keep: { scope: '/scope' } },
      refreshToken: 'rotates',
      registration: {
        console: { name: 'Loyverse developer portal', url: 'https://developer.loyverse.com/' },
        redirect: 'your app, Redirect URI',
      },
    }),
    {
      kind: 'static', // it has all permissions
      fields: ['accessToken'],
      title: 'Personal access token',
      words: { accessToken: { label: 'Access token', help: 'In the Back Office: Access tokens.' } },
    },
  ],
  frame: { headers: { authorization: 'Bearer {accessToken}' } },
  settings: Type.Object({
    merchantId: Type.Optional(
      Type.String({ title: 'Merchant ID', description: 'The business; determined automatically' }),
    ),
    storeId: optional('Store ID', 'Store for prices and stock, and for receipts without a store', {
      reference: 'location',
    }),
    paymentTypeId: optional('Payment type ID', 'Payment type of written receipts'),
    ...timezoneSetting,
    ...businessDayStartSetting,
    taxId: optional('Tax ID', 'Tax that is assigned to products that become taxable'),
  }),
  discover,
  shapes,
  readError,
  hooks,
  entities: { product, order, customer, location, payment, refund, tax_rate: taxRate, payment_method: paymentMethod },
}
