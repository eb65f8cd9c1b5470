// Webhooks of the shop, registered by topic: https://shopify.dev/docs/apps/build/webhooks
import type { Hook, HookCall, HookHint, Hooks, RawHook, ReadCall } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound } from '../../kit/errors.ts'
import { idIn, isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'
import { ask, operation } from './api.ts'
import { groupOf } from './product-row.ts'

interface Subscription {
  id: string
  topic: string
}
/** ORDERS_UPDATED includes payments, fulfillments, edits and cancellations. */
const topics: Readonly<Partial<Record<EntityType, readonly string[]>>> = {
  product: ['PRODUCTS_CREATE', 'PRODUCTS_UPDATE', 'PRODUCTS_DELETE'],
  order: ['ORDERS_CREATE', 'ORDERS_UPDATED', 'ORDERS_DELETE'],
  customer: ['CUSTOMERS_CREATE', 'CUSTOMERS_UPDATE', 'CUSTOMERS_DELETE'],
}
const wantedTopics = ({ entities }: Hook): string[] => entities.flatMap((entity) => topics[entity] ?? [])
/** A header has "orders/updated" for ORDERS_UPDATED. */
const entityOf = (topic: string): EntityType | undefined => {
  const name = topic.toUpperCase().replace('/', '_')
  return (Object.keys(topics) as EntityType[]).find((entity) => topics[entity]?.includes(name))
}

function read(request: RawHook): readonly HookHint[] {
  const topic = request.headers['x-shopify-topic'] ?? ''
  const entityType = entityOf(topic)
  if (!entityType) return []
  const number = idIn(memberOf(jsonOf(request), 'id'))
  if (number === undefined) return [{ entityType }]
  const id = entityType === 'product' ? groupOf(number) : number
  return [{ entityType, id, ...(topic.endsWith('/delete') && { gone: true as const }) }]
}

/** A URL has at most one subscription per topic, so one page has them all. */
const subscriptionsOf = async (call: ReadCall, url: string): Promise<Subscription[]> =>
  (await ask(call, 'webhookSubscriptions', { url })).webhookSubscriptions.nodes

async function register(call: HookCall, hook: Hook): Promise<unknown> {
  const present = (await subscriptionsOf(call, hook.url)).map(({ topic }) => topic)
  for (const topic of wantedTopics(hook).filter((wanted) => !present.includes(wanted)))
    await call.send(operation('webhookCreate', { topic, url: hook.url })).catch(unlessTaken)
  return { url: hook.url }
}
/** Another instance was faster. */
function unlessTaken(error: unknown): void {
  if (!(error instanceof NativeFailure) || error.error.kind !== 'duplicate') throw error
}

export const hooks: Hooks = {
  scope: 'account',
  secret: { from: 'client' },
  verify: ({ headers, body }, secret) =>
    isSigned(body, secret, headers['x-shopify-hmac-sha256'], { encoding: 'base64' }),
  read,
  reports: {
    product: ['created', 'updated', 'deleted'],
    order: ['created', 'updated', 'deleted'],
    customer: ['created', 'updated', 'deleted'],
  },
  register,
  // After eight failures in a row Shopify deletes the subscription.
  async registered(call, hook) {
    const present = (await subscriptionsOf(call, hook.url)).map(({ topic }) => topic)
    return wantedTopics(hook).every((topic) => present.includes(topic))
  },
  async unregister(call, registration) {
    for (const { id } of await subscriptionsOf(call, (registration as { url: string }).url))
      await ifFound(call.send(operation('webhookDelete', { id })))
  },
}
