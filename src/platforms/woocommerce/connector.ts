// WooCommerce: https://woocommerce.github.io/woocommerce-rest-api-docs/
import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { businessDayStartSetting } from '../../kit/business-day.ts'
import { customer } from './customer.ts'
import { readError } from './error.ts'
import { location } from './location.ts'
import { order } from './order.ts'
import { payment } from './payment.ts'
import { paymentMethod } from './payment-method.ts'
import { product } from './product.ts'
import { refund } from './refund.ts'
import { shapes } from './shapes.ts'
import { taxRate } from './tax-rate.ts'
import { hooks } from './webhooks.ts'

/**
 * A public host name, with the WordPress folder if there is one. No scheme: keys are sent only over https. No IP
 * addresses: a shop is never inside our own network.
 */
const shopPattern =
  '^([a-z0-9]([a-z0-9-]*[a-z0-9])?\\.)+[a-z][a-z0-9-]*[a-z0-9](:[0-9]{1,5})?(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$'

export const woocommerce: Connector = {
  id: 'woocommerce',
  name: 'WooCommerce',
  docs: 'https://woocommerce.github.io/woocommerce-rest-api-docs/',
  apiVersion: { name: 'wc/v3', reviewBy: '2027-11-01' },
  verticals: ['retail_pos'],
  limit: [{ requests: 5, seconds: 1 }],
  business: '{shop}',
  origins: { api: 'https://{shop}' },
  auth: [
    {
      kind: 'basic',
      user: 'consumerKey',
      password: 'consumerSecret',
      title: 'REST API key',
      words: {
        consumerKey: {
          label: 'Consumer key',
          help: 'In WordPress: WooCommerce, Settings, Advanced, REST API, Add key, with the permission Read/Write. It begins with ck_.',
        },
        consumerSecret: { label: 'Consumer secret', help: 'Displayed once, next to the key. It begins with cs_.' },
      },
    },
  ],
  authorizationPaths: ['/wc-auth'],
  // https://developer.wordpress.org/rest-api/using-the-rest-api/global-parameters/
  native: { overrides: ['rest_route', '_envelope', '_jsonp'] },
  frame: {},
  settings: Type.Object({
    shop: Type.String({
      title: 'Store address',
      description: 'URL of the shop without https://, such as shop.example.com or example.com/shop',
      pattern: shopPattern,
      maxLength: 250,
    }),
    ...businessDayStartSetting,
    tipFees: Type.Optional(
      Type.String({
        title: 'Fees that are tips',
        description:
          'Names of fees that are tips, with commas between them, such as Tip, Trinkgeld. Other fees are service charges.',
        maxLength: 250,
        local: true,
      }),
    ),
  }),
  shapes,
  readError,
  hooks,
  entities: { product, order, payment, refund, customer, location, tax_rate: taxRate, payment_method: paymentMethod },
}
