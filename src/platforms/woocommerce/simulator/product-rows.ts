// Products and variations as the API returns them.

import type { Collection } from '../../../sandbox/collection.ts'
import type { Fields } from '../../../sandbox/http.ts'
import { refuse } from './wire.ts'
import { dates, type Image, type Product, type Term, type Variation, type World } from './world.ts'

export const variationsOf = (world: World, product: number): Variation[] =>
  world.variations.filter(({ parent }) => parent === product)

const priceOf = ({ regular_price, sale_price }: Pick<Product, 'regular_price' | 'sale_price'>): string =>
  sale_price !== '' && Number(sale_price) < Number(regular_price) ? sale_price : regular_price

/** The formatting of the shop's pages: curly quotes and paragraphs. */
const formatted = (text: string): string =>
  text === ''
    ? ''
    : text
        .replaceAll(/"([^"<>]*)"/g, '&#8220;$1&#8221;')
        .split(/\n{2,}/)
        .map((paragraph) => (/^\s*<(p|ul|ol|div|h\d)\b/.test(paragraph) ? `${paragraph}\n` : `<p>${paragraph}</p>\n`))
        .join('')

/** Sorted by name, regardless of the order in the request. */
const terms = (collection: Collection<Term>, ids: readonly number[]): Term[] =>
  ids
    .map((id) => collection.get(String(id)))
    .filter((term) => term !== undefined)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
const image = (world: World, { id, src, name, alt }: Image, at: number): Fields => ({
  id,
  ...dates(world, 'date_created', at),
  ...dates(world, 'date_modified', at),
  src,
  name,
  alt,
})
const cost = ({ cost: value }: { cost?: number }): Fields =>
  value === undefined
    ? {}
    : { cost_of_goods_sold: { values: [{ defined_value: value, effective_value: value }], total_value: value } }

export function showProduct(world: World, product: Product, context: string): Fields {
  const {
    id,
    name,
    type,
    status,
    sku,
    global_unique_id,
    regular_price,
    sale_price,
    tax_status,
    manage_stock,
    stock_quantity,
    stock_status,
    backorders,
  } = product
  const text = context === 'edit' ? (value: string) => value : formatted
  const family =
    type === 'variable'
      ? variationsOf(world, id).filter(({ status: own }) => own === 'publish' || own === 'private')
      : []
  const prices = family.map(priceOf).filter((price) => price !== '')
  return {
    id,
    name,
    slug: `product-${id}`,
    permalink: `https://${world.shop}/product/product-${id}/`,
    ...dates(world, 'date_created', product.created),
    ...dates(world, 'date_modified', product.modified),
    type,
    status,
    featured: false,
    catalog_visibility: 'visible',
    description: text(product.description),
    short_description: text(product.short_description),
    sku,
    global_unique_id,
    price:
      type === 'variable'
        ? (prices.sort((a, b) => Number(a) - Number(b))[0] ?? '')
        : type === 'grouped'
          ? ''
          : priceOf(product),
    regular_price: type === 'variable' ? '' : regular_price,
    sale_price: type === 'variable' ? '' : sale_price,
    on_sale: priceOf(product) !== regular_price,
    tax_status,
    tax_class: '',
    manage_stock,
    stock_quantity,
    stock_status,
    backorders,
    low_stock_amount: null,
    ...cost(product),
    parent_id: 0,
    categories: terms(world.categories, product.categories),
    tags: terms(world.tags, product.tags),
    brands: terms(world.brands, product.brands),
    images: product.images.map((one) => image(world, one, product.created)),
    attributes: product.attributes,
    variations: family.map((variation) => variation.id),
    grouped_products: [],
    meta_data: product.meta,
  }
}
function sellable(world: World, variation: Variation, parent: Product): Fields {
  const { id, sku, global_unique_id, regular_price, sale_price, status, stock_status, backorders } = variation
  return {
    id,
    ...dates(world, 'date_created', variation.created),
    ...dates(world, 'date_modified', variation.modified),
    sku,
    global_unique_id,
    price: priceOf(variation),
    regular_price,
    sale_price,
    on_sale: priceOf(variation) !== regular_price,
    status,
    tax_status: parent.tax_status,
    tax_class: '',
    manage_stock: variation.manage_stock || (parent.manage_stock ? 'parent' : false),
    stock_quantity: variation.manage_stock
      ? variation.stock_quantity
      : parent.manage_stock
        ? parent.stock_quantity
        : null,
    stock_status,
    backorders,
    ...cost(variation),
    attributes: variation.attributes,
    meta_data: variation.meta,
  }
}
const optionsOf = ({ attributes }: Variation): string => attributes.map(({ option }) => option).join(', ')

/** At its own path: the text is always formatted, the name consists only of its options. */
export function showVariation(world: World, variation: Variation): Fields {
  const parent = world.products.get(String(variation.parent))!
  return {
    ...sellable(world, variation, parent),
    type: 'variation',
    name: optionsOf(variation),
    parent_id: variation.parent,
    description: formatted(variation.description),
    image: variation.image ? image(world, variation.image, variation.created) : null,
  }
}
/** At the path of products, a variation looks like a product. */
export function showAsProduct(world: World, variation: Variation, context: string): Fields {
  const parent = world.products.get(String(variation.parent))!
  return {
    ...showProduct(world, parent, context),
    ...sellable(world, variation, parent),
    type: 'variation',
    name: `${parent.name} - ${optionsOf(variation)}`,
    description: context === 'edit' ? variation.description : formatted(variation.description),
    short_description: '',
    parent_id: variation.parent,
    images: variation.image ? [image(world, variation.image, variation.created)] : [],
    categories: [],
    tags: [],
    brands: [],
    variations: [],
  }
}
export const productInvalid = (status: number, type = 'product'): never =>
  refuse(status, `woocommerce_rest_${type}_invalid_id`, 'Invalid ID.')
