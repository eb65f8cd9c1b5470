// QuickBooks Online, Accounting API v3:
// https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/customer
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { authorizationCode } from '../../kit/oauth.ts'
import { customer } from './customer.ts'
import { readError } from './error.ts'
import { shapes } from './shapes.ts'

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
  business: '{realmId}',
  origins: {
    api: 'https://quickbooks.api.intuit.com',
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
    }),
  ],
  frame: {
    headers: { authorization: 'Bearer {accessToken}', accept: 'application/json' },
    query: { minorversion: '75' },
  },
  settings: Type.Object({
    realmId: Type.String({
      title: 'Company ID',
      description: 'Company id; part of the redirect after consent',
      pattern: '^[0-9]{1,20}$',
    }),
  }),
  shapes,
  readError,
  entities: { customer },
}
