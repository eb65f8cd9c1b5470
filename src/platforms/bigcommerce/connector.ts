// BigCommerce: https://developer.bigcommerce.com/docs/rest-management (catalog and customers V3, orders V2)
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { businessDayStartSetting, timezoneSetting } from '../../kit/business-day.ts'
import { discover } from './account.ts'
import { customer } from './customer.ts'
import { readError, throttle } from './error.ts'
import { location } from './location.ts'
import { order } from './order.ts'
import { payment } from './payment.ts'
import { paymentMethod } from './payment-method.ts'
import { product } from './product.ts'
import { refund } from './refund.ts'
import { shapes } from './shapes.ts'
import { taxRate } from './tax-rate.ts'
import { hooks } from './webhooks.ts'

const scopes = 'store_v2_products store_v2_orders store_v2_customers store_v2_information_read_only'

export const bigcommerce: Connector = {
  id: 'bigcommerce',
  name: 'BigCommerce',
  docs: 'https://developer.bigcommerce.com/docs/rest-management',
  apiVersion: { name: 'V3, orders V2', reviewBy: '2027-11-01' },
  verticals: ['retail_pos'],
  limit: [
    { requests: 5, seconds: 1 },
    { requests: 300, seconds: 60 },
  ],
  maxResponseBytes: 16 * 1024 * 1024, // 50 orders with all their lines, two kilobytes each
  business: '{storeHash}',
  origins: { api: 'https://api.bigcommerce.com', login: 'https://login.bigcommerce.com' },
  auth: [
    {
      kind: 'oauth2',
      authorize: {
        origin: 'login',
        path: '/oauth2/authorize',
        query: {
          client_id: '{clientId}',
          response_type: 'code',
          scope: scopes,
          context: 'stores/{storeHash}',
          state: '{state}',
          redirect_uri: '{redirectUri}',
        },
      },
      // The redirect contains the store and the granted scopes; both must be sent back with the code.
      callback: { context: 'context', scope: 'scope' },
      exchange: {
        origin: 'login',
        path: '/oauth2/token',
        encoding: 'json',
        fields: {
          client_id: '{clientId}',
          client_secret: '{clientSecret}',
          grant_type: 'authorization_code',
          code: '{code}',
          scope: '{scope}',
          context: '{context}',
          redirect_uri: '{redirectUri}',
        },
      },
      answer: { access: '/access_token', keep: { context: '/context', scope: '/scope' } },
      refreshToken: 'none',
      registration: {
        console: { name: 'Developer Portal', url: 'https://devtools.bigcommerce.com/my/apps' },
        redirect: 'Technical, Auth callback URL',
        permissions: 'The same scopes in the settings of the app.',
      },
    },
    {
      kind: 'static', // a store's own API account
      fields: ['accessToken'],
      title: 'Store-level API account',
      words: {
        accessToken: { label: 'Access token', help: 'In the control panel: Settings, API, Store-level API accounts.' },
      },
    },
  ],
  frame: { headers: { 'x-auth-token': '{accessToken}' } },
  settings: Type.Object({
    storeHash: Type.String({
      title: 'Store hash',
      description: 'The part after /stores/ in the API path, and after store- in the URL of the control panel',
      pattern: '^[a-z0-9]{1,40}$',
    }),
    billingPostalCode: Type.Optional(
      Type.String({
        title: 'Billing postal code',
        description: 'Postal code for orders whose customer has none: BigCommerce requires one',
        minLength: 2,
      }),
    ),
    externalSource: Type.Optional(
      Type.String({
        title: 'External source',
        description: 'Where written orders come from: the id of a marketplace app, or M-MIG for migrated history',
      }),
    ),
    orderTaxes: Type.Optional(
      Type.String({
        title: 'Each tax of an order',
        description:
          'yes: each tax of an order and of its lines is read by itself, which takes one more call for every order. Otherwise orders have the sum of their taxes.',
        enum: ['yes', 'no'],
      }),
    ),
    ...businessDayStartSetting,
    ...timezoneSetting,
  }),
  discover,
  shapes,
  readError,
  throttle,
  hooks,
  entities: {
    product,
    order,
    customer,
    location,
    payment,
    refund,
    tax_rate: taxRate,
    payment_method: paymentMethod,
  },
}
