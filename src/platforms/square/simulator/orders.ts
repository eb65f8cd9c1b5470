// Orders: created and updated by clients with a version, priced by Square, never deleted.
import { type Fields, isObject } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { findObject } from './catalog.ts'
import { withTotals } from './order-totals.ts'
import { accept, bodyOf, invalid, notFound, ok, refuse, textOf, withoutNulls } from './wire.ts'
import {
  iso,
  type LineItem,
  locationOf,
  newId,
  type Order,
  type OrderDiscount,
  type OrderTax,
  once,
  type ServiceCharge,
  type Stamped,
  type World,
} from './world.ts'

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

const noted = <T extends { uid?: string | null }>(
  rows: readonly T[] | null | undefined,
): (T & { uid: string })[] | undefined => rows?.map((row) => ({ ...withoutNulls(row), uid: row.uid || newId('uid') }))

function buildLine(world: World, line: Fields & { uid: string }, path: string): LineItem {
  const { quantity, catalog_object_id: id } = line
  if (quantity === undefined) invalid('MISSING_REQUIRED_PARAMETER', 'Missing required parameter.', `${path}.quantity`)
  if (!/^\d+(\.\d{1,5})?$/.test(String(quantity)))
    invalid('INVALID_VALUE', 'quantity must be a non-negative decimal.', `${path}.quantity`)
  const money = line.base_price_money as LineItem['base_price_money']
  if (money && money.currency !== world.currency)
    invalid('INVALID_VALUE', `Currency must be ${world.currency}.`, `${path}.base_price_money.currency`)
  if (id === undefined) {
    if (!line.name)
      invalid('MISSING_REQUIRED_PARAMETER', 'A line item needs a name or a catalog object.', `${path}.name`)
    if (!money) invalid('MISSING_REQUIRED_PARAMETER', 'An ad hoc line item needs a price.', `${path}.base_price_money`)
    return { item_type: 'ITEM', ...line, quantity: String(quantity) }
  }
  const variation = findObject(world, String(id))
  if (variation?.type !== 'ITEM_VARIATION')
    return notFound(`Item variation with catalog object ID \`${String(id)}\` not found.`, `${path}.catalog_object_id`)
  const item = world.catalog.get(world.itemOf.get(variation.id)!)!
  const price = money ?? variation.item_variation_data?.price_money
  if (!price)
    invalid(
      'MISSING_REQUIRED_PARAMETER',
      'A variation with variable pricing needs a price.',
      `${path}.base_price_money`,
    )
  return {
    item_type: 'ITEM',
    ...line,
    quantity: String(quantity),
    catalog_object_id: variation.id,
    catalog_version: variation.version,
    name: item.item_data?.name,
    variation_name: variation.item_variation_data?.name,
    base_price_money: price,
  }
}

function checkParts(world: World, order: Fields): void {
  for (const [index, discount] of ((order.discounts as OrderDiscount[] | undefined) ?? []).entries()) {
    if (!discount.name && !discount.catalog_object_id)
      invalid('MISSING_REQUIRED_PARAMETER', 'A discount needs a name.', `order.discounts[${index}].name`)
    if ((discount.percentage === undefined) === (discount.amount_money === undefined))
      invalid('BAD_REQUEST', 'A discount has either a percentage or an amount.', `order.discounts[${index}]`)
    if (discount.amount_money && discount.amount_money.currency !== world.currency)
      invalid('INVALID_VALUE', `Currency must be ${world.currency}.`, `order.discounts[${index}].amount_money.currency`)
  }
  for (const [index, tax] of ((order.taxes as OrderTax[] | undefined) ?? []).entries()) {
    if (tax.percentage === undefined || !/^\d+(\.\d+)?$/.test(tax.percentage))
      invalid('INVALID_VALUE', 'A tax needs a percentage.', `order.taxes[${index}].percentage`)
  }
  for (const [index, charge] of ((order.service_charges as ServiceCharge[] | undefined) ?? []).entries()) {
    const at = `order.service_charges[${index}]`
    if (!charge.name && !charge.catalog_object_id)
      invalid('MISSING_REQUIRED_PARAMETER', 'A service charge needs a name.', `${at}.name`)
    if ((charge.percentage === undefined) === (charge.amount_money === undefined))
      invalid('BAD_REQUEST', 'A service charge has either a percentage or an amount.', at)
    if (charge.calculation_phase === 'TOTAL_PHASE' && charge.taxable)
      invalid('BAD_REQUEST', 'A service charge in the TOTAL_PHASE cannot be taxable.', `${at}.taxable`)
    if (charge.treatment_type !== 'LINE_ITEM_TREATMENT')
      invalid('BAD_REQUEST', 'Apportioned service charges are not simulated.', `${at}.treatment_type`)
  }
  for (const [index, line] of ((order.line_items as LineItem[] | undefined) ?? []).entries()) {
    const known = { discounts: uids(order.discounts), taxes: uids(order.taxes) }
    for (const { discount_uid } of line.applied_discounts ?? [])
      if (!known.discounts.has(discount_uid))
        invalid(
          'INVALID_VALUE',
          `No discount with uid \`${discount_uid}\`.`,
          `order.line_items[${index}].applied_discounts`,
        )
    for (const { tax_uid } of line.applied_taxes ?? [])
      if (!known.taxes.has(tax_uid))
        invalid('INVALID_VALUE', `No tax with uid \`${tax_uid}\`.`, `order.line_items[${index}].applied_taxes`)
  }
  if (order.customer_id && !world.customers.has(String(order.customer_id)))
    notFound(`Customer with ID \`${String(order.customer_id)}\` not found.`, 'order.customer_id')
}

const uids = (rows: unknown): Set<string> =>
  new Set(((rows as { uid: string }[] | undefined) ?? []).map(({ uid }) => uid))
const typed = (discount: OrderDiscount): OrderDiscount => ({
  type: discount.percentage === undefined ? 'FIXED_AMOUNT' : 'FIXED_PERCENTAGE',
  scope: 'ORDER',
  ...discount,
})
const chargeTyped = (charge: ServiceCharge): ServiceCharge => ({
  calculation_phase: 'SUBTOTAL_PHASE',
  taxable: false,
  type: 'CUSTOM',
  treatment_type: 'LINE_ITEM_TREATMENT',
  scope: 'ORDER',
  ...charge,
})
const taxTyped = (tax: OrderTax): OrderTax => ({ type: 'ADDITIVE', scope: 'ORDER', ...tax })

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
    fulfillments: noted(order.fulfillments as Fields[] | undefined),
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
  return ok({ order: world.orders.set(stored.id, withTotals(stored, world.currency)) })
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
  const order = world.orders.set(id, withTotals(stored, world.currency))
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
      fulfillments: (row: Fields) => row,
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
  return cleared
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
