// Webhooks of the merchant, one per type: https://developer.loyverse.com/docs/#tag/Webhooks
import type { Hook, HookCall, HookHint, Hooks, RawHook, ReadCall } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import { ifFound } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { del, get, path, post } from '../../kit/requests.ts'
import { distinctHints, idIn, isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'

interface NativeWebhook {
  id: string
  url: string
  type: string
  status: string
}
/** In the reference, this path ends with a slash. */
const webhooks = '/v1.0/webhooks/'
/** A type covers creates and deletes, too. */
const types: Readonly<Partial<Record<EntityType, readonly string[]>>> = {
  product: ['items.update', 'inventory_levels.update'],
  order: ['receipts.update'],
  customer: ['customers.update'],
}
const wantedTypes = ({ entities }: Hook): string[] => entities.flatMap((entity) => types[entity] ?? [])

/** Where the records of a type are, and which of their members is the id that a read takes. */
const contents: Readonly<Record<string, { entityType: EntityType; name: string; id(record: unknown): unknown }>> = {
  'items.update': { entityType: 'product', name: 'items', id: (item) => memberOf(item, 'id') },
  // A variant is found by its own id, too; its item is not named.
  'inventory_levels.update': {
    entityType: 'product',
    name: 'inventory_levels',
    id: (level) => memberOf(level, 'variant_id'),
  },
  // A refund is not an order: it concerns the receipt that it refunds.
  'receipts.update': {
    entityType: 'order',
    name: 'receipts',
    id: (receipt) => memberOf(receipt, 'refund_for') ?? memberOf(receipt, 'receipt_number'),
  },
  'customers.update': { entityType: 'customer', name: 'customers', id: (customer) => memberOf(customer, 'id') },
}
function read(request: RawHook): readonly HookHint[] {
  const body = jsonOf(request)
  const type = memberOf(body, 'type')
  if (typeof type !== 'string' || !Object.hasOwn(contents, type)) return []
  const { entityType, name, id } = contents[type]!
  const records = memberOf(body, name)
  if (!Array.isArray(records)) return [{ entityType }]
  return distinctHints(
    records.map((record): HookHint => {
      const found = idIn(id(record))
      const gone = found !== undefined && typeof memberOf(record, 'deleted_at') === 'string'
      return { entityType, ...(found !== undefined && { id: found }), ...(gone && { gone }) }
    }),
  )
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
const remove = (call: HookCall, id: string) => ifFound(call.send(del(path`/v1.0/webhooks/${id}`)))

/** With an `id` the same call is an update. */
async function register(call: HookCall, hook: Hook): Promise<unknown> {
  const present = await webhooksTo(call, hook.url)
  for (const type of wantedTypes(hook)) {
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
  reports: {
    product: ['created', 'updated', 'deleted'],
    order: ['created', 'updated'],
    customer: ['created', 'updated', 'deleted'],
  },
  register,
  // Loyverse disables a webhook whose retries have failed for two days.
  async registered(call, hook) {
    const enabled = (await webhooksTo(call, hook.url)).filter(({ status }) => status === 'ENABLED')
    return wantedTypes(hook).every((type) => enabled.some((one) => one.type === type))
  },
  async unregister(call, registration) {
    for (const { id } of await webhooksTo(call, (registration as { url: string }).url)) await remove(call, id)
  },
}
