// /v3/hooks, and what is sent for them. https://developer.bigcommerce.com/docs/integrations/webhooks/events
import { createHash, createHmac, randomUUID } from 'node:crypto'
import type { RecordChange } from '../../../sandbox/collection.ts'
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { Webhooks } from '../../../sandbox/simulator.ts'
import { data, idsIn, invalid, numbered, objectOf, refuse } from './wire.ts'
import type {
  StoredCustomer,
  StoredHook,
  StoredOrder,
  StoredProduct,
  StoredRefund,
  StoredVariant,
  World,
} from './world.ts'

const retrySeconds = [60, 180, 300, 600, 900, 1800, 3600, 7200, 21_600, 50_400, 86_400]
const families = ['product', 'sku', 'order', 'customer', 'category', 'cart', 'shipment', 'subscriber']

const view = (world: World, clientId: string, { created, modified, ...hook }: StoredHook): Fields => ({
  ...hook,
  client_id: clientId,
  store_hash: world.storeHash,
  headers: {},
  created_at: seconds(created),
  updated_at: seconds(modified),
})
const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

function checked(body: Fields): Partial<StoredHook> {
  const { scope, destination, is_active: isActive } = body
  if (scope !== undefined && !families.includes(/^store\/([a-z]+)\/.+$/.exec(String(scope))?.[1] ?? ''))
    invalid({ scope: `The scope ${String(scope)} is not valid` })
  const url = destination === undefined ? undefined : URL.parse(String(destination))
  // Only port 443 of https; the sandbox also sends to this machine.
  const isLocal = url && ['127.0.0.1', 'localhost'].includes(url.hostname)
  if (destination !== undefined && !isLocal && (url?.protocol !== 'https:' || url.port !== ''))
    invalid({ destination: 'The destination must be an https URL on port 443' })
  if (isActive !== undefined && typeof isActive !== 'boolean') invalid({ is_active: 'is_active must be a boolean' })
  return {
    ...(scope !== undefined && { scope: String(scope) }),
    ...(destination !== undefined && { destination: String(destination) }),
    ...(typeof isActive === 'boolean' && { is_active: isActive }),
  }
}
const found = (world: World, id: string): StoredHook =>
  world.hooks.get(id) ?? refuse(404, 'The requested webhook was not found.')

/** A client sees its own webhooks; here there is only one client. */
export const webhookRoutes = (clientId: string): Routes<World> => ({
  'GET /hooks': ({ request: { query }, context: world }) => {
    const ids = idsIn(query, 'id:in')
    const matching = world.hooks.filter(
      ({ id, scope, destination, is_active }) =>
        (!ids || ids.has(id)) &&
        (!query.has('scope') || scope === query.get('scope')) &&
        (!query.has('destination') || destination === query.get('destination')) &&
        (!query.has('is_active') || String(is_active) === query.get('is_active')),
    )
    const { rows, pagination } = numbered(matching, query)
    return data(
      rows.map((hook) => view(world, clientId, hook)),
      { pagination },
    )
  },
  'POST /hooks': ({ request, context: world }) => {
    const body = objectOf(request)
    for (const name of ['scope', 'destination'])
      if (body[name] === undefined) invalid({ [name]: `${name} is required` })
    const id = world.nextId('hook')
    const hook = { is_active: true, ...checked(body), id, created: world.now(), modified: world.now() } as StoredHook
    return data(view(world, clientId, world.hooks.set(String(id), hook)))
  },
  'GET /hooks/:id': ({ params: { id = '' }, context: world }) => data(view(world, clientId, found(world, id))),
  'PUT /hooks/:id': ({ request, params: { id = '' }, context: world }) => {
    const changed = { ...found(world, id), ...checked(objectOf(request)), modified: world.now() }
    return data(view(world, clientId, world.hooks.set(id, changed)))
  },
  'DELETE /hooks/:id': ({ params: { id = '' }, context: world }) => {
    const hook = found(world, id)
    world.hooks.delete(id)
    return data(view(world, clientId, hook))
  },
})

interface Event {
  scope: string
  data: Fields
}
const differs = (a: unknown, b: unknown): boolean => JSON.stringify(a) !== JSON.stringify(b)
/** Created, changed and deleted parts of a record. */
function* partsOf<T extends { id: number }>(
  before: readonly T[] = [],
  after: readonly T[] = [],
): Generator<{ action: 'created' | 'updated' | 'deleted'; part: T; was?: T }> {
  for (const part of after) {
    const was = before.find(({ id }) => id === part.id)
    if (!was) yield { action: 'created', part }
    else if (differs(was, part)) yield { action: 'updated', part, was }
  }
  for (const part of before) if (!after.some(({ id }) => id === part.id)) yield { action: 'deleted', part }
}

function productEvents(id: number, record: StoredProduct | undefined, before: StoredProduct | undefined): Event[] {
  const product = (action: string, more: Fields = {}): Event => ({
    scope: `store/product/${action}`,
    data: { type: 'product', id, ...more },
  })
  if (!record) return [product('deleted')]
  const events = before ? [] : [product('created')]
  if (before && differs([before.fields, before.images], [record.fields, record.images])) events.push(product('updated'))
  const level = record.fields.inventory_level
  if (before && before.fields.inventory_level !== level)
    events.push(product('inventory/updated', { inventory: { product_id: id, method: 'absolute', value: level } }))
  for (const change of partsOf(before?.variants, record.variants)) events.push(skuEvent(id, change))
  return events
}
function skuEvent(
  productId: number,
  { action, part, was }: { action: string; part: StoredVariant; was?: StoredVariant },
): Event {
  const ids = { product_id: productId, variant_id: part.id }
  if (was && was.inventory_level !== part.inventory_level)
    return {
      scope: 'store/sku/inventory/updated',
      data: { type: 'sku', id: part.id, inventory: { ...ids, method: 'absolute', value: part.inventory_level } },
    }
  return { scope: `store/sku/${action}`, data: { type: 'sku', id: part.id, sku: ids } }
}
function orderEvents(id: number, record: StoredOrder | undefined, before: StoredOrder | undefined): Event[] {
  const order = (action: string, more: Fields = {}): Event => ({
    scope: `store/order/${action}`,
    data: { type: 'order', id, ...more },
  })
  if (!record) return []
  if (!before) return [order('created')]
  if (record.deleted && !before.deleted) return [order('archived')]
  const status = { previous_status_id: before.status_id, new_status_id: record.status_id }
  return [order('updated'), ...(before.status_id === record.status_id ? [] : [order('statusUpdated', { status })])]
}
/** A payment that is declined later sends nothing. */
const refundEvents = (record: StoredRefund | undefined, before: StoredRefund | undefined): Event[] =>
  record && !before
    ? [
        {
          scope: 'store/order/refund/created',
          data: { type: 'order', id: record.order_id, refund: { refund_id: record.id } },
        },
      ]
    : []
/** A change of an address is not an update of the customer. */
function customerEvents(id: number, record: StoredCustomer | undefined, before: StoredCustomer | undefined): Event[] {
  const customer = (action: string): Event => ({ scope: `store/customer/${action}`, data: { type: 'customer', id } })
  if (!record) return [customer('deleted')]
  const events = before ? [] : [customer('created')]
  if (before && differs(before.fields, record.fields)) events.push(customer('updated'))
  for (const { action, part } of partsOf(before?.addresses, record.addresses))
    events.push({
      scope: `store/customer/address/${action}`,
      data: { type: 'customer', id: part.id, address: { customer_id: id } },
    })
  return events
}
function eventsOf({ collection, id, record, before }: RecordChange): Event[] {
  const [number, now, was] = [Number(id), record as never, before as never]
  if (collection === 'products') return productEvents(number, now, was)
  if (collection === 'orders') return orderEvents(number, now, was)
  if (collection === 'refunds') return refundEvents(now, was)
  return collection === 'customers' ? customerEvents(number, now, was) : []
}

export function sendWebhooks(world: World, webhooks: Webhooks, clientSecret: string): void {
  const covers = (hook: StoredHook, scope: string) =>
    hook.scope === scope || (hook.scope.endsWith('/*') && scope.startsWith(hook.scope.slice(0, -1)))
  webhooks.onChange((change) => {
    for (const event of eventsOf(change))
      for (const hook of world.hooks.filter((one) => one.is_active && covers(one, event.scope)))
        deliver(world, webhooks, clientSecret, hook, event)
  })
}
function deliver(world: World, webhooks: Webhooks, clientSecret: string, hook: StoredHook, event: Event): void {
  const id = randomUUID()
  const body = JSON.stringify({
    producer: `stores/${world.storeHash}`,
    hash: createHash('sha1').update(JSON.stringify(event.data)).digest('hex'),
    created_at: seconds(world.now()),
    store_id: '1001234',
    scope: event.scope,
    data: event.data,
  })
  let failures = 0
  webhooks.send({
    url: hook.destination,
    // Signed again for every attempt, with its time.
    get headers() {
      const timestamp = seconds(world.now())
      const signature = createHmac('sha256', clientSecret).update(`${id}.${timestamp}.${body}`).digest('base64')
      return {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      }
    },
    body,
    retrySeconds,
    attempted(status) {
      if (status >= 200 && status < 300) return
      failures += 1
      const current = world.hooks.get(String(hook.id))
      if (current && failures > retrySeconds.length) world.hooks.set(String(hook.id), { ...current, is_active: false })
    },
  })
}
