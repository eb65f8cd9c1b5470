// The walk over all products. An item is one record of Loyverse's and several of ours, so its pages may have to be cut, and the first page has no cursor to come back to.
import type { ListQuery, Page, ReadCall } from '../../contract/connector.ts'
import { compareInstants, toUtc } from '../../kit/time.ts'
import { type NativePage, pageLimit, readByIds, readPage, updatedSince } from './listing.ts'
import { type NativeItem, type NativeVariant, type ProductRow, rowsOf } from './product-row.ts'

export interface ProductPlace {
  list: 'items' | 'variants'
  start: string // of the walk, by the platform's clock
  cursor?: string
  head?: string // the newest item, which is before all cursors
}
type ProductPage = Page<ProductRow, ProductPlace>

export async function productPage(call: ReadCall, query: ListQuery, at?: ProductPlace): Promise<ProductPage> {
  const size = Math.min(query.size, pageLimit)
  const since = query.updatedAfter === undefined ? undefined : updatedSince(query.updatedAfter)
  if (at?.list === 'variants') return changedVariants(call, size, since!, at)
  const items = (limit: number, cursor?: string) => readPage<NativeItem>(call, 'items', { limit, cursor, updated_at_min: since })
  /** A changed variant need not change the modification time of its item: after the changed items come the changed variants. */
  const place = (cursor: string | undefined, start: string): Pick<ProductPage, 'next'> =>
    cursor !== undefined ? { next: { list: 'items', start, cursor } } : since !== undefined ? { next: { list: 'variants', start } } : {}
  const pageOf = ({ rows, cursor }: NativePage<NativeItem>, start: string): ProductPage => ({ rows: rows.flatMap(rowsOf), ...place(cursor, start) })

  if (at?.head !== undefined) return pageOf({ rows: await readByIds<NativeItem>(call, 'items', 'items_ids', [at.head]), cursor: at.cursor }, at.start)
  if (at) return pageOf(await items(size, at.cursor), at.start)
  const first = await items(size)
  const start = first.date ?? call.now
  const page = pageOf(first, start)
  if (page.rows.length <= size) return page
  // It would be cut, and read again without a cursor, behind items that are new by then: so the newest item is taken alone, everything else has a cursor.
  const newest = await items(1)
  const alone = pageOf(newest, start)
  if (alone.rows.length <= size) return alone
  return { rows: [], next: { list: 'items', start, cursor: newest.cursor, head: newest.rows[0]!.id } }
}

async function changedVariants(call: ReadCall, size: number, since: string, at: ProductPlace): Promise<ProductPage> {
  const { rows, cursor } = await readPage<NativeVariant>(call, 'variants', { limit: size, cursor: at.cursor, updated_at_min: since })
  const items = await readByIds<NativeItem>(
    call,
    'items',
    'items_ids',
    rows.map(({ item_id }) => item_id),
  )
  const unserved = items.filter(({ updated_at }) => !servedBefore(updated_at, since, at.start))
  const found = new Map(unserved.flatMap(rowsOf).map((row) => [row.variant.variant_id, row]))
  return { rows: rows.flatMap(({ variant_id }) => found.get(variant_id) ?? []), ...(cursor !== undefined && { next: { ...at, cursor } }) }
}
/** An item changed since the walk began was perhaps not changed yet when the items were listed: rather twice than never. */
function servedBefore(updated: string | undefined, since: string, start: string): boolean {
  const changed = toUtc(updated)
  return changed !== undefined && compareInstants(changed, since) >= 0 && compareInstants(changed, start) < 0
}
