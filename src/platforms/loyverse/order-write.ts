// Converts an order to Loyverse's format: a closed and paid sale.
// https://developer.loyverse.com/docs/#tag/Receipts/paths/~1receipts/post
import type { WriteCall } from '../../contract/connector.ts'
import type { LineItem, Modifier, Order } from '../../contract/entities/order.ts'
import type { Pointer } from '../../contract/entity.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { fromMinor, roundMoney, toMinor } from '../../kit/money.ts'
import { toUtc } from '../../kit/time.ts'
import { type Currency, toAmount } from './account.ts'
import { isId, readAll, readByIds, type Stamped } from './listing.ts'
import type { NativeItem, NativeVariant } from './product-row.ts'

type Violations = { pointer: Pointer; message: string }[]

export function check(record: Order): Violations {
  const found: Violations = []
  for (const [n, line] of record.lineItems.entries())
    for (const { field, message } of lineProblems(line)) found.push({ pointer: `/lineItems/${n}/${field}`, message })
  return found
}
function lineProblems(line: LineItem): { field: keyof LineItem; message: string }[] {
  const found: { field: keyof LineItem; message: string }[] = []
  const discount = line.lineDiscount ?? 0
  if (Number(line.quantity.toFixed(3)) !== line.quantity)
    found.push({ field: 'quantity', message: 'Loyverse keeps 3 decimals' })
  if ((line.unitPrice ?? 0) < 0) found.push({ field: 'unitPrice', message: 'A price cannot be negative' })
  if (discount < 0) found.push({ field: 'lineDiscount', message: 'A discount cannot be negative' })
  if (line.unitPrice !== undefined && discount > roundMoney(line.unitPrice * line.quantity, undefined))
    found.push({ field: 'lineDiscount', message: 'A discount cannot be greater than its line' })
  const extra = list<Modifier>(line.modifiers)
  if (extra.some(({ modifierExternalId }) => modifierExternalId === undefined))
    found.push({
      field: 'modifiers',
      message: 'Loyverse knows modifiers by the ids of their options: modifierExternalId',
    })
  if (extra.some(({ quantity = 1, modifiers = [] }) => quantity !== 1 || modifiers.length > 0))
    found.push({ field: 'modifiers', message: 'Loyverse has each modifier once, and none on a modifier' })
  const ofModifiers = extra.reduce((sum, { price = 0 }) => sum + price, 0)
  if (line.unitPrice !== undefined && ofModifiers > line.unitPrice)
    found.push({ field: 'unitPrice', message: 'contains the prices of the modifiers, which are higher' })
  if (line.unitPrice === undefined && extra.some(({ price = 0 }) => price !== 0))
    found.push({ field: 'unitPrice', message: 'is required with modifiers that have a price' })
  return found
}

interface Sold {
  variant: NativeVariant
  item: NativeItem
}
const native = (n: number, field: string) => `line_items[${n}].${field}`

/** The products of all lines: which are unknown, which are sold by weight, and which taxes they have. */
async function soldProducts(call: WriteCall, lines: readonly LineItem[]): Promise<Sold[]> {
  const ids = lines.map(({ productExternalId }) => productExternalId ?? '').filter(isId)
  const variants = new Map(
    (ids.length ? await readByIds<NativeVariant>(call, 'variants', 'variants_ids', ids) : []).map((variant) => [
      variant.variant_id,
      variant,
    ]),
  )
  const bySku = new Map<string, NativeVariant>()
  for (const { productExternalId, sku } of lines)
    if (productExternalId === undefined && sku && !bySku.has(sku))
      for (const variant of await readAll<NativeVariant>(call, 'variants', { sku }))
        if (variant.sku === sku) bySku.set(sku, variant)
  const found = lines.map(({ productExternalId, sku }, n) => {
    const variant = productExternalId === undefined ? bySku.get(sku ?? '') : variants.get(productExternalId)
    if (variant && !variant.deleted_at) return variant
    throw productExternalId === undefined
      ? refusal(native(n, 'sku'), `Loyverse has no product with the sku ${sku}`)
      : refusal(native(n, 'variant_id'), `Loyverse has no product ${productExternalId}`)
  })
  const itemIds = found.map(({ item_id }) => item_id)
  const items = new Map(
    (await readByIds<NativeItem>(call, 'items', 'items_ids', itemIds)).map((item) => [item.id, item]),
  )
  return found.map((variant, n) => {
    const item = items.get(variant.item_id)
    if (!item) throw refusal(native(n, 'variant_id'), `Loyverse has no product ${variant.variant_id}`)
    if (!Number.isInteger(lines[n]!.quantity) && !item.sold_by_weight)
      throw refusal(native(n, 'quantity'), 'This product is not sold by weight, so its quantity must be a whole number')
    return { variant, item }
  })
}

interface Discount extends Stamped {
  id: string
  type: string
  stores?: string[] | null
}
/**
 * An arbitrary amount needs a discount of type VARIABLE_AMOUNT, and how Loyverse distributes one amount over lines is
 * not documented: each discounted line gets its own discount.
 */
async function amountDiscounts(
  call: WriteCall,
  lines: readonly LineItem[],
  storeId: string,
): Promise<ReadonlyMap<number, string>> {
  const discounted = [...lines.keys()].filter((n) => (lines[n]!.lineDiscount ?? 0) > 0)
  if (discounted.length === 0) return new Map()
  const usable = (await readAll<Discount>(call, 'discounts')).filter(
    ({ type, stores, deleted_at }) =>
      type === 'VARIABLE_AMOUNT' && !deleted_at && (list(stores).length === 0 || list(stores).includes(storeId)),
  )
  const missing = discounted[usable.length]
  if (missing !== undefined)
    throw requirement(
      native(missing, 'line_discounts'),
      `Loyverse needs a separate discount of the type VARIABLE_AMOUNT for each line with a discount: the store has ${usable.length}`,
    )
  return new Map(discounted.map((n, index) => [n, usable[index]!.id]))
}

/** `source` is the origin of a receipt and can be used as a filter: it contains our mark. */
export const sourceOf = (call: WriteCall): string => `Unified Records ${call.reference}`

/** The price without the modifiers. */
function basePrice({ unitPrice, modifiers }: LineItem, currency: Currency, n: number): number | undefined {
  if (unitPrice === undefined) return undefined
  const at = native(n, 'price')
  const inMinor = (amount: number) => toMinor(amount, currency.code, at)
  const ofModifiers = list<Modifier>(modifiers).reduce((sum, { price = 0 }) => sum + inMinor(price), 0)
  return toAmount(fromMinor(inMinor(unitPrice) - ofModifiers, currency.code)!, currency, at)
}

export async function creation(call: WriteCall, record: Order, currency: Currency): Promise<object> {
  const { paymentTypeId, storeId } = call.account.settings
  const store_id = (record.locationExternalId ?? storeId)!
  const { lineItems } = record
  const sold = await soldProducts(call, lineItems)
  const discounts = await amountDiscounts(call, lineItems, store_id)
  const receipt_date = toUtc(record.processedAt)
  return compact({
    store_id,
    order: text(record.orderNumber),
    customer_id: record.customerExternalId,
    source: sourceOf(call),
    receipt_date,
    note: text(record.note),
    total_discounts: discounts.size
      ? [...discounts].map(([n, id]) => ({
          id,
          scope: 'LINE_ITEM',
          money_amount: toAmount(lineItems[n]!.lineDiscount!, currency, native(n, 'line_discounts')),
        }))
      : undefined,
    line_items: lineItems.map((line, n) =>
      compact({
        variant_id: sold[n]!.variant.variant_id,
        quantity: line.quantity,
        price: basePrice(line, currency, n),
        line_note: text(line.note),
        line_modifiers: list<Modifier>(line.modifiers).map(({ modifierExternalId, price }) =>
          compact({
            modifier_option_id: modifierExternalId,
            price: price === undefined ? undefined : toAmount(price, currency, native(n, 'line_modifiers')),
          }),
        ),
        // Only the listed taxes apply. Loyverse calculates the amounts: the product's own taxes, or none if the caller
        // sends a tax of 0.
        line_taxes: line.lineTax === 0 ? [] : list(sold[n]!.item.tax_ids).map((id) => ({ id })),
        line_discounts: discounts.has(n) ? [{ id: discounts.get(n) }] : undefined,
      }),
    ),
    payments: [compact({ payment_type_id: paymentTypeId, paid_at: receipt_date })],
  })
}
