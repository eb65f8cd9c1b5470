// The platform's sale and how it is read. https://x-series-api.lightspeedhq.com/docs/sales_101
import type { Excluded, Mapping, ReadCall } from '../../contract/connector.ts'
import type { Discount, Fulfillment, LineItem, Order, Tax } from '../../contract/entities/order.ts'
import { businessDateOf, zoneOf as knownZone } from '../../kit/business-day.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, number, text } from '../../kit/fields.ts'
import { distribute, fromMinor } from '../../kit/money.ts'
import { get, path } from '../../kit/requests.ts'
import { stateTable } from '../../kit/states.ts'
import { toUtc } from '../../kit/time.ts'
import { type Tax as NativeTax, readShop, type Shop, taxesOf, zonesOf } from './account.ts'
import { api, isId, living, percentOf } from './api.ts'
import {
  chargesIn,
  divided,
  exact,
  linesOf,
  type NativeLine,
  type NativeSale,
  productIdOf,
  rounded,
  type Sums,
  shares,
  sumsOf,
  type TaxPart,
  unitOf,
} from './order-money.ts'
import { type Label, labelsOf } from './product-row.ts'

export interface SaleRow {
  sale: NativeSale
  shop?: Shop
  products?: Readonly<Record<string, Label>> // of its own lines, by id
  zone?: string
  taxes?: readonly NativeTax[]
  returns?: readonly NativeSale[] // sales that brought it back
}
/** One native state for each: https://x-series-api.lightspeedhq.com/docs/sales_statuses */
export const states = stateTable({ parked: 'OPEN', pending: 'PENDING', closed: 'COMPLETED', voided: 'CANCELED' })

/**
 * A return is a sale of its own. If it sells something as well, it is an exchange, which is served. A negative quantity
 * alone says nothing: a discount on the whole sale has one, too.
 */
export function excludedOf({ sale, shop }: SaleRow): Excluded | undefined {
  const { goods } = linesOf(sale, text(shop?.discountProduct))
  const isReturn = (line: NativeLine) =>
    line.return?.is_return || (sale.return?.is_return && (number(line.quantity) ?? 0) < 0)
  const isRefund = goods.length > 0 ? goods.every(isReturn) : sale.return?.is_return
  return isRefund ? { as: 'refund', of: text(sale.return?.original_sale_id) } : undefined
}

/** Taxes have neither names nor rates without the list of taxes. */
interface TaxNames {
  taxRateExternalId?: string
  name?: string
  rate?: number
}
function taxNames(taxes: readonly NativeTax[] | undefined): (rate: string | undefined) => TaxNames {
  const known = new Map(
    list(taxes).flatMap((tax) => list(tax.rates).map((rate) => [text(rate.id), { tax, rate }] as const)),
  )
  return (id) => {
    const found = known.get(id)
    if (!found) return {}
    const { tax, rate } = found
    return {
      taxRateExternalId: tax.id,
      name: text(rate.display_name) ?? text(rate.name) ?? text(tax.name),
      rate: percentOf(number(rate.rate)),
    }
  }
}
const partsOf = ({ _metadata }: NativeLine): readonly TaxPart[] => list(_metadata?.tax_components)

/** Taxes by their rates, with parts that make the sum. */
function taxesFrom(parts: readonly TaxPart[], sum: number, row: SaleRow, unit: number): Tax[] | undefined {
  const amounts = new Map<string | undefined, number>()
  for (const { rate_id, total_tax } of parts)
    amounts.set(text(rate_id), (amounts.get(text(rate_id)) ?? 0) + exact(total_tax))
  const taxed = [...amounts].filter(([, amount]) => amount !== 0)
  const all = taxed.reduce((total, [, amount]) => total + amount, 0)
  const fits = Math.abs(all - sum * unit) < unit
  const minors = fits
    ? shares(
        sum,
        taxed.map(([, amount]) => amount),
        unit,
      )
    : taxed.map(([, amount]) => rounded(amount, unit))
  const named = taxNames(row.taxes)
  const found = taxed.map(([id], n) => ({
    ...named(id),
    amount: fromMinor(minors[n], row.shop?.currency),
    included: false,
  }))
  return found.length > 0 ? found : undefined
}
/** A line has its share of the tax of a discount on the whole sale. */
function lineTaxes(line: NativeLine, tax: number, row: SaleRow): Tax[] | undefined {
  const parts = partsOf(line).filter(({ total_tax }) => exact(total_tax) !== 0)
  const minors = distribute(
    tax,
    parts.map(({ total_tax }) => Math.abs(exact(total_tax))),
  )
  const named = taxNames(row.taxes)
  const found = parts.map(({ rate_id }, n) => ({
    ...named(text(rate_id)),
    amount: fromMinor(minors[n], row.shop?.currency),
    included: false,
  }))
  return found.length > 0 ? found : undefined
}

function fulfillmentOf({ attributes, state }: NativeSale): Fulfillment | undefined {
  const given = list(attributes).map(text)
  const type = given.includes('pickup') ? 'TAKEOUT' : given.includes('delivery') ? 'DELIVERY' : undefined
  if (!type) return undefined
  return {
    type,
    ...(text(state) === 'closed' && { state: 'FULFILLED' }),
    ...(text(state) === 'voided' && { state: 'CANCELED' }),
  }
}
type Amount = (value: number) => number
function discountsOf({ orderDiscounts, lines }: Sums, minor: Amount, money: (minor: number) => number | undefined) {
  const found: Discount[] = [
    ...orderDiscounts.map(({ name, amount }) => ({ name, scope: 'ORDER' as const, amount: money(minor(amount)) })),
    ...lines
      .filter(({ ownDiscount }) => minor(ownDiscount) !== 0)
      .map(({ ownDiscount }) => ({ scope: 'LINE' as const, amount: money(minor(ownDiscount)) })),
  ]
  return found.length > 0 ? found : undefined
}
/** The system that our own sales name as their source. */
export const system = 'unified-records'
/** USER is the till itself. */
const channelOf = (type: string | undefined): string | undefined =>
  type === 'USER' ? 'POS' : type === system ? undefined : type

/** That of the outlet, otherwise that of the retailer. */
export const zoneOf = ({ zone, shop }: Pick<SaleRow, 'zone' | 'shop'>): string | undefined =>
  [text(zone), text(shop?.timezone)].find((one) => one !== undefined && knownZone({ timezone: one }))

export function toUnified(row: SaleRow, mapping: Mapping): Order {
  const { sale, shop } = row
  const currency = text(shop?.currency)
  const discountProduct = text(shop?.discountProduct)
  const unit = unitOf(currency)
  const sums = sumsOf(sale, discountProduct, currency)
  const money = (minor: number) => fromMinor(minor, currency)
  const minor = (amount: number) => rounded(amount, unit)
  const total = sums.total === undefined ? undefined : minor(sums.total)
  const tax = minor(sums.tax)
  const charges = sums.charges.map((charge) => minor(charge.amount))
  const chargeTaxes = sums.charges.map((charge) => minor(charge.tax))
  const tip = sums.tip && minor(sums.tip.amount)
  const rounding = minor(sums.rounding)
  const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
  const exactly = (of: 'net' | 'discount' | 'tax') => sums.lines.map((line) => line[of])
  // The lines make what is left of the total, unless the platform's own numbers do not make it.
  const linesSum =
    total !== undefined && sums.balances
      ? total - tax - sumOf(charges) - rounding - (sums.tip?.isInTotal ? (tip ?? 0) : 0)
      : minor(sumOf(exactly('net')))
  const lineTotals = shares(linesSum, exactly('net'), unit)
  const discounts = shares(minor(sumOf(exactly('discount'))), exactly('discount'), unit)
  // Whether the tax of the sale contains that of its charges is not documented.
  const lineTax = minor(sumOf(exactly('tax')))
  const fitting = [tax - sumOf(chargeTaxes), tax].find((sum) => Math.abs(sum - lineTax) <= 1)
  const taxes = shares(fitting ?? lineTax, exactly('tax'), unit)
  const processedAt = toUtc(sale.date) ?? toUtc(sale.created_at)
  const refunds = list(row.returns).filter(({ state }) => text(state) === 'closed')
  const refunded = sumOf(refunds.map((one) => minor(sumsOf(one, discountProduct, currency).total ?? 0)))
  const { goods, discounts: discountLines } = linesOf(sale, discountProduct)
  const taxParts = [
    ...[...goods, ...discountLines].flatMap(partsOf),
    ...[...list(sale.adjustments), ...chargesIn(sale)].flatMap(({ tax_components }) => list(tax_components)),
  ]
  return {
    externalId: sale.id,
    orderNumber: text(sale.invoice_number),
    processedAt,
    businessDate: businessDateOf(processedAt, zoneOf(row), mapping.account.settings),
    customerExternalId: text(sale.customer_id),
    locationExternalId: text(sale.source?.outlet_id),
    channel: channelOf(text(sale.source?.type)),
    fulfillment: fulfillmentOf(sale),
    currencyCode: currency,
    state: states.read(sale.state, mapping),
    note: text(sale.note),
    taxIncluded: false,
    subtotal: money(linesSum),
    discountTotal: money(sumOf(discounts)),
    ...(charges.length > 0 && {
      serviceChargeTotal: money(sumOf(charges)),
      serviceCharges: sums.charges.map(({ name, kind }, n) => ({
        name,
        kind,
        amount: money(charges[n]!),
        taxAmount: money(chargeTaxes[n]!),
      })),
    }),
    ...(sums.tip && { tipTotal: money(tip!), tipIncluded: sums.tip.isInTotal }),
    ...(rounding !== 0 && { roundingTotal: money(rounding) }),
    ...(refunds.length > 0 && { refundTotal: money(-refunded) }),
    total: total === undefined ? undefined : money(total),
    taxTotal: money(tax),
    discounts: discountsOf(sums, minor, money),
    taxes: taxesFrom(taxParts, tax, row, unit),
    lineItems: sums.lines.map(({ native }, n): LineItem => {
      const label = row.products?.[productIdOf(native) ?? '']
      const quantity = Math.abs(number(native.quantity) ?? 0)
      const price = divided(BigInt(lineTotals[n]! + discounts[n]!) * 100_000n, BigInt(exact(quantity)))
      return {
        externalId: native.id,
        productExternalId: productIdOf(native),
        sku: label?.sku,
        name: label?.name,
        kind: text(native.gift_card_number) === undefined ? 'ITEM' : 'GIFT_CARD',
        quantity,
        unitPrice: money(price),
        lineTax: money(taxes[n]!),
        lineDiscount: money(discounts[n]!),
        lineTotal: money(lineTotals[n]!),
        taxes: lineTaxes(native, taxes[n]!, row),
        note: text(native.note),
      }
    }),
  }
}

/**
 * Lines contain neither sku nor name, and sales neither the amounts that went back nor a time zone: products, returns,
 * taxes and outlets have them.
 */
export async function finishRows(call: ReadCall, sales: readonly NativeSale[]): Promise<SaleRow[]> {
  const shop = await readShop(call)
  const [zones, taxes] = [await zonesOf(call), await taxesOf(call)]
  const productsOn = (sale: NativeSale) =>
    linesOf(sale, shop.discountProduct).goods.flatMap((line) => productIdOf(line) ?? [])
  const labels = await labelsOf(call, sales.flatMap(productsOn))
  const rows: SaleRow[] = []
  for (const sale of sales)
    rows.push({
      sale,
      shop,
      zone: zones.get(text(sale.source?.outlet_id) ?? ''),
      taxes,
      returns: await returnsOf(call, sale, sales, shop),
      products: Object.fromEntries(
        productsOn(sale).flatMap((id) => (labels.has(id) ? [[id, labels.get(id) as Label]] : [])),
      ),
    })
  return rows
}
/** An exchange is an order with the returned goods in it, so it is not counted once more. */
async function returnsOf(
  call: ReadCall,
  sale: NativeSale,
  near: readonly NativeSale[],
  shop: Shop,
): Promise<NativeSale[]> {
  const found: NativeSale[] = []
  for (const id of list(sale.return?.return_sale_ids)) {
    const back = near.find((one) => one.id === id) ?? (await readSale(call, id))
    if (back && excludedOf({ sale: back, shop })) found.push(back)
  }
  return found
}
/** Lists and reads include deleted sales. */
export async function readSale(call: ReadCall, id: string): Promise<NativeSale | undefined> {
  const sale: NativeSale | undefined = isId(id)
    ? (await ifFound(call.read(get(`${api}${path`/sales/${id}`}`))))?.body?.data
    : undefined
  return sale && living(sale) ? sale : undefined
}
