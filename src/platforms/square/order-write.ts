// Converts an order to Square's format, and determines what an update must change.
import type { Fulfillment, LineItem, Modifier, Order, ServiceCharge } from '../../contract/entities/order.ts'
import { type Refused, tooLong } from '../../kit/checks.ts'
import { firstChanged } from '../../kit/differences.ts'
import { refusal } from '../../kit/errors.ts'
import { compact, filled, list } from '../../kit/fields.ts'
import { timesMinor } from '../../kit/money.ts'
import { type Money, toMoney } from './money.ts'
import {
  channelOf,
  chargesOf,
  customerOf,
  fulfillmentOf,
  fulfillmentStates,
  linesOf,
  type NativeCharge,
  type NativeFulfillment,
  type NativeLine,
  type NativeModifier,
  type NativeOrder,
  noteOf,
  numberOf,
  states,
  toLine,
} from './order-row.ts'

/** With those below them: this version of Square's API has no modifiers of modifiers, and their prices are of the line. */
const flat = (modifiers: readonly Modifier[] = []): Omit<Modifier, 'modifiers'>[] =>
  modifiers.flatMap(({ modifiers: below = [], ...one }) => [one, ...below])

export function check(record: Order): Refused[] {
  const found: Refused[] = []
  for (const [n, line] of record.lineItems.entries()) {
    if (line.productExternalId) found.push(...tooLong(`/lineItems/${n}/name`, line.name, 255)) // stored as metadata
    if (decimalsOf(line.quantity) > 5 || quantityText(line.quantity).length > 12)
      found.push({ pointer: `/lineItems/${n}/quantity`, message: 'Square stores at most 5 decimals and 12 characters' })
    if ((line.lineDiscount ?? 0) < 0)
      found.push({ pointer: `/lineItems/${n}/lineDiscount`, message: 'A discount cannot be negative' })
    for (const [m, modifier] of (line.modifiers ?? []).entries())
      found.push(...lackingIn(modifier, line, `/lineItems/${n}/modifiers/${m}`))
  }
  for (const [n, { amount = 0 }] of (record.serviceCharges ?? []).entries())
    if (amount < 0)
      found.push({ pointer: `/serviceCharges/${n}/amount`, message: 'A service charge cannot be negative' })
  return found
}
/** Square's price of a line is without its modifiers: their prices must be known to take them off. */
function lackingIn(modifier: Modifier, { unitPrice }: LineItem, at: `/${string}`): Refused[] {
  const { modifierExternalId: id, name, price } = modifier
  if (price === undefined && (unitPrice !== undefined || id === undefined))
    return [{ pointer: `${at}/price`, message: 'is required: it is a part of `unitPrice`' }]
  if (id === undefined && name === undefined)
    return [{ pointer: `${at}/name`, message: 'is required for a modifier without an id' }]
  return []
}
const quantityText = (quantity: number): string => (Math.abs(quantity) < 1e-6 ? quantity.toFixed(10) : String(quantity))
const decimalsOf = (quantity: number): number => quantityText(quantity).split('.')[1]?.length ?? 0

interface NativeDiscount {
  uid: string
  name: string
  type: 'FIXED_AMOUNT'
  scope: 'LINE_ITEM'
  amount_money: Money
}
const discountOf = (uid: string, amount_money: Money, name = 'Discount'): NativeDiscount => ({
  uid,
  name,
  type: 'FIXED_AMOUNT',
  scope: 'LINE_ITEM',
  amount_money,
})
export interface NativeLines {
  line_items: NativeLine[]
  discounts?: object[]
}
/**
 * `first` is the index of the first line in the record, for error pointers. `mark` makes the discounts' ids different
 * from existing ones. A price is always sent: it overrides the catalog price, which Square would otherwise use
 * silently. `replaced` are the lines in whose places they are.
 */
export function toLines(
  lines: readonly LineItem[],
  currency: string,
  mark: string,
  first = 0,
  replaced: readonly NativeLine[] = [],
  taxes: NativeOrder['taxes'] = [],
): NativeLines {
  const discounts: object[] = []
  const line_items = lines.map((line, n) => {
    const at = `order.line_items[${first + n}]`
    const uid = `${mark}-${n}`
    if (line.lineDiscount) discounts.push(discountOf(uid, toMoney(line.lineDiscount, currency, `${at}.discount`)))
    const modifiers = flat(line.modifiers).map((one, m) => toModifier(one, currency, `${at}.modifiers[${m}]`))
    return compact({
      catalog_object_id: line.productExternalId,
      name: line.productExternalId ? undefined : line.name,
      quantity: quantityText(line.quantity),
      quantity_unit:
        line.productExternalId || Number.isInteger(line.quantity) ? undefined : wholeUnit(decimalsOf(line.quantity)),
      item_type: line.kind === 'GIFT_CARD' ? line.kind : undefined,
      note: line.note,
      base_price_money: basePrice(line, modifiers, currency, at),
      modifiers: modifiers.length > 0 ? modifiers : undefined,
      applied_discounts: line.lineDiscount ? [{ discount_uid: uid }] : undefined,
      applied_taxes: taxesOf(line, replaced[n], taxes),
      metadata: filled({ sku: line.sku, name: line.productExternalId ? line.name : undefined }) as
        | Record<string, string>
        | undefined,
    })
  })
  return { line_items, ...(discounts.length ? { discounts } : {}) }
}
/** Without a unit Square accepts only whole quantities. */
const wholeUnit = (precision: number) => ({
  measurement_unit: { type: 'TYPE_GENERIC', generic_unit: 'UNIT' },
  precision,
})
const toModifier = (one: Omit<Modifier, 'modifiers'>, currency: string, at: string): NativeModifier =>
  compact({
    catalog_object_id: one.modifierExternalId,
    name: one.modifierExternalId ? undefined : one.name,
    quantity: quantityText(one.quantity ?? 1),
    base_price_money: one.price === undefined ? undefined : toMoney(one.price, currency, `${at}.base_price_money`),
  })
/** The price without the modifiers, which Square adds. */
function basePrice(line: LineItem, modifiers: readonly NativeModifier[], currency: string, at: string) {
  if (line.unitPrice === undefined) return undefined
  const { amount = 0 } = toMoney(line.unitPrice, currency, `${at}.base_price_money`)
  const base = modifiers.reduce(
    (left, { quantity, base_price_money: price }) => left - timesMinor(Number(quantity), price?.amount ?? 0),
    amount,
  )
  if (base < 0)
    throw refusal(`${at}.base_price_money`, 'The modifiers cost more than the line: `unitPrice` contains them')
  return { amount: base, currency }
}
/** A line that is replaced by one of the same product keeps the taxes that are on this line alone. */
function taxesOf({ productExternalId }: LineItem, line: NativeLine | undefined, taxes: NativeOrder['taxes']) {
  if (!line || line.catalog_object_id !== productExternalId) return undefined
  const own = list(taxes).flatMap(({ uid, scope }) => (scope === 'LINE_ITEM' ? uid : []))
  const kept = list(line.applied_taxes).filter(({ tax_uid }) => own.includes(tax_uid))
  return kept.length > 0 ? kept.map(({ tax_uid }) => ({ tax_uid })) : undefined
}

/** `name` is the field in an error. */
export function toCharges(record: Order, currency: string): NativeCharge[] | undefined {
  const { serviceChargeTotal: total, serviceCharges } = record
  const at = 'order.service_charges'
  const charges = serviceCharges ?? (total ? [{ name: 'Service charge', amount: total }] : [])
  const native = charges.map(
    ({ name, kind, amount = 0 }: ServiceCharge, n): NativeCharge =>
      compact({
        name: name ?? 'Service charge',
        amount_money: toMoney(amount, currency, `${at}[${n}].amount_money`),
        calculation_phase: 'SUBTOTAL_PHASE',
        // Square has no kinds.
        metadata: kind === undefined ? undefined : { kind },
      }),
  )
  const sum = native.reduce((all, { amount_money }) => all + (amount_money?.amount ?? 0), 0)
  if (total !== undefined && toMoney(total, currency, at).amount !== sum)
    throw refusal('/serviceChargeTotal', 'It must be the sum of serviceCharges')
  return native.length > 0 ? native : undefined
}

/** The kinds of fulfillment that this version of Square's API has. */
export const deliverable = ['TAKEOUT', 'CURBSIDE', 'DELIVERY', 'SHIPPING'] as const
/** `customer` receives it where it has no name. */
export function toFulfillment(
  fulfillment: Fulfillment | undefined,
  customer: string | undefined,
): NativeFulfillment | undefined {
  const { type, dueAt, name, phone, address, instructions } = fulfillment ?? {}
  if (!(deliverable as readonly (string | undefined)[]).includes(type)) return undefined
  const recipient = compact({
    display_name: name,
    customer_id: name === undefined ? customer : undefined,
    phone_number: phone,
    address:
      address &&
      filled({
        address_line_1: address.line1,
        address_line_2: address.line2,
        locality: address.city,
        administrative_district_level_1: address.state,
        postal_code: address.postalCode,
        country: address.country,
      }),
  })
  if (type === 'SHIPPING') {
    const details = compact({ recipient, expected_shipped_at: dueAt, shipping_note: instructions })
    return { type: 'SHIPMENT', shipment_details: details }
  }
  if (type === 'DELIVERY')
    return { type, delivery_details: compact({ recipient, deliver_at: dueAt, note: instructions }) }
  const is_curbside_pickup = type === 'CURBSIDE' ? true : undefined
  const curbside_pickup_details = type === 'CURBSIDE' ? {} : undefined
  return {
    type: 'PICKUP',
    pickup_details: compact({
      recipient,
      pickup_at: dueAt,
      note: instructions,
      is_curbside_pickup,
      curbside_pickup_details,
    }),
  }
}
/** The record's own order of members does not count. */
const partsOf = ({ type, dueAt, name, phone, address, instructions }: Fulfillment = {}) => {
  const { line1, line2, city, state, postalCode, country } = address ?? {}
  return [type, dueAt, name, phone, line1, line2, city, state, postalCode, country, instructions]
}
const sameParts = (left: unknown, right: unknown): boolean => JSON.stringify(left) === JSON.stringify(right)

/** Square calculates tax, and a catalog line without a price gets the catalog price. */
const kept = ['unitPrice', 'name', 'sku'] as const
const modifierParts = ({ modifiers }: LineItem) =>
  flat(modifiers).map(({ modifierExternalId, name, quantity = 1, price }) => [
    modifierExternalId,
    name,
    quantity,
    price,
  ])
function firstDifferent(desired: readonly LineItem[], present: readonly LineItem[]): number {
  const other = desired.findIndex(
    (line, n) =>
      present[n] &&
      (line.note !== present[n].note ||
        !sameParts(modifierParts(line), modifierParts(present[n])) ||
        (line.kind ?? 'ITEM') !== (present[n].kind ?? 'ITEM')),
  )
  const first = firstChanged(desired, present, kept)
  return other < 0 ? first : Math.min(first, other)
}
export interface OrderChange {
  order: Record<string, unknown>
  fields_to_clear?: string[]
}
/**
 * The sparse change from `current` to `record`; undefined if there is none. Lines are replaced starting at the first
 * difference, so their order is preserved, and unchanged lines retain their modifiers and taxes.
 */
export function changeOf(record: Order, current: NativeOrder, currency: string): OrderChange | undefined {
  const order: Record<string, unknown> = {}
  const clear: string[] = []
  const set = (name: string, target: unknown, present: unknown, stored: unknown) => {
    if (target === present) return
    if (target !== undefined) order[name] = target
    else if (stored !== undefined) clear.push(name)
  }
  set('customer_id', record.customerExternalId, customerOf(current), current.customer_id)
  set('ticket_name', record.orderNumber, numberOf(current), current.ticket_name)
  if (record.note !== noteOf(current)) {
    if (record.note !== undefined) order.metadata = { note: record.note }
    else if (current.metadata?.note !== undefined) clear.push('metadata.note')
  }
  if (record.channel !== undefined && record.channel !== channelOf(current)) order.source = { name: record.channel }
  const state = states.write(record.state)
  if (state !== undefined && state !== current.state) order.state = state
  for (const part of [linesChange, chargesChange, fulfillmentChange]) {
    const change = part(record, current, currency)
    Object.assign(order, change.order)
    clear.push(...(change.fields_to_clear ?? []))
  }
  if (!Object.keys(order).length && !clear.length) return undefined
  return clear.length ? { order, fields_to_clear: clear } : { order }
}

function linesChange(record: Order, current: NativeOrder, currency: string): OrderChange {
  const lines = linesOf(current)
  const from = firstDifferent(
    record.lineItems,
    lines.map((line) => toLine(line, current)),
  )
  const gone = lines.slice(from)
  const added = record.lineItems.slice(from)
  if (added.length === 0 && gone.length === 0) return { order: {} }
  const { line_items = [], discounts = [] } = toLines(added, currency, `v${current.version}`, from, gone, current.taxes)
  const shared = list(current.discounts).filter(({ scope }) => scope !== 'LINE_ITEM')
  const spread = spreadShares(lines.slice(0, from), shared, `v${current.version}-k`)
  const sent = { line_items: [...spread.line_items, ...line_items], discounts: [...spread.discounts, ...discounts] }
  return {
    order: Object.fromEntries(Object.entries(sent).filter(([, rows]) => rows.length > 0)),
    fields_to_clear: [
      ...gone.map(({ uid }) => `line_items[${uid}]`),
      ...[...shared.map(({ uid }) => uid), ...orphanedDiscounts(current, gone)].map((uid) => `discounts[${uid}]`),
    ],
  }
}
/**
 * Square would divide a discount of the whole order among the new lines, too, which have their own part of it. Each
 * line that stays gets its part as a discount of its own.
 */
function spreadShares(stays: readonly NativeLine[], shared: NonNullable<NativeOrder['discounts']>, mark: string) {
  const discounts: NativeDiscount[] = []
  const line_items = stays.flatMap((line, n) => {
    const applied = list(line.applied_discounts)
    const parts = shared.flatMap(({ uid, name }, m) => {
      const amount = applied.find(({ discount_uid }) => discount_uid === uid)?.applied_money
      return amount?.amount ? [discountOf(`${mark}${n}-${m}`, amount, name)] : []
    })
    if (parts.length === 0) return []
    discounts.push(...parts)
    const own = applied.filter(({ discount_uid }) => !shared.some(({ uid }) => uid === discount_uid))
    const all = [...own, ...parts.map(({ uid }) => ({ discount_uid: uid }))]
    return [{ uid: line.uid, applied_discounts: all.map(({ discount_uid }) => ({ discount_uid })) }]
  })
  return { line_items, discounts }
}
function orphanedDiscounts(current: NativeOrder, gone: readonly NativeLine[]): string[] {
  const used = (lines: readonly NativeLine[]) =>
    new Set(lines.flatMap((line) => list(line.applied_discounts).map(({ discount_uid }) => discount_uid)))
  const kept = used(list(current.line_items).filter((line) => !gone.includes(line)))
  const freed = used(gone)
  return list(current.discounts)
    .filter(({ uid, scope }) => scope === 'LINE_ITEM' && freed.has(uid) && !kept.has(uid))
    .map(({ uid }) => uid)
}

function chargesChange(record: Order, current: NativeOrder, currency: string): OrderChange {
  const parts = (charges: readonly ServiceCharge[] = []) =>
    charges.map(({ name, kind, amount }) => [name, kind, amount])
  const sent = toCharges(record, currency)
  if (sameParts(parts(record.serviceCharges), parts(chargesOf(current)))) return { order: {} }
  return {
    order: sent ? { service_charges: sent } : {},
    fields_to_clear: list(current.service_charges).map(({ uid }) => `service_charges[${uid}]`),
  }
}
function fulfillmentChange({ fulfillment, customerExternalId }: Order, current: NativeOrder): OrderChange {
  const [first] = list(current.fulfillments)
  const held = fulfillmentOf(current)
  const state = Object.entries(fulfillmentStates).find(([, unified]) => unified === fulfillment?.state)?.[0]
  const moved = first && state !== undefined && state !== first.state ? { state } : {}
  if (sameParts(partsOf(fulfillment), partsOf(held)))
    return { order: Object.keys(moved).length > 0 ? { fulfillments: [{ uid: first?.uid, ...moved }] } : {} }
  const sent = toFulfillment(fulfillment, customerExternalId)
  if (sent && first && first.type === sent.type)
    return { order: { fulfillments: [{ uid: first.uid, ...sent, ...moved }] } }
  return {
    order: sent ? { fulfillments: [sent] } : {},
    fields_to_clear: first && (sent || !fulfillment) ? [`fulfillments[${first.uid}]`] : [],
  }
}
