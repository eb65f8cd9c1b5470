// Pages by key: the query fetches one row more than the page size, which shows whether there is a next page.
import { type SelectQueryBuilder, sql } from 'kysely'
import type { Page, PageQuery } from './page.ts'

export function toPage<Row, Item>(
  rows: Row[],
  limit: number,
  toItem: (row: Row) => Item,
  position: (row: Row) => string,
): Page<Item> {
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const data = page.map(toItem)
  return rows.length > limit && last !== undefined ? { data, next: position(last) } : { data }
}

/** A page of the rows of a query, in the order of a column that is unique among them. */
export async function pageOf<DB, Tables extends keyof DB, Row extends object, Item>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  { after, limit }: PageQuery,
  toItem: (row: Row) => Item,
  { by = 'id', newestFirst = false } = {},
): Promise<Page<Item>> {
  const column = sql.ref(by)
  const inOrder = newestFirst
    ? query.$if(after !== undefined, (all) => all.where(sql<boolean>`${column} < ${after}`)).orderBy(column, 'desc')
    : query.where(sql<boolean>`${column} > ${after ?? ''}`).orderBy(column)
  const rows = (await inOrder.limit(limit + 1).execute()) as Row[]
  return toPage(rows, limit, toItem, (row) => row[by as keyof Row] as string)
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
