// Webhooks of the merchant, one per type: https://developer.loyverse.com/docs/#tag/Webhooks
import type { Hook, HookCall, HookHint, Hooks, RawHook, ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { del, get, path, post } from '../../kit/requests.ts'
import { topicTable } from '../../kit/topics.ts'
import { isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'

interface NativeWebhook {
  id: string
  url: string
  type: string
  status: string
}
/** In the reference, this path ends with a slash. */
const webhooks = '/v1.0/webhooks/'
/** A type covers creates and deletes, too. */
const all = ['created', 'updated', 'deleted'] as const
const topics = topicTable({
  'items.update': { of: 'product', kinds: all, each: '/items', id: '/id', goneSince: '/deleted_at' },
  // A variant is found by its own id, too; its item is not named.
  'inventory_levels.update': {
    of: 'product',
    kinds: ['updated'],
    each: '/inventory_levels',
    id: '/variant_id',
    goneSince: '/deleted_at',
  },
  // A refund is not an order: it concerns the receipt that it refunds.
  'receipts.update': [
    {
      of: 'order',
      kinds: ['created', 'updated'],
      each: '/receipts',
      id: (receipt) => memberOf(receipt, 'refund_for') ?? memberOf(receipt, 'receipt_number'),
      goneSince: '/deleted_at',
    },
    // All payments of the sale.
    { of: 'payment', kinds: ['created', 'updated'], each: '/sales', id: '/receipt_number' },
    { of: 'refund', kinds: ['created', 'updated'], each: '/refunds', id: '/receipt_number' },
  ],
  'customers.update': { of: 'customer', kinds: all, each: '/customers', id: '/id', goneSince: '/deleted_at' },
})
function byKind(receipts: unknown): object {
  if (!Array.isArray(receipts)) return {}
  const isRefund = (receipt: unknown) =>
    memberOf(receipt, 'receipt_type') === 'REFUND' || Boolean(memberOf(receipt, 'refund_for'))
  return { sales: receipts.filter((one) => !isRefund(one)), refunds: receipts.filter(isRefund) }
}
function read(request: RawHook): readonly HookHint[] {
  const body = jsonOf(request)
  return topics.hints(memberOf(body, 'type'), () => ({ ...(body as object), ...byKind(memberOf(body, 'receipts')) }))
}

/** The reference says Base64; webhooks that merchants have received are hexadecimal. */
function verify({ headers, body }: RawHook, secret: string): boolean {
  const signature = headers['x-loyverse-signature']
  return (
    isSigned(body, secret, signature?.toLowerCase(), { hash: 'sha1', encoding: 'hex' }) ||
    isSigned(body, secret, signature, { hash: 'sha1', encoding: 'base64' })
  )
}

const webhooksTo = async (call: ReadCall, url: string): Promise<NativeWebhook[]> =>
  list<NativeWebhook>((await call.read(get(webhooks))).body.webhooks).filter((one) => one.url === url)
const typesFor = ({ entities }: Hook): string[] => [...new Set(topics.for(entities))]
const remove = (call: HookCall, id: string) => ifFound(call.send(del(path`/v1.0/webhooks/${id}`)))

/** With an `id` the same call is an update. */
async function register(call: HookCall, hook: Hook): Promise<unknown> {
  const present = await webhooksTo(call, hook.url)
  for (const type of typesFor(hook)) {
    const [first, ...others] = present.filter((one) => one.type === type)
    if (first?.status !== 'ENABLED')
      await call.send(post(webhooks, { ...(first && { id: first.id }), url: hook.url, type, status: 'ENABLED' }))
    for (const { id } of others) await remove(call, id)
  }
  return { url: hook.url }
}

export const hooks: Hooks = {
  scope: 'account',
  // Webhooks that are registered with a personal access token are not signed.
  secret: { from: 'client', unsignedWithout: true },
  verify,
  read,
  reports: topics.reports,
  register,
  // Loyverse disables a webhook whose retries have failed for two days.
  async registered(call, hook) {
    const enabled = (await webhooksTo(call, hook.url)).filter(({ status }) => status === 'ENABLED')
    return typesFor(hook).every((type) => enabled.some((one) => one.type === type))
  },
  async unregister(call, registration) {
    for (const { id } of await webhooksTo(call, (registration as { url: string }).url)) await remove(call, id)
  },
}
