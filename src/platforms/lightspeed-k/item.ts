// Items: https://api-docs.lsk.lightspeed.app/group/endpoint-items
import type { ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { ifFound } from '../../kit/errors.ts'
import { chunksOf } from '../../kit/paging.ts'
import { get, path } from '../../kit/requests.ts'
import { locationOf, readList } from './account.ts'

export interface Item {
  id: number
  name?: string
  docketName?: string | null
  sku?: string
  active?: boolean
  barcode?: string | null
  barcodes?: string[]
  accountingGroup?: { id?: number }
  costPrice?: number | null
  prices?: { name?: string; amount?: number }[]
  priceMode?: string
  disabled?: boolean
}
const largest = 1000
const overlap = 20

const readPage = (call: ReadCall, query: Record<string, string | number | readonly string[]>) =>
  readList<Item>(call, '/items/v1/items', query, '/items/v1/items/0')
/**
 * All items. The list has an offset but no guaranteed order: successive pages overlap, and if the overlap does not
 * match, the list is read again.
 */
export async function readItems(call: ReadCall): Promise<Item[]> {
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const items = await tryReadItems(call)
    if (items) return items
  }
  throw new NativeFailure({ kind: 'cursor', message: 'The items changed too fast to be read completely' })
}
async function tryReadItems(call: ReadCall): Promise<Item[] | undefined> {
  const found = new Map<number, Item>()
  for (let offset = 0; ; ) {
    const page = await readPage(call, { offset, amount: largest })
    if (offset > 0 && !page.some(({ id }) => found.has(id))) return undefined
    const known = found.size
    for (const item of page) found.set(item.id, item)
    // A page shorter than requested is the last, unless the platform limits pages to a round number, as it once did to
    // 100.
    if (found.size === known || (page.length < largest && page.length % 100 !== 0)) return [...found.values()]
    offset = Math.max(0, offset + page.length - overlap)
  }
}
export async function readItem(call: ReadCall, id: string): Promise<Item | undefined> {
  if (!/^\d+$/.test(id)) return undefined
  return (await ifFound(call.read(get(path`/items/v1/items/${id}`, { businessLocationId: locationOf(call) }))))?.body
}
export const itemsWithSku = async (call: ReadCall, sku: string): Promise<Item[]> =>
  (await readPage(call, { sku })).filter((item) => item.sku === sku)

export async function itemsByIds(call: ReadCall, ids: readonly string[]): Promise<Map<string, Item>> {
  const numeric = [...new Set(ids)].filter((id) => /^\d{1,18}$/.test(id))
  const found = new Map<string, Item>()
  for (const itemIds of chunksOf(numeric, 200))
    for (const item of await readPage(call, { itemIds })) found.set(String(item.id), item)
  return found
}

/**
 * Order lines reference items only by sku. The index is cached for minutes; skus that it does not contain are requested
 * individually.
 */
export async function idsBySku(call: ReadCall, skus: readonly string[]): Promise<(sku: string) => string | undefined> {
  const index = await call.cached('ids by sku', async () =>
    Object.fromEntries((await readItems(call)).map(({ sku, id }) => [sku ?? '', String(id)])),
  )
  const more = new Map<string, string | undefined>()
  for (const sku of new Set(skus)) {
    if (Object.hasOwn(index, sku)) continue
    more.set(
      sku,
      await call.cached(`id of sku ${sku}`, async () => (await itemsWithSku(call, sku)).map(({ id }) => String(id))[0]),
    )
  }
  return (sku) => (Object.hasOwn(index, sku) ? index[sku] : more.get(sku))
}
