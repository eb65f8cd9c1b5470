// Converts an order to Square's format, and determines what an update must change.
import type { LineItem, Order } from '../../contract/entities/order.ts'
import { type Refused, tooLong } from '../../kit/checks.ts'
import { firstChanged } from '../../kit/differences.ts'
import { compact, filled, list } from '../../kit/fields.ts'
import { toMoney } from './money.ts'
import {
  customerOf,
  linesOf,
  type NativeLine,
  type NativeOrder,
  noteOf,
  numberOf,
  states,
  toLine,
} from './order-row.ts'

export function check(record: Order): Refused[] {
  const found: Refused[] = []
  for (const [n, line] of record.lineItems.entries()) {
    if (line.productExternalId) found.push(...tooLong(`/lineItems/${n}/name`, line.name, 255)) // stored as metadata
    if (decimalsOf(line.quantity) > 5 || quantityText(line.quantity).length > 12)
      found.push({ pointer: `/lineItems/${n}/quantity`, message: 'Square stores at most 5 decimals and 12 characters' })
    if ((line.lineDiscount ?? 0) < 0)
      found.push({ pointer: `/lineItems/${n}/lineDiscount`, message: 'A discount cannot be negative' })
  }
  return found
}
const quantityText = (quantity: number): string => (Math.abs(quantity) < 1e-6 ? quantity.toFixed(10) : String(quantity))
const decimalsOf = (quantity: number): number => quantityText(quantity).split('.')[1]?.length ?? 0

export interface NativeLines {
  line_items: NativeLine[]
  discounts?: object[]
}
/**
 * `first` is the index of the first line in the record, for error pointers. `mark` makes the discounts' ids different
 * from existing ones. A price is always sent: it overrides the catalog price, which Square would otherwise use
 * silently.
 */
export function toLines(lines: readonly LineItem[], currency: string, mark: string, first = 0): NativeLines {
  const discounts: object[] = []
  const line_items = lines.map((line, n) => {
    const at = `order.line_items[${first + n}]`
    const uid = `${mark}-${n}`
    if (line.lineDiscount) {
      discounts.push({
        uid,
        name: 'Discount',
        type: 'FIXED_AMOUNT',
        scope: 'LINE_ITEM',
        amount_money: toMoney(line.lineDiscount, currency, `${at}.discount`),
      })
    }
    return compact({
      catalog_object_id: line.productExternalId,
      name: line.productExternalId ? undefined : line.name,
      quantity: quantityText(line.quantity),
      quantity_unit:
        line.productExternalId || Number.isInteger(line.quantity) ? undefined : wholeUnit(decimalsOf(line.quantity)),
      base_price_money:
        line.unitPrice === undefined ? undefined : toMoney(line.unitPrice, currency, `${at}.base_price_money`),
      applied_discounts: line.lineDiscount ? [{ discount_uid: uid }] : undefined,
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

/** Square calculates tax, and a catalog line without a price gets the catalog price. */
const kept = ['unitPrice', 'name', 'sku'] as const
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
  const state = states.write(record.state)
  if (state !== undefined && state !== current.state) order.state = state
  const lines = linesOf(current)
  const from = firstChanged(record.lineItems, lines.map(toLine), kept)
  const gone = lines.slice(from)
  const added = record.lineItems.slice(from)
  if (added.length) Object.assign(order, toLines(added, currency, `v${current.version}`, from))
  clear.push(
    ...gone.map(({ uid }) => `line_items[${uid}]`),
    ...orphanedDiscounts(current, gone).map((uid) => `discounts[${uid}]`),
  )
  if (!Object.keys(order).length && !clear.length) return undefined
  return clear.length ? { order, fields_to_clear: clear } : { order }
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
