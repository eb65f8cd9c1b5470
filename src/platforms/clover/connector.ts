// Clover REST v3: https://docs.clover.com/dev/reference
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { businessDayStartSetting, timezoneSetting } from '../../kit/business-day.ts'
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
import { taxRate } from './tax-rate.ts'
import { timeEntry } from './time-entry.ts'
import { hooks } from './webhooks.ts'

const host = (title: string, description: string, ...hosts: string[]) =>
  Type.String({
    title,
    description: `${description}: ${hosts.join(', ')}`,
    pattern: `^(${hosts.map((name) => name.replaceAll('.', '\\.')).join('|')})$`,
  })

export const clover: Connector = {
  id: 'clover',
  name: 'Clover',
  docs: 'https://docs.clover.com/dev/reference',
  apiVersion: { name: 'v3', reviewBy: '2027-11-01' },
  verticals: ['restaurant'],
  limit: [{ requests: 5, seconds: 1 }],
  concurrency: 5,
  business: '{apiHost} {merchantId}',
  origins: { api: 'https://{apiHost}', login: 'https://{loginHost}' },
  auth: [
    {
      kind: 'oauth2',
      authorize: {
        origin: 'login',
        path: '/oauth/v2/authorize',
        query: { client_id: '{clientId}', redirect_uri: '{redirectUri}', state: '{state}' },
      },
      callback: { merchantId: 'merchant_id' },
      exchange: {
        path: '/oauth/v2/token',
        encoding: 'json',
        fields: { client_id: '{clientId}', client_secret: '{clientSecret}', code: '{code}' },
      },
      refresh: {
        path: '/oauth/v2/refresh',
        encoding: 'json',
        fields: { client_id: '{clientId}', refresh_token: '{refreshToken}' },
      },
      answer: {
        access: '/access_token',
        refresh: '/refresh_token',
        expires: { at: '/access_token_expiration', as: 'unix' },
        ended: [{ at: '/message', matches: /refresh.?token/i }],
      },
      refreshToken: 'single_use',
      registration: {
        console: { name: 'Global Developer Dashboard', url: 'https://www.clover.com/global-developer-home' },
        redirect: 'App settings, REST configuration',
        redirectRule: 'The site URL must contain it.',
        permissions:
          'In the settings of the app: read and write customers, employees, inventory, merchant and orders, and payments if you use payments or refunds.',
      },
    },
    {
      kind: 'static',
      fields: ['accessToken'],
      title: 'API token',
      words: { accessToken: { label: 'API token', help: 'In the Merchant Dashboard, under API tokens.' } },
    },
  ],
  frame: { headers: { authorization: 'Bearer {accessToken}' } },
  settings: Type.Object({
    apiHost: host(
      'API host',
      "API host of the merchant's region",
      'api.clover.com',
      'api.eu.clover.com',
      'api.la.clover.com',
      'apisandbox.dev.clover.com',
    ),
    loginHost: Type.Optional(
      host(
        'Dashboard host',
        "Host of the consent page in the merchant's region",
        'www.clover.com',
        'www.eu.clover.com',
        'www.la.clover.com',
        'sandbox.dev.clover.com',
      ),
    ),
    merchantId: Type.String({
      title: 'Merchant ID',
      description: '13 characters; part of the URL of the Merchant Dashboard',
      pattern: '^[A-Z0-9]{13}$',
      asked: true, // every address has it
    }),
    ...timezoneSetting,
    ...businessDayStartSetting,
  }),
  regions: [
    { label: 'United States and Canada', settings: { apiHost: 'api.clover.com', loginHost: 'www.clover.com' } },
    { label: 'Europe', settings: { apiHost: 'api.eu.clover.com', loginHost: 'www.eu.clover.com' } },
    { label: 'Latin America', settings: { apiHost: 'api.la.clover.com', loginHost: 'www.la.clover.com' } },
    {
      label: 'Sandbox of Clover, for developers',
      settings: { apiHost: 'apisandbox.dev.clover.com', loginHost: 'sandbox.dev.clover.com' },
      test: true,
    },
  ],
  discover,
  shapes,
  readError,
  ambiguous401: true,
  hooks,
  entities: {
    product,
    order,
    customer,
    category,
    employee,
    time_entry: timeEntry,
    location,
    payment,
    refund,
    tax_rate: taxRate,
    payment_method: paymentMethod,
  },
}
