// /webhooks, and what is sent for them: forms with a record in the format of API 1.0.
// https://x-series-api.lightspeedhq.com/docs/webhooks
import { createHmac } from 'node:crypto'
import type { RecordChange } from '../../../sandbox/collection.ts'
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { Webhooks } from '../../../sandbox/simulator.ts'
import { bodyOf, failure, missing, ok, refuse } from './wire.ts'
import type { Customer, Inventory, Product, Sale, Webhook, World } from './world.ts'

const base = '/api/2026-07'
const types = [
  'sale.update',
  'product.update',
  'customer.update',
  'inventory.update',
  'register_closure.create',
  'consignment.send',
  'consignment.receive',
]
/** Up to twenty times in two days; the waits are not documented. */
const retrySeconds = Array.from({ length: 20 }, (_, n) => 60 * (n + 1) ** 2)
const retailer = 'b1c4be5e-f019-11e3-a0f5-b8ca3a64f8f4'

const view = (webhook: Webhook): Fields => ({ ...webhook, retailer_id: retailer })
function accepted({ url, active, type }: Fields): Omit<Webhook, 'id'> {
  if (typeof url !== 'string' || !/^https?:\/\/[^\s/]+/.test(url)) return refuse('url', 'url is not a valid URL')
  if (typeof active !== 'boolean') return refuse('active', 'active is required')
  if (typeof type !== 'string' || !types.includes(type)) return refuse('type', 'type is not a known webhook type')
  return { url, active, type }
}
const found = (world: World, id: string): Webhook => world.webhooks.get(id) ?? missing('webhook')
const taken = (world: World, { url, type }: Omit<Webhook, 'id'>, except?: string): boolean =>
  world.webhooks.find((one) => one.id !== except && one.url === url && one.type === type) !== undefined
const conflict = () => failure(409, 'A webhook with this type and URL already exists.')

export const webhookRoutes: Routes<World> = {
  [`GET ${base}/webhooks`]: ({ context: world }) => ok(world.webhooks.values().map(view)),
  [`POST ${base}/webhooks`]: ({ request, context: world }) => {
    const webhook = accepted(bodyOf(request))
    if (taken(world, webhook)) return conflict()
    const id = world.uuid()
    return { ...ok(view(world.webhooks.set(id, { ...webhook, id }))), status: 201 }
  },
  [`GET ${base}/webhooks/:id`]: ({ params: { id = '' }, context: world }) => ok(view(found(world, id))),
  [`PUT ${base}/webhooks/:id`]: ({ request, params: { id = '' }, context: world }) => {
    found(world, id)
    const webhook = accepted(bodyOf(request))
    return taken(world, webhook, id) ? conflict() : ok(view(world.webhooks.set(id, { ...webhook, id })))
  },
  [`DELETE ${base}/webhooks/:id`]: ({ params: { id = '' }, context: world }) => {
    found(world, id)
    world.webhooks.delete(id)
    return { status: 200, body: {} }
  },
}

/** API 1.0: times are UTC without an offset. */
const plainTime = (at: number | undefined): string =>
  at === undefined ? '' : new Date(at).toISOString().slice(0, 19).replace('T', ' ')
const productPayload = (product: Product): Fields => ({
  id: product.id,
  source_id: product.source_id ?? '',
  handle: product.handle,
  has_variants: product.family && product.parent === undefined,
  variant_parent_id: product.parent ?? '',
  active: product.active,
  name: [product.name, ...product.options.map(({ value }) => value)].join(' / '),
  base_name: product.name,
  description: product.description ?? '',
  sku: product.sku,
  price: product.price,
  updated_at: plainTime(product.updated),
  deleted_at: plainTime(product.deleted),
})
const customerPayload = ({ id, fields, updated, deleted }: Customer): Fields => ({
  id,
  customer_code: fields.customer_code ?? '',
  first_name: fields.first_name ?? '',
  last_name: fields.last_name ?? '',
  email: fields.email ?? '',
  note: fields.note ?? '',
  updated_at: plainTime(updated),
  deleted_at: plainTime(deleted),
})
const salePayload = (sale: Sale): Fields => ({
  id: sale.id,
  source: 'USER',
  register_id: sale.register,
  customer_id: sale.customer ?? '',
  user_id: sale.author,
  sale_date: plainTime(sale.date),
  note: sale.note,
  status: sale.state.toUpperCase(),
  short_code: sale.shortCode,
  invoice_number: sale.invoice,
  return_for: sale.original ?? '',
  register_sale_products: sale.lines.map(({ id, product, quantity, price }) => ({
    id,
    product_id: product,
    quantity,
    price,
  })),
  register_sale_payments: sale.payments.map(({ id, amount, type, date }) => ({
    id,
    retailer_payment_type_id: type,
    payment_date: plainTime(date),
    amount,
  })),
  updated_at: plainTime(sale.updated),
})
const inventoryPayload = ({ id, product, outlet, level, version }: Inventory): Fields => ({
  id,
  product_id: product,
  outlet_id: outlet,
  count: level.toFixed(5),
  version,
})
function payloadOf({ collection, record }: RecordChange): { type: string; payload: Fields } | undefined {
  if (record === undefined) return undefined
  if (collection === 'products') return { type: 'product.update', payload: productPayload(record as Product) }
  if (collection === 'customers') return { type: 'customer.update', payload: customerPayload(record as Customer) }
  if (collection === 'sales') return { type: 'sale.update', payload: salePayload(record as Sale) }
  if (collection === 'inventory') return { type: 'inventory.update', payload: inventoryPayload(record as Inventory) }
  return undefined
}

export function sendWebhooks(world: World, webhooks: Webhooks, clientSecret: string): void {
  webhooks.onChange((change) => {
    const event = payloadOf(change)
    if (!event) return
    for (const { url } of world.webhooks.filter(({ type, active }) => active && type === event.type)) {
      const body = new URLSearchParams({
        payload: JSON.stringify(event.payload),
        domain_prefix: world.domainPrefix,
        environment: 'prod',
      }).toString()
      const signature = createHmac('sha256', clientSecret).update(body).digest('hex')
      webhooks.send({
        url,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-signature': `signature=${signature},algorithm=HMAC-SHA256`,
        },
        body,
        retrySeconds,
      })
    }
  })
}
