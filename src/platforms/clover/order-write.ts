// An order is built step by step while hidden, and becomes visible when it is complete.
import type { ReadCall, WriteCall } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import { firstChanged } from '../../kit/differences.ts'
import { ifFound, refusal } from '../../kit/errors.ts'
import { compact, text } from '../../kit/fields.ts'
import { toMinor } from '../../kit/money.ts'
import { del, get, path, post } from '../../kit/requests.ts'
import { below, currencyFor, merchantOf, removeAll } from './account.ts'
import { addLines, planLines, planTotal } from './order-lines.ts'
import {
  amountOf,
  customerOf,
  discountOf,
  type FoldedLine,
  foldLines,
  type NativeOrder,
  numberOf,
  readLines,
  stateOf,
} from './order-row.ts'

function mustBeHere(call: ReadCall, location: string | undefined): void {
  const merchant = merchantOf(call.account)
  if ((location ?? merchant) !== merchant)
    throw refusal('merchant', `The account is the merchant ${merchant}, and that is its only location`)
}
async function mustKnow(call: ReadCall, customerId: string | undefined): Promise<void> {
  if (customerId !== undefined && !(await ifFound(call.read(get(below(call, path`/customers/${customerId}`))))))
    throw refusal('customers', `Clover has no customer ${customerId}`)
}
const taxIn = (record: Order, currency: string): number =>
  record.taxTotal === undefined
    ? record.lineItems.reduce((sum, { lineTax = 0 }, n) => sum + toMinor(lineTax, currency, `lineItems[${n}].tax`), 0)
    : toMinor(record.taxTotal, currency, 'tax')

export async function create(call: WriteCall, record: Order): Promise<{ id: string }> {
  const currency = await currencyFor(call, record.currencyCode)
  mustBeHere(call, record.locationExternalId)
  await mustKnow(call, record.customerExternalId)
  const plan = await planLines(call, record.lineItems, currency)
  const total =
    record.total === undefined ? planTotal(plan) + taxIn(record, currency) : toMinor(record.total, currency, 'total')
  const id = await call.write('order', {
    request: post(below(call, '/orders'), { groupLineItems: true }),
    read: ({ body }) => body.id as string,
    recovery: 'repeat', // without a state it is hidden and empty: a lost one is in no list, report or total
    undo: (orderId) => del(below(call, path`/orders/${orderId}`)),
  })
  await addLines(call, id, plan)
  const { orderNumber: title, note, customerExternalId: customer } = record
  // The client calculates the total: https://docs.clover.com/dev/docs/creating-custom-orders
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
const sumOf = (lines: readonly FoldedLine[]): number =>
  lines.flatMap(({ natives }) => natives).reduce((sum, line) => sum + amountOf(line) - discountOf(line), 0)

/**
 * A line cannot be changed: lines are deleted and sent again starting at the first difference, so their order is
 * preserved. Returns the change of the sum.
 */
async function changeLines(call: WriteCall, record: Order, current: NativeOrder, currency: string): Promise<number> {
  const lines = foldLines(current)
  const from = firstChanged(
    record.lineItems,
    lines.map(({ unified }) => unified),
    kept,
  )
  const gone = lines.slice(from)
  const added = record.lineItems.slice(from)
  if (gone.length === 0 && added.length === 0) return 0
  if (stateOf(current, { warn: () => {} }) === 'COMPLETED')
    throw refusal('lineItems', 'The lines of a paid order cannot change')
  const plan = await planLines(call, added, currency, from)
  const to = below(call, path`/orders/${current.id}/line_items`)
  await removeAll(
    call,
    to,
    gone.flatMap(({ natives }) => natives).map(({ id }) => id),
    () => readLines(call, current.id),
  )
  await addLines(call, current.id, plan, lines.slice(0, from).flatMap(({ natives }) => natives).length)
  return planTotal(plan) - sumOf(gone)
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
  const difference = await changeLines(call, record, current, currency)
  const total =
    record.total === undefined ? (current.total ?? 0) + difference : toMinor(record.total, currency, 'total')
  const title =
    (record.orderNumber ?? '') === (current.title ?? '') || record.orderNumber === numberOf(current)
      ? undefined
      : (record.orderNumber ?? '')
  const note = text(record.note) === text(current.note) ? undefined : (record.note ?? '')
  const change = compact({ title, note, customers, total: total === current.total ? undefined : total })
  if (Object.keys(change).length)
    await call.write('order', {
      request: post(below(call, path`/orders/${id}`), change),
      read: () => id,
      recovery: 'repeat',
    })
  return { id }
}
