// What Zoho Books and Zoho Inventory share: tokens, data centres, organizations, contacts, errors.
import type { Connector, TokenCall } from '../../contract/connector.ts'
import { discoverOrganization } from './account.ts'
import { createCustomer } from './customer.ts'
import { settings } from './data-centres.ts'
import { readError } from './error.ts'
import type { ZohoProduct } from './zoho-product.ts'

const client = { client_id: '{clientId}', client_secret: '{clientSecret}' }
const token: Omit<TokenCall, 'fields'> = { origin: 'accounts', path: '/oauth/v2/token', encoding: 'form' }

export function createZohoConnector(product: ZohoProduct): Connector {
  const { id, name, docs, limit } = product
  // DELETE is for taking back a contact whose second step was refused; settings holds organizations and currencies. Separated by commas.
  const scope = ['contacts.CREATE', 'contacts.READ', 'contacts.UPDATE', 'contacts.DELETE', 'settings.READ'].map((part) => `${product.scope}.${part}`).join(',')
  return {
    id,
    name,
    docs,
    verticals: ['accounting'],
    limit,
    origins: { api: '{apiDomain}', accounts: '{accountsServer}', consent: 'https://accounts.zoho.com' }, // which sends everybody on to their own data centre
    auth: [
      {
        kind: 'oauth2',
        authorize: {
          origin: 'consent',
          path: '/oauth/v2/auth',
          // Without offline there is no refresh token, without prompt only the first time.
          query: { response_type: 'code', client_id: '{clientId}', scope, redirect_uri: '{redirectUri}', access_type: 'offline', prompt: 'consent', state: '{state}' },
        },
        callback: { accountsServer: 'accounts-server' },
        exchange: { ...token, fields: { ...client, grant_type: 'authorization_code', code: '{code}', redirect_uri: '{redirectUri}' } },
        refresh: { ...token, fields: { ...client, grant_type: 'refresh_token', refresh_token: '{refreshToken}' } },
        answer: { access: '/access_token', refresh: '/refresh_token', expires: { in: '/expires_in' }, keep: { apiDomain: '/api_domain' } },
        refreshToken: 'reusable',
      },
    ],
    frame: { headers: { authorization: 'Zoho-oauthtoken {accessToken}' }, query: { organization_id: '{organizationId}' } },
    settings,
    discover: discoverOrganization(product),
    readError,
    entities: { customer: createCustomer(product) },
  }
}
