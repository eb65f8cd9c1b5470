// One batch of a place that is searched: what it has of the person, and where the next batch begins.
import type { Kysely } from 'kysely'
import type { Database, StoreContext } from '../../table-types.ts'
import type { Person } from './person.ts'

/** Removes one content, unless it has changed since it was read: the second search finds it then. */
export type Blank = (db: Kysely<Database>) => Promise<unknown>
export interface Batch {
  found: Blank[]
  next: readonly (string | number)[] | undefined // undefined: the place is done
}
export type Position = readonly (string | number)[] | undefined
export type Search = (context: StoreContext, person: Person, after: Position) => Promise<Batch>

export const batchOf = <Row>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly (string | number)[],
  found: Blank[],
): Batch => {
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { found, next: last === undefined ? undefined : keyOf(last) }
}
