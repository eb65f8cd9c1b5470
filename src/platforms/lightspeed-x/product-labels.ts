// Skus and names of the products on sales.
import type { ReadCall } from '../../contract/connector.ts'
import { ifFound } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { api, isId, readAll } from './api.ts'
import { type NativeProduct, nameOf } from './product-row.ts'

export interface Label {
  id: string
  sku?: string
  name: string
  deleted: boolean
}
const labelOf = (product: NativeProduct): Label => ({
  id: product.id,
  sku: text(product.sku),
  name: nameOf(product),
  deleted: Boolean(product.deleted_at),
})

/** A deleted product is still on its sales: the search finds it even if a read by id does not. */
async function labelOfOne(call: ReadCall, id: string): Promise<Label | undefined> {
  const product: NativeProduct | undefined =
    (await ifFound(call.read(get(`${api}${path`/products/${id}`}`))))?.body?.data ??
    list<NativeProduct>(
      (await call.read(get(`${api}/search`, { type: 'products', _id: id, deleted: true }))).body?.data,
    ).find((found) => found.id === id)
  return product && labelOf(product)
}
/** One call each for a few products; for more, the whole list, of which only the newest part is read again. */
const few = 3
export async function labelsOf(call: ReadCall, ids: readonly string[]): Promise<ReadonlyMap<string, Label>> {
  const target = new Set(ids.filter(isId))
  const found = new Map<string, Label>()
  if (target.size > few) {
    for (const label of await readAll(call, '/products', { deleted: true, include_images: false }, labelOf))
      if (target.has(label.id)) found.set(label.id, label)
    return found
  }
  for (const id of target) {
    const label = await labelOfOne(call, id)
    if (label) found.set(id, label)
  }
  return found
}
