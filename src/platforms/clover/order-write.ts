// An order is built step by step while hidden, and becomes visible when it is complete. Its lines are checked, split
// into units and sent a hundred at a time.
import type { ReadCall, WriteCall } from '../../contract/connector.ts'
import type { LineItem, Modifier, Order } from '../../contract/entities/order.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import type { Refused } from '../../kit/checks.ts'
import { sameLine, sameOrAbsent } from '../../kit/differences.ts'
import { ifFound, refusal, requirement } from '../../kit/errors.ts'
import { compact, text } from '../../kit/fields.ts'
import { fromMinor, toMinor } from '../../kit/money.ts'
import { chunksOf } from '../../kit/paging.ts'
import { del, get, path, post } from '../../kit/requests.ts'
import { below, currencyFor, elementsOf, mustBeHere, removeAll, rowsIn } from './account.ts'
import { largestPage } from './listing.ts'
import { amountOf, discountOf, markOf, type NativeLine } from './order-lines.ts'
import { customerOf, foldOrder, type NativeOrder, numberOf, readLines, stateOf, sumsOf } from './order-row.ts'
import { type ItemRow, readItem } from './product-row.ts'

const mostLines = 3000 // of an order: https://docs.clover.com/reference/ordercreatelineitem
const mostAtOnce = 100
const tooMany = `Clover stores one line per unit, and at most ${mostLines} lines`

export const checkLines = ({ lineItems }: Order): Refused[] =>
  lineItems.flatMap((line, n) => checkLine(line, `/lineItems/${n}`))
function checkLine(line: LineItem, at: `/lineItems/${number}`): Refused[] {
  return [
    ...((line.lineDiscount ?? 0) < 0
      ? [{ pointer: `${at}/lineDiscount` as const, message: 'A discount cannot be negative' }]
      : []),
    ...(line.modifiers ?? [])
      .filter(({ quantity = 1 }) => !Number.isInteger(quantity) || quantity < 0)
      .map(() => ({
        pointer: `${at}/modifiers` as const,
        message: 'Clover has no quantity of a modifier: it is stored as often as it is there',
      })),
  ]
}

interface Modification {
  modifier: { id: string }
  name: string
  amount: number
}
interface Unit extends Omit<NativeLine, 'id'> {
  price: number
  userData: string
}
interface Discount {
  mark: string
  amount: number
}
interface LinePlan {
  units: Unit[]
  modifications: { mark: string; modification: Modification }[]
  discounts: Discount[]
}
interface NativeModifier {
  id: string
  name?: string
  price?: number
}
const modifiersOf = (call: ReadCall): Promise<NativeModifier[]> =>
  call.cached('modifiers', async () => rowsIn(await call.read(get(below(call, '/modifiers'), { limit: largestPage }))))

/** All checks happen here, before anything is sent. `first` is the index of the first line in the record. */
async function planLines(call: WriteCall, lines: readonly LineItem[], currency: string, first = 0): Promise<LinePlan> {
  const items = new Map<string, ItemRow>()
  const plan: LinePlan = { units: [], modifications: [], discounts: [] }
  for (const [n, line] of lines.entries()) {
    const at = `lineItems[${first + n}]`
    const item =
      line.productExternalId === undefined
        ? undefined
        : (items.get(line.productExternalId) ?? (await knownItem(call, line.productExternalId, at)))
    if (item) items.set(item.id, item)
    const modifications = await modificationsOf(call, line.modifiers ?? [], currency, at)
    if (modifications.length > 0 && item?.priceType === 'PER_UNIT')
      throw refusal(`${at}.modifiers`, 'Clover adds the price of a modifier once, not per unit of measure')
    const units = unitsOf(line, item, modifications, currency, at).map((unit, index) => ({
      ...unit,
      userData: markOf(call.reference, first + n, index),
    }))
    plan.units.push(...units)
    plan.modifications.push(
      ...units.flatMap(({ userData: mark }) => modifications.map((modification) => ({ mark, modification }))),
    )
    const added = modifications.reduce((sum, { amount }) => sum + amount, 0)
    plan.discounts.push(
      ...spread(
        line.lineDiscount === undefined ? 0 : toMinor(line.lineDiscount, currency, `${at}.discount`),
        units,
        added,
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
/**
 * A modification names one of the merchant's modifiers, and Clover has one level of them. The money of one without an id
 * stays in the price of the line.
 */
async function modificationsOf(
  call: ReadCall,
  modifiers: readonly Modifier[],
  currency: string,
  at: string,
): Promise<Modification[]> {
  const found: Modification[] = []
  for (const { modifierExternalId: id, name, price, quantity = 1, modifiers: nested = [] } of modifiers) {
    const known = id === undefined ? undefined : (await modifiersOf(call)).find((one) => one.id === id)
    if (id !== undefined && !known) throw refusal(`${at}.modifiers`, `Clover has no modifier ${id}`)
    const own = known && {
      modifier: { id: known.id },
      name: name ?? known.name ?? known.id,
      amount: price === undefined ? (known.price ?? 0) : toMinor(price, currency, `${at}.modifiers`),
    }
    const below = await modificationsOf(call, nested, currency, at)
    for (let times = 0; times < quantity; times++) found.push(...(own ? [own] : []), ...below)
  }
  return found
}
function unitsOf(
  line: LineItem,
  item: ItemRow | undefined,
  modifications: readonly Modification[],
  currency: string,
  at: string,
): Omit<Unit, 'userData'>[] {
  if (line.unitPrice === undefined && item?.priceType === 'VARIABLE')
    throw requirement(`${at}.price`, 'The price of this product is entered at each sale: send unitPrice')
  const added = modifications.reduce((sum, { amount }) => sum + amount, 0)
  // A bulk line must have a price, although a single line would get it from its item. Clover adds those of modifiers.
  const price =
    line.unitPrice === undefined ? (item?.price ?? 0) : toMinor(line.unitPrice, currency, `${at}.price`) - added
  if (price < 0 && added > 0) {
    const least = fromMinor(added, currency)
    throw refusal(`${at}.price`, `The modifiers cost ${least}, and unitPrice contains them`)
  }
  const unit = compact({
    item: item && { id: item.id },
    name: line.name ?? item?.name,
    price,
    note: line.note,
  }) as Omit<Unit, 'userData'>
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
function spread(discount: number, units: readonly Unit[], added: number, at: string): Discount[] {
  let left = discount
  const parts = units.flatMap((unit) => {
    const amount = Math.min(left, Math.max(0, amountOf({ ...unit, id: '' }) + added))
    left -= amount
    return amount > 0 ? [{ mark: unit.userData, amount }] : []
  })
  if (left > 0) throw refusal(`${at}.discount`, 'The discount is greater than the line')
  return parts
}

/**
 * `present` is the number of lines that the order already has: lines are sent in order, so the count shows how many
 * were stored.
 */
async function addLines(call: WriteCall, orderId: string, plan: LinePlan, present = 0): Promise<void> {
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
  if (plan.discounts.length === 0 && plan.modifications.length === 0) return
  const lines = await readLines(call, orderId)
  // Clover has no bulk call for modifiers of a custom order.
  const sent = new Map<string, number>()
  for (const [n, { mark, modification }] of plan.modifications.entries()) {
    const line = lineOf(mark, plan, lines)
    const count = (sent.get(mark) ?? 0) + 1
    sent.set(mark, count)
    await call.write(`modifier-${n}`, {
      request: post(`${to}${path`/line_items/${line.id}/modifications`}`, modification),
      read: () => true,
      recovery: { find: () => hasModifiers(call, orderId, line.id, count) },
      undo: 'nothing',
    })
  }
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
/** Modifiers are sent in order, so their count shows which were stored. */
async function hasModifiers(call: ReadCall, orderId: string, lineId: string, count: number): Promise<true | undefined> {
  const line = (await readLines(call, orderId)).find(({ id }) => id === lineId)
  return elementsOf(line?.modifications).length >= count || undefined
}
function lineOf(mark: string, { units }: LinePlan, lines: readonly NativeLine[]): NativeLine {
  const unit = units.find(({ userData }) => userData === mark)
  const found =
    lines.find(({ userData }) => userData === mark) ??
    lines.find(({ item, name, price }) => item?.id === unit?.item?.id && name === unit?.name && price === unit?.price)
  if (!found) throw new NativeFailure({ kind: 'unavailable', message: 'Clover does not return a line that it stored' })
  return found
}

async function mustKnow(call: ReadCall, customerId: string | undefined): Promise<void> {
  if (customerId !== undefined && !(await ifFound(call.read(get(below(call, path`/customers/${customerId}`))))))
    throw refusal('customers', `Clover has no customer ${customerId}`)
}
/** The client calculates the total: https://docs.clover.com/dev/docs/creating-custom-orders */
const totalWith = async (call: ReadCall, order: NativeOrder): Promise<number> =>
  sumsOf(order, await readLines(call, order.id)).total

export async function create(call: WriteCall, record: Order): Promise<{ id: string }> {
  const currency = await currencyFor(call, record.currencyCode)
  mustBeHere(call, record.locationExternalId)
  await mustKnow(call, record.customerExternalId)
  const plan = await planLines(call, record.lineItems, currency)
  const { id, isVat } = await call.write('order', {
    request: post(below(call, '/orders'), { groupLineItems: true }),
    read: ({ body }) => ({ id: body.id as string, isVat: body.isVat === true }),
    recovery: 'repeat', // without a state it is hidden and empty: a lost one is in no list, report or total
    undo: (order) => del(below(call, path`/orders/${order.id}`)),
  })
  await addLines(call, id, plan)
  const total = await totalWith(call, { id, isVat, currency })
  const { orderNumber: title, note, customerExternalId: customer } = record
  const shown = compact({
    state: 'open',
    title,
    note,
    total,
    customers: customer === undefined ? undefined : [{ id: customer }],
  })
  await call.write('open', {
    request: post(below(call, path`/orders/${id}`), shown),
    read: () => id,
    recovery: 'repeat',
  })
  return { id }
}

/** Tax is not stored, and a product line without name or price gets the product's. */
const kept = ['unitPrice', 'name'] as const
/** What a line leaves out has arrived with the value that it has. */
function isSame(desired: LineItem, present: LineItem | undefined): boolean {
  if (!present || !sameLine(desired, present, kept) || text(desired.note) !== text(present.note)) return false
  const [wanted, held] = [desired.modifiers ?? [], present.modifiers ?? []]
  return (
    wanted.length === held.length &&
    wanted.every(
      (one, n) =>
        one.modifierExternalId === held[n]!.modifierExternalId &&
        (one.quantity ?? 1) === held[n]!.quantity &&
        sameOrAbsent(one.name, held[n]!.name) &&
        sameOrAbsent(one.price, held[n]!.price) &&
        !one.modifiers?.length,
    )
  )
}

/**
 * A line cannot be changed: lines are deleted and sent again starting at the first difference, so their order is
 * preserved. Returns whether there was one.
 */
async function changeLines(call: WriteCall, record: Order, current: NativeOrder, currency: string): Promise<boolean> {
  const sums = sumsOf(current)
  const lines = foldOrder(current, sums)
  const difference = record.lineItems.findIndex((line, n) => !isSame(line, lines[n]?.unified))
  const from = difference < 0 ? record.lineItems.length : difference
  const gone = lines.slice(from).flatMap(({ natives }) => natives)
  const added = record.lineItems.slice(from)
  if (gone.length === 0 && added.length === 0) return false
  if (stateOf(current, { warn: () => {} }) === 'COMPLETED')
    throw refusal('lineItems', 'The lines of a paid order cannot change')
  if (sums.orderReductions.length > 0)
    throw refusal('lineItems', 'Clover spreads a discount on the order over all lines: they cannot change one by one')
  const plan = await planLines(call, added, currency, from)
  const to = below(call, path`/orders/${current.id}/line_items`)
  await removeAll(
    call,
    to,
    gone.map(({ id }) => id),
    () => readLines(call, current.id),
  )
  await addLines(call, current.id, plan, elementsOf(current.lineItems).length - gone.length)
  return true
}

export async function update(call: WriteCall, current: NativeOrder, record: Order): Promise<{ id: string }> {
  const { id } = current
  if (record.state !== undefined && record.state !== stateOf(current, { warn: () => {} }))
    throw refusal('state', 'Only a payment or a deletion changes the state of an order')
  const currency = await currencyFor(call, record.currencyCode ?? current.currency)
  mustBeHere(call, record.locationExternalId)
  const customers =
    record.customerExternalId === customerOf(current)
      ? undefined
      : record.customerExternalId === undefined
        ? []
        : [{ id: record.customerExternalId }]
  await mustKnow(call, customers?.[0]?.id)
  const total = (await changeLines(call, record, current, currency)) ? await totalWith(call, current) : undefined
  const title =
    (record.orderNumber ?? '') === (current.title ?? '') || record.orderNumber === numberOf(current)
      ? undefined
      : (record.orderNumber ?? '')
  const note = text(record.note) === text(current.note) ? undefined : (record.note ?? '')
  const change = compact({ title, note, customers, total })
  if (Object.keys(change).length)
    await call.write('order', {
      request: post(below(call, path`/orders/${id}`), change),
      read: () => id,
      recovery: 'repeat',
    })
  return { id }
}
