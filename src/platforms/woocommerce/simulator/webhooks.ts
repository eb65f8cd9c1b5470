// /webhooks, and what is sent for them. Written from the plugin's class-wc-webhook.php and its REST controller.

import { createHash, createHmac } from 'node:crypto'
import type { RecordChange } from '../../../sandbox/collection.ts'
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { Schemas } from '../../../sandbox/schema.ts'
import type { Webhooks } from '../../../sandbox/simulator.ts'
import { showCustomer } from './customers.ts'
import { showOrder } from './orders.ts'
import { showAsProduct, showProduct } from './product-rows.ts'
import { accept, listed, refuse } from './wire.ts'
import { type Customer, dates, type Order, type Product, type Variation, type Webhook, type World } from './world.ts'

const api = '/wp-json/wc/v3'
const statuses = ['active', 'paused', 'disabled'] as const
const schema: Schemas = {
  id: 'integer',
  name: 'string',
  status: { enum: statuses },
  topic: 'string',
  delivery_url: 'string',
  secret: 'string',
}
const topics = new Set(
  ['product', 'order', 'customer', 'coupon'].flatMap((resource) =>
    ['created', 'updated', 'deleted', ...(resource === 'customer' ? [] : ['restored'])].map(
      (event) => `${resource}.${event}`,
    ),
  ),
)
const failuresAllowed = 5
const invalidId = (status: number, message: string): never =>
  refuse(status, 'woocommerce_rest_shop_webhook_invalid_id', message)
const invalidTopic = (): never =>
  refuse(400, 'woocommerce_rest_shop_webhook_invalid_topic', 'Webhook topic is required and must be valid.')
const isUrl = (url: unknown): url is string => typeof url === 'string' && /^https?:\/\/[^\s/]+/.test(url)
const invalidUrl = (): never =>
  refuse(
    400,
    'woocommerce_rest_shop_webhook_invalid_delivery_url',
    'Webhook delivery URL must be a valid URL starting with http:// or https://.',
  )

/** Without the secret. */
const show = (world: World, { id, name, status, topic, delivery_url, created, modified }: Webhook): Fields => ({
  id,
  name,
  status,
  topic,
  resource: topic.split('.')[0],
  event: topic.split('.')[1],
  hooks: [],
  delivery_url,
  ...dates(world, 'date_created', created),
  ...dates(world, 'date_modified', modified),
})
export const webhookRoutes = (webhooks: Webhooks | undefined): Routes<World> => ({
  [`GET ${api}/webhooks`]: ({ request, context: world }) =>
    listed(request, world.webhooks.values(), {
      ...world,
      orders: { id: ({ id }) => id, date: ({ created }) => created, title: ({ name }) => name },
      initially: { by: 'date', order: 'desc' },
      render: (row) => show(world, row),
    }),
  [`POST ${api}/webhooks`]: ({ request, context: world }) => {
    const body = accept(request, schema)
    const topic = String(body.topic ?? '').toLowerCase()
    if (body.id) return refuse(400, 'woocommerce_rest_shop_webhook_exists', 'Cannot create existing shop_webhook.')
    if (!topics.has(topic)) return invalidTopic()
    if (!isUrl(body.delivery_url)) return invalidUrl()
    const id = world.next('webhook')
    const at = world.second()
    const created: Webhook = {
      id,
      name: String(body.name ?? `Webhook created on ${new Date(at).toISOString()}`),
      status: 'active', // whatever is requested
      topic,
      delivery_url: body.delivery_url,
      secret: String(body.secret ?? createHash('sha256').update(String(id)).digest('hex')),
      failures: 0,
      created: at,
      modified: at,
      meta: [],
    }
    world.webhooks.set(String(id), created)
    webhooks?.send({
      url: created.delivery_url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': userAgent },
      body: `webhook_id=${id}`,
    })
    return { status: 201, headers: { location: `${world.origin}${api}/webhooks/${id}` }, body: show(world, created) }
  },
  [`PUT ${api}/webhooks/:id`]: ({ request, params: { id = '' }, context: world }) => {
    const { id: _, ...body } = accept(request, schema)
    const current = world.webhooks.get(id) ?? invalidId(400, 'ID is invalid.')
    if (body.topic !== undefined && !topics.has(String(body.topic).toLowerCase())) return invalidTopic()
    if (body.delivery_url !== undefined && !isUrl(body.delivery_url)) return invalidUrl()
    return {
      status: 200,
      body: show(
        world,
        world.webhooks.set(id, { ...current, ...(body as Partial<Webhook>), modified: world.second() }),
      ),
    }
  },
  [`DELETE ${api}/webhooks/:id`]: ({ request, params: { id = '' }, context: world }) => {
    if (!/^(true|1)$/.test(request.query.get('force') ?? ''))
      return refuse(501, 'woocommerce_rest_trash_not_supported', 'Webhooks do not support trashing.')
    const current = world.webhooks.get(id) ?? invalidId(404, 'Invalid ID.')
    world.webhooks.delete(id)
    return { status: 200, body: show(world, current) }
  },
})
const userAgent = 'WooCommerce/10.3.0 Hookshot (WordPress/6.8)'

/** PHP escapes slashes and everything beyond ASCII. */
const phpJson = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

interface Event {
  topic: string
  payload: Fields
}
const isTrash = (record: unknown): boolean => (record as { status?: string }).status === 'trash'
/** Trash and restore are events of their own; what is deleted for good is reported only for customers. */
function eventOf(world: World, { collection, id, record, before }: RecordChange): Event | undefined {
  const resource = { products: 'product', variations: 'product', orders: 'order', customers: 'customer' }[collection]
  if (!resource) return undefined
  const gone = { topic: `${resource}.deleted`, payload: { id: Number(id) } }
  if (record === undefined)
    return resource === 'customer' && (before as Customer).role === 'customer' ? gone : undefined
  if (isTrash(record)) return before !== undefined && !isTrash(before) ? gone : undefined
  const event = before === undefined ? 'created' : isTrash(before) ? 'restored' : 'updated'
  return { topic: `${resource}.${event}`, payload: payloadOf(world, collection, record) }
}
function payloadOf(world: World, collection: string, record: unknown): Fields {
  if (collection === 'products') return showProduct(world, record as Product, 'view')
  if (collection === 'variations') return showAsProduct(world, record as Variation, 'view')
  return collection === 'orders' ? showOrder(world, record as Order) : showCustomer(world, record as Customer)
}

export function sendWebhooks(world: World, webhooks: Webhooks): void {
  webhooks.onChange((change) => {
    const event = eventOf(world, change)
    if (!event) return
    for (const webhook of world.webhooks.filter((one) => one.topic === event.topic && one.status === 'active'))
      deliver(world, webhooks, webhook, event)
  })
}
/** Sent once: the plugin does not repeat a webhook. */
function deliver(world: World, webhooks: Webhooks, { id, secret, delivery_url }: Webhook, event: Event): void {
  const body = phpJson(event.payload)
  const [resource = '', name = ''] = event.topic.split('.')
  webhooks.send({
    url: delivery_url,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': userAgent,
      'X-WC-Webhook-Source': `https://${world.shop}/`,
      'X-WC-Webhook-Topic': event.topic,
      'X-WC-Webhook-Resource': resource,
      'X-WC-Webhook-Event': name,
      'X-WC-Webhook-Signature': createHmac('sha256', secret).update(body, 'utf8').digest('base64'),
      'X-WC-Webhook-ID': String(id),
      'X-WC-Webhook-Delivery-ID': createHash('md5').update(`${id} ${world.second()}`).digest('hex'),
    },
    body,
    attempted(status) {
      const current = world.webhooks.get(String(id))
      if (!current) return
      // A redirect counts as a success, and is not followed.
      const changes: Partial<Webhook> =
        status >= 200 && status < 303
          ? { failures: 0 }
          : current.failures > failuresAllowed
            ? { status: 'disabled' }
            : { failures: current.failures + 1 }
      world.webhooks.set(String(id), { ...current, ...changes })
    },
  })
}
