// productSet, productUpdate, productVariantsBulkUpdate: list fields are replaced if sent, omitted fields are unchanged.
import { productView, variantView } from './products.ts'
import { hasCategory } from './taxonomy.ts'
import { type Arguments, idIn, mutation, type Resolvers, refuse } from './wire.ts'
import { minor, type Product, touchProduct, touchVariant, type Variant, variantsOf, type World } from './world.ts'

type Path = string[]

/** Sorted, without duplicates; a comma inside a tag separates two tags. */
const cleanTags = (tags: readonly string[]): string[] => {
  const all = tags.flatMap((tag) => tag.split(',')).map((tag) => tag.trim())
  return [...new Map(all.filter(Boolean).map((tag) => [tag.toLowerCase(), tag])).values()].sort()
}
export function freeHandle(world: World, title: string): string {
  const base =
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-+|-+$/g, '') || 'product'
  const taken = (handle: string) => world.products.find((product) => product.handle === handle) !== undefined
  for (let number = 0; ; number += 1) {
    const handle = number ? `${base}-${number}` : base
    if (!taken(handle)) return handle
  }
}
/** The text fields of a product; null and "" both clear. */
function productChanges(input: Arguments, path: Path, invalid?: string): Partial<Product> {
  const changes: Partial<Product> = {}
  if (input.title !== undefined) {
    if (!input.title?.trim()) refuse([...path, 'title'], "Title can't be blank", invalid)
    if (input.title.length > 255) refuse([...path, 'title'], 'Title is too long (maximum is 255 characters)', invalid)
    changes.title = input.title.trim()
  }
  for (const name of ['descriptionHtml', 'vendor', 'productType'] as const)
    if (input[name] !== undefined) changes[name] = input[name] ?? ''
  if ((input.productType?.length ?? 0) > 255)
    refuse([...path, 'productType'], 'Product type is too long (maximum is 255 characters)', invalid)
  if (input.tags !== undefined) changes.tags = cleanTags(input.tags ?? [])
  if (input.status != null) changes.status = input.status
  if (input.handle != null) changes.handle = input.handle
  if (input.category !== undefined)
    changes.categoryId =
      input.category === null ? undefined : categoryIn(input.category, [...path, 'category'], invalid)
  return changes
}
function categoryIn(given: string, field: Path, invalid?: string): string {
  const id = given.replace('gid://shopify/TaxonomyCategory/', '')
  return hasCategory(id) ? id : refuse(field, 'Category is invalid', invalid)
}
/** `inventoryItem.sku` and, on productSet, `sku` are the same thing. */
function variantChanges(input: Arguments, path: Path, code: string): Partial<Variant> {
  const changes: Partial<Variant> = {}
  const item = input.inventoryItem ?? {}
  const sku = item.sku === undefined ? input.sku : item.sku
  if (sku !== undefined) changes.sku = sku || undefined
  if (input.barcode !== undefined) changes.barcode = input.barcode || undefined
  if (input.taxable != null) changes.taxable = input.taxable
  if (input.price != null) {
    changes.price = minor(input.price)
    if (changes.price < 0) refuse([...path, 'price'], 'Price must be greater than or equal to 0', code)
  }
  if (item.cost !== undefined) {
    changes.cost = item.cost === null ? undefined : minor(item.cost)
    if ((changes.cost ?? 0) < 0)
      refuse([...path, 'inventoryItem', 'cost'], 'Cost must be greater than or equal to 0', code)
  }
  if (item.tracked != null) changes.tracked = item.tracked
  return changes
}
const primary = (world: World): string => world.locations.ids()[0]!

interface Target {
  optionValues: string[]
  changes: Partial<Variant>
  quantities: { location: string; quantity: number }[]
}
function wantedVariants(world: World, input: Arguments, options: Product['options']): Target[] {
  return input.variants.map((variant: Arguments, index: number): Target => {
    const path = ['input', 'variants', String(index)]
    const optionValues = options.map(({ name, values }) => {
      const value = variant.optionValues.find((one: Arguments) => one.optionName === name)?.name
      return values.includes(value)
        ? value
        : refuse([...path, 'optionValues'], 'Option does not exist', 'OPTION_DOES_NOT_EXIST')
    })
    const quantities = (variant.inventoryQuantities ?? []).map((one: Arguments) => {
      const location = idIn('Location', one.locationId)
      if (!world.locations.get(location)?.isActive)
        refuse([...path, 'inventoryQuantities', '0', 'locationId'], 'Location is invalid', 'INVALID_VARIANT')
      return { location, quantity: one.quantity }
    })
    return { optionValues, changes: variantChanges(variant, path, 'INVALID_VARIANT'), quantities }
  })
}
function putVariant(
  world: World,
  product: Product,
  current: Variant | undefined,
  { optionValues, changes, quantities }: Target,
  position: number,
): void {
  const fresh = (): Variant => {
    const at = product.updatedAt
    return {
      id: world.nextId('variant'),
      productId: product.id,
      position,
      optionValues,
      price: 0,
      taxable: true,
      itemId: world.nextId('item'),
      tracked: false,
      createdAt: at,
      updatedAt: at,
    }
  }
  const variant = current ? touchVariant(world, current, { ...changes, position }) : fresh()
  if (!current) {
    world.variants.set(variant.id, { ...variant, ...changes })
    world.levels.set(`${variant.itemId}/${primary(world)}`, 0)
  }
  for (const { location, quantity } of quantities) world.levels.set(`${variant.itemId}/${location}`, quantity)
}
export function deleteVariant(world: World, variant: Variant): void {
  for (const location of world.locations.ids()) world.levels.delete(`${variant.itemId}/${location}`)
  world.variants.delete(variant.id)
}

/** Finds the product, or undefined if it must be created: an unused handle creates a product, an id must exist. */
function identified(world: World, { identifier, input }: Arguments): Product | undefined {
  if (identifier?.id)
    return (
      world.products.get(idIn('Product', identifier.id)) ??
      refuse(['identifier', 'id'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST')
    )
  if (!identifier?.handle) return undefined
  if (input.handle == null)
    refuse(
      ['input', 'handle'],
      'The input field corresponding to the identifier is required.',
      'MISSING_FIELD_REQUIRED',
    )
  if (input.handle !== identifier.handle)
    refuse(
      ['input', 'handle'],
      'The identifier value does not match the value of the corresponding field in the input.',
      'INPUT_MISMATCH',
    )
  return world.products.find(({ handle }) => handle === identifier.handle)
}
function productSet(args: Arguments, world: World): Product {
  const { input } = args
  const current = identified(world, args)
  if (!current && input.title == null) refuse(['input', 'title'], "Title can't be blank", 'INVALID_PRODUCT')
  if (input.variants && !input.productOptions)
    refuse(
      ['input', 'productOptions'],
      'Must specify product options when updating variants',
      'PRODUCT_OPTIONS_INPUT_MISSING',
    )
  if (input.productOptions && !input.variants)
    refuse(['input', 'variants'], 'Must specify variants when updating options', 'VARIANTS_INPUT_MISSING')
  const changes = productChanges(input, ['input'], 'INVALID_PRODUCT')
  if (changes.handle && world.products.find(({ handle, id }) => handle === changes.handle && id !== current?.id))
    refuse(['input', 'handle'], 'Handle already in use. Please provide a new handle.', 'HANDLE_NOT_UNIQUE')
  const options: Product['options'] = input.productOptions?.map(({ name, values }: Arguments) => ({
    name,
    values: (values ?? []).map((value: Arguments) => value.name),
  })) ??
    current?.options ?? [{ name: 'Title', values: ['Default Title'] }]
  const target: Target[] | undefined = input.variants
    ? wantedVariants(world, input, options)
    : current
      ? undefined
      : [{ optionValues: ['Default Title'], changes: {}, quantities: [] }]

  const at = world.tick()
  const fresh = (): Product => ({
    id: world.nextId('product'),
    title: '',
    handle: changes.handle ?? freeHandle(world, changes.title!),
    descriptionHtml: '',
    vendor: world.name,
    productType: '',
    tags: [],
    status: 'ACTIVE',
    options,
    createdAt: at,
    updatedAt: at,
  })
  const product = touchProduct(world, current ?? fresh(), { ...changes, options }, at)
  if (target) {
    const present = variantsOf(world, product.id)
    const same = (values: string[]) => present.find(({ optionValues }) => optionValues.join('\n') === values.join('\n'))
    const kept = new Set(target.map(({ optionValues }) => same(optionValues)))
    for (const variant of present) if (!kept.has(variant)) deleteVariant(world, variant)
    for (const [index, one] of target.entries()) putVariant(world, product, same(one.optionValues), one, index + 1)
  }
  return product
}

export const productMutations: Resolvers = {
  productSet: mutation((args, { world }) => ({ product: productView(world, productSet(args, world)) })),
  productUpdate: mutation(({ product: input }: Arguments, { world }) => {
    const product = input?.id ? world.products.get(idIn('Product', input.id)) : undefined
    if (!product) return refuse(['id'], 'Product does not exist')
    return { product: productView(world, touchProduct(world, product, productChanges(input, []))) }
  }),
  productVariantsBulkUpdate: mutation(({ productId, variants }: Arguments, { world }) => {
    const product = world.products.get(idIn('Product', productId))
    if (!product) return refuse(['productId'], 'Product does not exist', 'PRODUCT_DOES_NOT_EXIST')
    const planned = variants.map((input: Arguments, index: number) => {
      const path = ['variants', String(index)]
      if (!input.id) refuse([...path, 'id'], 'Product variant is missing ID attribute', 'PRODUCT_VARIANT_ID_MISSING')
      const variant = world.variants.get(idIn('ProductVariant', input.id))
      if (variant?.productId !== product.id)
        return refuse([...path, 'id'], 'Product variant does not exist', 'PRODUCT_VARIANT_DOES_NOT_EXIST')
      if (input.inventoryQuantities)
        refuse(
          [...path, 'inventoryQuantities'],
          'Inventory quantities can only be provided during create.',
          'NO_INVENTORY_QUANTITIES_ON_VARIANTS_UPDATE',
        )
      return { variant, changes: variantChanges(input, path, 'GREATER_THAN_OR_EQUAL_TO') }
    })
    const changed: Variant[] = planned.map(({ variant, changes }: { variant: Variant; changes: Partial<Variant> }) =>
      touchVariant(world, variant, changes),
    )
    return {
      product: productView(world, world.products.get(product.id)!),
      productVariants: changed.map((variant) => variantView(world, variant)),
    }
  }),
}
