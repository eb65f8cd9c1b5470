// Lightspeed Restaurant K-Series: https://api-docs.lsk.lightspeed.app/
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { discover } from './business.ts'
import { category } from './category.ts'
import { employee } from './employee.ts'
import { readError } from './error.ts'
import { order } from './order.ts'
import { product } from './product.ts'
import { timeEntry } from './time-entry.ts'

const optional = (description: string) => Type.Optional(Type.String({ description }))

export const lightspeedK: Connector = {
  id: 'lightspeed-k',
  name: 'Lightspeed Restaurant K-Series',
  docs: 'https://api-docs.lsk.lightspeed.app/',
  verticals: ['restaurant'],
  limit: [{ requests: 1, seconds: 1 }],
  origins: { api: 'https://{apiHost}', login: 'https://{loginHost}' },
  auth: [
    {
      kind: 'oauth2',
      authorize: {
        origin: 'login',
        path: '{authorizePath}',
        query: { response_type: 'code', client_id: '{clientId}', redirect_uri: '{redirectUri}', scope: 'financial-api items orders-api staff-api', state: '{state}' },
      },
      exchange: {
        origin: 'login',
        path: '{tokenPath}',
        encoding: 'form',
        basic: true,
        fields: { grant_type: 'authorization_code', code: '{code}', redirect_uri: '{redirectUri}' },
      },
      refresh: { origin: 'login', path: '{tokenPath}', encoding: 'form', basic: true, fields: { grant_type: 'refresh_token', refresh_token: '{refreshToken}' } },
      answer: { access: '/access_token', refresh: '/refresh_token', expires: { in: '/expires_in' }, keep: { scope: '/scope' } },
      refreshToken: 'single_use',
    },
  ],
  frame: { headers: { authorization: 'Bearer {accessToken}' } },
  settings: Type.Object({
    apiHost: Type.String({ description: 'api.lsk.lightspeed.app, or api.trial.lsk.lightspeed.app for a trial' }),
    loginHost: optional('Host of the authorisation server; that of the API unless told'),
    authorizePath: optional('/oauth/authorize unless told'),
    tokenPath: optional('/oauth/token unless told'),
    businessLocationId: Type.String({ description: 'The location this account stands for; found out where there is only one' }),
    businessId: Type.String({ description: 'The business of the location; found out' }),
    currencyCode: Type.String({ description: 'Currency of the business; found out' }),
    endpointId: optional('Webhook registered for online orders, without which no order can be written'),
    discountCode: optional('Code of a manual discount, without which no line discount can be written'),
    orderProfile: optional('Order profile code for written orders'),
    salesSince: optional('Instant of the first sale to read; found out unless told'),
  }),
  discover,
  readError,
  entities: { product, order, category, employee, time_entry: timeEntry },
}
