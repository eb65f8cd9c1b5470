// Bodies of order writes: https://developer.bigcommerce.com/docs/store-operations/orders
import type { AccountView, ReadCall } from '../../contract/connector.ts'
import type { LineItem, Order, ServiceCharge } from '../../contract/entities/order.ts'
import { sameOrAbsent } from '../../kit/differences.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { sumMoney, timesMinor, toDecimal } from '../../kit/money.ts'
import { chunksOf } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
import { idOf, v3 } from './account.ts'
import { addressOf, type NativeCustomer } from './customer-row.ts'
import { feesOf, fromUnits, hasTaxInPrices, unitsOf } from './order-money.ts'
import type { NativeLine, NativeOrder } from './order-row.ts'
import { noteOf, statusFor, toUnified } from './order-unified.ts'
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

// What an update sends: only the differences from the current order.

const silent = { warn: () => {} }
export const shownOrder = (row: NativeOrder): Order => toUnified(row, silent)

const optional = ['name', 'unitPrice', 'lineTax'] as const // absent: unchanged
const sameProduct = (line: LineItem, shown: LineItem): boolean =>
  line.productExternalId === shown.productExternalId ||
  (line.productExternalId !== undefined && shown.productExternalId?.startsWith(`${line.productExternalId}:`) === true)
const sameLine = (line: LineItem, shown: LineItem): boolean =>
  sameProduct(line, shown) &&
  line.quantity === shown.quantity &&
  optional.every((field) => sameOrAbsent(line[field], shown[field]))
export const sameLines = (lines: readonly LineItem[], shown: readonly LineItem[]): boolean =>
  lines.length === shown.length && lines.every((line, index) => sameLine(line, shown[index]!))

/**
 * A line with an id is edited, without one added, with quantity 0 removed. Starting at the first line with a different
 * product, lines are created again, so that their order matches the record.
 */
function lineChanges(
  lines: readonly LineItem[],
  current: readonly NativeLine[],
  shown: readonly LineItem[],
  currency: string,
  basis: Basis,
): object[] {
  const kept = lines.findIndex((line, index) => !shown[index] || !sameProduct(line, shown[index]))
  const edited = kept < 0 ? lines.length : kept
  return [
    ...lines.slice(0, edited).flatMap((line, index) => {
      const native = current[index]!
      const before = shown[index]!
      // A price that stays keeps its four decimals.
      const price = sameOrAbsent(line.unitPrice, before.unitPrice)
        ? unitsOf(basis.order ? native.price_inc_tax : native.price_ex_tax)
        : undefined
      const { sku: _, ...body } = toLine(
        { ...line, name: line.name ?? before.name },
        currency,
        index,
        basis,
        price,
      ) as {
        sku?: string
      }
      return sameLine(line, before) ? [] : [{ id: native.id, ...body }]
    }),
    ...lines.slice(edited).map((line, index) => toLine(line, currency, edited + index, basis)),
    ...current.slice(edited).map(({ id, product_id }) => ({ id, product_id, quantity: 0 })),
  ]
}

const sameCharges = (charges: readonly ServiceCharge[], shown: readonly ServiceCharge[]): boolean =>
  charges.length === shown.length &&
  charges.every(
    ({ name, amount, taxAmount }, index) =>
      sameOrAbsent(name, shown[index]!.name) &&
      amount === shown[index]!.amount &&
      sameOrAbsent(taxAmount, shown[index]!.taxAmount),
  )
/** What is handled and wrapped: only the rest of the shipping can be changed. */
function othersOf(row: NativeOrder, included: boolean, currency: string) {
  const sum = (...amounts: (string | undefined)[]) =>
    fromUnits(amounts.reduce((all, one) => all + (unitsOf(one) ?? 0), 0))
  const [ex, inc] = [
    sum(row.handling_cost_ex_tax, row.wrapping_cost_ex_tax),
    sum(row.handling_cost_inc_tax, row.wrapping_cost_inc_tax),
  ]
  return { amount: included ? inc : ex, tax: sumMoney([inc, -ex], currency) }
}

export function changeOf(record: Order, row: NativeOrder): Record<string, unknown> {
  const shown = shownOrder(row)
  const currency = shown.currencyCode ?? record.currencyCode ?? 'USD'
  if ((record.currencyCode ?? currency) !== currency) throw refusal('currency', `The order is in ${currency}`)
  const included = hasTaxInPrices(row)
  if ((record.taxIncluded ?? included) !== included)
    throw refusal('is_tax_inclusive_pricing', `The prices of this order are ${included ? 'with' : 'without'} taxes`)
  const basis = { record: included, order: included }
  const change: Record<string, unknown> = {}
  if (record.state !== undefined && record.state !== shown.state) change.status_id = statusFor[record.state]
  if ((record.note ?? '') !== (noteOf(row) ?? ''))
    change[text(row.staff_notes) || !text(row.customer_message) ? 'staff_notes' : 'customer_message'] =
      record.note ?? ''
  if (record.processedAt !== undefined && toMailDate(record.processedAt) !== toMailDate(shown.processedAt ?? ''))
    change.date_created = toMailDate(record.processedAt)
  if (record.customerExternalId !== shown.customerExternalId)
    change.customer_id =
      record.customerExternalId === undefined ? 0 : idOf(record.customerExternalId, 'customer_id', 'customer')
  const linesChanged = !sameLines(record.lineItems, shown.lineItems)
  if (linesChanged) change.products = lineChanges(record.lineItems, list(row.lines), shown.lineItems, currency, basis)
  if ((record.shippingTotal ?? 0) !== (shown.shippingTotal ?? 0))
    Object.assign(change, toShipping(record, currency, basis, othersOf(row, included, currency)))
  if (!sameCharges(chargesOf(record, currency), list(shown.serviceCharges)))
    change.fees = toFees(
      record,
      currency,
      basis,
      feesOf(row).map(({ id }) => id),
    )
  const [wanted, before] = [discountIn(record, basis), discountIn(shown, basis)]
  // Changed lines lose their discounts, coupons too, so the sum is sent again with them.
  if (linesChanged && wanted !== 0) change.discount_amount = toDecimal(fromUnits(wanted), currency, 'discount_amount')
  else if (wanted !== before) {
    const amount = linesChanged ? 0 : (unitsOf(row.discount_amount) ?? 0) + wanted - before
    if (amount < 0) throw refusal('discount_amount', 'A coupon of the order stays')
    change.discount_amount = toDecimal(fromUnits(amount), currency, 'discount_amount')
  }
  const totalsChanged =
    (record.total ?? shown.total) !== shown.total || (record.taxTotal ?? shown.taxTotal) !== shown.taxTotal
  const costsChanged = change.shipping_cost_inc_tax !== undefined || change.fees !== undefined
  if (linesChanged || costsChanged || change.discount_amount !== undefined || totalsChanged)
    Object.assign(change, toTotals(record, currency))
  return change
}
