// Categories and brands.
import type { Fields } from '../../../sandbox/http.ts'
import type { Routes } from '../../../sandbox/router.ts'
import { data, idsIn, invalid, knownFilters, numbered, objectOf, refuse } from './wire.ts'
import type { StoredCategory, World } from './world.ts'

const filters = [
  'id',
  'id:in',
  'id:not_in',
  'id:min',
  'id:max',
  'id:greater',
  'id:less',
  'name',
  'name:like',
  'parent_id',
  'page',
  'limit',
  'sort',
  'direction',
  'include_fields',
  'exclude_fields',
]

const categoryView = ({ id, parent_id, name }: StoredCategory): Fields => ({
  id,
  parent_id,
  name,
  description: '',
  views: 0,
  sort_order: 0,
  page_title: '',
  meta_keywords: [''],
  meta_description: '',
  layout_file: 'category.html',
  image_url: '',
  is_visible: true,
  search_keywords: '',
  default_product_sort: 'use_store_settings',
  custom_url: { url: `/category-${id}/`, is_customized: false },
})
const brandView = ({ id, name }: { id: number; name: string }): Fields => ({
  id,
  name,
  page_title: '',
  meta_keywords: [''],
  meta_description: '',
  image_url: '',
  search_keywords: '',
  custom_url: { url: `/brands/brand-${id}.html`, is_customized: false },
})

function page<T extends { id: number; name: string; parent_id?: number }>(
  rows: readonly T[],
  query: URLSearchParams,
  view: (row: T) => Fields,
) {
  knownFilters(query, filters)
  const ids = idsIn(query, 'id:in')
  const [name, parent] = [query.get('name'), query.get('parent_id')]
  const found = rows.filter(
    (row) =>
      (!ids || ids.has(row.id)) &&
      (name === null || row.name === name) &&
      (parent === null || row.parent_id === Number(parent)),
  )
  const { rows: served, pagination } = numbered(found, query)
  return data(served.map(view), { pagination })
}

function createCategory(world: World, { name, parent_id }: Fields): StoredCategory {
  if (typeof name !== 'string' || name === '' || name.length > 50)
    return invalid({ name: 'name must have 1 to 50 characters' })
  if (!Number.isInteger(parent_id)) return invalid({ parent_id: 'error.path.missing' })
  if (parent_id !== 0 && !world.categories.has(String(parent_id)))
    refuse(409, 'The parent category does not exist', { parent_id: 'does not exist' })
  if (
    world.categories.find(
      (category) => category.parent_id === parent_id && category.name.toLowerCase() === name.toLowerCase(),
    )
  )
    refuse(409, `The category '${name}' is a duplicate`, { name: 'is a duplicate' })
  const id = world.nextId('category')
  return world.categories.set(String(id), { id, parent_id: Number(parent_id), name })
}

export const catalogRoutes: Routes<World> = {
  'GET /catalog/categories': ({ request, context: world }) =>
    page(world.categories.values(), request.query, categoryView),
  'GET /catalog/categories/:id': ({ params: { id = '' }, context: world }) =>
    data(categoryView(world.categories.get(id) ?? refuse(404, `A category was not found with an id of ${id}`))),
  'POST /catalog/categories': ({ request, context: world }) =>
    data(categoryView(createCategory(world, objectOf(request)))),
  'GET /catalog/brands': ({ request, context: world }) => page(world.brands.values(), request.query, brandView),
}
