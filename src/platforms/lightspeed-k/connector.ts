// Lightspeed Restaurant K-Series: https://api-docs.lsk.lightspeed.app/
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { businessDayStartSetting, timezoneSetting } from '../../kit/business-day.ts'
import { authorizationCode } from '../../kit/oauth.ts'
import { discover } from './account.ts'
import { category } from './category.ts'
import { employee } from './employee.ts'
import { readError } from './error.ts'
import { location } from './location.ts'
import { order } from './order.ts'
import { payment } from './payment.ts'
import { paymentMethod } from './payment-method.ts'
import { product } from './product.ts'
import { refund } from './refund.ts'
import { shapes } from './shapes.ts'
import { taxRate } from './tax-rate.ts'
import { timeEntry } from './time-entry.ts'
import { hooks } from './webhooks.ts'

const hostPattern = '^([a-z0-9-]+\\.)+(lightspeed\\.app|lightspeedhq\\.com)$'
const pathPattern = '^(/[A-Za-z0-9._~-]+)+$'
// Newer clients use a separate authorization server.
const loginPattern = `${hostPattern}|^auth\\.lsk-(prod|demo)\\.app$`
const optional = (title: string, description: string) => Type.Optional(Type.String({ title, description }))

export const lightspeedK: Connector = {
  id: 'lightspeed-k',
  name: 'Lightspeed Restaurant K-Series',
  docs: 'https://api-docs.lsk.lightspeed.app/',
  apiVersion: { name: 'Items v2, Financial v2, Orders v1, Staff v1', reviewBy: '2027-11-01' },
  verticals: ['restaurant'],
  limit: [{ requests: 1, seconds: 1 }],
  business: '{apiHost} {businessId}',
  origins: { api: 'https://{apiHost}', login: 'https://{loginHost}' },
  auth: [
    authorizationCode({
      authorize: { origin: 'login', path: '{authorizePath}', scope: 'financial-api items orders-api staff-api' },
      token: { origin: 'login', path: '{tokenPath}', encoding: 'form', basic: true },
      answer: { keep: { scope: '/scope' } },
      refreshToken: 'single_use',
      registration: {
        console: { name: 'Lightspeed API portal', url: 'https://api-portal.lsk.lightspeed.app/' },
        redirect: 'your API client',
        redirectRule: 'It begins with https.',
        permissions: 'The scopes below, as far as your client allows them.',
      },
    }),
  ],
  frame: { headers: { authorization: 'Bearer {accessToken}' } },
  settings: Type.Object({
    // The only hosts that tokens and the client secret may be sent to.
    apiHost: Type.String({
      title: 'API host',
      description: 'api.lsk.lightspeed.app, or api.trial.lsk.lightspeed.app for a trial',
      pattern: hostPattern,
    }),
    loginHost: Type.Optional(
      Type.String({
        title: 'Authorization host',
        description: 'Host of the authorization server; the API host by default',
        pattern: loginPattern,
        default: '{apiHost}',
      }),
    ),
    authorizePath: Type.Optional(
      Type.String({
        title: 'Authorization path',
        description: '/oauth/authorize by default',
        pattern: pathPattern,
        default: '/oauth/authorize',
      }),
    ),
    tokenPath: Type.Optional(
      Type.String({
        title: 'Token path',
        description: '/oauth/token by default',
        pattern: pathPattern,
        default: '/oauth/token',
      }),
    ),
    businessLocationId: Type.String({
      title: 'Business location',
      description: 'The location of this account; determined if there is only one',
      reference: 'location',
    }),
    businessId: Type.String({
      title: 'Business ID',
      description: 'The business of the location; determined automatically',
    }),
    currencyCode: Type.String({ title: 'Currency', description: 'Currency of the business; determined automatically' }),
    endpointId: optional('Endpoint ID', 'Webhook registered for online orders; required to write orders'),
    discountCode: optional('Discount code', 'Code of a manual discount; required to write line discounts'),
    paymentTypes: Type.Optional(
      Type.String({
        title: 'Kinds of payment methods',
        description:
          'What the codes of your payment methods mean, such as VISA=CARD, TR=VOUCHER. CASH is cash; others are OTHER by default.',
        pattern: '^\\s*([^=,]+=\\s*[A-Za-z_]+\\s*)(,[^=,]+=\\s*[A-Za-z_]+\\s*)*$',
      }),
    ),
    orderProfile: optional('Order profile', 'Order profile code for written orders'),
    ...timezoneSetting,
    ...businessDayStartSetting,
    salesSince: optional('Sales since', 'Time of the first sale to read; determined by default'),
  }),
  regions: [
    { label: 'Live business', settings: { apiHost: 'api.lsk.lightspeed.app' } },
    { label: 'Trial business', settings: { apiHost: 'api.trial.lsk.lightspeed.app' }, test: true },
  ],
  discover,
  shapes,
  readError,
  hooks,
  entities: {
    product,
    order,
    category,
    employee,
    time_entry: timeEntry,
    location,
    payment,
    refund,
    tax_rate: taxRate,
    payment_method: paymentMethod,
  },
}
