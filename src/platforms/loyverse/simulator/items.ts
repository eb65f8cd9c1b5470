// Items with their variants, and the names they refer to. https://developer.loyverse.com/docs/#tag/Items
import type { Routes } from '../../../sandbox/router.ts'
import { deleteVariants, saveItem, saveVariant } from './item-writes.ts'
import { acceptObject, bodyOf, identified, invalid, listed, ok, required, text, unknown } from './wire.ts'
import { itemView, type Named, type World } from './world.ts'

const itemOf = (world: World, id = '') => world.items.get(identified(id, 'item_id')) ?? unknown('item_id')
const variantOf = (world: World, id = '') => world.variants.get(identified(id, 'variant_id')) ?? unknown('variant_id')
const deleted = (id: string) => ok({ deleted_object_ids: [id] })

export const itemRoutes: Routes<World> = {
  'GET /v1.0/items': ({ request, context: world }) =>
    listed(request, world.items.values(), {
      name: 'items',
      id: ({ id }) => id,
      ids: 'items_ids',
      paged: true,
      deletable: true,
      render: (item) => itemView(world, item),
    }),
  'GET /v1.0/items/:id': ({ params, context: world }) => ok(itemView(world, itemOf(world, params.id))),
  'POST /v1.0/items': ({ request, context: world }) => ok(itemView(world, saveItem(world, bodyOf(request)))),
  'DELETE /v1.0/items/:id': ({ params, context: world }) => {
    const item = itemOf(world, params.id)
    deleteVariants(world, item.variant_ids)
    world.items.set(item.id, {
      ...world.items.get(item.id)!,
      deleted_at: world.stamp(item.updated_at),
      updated_at: world.stamp(item.updated_at),
    })
    return deleted(item.id)
  },
  'GET /v1.0/variants': ({ request, context: world }) => {
    const { query } = request
    const ofItems = query.get('items_ids')?.split(',')
    const rows = ofItems ? world.variants.filter(({ item_id }) => ofItems.includes(item_id)) : world.variants.values()
    return listed(request, rows, {
      name: 'variants',
      id: (row) => row.variant_id,
      ids: 'variants_ids',
      paged: true,
      deletable: true,
      equal: { sku: ({ sku }) => sku },
    })
  },
  'GET /v1.0/variants/:id': ({ params, context: world }) => ok(variantOf(world, params.id)),
  'POST /v1.0/variants': ({ request, context: world }) => ok(saveVariant(world, bodyOf(request))),
  'DELETE /v1.0/variants/:id': ({ params, context: world }) => {
    const variant = variantOf(world, params.id)
    if (world.items.get(variant.item_id)!.variant_ids.filter((id) => !world.variants.get(id)!.deleted_at).length < 2)
      invalid('variant_id', 'An item must have a variant')
    deleteVariants(world, [variant.variant_id])
    return deleted(variant.variant_id)
  },
  ...namedRoutes('/v1.0/categories', 'categories', 'category_id', ({ categories }) => categories),
}
/** In the reference, this path ends with a slash. */
export const supplierRoutes: Routes<World> = namedRoutes(
  '/v1.0/suppliers',
  'suppliers',
  'supplier_id',
  ({ suppliers }) => suppliers,
  '/',
)

function namedRoutes(
  path: string,
  name: 'categories' | 'suppliers',
  field: string,
  of: (world: World) => World['categories'],
  ending = '',
): Routes<World> {
  const found = (world: World, id = ''): Named => of(world).get(identified(id, field)) ?? unknown(field)
  return {
    [`GET ${path}${ending}`]: ({ request, context: world }) =>
      listed(request, of(world).values(), {
        name,
        id: ({ id }) => id,
        ids: `${name}_ids`,
        paged: true,
        deletable: true,
      }),
    [`GET ${path}/:id`]: ({ params, context: world }) => ok(found(world, params.id)),
    [`POST ${path}${ending}`]: ({ request, context: world }) => {
      const body = acceptObject({ id: 'uuid', name: text(1, 64) }, bodyOf(request))
      required(body, 'name')
      const current = body.id === null ? undefined : found(world, body.id as string)
      const id = current?.id ?? world.uuid()
      const stamp = world.stamp(current?.updated_at)
      return ok(
        of(world).set(id, {
          id,
          name: body.name as string,
          created_at: current?.created_at ?? stamp,
          updated_at: stamp,
          deleted_at: null,
        }),
      )
    },
    [`DELETE ${path}/:id`]: ({ params, context: world }) => {
      const record = found(world, params.id)
      of(world).set(record.id, { ...record, updated_at: world.stamp(record.updated_at), deleted_at: world.stamp() })
      return deleted(record.id)
    },
  }
}
