// Bodies of order writes: https://developer.bigcommerce.com/docs/store-operations/orders
import type { AccountView, ReadCall } from '../../contract/connector.ts'
import type { LineItem, Order, ServiceCharge } from '../../contract/entities/order.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { sumMoney, timesMinor, toDecimal } from '../../kit/money.ts'
import { chunksOf } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
import { v3 } from './account.ts'
import { addressOf, type NativeCustomer } from './customer-row.ts'
import { fromUnits, unitsOf } from './order-money.ts'
import { type NativeProduct, rowsOf } from './product-row.ts'

/** "Tue, 10 Nov 2026 18:30:00 +0000" */
export const toMailDate = (instant: string): string => new Date(instant).toUTCString().replace('GMT', '+0000')

const partsOf = (productExternalId: string): { product_id: number; variant_id?: number } | undefined => {
  const [, product, variant] = /^([1-9]\d{0,14})(?::([1-9]\d{0,14}))?$/.exec(productExternalId) ?? []
  return product ? { product_id: Number(product), ...(variant ? { variant_id: Number(variant) } : {}) } : undefined
}
/**
 * BigCommerce reports an unknown product only by its id, not by its line, and uses the price of another variant:
 * products are therefore looked up first.
 */
export async function checkProducts(call: ReadCall, lines: readonly LineItem[]): Promise<void> {
  const ids = [...new Set(lines.flatMap(({ productExternalId }) => partsOf(productExternalId ?? '')?.product_id ?? []))]
  const known = new Set<string>()
  for (const chunk of chunksOf(ids, 250)) {
    const { body } = await call.read(
      get(v3(call, '/catalog/products'), { 'id:in': chunk.join(','), include: 'variants', limit: 250 }),
    )
    for (const { product, variant } of list<NativeProduct>(body.data).flatMap(rowsOf))
      known.add(String(product.id)).add(`${product.id}:${variant.id}`)
  }
  lines.forEach(({ productExternalId }, index) => {
    if (productExternalId !== undefined && !known.has(productExternalId))
      throw refusal(`products.${index}.product_id`, `No product has the id ${productExternalId}`)
  })
}

/** Whether prices contain the taxes: those of a record, and those of the order at BigCommerce. */
export interface Basis {
  record: boolean
  order: boolean
}
/**
 * Both prices or none: they differ by the tax of one unit, with four decimals, as BigCommerce stores them. `native`: the
 * exact price of a line that keeps it, in ten-thousandths.
 */
export function toLine(line: LineItem, currency: string, index: number, { record }: Basis, native?: number) {
  const field = `products.${index}.price_ex_tax`
  if (line.unitPrice !== undefined) toDecimal(line.unitPrice, currency, field) // rejects what the currency has not
  const unit = native ?? unitsOf(line.unitPrice)
  const tax = Math.round((unitsOf(line.lineTax) ?? 0) / line.quantity)
  const prices =
    unit === undefined
      ? {}
      : {
          price_ex_tax: fromUnits(record ? unit - tax : unit),
          price_inc_tax: fromUnits(record ? unit : unit + tax),
        }
  const parts = line.productExternalId === undefined ? { sku: line.sku } : partsOf(line.productExternalId)
  return compact({ ...parts, name: line.name, quantity: line.quantity, ...prices })
}
/** All discounts, on the prices of the order. A line that has the other prices is converted at its own rate. */
export function discountIn({ lineItems }: Order, { record, order }: Basis): number {
  return lineItems.reduce((sum, { lineDiscount, lineTax, unitPrice, quantity }) => {
    const discount = unitsOf(lineDiscount) ?? 0
    const tax = record === order ? 0 : (unitsOf(lineTax) ?? 0)
    const net = timesMinor(quantity, unitsOf(unitPrice) ?? 0) - discount
    return sum + discount + (net === 0 ? 0 : Math.round((discount * tax * (record ? -1 : 1)) / net))
  }, 0)
}
const taxIn = ({ taxTotal, lineItems }: Order, currency: string): number =>
  taxTotal ??
  sumMoney(
    lineItems.map(({ lineTax }) => lineTax),
    currency,
  )
/** Totals can only be set together. */
export function toTotals(record: Order, currency: string): { total_ex_tax?: string; total_inc_tax?: string } {
  if (record.total === undefined) return {}
  return {
    total_inc_tax: toDecimal(record.total, currency, 'total_inc_tax'),
    total_ex_tax: toDecimal(sumMoney([record.total, -taxIn(record, currency)], currency), currency, 'total_ex_tax'),
  }
}

/** The charges of a record. A total without its parts, or with other ones, is one charge. */
export function chargesOf({ serviceCharges, serviceChargeTotal }: Order, currency: string): readonly ServiceCharge[] {
  const charges = list(serviceCharges)
  const sum = sumMoney(
    charges.map(({ amount }) => amount),
    currency,
  )
  if (serviceChargeTotal === undefined || serviceChargeTotal === sum) return charges
  return serviceChargeTotal === 0 ? [] : [{ name: 'Service charge', amount: serviceChargeTotal }]
}
const pairOf = (amount: number, tax: number, withTax: boolean, currency: string, native: string): [string, string] =>
  [withTax ? sumMoney([amount, -tax], currency) : amount, withTax ? amount : sumMoney([amount, tax], currency)].map(
    (one) => toDecimal(one, currency, native),
  ) as [string, string]

/** Fees replace those of the order; one with an id is changed. */
export const toFees = (
  record: Order,
  currency: string,
  { record: withTax }: Basis,
  ids: readonly (number | undefined)[],
) =>
  chargesOf(record, currency).map(({ name = 'Service charge', amount = 0, taxAmount = 0 }, index) => {
    const [cost_ex_tax, cost_inc_tax] = pairOf(amount, taxAmount, withTax, currency, 'fees')
    return compact({ id: ids[index], type: 'custom_fee', display_name_customer: name, cost_ex_tax, cost_inc_tax })
  })
/** The taxes that are on no line and on no charge are on the shipping. `others`: what is handled and wrapped, with tax. */
export function toShipping(
  record: Order,
  currency: string,
  { record: withTax }: Basis,
  others: { amount: number; tax: number } = { amount: 0, tax: 0 },
): { shipping_cost_ex_tax: string; shipping_cost_inc_tax: string } {
  const taxes = [
    ...record.lineItems.map(({ lineTax }) => lineTax),
    ...chargesOf(record, currency).map(({ taxAmount }) => taxAmount),
  ]
  const amount = sumMoney([record.shippingTotal, -others.amount], currency)
  if (amount < 0)
    throw refusal(
      'shipping_cost_inc_tax',
      `Handling and wrapping of the order already cost ${others.amount} ${currency}`,
    )
  const tax = sumMoney([record.taxTotal, -sumMoney(taxes, currency), -others.tax], currency)
  const [shipping_cost_ex_tax, shipping_cost_inc_tax] = pairOf(
    amount,
    amount === 0 ? 0 : Math.max(0, tax),
    withTax,
    currency,
    'shipping_cost_inc_tax',
  )
  return { shipping_cost_ex_tax, shipping_cost_inc_tax }
}

/** An order needs a billing address with a postal code. */
export function toBillingAddress(customer: NativeCustomer | undefined, { settings }: AccountView) {
  const address = customer && addressOf(customer)
  const zip = [address?.postal_code, settings.billingPostalCode]
    .map(text)
    .find((code) => code !== undefined && code.length >= 2)
  if (!zip)
    throw requirement(
      'customer_id',
      'BigCommerce needs a billing address with a postal code: this customer has none, and the account has no setting billingPostalCode',
    )
  return compact({
    first_name: text(address?.first_name) ?? text(customer?.first_name),
    last_name: text(address?.last_name) ?? text(customer?.last_name),
    company: text(address?.company) ?? text(customer?.company),
    street_1: text(address?.address1),
    street_2: text(address?.address2),
    city: text(address?.city),
    state: text(address?.state_or_province),
    zip,
    country: text(address?.country),
    country_iso2: text(address?.country_code),
    phone: text(address?.phone) ?? text(customer?.phone),
    email: text(customer?.email),
  })
}

type Violations = { pointer: `/${string}`; message: string }[]
export function checkAmounts({
  lineItems,
  total,
  shippingTotal,
  serviceChargeTotal,
  serviceCharges,
}: Order): Violations {
  const surcharge = lineItems.reduce((sum, { lineDiscount = 0 }) => sum + lineDiscount, 0) < -1e-6
  const lines = lineItems.flatMap((line, index): Violations => {
    const at = (field: keyof LineItem, message: string): Violations => [
      { pointer: `/lineItems/${index}/${field}`, message },
    ]
    return [
      ...(Number.isInteger(line.quantity) ? [] : at('quantity', 'must be a whole number on this platform')),
      ...((line.unitPrice ?? 0) < 0 ? at('unitPrice', 'must not be negative on this platform') : []),
      ...((line.lineTax ?? 0) < 0 ? at('lineTax', 'must not be negative on this platform') : []),
      ...(surcharge && (line.lineDiscount ?? 0) < 0
        ? at('lineDiscount', 'must not make the sum of the discounts negative on this platform')
        : []),
    ]
  })
  const negative = (pointer: `/${string}`, amount: number | undefined): Violations =>
    (amount ?? 0) < 0 ? [{ pointer, message: 'must not be negative on this platform' }] : []
  return [
    ...lines,
    ...negative('/total', total),
    ...negative('/shippingTotal', shippingTotal),
    ...negative('/serviceChargeTotal', serviceChargeTotal),
    ...list(serviceCharges).flatMap(({ amount }, index) => negative(`/serviceCharges/${index}/amount`, amount)),
  ]
}
