// QuickBooks Online, Accounting API v3: https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/customer
import { Type } from 'typebox'
import type { Connector, TokenCall } from '../../contract/connector.ts'
import { customer } from './customer.ts'
import { readError } from './error.ts'

const token: Omit<TokenCall, 'fields'> = { origin: 'token', path: '/oauth2/v1/tokens/bearer', encoding: 'form', basic: true }

export const quickbooksOnline: Connector = {
  id: 'quickbooks-online',
  name: 'QuickBooks Online',
  docs: 'https://developer.intuit.com/app/developer/qbo/docs/api/accounting/all-entities/customer',
  verticals: ['accounting'],
  limit: [
    { requests: 5, seconds: 1 },
    { requests: 300, seconds: 60 },
  ],
  origins: { api: 'https://quickbooks.api.intuit.com', token: 'https://oauth.platform.intuit.com', consent: 'https://appcenter.intuit.com' },
  auth: [
    {
      kind: 'oauth2',
      authorize: {
        origin: 'consent',
        path: '/connect/oauth2',
        query: { client_id: '{clientId}', response_type: 'code', scope: 'com.intuit.quickbooks.accounting', redirect_uri: '{redirectUri}', state: '{state}' },
      },
      // Which company was chosen is said here and nowhere else.
      callback: { realmId: 'realmId' },
      exchange: { ...token, fields: { grant_type: 'authorization_code', code: '{code}', redirect_uri: '{redirectUri}' } },
      refresh: { ...token, fields: { grant_type: 'refresh_token', refresh_token: '{refreshToken}' } },
      answer: { access: '/access_token', refresh: '/refresh_token', expires: { in: '/expires_in' } },
      refreshToken: 'rotates',
    },
  ],
  frame: { headers: { authorization: 'Bearer {accessToken}', accept: 'application/json' }, query: { minorversion: '75' } },
  settings: Type.Object({ realmId: Type.String({ title: 'Company ID', description: 'Company id; comes with the redirect after consent', pattern: '^[0-9]{1,20}$' }) }),
  readError,
  entities: { customer },
}
