// Shopify's order and how it is read: https://shopify.dev/docs/api/admin-graphql/2026-07/objects/Order
import type { Mapping, ReadCall } from '../../contract/connector.ts'
import type {
  Discount,
  Fulfillment,
  FulfillmentState,
  LineItem,
  Order,
  OrderState,
  Tax,
} from '../../contract/entities/order.ts'
import { businessDateOf, zoneOf } from '../../kit/business-day.ts'
import { filled, flag, list, members, number, text } from '../../kit/fields.ts'
import { distribute } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { toUtc } from '../../kit/time.ts'
import { ask, type Connection, gidOf, idOf, type Money, type MoneyBag, moneyOf, nextOf, referred, sum } from './api.ts'
import type { Operation } from './operations.ts'

export interface NativeTax {
  title: string
  ratePercentage: number | null
  channelLiable: boolean | null // null: unknown
  priceSet: MoneyBag
}
export interface NativeLine {
  id: string
  name: string
  sku: string | null
  quantity: number // with the units that were taken out or came back
  currentQuantity: number
  isGiftCard: boolean
  taxable: boolean
  requiresShipping: boolean
  variant: { id: string } | null
  originalUnitPriceSet: MoneyBag
  originalTotalSet: MoneyBag
  discountAllocations: { allocatedAmountSet: MoneyBag; discountApplication: { index: number } }[]
  taxLines: NativeTax[]
}
/** An entry of the ledger: signed, with taxes and less discounts. */
export interface NativeSale {
  agreement: string // the type of what it belongs to: OrderEditAgreement
  __typename: string
  actionType: string
  quantity: number | null
  totalAmount: MoneyBag
  totalTaxAmount: MoneyBag
  taxes: { amount: MoneyBag; taxLine: Pick<NativeTax, 'title' | 'ratePercentage'> }[]
  lineItem?: { id: string }
}
export interface NativeOrder {
  id: string
  name: string
  processedAt: string
  updatedAt: string
  cancelledAt: string | null
  closed: boolean
  closedAt: string | null
  test: boolean
  edited: boolean
  note: string | null
  currencyCode: string
  sourceName: string | null
  app: { name: string } | null
  displayFinancialStatus: string | null
  displayFulfillmentStatus: string
  taxesIncluded: boolean
  dutiesIncluded: boolean
  customer: { id: string } | null
  retailLocation: { id: string } | null
  totalPriceSet: MoneyBag
  totalTaxSet: MoneyBag | null
  totalTipReceivedSet: MoneyBag
  totalRefundedSet: MoneyBag
  originalTotalDutiesSet: MoneyBag | null
  totalCashRoundingAdjustment: { paymentSet: MoneyBag } | null
  additionalFees: { name: string; price: MoneyBag; taxLines: NativeTax[] }[]
  discountApplications: Connection<{
    index: number
    targetSelection: string
    targetType: string
    title?: string
    code?: string
    value: { percentage?: number } | null
  }>
  shippingLines: Connection<{ discountedPriceSet: MoneyBag; taxLines: NativeTax[] }>
  lineItems: Connection<NativeLine>
  shop?: { ianaTimezone: string } | null // an order has no time zone of its own
  sales?: NativeSale[] // only where the order itself leaves something open
}
/** An order has no state field: this maps its payment status if it is neither canceled nor archived. */
const payments = stateTable({
  PENDING: 'PENDING',
  AUTHORIZED: 'PENDING',
  EXPIRED: 'PENDING',
  PAID: 'OPEN',
  PARTIALLY_PAID: 'OPEN',
  PARTIALLY_REFUNDED: 'OPEN',
  REFUNDED: 'COMPLETED',
  VOIDED: 'CANCELED',
})
export function stateOf(
  row: Pick<NativeOrder, 'cancelledAt' | 'closed' | 'displayFinancialStatus' | 'displayFulfillmentStatus'>,
  mapping: Pick<Mapping, 'warn'>,
): OrderState | undefined {
  if (row.cancelledAt) return 'CANCELED'
  if (flag(row.closed)) return 'COMPLETED'
  const paid = payments.read(row.displayFinancialStatus ?? 'PENDING', mapping)
  return paid === 'OPEN' && row.displayFulfillmentStatus === 'FULFILLED' ? 'COMPLETED' : paid
}
/** "pos" and "web" are Shopify's own; others are names of channels, or numbers of apps. */
function channelOf({ sourceName, app }: NativeOrder): string | undefined {
  const source = text(sourceName)
  if (source === 'pos') return 'POS'
  if (source === 'web') return 'ONLINE'
  return source === undefined || /^\d+$/.test(source) ? (text(app?.name) ?? source) : source
}
const fulfillments: Readonly<Record<string, FulfillmentState>> = {
  FULFILLED: 'FULFILLED',
  IN_PROGRESS: 'IN_PROGRESS',
  ON_HOLD: 'NEW',
  OPEN: 'NEW',
  PARTIALLY_FULFILLED: 'IN_PROGRESS',
  PENDING_FULFILLMENT: 'NEW',
  RESTOCKED: 'CANCELED',
  SCHEDULED: 'NEW',
  UNFULFILLED: 'NEW',
}
/** The delivery method is a part of fulfillment orders, which need scopes of their own. */
function fulfillmentOf(row: NativeOrder): Fulfillment | undefined {
  const isTakenAlong = row.sourceName === 'pos' && row.retailLocation && list(row.shippingLines?.nodes).length === 0
  return filled({
    type: isTakenAlong ? ('IN_STORE' as const) : undefined,
    state: fulfillments[text(row.displayFulfillmentStatus) ?? ''],
  })
}

/* Amounts, in whole minor units. Tips are lines of their own, which only the ledger of the order names. */

const isPlain = (line: NativeLine): boolean =>
  !line.variant && !flag(line.taxable) && !flag(line.requiresShipping) && !flag(line.isGiftCard)
const grossOf = ({ minor }: Money, line: NativeLine): number => minor(line.originalTotalSet)
const discountOf = ({ minor }: Money, line: NativeLine): number =>
  sum(list(line.discountAllocations).map(({ allocatedAmountSet }) => minor(allocatedAmountSet)))
/**
 * A tip has no variant, no taxes and no shipping. If all lines of this form make the tip of the order, they are the tip;
 * otherwise some of them are, and the ledger tells. Undefined: it must be asked.
 */
function tipLines(row: NativeOrder): ReadonlySet<string> | undefined {
  const money = moneyOf(row.currencyCode)
  const tip = money.minor(row.totalTipReceivedSet)
  if (tip === 0) return new Set()
  const plain = list(row.lineItems?.nodes).filter(isPlain)
  if (sum(plain.map((line) => grossOf(money, line) - discountOf(money, line))) === tip)
    return new Set(plain.map(({ id }) => id))
  if (!row.sales) return undefined
  return new Set(
    list(row.sales).flatMap(({ __typename, lineItem }) => (__typename === 'TipSale' && lineItem ? lineItem.id : [])),
  )
}
/** Whether the ledger is needed: for a tip, or for units that may have been taken out. */
const needsSales = (row: NativeOrder): boolean => flag(row.edited) === true || tipLines(row) === undefined

/* Edits: Shopify's total and quantities keep the units that were taken out. */

const isRemoval = ({ agreement, actionType }: NativeSale): boolean =>
  agreement === 'OrderEditAgreement' && text(actionType) === 'RETURN'
const removalsOf = (row: NativeOrder): NativeSale[] => list(row.sales).filter(isRemoval)

interface Kept {
  line: NativeLine
  quantity: number
  total: number
  discount: number
  taxes: { tax: NativeTax; amount: number }[]
}
function keptOf(row: NativeOrder, line: NativeLine, money: Money): Kept {
  const { minor } = money
  const gone = removalsOf(row).filter(({ lineItem }) => lineItem?.id === line.id)
  const taxes = list(line.taxLines).map((tax) => ({
    tax,
    amount:
      minor(tax.priceSet) +
      sum(
        gone
          .flatMap((sale) => list(sale.taxes))
          .filter(({ taxLine }) => rateKey(members(taxLine)) === rateKey(tax))
          .map(({ amount }) => minor(amount)),
      ),
  }))
  const quantity = (number(line.quantity) ?? 0) + sum(gone.map((sale) => number(sale.quantity) ?? 0))
  const whole = grossOf(money, line) - discountOf(money, line)
  const total = whole + sum(gone.map((sale) => netOf(row, sale, money)))
  const price = minor(line.originalUnitPriceSet)
  return {
    line,
    quantity,
    total,
    discount: gone.length === 0 ? discountOf(money, line) : price * quantity - total,
    taxes,
  }
}
/** Of a signed sale, on the tax basis of the order. */
const netOf = (row: NativeOrder, sale: NativeSale, { minor }: Money): number =>
  minor(sale.totalAmount) - (flag(row.taxesIncluded) ? 0 : minor(sale.totalTaxAmount))

/* Taxes */

interface Levied {
  tax: NativeTax
  amount: number
}
const toTax = ({ tax, amount }: Levied, included: boolean | undefined, { major }: Money): Tax => ({
  name: text(tax.title),
  rate: number(tax.ratePercentage),
  amount: major(amount),
  included,
  remittedByMarketplace: flag(tax.channelLiable),
})
/** A tax has no id. */
const rateKey = ({ title, ratePercentage }: Partial<NativeTax>): string =>
  JSON.stringify([text(title), number(ratePercentage)])
/** One for each title, rate and payer. */
function bundled(levied: readonly Levied[]): Levied[] {
  const bundles = new Map<string, Levied>()
  for (const { tax, amount } of levied) {
    const key = JSON.stringify([rateKey(tax), flag(tax.channelLiable)])
    bundles.set(key, { tax, amount: amount + (bundles.get(key)?.amount ?? 0) })
  }
  return [...bundles.values()]
}
const leviedOn = (taxed: { taxLines: NativeTax[] }, { minor }: Money): Levied[] =>
  list(taxed.taxLines).map((tax) => ({ tax, amount: minor(tax.priceSet) }))

/* Discounts */

/** Each application with what the lines that are left got of it. Discounts on shipping are inside its price. */
function discountsOf(row: NativeOrder, kept: readonly Kept[], { minor, major }: Money): Discount[] {
  const amounts = new Map<number, number>()
  for (const { line, discount } of kept) {
    const allocations = list(line.discountAllocations)
    const shares = distribute(
      discount,
      allocations.map(({ allocatedAmountSet }) => minor(allocatedAmountSet)),
    )
    for (const [n, { discountApplication }] of allocations.entries()) {
      const index = number(members(discountApplication).index)
      if (index !== undefined) amounts.set(index, (amounts.get(index) ?? 0) + shares[n]!)
    }
  }
  return list(row.discountApplications?.nodes)
    .filter(({ targetType }) => text(targetType) === 'LINE_ITEM')
    .map(({ index, targetSelection, title, code, value }) => ({
      name: text(title) ?? text(code),
      scope: text(targetSelection) === 'ALL' ? 'ORDER' : 'LINE',
      amount: major(amounts.get(number(index) ?? -1) ?? 0),
      percent: number(value?.percentage),
    }))
}

function toLine({ line, quantity, total, discount, taxes }: Kept, row: NativeOrder, money: Money): LineItem {
  const { minor, major } = money
  return {
    externalId: referred(line),
    productExternalId: referred(line.variant), // the line of a deleted variant remains
    sku: text(line.sku),
    name: text(line.name),
    kind: flag(line.isGiftCard) ? 'GIFT_CARD' : 'ITEM',
    quantity,
    unitPrice: major(minor(line.originalUnitPriceSet)),
    lineTax: major(sum(taxes.map(({ amount }) => amount))),
    lineDiscount: major(discount),
    lineTotal: major(total),
    taxes: taxes.length > 0 ? taxes.map((tax) => toTax(tax, flag(row.taxesIncluded), money)) : undefined,
  }
}

/** All amounts of an order, and its lines. Returns and refunds change none but `refundTotal`. */
function amountsOf(row: NativeOrder) {
  const money = moneyOf(row.currencyCode)
  const { minor, major } = money
  const included = flag(row.taxesIncluded)
  const lines = list(row.lineItems?.nodes)
  const tips = tipLines(row)
  const kept = lines
    .filter(({ id }) => !tips?.has(id))
    .map((line) => keptOf(row, line, money))
    .filter(({ quantity }) => quantity !== 0)
  const tipped = lines.filter(({ id }) => tips?.has(id)).map((line) => keptOf(row, line, money))
  const shipping = list(row.shippingLines?.nodes)
  const fees = list(row.additionalFees)
  const duties = flag(row.dutiesIncluded) ? 0 : minor(row.originalTotalDutiesSet)
  const charges = [
    ...(duties === 0 ? [] : [{ name: 'Duties', amount: duties, tax: undefined }]),
    ...fees.map((fee) => ({
      name: text(fee.name),
      amount: minor(fee.price),
      tax: sum(leviedOn(fee, money).map(({ amount }) => amount)),
    })),
  ]
  const levied = [
    ...kept.flatMap(({ taxes }) => taxes),
    ...[...shipping, ...fees].flatMap((charge) => leviedOn(charge, money)),
  ]
  const removals = removalsOf(row)
  // Cash is rounded when it is paid: Shopify's total is before it.
  const rounding = minor(row.totalCashRoundingAdjustment?.paymentSet)
  const discounts = discountsOf(row, kept, money)
  const taxes = bundled(levied)
  return {
    taxIncluded: included,
    subtotal: major(sum(kept.map(({ total }) => total))),
    discountTotal: major(sum(kept.map(({ discount }) => discount))),
    serviceChargeTotal: major(sum(charges.map(({ amount }) => amount))),
    serviceCharges:
      charges.length > 0
        ? charges.map(({ name, amount, tax }) => ({
            name,
            kind: 'OTHER' as const,
            amount: major(amount),
            taxAmount: tax === undefined ? undefined : major(tax),
          }))
        : undefined,
    shippingTotal: major(sum(shipping.map(({ discountedPriceSet }) => minor(discountedPriceSet)))),
    tipTotal: major(tipped.length > 0 ? sum(tipped.map(({ total }) => total)) : minor(row.totalTipReceivedSet)),
    tipIncluded: true,
    roundingTotal: major(rounding),
    refundTotal: major(minor(row.totalRefundedSet)),
    total: major(minor(row.totalPriceSet) + sum(removals.map(({ totalAmount }) => minor(totalAmount))) + rounding),
    taxTotal: row.totalTaxSet
      ? major(minor(row.totalTaxSet) + sum(removals.map(({ totalTaxAmount }) => minor(totalTaxAmount))))
      : undefined,
    discounts: discounts.length > 0 ? discounts : undefined,
    taxes: taxes.length > 0 ? taxes.map((tax) => toTax(tax, included, money)) : undefined,
    lineItems: kept.map((line) => toLine(line, row, money)),
  }
}

/** As ordered and edited: what came back later changes only `refundTotal`. */
export function toUnified(row: NativeOrder, mapping: Pick<Mapping, 'warn' | 'account'>): Order {
  const processedAt = toUtc(row.processedAt)
  return {
    externalId: idOf(row.id),
    orderNumber: text(row.name),
    processedAt,
    closedAt: toUtc(row.closedAt),
    businessDate: businessDateOf(
      processedAt,
      zoneOf({ timezone: text(row.shop?.ianaTimezone) ?? '' }),
      mapping.account.settings,
    ),
    customerExternalId: referred(row.customer),
    locationExternalId: referred(row.retailLocation),
    channel: channelOf(row),
    fulfillment: fulfillmentOf(row),
    currencyCode: row.currencyCode,
    state: stateOf(row, mapping),
    note: text(row.note),
    ...amountsOf(row),
  }
}

type Part = 'lineItems' | 'shippingLines' | 'discountApplications'
async function allOf<P extends Part>(call: ReadCall, row: NativeOrder, part: P, further: Operation) {
  const nodes: unknown[] = [...(row[part]?.nodes ?? [])] // with what is null: `toUnified` warns of it
  for (let after = nextOf(row[part]); after !== undefined; ) {
    const found: Connection<unknown> | undefined = (await ask(call, further, { id: row.id, after })).order?.[part]
    if (!found) break // deleted in the meantime
    nodes.push(...found.nodes)
    after = nextOf(found)
  }
  return { nodes } as NativeOrder[P]
}
interface Agreement {
  __typename: string
  sales: Connection<Omit<NativeSale, 'agreement'>>
}
async function salesOf(call: ReadCall, id: string): Promise<NativeSale[]> {
  const found: NativeSale[] = []
  for (let after: string | undefined, sales: string | undefined; ; ) {
    const agreements: Connection<Agreement> | undefined = (await ask(call, 'orderSales', { id, after, sales })).order
      ?.agreements
    const agreement = agreements?.nodes[0]
    if (!agreements || !agreement) return found
    found.push(...agreement.sales.nodes.map((sale) => ({ ...sale, agreement: agreement.__typename })))
    sales = nextOf(agreement.sales)
    if (sales !== undefined) continue
    after = nextOf(agreements)
    if (after === undefined) return found
  }
}
/** With all of its lines, and with its ledger if they do not tell everything. */
export async function completed(call: ReadCall, row: NativeOrder): Promise<NativeOrder> {
  const whole = {
    ...row,
    lineItems: await allOf(call, row, 'lineItems', 'orderLines'),
    shippingLines: await allOf(call, row, 'shippingLines', 'orderShipping'),
    discountApplications: await allOf(call, row, 'discountApplications', 'orderDiscounts'),
  }
  return needsSales(whole) ? { ...whole, sales: await salesOf(call, row.id) } : whole
}
export async function readOrder(call: ReadCall, id: string): Promise<NativeOrder | undefined> {
  const gid = gidOf('Order', id)
  if (!gid) return undefined
  const { order, shop } = await ask(call, 'order', { id: gid })
  return order ? completed(call, { ...order, shop }) : undefined
}
