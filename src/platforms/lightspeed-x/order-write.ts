// Converts an order to Lightspeed's format. A sale is always sent as a whole: omitted lines and payments would be
// dropped. https://x-series-api.lightspeedhq.com/docs/sales_editing_sales
import type { AccountView, WriteCall } from '../../contract/connector.ts'
import type { LineItem, Order } from '../../contract/entities/order.ts'
import type { Pointer } from '../../contract/entity.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact, list } from '../../kit/fields.ts'
import { fromMinor, roundMoney, toDecimal } from '../../kit/money.ts'
import type { Shop } from './account.ts'
import { living } from './api.ts'
import { readCustomer } from './customer.ts'
import {
  linesOf,
  type NativeLine,
  type NativePayment,
  type NativeSale,
  productIdOf,
  rounded,
  sumsOf,
  times,
  unitOf,
} from './order-money.ts'
import { labelsOf } from './product-row.ts'

type Violations = { pointer: Pointer; message: string }[]
const hasTax = ({ lineTax = 0 }: LineItem): boolean => lineTax !== 0

export const checkLines = ({ lineItems }: Order): Violations =>
  lineItems.flatMap(({ unitPrice = 0, quantity, lineDiscount = 0 }, n) =>
    unitPrice >= 0 && roundMoney(lineDiscount, undefined) > roundMoney(unitPrice * quantity, undefined)
      ? [{ pointer: `/lineItems/${n}/lineDiscount` as const, message: 'A discount cannot be greater than its line' }]
      : [],
  )

/** References are looked up first: the platform's error for an unknown one is not documented. */
export async function checkReferences(
  call: WriteCall,
  record: Order,
  lines: readonly { line: LineItem; n: number }[],
): Promise<void> {
  const products = await labelsOf(
    call,
    lines.flatMap(({ line }) => line.productExternalId ?? []),
  )
  for (const { line, n } of lines) {
    const found = products.get(line.productExternalId ?? '')
    if (!found || found.deleted)
      throw refusal(`line_items[${n}].product.id`, `Lightspeed has no product ${line.productExternalId}`)
  }
  if (record.customerExternalId !== undefined && !(await readCustomer(call, record.customerExternalId)))
    throw refusal('customer_id', `Lightspeed has no customer ${record.customerExternalId}`)
}

/** Line amounts are stored per unit, with five decimals. */
const perUnit = (amount: number, quantity: number): number => Number((amount / quantity).toFixed(5))

interface LineBody {
  id?: string
  product: { id: string }
  quantity: number
  pricing: { price: number; discount: number; cost?: number; loyalty_amount?: number }
  tax: { id: string; amount: number }
  status?: string
  attributes?: { name: string; value: string }[]
  source?: { author_id: string }
  _metadata: { sequence: number; is_price_override: boolean }
}
export function newLine(line: LineItem, n: number, shop: Shop, account: AccountView): LineBody {
  const checked = (amount: number, native: string) =>
    Number(toDecimal(amount, shop.currency, `line_items[${n}].${native}`))
  const { quantity, unitPrice = 0, lineDiscount = 0, lineTax = 0 } = line
  // A return is a negative quantity at a positive price at Lightspeed.
  const sign = unitPrice < 0 ? -1 : 1
  const discount = perUnit(checked(lineDiscount, 'pricing.discount'), sign * quantity)
  const taxId = hasTax(line) ? account.settings.taxId : (shop.noTax ?? account.settings.taxId)
  if (!taxId)
    throw requirement('/settings/taxId', 'Lightspeed needs the tax of a line: set taxId in the settings of the account')
  return {
    product: { id: line.productExternalId! },
    quantity: sign * quantity,
    pricing: { price: Number((sign * checked(unitPrice, 'pricing.price') - discount).toFixed(5)), discount },
    tax: { id: taxId, amount: perUnit(checked(lineTax, 'tax.amount'), sign * quantity) },
    ...noteBody(line.note),
    _metadata: { sequence: n, is_price_override: true }, // otherwise the price book sets the price
  }
}
/** A note is an attribute of the line. */
const noteBody = (note: string | null | undefined) => (note ? { attributes: [{ name: 'line_note', value: note }] } : {})
/** An unchanged line, sent again with its id. */
const sameLine = (line: NativeLine, n: number): LineBody => {
  const { price = 0, discount = 0, cost, loyalty_amount } = line.pricing ?? {}
  return compact({
    id: line.id,
    product: { id: productIdOf(line)! },
    quantity: line.quantity!,
    pricing: compact({ price, discount, cost, loyalty_amount }),
    tax: { id: line.tax?.id ?? '', amount: line.tax?.amount ?? 0 },
    status: line.status,
    ...noteBody(line.note),
    source: line.salesperson_id ? { author_id: line.salesperson_id } : undefined,
    _metadata: { sequence: n, is_price_override: line._metadata?.is_price_override ?? true },
  }) as LineBody
}
const compared = ['productExternalId', 'quantity', 'unitPrice', 'lineTax', 'lineDiscount', 'note'] as const
const isSame = (target: LineItem, current: LineItem | undefined): boolean =>
  current !== undefined && compared.every((field) => (target[field] || 0) === (current[field] || 0))

interface Change {
  lines: LineBody[]
  touched: { line: LineItem; n: number }[]
  changed: boolean
}
/**
 * Lines in their order: equal lines are unchanged, with their decimals and promotions. A discount on the whole sale is
 * in the lines of a record: if one of them changes, all have it as their own, and its line is gone.
 */
export function linesAfter(
  record: Order,
  before: Order,
  current: NativeSale,
  shop: Shop,
  account: AccountView,
): Change {
  const { goods, discounts, others } = linesOf(current, shop.discountProduct)
  const touched = record.lineItems.flatMap((line, n) => (isSame(line, before.lineItems[n]) ? [] : [{ line, n }]))
  const changed = touched.length > 0 || record.lineItems.length !== goods.length
  const all = changed && discounts.length > 0
  const lines = record.lineItems.map((line, n) => {
    const own = goods[n]
    if (own && !all && !touched.some((one) => one.n === n)) return sameLine(own, n)
    return { ...(own && { id: own.id }), ...newLine(line, n, shop, account) }
  })
  const kept = others.filter((line) => !all || !discounts.includes(line))
  return { lines: [...lines, ...kept.map((line, n) => sameLine(line, lines.length + n))], touched, changed }
}
/** What the lines of a request cost, in major units, with what the sale has besides its lines. */
export function dueOf(lines: readonly LineBody[], { currency, discountProduct }: Shop, current?: NativeSale): number {
  const cost = (line: Pick<LineBody, 'quantity' | 'pricing' | 'tax'>) =>
    times(line.quantity, line.pricing.price) + times(line.quantity, line.tax.amount)
  const counted = lines.filter(({ status }) => status !== 'VOIDED')
  const sum = counted.reduce((total, line) => total + cost(line), 0)
  const unit = unitOf(currency)
  return fromMinor(rounded(sum + (current ? besides(current, discountProduct, currency) : 0), unit), currency)!
}
/** Tips, charges and fees. */
function besides(sale: NativeSale, discountProduct: string | undefined, currency: string): number {
  const { due, lines } = sumsOf(sale, discountProduct, currency)
  return due - lines.reduce((sum, { net, tax }) => sum + net + tax, 0)
}

interface PaymentBody {
  id?: string
  amount: number
  date?: string
  type: { config_id: string }
  source?: { register_id: string }
}
/**
 * A sale is paid when it is closed, with one payment of the amount due. A sale that was already closed is paid, even if
 * the response omits its payments.
 */
export function paymentsAfter(
  sale: { closing: boolean; due: number; date?: string; register?: string },
  earlier: readonly NativePayment[],
  shop: Shop,
  account: AccountView,
): PaymentBody[] {
  const kept = list(earlier)
    .filter(living)
    .map(
      ({ id, amount = 0, date, type, source }) =>
        compact({
          id,
          amount,
          date,
          type: { config_id: type?.config_id ?? '' },
          source: source?.register_id ? { register_id: source.register_id } : undefined,
        }) as PaymentBody,
    )
  const open = roundMoney(sale.due - kept.reduce((sum, { amount }) => sum + amount, 0), shop.currency)
  if (!sale.closing || open === 0) return kept
  const { paymentTypeId } = account.settings
  if (!paymentTypeId)
    throw requirement(
      '/settings/paymentTypeId',
      'A COMPLETED sale needs its payment type: set paymentTypeId in the settings of the account',
    )
  return [
    ...kept,
    compact({
      amount: open,
      date: sale.date,
      type: { config_id: paymentTypeId },
      source: sale.register ? { register_id: sale.register } : undefined,
    }) as PaymentBody,
  ]
}
