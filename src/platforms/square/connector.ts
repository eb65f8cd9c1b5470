// Square: https://developer.squareup.com/reference/square
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { businessDayStartSetting } from '../../kit/business-day.ts'
import { discover } from './account.ts'
import { category } from './category.ts'
import { customer } from './customer.ts'
import { employee } from './employee.ts'
import { readError } from './error.ts'
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

const scopes =
  'MERCHANT_PROFILE_READ ITEMS_READ ITEMS_WRITE INVENTORY_READ INVENTORY_WRITE ORDERS_READ ORDERS_WRITE CUSTOMERS_READ CUSTOMERS_WRITE EMPLOYEES_READ EMPLOYEES_WRITE TIMECARDS_READ'
const client = { client_id: '{clientId}', client_secret: '{clientSecret}' }

export const square: Connector = {
  id: 'square',
  name: 'Square',
  docs: 'https://developer.squareup.com/reference/square',
  apiVersion: { name: '2025-08-20', reviewBy: '2027-08-01' },
  verticals: ['restaurant', 'retail_pos'],
  limit: [
    { requests: 5, seconds: 1 },
    { requests: 300, seconds: 60 },
  ],
  business: '{merchantId}',
  origins: { api: 'https://{apiHost}' },
  auth: [
    {
      kind: 'oauth2',
      authorize: {
        origin: 'api',
        path: '/oauth2/authorize',
        query: {
          client_id: '{clientId}',
          scope: scopes,
          session: 'false',
          state: '{state}',
          redirect_uri: '{redirectUri}',
        },
      },
      exchange: {
        path: '/oauth2/token',
        encoding: 'json',
        fields: { ...client, grant_type: 'authorization_code', code: '{code}', redirect_uri: '{redirectUri}' },
      },
      refresh: {
        path: '/oauth2/token',
        encoding: 'json',
        fields: { ...client, grant_type: 'refresh_token', refresh_token: '{refreshToken}' },
      },
      answer: {
        access: '/access_token',
        refresh: '/refresh_token',
        expires: { at: '/expires_at', as: 'iso' },
        keep: { merchantId: '/merchant_id' },
        // https://developer.squareup.com/docs/oauth-api/refresh-revoke-limit-scope
        ended: [{ at: '/errors/0/category', matches: /^AUTHENTICATION_ERROR$/ }],
      },
      refreshToken: 'reusable',
      registration: {
        console: { name: 'Square Developer Console', url: 'https://developer.squareup.com/apps' },
        redirect: 'OAuth, Redirect URL',
      },
    },
    {
      kind: 'static',
      fields: ['accessToken'],
      title: 'Access token',
      words: {
        accessToken: {
          label: 'Access token',
          help: 'In the Square Developer Console: your application, Credentials, Production or Sandbox access token.',
        },
      },
    },
  ],
  authorizationPaths: ['/mobile/authorization-code'],
  frame: { headers: { authorization: 'Bearer {accessToken}', 'square-version': '2025-08-20' } },
  settings: Type.Object({
    // The only hosts that tokens and the client secret may be sent to.
    apiHost: Type.Optional(
      Type.String({
        title: 'API host',
        description: 'connect.squareup.com, or connect.squareupsandbox.com for a test account of the Square Sandbox',
        pattern: '^connect\\.squareup(sandbox)?\\.com$',
        default: 'connect.squareup.com',
      }),
    ),
    merchantId: Type.Optional(
      Type.String({ title: 'Merchant ID', description: 'The business; determined automatically' }),
    ),
    locationId: Type.Optional(
      Type.String({
        title: 'Location ID',
        description: 'Location for orders and stock if a record has none',
        reference: 'location',
      }),
    ),
    ...businessDayStartSetting,
  }),
  regions: [
    { label: 'Production', settings: { apiHost: 'connect.squareup.com' } },
    {
      label: 'Square Sandbox, for developers',
      settings: { apiHost: 'connect.squareupsandbox.com' },
      test: true,
    },
  ],
  discover,
  shapes,
  readError,
  hooks,
  entities: {
    ...{ product, order, customer, category, employee, time_entry: timeEntry, shift, location },
    ...{ payment, refund, tax_rate: taxRate, payment_method: paymentMethod },
  },
}
