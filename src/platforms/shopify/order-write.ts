// Converts an order to Shopify's format: https://shopify.dev/docs/api/admin-graphql/2026-07/mutations/orderCreate
import type { WriteCall } from '../../contract/connector.ts'
import type { LineItem, Order, OrderState } from '../../contract/entities/order.ts'
import type { Pointer } from '../../contract/entity.ts'
import { sameOrAbsent } from '../../kit/differences.ts'
import { refusal } from '../../kit/errors.ts'
import { compact } from '../../kit/fields.ts'
import { fromMinor, timesMinor, toDecimal, toMinor } from '../../kit/money.ts'
import { ask, idOf, operation, referenceTo } from './api.ts'
import type { Operation } from './operations.ts'
import { type NativeOrder, readOrder, stateOf, toUnified } from './order-row.ts'

export function check(record: Order): { pointer: Pointer; message: string }[] {
  const found: { pointer: Pointer; message: string }[] = []
  for (const [n, line] of record.lineItems.entries()) {
    if (!Number.isInteger(line.quantity))
      found.push({ pointer: `/lineItems/${n}/quantity`, message: 'Shopify accepts only whole quantities' })
    if ((line.unitPrice ?? 0) < 0)
      found.push({ pointer: `/lineItems/${n}/unitPrice`, message: 'A price cannot be negative' })
    if ((line.lineDiscount ?? 0) < 0)
      found.push({ pointer: `/lineItems/${n}/lineDiscount`, message: 'A discount cannot be negative' })
  }
  return found
}
/**
 * Payment and fulfillment that are read back as the requested state; an order is canceled only after it was created.
 */
const creation: Readonly<Record<OrderState, (now: string) => object>> = {
  PENDING: () => ({ financialStatus: 'PENDING' }),
  OPEN: () => ({ financialStatus: 'PAID' }),
  COMPLETED: (now) => ({ financialStatus: 'PAID', fulfillmentStatus: 'FULFILLED', closedAt: now }),
  CANCELED: () => ({ financialStatus: 'PENDING' }),
}
const isPaid = (state: OrderState | undefined): boolean => state === 'OPEN' || state === 'COMPLETED'

export function toOrder(call: WriteCall, record: Order, currency: string): object {
  const money = (value: number, native: string) => ({
    shopMoney: { amount: toDecimal(value, currency, native), currencyCode: currency },
  })
  const minor = (value: number | undefined, native: string) => toMinor(value ?? 0, currency, native)
  const lines = record.lineItems.map((line, n) => amountsOf(line, `order.lineItems.${n}`, minor))
  const discount = total(lines.map((line) => line.discount))
  const shipping = minor(record.shippingTotal, 'order.shippingLines')
  // What the taxes of the lines leave of the order's is on the shipping.
  const taxed = total(lines.map(({ tax }) => tax))
  const shippingTax = shipping > 0 ? Math.max(0, minor(record.taxTotal, 'order.taxLines') - taxed) : 0
  const due =
    total(lines.map(({ gross }) => gross)) - discount + shipping + (record.taxIncluded ? 0 : taxed + shippingTax)
  // A line without a price gets the variant's, which is not known here.
  const isKnown = record.lineItems.every(({ unitPrice }) => unitPrice !== undefined)
  const major = (amount: number) => fromMinor(amount, currency) ?? 0
  return compact({
    currency,
    sourceIdentifier: call.reference,
    name: record.orderNumber,
    processedAt: record.processedAt,
    note: record.note,
    taxesIncluded: record.taxIncluded,
    customer:
      record.customerExternalId === undefined
        ? undefined
        : { toAssociate: { id: referenceTo('Customer', record.customerExternalId, 'order.customer') } },
    ...(record.state ? creation[record.state](call.now) : {}),
    lineItems: record.lineItems.map((line, n) => toLine(line, lines[n]!, `order.lineItems.${n}`, money)),
    shippingLines:
      shipping > 0
        ? [
            compact({
              title: 'Shipping',
              priceSet: money(major(shipping), 'order.shippingLines'),
              taxLines:
                shippingTax > 0
                  ? [taxLine('Tax', shippingTax / shipping, money(major(shippingTax), 'order.shippingLines'))]
                  : undefined,
            }),
          ]
        : undefined,
    // A line cannot have its own discount: their sum becomes one discount on the order, so that the total is correct,
    // and Shopify distributes it.
    discountCode:
      discount > 0
        ? { itemFixedDiscountCode: { code: 'Discount', amountSet: money(major(discount), 'order.discountCode') } }
        : undefined,
    // Without a payment that covers it, Shopify reverts the paid status at the order's next change.
    transactions:
      isPaid(record.state) && isKnown && due > 0
        ? [{ kind: 'SALE', status: 'SUCCESS', gateway: 'manual', amountSet: money(major(due), 'order.transactions') }]
        : undefined,
  })
}
const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0)
interface LineAmounts {
  gross: number
  discount: number
  tax: number
}
function amountsOf(
  line: LineItem,
  native: string,
  minor: (value: number | undefined, native: string) => number,
): LineAmounts {
  return {
    gross: timesMinor(line.quantity, minor(line.unitPrice, `${native}.priceSet`)),
    discount: minor(line.lineDiscount, 'order.discountCode'),
    tax: minor(line.lineTax, `${native}.taxLines`),
  }
}
/** `rate`: of the price. It is for people; the amount counts. */
const taxLine = (title: string, rate: number, priceSet: object, channelLiable?: boolean) =>
  compact({ title, rate: rate.toFixed(6), priceSet, channelLiable })
/** The taxes of a line one by one, if they make its tax; otherwise one. */
function taxLinesOf(
  { taxes = [], lineTax }: LineItem,
  { gross, discount, tax }: LineAmounts,
  money: (value: number) => object,
): object[] | undefined {
  if (!lineTax) return undefined
  const given = taxes.map(({ amount = 0 }) => amount)
  const net = gross - discount
  return given.length > 0 && sameSum(given, lineTax)
    ? taxes.map(({ name = 'Tax', rate = 0, amount = 0, remittedByMarketplace }) =>
        taxLine(name, rate / 100, money(amount), remittedByMarketplace),
      )
    : [taxLine('Tax', net > 0 ? tax / net : 0, money(lineTax))]
}
/** In ten-thousandths, which no currency is finer than. */
const sameSum = (parts: readonly number[], whole: number): boolean =>
  total(parts.map((part) => Math.round(part * 10_000))) === Math.round(whole * 10_000)

function toLine(
  line: LineItem,
  amounts: LineAmounts,
  native: string,
  money: (value: number, native: string) => object,
): object {
  return compact({
    variantId:
      line.productExternalId === undefined
        ? undefined
        : referenceTo('ProductVariant', line.productExternalId, `${native}.variantId`),
    quantity: line.quantity,
    title: line.name,
    sku: line.sku,
    priceSet: line.unitPrice === undefined ? undefined : money(line.unitPrice, `${native}.priceSet`),
    taxLines: taxLinesOf(line, amounts, (value) => money(value, `${native}.taxLines`)),
  })
}

// The parts of an order that can change: note, customer and state. Changing lines needs an order edit, which this
// connector does not support.
const silent = { warn: () => {} }
const sameInstant = (target: string | undefined, present: string) =>
  target === undefined || target.slice(0, 19) === present.slice(0, 19)

function sameLine(target: LineItem, present: LineItem | undefined): boolean {
  return (
    present !== undefined &&
    target.quantity === present.quantity &&
    (['productExternalId', 'sku', 'name', 'unitPrice'] as const).every((name) =>
      sameOrAbsent(target[name], present[name]),
    )
  )
}
/** Fields that Shopify fixes when an order is created; a change is rejected before anything is sent. */
function refuseFixed(record: Order, current: Order): void {
  const fixed = (native: string, same: boolean, what: string) => {
    if (!same) throw refusal(native, `Shopify does not change the ${what} of an order after it is created`)
  }
  fixed('order.name', sameOrAbsent(record.orderNumber, current.orderNumber), 'number')
  fixed('order.processedAt', sameInstant(record.processedAt, current.processedAt!), 'time')
  fixed('order.currency', sameOrAbsent(record.currencyCode, current.currencyCode), 'currency')
  const differs = record.lineItems.findIndex((line, n) => !sameLine(line, current.lineItems[n]))
  fixed(
    differs < 0 ? 'order.lineItems' : `order.lineItems.${differs}`,
    differs < 0 && record.lineItems.length === current.lineItems.length,
    'lines',
  )
}

/** The calls that lead from one state to another; undefined if there is no transition. */
function wayTo(target: OrderState, row: NativeOrder): Operation[] | undefined {
  const state = stateOf(row, silent)
  if (target === state) return []
  if (state === 'CANCELED') return undefined
  if (target === 'CANCELED') return ['orderCancel']
  if (target === 'COMPLETED') return state === 'PENDING' ? ['orderMarkAsPaid', 'orderClose'] : ['orderClose']
  const way: Operation[] = row.closed ? ['orderOpen'] : []
  const reopened = stateOf({ ...row, closed: false }, silent)
  if (target === reopened) return way
  return target === 'OPEN' && reopened === 'PENDING' && row.displayFulfillmentStatus !== 'FULFILLED'
    ? [...way, 'orderMarkAsPaid']
    : undefined
}
/** Whether a step of the transition has already happened: some steps are rejected when they are repeated. */
const isDone: Readonly<Partial<Record<Operation, (row: NativeOrder) => boolean>>> = {
  orderMarkAsPaid: (row) => row.displayFinancialStatus === 'PAID',
  orderClose: (row) => row.closed,
  orderOpen: (row) => !row.closed,
  orderCancel: (row) => row.cancelledAt !== null,
}
interface Gone {
  id: string
  job?: { id: string; done: boolean }
}
async function go(call: WriteCall, step: Operation, id: string): Promise<void> {
  const { job } = await call.write<Gone>(step, {
    request: operation(step, { id }),
    read: ({ body }) => ({ id: idOf(id), job: body.data.orderCancel?.job ?? undefined }),
    recovery: {
      find: async () => {
        const row = await readOrder(call, id)
        return row && isDone[step]!(row) ? { id: idOf(id) } : undefined
      },
    },
  })
  if (job && !job.done) await finished(call, job.id)
}
/**
 * A cancellation runs in the background; the account's pacing spaces the polls. If it takes longer, the response shows
 * that the order is not canceled yet.
 */
async function finished(call: WriteCall, id: string): Promise<void> {
  for (let round = 0; round < 20; round++) if ((await ask(call, 'job', { id })).job?.done !== false) return
}
export const cancel = (call: WriteCall, id: string): Promise<void> => go(call, 'orderCancel', id)

export async function update(
  call: WriteCall,
  row: NativeOrder,
  record: Order,
): Promise<{ id: string; row?: NativeOrder }> {
  const current = toUnified(row, { ...silent, account: call.account })
  refuseFixed(record, current)
  const way = record.state === undefined ? [] : wayTo(record.state, row)
  if (!way) throw refusal('order.state', `An order that is ${current.state} cannot become ${record.state} at Shopify`)
  const steps: [name: string, step: Operation, variables: Record<string, unknown>][] = []
  if (record.note !== current.note)
    steps.push(['note', 'orderUpdate', { input: { id: row.id, note: record.note ?? '' } }])
  if (record.customerExternalId !== current.customerExternalId)
    steps.push(
      record.customerExternalId === undefined
        ? ['customer', 'orderCustomerRemove', { id: row.id }]
        : [
            'customer',
            'orderCustomerSet',
            { id: row.id, customer: referenceTo('Customer', record.customerExternalId, 'order.customer') },
          ],
    )
  for (const [name, step, variables] of steps)
    await call.write(name, {
      request: operation(step, variables),
      read: () => ({ id: idOf(row.id) }),
      recovery: 'repeat',
    })
  for (const step of way) await go(call, step, row.id)
  return steps.length || way.length ? { id: idOf(row.id) } : { id: idOf(row.id), row }
}
