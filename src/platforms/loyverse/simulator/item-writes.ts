// Creates and replaces items and variants: omitted fields are cleared.
import type { Fields } from '../../../sandbox/http.ts'
import { acceptObject, invalid, listOf, listOfObjects, refuse, required, type Schema, text, unknown } from './wire.ts'
import {
  type Item,
  liveStores,
  liveVariants,
  money,
  type Override,
  setLevel,
  stockAt,
  type Variant,
  type World,
} from './world.ts'

const pricing = { enum: ['FIXED', 'VARIABLE'] } as const
const option = text(1, 20)
const variantSchema: Schema = {
  variant_id: 'uuid',
  item_id: 'uuid',
  sku: text(1, 40),
  reference_variant_id: text(0, 128),
  option1_value: option,
  option2_value: option,
  option3_value: option,
  barcode: text(1, 128),
  cost: 'number',
  purchase_cost: 'number',
  default_pricing_type: pricing,
  default_price: 'number',
  stores: listOfObjects({
    store_id: 'uuid',
    pricing_type: pricing,
    price: 'number',
    available_for_sale: 'boolean',
    optimal_stock: 'number',
    low_stock: 'number',
  }),
}
const itemSchema: Schema = {
  id: 'uuid',
  item_name: text(1, 64),
  description: text(1, 32_768),
  reference_id: text(0, 128),
  category_id: 'uuid',
  track_stock: 'boolean',
  sold_by_weight: 'boolean',
  is_composite: 'boolean',
  use_production: 'boolean',
  components: listOfObjects({ variant_id: 'uuid', quantity: 'number' }),
  primary_supplier_id: 'uuid',
  tax_ids: listOf('uuid'),
  modifiers_ids: listOf('uuid'),
  form: { enum: ['SQUARE', 'CIRCLE', 'SUN', 'OCTAGON'] },
  color: { enum: ['GREY', 'RED', 'PINK', 'ORANGE', 'YELLOW', 'GREEN', 'BLUE', 'PURPLE'] },
  option1_name: text(1, 40),
  option2_name: text(1, 40),
  option3_name: text(1, 40),
  variants: listOfObjects(variantSchema),
}

/**
 * Every store has an entry, in a new variant by default with the price of the variant. An update without the entry of a
 * store does not change it: a new default price alone does not reach its till.
 */
export function overridesOf(
  world: World,
  given: readonly Fields[],
  type: Variant['default_pricing_type'],
  price: number | null,
  current: readonly Override[] = [],
): Override[] {
  for (const { store_id } of given) if (typeof store_id !== 'string' || !world.stores.has(store_id)) unknown('store_id')
  return liveStores(world).map(({ id }): Override => {
    const own = given.find(({ store_id }) => store_id === id)
    const before = current.find(({ store_id }) => store_id === id)
    if (!own && before) return before
    const pricing_type = (own?.pricing_type as Override['pricing_type'] | null | undefined) ?? type
    return {
      store_id: id,
      pricing_type,
      price: pricing_type === 'VARIABLE' ? null : ((own?.price as number | null | undefined) ?? price),
      available_for_sale: (own?.available_for_sale as boolean | null | undefined) ?? true,
      optimal_stock: (own?.optimal_stock as number | null | undefined) ?? null,
      low_stock: (own?.low_stock as number | null | undefined) ?? null,
    }
  })
}
/** The new record; nothing is stored yet. */
function variantFrom(world: World, item: Item, fields: Fields): Variant {
  const id = fields.variant_id as string | null
  const current = id === null ? undefined : world.variants.get(id)
  if (id !== null && current?.item_id !== item.id) unknown('variant_id')
  for (const n of [1, 2, 3] as const)
    if (item[`option${n}_name`] !== null && fields[`option${n}_value`] === null)
      refuse(400, 'MISSING_REQUIRED_PARAMETER', `Parameter option${n}_value is required`, `option${n}_value`)
  const sku = (fields.sku as string | null) ?? current?.sku ?? String(world.next('sku'))
  if (world.variants.find((other) => other.sku === sku && other.variant_id !== id && !other.deleted_at))
    invalid('sku', 'The sku must be unique')
  const type = (fields.default_pricing_type as Variant['default_pricing_type'] | null) ?? 'VARIABLE'
  const price =
    type === 'FIXED'
      ? ((fields.default_price as number | null) ??
        refuse(400, 'MISSING_REQUIRED_PARAMETER', 'A fixed price is required', 'default_price'))
      : null
  if (price !== null && (price < 0 || money(price) !== price))
    invalid('default_price', 'The value is not an amount of money')
  const stamp = world.stamp(current?.updated_at)
  return {
    variant_id: id ?? world.uuid(),
    item_id: item.id,
    sku,
    reference_variant_id: fields.reference_variant_id as string | null,
    option1_value: fields.option1_value as string | null,
    option2_value: fields.option2_value as string | null,
    option3_value: fields.option3_value as string | null,
    barcode: fields.barcode as string | null,
    cost: (fields.cost as number | null) ?? 0,
    purchase_cost: (fields.purchase_cost as number | null) ?? 0,
    default_pricing_type: type,
    default_price: price,
    stores: overridesOf(world, (fields.stores as Fields[] | null) ?? [], type, price, current?.stores),
    created_at: current?.created_at ?? stamp,
    updated_at: stamp,
    deleted_at: null,
  }
}
function keep(world: World, variant: Variant): string {
  const known = world.variants.has(variant.variant_id)
  world.variants.set(variant.variant_id, variant)
  if (!known) for (const { id } of liveStores(world)) setLevel(world, variant.variant_id, id, 0)
  return variant.variant_id
}
function checkReferences(world: World, fields: Fields): void {
  const known = (
    collection: { get(id: string): { deleted_at?: string | null } | undefined },
    id: unknown,
    field: string,
  ) => {
    const record = typeof id === 'string' ? collection.get(id) : undefined
    if (id !== null && (!record || record.deleted_at)) unknown(field)
  }
  known(world.categories, fields.category_id, 'category_id')
  known(world.suppliers, fields.primary_supplier_id, 'primary_supplier_id')
  for (const id of (fields.tax_ids as string[] | null) ?? []) known(world.taxes, id, 'tax_ids')
}

/** All or nothing: everything is checked before the first record changes. */
export function saveItem(world: World, body: unknown): Item {
  const fields = acceptObject(itemSchema, body)
  required(fields, 'item_name')
  checkReferences(world, fields)
  const current = fields.id === null ? undefined : (world.items.get(fields.id as string) ?? unknown('id'))
  if (current?.deleted_at) unknown('id')
  const given = (fields.variants as Fields[] | null) ?? (current ? undefined : [acceptObject(variantSchema, {})])
  if (given?.length === 0) invalid('variants', 'An item must have a variant')
  const stamp = world.stamp(current?.updated_at)
  const { id: _, variants: __, ...own } = fields
  const item: Item = {
    ...(own as unknown as Item),
    id: current?.id ?? world.uuid(),
    handle: (fields.item_name as string).toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    track_stock: (fields.track_stock as boolean | null) ?? false,
    sold_by_weight: (fields.sold_by_weight as boolean | null) ?? false,
    is_composite: (fields.is_composite as boolean | null) ?? false,
    use_production: (fields.use_production as boolean | null) ?? false,
    components: (fields.components as Item['components'] | null) ?? [],
    tax_ids: (fields.tax_ids as string[] | null) ?? [],
    modifiers_ids: (fields.modifiers_ids as string[] | null) ?? [],
    form: (fields.form as string | null) ?? 'SQUARE',
    color: (fields.color as string | null) ?? 'GREY',
    image_url: current?.image_url ?? null,
    variant_ids: current?.variant_ids ?? [],
    created_at: current?.created_at ?? stamp,
    updated_at: stamp,
    deleted_at: null,
  }
  const before = current ? liveVariants(world, current) : []
  const saved = given?.map((variant) => variantFrom(world, item, variant)).map((variant) => keep(world, variant))
  if (saved)
    deleteVariants(
      world,
      before.map(({ variant_id }) => variant_id).filter((id) => !saved.includes(id)),
    )
  const kept = world.items.set(item.id, { ...item, variant_ids: [...new Set([...item.variant_ids, ...(saved ?? [])])] })
  if (current?.track_stock && !item.track_stock)
    for (const id of kept.variant_ids)
      for (const store of liveStores(world)) if (stockAt(world, id, store.id) !== 0) setLevel(world, id, store.id, 0)
  return kept
}
/** Does not change the item's own modification time. */
export function saveVariant(world: World, body: unknown): Variant {
  const fields = acceptObject(variantSchema, body)
  required(fields, 'item_id')
  const item = world.items.get(fields.item_id as string)
  if (!item || item.deleted_at) return unknown('item_id')
  const variant = variantFrom(world, item, fields)
  keep(world, variant)
  if (!item.variant_ids.includes(variant.variant_id))
    world.items.set(item.id, { ...item, variant_ids: [...item.variant_ids, variant.variant_id] })
  return variant
}
export function deleteVariants(world: World, ids: readonly string[]): void {
  for (const id of ids) {
    const variant = world.variants.get(id)!
    const stamp = world.stamp(variant.updated_at)
    world.variants.set(id, { ...variant, updated_at: stamp, deleted_at: stamp })
  }
}
