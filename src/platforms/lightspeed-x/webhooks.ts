// Webhooks of the retailer, one per type: https://x-series-api.lightspeedhq.com/docs/webhooks
import type { Hook, HookCall, HookHint, Hooks, RawHook, ReadCall } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { del, get, path, post, put } from '../../kit/requests.ts'
import { idIn, isSigned, memberOf } from '../../kit/webhooks.ts'
import { api } from './api.ts'

interface NativeWebhook {
  id: string
  url: string
  type: string
  active: boolean
}
const webhooks = `${api}/webhooks`
/** A type covers creates and deletes, too. */
const types: Readonly<Partial<Record<EntityType, readonly string[]>>> = {
  product: ['product.update', 'inventory.update'],
  order: ['sale.update'],
  customer: ['customer.update'],
  payment: ['sale.update'],
  refund: ['sale.update'],
}
const wantedTypes = ({ entities }: Hook): string[] => [...new Set(entities.flatMap((entity) => types[entity] ?? []))]

/** A sale is an order or a refund, and has payments. A return also changes what was refunded of its original. */
function saleHints(record: unknown, order: readonly HookHint[]): HookHint[] {
  const [id, original] = [idIn(memberOf(record, 'id')), idIn(memberOf(record, 'return_for'))]
  const partsIn = (name: string): readonly unknown[] | undefined => {
    const given = memberOf(record, name)
    return Array.isArray(given) ? given : undefined
  }
  const payments = (partsIn('register_sale_payments') ?? []).map((one) => idIn(memberOf(one, 'id')))
  const sold = partsIn('register_sale_products')?.every((one) => Number(memberOf(one, 'quantity')) >= 0) ?? false
  return [
    ...order,
    ...(original === undefined ? [] : [{ entityType: 'order' as const, id: original }]),
    ...(original === undefined && sold ? [] : order.map((hint) => ({ ...hint, entityType: 'refund' as const }))),
    ...(id === undefined || payments.length === 0 || payments.includes(undefined)
      ? [{ entityType: 'payment' as const }]
      : payments.map((one) => ({ entityType: 'payment' as const, id: `${id}:${one}` }))),
  ]
}

/**
 * A form with the record as JSON. Its type is not among the fields that Lightspeed promises, so the record's own
 * members tell it. Every variant is a product of its own.
 */
function read({ body }: RawHook): readonly HookHint[] {
  const payload = new URLSearchParams(new TextDecoder().decode(body)).get('payload')
  if (payload === null) throw new Error('The form has no payload')
  const record: unknown = JSON.parse(payload)
  const has = (name: string) => memberOf(record, name) !== undefined
  const hint = (entityType: EntityType, name = 'id'): HookHint[] => {
    const id = idIn(memberOf(record, name))
    const gone = name === 'id' && Boolean(memberOf(record, 'deleted_at'))
    return id === undefined ? [{ entityType }] : [{ entityType, id, ...(gone && { gone }) }]
  }
  if (has('register_id') && (has('sale_date') || has('register_sale_products'))) return saleHints(record, hint('order'))
  if (has('product_id') && has('outlet_id')) return hint('product', 'product_id')
  if (has('customer_code')) return hint('customer')
  return has('sku') || has('handle') ? hint('product') : []
}

/** signature=<hex>,algorithm=HMAC-SHA256 */
function verify({ headers, body }: RawHook, secret: string): boolean {
  const [, signature, algorithm] = /^signature=([0-9a-f]+), ?algorithm=(.+)$/i.exec(headers['x-signature'] ?? '') ?? []
  return algorithm === 'HMAC-SHA256' && isSigned(body, secret, signature?.toLowerCase(), { encoding: 'hex' })
}

const webhooksTo = async (call: ReadCall, url: string): Promise<NativeWebhook[]> =>
  list<NativeWebhook>((await call.read(get(webhooks))).body.data).filter((one) => one.url === url)

async function register(call: HookCall, hook: Hook): Promise<unknown> {
  const present = await webhooksTo(call, hook.url)
  for (const type of wantedTypes(hook)) {
    const body = { url: hook.url, active: true, type }
    const found = present.find((one) => one.type === type)
    if (!found) await call.send(post(webhooks, body)).catch(unlessTaken)
    else if (!found.active) await call.send(put(`${webhooks}${path`/${found.id}`}`, body))
  }
  return { url: hook.url }
}
/** Another instance was faster. */
function unlessTaken(error: unknown): void {
  if (!(error instanceof NativeFailure) || error.error.kind !== 'duplicate') throw error
}

export const hooks: Hooks = {
  scope: 'account',
  secret: { from: 'client' },
  verify,
  read,
  reports: {
    product: ['created', 'updated', 'deleted'],
    order: ['created', 'updated'],
    customer: ['created', 'updated', 'deleted'],
    payment: ['created', 'updated'],
    refund: ['created', 'updated'],
  },
  register,
  async registered(call, hook) {
    const active = (await webhooksTo(call, hook.url)).filter((one) => one.active)
    return wantedTypes(hook).every((type) => active.some((one) => one.type === type))
  },
  async unregister(call, registration) {
    for (const { id } of await webhooksTo(call, (registration as { url: string }).url))
      await ifFound(call.send(del(`${webhooks}${path`/${id}`}`)))
  },
}
