// What Zoho Books and Zoho Inventory share: tokens, data centers, organizations, contacts, errors.
import type { Connector } from '../../contract/connector.ts'
import { authorizationCode } from '../../kit/oauth.ts'
import { discoverOrganization } from './account.ts'
import { createCustomer } from './customer.ts'
import { settingsWith } from './data-centers.ts'
import { readError } from './error.ts'
import { shapesUnder } from './shapes.ts'
import { createHooks } from './webhooks.ts'
import type { ZohoProduct } from './zoho-product.ts'

export function createZohoConnector(product: ZohoProduct): Connector {
  const { id, name, docs, apiVersion, limit, dailyCalls } = product
  // DELETE is for deleting a contact whose second step was rejected; settings covers organizations and currencies.
  // Separated by commas.
  const scope = ['contacts.CREATE', 'contacts.READ', 'contacts.UPDATE', 'contacts.DELETE', 'settings.READ']
    .map((part) => `${product.scope}.${part}`)
    .join(',')
  return {
    id,
    name,
    docs,
    apiVersion,
    verticals: ['accounting'],
    limit,
    concurrency: 5, // of the free plan; the others allow 10
    dailyLimit: { calls: { setting: 'plan', limits: dailyCalls } },
    business: '{apiDomain} {organizationId}',
    // Which redirects users to their own data center.
    origins: { api: '{apiDomain}', accounts: '{accountsServer}', consent: 'https://accounts.zoho.com' },
    auth: [
      authorizationCode({
        // Without offline there is no refresh token; without prompt there is one only the first time.
        authorize: {
          origin: 'consent',
          path: '/oauth/v2/auth',
          scope,
          query: { access_type: 'offline', prompt: 'consent' },
        },
        callback: { accountsServer: 'accounts-server' },
        token: { origin: 'accounts', path: '/oauth/v2/token', encoding: 'form' },
        answer: { keep: { apiDomain: '/api_domain' }, ended: [{ at: '/error', matches: /^invalid_code$/ }] },
        refreshToken: 'reusable',
        registration: {
          console: { name: 'Zoho API Console', url: 'https://api-console.zoho.com/' },
          application: 'Server-based application',
          redirect: 'Authorized Redirect URIs',
          permissions: 'Nothing; enable the client for all data centers, under Settings.',
        },
      }),
    ],
    frame: {
      headers: { authorization: 'Zoho-oauthtoken {accessToken}' },
      query: { organization_id: '{organizationId}' },
    },
    settings: settingsWith(Object.keys(dailyCalls)),
    discover: discoverOrganization(product),
    shapes: shapesUnder(product.base),
    readError,
    hooks: createHooks(product),
    entities: { customer: createCustomer(product) },
  }
}
