// Subscriptions and what is sent for them: https://shopify.dev/docs/apps/build/webhooks/delivery-structure
import { createHmac, randomUUID } from 'node:crypto'
import type { RecordChange } from '../../../sandbox/collection.ts'
import type { Webhooks } from '../../../sandbox/simulator.ts'
import { connection } from './connections.ts'
import { application } from './oauth.ts'
import { titleOf } from './products.ts'
import { type Arguments, idIn, mutation, type Resolvers, refuse } from './wire.ts'
import {
  type Customer,
  gid,
  iso,
  money,
  type Order,
  type Product,
  type Subscription,
  variantsOf,
  type World,
} from './world.ts'

/** Eight times over four hours, with growing waits. */
const retrySeconds = [10, 60, 300, 600, 1200, 2400, 3600, 6230]
const failuresAllowed = 8
const uriField = ['webhookSubscription', 'callbackUrl']

function checkUri(uri: string | null | undefined): string {
  if (!uri?.trim()) return refuse(uriField, "Address can't be blank")
  const url = URL.parse(uri)
  if (!url) return refuse(uriField, 'Address is invalid')
  // Shopify requires https; the sandbox also sends to this machine.
  if (url.protocol !== 'https:' && !['127.0.0.1', 'localhost'].includes(url.hostname))
    return refuse(uriField, `Address protocol ${url.protocol}// is not supported`)
  return uri
}
const view = ({ createdAt, ...subscription }: Subscription): object => ({
  ...subscription,
  id: gid('WebhookSubscription', subscription.id),
  legacyResourceId: subscription.id,
  format: 'JSON',
  createdAt: iso(createdAt),
  updatedAt: iso(createdAt),
})
const areaOf = (topic: string): string => topic.split('_')[0]!.toLowerCase()

export const webhookQueries: Resolvers = {
  webhookSubscriptions: (args: Arguments, { world }) =>
    connection(
      world.subscriptions.filter(
        ({ uri, topic }) =>
          (args.uri == null || uri === args.uri) && (args.topics == null || args.topics.includes(topic)),
      ),
      args,
      ({ id, createdAt }, key) => (key === 'CREATED_AT' ? createdAt : Number(id)),
      view,
    ),
}
export const webhookMutations: Resolvers = {
  webhookSubscriptionCreate: mutation(({ topic, webhookSubscription: input }: Arguments, { world, scopes }) => {
    const area = areaOf(topic)
    if (!scopes.includes(`read_${area}`) && !scopes.includes(`write_${area}`))
      refuse(['topic'], 'You cannot create a webhook subscription with the specified topic')
    const uri = checkUri(input.uri)
    if (world.subscriptions.find((one) => one.topic === topic && one.uri === uri))
      refuse(uriField, 'Address for this topic has already been taken')
    const id = world.nextId('subscription')
    const created: Subscription = {
      id,
      topic,
      uri,
      includeFields: input.includeFields ?? [],
      createdAt: world.now(),
      failures: 0,
    }
    return { webhookSubscription: view(world.subscriptions.set(id, created)) }
  }),
  webhookSubscriptionDelete: mutation(({ id }: Arguments, { world }) => {
    if (!world.subscriptions.delete(idIn('WebhookSubscription', id)))
      refuse(['id'], 'Webhook subscription does not exist')
    return { deletedWebhookSubscriptionId: id }
  }),
}

/* Payloads have the form of the REST API. */

const productPayload = (world: World, product: Product): object => ({
  admin_graphql_api_id: gid('Product', product.id),
  body_html: product.descriptionHtml,
  created_at: iso(product.createdAt),
  handle: product.handle,
  id: Number(product.id),
  product_type: product.productType,
  updated_at: iso(product.updatedAt),
  status: product.status.toLowerCase(),
  tags: product.tags.join(', '),
  title: product.title,
  vendor: product.vendor,
  variants: variantsOf(world, product.id).map((variant) => ({
    admin_graphql_api_id: gid('ProductVariant', variant.id),
    barcode: variant.barcode ?? null,
    id: Number(variant.id),
    inventory_item_id: Number(variant.itemId),
    position: variant.position,
    price: money(variant.price),
    product_id: Number(product.id),
    sku: variant.sku ?? null,
    taxable: variant.taxable,
    title: titleOf(variant),
    updated_at: iso(variant.updatedAt),
  })),
})
const orderPayload = (world: World, order: Order): object => ({
  id: Number(order.id),
  admin_graphql_api_id: gid('Order', order.id),
  cancelled_at: order.cancelledAt === undefined ? null : iso(order.cancelledAt),
  closed_at: order.closedAt === undefined ? null : iso(order.closedAt),
  created_at: iso(order.createdAt),
  currency: world.currency,
  financial_status: order.financial?.toLowerCase() ?? null,
  name: order.name,
  note: order.note ?? null,
  processed_at: iso(order.processedAt),
  updated_at: iso(order.updatedAt),
  customer: order.customerId === undefined ? null : { id: Number(order.customerId) },
  line_items: order.lines.map((line) => ({
    id: Number(line.id),
    price: money(line.price),
    quantity: line.quantity,
    sku: line.sku ?? null,
    title: line.title,
    variant_id: line.variantId === undefined ? null : Number(line.variantId),
  })),
})
const customerPayload = (customer: Customer): object => ({
  id: Number(customer.id),
  admin_graphql_api_id: gid('Customer', customer.id),
  created_at: iso(customer.createdAt),
  updated_at: iso(customer.updatedAt),
  first_name: customer.firstName ?? null,
  last_name: customer.lastName ?? null,
  email: customer.email ?? null,
  phone: customer.phone ?? null,
  note: customer.note ?? null,
})
const kinds: Readonly<Record<string, { updated: string; payload(world: World, record: unknown): object }>> = {
  products: { updated: 'UPDATE', payload: (world, record) => productPayload(world, record as Product) },
  orders: { updated: 'UPDATED', payload: (world, record) => orderPayload(world, record as Order) },
  customers: { updated: 'UPDATE', payload: (_, record) => customerPayload(record as Customer) },
}

export function sendWebhooks(world: World, webhooks: Webhooks): void {
  webhooks.onChange(({ collection, id, record, before }: RecordChange) => {
    const kind = kinds[collection]
    if (!kind) return
    const action = record === undefined ? 'DELETE' : before === undefined ? 'CREATE' : kind.updated
    const payload = record === undefined ? { id: Number(id) } : kind.payload(world, record)
    const eventId = randomUUID()
    const topic = `${collection.toUpperCase()}_${action}`
    for (const subscription of world.subscriptions.filter((one) => one.topic === topic))
      deliver(world, webhooks, subscription, eventId, payload)
  })
}
function deliver(
  world: World,
  webhooks: Webhooks,
  { id, topic, uri, includeFields }: Subscription,
  eventId: string,
  payload: object,
): void {
  const chosen = Object.entries(payload).filter(([name]) => includeFields.length === 0 || includeFields.includes(name))
  const body = JSON.stringify(Object.fromEntries(chosen))
  webhooks.send({
    url: uri,
    headers: {
      'Content-Type': 'application/json',
      'X-Shopify-Topic': topic.toLowerCase().replace('_', '/'),
      'X-Shopify-Shop-Domain': world.domain,
      'X-Shopify-Hmac-Sha256': createHmac('sha256', application.clientSecret).update(body, 'utf8').digest('base64'),
      'X-Shopify-Webhook-Id': randomUUID(),
      'X-Shopify-Event-Id': eventId,
      'X-Shopify-Triggered-At': new Date(world.now()).toISOString(),
      'X-Shopify-API-Version': '2026-07',
    },
    body,
    retrySeconds,
    attempted(status) {
      const current = world.subscriptions.get(id)
      if (!current) return
      const failures = status >= 200 && status < 300 ? 0 : current.failures + 1
      if (failures >= failuresAllowed) world.subscriptions.delete(id)
      else if (failures !== current.failures) world.subscriptions.set(id, { ...current, failures })
    },
  })
}
