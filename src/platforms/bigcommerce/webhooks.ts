// Webhooks of the store: https://developer.bigcommerce.com/docs/integrations/webhooks
import type { Hook, HookCall, HookHint, Hooks, RawHook, ReadCall } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import { ifFound } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { del, get, path, post, put } from '../../kit/requests.ts'
import { idIn, isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'
import { v3 } from './account.ts'

interface NativeHook {
  id: number
  scope: string
  destination: string
  is_active: boolean
}
/** A wildcard covers stock, statuses, refunds and addresses, too. Payments are told by their order. */
const scopes: Readonly<Partial<Record<EntityType, readonly string[]>>> = {
  product: ['store/product/*', 'store/sku/*'],
  order: ['store/order/*'],
  customer: ['store/customer/*'],
  payment: ['store/order/*'],
  refund: ['store/order/*'],
}
const wantedScopes = ({ entities }: Hook): string[] => [...new Set(entities.flatMap((entity) => scopes[entity] ?? []))]

/** Events that change nothing in a unified record. */
const irrelevant = /\/(metafield|message|payment)\//
const gone = new Set(['store/product/deleted', 'store/customer/deleted', 'store/order/archived'])
const entitiesOf: Readonly<Record<string, readonly EntityType[]>> = {
  product: ['product'],
  sku: ['product'],
  order: ['order', 'payment'],
  customer: ['customer'],
}

function read(request: RawHook): readonly HookHint[] {
  const payload = jsonOf(request)
  const scope = memberOf(payload, 'scope')
  if (typeof scope !== 'string' || irrelevant.test(scope)) return []
  const data = memberOf(payload, 'data')
  const id = recordIn(scope, data)
  const family = /^store\/([a-z]+)\//.exec(scope)?.[1] ?? ''
  const hints = (entitiesOf[family] ?? []).map(
    (entityType): HookHint => ({ entityType, ...(id !== undefined && { id, ...(gone.has(scope) && { gone: true }) }) }),
  )
  if (!scope.startsWith('store/order/refund/')) return hints
  const refund = idIn(memberOf(memberOf(data, 'refund'), 'refund_id'))
  return [...hints, { entityType: 'refund', ...(refund !== undefined && { id: refund }) }]
}
/** The id of the product, order or customer; that of a part is beside it. */
function recordIn(scope: string, data: unknown): string | undefined {
  const owner = (part: string, name: string) => idIn(memberOf(memberOf(data, part), name))
  if (scope.startsWith('store/sku/')) return owner('sku', 'product_id') ?? owner('inventory', 'product_id')
  if (scope.startsWith('store/customer/address/')) return owner('address', 'customer_id')
  return scope.startsWith('store/order/transaction/') ? idIn(memberOf(data, 'order_id')) : idIn(memberOf(data, 'id'))
}

/** Standard Webhooks, with the client secret as the key. */
const toleranceMs = 5 * 60_000
function verify({ headers, body }: RawHook, secret: string, now: number): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp ?? '')) return false
  if (Math.abs(now - Number(timestamp) * 1000) > toleranceMs) return false
  const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body])
  return signatures
    .split(' ', 10)
    .some((one) => one.startsWith('v1,') && isSigned(content, secret, one.slice(3), { encoding: 'base64' }))
}

const hooksTo = async (call: ReadCall, url: string): Promise<NativeHook[]> =>
  list<NativeHook>((await call.read(get(v3(call, '/hooks'), { destination: url, limit: 250 }))).body.data).filter(
    ({ destination }) => destination === url,
  )
const remove = (call: HookCall, id: number) => ifFound(call.send(del(v3(call, path`/hooks/${id}`))))

async function register(call: HookCall, hook: Hook): Promise<unknown> {
  const present = await hooksTo(call, hook.url)
  for (const scope of wantedScopes(hook)) {
    const [first, ...others] = present.filter((one) => one.scope === scope)
    if (!first) await call.send(post(v3(call, '/hooks'), { scope, destination: hook.url, is_active: true }))
    else if (!first.is_active) await call.send(put(v3(call, path`/hooks/${first.id}`), { is_active: true }))
    for (const { id } of others) await remove(call, id)
  }
  return { url: hook.url }
}

export const hooks: Hooks = {
  scope: 'account',
  secret: { from: 'client' },
  verify,
  read,
  reports: {
    product: ['created', 'updated', 'deleted'],
    order: ['created', 'updated', 'deleted'],
    customer: ['created', 'updated', 'deleted'],
    payment: ['created', 'updated', 'deleted'],
    refund: ['created'],
  },
  register,
  // Deactivated if all retries of a webhook failed, and after 90 days without an event.
  async registered(call, hook) {
    const active = (await hooksTo(call, hook.url)).filter(({ is_active }) => is_active)
    return wantedScopes(hook).every((scope) => active.some((one) => one.scope === scope))
  },
  async unregister(call, registration) {
    for (const { id } of await hooksTo(call, (registration as { url: string }).url)) await remove(call, id)
  },
}
