// Xero, Accounting API 2.0: https://developer.xero.com/documentation/api/accounting/overview
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { authorizationCode } from '../../kit/oauth.ts'
import { discover } from './account.ts'
import { customer } from './customer.ts'
import { readError } from './error.ts'
import { shapes } from './shapes.ts'
import { hooks } from './webhooks.ts'

const token = { origin: 'identity', path: '/connect/token', encoding: 'form', basic: true } as const
const answer = {
  access: '/access_token',
  refresh: '/refresh_token',
  expires: { in: '/expires_in' },
  keep: { scope: '/scope' },
}

export const xero: Connector = {
  id: 'xero',
  name: 'Xero',
  docs: 'https://developer.xero.com/documentation/api/accounting/overview',
  apiVersion: { name: '2.0', reviewBy: '2027-11-01' },
  verticals: ['accounting'],
  limit: [{ requests: 5, seconds: 6 }],
  concurrency: 5,
  dailyLimit: { calls: 5000, remainingHeader: 'x-daylimit-remaining' },
  business: '{tenantId}',
  origins: { api: 'https://api.xero.com', identity: 'https://identity.xero.com', login: 'https://login.xero.com' },
  auth: [
    authorizationCode({
      authorize: {
        origin: 'login',
        path: '/identity/connect/authorize',
        scope: 'offline_access accounting.contacts',
        query: { code_challenge: '{codeChallenge}', code_challenge_method: 'S256' },
      },
      token,
      exchange: { code_verifier: '{codeVerifier}' },
      answer,
      refreshToken: 'rotates', // the old one can be sent again for half an hour after a lost response
      registration: {
        console: { name: 'Xero developer portal', url: 'https://developer.xero.com/app/manage' },
        application: 'Web app',
        redirect: 'Configuration, Redirect URIs',
      },
    }),
    // "Custom connections" to a single organization:
    // https://developer.xero.com/documentation/guides/oauth2/custom-connections
    {
      kind: 'client_credentials',
      login: { ...token, fields: { grant_type: 'client_credentials', scope: 'accounting.contacts' } },
      answer: { ...answer, ended: [{ at: '/error', matches: /^(invalid_client|unauthorized_client|invalid_grant)$/ }] },
      title: 'Custom connection',
      withoutSettings: ['tenantId'],
      words: {
        clientId: { label: 'Client id', help: 'In the Xero developer portal: your custom connection, Configuration.' },
        clientSecret: { label: 'Client secret' },
      },
    },
  ],
  authorizationPaths: ['/connections'],
  frame: { headers: { authorization: 'Bearer {accessToken}', 'xero-tenant-id': '{tenantId}' } },
  settings: Type.Object({
    tenantId: Type.String({
      title: 'Organization',
      description:
        'The organization, a GUID of GET /connections; determined if the authorization covers only one. A custom connection needs none',
      minLength: 1,
    }),
    addressType: Type.Optional(
      Type.String({
        title: 'Address type',
        description: 'STREET (default) or POBOX: the preferred address if both or none are filled in',
        enum: ['STREET', 'POBOX'],
      }),
    ),
  }),
  discover,
  shapes,
  readError,
  // Xero reports the remaining calls of its 60 per minute, but not when the next is available: one per second is.
  throttle: ({ headers }) => (headers['x-minlimit-remaining'] === '0' ? 1000 : 0),
  hooks,
  entities: { customer },
}
