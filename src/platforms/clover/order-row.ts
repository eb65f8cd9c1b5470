// Clover's order and how it is read: https://docs.clover.com/dev/docs/creating-custom-orders
import type { Excluded, Mapping, ReadCall } from '../../contract/connector.ts'
import type { Discount, Fulfillment, Order, OrderState, ServiceCharge, Tax } from '../../contract/entities/order.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { ifFound } from '../../kit/errors.ts'
import { compact, flag, number, text } from '../../kit/fields.ts'
import { fromMinor } from '../../kit/money.ts'
import { get, path } from '../../kit/requests.ts'
import { stateTable } from '../../kit/states.ts'
import { fromUnixMs } from '../../kit/time.ts'
import { below, type Elements, elementsOf, merchantOf, rowsIn } from './account.ts'
import { type Joined, largestPage } from './listing.ts'
import {
  amountOf,
  discountOf,
  type FoldedLine,
  feesIn,
  foldLines,
  goodsIn,
  halfUp,
  lineReductions,
  type NativeDiscount,
  type NativeLine,
  type NativeRate,
  percentIn,
  percentOf,
  type Reduction,
  reductionsOf,
  sumOf,
  whole,
} from './order-lines.ts'

export interface NativePayment {
  amount?: number // without the tip
  taxAmount?: number
  tipAmount?: number
  result?: string
  createdTime?: number
  clientCreatedTime?: number // of the device: an offline payment arrives later
}
export interface NativeOrder {
  id: string
  currency?: string
  employee?: { id?: string }
  title?: string
  note?: string
  total?: number
  state?: string
  paymentState?: string
  taxRemoved?: boolean
  isVat?: boolean
  testMode?: boolean
  createdTime?: number
  clientCreatedTime?: number
  modifiedTime?: number
  deletedTimestamp?: number
  orderType?: { labelKey?: string; systemOrderTypeId?: string }
  serviceCharge?: { name?: string; percentage?: number; percentageDecimal?: number; isAutoApplied?: boolean }
  discounts?: Elements<NativeDiscount>
  customers?: Elements<{ id: string }>
  lineItems?: Elements<NativeLine>
  payments?: Elements<NativePayment>
  refunds?: Elements<NativeRefund>
  credits?: Elements<{ amount?: number; result?: string; voided?: boolean }>
}

/** Money that was received: https://docs.clover.com/dev/docs/payments. A void that failed left the payment as it was. */
const received = ['SUCCESS', 'AUTH_COMPLETED', 'VOID_FAILED']
export const paymentsOf = (order: NativeOrder): NativePayment[] =>
  elementsOf(order.payments).filter(({ result }) => received.includes(text(result) ?? ''))

const linesOf = (order: NativeOrder): readonly NativeLine[] => elementsOf(order.lineItems)

interface TaxSum {
  rate: NativeRate
  base: number
  amount: number
}
interface Fraction {
  top: bigint
  bottom: bigint
}
const plus = (a: Fraction, b: Fraction): Fraction =>
  a.bottom === b.bottom
    ? { top: a.top + b.top, bottom: a.bottom }
    : { top: a.top * b.bottom + b.top * a.bottom, bottom: a.bottom * b.bottom }
const none: Fraction = { top: 0n, bottom: 1n }
const fullRate = 10_000_000n

/** What an order consists of, computed from its lines as Clover does it. */
export interface OrderSum {
  lines: number // after all discounts
  orderReductions: Reduction[]
  charges: { name: string | undefined; kind: ServiceCharge['kind']; amount: number }[]
  taxes: TaxSum[]
  tax: number
  total: number
}
const feeKind = (line: NativeLine): ServiceCharge['kind'] =>
  text(line.orderFeeType) === 'AUTO_GRATUITY' ? 'GRATUITY' : flag(line.isPlatformOrderFee) ? 'OTHER' : 'SERVICE'
export function sumsOf(order: NativeOrder, lines = linesOf(order)): OrderSum {
  const goods = goodsIn(lines)
  const costs = goods.map((line) => amountOf(line) - discountOf(line))
  const subtotal = costs.reduce((sum, cost) => sum + cost, 0)
  const orderReductions = reductionsOf(subtotal, elementsOf(order.discounts))
  const discounted = subtotal - sumOf(orderReductions)
  const { serviceCharge } = order
  const service =
    serviceCharge &&
    (number(serviceCharge.percentageDecimal) === undefined
      ? whole(serviceCharge.percentage) * 10_000
      : whole(serviceCharge.percentageDecimal))
  const fees = feesIn(lines)
  const feeOf = (line: NativeLine) =>
    whole(line.percentage) > 0 ? percentOf(subtotal, whole(line.percentage)) : amountOf(line)
  const charges = [
    ...(service
      ? [
          {
            name: text(serviceCharge.name),
            kind: flag(serviceCharge.isAutoApplied) ? ('GRATUITY' as const) : ('SERVICE' as const),
            amount: percentOf(discounted, service),
          },
        ]
      : []),
    ...fees.map((line) => ({
      name: text(line.name),
      kind: feeKind(line),
      amount: feeOf(line),
    })),
  ]
  const costOf = new Map<NativeLine, Fraction>([
    ...goods.map((line, n) => [line, scaled(costs[n]!, discounted, subtotal)] as const),
    ...fees.map((line) => [line, { top: BigInt(feeOf(line)), bottom: 1n }] as const),
  ])
  const taxes = flag(order.taxRemoved) ? [] : taxesOf(costOf, flag(order.isVat) === true)
  const tax = sumOf(taxes)
  const total = discounted + sumOf(charges) + (flag(order.isVat) ? 0 : tax)
  return { lines: discounted, orderReductions, charges, taxes, tax, total }
}
/** A discount on the order is spread over all lines, not rounded. */
const scaled = (cost: number, part: number, all: number): Fraction =>
  part === all ? { top: BigInt(cost), bottom: 1n } : { top: BigInt(cost) * BigInt(part), bottom: BigInt(all) }

/** Each rate is rounded once, on the sum of its lines. With VAT the rates of a line are inside its price. */
function taxesOf(costs: ReadonlyMap<NativeLine, Fraction>, isVat: boolean): TaxSum[] {
  const sums = new Map<string, { rate: NativeRate; base: Fraction; amount: Fraction }>()
  for (const [line, cost] of costs) {
    const rates = elementsOf(line.taxRates)
    const all = rates.reduce((sum, { rate }) => sum + BigInt(whole(rate)), 0n)
    const flat = rates.reduce((sum, { taxAmount }) => sum + BigInt(whole(taxAmount)), 0n)
    for (const rate of rates) {
      const percent = BigInt(whole(rate.rate))
      const id = text(rate.id) ?? ''
      const known = sums.get(id) ?? { rate, base: none, amount: none }
      const amount = isVat
        ? { top: (cost.top - flat * cost.bottom) * percent, bottom: cost.bottom * (fullRate + all) }
        : { top: cost.top * percent, bottom: cost.bottom * fullRate }
      const fixed = { top: BigInt(whole(rate.taxAmount)) * amount.bottom, bottom: amount.bottom }
      sums.set(id, {
        rate,
        base: plus(known.base, cost),
        amount: plus(known.amount, plus(amount, fixed)),
      })
    }
  }
  return [...sums.values()].map(({ rate, base, amount }) => ({
    rate,
    base: halfUp(base.top, base.bottom),
    amount: halfUp(amount.top, amount.bottom),
  }))
}

const paidStates = ['PAID', 'REFUNDED', 'PARTIALLY_REFUNDED', 'CREDITED']
const isPaid = (order: NativeOrder): boolean =>
  paidStates.includes(text(order.paymentState) ?? '') && paymentsOf(order).length > 0

interface NativeRefund {
  amount?: number // with tax and tip
  tipAmount?: number
  status?: string
  voided?: boolean
}
/** What went back, without tips. */
export const refundedOf = (refunds: Elements<NativeRefund> | undefined): number =>
  elementsOf(refunds)
    .filter(({ status, voided }) => !flag(voided) && [undefined, 'SUCCESS'].includes(text(status)))
    .reduce((sum, { amount, tipAmount }) => sum + whole(amount) - whole(tipAmount), 0)

export interface Totals extends OrderSum {
  shown: number | undefined // the total before refunds
  tip: number | undefined
  tipIncluded: boolean | undefined
  refunded: number
}
/**
 * Clover's total no longer contains refunded lines, and that of its e-commerce contains the tip. Once an order is paid in
 * full, its payments say what the tax was.
 */
export function totalsOf(order: NativeOrder): Totals {
  const computed = sumsOf(order)
  const payments = paymentsOf(order)
  const taxes = payments.map(({ taxAmount }) => number(taxAmount))
  const tax =
    isPaid(order) && taxes.every((one) => one !== undefined)
      ? taxes.reduce<number>((sum, one) => sum + whole(one), 0)
      : computed.tax
  const before = computed.total + (flag(order.isVat) ? 0 : tax - computed.tax)
  const tip = payments.length > 0 ? payments.reduce((sum, { tipAmount }) => sum + whole(tipAmount), 0) : undefined
  const refunded =
    refundedOf(order.refunds) +
    elementsOf(order.credits)
      .filter(({ result, voided }) => !flag(voided) && [undefined, ...received].includes(text(result)))
      .reduce((sum, { amount }) => sum + whole(amount), 0)
  const native = number(order.total)
  const tipIncluded = tip !== undefined && tip > 0 && native === before + tip
  const paid = payments.reduce((sum, { amount }) => sum + whole(amount), 0)
  const isReduced = native !== before && linesOf(order).some((line) => flag(line.refunded)) && paid === before
  return {
    ...computed,
    tax,
    shown: isReduced ? before : native,
    tip,
    tipIncluded: tip === undefined ? undefined : tipIncluded,
    refunded,
  }
}
/** Whether the total is what the lines make: if not, the rates of the lines may be missing. */
const addsUp = (order: NativeOrder): boolean => {
  const { shown, tipIncluded, tip = 0, lines, charges, tax } = totalsOf(order)
  return shown === lines + sumOf(charges) + (flag(order.isVat) ? 0 : tax) + (tipIncluded ? tip : 0)
}
export const foldOrder = (order: NativeOrder, sums = sumsOf(order)): FoldedLine[] =>
  foldLines({
    lines: linesOf(order),
    currency: order.currency,
    isVat: flag(order.isVat) === true,
    orderDiscount: sumOf(sums.orderReductions),
  })

/**
 * A call has at most three expansions, and an order needs nine: three calls for each page. The page of lists names no
 * `lineItems.taxRates`, but the one about expansions does: https://docs.clover.com/dev/docs/expanding-fields
 */
export const orderParts = [
  'lineItems.discounts,lineItems.modifications,lineItems.taxRates',
  'customers,payments,discounts',
  'serviceCharge,refunds,orderType',
] as const
const nestedLimit = 100 // nested lists are truncated there and cannot be paged

export async function readLines(call: ReadCall, orderId: string): Promise<NativeLine[]> {
  const lines: NativeLine[] = []
  for (let more = true; more; ) {
    const page = rowsIn<NativeLine>(
      await call.read(
        get(below(call, path`/orders/${orderId}/line_items`), {
          expand: 'discounts,modifications,taxRates',
          limit: largestPage,
          offset: lines.length,
        }),
      ),
    )
    lines.push(...page)
    more = page.length === largestPage
  }
  return lines
}
async function readPart(call: ReadCall, id: string, expand: string): Promise<NativeOrder | undefined> {
  return (await ifFound(call.read(get(below(call, path`/orders/${id}`), { expand }))))?.body
}
/** The parts of an order that changes between the calls belong together after a few attempts. */
async function readWhole(call: ReadCall, id: string): Promise<NativeOrder | undefined> {
  for (let attempt = 1; ; attempt++) {
    const parts: NativeOrder[] = []
    for (const expand of orderParts) {
      const part = await readPart(call, id, expand)
      if (!part) return undefined
      parts.push(part)
    }
    if (attempt === 3 || parts.every(({ modifiedTime }) => modifiedTime === parts[0]!.modifiedTime))
      return Object.assign({}, ...parts)
  }
}
/** Reads what the list lacks: of an order that changed meanwhile, with many lines, or with credits. */
export async function finishOrder(call: ReadCall, listed: Joined<NativeOrder>): Promise<NativeOrder> {
  const { torn, ...row } = listed
  const order = torn ? ((await readWhole(call, row.id)) ?? row) : row
  const { credits } =
    text(order.paymentState) === 'CREDITED' ? ((await readPart(call, order.id, 'credits')) ?? {}) : order
  const lines = elementsOf(order.lineItems)
  // Of prices with tax, no total tells whether there was one.
  const unexplained = flag(order.isVat) === true || !addsUp(order)
  const lacksRates = !isPaid(order) && lines.every(({ taxRates }) => !taxRates) && unexplained
  return {
    ...order,
    ...(credits && { credits }),
    ...((lines.length >= nestedLimit || lacksRates) && { lineItems: { elements: await readLines(call, order.id) } }),
  }
}
export async function readOrder(call: ReadCall, id: string): Promise<NativeOrder | undefined> {
  const order = await readWhole(call, id)
  return order && finishOrder(call, order)
}

const states = stateTable({ open: 'OPEN', locked: 'COMPLETED' })
const paid: Readonly<Record<string, OrderState>> = {
  PAID: 'COMPLETED',
  REFUNDED: 'COMPLETED',
  PARTIALLY_REFUNDED: 'COMPLETED',
  CREDITED: 'COMPLETED',
  PARTIALLY_PAID: 'OPEN',
}
/** Payments take precedence over the state, which is free text. Without a state an order is hidden and incomplete. */
export function stateOf(row: NativeOrder, mapping: Pick<Mapping, 'warn'>): OrderState | undefined {
  if (row.deletedTimestamp) return 'CANCELED'
  return paid[text(row.paymentState) ?? ''] ?? (text(row.state) ? states.read(row.state, mapping) : 'PENDING')
}
export const numberOf = ({ title, id }: NativeOrder): string => text(title) ?? id
export const customerOf = ({ customers }: NativeOrder): string | undefined => elementsOf(customers)[0]?.id

function discountsOf(row: NativeOrder, { orderReductions }: OrderSum): Discount[] | undefined {
  const onLines = Map.groupBy(goodsIn(linesOf(row)).flatMap(lineReductions), ({ name, percent }) =>
    JSON.stringify([name, percent]),
  )
  const shown = (scope: Discount['scope'], { name, percent, amount }: Reduction) =>
    compact({ name, scope, amount: fromMinor(amount, row.currency), percent }) as Discount
  const found = [
    ...orderReductions.map((one) => shown('ORDER', one)),
    ...[...onLines.values()].map((same) => shown('LINE', { ...same[0]!, amount: sumOf(same) })),
  ]
  return found.length > 0 ? found : undefined
}
/** Taxes by rate, if they are what was collected: the last cent of several payments is not of one rate. */
function ratesOf(row: NativeOrder, { taxes, tax }: Totals): Tax[] | undefined {
  if (taxes.length === 0 || sumOf(taxes) !== tax) return undefined
  return taxes.map(
    ({ rate, base, amount }) =>
      compact({
        taxRateExternalId: text(rate.id),
        name: text(rate.name),
        rate: percentIn(number(rate.rate)),
        amount: fromMinor(amount, row.currency),
        base: fromMinor(base, row.currency),
        included: flag(row.isVat) === true,
      }) as Tax,
  )
}
/** Clover documents no list: these are the types that it creates for every merchant. */
const orderTypes: Readonly<Record<string, Fulfillment['type']>> = {
  'DINE-IN-TYPE': 'DINE_IN',
  'TAKE-OUT-TYPE': 'TAKEOUT',
  'DELIVERY-TYPE': 'DELIVERY',
}
/** When it was paid, which a device without a connection reports later; else when it was opened. */
function soldAt(row: NativeOrder): string | undefined {
  const times = isPaid(row)
    ? paymentsOf(row).map((one) => number(one.clientCreatedTime) ?? number(one.createdTime))
    : []
  const known = times.filter((time) => time !== undefined)
  return fromUnixMs(known.length > 0 ? Math.max(...known) : (row.clientCreatedTime ?? row.createdTime))
}
/** Money back without a sale is an order with credits and nothing paid. */
export function excluded(row: NativeOrder): Excluded | undefined {
  if (flag(row.testMode)) return { as: 'test' }
  const isRefund = text(row.paymentState) === 'CREDITED' && elementsOf(row.payments).length === 0
  return isRefund ? { as: 'refund' } : undefined
}

export function toUnified(row: NativeOrder, mapping: Pick<Mapping, 'warn' | 'account'>): Order {
  const totals = totalsOf(row)
  const folded = foldOrder(row, totals)
  const money = (minor: number | undefined) => fromMinor(minor, row.currency)
  const { charges } = totals
  const reductions = sumOf(totals.orderReductions) + sumOf(goodsIn(linesOf(row)).flatMap(lineReductions))
  const processedAt = soldAt(row)
  const type = orderTypes[text(row.orderType?.systemOrderTypeId) ?? '']
  return {
    externalId: row.id,
    orderNumber: numberOf(row),
    processedAt,
    businessDate: businessDateOf(processedAt, zoneOf(mapping.account.settings), mapping.account.settings),
    customerExternalId: customerOf(row),
    locationExternalId: merchantOf(mapping.account),
    employeeExternalId: text(row.employee?.id),
    fulfillment: type && { type },
    currencyCode: text(row.currency),
    state: stateOf(row, mapping),
    note: text(row.note),
    taxIncluded: flag(row.isVat) === true,
    subtotal: money(totals.lines),
    discountTotal: money(reductions),
    serviceChargeTotal: charges.length > 0 ? money(sumOf(charges)) : undefined,
    serviceCharges:
      charges.length > 0
        ? charges.map(({ name, kind, amount }) => compact({ name, kind, amount: money(amount) }) as ServiceCharge)
        : undefined,
    discounts: discountsOf(row, totals),
    tipTotal: money(totals.tip),
    tipIncluded: totals.tipIncluded,
    refundTotal: totals.refunded > 0 ? money(totals.refunded) : undefined,
    total: money(totals.shown),
    taxTotal: money(totals.tax),
    taxes: ratesOf(row, totals),
    lineItems: folded.map(({ unified }) => unified),
  }
}
