// Brands, tags and categories are ids on a product and names in a record. Missing ones are created.
import type { NativeRequest, WriteCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal } from '../../kit/errors.ts'
import { list } from '../../kit/fields.ts'
import { get, post } from '../../kit/requests.ts'
import { api, living, readAll } from './api.ts'

interface Label {
  id: string
  name?: string
  deleted_at?: string | null
}
interface Category extends Label {
  leaf_category?: boolean
}
const sameName = (label: Label, name: string): boolean => label.name?.trim().toLowerCase() === name.toLowerCase()
const labelOf = ({ id, name, deleted_at }: Label): Label => ({ id, name, deleted_at })

async function idByName(
  call: WriteCall,
  step: string,
  asked: string,
  kind: { find(name: string): Promise<Label | undefined>; make(name: string): NativeRequest },
): Promise<string> {
  const name = asked.trim()
  const known = await kind.find(name)
  if (known) return known.id
  try {
    return await call.write<string>(step, {
      request: kind.make(name),
      // The id of a brand or tag; a list of categories.
      read: ({ body: { data } }) => (Array.isArray(data) ? data[0].id : data) as string,
      recovery: { find: async () => (await kind.find(name))?.id },
      // It stays if the product is rejected: another product may use it by then. An unused one does no harm.
      undo: 'nothing',
    })
  } catch (error) {
    // Another write created it in the meantime.
    const made = error instanceof NativeFailure && error.error.kind === 'duplicate' ? await kind.find(name) : undefined
    if (made) return made.id
    throw error
  }
}
/** https://x-series-api.lightspeedhq.com/reference/createbrand and createtag */
const labels = (call: WriteCall, path: string) => ({
  find: async (name: string) => {
    const newest = new Map((await readAll(call, path, {}, labelOf)).map((label) => [label.id, label]))
    return [...newest.values()].find((label) => living(label) && sameName(label, name))
  },
  make: (name: string) => post(`${api}${path}`, { name }),
})
export const brandId = (call: WriteCall, name: string): Promise<string> =>
  idByName(call, 'brand', name, labels(call, '/brands'))
export async function tagIds(call: WriteCall, names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of new Set(names.map((tag) => tag.trim()).filter(Boolean)))
    ids.push(await idByName(call, `tag ${name}`, name, labels(call, '/tags')))
  return [...new Set(ids)]
}

/** Paged by id, unlike all other lists: https://x-series-api.lightspeedhq.com/reference/listproductcategories */
async function categories(call: WriteCall): Promise<Category[]> {
  const found: Category[] = []
  for (let after: string | undefined; ; ) {
    const { body } = await call.read(get(`${api}/product_categories`, { page_size: 1000, after }))
    found.push(...list<Category>(body?.data?.categories))
    if (!body?.page_info?.has_next) return found
    after = body.page_info.last_seen
  }
}
/** Products can only be in a category without subcategories. */
const isLeaf = ({ leaf_category }: Category): boolean => leaf_category !== false

export async function checkCategory(call: WriteCall, id: string): Promise<string> {
  const found = (await categories(call)).find((category) => category.id === id)
  if (!found) throw refusal('product_category_id', `Lightspeed has no category ${id}`)
  if (!isLeaf(found))
    throw refusal(
      'product_category_id',
      `The category ${found.name} has subcategories: Lightspeed accepts products only in the lowest level`,
    )
  return id
}
export const categoryId = (call: WriteCall, name: string): Promise<string> =>
  idByName(call, 'category', name, {
    find: async (target) => (await categories(call)).find((category) => isLeaf(category) && sameName(category, target)),
    make: (target) => post(`${api}/product_categories/bulk`, { categories: [{ name: target }] }),
  })
