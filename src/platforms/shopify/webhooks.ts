// Webhooks of the shop, registered by topic: https://shopify.dev/docs/apps/build/webhooks
import type { Hook, HookCall, Hooks, RawHook, ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound } from '../../kit/errors.ts'
import { topicTable } from '../../kit/topics.ts'
import { idIn, isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'
import { ask, operation } from './api.ts'
import { groupOf as orderGroupOf } from './payment.ts'
import { groupOf } from './product-row.ts'

interface Subscription {
  id: string
  topic: string
}
const product = {
  of: 'product',
  id(record: unknown) {
    const number = idIn(memberOf(record, 'id'))
    return number === undefined ? undefined : groupOf(number)
  },
} as const
/** Payments and refunds are parts of their order. */
const ofOrder = (kind: 'created' | 'updated' | 'deleted') => {
  const parts = (['payment', 'refund'] as const).map((entity) => ({
    of: entity,
    kinds: kind === 'updated' ? (['created', 'updated'] as const) : [kind],
    id(record: unknown) {
      const number = idIn(memberOf(record, 'id'))
      return number === undefined ? undefined : orderGroupOf(number)
    },
  }))
  return [{ of: 'order', kinds: [kind], id: '/id' } as const, ...parts]
}
const topics = topicTable({
  PRODUCTS_CREATE: { ...product, kinds: ['created'] },
  PRODUCTS_UPDATE: { ...product, kinds: ['updated'] },
  PRODUCTS_DELETE: { ...product, kinds: ['deleted'] },
  ORDERS_CREATE: ofOrder('created'),
  ORDERS_UPDATED: ofOrder('updated'), // payments, fulfillments, edits and cancellations too
  ORDERS_DELETE: ofOrder('deleted'),
  CUSTOMERS_CREATE: { of: 'customer', kinds: ['created'], id: '/id' },
  CUSTOMERS_UPDATE: { of: 'customer', kinds: ['updated'], id: '/id' },
  CUSTOMERS_DELETE: { of: 'customer', kinds: ['deleted'], id: '/id' },
})
/** A header has "orders/updated" for ORDERS_UPDATED. */
const topicOf = ({ headers }: RawHook): string => (headers['x-shopify-topic'] ?? '').toUpperCase().replace('/', '_')

/** A URL has at most one subscription per topic, so one page has them all. */
const subscriptionsOf = async (call: ReadCall, url: string): Promise<Subscription[]> =>
  (await ask(call, 'webhookSubscriptions', { url })).webhookSubscriptions.nodes

async function register(call: HookCall, hook: Hook): Promise<unknown> {
  const present = (await subscriptionsOf(call, hook.url)).map(({ topic }) => topic)
  // Several entities are in one topic.
  for (const topic of new Set(topics.for(hook.entities)).values().filter((wanted) => !present.includes(wanted)))
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
  read: (request) => topics.hints(topicOf(request), () => jsonOf(request)),
  reports: topics.reports,
  register,
  // After eight failures in a row Shopify deletes the subscription.
  async registered(call, hook) {
    const present = (await subscriptionsOf(call, hook.url)).map(({ topic }) => topic)
    return topics.for(hook.entities).every((topic) => present.includes(topic))
  },
  async unregister(call, registration) {
    for (const { id } of await subscriptionsOf(call, (registration as { url: string }).url))
      await ifFound(call.send(operation('webhookDelete', { id })))
  },
}
