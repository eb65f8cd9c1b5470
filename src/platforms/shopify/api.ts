// The one endpoint of the GraphQL Admin API, its ids, and how a connection is walked.
import type { ListQuery, NativeRequest, Page, ReadCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { refusal } from '../../kit/errors.ts'
import { text } from '../../kit/fields.ts'
import { fromDecimal, fromMinor, roundMoney, toMinor } from '../../kit/money.ts'
import { graphql } from '../../kit/requests.ts'
import { addMs, clockToleranceMs, compareInstants } from '../../kit/time.ts'
import { type Operation, operations } from './operations.ts'

export interface Connection<Node> {
  nodes: Node[]
  pageInfo?: { hasNextPage: boolean; endCursor: string | null }
}
export interface MoneyBag {
  shopMoney: { amount: string } | null
}
/** Amounts of one currency: of Shopify in minor units, and back in major ones. */
export interface Money {
  minor(bag: MoneyBag | null | undefined): number
  major(minor: number): number
}
export const moneyOf = (currency: string): Money => ({
  minor: (bag) => toMinor(roundMoney(fromDecimal(bag?.shopMoney?.amount) ?? 0, currency), currency),
  major: (minor) => fromMinor(minor, currency) ?? 0,
})
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)
type Variables = Readonly<Record<string, unknown>>

export const operation = (name: Operation, variables: Variables = {}): NativeRequest =>
  graphql('/admin/api/2026-07/graphql.json', operations[name], variables)

// biome-ignore lint/suspicious/noExplicitAny: the response has the shape of the document
export const ask = async (call: ReadCall, name: Operation, variables: Variables = {}): Promise<any> =>
  (await call.read(operation(name, variables))).body.data

/**
 * External ids are numbers: gid://shopify/Order/1 would need escaping in every URL. A gid that was linked by hand is
 * also accepted.
 */
export const idOf = (gid: string): string => gid.slice(gid.lastIndexOf('/') + 1).replace(/\?.*$/, '')
/** The id of a record that a row refers to. */
export function referred(record: { id: string } | null | undefined): string | undefined {
  const gid = text(record?.id)
  return gid && idOf(gid)
}
export function gidOf(type: string, id: string): string | undefined {
  const number = id.startsWith(`gid://shopify/${type}/`) ? idOf(id) : id
  return /^\d{1,20}$/.test(number) ? `gid://shopify/${type}/${number}` : undefined
}
/** The gid that a record refers to. `native` is mapped through the entity's `fields`. */
export function referenceTo(type: string, id: string, native: string): string {
  const gid = gidOf(type, id)
  if (gid === undefined) throw refusal(native, `Shopify has no ${type} "${id}"`)
  return gid
}

/** https://shopify.dev/docs/api/usage/search-syntax: a value in quotes, and words without the signs of the syntax. */
export const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, ' ')}"`
export const words = (value: string): string => value.replaceAll(/[^\p{L}\p{N}@.+_ -]/gu, ' ').trim()
/** https://shopify.dev/docs/api/usage/search-syntax: dates are quoted. */
export const changedSince = (instant: string): string => `updated_at:>='${instant.slice(0, 19)}Z'`

export function nextOf(connection: Connection<unknown> | null): string | undefined {
  const pageInfo = connection?.pageInfo
  if (!pageInfo?.hasNextPage) return undefined
  if (pageInfo.endCursor) return pageInfo.endCursor
  throw new NativeFailure({ kind: 'unavailable', message: 'returned a page without the cursor of the next one' })
}

/**
 * One page of a connection sorted by id: new rows are added at the end, changed rows do not move.
 * Shopify publishes no formula for the cost of a query and rejects one above its maximum: then fewer rows are
 * requested.
 */
export async function pageOf<Row>(
  query: ListQuery,
  load: (first: number) => Promise<Page<Row, string>>,
): Promise<Page<Row, string>> {
  for (let first = query.size; ; first = Math.ceil(first / 4)) {
    try {
      return await load(first)
    } catch (error) {
      if (!(error instanceof NativeFailure) || error.error.code !== 'MAX_COST_EXCEEDED' || first === 1) throw error
    }
  }
}

/**
 * Looks for the record of a lost write: newest first, back to the start of the write. Unlike a search, a plain list
 * does not lag.
 */
export async function findNewest<Node extends { id: string; createdAt: string }>(
  call: ReadCall,
  name: Operation,
  connection: string,
  isOurs: (node: Node) => boolean,
): Promise<{ id: string } | undefined> {
  const began = addMs(call.now, -clockToleranceMs)
  for (let after: string | undefined; ; ) {
    const found = (await ask(call, name, { after }))[connection] as Connection<Node>
    const ours = found.nodes.find(isOurs)
    if (ours) return { id: ours.id }
    after = nextOf(found)
    const last = found.nodes.at(-1)
    if (after === undefined || !last || compareInstants(last.createdAt, began) < 0) return undefined
  }
}
/** The platform may still process a lost request: a record counts as absent only after this time. */
export const lagSeconds = 10
