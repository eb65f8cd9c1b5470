// Shopify's order and how it is read: https://shopify.dev/docs/api/admin-graphql/2026-07/objects/Order
import type { Mapping, ReadCall } from '../../contract/connector.ts'
import type { LineItem, Order, OrderState } from '../../contract/entities/order.ts'
import { flag, list, number, text } from '../../kit/fields.ts'
import { fromDecimal, sumMoney } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { toUtc } from '../../kit/time.ts'
import { ask, type Connection, gidOf, idOf, type MoneyBag, nextOf, referred } from './api.ts'

export interface NativeLine {
  name: string
  sku: string | null
  quantity: number
  variant: { id: string } | null
  originalUnitPriceSet: MoneyBag
  discountAllocations: { allocatedAmountSet: MoneyBag }[]
  taxLines: { priceSet: MoneyBag }[]
}
export interface NativeOrder {
  id: string
  name: string
  processedAt: string
  updatedAt: string
  cancelledAt: string | null
  closed: boolean
  note: string | null
  currencyCode: string
  displayFinancialStatus: string | null
  displayFulfillmentStatus: string
  customer: { id: string } | null
  retailLocation: { id: string } | null
  totalPriceSet: MoneyBag
  totalTaxSet: MoneyBag | null
  lineItems: Connection<NativeLine>
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
const amount = (money: MoneyBag | null): number | undefined => fromDecimal(money?.shopMoney?.amount)

const toLine = (line: NativeLine, currency: string): LineItem => ({
  productExternalId: referred(line.variant), // the line of a deleted variant remains
  sku: text(line.sku),
  name: text(line.name),
  quantity: line.quantity,
  unitPrice: amount(line.originalUnitPriceSet),
  lineTax: sumMoney(
    list(line.taxLines).map(({ priceSet }) => amount(priceSet)),
    currency,
  ),
  // Includes the line's share of the order's discounts, so that lines and total agree.
  lineDiscount: sumMoney(
    list(line.discountAllocations).map(({ allocatedAmountSet }) => amount(allocatedAmountSet)),
    currency,
  ),
})
/** Totals and quantities as ordered: like Shopify's own total, they ignore later returns. */
export const toUnified = (row: NativeOrder, mapping: Pick<Mapping, 'warn'>): Order => ({
  externalId: idOf(row.id),
  orderNumber: text(row.name),
  processedAt: toUtc(row.processedAt),
  customerExternalId: referred(row.customer),
  locationExternalId: referred(row.retailLocation),
  currencyCode: row.currencyCode,
  state: stateOf(row, mapping),
  note: text(row.note),
  total: amount(row.totalPriceSet),
  taxTotal: amount(row.totalTaxSet),
  lineItems: list(row.lineItems?.nodes)
    .filter(({ quantity }) => number(quantity) !== 0)
    .map((line) => toLine(line, row.currencyCode)),
})

export async function withAllLines(call: ReadCall, row: NativeOrder): Promise<NativeOrder> {
  const nodes = [...(row.lineItems?.nodes ?? [])] // with what is null: `toUnified` warns of it
  for (let after = nextOf(row.lineItems); after !== undefined; ) {
    const further: Connection<NativeLine> | undefined = (await ask(call, 'orderLines', { id: row.id, after })).order
      ?.lineItems
    if (!further) break // deleted in the meantime
    nodes.push(...further.nodes)
    after = nextOf(further)
  }
  return { ...row, lineItems: { nodes } }
}
export async function readOrder(call: ReadCall, id: string): Promise<NativeOrder | undefined> {
  const gid = gidOf('Order', id)
  const row: NativeOrder | null = gid ? (await ask(call, 'order', { id: gid })).order : null
  return row ? withAllLines(call, row) : undefined
}
