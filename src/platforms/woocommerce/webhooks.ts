// Webhooks of the shop, one per topic: https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks
import type { Hook, HookCall, Hooks, ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { del, post, put } from '../../kit/requests.ts'
import { topicTable } from '../../kit/topics.ts'
import { idIn, isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'
import { api, perPage, readPage } from './api.ts'

interface NativeWebhook {
  id: number
  status: string
  topic: string
  delivery_url: string
}
const webhooks = `${api}/webhooks`
const signature = 'x-wc-webhook-signature'
/** A variation is sent as a product with a parent. */
const product = {
  of: 'product',
  id: (record: unknown) => idIn(memberOf(record, 'parent_id')) || idIn(memberOf(record, 'id')),
} as const
/**
 * An order is sent with its payment and its refunds. That a refund is deleted is not reported, and an order in the trash
 * is sent without its refunds.
 */
const payment = { of: 'payment', id: '/id' } as const
const refund = { of: 'refund', kinds: ['created'], each: '/refunds', id: '/id' } as const
/** "deleted" means moved to the trash: the shop does not report that a record is deleted for good. */
const topics = topicTable({
  'product.created': { ...product, kinds: ['created'] },
  'product.updated': { ...product, kinds: ['updated'] },
  'product.deleted': { ...product, kinds: ['deleted'] },
  'product.restored': { ...product, kinds: ['updated'] },
  'order.created': [
    { of: 'order', kinds: ['created'], id: '/id' },
    { ...payment, kinds: ['created'] },
  ],
  'order.updated': [
    { of: 'order', kinds: ['updated'], id: '/id' },
    { ...payment, kinds: ['created', 'updated'] },
    refund,
  ],
  'order.deleted': [
    { of: 'order', kinds: ['deleted'], id: '/id' },
    { ...payment, kinds: ['deleted'] },
  ],
  'order.restored': [
    { of: 'order', kinds: ['updated'], id: '/id' },
    { ...payment, kinds: ['created', 'updated'] },
    refund,
  ],
  'customer.created': { of: 'customer', kinds: ['created'], id: '/id' },
  'customer.updated': { of: 'customer', kinds: ['updated'], id: '/id' },
  'customer.deleted': { of: 'customer', kinds: ['deleted'], id: '/id' },
})

/** The list has no filter by URL. */
async function webhooksTo(call: ReadCall, url: string): Promise<NativeWebhook[]> {
  const found: NativeWebhook[] = []
  for (let page = 1; ; page++) {
    const { rows, more } = await readPage<NativeWebhook>(call, webhooks, {
      orderby: 'id',
      order: 'asc',
      per_page: perPage,
      page,
    })
    found.push(...rows.filter((row) => row.delivery_url === url))
    if (!more) return found
  }
}
const remove = (call: HookCall, id: number) => ifFound(call.send(del(`${webhooks}/${id}`, { force: true })))

/** The shop accepts several webhooks for the same topic and URL: all but the first are removed. */
async function register(call: HookCall, hook: Hook): Promise<unknown> {
  const present = await webhooksTo(call, hook.url)
  const settings = { status: 'active', secret: hook.secret }
  for (const topic of new Set(topics.for(hook.entities))) {
    const [first, ...others] = present.filter((one) => one.topic === topic)
    if (first) await call.send(put(`${webhooks}/${first.id}`, settings))
    else
      await call.send(post(webhooks, { name: `Unified Records ${topic}`, topic, delivery_url: hook.url, ...settings }))
    for (const { id } of others) await remove(call, id)
  }
  return { url: hook.url }
}

export const hooks: Hooks = {
  scope: 'account',
  secret: { from: 'own' },
  verify: ({ headers, body }, secret) => isSigned(body, secret, headers[signature], { encoding: 'base64' }),
  read: (request) => topics.hints(request.headers['x-wc-webhook-topic'], () => jsonOf(request)),
  // A new webhook begins with a ping: a form without a signature.
  challenge: ({ headers, body }) =>
    headers[signature] === undefined && body.length < 100 && /^webhook_id=\d+$/.test(new TextDecoder().decode(body))
      ? { response: { status: 200 } }
      : undefined,
  reports: topics.reports,
  register,
  // After more than five failures in a row the shop disables the webhook.
  async registered(call, hook) {
    const active = (await webhooksTo(call, hook.url)).filter(({ status }) => status === 'active')
    return topics.for(hook.entities).every((topic) => active.some((one) => one.topic === topic))
  },
  async unregister(call, registration) {
    for (const { id } of await webhooksTo(call, (registration as { url: string }).url)) await remove(call, id)
  },
}
