// Relay connections and Shopify's search syntax: https://shopify.dev/docs/api/usage/pagination-graphql,
// https://shopify.dev/docs/api/usage/search-syntax
import { GraphQLError } from 'graphql'
import { iso } from './world.ts'

export interface ConnectionArguments {
  first?: number | null
  last?: number | null
  after?: string | null
  before?: string | null
  reverse?: boolean | null
  sortKey?: string | null
  query?: string | null
}
interface Keyed<Row> {
  row: Row
  at: [value: number | string, id: number]
}
interface Cursor {
  last_id: number
  last_value: number | string
  list: string // a cursor belongs to its query, sort key and direction
}
const largest = 250

/** Positions are (sort value, id), never offsets: added and removed rows do not shift the rest. */
export function connection<Row extends { id: string }>(
  rows: readonly Row[],
  args: ConnectionArguments,
  sortValue: (row: Row, key: string) => number | string,
  view: (row: Row) => object,
): object {
  const size = args.first ?? args.last
  if (size == null)
    throw new GraphQLError('you must provide one of first or last', { extensions: { code: 'BAD_REQUEST' } })
  if (size < 0 || size > largest)
    throw new GraphQLError(`Argument 'first' on Field has an invalid value (${size}). The maximum is ${largest}.`, {
      extensions: { code: 'argumentLiteralsIncompatible' },
    })
  const list = JSON.stringify([args.query ?? '', args.sortKey ?? '', args.reverse ?? false])
  const direction = args.reverse ? -1 : 1
  const sorted = rows
    .map((row): Keyed<Row> => ({ row, at: [sortValue(row, args.sortKey ?? 'ID'), Number(row.id)] }))
    .sort((a, b) => direction * compare(a.at, b.at))
    .filter(
      ({ at }) =>
        (args.after == null || direction * compare(at, open(args.after, list)) > 0) &&
        (args.before == null || direction * compare(at, open(args.before, list)) < 0),
    )
  const page = args.first == null ? sorted.slice(-size || sorted.length) : sorted.slice(0, size)
  const cursorOf = ({ at }: Keyed<Row>) =>
    Buffer.from(JSON.stringify({ last_id: at[1], last_value: at[0], list } satisfies Cursor)).toString('base64')
  const cut = sorted.length > page.length
  return {
    nodes: () => page.map(({ row }) => view(row)),
    edges: () => page.map((keyed) => ({ cursor: cursorOf(keyed), node: view(keyed.row) })),
    pageInfo: {
      hasNextPage: args.first == null ? args.before != null : cut,
      hasPreviousPage: args.first == null ? cut : args.after != null,
      startCursor: page[0] ? cursorOf(page[0]) : null,
      endCursor: page.at(-1) ? cursorOf(page.at(-1)!) : null,
    },
  }
}
function compare(a: Keyed<unknown>['at'], b: Keyed<unknown>['at']): number {
  if (a[0] !== b[0]) return a[0] < b[0] ? -1 : 1
  return a[1] - b[1]
}
function open(cursor: string, list: string): Keyed<unknown>['at'] {
  try {
    const opened = JSON.parse(Buffer.from(cursor, 'base64').toString('utf8')) as Cursor
    if (opened.list === list && typeof opened.last_id === 'number') return [opened.last_value, opened.last_id]
  } catch {
    // reported below
  }
  throw new GraphQLError(`Invalid cursor for current pagination sort: "${cursor}" is not a valid cursor.`, {
    extensions: { code: 'BAD_REQUEST' },
  })
}

interface Term {
  field: string
  operator: string
  values: string[]
  any?: Term[] // instead of the field: one of these
}
const fieldTerm = /(\w+):(>=|<=|>|<)?(?:'([^']*)'|"([^"]*)"|(\S+))/g
/** Terms in parentheses, which are no part of a quoted value. */
const group = /"[^"]*"|'[^']*'|\(((?:"[^"]*"|'[^']*'|[^()"'])*)\)/g
/**
 * `field:>='value'`, several of them joined by AND, or by OR in parentheses; a list of values is separated by commas. A
 * word without a field is searched in the default fields.
 */
export function termsOf(query: string | null | undefined): Term[] {
  const groups: string[] = []
  const outside = (query ?? '').replaceAll(group, (whole, inner?: string) => {
    if (inner === undefined) return whole
    groups.push(inner)
    return ' '
  })
  const words = outside.replaceAll(fieldTerm, ' ').split(/\s+/)
  const fieldTerms = (text: string): Term[] =>
    [...text.matchAll(fieldTerm)].map(([, field = '', operator = '=', single, double, bare]) => ({
      field,
      operator,
      values: (single ?? double) === undefined ? bare!.split(',') : [(single ?? double)!],
    }))
  return [
    ...groups.map((inner) => ({ field: '', operator: '=', values: [], any: fieldTerms(inner) })),
    ...fieldTerms(outside),
    ...words
      .filter((word) => word !== '' && word !== 'AND')
      .map((word) => ({ field: 'default', operator: 'prefix', values: [word] })),
  ]
}
/** Unknown fields are ignored, as in Shopify. `day`: the index has only days. */
export function matches(
  terms: readonly Term[],
  fields: Readonly<Record<string, string | number | readonly string[] | undefined>>,
  day = false,
): boolean {
  return terms.every(({ field, operator, values, any }) => {
    if (any) return any.some((term) => matches([term], fields, day))
    if (!(field in fields)) return true
    const held = fields[field]
    if (typeof held === 'number' && field.endsWith('_at'))
      return compared(secondsOf(iso(held), day), operator, secondsOf(values[0]!, day))
    const all = (Array.isArray(held) ? held : [held ?? '']).map((one) => String(one).toLowerCase())
    return values.some((value) =>
      all.some((one) =>
        operator === 'prefix'
          ? one.split(/\s+/).some((word) => word.startsWith(value.toLowerCase()))
          : operator === '='
            ? // A text is searched word by word.
              one === value.toLowerCase() || (field === 'title' && ` ${one} `.includes(` ${value.toLowerCase()} `))
            : compared(Number(one), operator, Number(value)),
      ),
    )
  })
}
const secondsOf = (instant: string, day: boolean): number => Date.parse(day ? instant.slice(0, 10) : instant)
function compared(held: number, operator: string, target: number): boolean {
  if (operator === '>') return held > target
  if (operator === '>=') return held >= target
  if (operator === '<') return held < target
  return operator === '<=' ? held <= target : held === target
}
