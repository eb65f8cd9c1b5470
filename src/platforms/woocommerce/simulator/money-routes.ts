// /taxes and /payment_gateways.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { enumOf, listed, refuse } from './wire.ts'
import type { Gateway, TaxRate, World } from './world.ts'

const api = '/wp-json/wc/v3'
const gateway = (id: string, title: string, more: Partial<Gateway> = {}): Gateway => ({
  id,
  title,
  method_title: title,
  enabled: true,
  supports: ['products'],
  settings: {},
  ...more,
})
export const seedGateways = (world: World): void => {
  for (const one of [
    gateway('bacs', 'Direct bank transfer'),
    gateway('cheque', 'Check payments', { enabled: false }),
    gateway('cod', 'Cash on delivery'),
    gateway('stripe', 'Credit card', {
      method_title: 'Stripe',
      supports: ['products', 'refunds'],
      settings: { secret_key: 'sk_live_sandbox000000000000' },
    }),
  ])
    world.gateways.set(one.id, one)
}
/** `_fields` of WordPress; without it, the settings have the secrets of the gateway. */
function showGateway({ supports, settings, ...row }: Gateway, query: URLSearchParams): Fields {
  const all: Fields = {
    ...row,
    description: '',
    order: '',
    method_description: '',
    method_supports: supports,
    settings: Object.fromEntries(
      Object.entries(settings).map(([id, value]) => [id, { id, label: id, type: 'password', value }]),
    ),
  }
  const fields = query.get('_fields')?.split(',')
  return fields ? Object.fromEntries(fields.filter((name) => name in all).map((name) => [name, all[name]])) : all
}
const showRate = ({ id, name, ...rate }: TaxRate): Fields => ({
  id,
  ...rate,
  name,
  postcode: '',
  city: '',
  postcodes: [],
  cities: [],
})
const rateOrders = {
  id: ({ id }: TaxRate) => id,
  order: ({ order }: TaxRate) => order,
  priority: ({ priority }: TaxRate) => priority,
}
export const moneyRoutes: Routes<World> = {
  [`GET ${api}/taxes`]: ({ request, context: world }) => {
    const named = enumOf(request.query, 'class', '', ['', 'standard', 'reduced-rate', 'zero-rate'])
    const rows = world.taxRates.filter((rate) => named === '' || rate.class === named)
    return listed(
      request,
      rows.map((rate) => ({ ...rate, created: 0, modified: 0 })),
      {
        ...world,
        orders: rateOrders,
        initially: { by: 'order', order: 'asc' },
        render: ({ created: _, modified: __, ...rate }) => showRate(rate),
      },
    )
  },
  [`GET ${api}/taxes/:id`]: ({ params, context: world }) => ({
    status: 200,
    body: showRate(
      world.taxRates.get(params.id ?? '') ?? refuse(404, 'woocommerce_rest_invalid_id', 'Invalid resource ID.'),
    ),
  }),
  [`GET ${api}/payment_gateways`]: ({ request, context: world }) => ({
    status: 200,
    body: world.gateways.values().map((one) => showGateway(one, request.query)),
  }),
  [`GET ${api}/payment_gateways/:id`]: ({ request, params, context: world }) => {
    const found = world.gateways.get(params.id ?? '')
    return found
      ? { status: 200, body: showGateway(found, request.query) }
      : refuse(404, 'woocommerce_rest_payment_gateway_invalid', 'Resource does not exist.')
  },
}
