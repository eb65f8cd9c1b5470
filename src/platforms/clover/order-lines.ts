// Sends the lines of an order to Clover: checked, split into units, a hundred at a time.
import type { ReadCall, WriteCall } from '../../contract/connector.ts'
import type { LineItem, Order } from '../../contract/entities/order.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import type { Refused } from '../../kit/checks.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact, text } from '../../kit/fields.ts'
import { toMinor } from '../../kit/money.ts'
import { chunksOf } from '../../kit/paging.ts'
import { path, post } from '../../kit/requests.ts'
import { below } from './account.ts'
import { amountOf, discountOf, markOf, type NativeLine, readLines } from './order-row.ts'
import { type ItemRow, readItem } from './product-row.ts'

const mostLines = 3000 // of an order: https://docs.clover.com/reference/ordercreatelineitem
const mostAtOnce = 100
const tooMany = `Clover stores one line per unit, and at most ${mostLines} lines`

export const checkLines = ({ lineItems }: Order): Refused[] =>
  lineItems.flatMap((line, n) => checkLine(line, `/lineItems/${n}`))
function checkLine(line: LineItem, at: `/lineItems/${number}`): Refused[] {
  const bare = line.productExternalId === undefined
  return [
    ...(bare && !Number.isInteger(line.quantity)
      ? [
          {
            pointer: `${at}/quantity` as const,
            message: 'Clover accepts fractional quantities only of a PER_UNIT product',
          },
        ]
      : []),
    ...((line.lineDiscount ?? 0) < 0
      ? [{ pointer: `${at}/lineDiscount` as const, message: 'A discount cannot be negative' }]
      : []),
  ]
}

interface Unit extends Omit<NativeLine, 'id'> {
  price: number
  userData: string
}
interface Discount {
  mark: string
  amount: number
}
export interface LinePlan {
  units: Unit[]
  discounts: Discount[]
}
/** All checks happen here, before anything is sent. `first` is the index of the first line in the record. */
export async function planLines(
  call: WriteCall,
  lines: readonly LineItem[],
  currency: string,
  first = 0,
): Promise<LinePlan> {
  const items = new Map<string, ItemRow>()
  const plan: LinePlan = { units: [], discounts: [] }
  for (const [n, line] of lines.entries()) {
    const at = `lineItems[${first + n}]`
    const item =
      line.productExternalId === undefined
        ? undefined
        : (items.get(line.productExternalId) ?? (await knownItem(call, line.productExternalId, at)))
    if (item) items.set(item.id, item)
    const units = unitsOf(line, item, currency, at).map((unit, index) => ({
      ...unit,
      userData: markOf(call.reference, first + n, index),
    }))
    plan.units.push(...units)
    plan.discounts.push(
      ...spread(
        line.lineDiscount === undefined ? 0 : toMinor(line.lineDiscount, currency, `${at}.discount`),
        units,
        at,
      ),
    )
  }
  if (plan.units.length > mostLines) throw refusal('lineItems', tooMany)
  return plan
}
async function knownItem(call: ReadCall, id: string, at: string): Promise<ItemRow> {
  const item = await readItem(call, id)
  if (!item) throw refusal(`${at}.item`, `Clover has no item ${id}`)
  return item
}
function unitsOf(line: LineItem, item: ItemRow | undefined, currency: string, at: string): Omit<Unit, 'userData'>[] {
  if (line.unitPrice === undefined && item?.priceType === 'VARIABLE')
    throw requirement(`${at}.price`, 'The price of this product is entered at each sale: send unitPrice')
  // A bulk line must have a price, although a single line would get it from its item.
  const price = line.unitPrice === undefined ? (item?.price ?? 0) : toMinor(line.unitPrice, currency, `${at}.price`)
  const unit = compact({ item: item && { id: item.id }, name: line.name ?? item?.name, price }) as Omit<
    Unit,
    'userData'
  >
  if (item?.priceType !== 'PER_UNIT') {
    if (!Number.isInteger(line.quantity))
      throw refusal(`${at}.quantity`, 'Clover accepts fractional quantities only of a PER_UNIT product')
    if (line.quantity > mostLines) throw refusal(`${at}.quantity`, tooMany)
    return Array.from({ length: line.quantity }, () => unit)
  }
  const unitQty = Math.round(line.quantity * 1000)
  if (unitQty / 1000 !== line.quantity)
    throw refusal(`${at}.quantity`, 'Clover stores at most three decimals of a quantity')
  return [{ ...unit, unitQty, unitName: text(item.unitName) ?? 'unit' }]
}
/** A discount is applied to as few units as possible: each needs a call. */
function spread(discount: number, units: readonly Unit[], at: string): Discount[] {
  let left = discount
  const parts = units.flatMap((unit) => {
    const amount = Math.min(left, Math.max(0, amountOf({ ...unit, id: '' })))
    left -= amount
    return amount > 0 ? [{ mark: unit.userData, amount }] : []
  })
  if (left > 0) throw refusal(`${at}.discount`, 'The discount is greater than the line')
  return parts
}

export const planTotal = ({ units, discounts }: LinePlan): number =>
  units.reduce((sum, unit) => sum + amountOf({ ...unit, id: '' }), 0) -
  discounts.reduce((sum, { amount }) => sum + amount, 0)

/**
 * `present` is the number of lines that the order already has: lines are sent in order, so the count shows how many
 * were stored.
 */
export async function addLines(call: WriteCall, orderId: string, plan: LinePlan, present = 0): Promise<void> {
  const to = below(call, path`/orders/${orderId}`)
  let before = present
  for (const [n, items] of chunksOf(plan.units, mostAtOnce).entries()) {
    const start = before
    const end = start + items.length
    await call.write(`lines-${n}`, {
      request: post(`${to}/bulk_line_items`, { items }),
      read: () => true,
      recovery: { find: () => reached(call, orderId, start, end) },
      undo: 'nothing', // the lines are deleted with their order
    })
    before = end
  }
  if (plan.discounts.length === 0) return
  const lines = await readLines(call, orderId)
  for (const [n, { mark, amount }] of plan.discounts.entries()) {
    const line = lineOf(mark, plan, lines)
    await call.write(`discount-${n}`, {
      // A positive amount is rejected.
      request: post(`${to}${path`/line_items/${line.id}/discounts`}`, { name: 'Discount', amount: -amount }),
      read: () => true,
      recovery: {
        find: async () =>
          (await readLines(call, orderId)).some((other) => other.id === line.id && discountOf(other) > 0) || undefined,
      },
      undo: 'nothing',
    })
  }
}
async function reached(call: ReadCall, orderId: string, start: number, end: number): Promise<true | undefined> {
  const count = (await readLines(call, orderId)).length
  if (count > start && count < end)
    throw new NativeFailure({ kind: 'unavailable', message: 'Clover stored only some of the lines' })
  return count >= end || undefined
}
function lineOf(mark: string, { units }: LinePlan, lines: readonly NativeLine[]): NativeLine {
  const unit = units.find(({ userData }) => userData === mark)
  const found =
    lines.find(({ userData }) => userData === mark) ??
    lines.find(({ item, name, price }) => item?.id === unit?.item?.id && name === unit?.name && price === unit?.price)
  if (!found) throw new NativeFailure({ kind: 'unavailable', message: 'Clover does not return a line that it stored' })
  return found
}
