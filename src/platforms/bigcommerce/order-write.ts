// Bodies of order writes: https://developer.bigcommerce.com/docs/store-operations/orders
import type { AccountView, ReadCall } from '../../contract/connector.ts'
import type { LineItem, Order } from '../../contract/entities/order.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { sumMoney, toDecimal } from '../../kit/money.ts'
import { chunksOf } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
import { v3 } from './account.ts'
import { addressOf, type NativeCustomer } from './customer-row.ts'
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

/** Both prices or none: they differ by the tax of one unit, with four decimals, as BigCommerce stores them. */
export function toLine(line: LineItem, currency: string, index: number) {
  const unit =
    line.unitPrice === undefined
      ? undefined
      : Number(toDecimal(line.unitPrice, currency, `products.${index}.price_ex_tax`))
  const prices =
    unit === undefined
      ? {}
      : { price_ex_tax: unit, price_inc_tax: Number((unit + (line.lineTax ?? 0) / line.quantity).toFixed(4)) }
  const parts = line.productExternalId === undefined ? { sku: line.sku } : partsOf(line.productExternalId)
  return compact({ ...parts, name: line.name, quantity: line.quantity, ...prices })
}
/** Discounts belong to the order, and BigCommerce distributes them over its lines; totals can only be set together. */
export function toTotals(
  record: Order,
  currency: string,
): { discount_amount?: string; total_ex_tax?: string; total_inc_tax?: string } {
  const discount = sumMoney(
    record.lineItems.map(({ lineDiscount }) => lineDiscount),
    currency,
  )
  const tax =
    record.taxTotal ??
    sumMoney(
      record.lineItems.map(({ lineTax }) => lineTax),
      currency,
    )
  return {
    ...(discount ? { discount_amount: toDecimal(discount, currency, 'discount_amount') } : {}),
    ...(record.total === undefined
      ? {}
      : {
          total_inc_tax: toDecimal(record.total, currency, 'total_inc_tax'),
          total_ex_tax: toDecimal(sumMoney([record.total, -tax], currency), currency, 'total_ex_tax'),
        }),
  }
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
export function checkLines({ lineItems, total }: Order): Violations {
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
  return [
    ...lines,
    ...((total ?? 0) < 0 ? [{ pointer: '/total' as const, message: 'must not be negative on this platform' }] : []),
  ]
}
