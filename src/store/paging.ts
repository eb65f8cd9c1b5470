// Pages by key: the query fetches one row more than the page size, which shows whether there is a next page.
import type { Page, PageQuery } from './store.ts'

export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
  position: (row: Row) => string,
): Page<Item> {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const data = shown.map(toItem)
  return rows.length > limit && last !== undefined ? { data, next: position(last) } : { data }
}

/** The items of all pages. */
export async function* everyOf<Item>(list: (query: PageQuery) => Promise<Page<Item>>): AsyncGenerator<Item> {
  for (let after: string | undefined; ; ) {
    const { data, next } = await list({ limit: 100, ...(after === undefined ? {} : { after }) })
    yield* data
    if (next === undefined) return
    after = next
  }
}
