// A unified product is a variant: price, sku, barcode, cost and stock belong to it, and order lines reference it.
// https://shopify.dev/docs/apps/build/product-merchandising/products-and-collections
import type { ListQuery, Page, ReadCall, SearchQuery } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { flag, list, members, text } from '../../kit/fields.ts'
import { fromDecimal } from '../../kit/money.ts'
import { productName, variantsNamed } from '../../kit/search.ts'
import { latestOf, toUtc } from '../../kit/time.ts'
import { ask, type Connection, changedSince, gidOf, idOf, nextOf, pageOf, quoted, referred } from './api.ts'

export interface NativeProduct {
  id: string
  title: string
  descriptionHtml: string
  vendor: string
  productType: string
  tags: string[]
  status: string
  updatedAt: string
  hasOnlyDefaultVariant: boolean
  category: { id: string; name: string } | null
  featuredMedia: { preview: { image: { url: string } | null } | null } | null
}
export interface NativeVariant {
  id: string
  title: string
  sku: string | null
  barcode: string | null
  price: string
  taxable: boolean
  inventoryQuantity: number | null
  updatedAt: string
  inventoryItem: { id: string; tracked: boolean; unitCost: { amount: string } | null }
}
export interface ProductRow extends NativeVariant {
  product: NativeProduct
  currency: string // the shop's: neither product nor variant has one
}
type WithVariants = NativeProduct & { variants: Connection<NativeVariant> }

const separator = ' - '
const shown = (title: unknown): string => text(title) ?? ''
export const nameOf = ({ product, title }: Pick<ProductRow, 'product' | 'title'>): string =>
  !product || flag(product.hasOnlyDefaultVariant)
    ? shown(product?.title)
    : `${shown(product.title)}${separator}${shown(title)}`
/**
 * The product's title in a name; undefined if the name would change the variant's part, which consists of its options.
 */
export function titleIn(name: string, { product, title }: Pick<ProductRow, 'product' | 'title'>): string | undefined {
  if (product.hasOnlyDefaultVariant) return name
  const end = `${separator}${title}`
  return name.endsWith(end) && name.length > end.length ? name.slice(0, -end.length) : undefined
}
/** An unlisted product is sold like an active one but does not appear in searches. */
const isActive = ({ status }: Partial<NativeProduct>): boolean => ['ACTIVE', 'UNLISTED'].includes(text(status) ?? '')

export function toUnified(row: ProductRow): Product {
  const product = members(row.product)
  const inventoryItem = members(row.inventoryItem)
  return {
    externalId: idOf(row.id),
    name: text(nameOf(row)) ?? idOf(row.id),
    description: toText(product.descriptionHtml),
    sku: text(row.sku),
    barcode: text(row.barcode),
    price: fromDecimal(row.price),
    cost: fromDecimal(inventoryItem.unitCost?.amount),
    active: isActive(product),
    taxable: row.taxable,
    categoryExternalId: referred(product.category),
    stockOnHand: flag(inventoryItem.tracked) ? (row.inventoryQuantity ?? undefined) : undefined,
    currencyCode: row.currency,
    categoryName: text(product.productType) ?? text(product.category?.name),
    vendor: text(product.vendor),
    tags: [...list(product.tags)],
    imageUrl: text(product.featuredMedia?.preview?.image?.url),
  }
}
/**
 * A product change does not always update its variants' times; a variant change updates its product's time: the later
 * one counts.
 */
export const modifiedAt = (row: ProductRow): string | undefined =>
  latestOf(toUtc(row.updatedAt), toUtc(row.product?.updatedAt))

const allVariants = (call: ReadCall, query: ListQuery, after?: string): Promise<Page<ProductRow, string>> =>
  pageOf(query, async (first) => {
    const { shop, productVariants } = await ask(call, 'variants', { first, after })
    return {
      rows: (productVariants as Connection<ProductRow>).nodes.map((node) => ({ ...node, currency: shop.currencyCode })),
      next: nextOf(productVariants),
    }
  })
/**
 * A product change (title, status) may not update its variants' times, so changed products are requested with all their
 * variants. Without `status` only active products are returned.
 */
const changedVariants = (call: ReadCall, query: ListQuery, after?: string): Promise<Page<ProductRow, string>> =>
  pageOf({ ...query, size: Math.min(query.size, 50) }, (first) =>
    variantsIn(call, 'changedProducts', { first, after, query: `${changedSince(query.updatedAfter!)} ${anyStatus}` }),
  )
const anyStatus = 'status:active,archived,draft,unlisted'
async function variantsIn(
  call: ReadCall,
  name: 'changedProducts' | 'productSearch',
  variables: Readonly<Record<string, unknown>>,
  shown: (rows: ProductRow[]) => ProductRow[] = (rows) => rows,
): Promise<Page<ProductRow, string>> {
  const { shop, products } = await ask(call, name, variables)
  const rows: ProductRow[] = []
  for (const { variants, ...product } of (products as Connection<WithVariants>).nodes) {
    const all = await everyVariant(call, product.id, variants)
    rows.push(...shown(all.map((variant) => ({ ...variant, product, currency: shop.currencyCode }))))
  }
  return { rows, next: nextOf(products) }
}
/** By title or SKU. */
export const searchProducts = (
  call: ReadCall,
  { text: sought, size }: SearchQuery,
  after?: string,
): Promise<Page<ProductRow, string>> =>
  pageOf({ size: Math.min(size, 50) }, (first) => {
    const either = `(title:${quoted(productName(sought))} OR sku:${quoted(sought)})`
    return variantsIn(call, 'productSearch', { first, after, query: `${either} ${anyStatus}` }, (rows) =>
      variantsNamed(rows, sought, toUnified),
    )
  })
export const listProducts = (call: ReadCall, query: ListQuery, after?: string): Promise<Page<ProductRow, string>> =>
  (query.updatedAfter === undefined ? allVariants : changedVariants)(call, query, after)

async function everyVariant(call: ReadCall, id: string, first: Connection<NativeVariant>): Promise<NativeVariant[]> {
  const variants = [...list(first.nodes)]
  for (let after = nextOf(first); after !== undefined; ) {
    const further: Connection<NativeVariant> | undefined = (await ask(call, 'variantsOfProduct', { id, after })).product
      ?.variants
    if (!further) break // deleted in the meantime
    variants.push(...list(further.nodes))
    after = nextOf(further)
  }
  return variants
}
export async function readProduct(call: ReadCall, id: string): Promise<ProductRow | undefined> {
  const gid = gidOf('ProductVariant', id)
  if (!gid) return undefined
  const { shop, productVariant } = await ask(call, 'variant', { id: gid })
  return productVariant ? { ...productVariant, currency: shop.currencyCode } : undefined
}
/** Variants of a product. A product and a variant of another one can have the same number, so the type is part of it. */
export const groupOf = (productId: string): string => `Product/${idOf(productId)}`
/** All variants of a product. */
export async function readVariants(call: ReadCall, group: string): Promise<ProductRow[]> {
  const gid = group.startsWith('Product/') ? gidOf('Product', idOf(group)) : undefined
  if (!gid) return []
  const { shop, product: found } = await ask(call, 'product', { id: gid })
  if (!found) return []
  const { variants, ...product } = found as WithVariants
  const all = await everyVariant(call, product.id, variants)
  return all.map((variant) => ({ ...variant, product, currency: shop.currencyCode }))
}
/** The only variant of a new product. */
export function onlyVariant({ variants, ...product }: WithVariants, currency: string): ProductRow {
  return { ...variants.nodes[0]!, product, currency }
}

// Descriptions are HTML at Shopify and text in a unified record.
const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

export const toHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('\n', '<br>')

/** The reverse of `toHtml`; for other HTML its text, one line per block. */
export function toText(html: unknown): string | undefined {
  const plain = (text(html) ?? '')
    .replace(/<(script|style)\b[\s\S]*?<\/\1>/gi, '')
    .replace(/<br\s*\/?>|<\/(p|div|li|h[1-6]|tr|ul|ol|table|blockquote)>\s*/gi, '\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&(#x[\da-f]+|#\d+|[a-z]+);/gi, (whole, name: string) => entity(name) ?? whole)
  return plain.trim() || undefined
}
function entity(name: string): string | undefined {
  if (!name.startsWith('#')) return named[name.toLowerCase()]
  const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
  return point <= 0x10ffff ? String.fromCodePoint(point) : undefined
}
