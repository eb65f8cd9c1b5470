// Stock is counted per outlet, apart from the products. https://x-series-api.lightspeedhq.com/reference/listinventoryrecords
import type { ReadCall } from '../../contract/connector.ts'
import { list } from '../../kit/fields.ts'
import { get, path } from '../../kit/requests.ts'
import { api, may, readAll } from './api.ts'

interface Inventory {
  product_id: string
  outlet_id: string
  inventory_level?: number
  deleted_at?: string | null
}
/** Levels by outlet. */
export type Levels = Readonly<Record<string, number>>
const levelOf = ({ product_id, outlet_id, inventory_level = 0, deleted_at }: Inventory) => ({ product_id, outlet_id, level: deleted_at ? 0 : inventory_level })

async function levelsOfOne(call: ReadCall, id: string): Promise<Levels> {
  const { body } = await call.read(get(`${api}${path`/products/${id}/inventory`}`, { page_size: 1000 }))
  return Object.fromEntries(list<Inventory>(body?.data).map((row) => [row.outlet_id, levelOf(row).level]))
}
/** One call for each of a few products; the whole list, of which only the newest part is asked again, for more. */
const few = 2
export async function levelsOf(call: ReadCall, ids: readonly string[]): Promise<ReadonlyMap<string, Levels>> {
  if (!may(call, 'inventory:read')) return new Map()
  const found = new Map<string, Levels>()
  if (ids.length <= few) {
    for (const id of ids) found.set(id, await levelsOfOne(call, id))
    return found
  }
  const wanted = new Set(ids)
  for (const { product_id, outlet_id, level } of await readAll(call, '/inventory', {}, levelOf))
    if (wanted.has(product_id)) found.set(product_id, { ...found.get(product_id), [outlet_id]: level })
  return found
}
export const sumOf = (levels: Levels | undefined): number | undefined => (levels ? Object.values(levels).reduce((sum, level) => sum + level, 0) : undefined)
