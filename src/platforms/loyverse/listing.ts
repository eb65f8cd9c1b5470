// Lists: newest first, regardless of the filter, with a cursor that is a position, not an offset.
// https://developer.loyverse.com/docs/#section/Pagination
import type { Listing, NativeRequest, ReadCall, WriteCall } from '../../contract/connector.ts'
import { list, text } from '../../kit/fields.ts'
import { chunksOf, pageAfter } from '../../kit/paging.ts'
import { get } from '../../kit/requests.ts'
import { addMs, clockToleranceMs, latestOf, toUtc } from '../../kit/time.ts'

export const pageLimit = 250
type Query = NonNullable<NativeRequest['query']>

export const paths = {
  items: '/v1.0/items',
  variants: '/v1.0/variants',
  customers: '/v1.0/customers',
  receipts: '/v1.0/receipts',
  categories: '/v1.0/categories',
  suppliers: '/v1.0/suppliers/',
  inventory_levels: '/v1.0/inventory',
  stores: '/v1.0/stores',
  payment_types: '/v1.0/payment_types',
  taxes: '/v1.0/taxes',
  discounts: '/v1.0/discounts',
} as const
export type ListName = keyof typeof paths

export interface NativePage<Row> {
  rows: readonly Row[]
  cursor?: string
}
export async function readPage<Row>(call: ReadCall, name: ListName, query: Query): Promise<NativePage<Row>> {
  const { body } = await call.read(get(paths[name], query))
  return { rows: list<Row>(body[name]), cursor: text(body.cursor) }
}
export async function readAll<Row>(call: ReadCall, name: ListName, query: Query = {}): Promise<Row[]> {
  const found: Row[] = []
  for (let cursor: string | undefined; ; ) {
    const page: NativePage<Row> = await readPage<Row>(call, name, { ...query, limit: pageLimit, cursor })
    found.push(...page.rows)
    cursor = page.cursor
    if (cursor === undefined) return found
  }
}
const idsPerCall = 50 // a UUID takes 37 characters of the URL
export async function readByIds<Row>(
  call: ReadCall,
  name: ListName,
  parameter: string,
  ids: readonly string[],
): Promise<Row[]> {
  const found: Row[] = []
  for (const chunk of chunksOf([...new Set(ids)], idsPerCall))
    found.push(...(await readAll<Row>(call, name, { [parameter]: chunk.join(',') })))
  return found
}
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Anything else cannot identify a record and would be rejected as malformed. */
export const isId = (id: string): boolean => uuid.test(id)

export interface Stamped {
  updated_at?: string
  deleted_at?: string | null
}
/** Whole seconds: the milliseconds of a stamp have no meaning (".000", or the seconds repeated). */
export const modifiedAt = (...stamps: readonly (string | undefined)[]): string | undefined =>
  latestOf(...stamps.map((stamp) => toUtc(stamp)))
export const updatedSince = (instant: string): string => `${instant.slice(0, 19)}.000Z`

interface Whole<Row> {
  list: Listing<Row, string>
  get(call: ReadCall, id: string): Promise<Row | undefined>
}
/** A list that comes in one response, with deleted records: earlier receipts have them. `ids` is its parameter. */
export function wholeList<Row extends Stamped & { id: string }>(name: ListName, ids: string): Whole<Row> {
  const read = async (call: ReadCall, query: Query) =>
    (await readPage<Row>(call, name, { show_deleted: true, ...query })).rows
  return {
    list: {
      pageLimit,
      updatedAfter: 'platform',
      modifiedAt: ({ updated_at }) => modifiedAt(updated_at),
      stampPrecision: 'seconds',
      page: async (call, query, after) => {
        const { updatedAfter } = query
        const changed = updatedAfter === undefined ? {} : { updated_at_min: updatedSince(updatedAfter) }
        return pageAfter(await read(call, changed), ({ id }) => id, query, after)
      },
    },
    get: async (call, id) => (isId(id) ? (await read(call, { [ids]: id })).find((row) => row.id === id) : undefined),
  }
}

/**
 * There are no idempotency keys, and references cannot be filtered: the records created since the write began are
 * searched for our mark.
 */
export async function findCreated<Row>(
  call: WriteCall,
  name: ListName,
  isOurs: (row: Row) => boolean,
  query: Query = {},
): Promise<Row | undefined> {
  return (await readAll<Row>(call, name, { created_at_min: addMs(call.now, -clockToleranceMs), ...query })).find(isOurs)
}
/** The time that a lost request may still take before the record counts as absent. */
export const lagSeconds = 15
