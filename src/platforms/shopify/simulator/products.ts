// Products, variants and the primary location, as queries return them.
import { type ConnectionArguments, connection, matches, termsOf } from './connections.ts'
import { inventoryItemView } from './inventory.ts'
import { categoryName } from './taxonomy.ts'
import { type Arguments, idIn, type Resolvers } from './wire.ts'
import {
  availableOf,
  gid,
  isDefaultOnly,
  iso,
  money,
  type Product,
  type Variant,
  variantsOf,
  type World,
} from './world.ts'

export const titleOf = ({ optionValues }: Variant): string => optionValues.join(' / ')

export function productView(world: World, product: Product): object {
  return {
    ...product,
    id: gid('Product', product.id),
    legacyResourceId: product.id,
    hasOnlyDefaultVariant: isDefaultOnly(product),
    category: product.categoryId
      ? {
          id: gid('TaxonomyCategory', product.categoryId),
          name: categoryName(product.categoryId),
          fullName: categoryName(product.categoryId),
        }
      : null,
    featuredMedia: product.imageUrl
      ? { __typename: 'MediaImage', preview: { image: { url: product.imageUrl } } }
      : null,
    createdAt: iso(product.createdAt),
    updatedAt: iso(product.updatedAt),
    variants: (args: ConnectionArguments) =>
      connection(variantsOf(world, product.id), args, variantSort, (variant) => variantView(world, variant)),
  }
}
export function variantView(world: World, variant: Variant): object {
  const product = world.products.get(variant.productId)!
  return {
    id: gid('ProductVariant', variant.id),
    legacyResourceId: variant.id,
    title: titleOf(variant),
    displayName: `${product.title} - ${titleOf(variant)}`,
    sku: variant.sku ?? null,
    barcode: variant.barcode ?? null,
    price: money(variant.price),
    taxable: variant.taxable,
    inventoryQuantity: availableOf(world, variant.itemId),
    createdAt: iso(variant.createdAt),
    updatedAt: iso(variant.updatedAt),
    inventoryItem: () => inventoryItemView(world, variant),
    product: () => productView(world, product),
  }
}
function variantSort(variant: Variant, key: string): number | string {
  if (key === 'POSITION') return variant.position
  if (key === 'SKU') return variant.sku ?? ''
  return key === 'TITLE' ? titleOf(variant) : Number(variant.id)
}
function productSort(product: Product, key: string): number | string {
  if (key === 'UPDATED_AT') return product.updatedAt
  if (key === 'CREATED_AT') return product.createdAt
  return key === 'TITLE' ? product.title : Number(product.id)
}

function findProduct(world: World, { handle, id }: { handle?: string | null; id?: string | null }): object | null {
  const product =
    handle == null ? world.products.get(idIn('Product', id!)) : world.products.find((one) => one.handle === handle)
  return product ? productView(world, product) : null
}
export const productQueries: Resolvers = {
  products: (args: Arguments, { world }) => {
    const terms = termsOf(args.query)
    // In the schema's filter table, `active` is the default of `status`.
    if (!terms.some(({ field }) => field === 'status'))
      terms.push({ field: 'status', operator: '=', values: ['active'] })
    const bySku = terms.some(({ field, any }) => field === 'sku' || any?.some((term) => term.field === 'sku'))
    const rows = world.products.filter((product) => {
      const { id, title, handle, status, vendor, tags: tag, createdAt, updatedAt } = product
      return matches(terms, {
        id,
        title,
        handle,
        status,
        vendor,
        tag,
        sku: bySku ? variantsOf(world, id).map(({ sku }) => sku ?? '') : [],
        created_at: createdAt,
        updated_at: updatedAt,
      })
    })
    return connection(rows, args, productSort, (product) => productView(world, product))
  },
  product: ({ id }, { world }) => findProduct(world, { id }),
  productByIdentifier: ({ identifier }, { world }) => findProduct(world, identifier),
  productVariants: (args: Arguments, { world }) => {
    const terms = termsOf(args.query)
    const rows = world.variants.filter(({ id, sku, barcode, productId, updatedAt }) => {
      const { status } = world.products.get(productId)!
      return matches(terms, { id, sku, barcode, product_id: productId, product_status: status, updated_at: updatedAt })
    })
    return connection(rows, args, variantSort, (variant) => variantView(world, variant))
  },
  productVariant: ({ id }, { world }) => {
    const variant = world.variants.get(idIn('ProductVariant', id))
    return variant ? variantView(world, variant) : null
  },
}
