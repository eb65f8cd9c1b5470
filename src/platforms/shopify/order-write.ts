// What an order becomes at Shopify: https://shopify.dev/docs/api/admin-graphql/2026-07/mutations/orderCreate
import type { WriteCall } from '../../contract/connector.ts'
import type { Pointer } from '../../contract/entity.ts'
import type { LineItem, Order, OrderState } from '../../contract/order.ts'
import { compact } from '../../kit/fields.ts'
import { sumMoney, toDecimal } from '../../kit/money.ts'
import { referenceTo } from './api.ts'

export function check(record: Order): { pointer: Pointer; message: string }[] {
  const found: { pointer: Pointer; message: string }[] = []
  for (const [n, line] of record.lineItems.entries()) {
    if (!Number.isInteger(line.quantity)) found.push({ pointer: `/lineItems/${n}/quantity`, message: 'Shopify sells whole units only' })
    if ((line.unitPrice ?? 0) < 0) found.push({ pointer: `/lineItems/${n}/unitPrice`, message: 'A price cannot be negative' })
    if ((line.lineDiscount ?? 0) < 0) found.push({ pointer: `/lineItems/${n}/lineDiscount`, message: 'A discount cannot be negative' })
    if (line.productExternalId) continue
    if (!line.name) found.push({ pointer: `/lineItems/${n}/name`, message: 'Shopify needs a name on a line without productExternalId' })
    if (line.unitPrice === undefined) found.push({ pointer: `/lineItems/${n}/unitPrice`, message: 'Shopify needs a price on a line without productExternalId' })
  }
  return found
}
/** Payment and fulfilment that read back as the wanted state; an order is cancelled only after it was made. */
const creation: Readonly<Record<OrderState, (now: string) => object>> = {
  PENDING: () => ({ financialStatus: 'PENDING' }),
  OPEN: () => ({ financialStatus: 'PAID' }),
  COMPLETED: (now) => ({ financialStatus: 'PAID', fulfillmentStatus: 'FULFILLED', closedAt: now }),
  CANCELED: () => ({ financialStatus: 'PENDING' }),
}
const isPaid = (state: OrderState | undefined): boolean => state === 'OPEN' || state === 'COMPLETED'

export function toOrder(call: WriteCall, record: Order, currency: string): object {
  const money = (value: number, native: string) => ({ shopMoney: { amount: toDecimal(value, currency, native), currencyCode: currency } })
  const discount = sumMoney(
    record.lineItems.map(({ lineDiscount }) => lineDiscount),
    currency,
  )
  const total = totalOf(record.lineItems, currency)
  return compact({
    currency,
    sourceIdentifier: call.reference,
    name: record.orderNumber,
    processedAt: record.processedAt,
    note: record.note,
    customer: record.customerExternalId === undefined ? undefined : { toAssociate: { id: referenceTo('Customer', record.customerExternalId, 'order.customer') } },
    ...(record.state ? creation[record.state](call.now) : {}),
    lineItems: record.lineItems.map((line, n) => toLine(line, `order.lineItems.${n}`, money)),
    // A line takes no discount of its own: their sum, as one discount of the order, keeps the total right, and Shopify spreads it.
    discountCode: discount > 0 ? { itemFixedDiscountCode: { code: 'Discount', amountSet: money(discount, 'order.discountCode') } } : undefined,
    // Without a payment that covers it, Shopify takes the paid status back at the order's next change.
    transactions: isPaid(record.state) && total ? [{ kind: 'SALE', status: 'SUCCESS', gateway: 'manual', amountSet: money(total, 'order.transactions') }] : undefined,
  })
}
function toLine(line: LineItem, native: string, money: (value: number, native: string) => object): object {
  const gross = (line.unitPrice ?? 0) * line.quantity - (line.lineDiscount ?? 0)
  const rate = line.lineTax && gross > 0 ? line.lineTax / gross : 0
  return compact({
    variantId: line.productExternalId === undefined ? undefined : referenceTo('ProductVariant', line.productExternalId, `${native}.variantId`),
    quantity: line.quantity,
    title: line.name,
    sku: line.sku,
    priceSet: line.unitPrice === undefined ? undefined : money(line.unitPrice, `${native}.priceSet`),
    taxLines: line.lineTax ? [{ title: 'Tax', rate: rate.toFixed(6), priceSet: money(line.lineTax, `${native}.taxLines`) }] : undefined,
  })
}
/** Undefined where a line takes the variant's price, which is not known here. */
function totalOf(lines: readonly LineItem[], currency: string): number | undefined {
  if (lines.some(({ unitPrice }) => unitPrice === undefined)) return undefined
  return sumMoney(
    lines.map(({ unitPrice = 0, quantity, lineTax = 0, lineDiscount = 0 }) => unitPrice * quantity + lineTax - lineDiscount),
    currency,
  )
}
