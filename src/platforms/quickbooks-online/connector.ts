// QuickBooks Online, Accounting API v3:
// https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/customer
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { authorizationCode } from '../../kit/oauth.ts'
import { customer } from './customer.ts'
import { readError } from './error.ts'
import { shapes } from './shapes.ts'
import { hooks } from './webhooks.ts'

export const quickbooksOnline: Connector = {
  id: 'quickbooks-online',
  name: 'QuickBooks Online',
  docs: 'https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/customer',
  apiVersion: { name: 'v3, minor version 75', reviewBy: '2027-08-01' },
  verticals: ['accounting'],
  limit: [
    { requests: 5, seconds: 1 },
    { requests: 300, seconds: 60 },
  ],
  concurrency: 10,
  business: '{realmId}',
  origins: {
    api: 'https://{apiHost}',
    token: 'https://oauth.platform.intuit.com',
    consent: 'https://appcenter.intuit.com',
  },
  auth: [
    authorizationCode({
      authorize: { origin: 'consent', path: '/connect/oauth2', scope: 'com.intuit.quickbooks.accounting' },
      // Only the redirect contains the chosen company.
      callback: { realmId: 'realmId' },
      token: { origin: 'token', path: '/oauth2/v1/tokens/bearer', encoding: 'form', basic: true },
      refreshToken: 'rotates',
      registration: {
        console: { name: 'Intuit developer portal', url: 'https://developer.intuit.com/app/developer/myapps' },
        redirect: 'Keys & OAuth, Redirect URIs',
      },
    }),
  ],
  frame: {
    headers: { authorization: 'Bearer {accessToken}', accept: 'application/json' },
    query: { minorversion: '75' },
  },
  settings: Type.Object({
    // The only hosts that tokens may be sent to. The hosts of the authorization are the same for both.
    apiHost: Type.Optional(
      Type.String({
        title: 'API host',
        description: 'quickbooks.api.intuit.com, or sandbox-quickbooks.api.intuit.com for a sandbox company',
        pattern: '^(sandbox-)?quickbooks\\.api\\.intuit\\.com$',
        default: 'quickbooks.api.intuit.com',
      }),
    ),
    realmId: Type.String({
      title: 'Company ID',
      description: 'Company id; part of the redirect after consent',
      pattern: '^[0-9]{1,20}$',
    }),
  }),
  regions: [
    { label: 'Production', settings: { apiHost: 'quickbooks.api.intuit.com' } },
    {
      label: 'Sandbox company of QuickBooks, for developers',
      settings: { apiHost: 'sandbox-quickbooks.api.intuit.com' },
      test: true,
    },
  ],
  shapes,
  readError,
  hooks,
  entities: { customer },
}
