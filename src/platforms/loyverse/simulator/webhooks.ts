// /webhooks, and what is sent for them. https://developer.loyverse.com/docs/#tag/Webhooks
import { createHmac } from 'node:crypto'
import type { RecordChange } from '../../../sandbox/collection.ts'
import type { Handler } from '../../../sandbox/router.ts'
import type { Webhooks } from '../../../sandbox/simulator.ts'
import { acceptObject, bodyOf, identified, invalid, ok, required, text, unknown } from './wire.ts'
import {
  type Customer,
  type Item,
  itemView,
  type Level,
  type Receipt,
  type Variant,
  type Webhook,
  type World,
} from './world.ts'

const types = ['inventory_levels.update', 'items.update', 'customers.update', 'receipts.update', 'shifts.create']
/** For two days; the waits are not documented. */
const retrySeconds = Array.from({ length: 12 }, (_, n) => 42 * 2 ** n)

const view = (world: World, { signed: _, ...webhook }: Webhook): object => ({
  ...webhook,
  merchant_id: world.merchant.id,
})
function checkUrl(url: string): void {
  const parsed = URL.parse(url)
  const isLocal = parsed && ['127.0.0.1', 'localhost'].includes(parsed.hostname)
  if (parsed?.protocol !== 'https:' && !isLocal) invalid('url', 'The value is not an https URL')
}
const found = (world: World, id = '', field = 'webhook_id'): Webhook =>
  world.webhooks.get(identified(id, field)) ?? unknown(field)

/** `signed`: with the token of an application, whose secret signs. A personal access token has none. */
export const webhookRoutes = (signed: boolean): Readonly<Record<string, Handler<World>>> => ({
  'GET /v1.0/webhooks/': ({ context: world }) =>
    ok({ webhooks: world.webhooks.values().map((webhook) => view(world, webhook)) }),
  'GET /v1.0/webhooks/:id': ({ params, context: world }) => ok(view(world, found(world, params.id))),
  'POST /v1.0/webhooks/': ({ request, context: world }) => {
    const schema = {
      id: 'uuid',
      url: text(1, 2048),
      type: { enum: types },
      status: { enum: ['ENABLED', 'DISABLED'] },
    } as const
    const body = acceptObject(schema, bodyOf(request))
    required(body, 'url', 'type')
    checkUrl(body.url as string)
    const current = body.id === null ? undefined : found(world, body.id as string, 'id')
    const stamp = world.stamp(current?.updated_at)
    const webhook: Webhook = {
      id: current?.id ?? world.uuid(),
      url: body.url as string,
      type: body.type as string,
      status: (body.status ?? 'ENABLED') as string,
      signed: current?.signed ?? signed,
      created_at: current?.created_at ?? stamp,
      updated_at: stamp,
    }
    return ok(view(world, world.webhooks.set(webhook.id, webhook)))
  },
  'DELETE /v1.0/webhooks/:id': ({ params, context: world }) => {
    const { id } = found(world, params.id)
    world.webhooks.delete(id)
    return ok({ deleted_object_ids: [id] })
  },
})

interface Part {
  type: string
  name: string
  key: string
  record: object
}
/** A changed variant is a change of its item. */
function partOf(world: World, { collection, id, record, before }: RecordChange): Part | undefined {
  const item = (itemId: string): Part | undefined => {
    const current = world.items.get(itemId)
    return current && { type: 'items.update', name: 'items', key: itemId, record: itemView(world, current) }
  }
  if (collection === 'items') return item((record as Item | undefined)?.id ?? id)
  if (collection === 'variants') return item(((record ?? before) as Variant).item_id)
  if (collection === 'levels' && record !== undefined)
    return { type: 'inventory_levels.update', name: 'inventory_levels', key: id, record: record as Level }
  if (collection === 'receipts' && record !== undefined)
    return { type: 'receipts.update', name: 'receipts', key: id, record: record as Receipt }
  if (collection !== 'customers') return undefined
  const customer = (record ?? { ...(before as Customer), deleted_at: world.stamp() }) as Customer
  return { type: 'customers.update', name: 'customers', key: id, record: customer }
}

/** Changes of the same time are in one webhook. */
export function sendWebhooks(world: World, webhooks: Webhooks, clientSecret: string): void {
  let waiting = new Map<string, Part>()
  webhooks.onChange((change) => {
    const part = partOf(world, change)
    if (!part) return
    if (waiting.size === 0) queueMicrotask(flush)
    waiting.set(`${part.type} ${part.key}`, part)
  })
  function flush(): void {
    const parts = [...waiting.values()]
    waiting = new Map()
    for (const [type, changed] of Map.groupBy(parts, (part) => part.type))
      for (const webhook of world.webhooks.filter((one) => one.type === type && one.status === 'ENABLED'))
        deliver(world, webhooks, clientSecret, webhook, changed)
  }
}
function deliver(
  world: World,
  webhooks: Webhooks,
  clientSecret: string,
  { id, url, type, signed }: Webhook,
  parts: readonly Part[],
): void {
  const body = JSON.stringify({
    merchant_id: world.merchant.id,
    type,
    created_at: new Date(world.now()).toISOString(),
    [parts[0]!.name]: parts.map(({ record }) => record),
  })
  let failures = 0
  webhooks.send({
    url,
    headers: {
      'content-type': 'application/json',
      ...(signed && { 'X-Loyverse-Signature': createHmac('sha1', clientSecret).update(body).digest('hex') }),
    },
    body,
    retrySeconds,
    attempted(status) {
      if (status >= 200 && status < 300) return
      failures += 1
      const current = world.webhooks.get(id)
      if (current && failures > retrySeconds.length) world.webhooks.set(id, { ...current, status: 'DISABLED' })
    },
  })
}
