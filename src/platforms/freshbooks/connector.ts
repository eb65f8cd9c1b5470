// FreshBooks, accounting API: https://www.freshbooks.com/api/start
import { Type } from 'typebox'
import type { Connector, TokenCall } from '../../contract/connector.ts'
import { discover } from './account.ts'
import { customer } from './customer.ts'
import { readError } from './error.ts'

const token: Omit<TokenCall, 'fields'> = { path: '/auth/oauth/token', encoding: 'json' }
const application = { client_id: '{clientId}', client_secret: '{clientSecret}', redirect_uri: '{redirectUri}' }

export const freshbooks: Connector = {
  id: 'freshbooks',
  name: 'FreshBooks',
  docs: 'https://www.freshbooks.com/api/clients',
  verticals: ['accounting'],
  limit: [{ requests: 1, seconds: 10 }],
  origins: { api: 'https://api.freshbooks.com', consent: 'https://auth.freshbooks.com' },
  auth: [
    {
      kind: 'oauth2',
      authorize: {
        origin: 'consent',
        path: '/oauth/authorize',
        query: {
          client_id: '{clientId}',
          response_type: 'code',
          redirect_uri: '{redirectUri}',
          scope: 'user:profile:read user:clients:read user:clients:write',
          state: '{state}',
        },
      },
      exchange: { ...token, fields: { ...application, grant_type: 'authorization_code', code: '{code}' } },
      refresh: { ...token, fields: { ...application, grant_type: 'refresh_token', refresh_token: '{refreshToken}' } },
      answer: { access: '/access_token', refresh: '/refresh_token', expires: { in: '/expires_in' } },
      // A refresh token works once and no grace is documented. After a lost answer it is sent again all the same: the request may never have arrived, and if it did, there is nothing left to lose.
      refreshToken: 'rotates',
    },
  ],
  frame: { headers: { authorization: 'Bearer {accessToken}', accept: 'application/json', 'api-version': 'alpha' } },
  settings: Type.Object({
    accountId: Type.String({
      title: 'Business',
      description: 'The business, as in /accounting/account/{accountId}; found out when the authorisation covers only one',
      pattern: '^[A-Za-z0-9]{1,40}$',
    }),
  }),
  discover,
  readError,
  entities: { customer },
}
