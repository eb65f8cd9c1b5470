// Orders: created and updated by clients with a version, priced by Square, never deleted.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { buildLine, chargeTyped, checkParts, fulfillmentTyped, noted, taxTyped, typed } from './order-parts.ts'
import { withTotals } from './order-totals.ts'
import { accept, bodyOf, invalid, notFound, ok, refuse, textOf, withoutNulls } from './wire.ts'
import { iso, locationOf, newId, type Order, once, type Stamped, type World } from './world.ts'

export type StoredOrder = Stamped & Order

function given(body: Fields): Fields {
  if (!isObject(body.order)) return invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', 'order')
  const order = accept('Order', body.order, 'order')
  for (const [name, detail] of Object.entries((order.metadata as Record<string, string> | null) ?? {})) {
    if (!/^[A-Za-z0-9_-]{1,60}$/.test(name))
      invalid('INVALID_VALUE', 'A metadata key is 1 to 60 of A-Z a-z 0-9 _ -', 'order.metadata')
    if (detail.length > 255)
      invalid('VALUE_TOO_LONG', 'Field must not be greater than 255 in length', `order.metadata.${name}`)
  }
  if (Object.keys(order.metadata ?? {}).length > 10)
    invalid('TOO_MANY_MAP_ENTRIES', 'At most 10 metadata entries.', 'order.metadata')
  return order
}

function createOrder(world: World, body: Fields): WireResponse {
  const order = withoutNulls(given(body))
  if (!order.location_id) invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', 'order.location_id')
  locationOf(world, order.location_id, 'order.location_id')
  if (order.state !== undefined && order.state !== 'OPEN' && order.state !== 'DRAFT')
    invalid('INVALID_VALUE', 'A new order is OPEN or DRAFT.', 'order.state')
  const created = iso(world.tick())
  const built = {
    ...order,
    source: order.source ?? { name: 'Unified sandbox application' },
    line_items: noted(order.line_items as Fields[] | undefined)?.map((line, index) =>
      buildLine(world, line, `order.line_items[${index}]`),
    ),
    discounts: noted(order.discounts as Fields[] | undefined)?.map(typed),
    taxes: noted(order.taxes as Fields[] | undefined)?.map(taxTyped),
    service_charges: noted(order.service_charges as Fields[] | undefined)?.map(chargeTyped),
    fulfillments: noted(order.fulfillments as Fields[] | undefined)?.map(fulfillmentTyped),
  }
  checkParts(world, withoutNulls(built))
  const stored = {
    ...withoutNulls(built),
    id: newId('order'),
    state: order.state ?? 'OPEN',
    version: 1,
    created_at: created,
    updated_at: created,
  } as unknown as StoredOrder
  return ok({ order: world.orders.set(stored.id, withTotals(stored, world)) })
}

function updateOrder(world: World, id: string, body: Fields): WireResponse {
  const current = world.orders.get(id) ?? notFound(`Order not found for id ${id}.`)
  const key = textOf(body, 'idempotency_key', { max: 192 })
  const keyId = `orders/${id} ${key}`
  // A known key returns the order unchanged, regardless of the rest of the body.
  if (key !== undefined && world.keys.has(keyId)) return ok({ order: current })
  const change = given(body)
  if (current.version === undefined)
    invalid('BAD_REQUEST', 'Orders that were not created through the API cannot be updated.', 'order')
  if (current.state === 'COMPLETED' || current.state === 'CANCELED')
    invalid('BAD_REQUEST', `Order in state ${current.state} cannot be updated.`, 'order.state')
  if (change.version === undefined)
    invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', 'order.version')
  if (change.version !== current.version)
    refuse(
      409,
      'VERSION_MISMATCH',
      `Expected version ${current.version}, but got ${String(change.version)}.`,
      'order.version',
    )
  if (change.location_id !== undefined && change.location_id !== current.location_id)
    invalid('INVALID_VALUE', 'The location of an order cannot be changed.', 'order.location_id')
  if (change.state === 'COMPLETED') invalid('BAD_REQUEST', 'An order is completed by paying it.', 'order.state')
  const cleared = clearFields(current, Array.isArray(body.fields_to_clear) ? body.fields_to_clear.map(String) : [])
  const changed = merge(world, cleared, change)
  checkParts(world, changed)
  const at = iso(world.tick())
  const stored = {
    ...changed,
    version: current.version! + 1,
    updated_at: at,
    ...(changed.state === 'CANCELED' && { closed_at: at }),
  }
  const order = world.orders.set(id, withTotals(stored, world))
  if (key !== undefined) world.keys.set(keyId, { body: '', response: { status: 200 } })
  return ok({ order })
}

function merge(world: World, current: StoredOrder, { version: _, ...change }: Fields): StoredOrder {
  const lines = noted(change.line_items as Fields[] | null | undefined)
  const merged: Fields = { ...current, ...change }
  if (lines)
    merged.line_items = byUid(current.line_items, lines).map((line, index) =>
      lines.some(({ uid }) => uid === line.uid) ? buildLine(world, line, `order.line_items[${index}]`) : line,
    )
  for (const name of ['discounts', 'taxes', 'service_charges', 'fulfillments'] as const) {
    const rows = noted(change[name] as Fields[] | null | undefined)
    if (!rows) continue
    const finish: (row: Fields & { uid: string }) => Fields = {
      discounts: typed,
      taxes: taxTyped,
      service_charges: chargeTyped,
      fulfillments: fulfillmentTyped,
    }[name]
    merged[name] = byUid(current[name] as (Fields & { uid: string })[] | undefined, rows).map(finish)
  }
  if (isObject(change.metadata))
    merged.metadata = withoutNulls({ ...(current.metadata as Fields | undefined), ...change.metadata })
  return withoutNulls(merged) as unknown as StoredOrder
}

function byUid<T extends Fields & { uid: string }>(current: readonly T[] | undefined, changes: readonly T[]): T[] {
  const rows = new Map((current ?? []).map((row) => [row.uid, row]))
  for (const change of changes) rows.set(change.uid, { ...rows.get(change.uid), ...change })
  return [...rows.values()]
}

/** `note`, `line_items`, `line_items[uid]`, `line_items[uid].note`, `metadata.name`. */
function clearFields(order: StoredOrder, names: readonly string[]): StoredOrder {
  let cleared = order
  for (const name of names) {
    const [, top, uid, field] = /^(\w+)(?:\[([^\]]+)\])?(?:\.([\w-]+))?$/.exec(name) ?? []
    if (!top) return invalid('INVALID_VALUE', `\`${name}\` is not a field.`, 'fields_to_clear')
    cleared = withoutNulls({
      ...cleared,
      [top]: uid === undefined ? without(cleared[top], field) : withoutRow(cleared[top], uid, field),
    })
  }
  return withoutReferences(cleared)
}
/** What is removed from the order is removed from its lines. */
function withoutReferences(order: StoredOrder): StoredOrder {
  const has = (rows: readonly { uid: string }[] = [], sought: string) => rows.some(({ uid }) => uid === sought)
  const line_items = order.line_items?.map((line) => ({
    ...line,
    applied_discounts: line.applied_discounts?.filter((one) => has(order.discounts, one.discount_uid)),
    applied_taxes: line.applied_taxes?.filter((one) => has(order.taxes, one.tax_uid)),
    applied_service_charges: line.applied_service_charges?.filter((one) =>
      has(order.service_charges, one.service_charge_uid),
    ),
  }))
  return { ...order, ...(line_items && { line_items }) }
}

const without = (value: unknown, field: string | undefined): unknown =>
  field === undefined || !isObject(value) ? null : withoutNulls({ ...value, [field]: null })

function withoutRow(rows: unknown, uid: string, field: string | undefined): unknown[] {
  return ((rows as { uid: string }[] | undefined) ?? []).flatMap((row) =>
    row.uid !== uid ? [row] : field === undefined ? [] : [withoutNulls({ ...row, [field]: null })],
  )
}

function payOrder(world: World, id: string, body: Fields): WireResponse {
  const order = world.orders.get(id) ?? notFound(`Order not found for id ${id}.`)
  if (order.state !== 'OPEN') invalid('BAD_REQUEST', `Order in state ${order.state} cannot be paid.`, 'order_id')
  if (body.order_version !== undefined && body.order_version !== order.version)
    refuse(409, 'VERSION_MISMATCH', `Expected version ${order.version}.`, 'order_version')
  // There are no payments here, so only an order with a total of 0 can be paid.
  if (order.total_money!.amount !== 0)
    invalid('BAD_REQUEST', 'The payments do not cover the total of the order.', 'payment_ids')
  const at = iso(world.tick())
  const line_items = order.line_items?.filter(({ quantity }) => Number(quantity) > 0)
  return ok({
    order: world.orders.set(id, {
      ...order,
      line_items,
      state: 'COMPLETED',
      version: (order.version ?? 0) + 1,
      updated_at: at,
      closed_at: at,
    }),
  })
}

export const orderRoutes: Routes<World> = {
  'POST /v2/orders': ({ request, context: world }) => {
    const body = bodyOf(request)
    return once(world, 'orders', textOf(body, 'idempotency_key', { max: 192 }), body, () => createOrder(world, body))
  },
  'GET /v2/orders/:id': ({ params: { id = '' }, context: world }) =>
    ok({ order: world.orders.get(id) ?? notFound(`Order not found for id ${id}.`) }),
  'PUT /v2/orders/:id': ({ request, params: { id = '' }, context: world }) => updateOrder(world, id, bodyOf(request)),
  'POST /v2/orders/:id/pay': ({ request, params: { id = '' }, context: world }) => {
    const body = bodyOf(request)
    return once(world, `orders/${id}/pay`, textOf(body, 'idempotency_key', { max: 192, required: true }), body, () =>
      payOrder(world, id, body),
    )
  },
}
