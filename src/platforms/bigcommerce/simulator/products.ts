// Products as V3 returns them, and the filters of their list.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import type { WireRequest } from '../../../sandbox/simulator.ts'
import { data, idsIn, knownFilters, numbered, refuse } from './wire.ts'
import { inSeconds, isoSeconds, type StoredImage, type StoredProduct, type World } from './world.ts'

export const productDefaults: Fields = {
  name: '',
  type: 'physical',
  sku: '',
  description: '',
  weight: 0,
  width: 0,
  depth: 0,
  height: 0,
  price: 0,
  cost_price: 0,
  retail_price: 0,
  sale_price: 0,
  map_price: 0,
  tax_class_id: 0,
  product_tax_code: '',
  categories: [],
  brand_id: 0,
  inventory_level: 0,
  inventory_warning_level: 0,
  inventory_tracking: 'none',
  fixed_cost_shipping_price: 0,
  is_free_shipping: false,
  is_visible: false,
  is_featured: false,
  related_products: [-1],
  warranty: '',
  bin_picking_number: '',
  layout_file: '',
  upc: '',
  mpn: '',
  gtin: '',
  search_keywords: '',
  availability: 'available',
  availability_description: '',
  gift_wrapping_options_type: 'any',
  gift_wrapping_options_list: [],
  sort_order: 0,
  condition: 'New',
  is_condition_shown: false,
  order_quantity_minimum: 0,
  order_quantity_maximum: 0,
  page_title: '',
  meta_keywords: [],
  meta_description: '',
}
const computed = (product: StoredProduct): Fields => ({
  reviews_rating_sum: 0,
  reviews_count: 0,
  total_sold: 0,
  view_count: 0,
  preorder_release_date: null,
  preorder_message: '',
  is_preorder_only: false,
  is_price_hidden: false,
  price_hidden_label: '',
  custom_url: { url: `/product-${product.id}/`, is_customized: false },
  open_graph_type: 'product',
  open_graph_title: '',
  open_graph_description: '',
  open_graph_use_meta_description: true,
  open_graph_use_product_name: true,
  open_graph_use_image: true,
})
const number = (value: unknown): number => Number(value ?? 0)

export function productView(world: World, product: StoredProduct, include: readonly string[] = []): Fields {
  const { fields } = product
  const thumbnail = product.images.find(({ is_thumbnail }) => is_thumbnail) ?? product.images[0]
  return {
    id: product.id,
    ...fields,
    ...(fields.inventory_tracking === 'variant' && {
      inventory_level: product.variants.reduce((sum, { inventory_level }) => sum + inventory_level, 0),
    }),
    ...computed(product),
    calculated_price: number(fields.sale_price) || number(fields.price),
    date_created: isoSeconds(product.created),
    date_modified: isoSeconds(product.modified),
    base_variant_id: product.base_variant_id,
    ...(include.includes('variants') && { variants: variantViews(product) }),
    ...(include.includes('images') && { images: product.images.map((image) => imageView(world, product, image)) }),
    ...(include.includes('primary_image') && thumbnail && { primary_image: imageView(world, product, thumbnail) }),
  }
}

export function imageView(
  { storeHash }: World,
  { id: product_id }: StoredProduct,
  { id, is_thumbnail, description, modified }: StoredImage,
): Fields {
  const file = `p/${String(id).padStart(3, '0')}/picture__${id}.jpg`
  const url = (size: string) =>
    `https://cdn11.bigcommerce.com/s-${storeHash}/products/${product_id}/images/${id}/picture__${id}.${size}.jpg?c=1`
  return {
    id,
    product_id,
    is_thumbnail,
    sort_order: 0,
    description,
    image_file: file,
    url_zoom: url('1280.1280'),
    url_standard: url('386.513'),
    url_thumbnail: url('220.290'),
    url_tiny: url('44.58'),
    date_modified: isoSeconds(modified),
  }
}

export function variantViews(product: StoredProduct): Fields[] {
  const { fields } = product
  const plain = {
    weight: null,
    width: null,
    depth: null,
    height: null,
    sale_price: null,
    retail_price: null,
    is_free_shipping: false,
    fixed_cost_shipping_price: null,
  }
  const shared = {
    product_id: product.id,
    ...plain,
    purchasing_disabled: false,
    purchasing_disabled_message: '',
    inventory_warning_level: null,
    bin_picking_number: null,
    mpn: '',
  }
  if (product.base_variant_id !== null)
    return [
      {
        id: product.base_variant_id,
        ...shared,
        sku: fields.sku,
        price: null,
        calculated_price: number(fields.sale_price) || number(fields.price),
        cost_price: fields.cost_price,
        upc: fields.upc,
        gtin: fields.gtin,
        inventory_level: fields.inventory_level,
        image_url: '',
        option_values: [],
      },
    ]
  return product.variants.map(({ label, ...variant }) => ({
    ...shared,
    ...variant,
    inventory_level: fields.inventory_tracking === 'variant' ? variant.inventory_level : null,
    calculated_price: number(variant.sale_price ?? fields.sale_price) || (variant.price ?? number(fields.price)),
    option_values: [
      { id: variant.id + 1000, option_id: product.id + 500, option_display_name: label.option, label: label.value },
    ],
  }))
}

export const findProduct = (world: World, id: string): StoredProduct =>
  world.products.get(id) ?? refuse(404, `A product was not found with an id of ${id}`)

const paging = ['page', 'limit', 'sort', 'direction', 'include', 'include_fields', 'exclude_fields']
const exact = [
  'id',
  'name',
  'sku',
  'upc',
  'mpn',
  'brand_id',
  'is_visible',
  'availability',
  'price',
  'type',
  'condition',
]
const ranges = ['id:min', 'id:max', 'id:greater', 'id:less', 'date_modified:min', 'date_modified:max']
const filters = [
  ...paging,
  ...exact,
  ...ranges,
  'id:in',
  'sku:in',
  'categories',
  'categories:in',
  'keyword',
  'keyword_context',
]
const sorts = [
  'id',
  'name',
  'sku',
  'price',
  'date_modified',
  'date_last_imported',
  'inventory_level',
  'is_visible',
  'total_sold',
  'calculated_price',
]
const includes = [
  'bulk_pricing_rules',
  'channels',
  'custom_fields',
  'images',
  'modifiers',
  'options',
  'parent_relations',
  'primary_image',
  'reviews',
  'variants',
  'videos',
]

export function includesOf({ query }: WireRequest, known: readonly string[] = includes): string[] {
  const target = (query.get('include') ?? '').split(',').filter(Boolean)
  for (const name of target) if (!known.includes(name)) refuse(422, `The include ${name} is not known`)
  return target
}

/** A date without a time of day gets the current time, a trap for a client that filters by a whole day. */
function filterTime(world: World, query: URLSearchParams, name: string): number | undefined {
  const given = query.get(name)
  if (given === null) return undefined
  const time = Date.parse(
    /^\d{4}-\d\d-\d\d$/.test(given) ? `${given}T${new Date(world.now()).toISOString().slice(11)}` : given,
  )
  return Number.isNaN(time) ? refuse(422, `The filter ${name} is not a date`, { [name]: 'invalid date' }) : time
}

function matching(world: World, query: URLSearchParams): StoredProduct[] {
  knownFilters(query, filters)
  const bound = (name: string) => (query.has(name) ? Number(query.get(name)) : undefined)
  const among = idsIn(query, 'id:in')
  const skus = query.get('sku:in')?.split(',')
  const categories = idsIn(query, 'categories:in') ?? idsIn(query, 'categories')
  const keyword = query.get('keyword')?.toLowerCase()
  if (!['shopper', 'merchant'].includes(query.get('keyword_context') ?? 'shopper'))
    refuse(422, 'keyword_context must be shopper or merchant')
  const brandOf = ({ brand_id }: Fields) => world.brands.get(String(brand_id))?.name
  const [min, max] = [filterTime(world, query, 'date_modified:min'), filterTime(world, query, 'date_modified:max')]
  const [least, most, above, below] = [bound('id:min'), bound('id:max'), bound('id:greater'), bound('id:less')]
  const target = exact.filter((name) => query.has(name))
  return world.products.filter(
    ({ id, fields, modified }) =>
      (!among || among.has(id)) &&
      (least === undefined || id >= least) &&
      (most === undefined || id <= most) &&
      (above === undefined || id > above) &&
      (below === undefined || id < below) &&
      (min === undefined || inSeconds(modified) >= min) &&
      (max === undefined || inSeconds(modified) <= max) &&
      (!skus || skus.includes(String(fields.sku))) &&
      (!categories || (fields.categories as number[]).some((category) => categories.has(category))) &&
      (keyword === undefined ||
        [fields.name, fields.description, fields.sku, brandOf(fields)].some((value) =>
          String(value ?? '')
            .toLowerCase()
            .includes(keyword),
        )) &&
      target.every(
        (name) => String(name === 'id' ? id : fields[name]).toLowerCase() === query.get(name)!.toLowerCase(),
      ),
  )
}

function sorted(rows: StoredProduct[], query: URLSearchParams): StoredProduct[] {
  const [sort, direction] = [query.get('sort') ?? 'id', query.get('direction') ?? 'asc']
  if (!sorts.includes(sort) || !['asc', 'desc'].includes(direction)) refuse(422, 'sort or direction is not valid')
  const key = ({ id, fields, modified }: StoredProduct): number | string =>
    sort === 'id'
      ? id
      : sort === 'date_modified'
        ? inSeconds(modified)
        : typeof fields[sort] === 'number'
          ? (fields[sort] as number)
          : String(fields[sort] ?? '')
  return rows
    .map((row) => ({ row, at: key(row) }))
    .sort((a, b) => (direction === 'asc' ? 1 : -1) * (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ row }) => row)
}

export const productRoutes: Routes<World> = {
  'GET /catalog/products': ({ request, context: world }) => {
    const include = includesOf(request)
    const { rows, pagination } = numbered(
      sorted(matching(world, request.query), request.query),
      request.query,
      include.some((name) => ['options', 'modifiers'].includes(name)) ? 10 : 250,
    )
    return data(
      rows.map((product) => productView(world, product, include)),
      { pagination },
    )
  },
  'GET /catalog/products/:id': ({ request, params: { id = '' }, context: world }) =>
    data(productView(world, findProduct(world, id), includesOf(request))),
  'GET /catalog/products/:id/variants': ({ request, params: { id = '' }, context: world }) => {
    const { rows, pagination } = numbered(variantViews(findProduct(world, id)), request.query)
    return data(rows, { pagination })
  },
  'GET /catalog/products/:id/images': ({ request, params: { id = '' }, context: world }) => {
    const product = findProduct(world, id)
    const { rows, pagination } = numbered(product.images, request.query)
    return data(
      rows.map((image) => imageView(world, product, image)),
      { pagination },
    )
  },
}
