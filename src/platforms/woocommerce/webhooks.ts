// Webhooks of the shop, one per topic: https://woocommerce.github.io/woocommerce-rest-api-docs/#webhooks
import type { Hook, HookCall, HookHint, Hooks, RawHook, ReadCall } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import { ifFound } from '../../kit/errors.ts'
import { del, post, put } from '../../kit/requests.ts'
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
/** "deleted" means moved to the trash: the shop does not report that a record is deleted for good. */
const topics: Readonly<Partial<Record<EntityType, readonly string[]>>> = {
  product: ['product.created', 'product.updated', 'product.deleted', 'product.restored'],
  order: ['order.created', 'order.updated', 'order.deleted', 'order.restored'],
  customer: ['customer.created', 'customer.updated', 'customer.deleted'],
}
const wantedTopics = ({ entities }: Hook): string[] => entities.flatMap((entity) => topics[entity] ?? [])
const entityOf = (topic: string): EntityType | undefined =>
  (Object.keys(topics) as EntityType[]).find((entity) => topics[entity]?.includes(topic))

function read(request: RawHook): readonly HookHint[] {
  const topic = request.headers['x-wc-webhook-topic'] ?? ''
  const entityType = entityOf(topic)
  if (!entityType) return []
  const record = jsonOf(request)
  // A variation is sent as a product with a parent.
  const id = (entityType === 'product' && idIn(memberOf(record, 'parent_id'))) || idIn(memberOf(record, 'id'))
  if (id === undefined) return [{ entityType }]
  return [{ entityType, id, ...(topic.endsWith('.deleted') && { gone: true as const }) }]
}

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
  for (const topic of wantedTopics(hook)) {
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
  read,
  // A new webhook begins with a ping: a form without a signature.
  challenge: ({ headers, body }) =>
    headers[signature] === undefined && body.length < 100 && /^webhook_id=\d+$/.test(new TextDecoder().decode(body))
      ? { response: { status: 200 } }
      : undefined,
  reports: {
    product: ['created', 'updated', 'deleted'],
    order: ['created', 'updated', 'deleted'],
    customer: ['created', 'updated', 'deleted'],
  },
  register,
  // After more than five failures in a row the shop disables the webhook.
  async registered(call, hook) {
    const active = (await webhooksTo(call, hook.url)).filter(({ status }) => status === 'active')
    return wantedTopics(hook).every((topic) => active.some((one) => one.topic === topic))
  },
  async unregister(call, registration) {
    for (const { id } of await webhooksTo(call, (registration as { url: string }).url)) await remove(call, id)
  },
}
