// How an adapter reads: the call object that it gets, lists and the platform's own search.
import type { Pointer, Vertical } from './entity.ts'
import type { NativeRequest, NativeResponse } from './native-exchange.ts'

export interface AccountView {
  id: string
  vertical: Vertical
  settings: Readonly<Record<string, string>> // settings and kept token values; never a secret
}

/**
 * What a reading operation may do. `read` is repeated freely: use it for every call that changes nothing, POST searches
 * and queries too.
 */
export interface ReadCall {
  account: AccountView
  now: string // fixed when the operation began; the same again on a resume
  read(request: NativeRequest): Promise<NativeResponse> // rejects with NativeFailure; authenticated, paced, logged
  // A fact of the account (currency, locations, menus), cached for minutes.
  cached<T>(name: string, load: () => Promise<T>): Promise<T>
}

export interface ListQuery {
  size: number
  // UTC, milliseconds: every row with a later stamp is wanted, and an earlier row does no harm. The same for a walk.
  updatedAfter?: string
  gone?: true // with `updatedAfter`: what was deleted since is wanted, too
}
export interface Page<Row, At> {
  rows: Row[] // any number of rows: the engine cuts, fills and resumes by row id
  gone?: string[] // ids of rows or groups that were deleted, where `Listing.deletes` says so
  next?: At // any JSON; absent at the end
  doubtful?: true // it lacks rows that were to be expected: the list may go on
  total?: number // rows of all pages, as the platform counts them; only where each of them is one row
}
export interface Completion<Row> {
  size: number // rows at a time
  most?: number // rows in a page; a page with more of them is shorter
  rows(call: ReadCall, rows: Row[]): Promise<Row[]>
  /**
   * Differs between two listed rows of a record if its completed row may differ. A completed row is used again as long
   * as the version is the same. Undefined: the listed row does not tell.
   */
  version?(row: Row): string | undefined
  /**
   * The unified fields that a listed row has not, or has in another form. The other ones are the same without the second
   * call, so it is not made for them. Absent: all fields need it.
   */
  fields?: readonly Pointer[]
}
export type StampPrecision = 'milliseconds' | 'seconds'
export interface Listing<Row, At> {
  pageLimit: number
  updatedAfter: 'platform' | 'service' | 'none'
  // The stamp as the platform has it. Given: the engine checks again, whatever the platform filtered.
  modifiedAt?(row: Row): string | undefined
  /**
   * What the platform's stamps are cut to; milliseconds by default. With 'seconds' a record that is modified later in
   * the second of `updatedAfter` has an earlier stamp than that: the engine asks for that whole second.
   */
  stampPrecision?: StampPrecision
  // One vendor page, flattened: one row per unified record.
  page(call: ReadCall, query: ListQuery, at?: At): Promise<Page<Row, At>>
  deletes?: true // a page with `updatedAfter` names what was deleted since
  // Second calls, only for rows really served; `get` finishes its row itself.
  complete?: Completion<Row>
  /** How long after a change the list may still lack it: index and replication lag. 5 by default. */
  settleSeconds?: number
  /** Older records are no longer listed, and `get` may not find them either: their absence does not prove a delete. */
  horizonDays?: number
}
export type SearchField = 'name' | 'email' | 'phone' | 'sku' | 'number'
export interface SearchQuery {
  text: string
  like: 'email' | 'phone' | 'text' // what the text looks like
  size: number
}
/** The platform's own search. Ids are looked up without it. */
export interface Search<Row, At> {
  by: readonly SearchField[]
  newestFirst: boolean
  /** A text that the platform cannot search for has no rows, and makes no call. */
  page(call: ReadCall, query: SearchQuery, at?: At): Promise<Page<Row, At>>
}
