// FreshBooks, accounting API: https://www.freshbooks.com/api/start
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { authorizationCode } from '../../kit/oauth.ts'
import { discover } from './account.ts'
import { customer } from './customer.ts'
import { readError } from './error.ts'
import { shapes } from './shapes.ts'
import { hooks } from './webhooks.ts'

export const freshbooks: Connector = {
  id: 'freshbooks',
  name: 'FreshBooks',
  docs: 'https://www.freshbooks.com/api/clients',
  apiVersion: { name: 'alpha', reviewBy: '2027-11-01' },
  verticals: ['accounting'],
  limit: [{ requests: 1, seconds: 1 }],
  business: '{accountId}',
  origins: { api: 'https://api.freshbooks.com', consent: 'https://auth.freshbooks.com' },
  auth: [
    authorizationCode({
      authorize: {
        origin: 'consent',
        path: '/oauth/authorize',
        scope: 'user:profile:read user:clients:read user:clients:write',
      },
      token: { path: '/auth/oauth/token', encoding: 'json' },
      refresh: { redirect_uri: '{redirectUri}' },
      // A refresh token works once, and no grace period is documented. After a lost response it is sent again anyway:
      // the request may never have arrived, and if it did, the token is already lost.
      refreshToken: 'rotates',
      registration: {
        console: { name: 'FreshBooks developer page', url: 'https://my.freshbooks.com/#/developer' },
        redirect: 'your app, Redirect URIs',
        redirectRule: 'It begins with https and has no query.',
        permissions: 'The same scopes in the settings of the app.',
      },
    }),
  ],
  frame: { headers: { authorization: 'Bearer {accessToken}', accept: 'application/json', 'api-version': 'alpha' } },
  settings: Type.Object({
    accountId: Type.String({
      title: 'Business',
      description:
        'The business, as in /accounting/account/{accountId}; determined if the authorization covers only one',
      pattern: '^[A-Za-z0-9]{1,40}$',
    }),
  }),
  discover,
  shapes,
  readError,
  hooks,
  entities: { customer },
}
