// How open checks and sales are read.
import type { Excluded, Mapping } from '../../contract/connector.ts'
import type { LineItem, Order } from '../../contract/entities/order.ts'
import { flag, list, text } from '../../kit/fields.ts'
import { fromDecimal, roundMoney, sumMoney } from '../../kit/money.ts'
import { stateTable } from '../../kit/states.ts'
import { toUtc } from '../../kit/time.ts'
import { currencyOf, locationOf } from './account.ts'
import { accountId, type Check, type CheckLine, linesOf, type OrderRow, type Sale, type SaleLine } from './check.ts'

/** A sale's type is the kind of receipt; all of them are closed. */
const states = stateTable({
  SALE: 'COMPLETED',
  UPDATE: 'COMPLETED',
  RECALL: 'COMPLETED',
  SPLIT: 'COMPLETED',
  TRANSFER: 'COMPLETED',
  TRANSITORY: 'COMPLETED',
  CROSS_BL: 'COMPLETED',
  FLOAT: 'COMPLETED',
  VOID: 'CANCELED',
  CANCEL: 'CANCELED',
})

/** A refund is a sale of its own, with negative quantities. It does not name the sale that it belongs to. */
export const excludedOf = ({ sale }: OrderRow): Excluded | undefined =>
  sale?.type === 'REFUND' ? { as: 'refund' } : undefined

/**
 * A returned line has a negative quantity; a unified line cannot, so it becomes a positive quantity at a negative
 * price.
 */
function signed(
  quantity: number,
  unitPrice: number | undefined,
  rest: Omit<LineItem, 'quantity' | 'unitPrice'>,
): LineItem {
  return {
    ...rest,
    quantity: Math.abs(quantity),
    unitPrice: unitPrice === undefined || quantity > 0 ? unitPrice : -unitPrice,
  }
}
const isSomething = ({ quantity }: { quantity?: number | string }): boolean => (fromDecimal(quantity) ?? 0) !== 0
const rounded = (value: number | undefined, currency: string): number | undefined =>
  value === undefined ? undefined : roundMoney(value, currency)

/** If prices exclude the tax, the amount "with tax" must not be used. */
function amountOf(line: SaleLine): number | undefined {
  const included = list(line.taxLines).every(({ taxIncluded }) => taxIncluded !== false)
  const [gross, net, tax] = [
    fromDecimal(line.totalNetAmountWithTax),
    fromDecimal(line.totalNetAmountWithoutTax),
    fromDecimal(line.taxAmount),
  ]
  return included || net === undefined ? gross : net + (tax ?? 0)
}
function saleLine(line: SaleLine, currency: string, products: OrderRow['products']): LineItem {
  return signed(fromDecimal(line.quantity)!, rounded(fromDecimal(line.menuListPrice), currency), {
    productExternalId: products?.[text(line.sku) ?? ''],
    name: text(line.nameOverride) ?? text(line.name),
    lineTax: rounded(fromDecimal(line.taxAmount), currency),
    lineDiscount: rounded(fromDecimal(line.totalDiscountAmount), currency),
  })
}
const taxOf = (line: CheckLine): number | undefined => {
  const [gross, net] = [fromDecimal(line.amountWithTax), fromDecimal(line.amountLessTax)]
  return gross === undefined || net === undefined ? undefined : gross - net
}
function checkLine(line: CheckLine, currency: string, products: OrderRow['products']): LineItem {
  return signed(fromDecimal(line.quantity)!, rounded(fromDecimal(line.unitAmount), currency), {
    productExternalId: products?.[text(line.itemSku) ?? ''],
    name: text(line.itemName),
    lineTax: rounded(taxOf(line), currency),
    lineDiscount: rounded(fromDecimal(line.discountedAmount), currency),
  })
}
function fromSale(
  sale: Sale,
  ownCurrency: string,
  products: OrderRow['products'],
  mapping: Pick<Mapping, 'warn'>,
): Partial<Order> & Pick<Order, 'lineItems'> {
  const lines = list(sale.salesLines)
  const currency = text(lines[0]?.currency) ?? ownCurrency
  return {
    orderNumber: text(sale.receiptId) ?? sale.accountFiscId,
    processedAt: toUtc(sale.timeClosed) ?? toUtc(sale.timeOfOpening),
    customerExternalId: text(list(sale.payments).find(({ consumer }) => consumer?.id)?.consumer?.id),
    currencyCode: currency,
    state: flag(sale.cancelled) ? 'CANCELED' : states.read(sale.type ?? 'SALE', mapping),
    note: text(sale.voidReason) ?? text(lines.find(({ voidReason }) => voidReason)?.voidReason),
    total: sumMoney(lines.map(amountOf), currency),
    taxTotal: sumMoney(
      lines.map(({ taxAmount }) => fromDecimal(taxAmount)),
      currency,
    ),
    lineItems: lines.filter(isSomething).map((line) => saleLine(line, currency, products)),
  }
}
function fromCheck(
  check: Check,
  currency: string,
  products: OrderRow['products'],
): Partial<Order> & Pick<Order, 'lineItems'> {
  const lines = linesOf(check)
  return {
    orderNumber: text(check.name) ?? check.ikaccountId,
    processedAt: toUtc(check.openDate, 'UTC'),
    currencyCode: currency,
    state: 'OPEN',
    total: rounded(fromDecimal(check.currentAmount), currency),
    taxTotal: sumMoney(lines.map(taxOf), currency),
    lineItems: lines.filter(isSomething).map((line) => checkLine(line, currency, products)),
  }
}
export function toUnified(row: OrderRow, mapping: Mapping): Order {
  const currency = currencyOf(mapping)
  const order = row.sale
    ? fromSale(row.sale, currency, row.products, mapping)
    : fromCheck(row.check!, currency, row.products)
  return { externalId: accountId(row), locationExternalId: text(locationOf(mapping)), ...order }
}
