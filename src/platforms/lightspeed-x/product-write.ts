// Converts a product to Lightspeed's format. A create is one body; an update contains the differences, split into
// fields of the family and fields of the variant.
import type { WriteCall } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { refusal, requirement } from '../../kit/errors.ts'
import { compact, list, text } from '../../kit/fields.ts'
import { toDecimal } from '../../kit/money.ts'
import { outlets, type Shop, stockOutlet } from './account.ts'
import { brandId, categoryId, checkCategory, tagIds } from './catalog-names.ts'
import {
  barcodeOf,
  type Code,
  isFamily,
  type NativeProduct,
  nameOf,
  type ProductRow,
  priceField,
  toUnified,
} from './product-row.ts'

/** Amounts are JSON numbers in major units; too many decimals are rejected. */
const money = (amount: number | undefined, { currency }: Shop, native: string): number | undefined =>
  amount === undefined ? undefined : Number(toDecimal(amount, currency, native))

/** https://x-series-api.lightspeedhq.com/docs/products_creating_variants: the types that a code may have */
function typeOf(code: string): string {
  if (/^97[89]\d{10}$/.test(code)) return 'ISBN'
  return /^\d+$/.test(code) ? ({ 8: 'EAN', 12: 'UPC', 13: 'EAN', 14: 'ITF' }[code.length] ?? 'CUSTOM') : 'CUSTOM'
}
/** The first is the sku. */
function codesOf(sku: string | undefined, barcode: string | undefined, others: readonly Code[] = []): Code[] {
  const own = [
    ...(sku && sku !== barcode ? [{ type: 'CUSTOM', code: sku }] : []),
    ...(barcode ? [{ type: typeOf(barcode), code: barcode }] : []),
  ]
  return [...own, ...others.filter(({ code }) => own.every((taken) => taken.code !== code))]
}
async function categoryOf(call: WriteCall, record: Product): Promise<string | undefined> {
  if (record.categoryExternalId) return checkCategory(call, record.categoryExternalId)
  return record.categoryName ? categoryId(call, record.categoryName) : undefined
}
/** A product tax for the whole shop if prices include tax, for each outlet otherwise. "" is the default tax. */
async function taxesOf(call: WriteCall, taxable: boolean | undefined, shop: Shop): Promise<object> {
  if (taxable === undefined) return {}
  if (!shop.noTax) throw requirement('taxes', 'Lightspeed did not return the tax for tax-free products')
  const tax_id = taxable ? '' : shop.noTax
  if (!shop.taxExclusive) return { all_outlets_tax: { tax_id } }
  return { outlet_taxes: (await outlets(call)).map((outlet_id) => ({ outlet_id, tax_id })) }
}
export async function creation(call: WriteCall, record: Product, shop: Shop): Promise<object> {
  const codes = codesOf(record.sku, record.barcode)
  const prices = {
    [priceField(shop)]: money(record.price, shop, 'price'),
    supply_price: money(record.cost, shop, 'supply_price'),
  }
  const stock =
    record.stockOnHand === undefined
      ? undefined
      : [{ outlet_id: await stockOutlet(call), current_amount: record.stockOnHand }]
  return compact({
    name: record.name,
    description: record.description,
    sku: record.sku,
    product_codes: codes.length ? codes : undefined,
    source_id: call.reference,
    is_active: record.active,
    ...prices,
    inventory: stock,
    images: record.imageUrl === undefined ? undefined : [{ type: 'url', location: record.imageUrl }],
    ...(record.taxable === false ? await taxesOf(call, false, shop) : {}),
    product_category_id: await categoryOf(call, record),
    brand_id: record.vendor ? await brandId(call, record.vendor) : undefined,
    tag_ids: record.tags?.length ? await tagIds(call, record.tags) : undefined,
  })
}

export interface Change {
  common?: object
  details?: object
}
/** Undefined if nothing differs. */
export async function changeOf(call: WriteCall, record: Product, row: ProductRow): Promise<Change | undefined> {
  const { product, shop } = row
  const before = toUnified(row)
  const changed = (field: keyof Product) => !same(record[field], before[field])
  const asked = (field: keyof Product) => record[field] !== undefined && changed(field)
  if (isFamily(product))
    for (const [field, native] of Object.entries(shared))
      if (changed(field as keyof Product)) throw sharedByAll(native, nameOf(product))
  const recategorized = changed('categoryExternalId') || changed('categoryName')
  const stock = asked('stockOnHand') ? await stockChange(call, record.stockOnHand!, row) : undefined
  const common = compact({
    name: asked('name') ? record.name : undefined,
    description: changed('description') ? (record.description ?? '') : undefined,
    brand_id: changed('vendor') ? (record.vendor ? await brandId(call, record.vendor) : '') : undefined,
    product_category_id: recategorized ? ((await categoryOf(call, differing(record, before))) ?? '') : undefined,
    tag_ids: changed('tags') ? await tagIds(call, list(record.tags)) : undefined,
    track_inventory: stock && product.has_inventory === false ? true : undefined,
  })
  const details = compact({
    is_active: asked('active') ? record.active : undefined,
    product_codes: asked('sku') || changed('barcode') ? codesAfter(record, product) : undefined,
    [priceField(shop)]: asked('price') ? money(record.price, shop, 'price') : undefined,
    product_suppliers:
      (record.cost ?? 0) === (before.cost ?? 0) ? undefined : costAt(product, money(record.cost, shop, 'supply_price')),
    inventory: stock,
    ...(asked('taxable') ? await taxesOf(call, record.taxable, shop) : {}),
  })
  const change = { ...(Object.keys(common).length && { common }), ...(Object.keys(details).length && { details }) }
  return Object.keys(change).length ? change : undefined
}
/** True if one of the fields that an update changes is no longer as it was. */
export function showsChange(record: Product, before: ProductRow, now: ProductRow): boolean {
  const [old, current] = [toUnified(before), toUnified(now)]
  return (Object.keys({ ...old, ...record }) as (keyof Product)[]).some(
    (field) => !same(record[field], old[field]) && !same(current[field], old[field]),
  )
}
const shared = {
  name: 'name',
  description: 'description',
  vendor: 'brand_id',
  categoryExternalId: 'product_category_id',
  categoryName: 'product_category_id',
  tags: 'tag_ids',
} as const
const sharedByAll = (native: string, name: string) =>
  refusal(
    native,
    `"${name}" is one variant of a product, and the field is shared by all of them: change it in Lightspeed`,
  )

/** A changed name takes precedence over an unchanged id, and vice versa. */
const differing = (record: Product, before: Product): Product =>
  record.categoryExternalId === before.categoryExternalId
    ? { ...record, categoryExternalId: undefined }
    : { ...record, categoryName: undefined }

function codesAfter(record: Product, product: NativeProduct): Code[] {
  const gone = new Set([product.sku, barcodeOf(product)])
  const others = list(product.product_codes).filter(({ code }) => !gone.has(code))
  return codesOf(record.sku ?? text(product.sku), record.barcode, others)
}
const noCost = -1 // deletes the price
/** A cost belongs to a supplier: without one it cannot be changed, and the response has a warning. */
function costAt({ product_suppliers }: NativeProduct, price = noCost): object[] | undefined {
  const supplier_id = list(product_suppliers)[0]?.supplier_id
  return supplier_id ? [{ supplier_id, price }] : undefined
}
/** One outlet gets the difference, so that the sum over all outlets is correct. */
async function stockChange(call: WriteCall, target: number, { levels = {} }: ProductRow): Promise<object[]> {
  const outlet_id = await stockOutlet(call)
  const elsewhere = Object.entries(levels).reduce(
    (sum, [outlet, level]) => (outlet === outlet_id ? sum : sum + level),
    0,
  )
  return [{ outlet_id, current_amount: target - elsewhere }]
}
const same = (left: unknown, right: unknown): boolean => JSON.stringify(blank(left)) === JSON.stringify(blank(right))
const blank = (value: unknown): unknown =>
  Array.isArray(value) ? (value.length ? value.toSorted() : undefined) : typeof value === 'string' ? text(value) : value
