// Shopify: https://shopify.dev/docs/api/admin-graphql/2026-07
import { Type } from 'typebox'
import type { Connector, TokenAnswer } from '../../contract/connector.ts'
import { businessDayStartSetting } from '../../kit/business-day.ts'
import { accessScopes } from './account.ts'
import { customer } from './customer.ts'
import { readError, waitMs } from './error.ts'
import { location } from './location.ts'
import { order } from './order.ts'
import { payment } from './payment.ts'
import { paymentMethod } from './payment-method.ts'
import { product } from './product.ts'
import { refund } from './refund.ts'
import { shapes } from './shapes.ts'
import { hooks } from './webhooks.ts'

const scopes =
  'read_products,write_products,read_inventory,write_inventory,read_locations,read_orders,write_orders,read_customers,write_customers'
const path = '/admin/oauth/access_token'
const client = { client_id: '{clientId}', client_secret: '{clientSecret}' }
const answer: TokenAnswer = {
  access: '/access_token',
  refresh: '/refresh_token',
  expires: { in: '/expires_in' },
  keep: { scope: '/scope' },
  ended: [
    { at: '/error', matches: /^(invalid_grant|invalid_client|shop_not_permitted|application_cannot_be_found)$/ },
    { at: '/error_description', matches: /refresh_token/ },
  ],
}

export const shopify: Connector = {
  id: 'shopify',
  name: 'Shopify',
  docs: 'https://shopify.dev/docs/api/admin-graphql/2026-07',
  apiVersion: { name: '2026-07', reviewBy: '2027-07-01' },
  verticals: ['retail_pos'],
  limit: [{ requests: 1, seconds: 1 }],
  business: '{shop}',
  origins: { api: 'https://{shop}' },
  auth: [
    {
      kind: 'oauth2',
      authorize: {
        origin: 'api',
        path: '/admin/oauth/authorize',
        query: { client_id: '{clientId}', scope: '{scopes}', redirect_uri: '{redirectUri}', state: '{state}' },
      },
      // The redirect contains the state and the shop: both are compared with the request.
      callback: { shop: 'shop' },
      callbackHmac: 'hmac',
      // "1" requests an access token valid for one hour with a refresh token: new public apps no longer get the other
      // kind.
      exchange: { path, encoding: 'json', fields: { ...client, code: '{code}', expiring: '1' } },
      refresh: {
        path,
        encoding: 'json',
        fields: { ...client, grant_type: 'refresh_token', refresh_token: '{refreshToken}' },
      },
      answer,
      refreshToken: 'rotates',
      registration: {
        console: { name: 'Dev Dashboard', url: 'https://dev.shopify.com/dashboard' },
        redirect: 'your app, Allowed redirection URLs',
      },
    },
    {
      kind: 'client_credentials',
      login: { path, encoding: 'json', fields: { ...client, grant_type: 'client_credentials' } },
      answer,
      title: "Client ID and secret of the shop's own app",
      words: {
        clientId: { label: 'Client ID', help: 'In the Dev Dashboard: your app, Settings.' },
        clientSecret: { label: 'Client secret' },
      },
    },
    {
      kind: 'static',
      fields: ['accessToken'],
      title: 'Admin API access token',
      words: {
        accessToken: {
          label: 'Admin API access token',
          help: 'In the admin: Settings, Apps and sales channels, Develop apps, your app, API credentials. It begins with shpat_.',
        },
      },
    },
  ],
  authorizationPaths: ['/admin/api_permissions', '/admin/api/*/api_permissions'],
  native: {
    authorizationFields: [
      'appUninstall',
      'appRevokeAccessScopes',
      'delegateAccessTokenCreate',
      'delegateAccessTokenDestroy',
    ],
  },
  frame: { headers: { 'x-shopify-access-token': '{accessToken}' } },
  settings: Type.Object({
    // The only host that the client secret may be sent to.
    shop: Type.String({
      title: 'Shop domain',
      description: "The shop's own domain, such as my-shop.myshopify.com",
      pattern: '^[a-z0-9][a-z0-9-]*\\.myshopify\\.com$',
    }),
    scopes: Type.Optional(
      Type.String({
        title: 'Requested scopes',
        description:
          'Scopes that a customer is asked to approve. Add read_all_orders for orders older than 60 days, once Shopify has approved it for your app',
        pattern: '^(read|write)_[a-z_]+(,(read|write)_[a-z_]+)*$',
        default: scopes,
      }),
    ),
    locationId: Type.Optional(
      Type.String({
        title: 'Location ID',
        description: "Location for stock; the shop's primary location by default",
        reference: 'location',
      }),
    ),
    ...businessDayStartSetting,
  }),
  discover: accessScopes,
  shapes,
  readError,
  throttle: ({ body }) => waitMs(body) ?? 0,
  hooks,
  entities: { product, order, customer, location, payment, refund, payment_method: paymentMethod },
}
