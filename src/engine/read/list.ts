// Reads in the process or in a thread: a page of an adapter's rows, and their unified records.
import type { ReadCall } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import { Problem, type Warning } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import type { MappingOverlay } from '../../store/store.ts'
import { viewOf } from '../account-view.ts'
import { createReadCall, type Ending } from '../call.ts'
import type { Facts } from '../facts.ts'
import { lookInto, problemOf } from '../failures.ts'
import { compileOverlay } from '../mapping.ts'
import type { RequestContext } from '../options.ts'
import type { Operation } from '../outbound/channel.ts'
import type { DateSample } from '../outbound/platform-clock.ts'
import { redacted, strikeSecrets } from '../outbound/redaction.ts'
import type { Outbound } from '../outbound/retry.ts'
import { lacks } from '../support.ts'
import type { Target } from '../target.ts'
import type { CompletedRows } from './completed-rows.ts'
import { type CursorState, type Cursors, cursorScope, type SearchState } from './cursor.ts'
import { selecting, withoutDetails } from './fields.ts'
import { toUnified } from './normalize.ts'
import { marking, type NativePart, partsOf } from './origins.ts'
import { type ListQuery, present, type ReadPage, readPage, stampsAfter } from './page.ts'
import { readRow } from './read-row.ts'

/** The response to a list request: the body as it is sent, and the cursor in it. */
export interface ListAnswer {
  body: string | Buffer
  cursor?: string
}
export type Reading = ReturnType<typeof createReading>

export function createReading({
  outbound,
  facts,
  cursors,
  completed,
  marks = false,
  now = Date.now,
}: {
  outbound: Outbound
  facts: Pick<Facts, 'cached'>
  cursors: Cursors
  completed?: CompletedRows
  now?: (() => number) | undefined
  marks?: boolean // rows tell which responses they were made of; such facts are not shared with other readings
}) {
  async function through<T>(
    { account, connector }: Pick<Target, 'account' | 'connector'>,
    context: RequestContext,
    run: (call: ReadCall, operation: Operation) => Promise<T>,
    resumes = false,
  ): Promise<T> {
    const ending: Ending = { ended: false }
    const operation: Operation = { account, connector, context, patient: false }
    try {
      const call = createReadCall(operation, outbound, facts, new Date(now()).toISOString(), ending)
      return await run(marks ? marking(call) : call, operation)
    } catch (error) {
      throw problemOf(error, connector, undefined, { resumes })
    } finally {
      ending.ended = true
    }
  }

  /** The native rows from a position on, and the position after them. `date`: of the first response. */
  async function rowsAt(
    { account, connector, adapter, flavor }: Target,
    state: CursorState,
    context: RequestContext,
    most = state.size, // rows
  ): Promise<ReadPage & { date?: DateSample | undefined }> {
    const { entityType } = flavor.definition
    const read = async (call: ReadCall, operation: Operation) => {
      const page = await readPage(
        adapter,
        call,
        state,
        { freeNow: (mayWait) => outbound.freeNow(operation, mayWait) },
        completed && {
          find: (versions) => completed.completedRows(operation, entityType, versions),
          keep: (rows) => completed.keepCompleted(operation, entityType, rows),
        },
        most,
      )
      // A list that has as many rows as the platform counts has ended.
      const isWhole = page.count !== undefined && page.count.before >= page.count.total
      const doubtful = isWhole ? undefined : (page.doubtful ?? operation.doubtful)
      return { ...page, date: operation.date, ...(doubtful && { doubtful }) }
    }
    return through({ account, connector }, context, read, state.place.at !== undefined)
  }

  /** The native rows of one page. */
  async function pageOf(
    target: Target,
    query: ListQuery,
    mapping: MappingOverlay | undefined,
    context: RequestContext,
  ): Promise<{ rows: unknown[]; cursor?: string; doubtful?: true }> {
    const { adapter } = target
    checkFilter(target, query.updatedAfter)
    const scope = cursorScope(target, query)
    const read = new Map<string, unknown>() // by their ids
    const freshState = async (): Promise<CursorState> => ({
      size: Math.min(query.pageSize, adapter.list.pageLimit),
      updatedAfter: query.updatedAfter,
      search: query.search && (await searchState(target, query.search, context, read)),
      mapping: mapping && { id: mapping.id, version: mapping.version },
      native: query.native,
      fields: query.fields,
      place: {},
    })
    const state = query.cursor === undefined ? await freshState() : cursors.open(query.cursor, scope)
    if (query.cursor !== undefined && query.search !== undefined && query.search.text !== state.search?.text)
      throw new Problem(
        'invalid_cursor',
        'The cursor was made with another search, or without one. Send the cursor alone, or the search alone.',
      )
    if (query.cursor !== undefined && query.updatedAfter !== undefined && query.updatedAfter !== state.updatedAfter)
      throw new Problem('invalid_cursor', 'The cursor was made with another updatedAfter.')
    // Nothing was modified in the future; several platforms reject such a time.
    const after = stampsAfter(adapter.list, state.updatedAfter)
    if (after !== undefined && Date.parse(after) > now()) return { rows: [] }
    const listed = withoutDetails(target, state.fields, mapping)
    const { next, ...page } = await (state.search
      ? foundAt(listed, state, state.search, context, read)
      : rowsAt(listed, state, context))
    return { ...page, cursor: next ? cursors.seal(next, scope) : undefined }
  }

  /** The row with this platform id, if the platform has one. */
  async function rowWith({ account, connector, adapter }: Target, id: string, context: RequestContext) {
    const { get } = adapter
    if (!get) return undefined
    return through({ account, connector }, context, async (call) => {
      try {
        return await readRow(get, call, id)
      } catch (error) {
        // An id in a form that the platform does not have.
        if (error instanceof NativeFailure && ['not_found', 'invalid'].includes(error.error.kind)) return undefined
        throw error
      }
    })
  }
  /** Which ids the text of a search stands for. A platform's id has no space and no @. */
  async function searchState(
    target: Target,
    { text, linked }: NonNullable<ListQuery['search']>,
    context: RequestContext,
    read: Map<string, unknown>,
  ): Promise<SearchState> {
    const candidates = [...(linked === undefined ? [] : [linked]), ...(/[\s@]/.test(text) ? [] : [text])]
    for (const candidate of new Set(candidates)) {
      const row = await rowWith(target, candidate, context)
      if (row !== undefined) read.set(target.adapter.id(row), row)
    }
    return { text, ids: [...read.keys()], served: 0 }
  }
  /** A page of a search: first the records whose id the text is, then what the platform finds. */
  async function foundAt(
    target: Target,
    state: CursorState,
    search: SearchState,
    context: RequestContext,
    read: ReadonlyMap<string, unknown>,
  ): Promise<ReadPage> {
    const ids = search.ids.slice(search.served, search.served + state.size)
    const ownRows: unknown[] = []
    for (const id of ids) ownRows.push(read.get(id) ?? (await rowWith(target, id, context)))
    const rows = ownRows.filter((row) => row !== undefined)
    const next = { ...state, search: { ...search, served: search.served + ids.length } }
    const gone: ReadPage['gone'] = []
    if (!target.adapter.search) return next.search.served < search.ids.length ? { rows, gone, next } : { rows, gone }
    if (ids.length >= state.size) return { rows, gone, next }
    const found = await rowsAt(target, next, context, state.size - ids.length)
    return { ...found, rows: [...rows, ...found.rows] }
  }

  return {
    through,
    rowsAt,
    pageOf,
    async list(
      target: Target,
      query: ListQuery,
      mapping: MappingOverlay | undefined,
      context: RequestContext,
    ): Promise<ListAnswer> {
      const { rows, cursor, doubtful } = await pageOf(target, query, mapping, context)
      const { record, isShown } = selecting(query.fields)
      const { data: whole, warnings: all } = present(rows, unifying(target, mapping))
      all.push(...lacks(target.adapter, viewOf(target.account, target.connector), rows))
      const limits = query.search ? searchLimits(target, rows.length > 0 || query.cursor !== undefined) : []
      if (doubtful) limits.push(endUnconfirmed(target))
      const [data, warnings] = [whole.map(record), [...limits, ...all.filter(isShown)]]
      const pagination = cursor === undefined ? { hasMore: false } : { cursor, hasMore: true }
      const native = query.native && nativeOf(target, rows)
      const body = JSON.stringify({ data, native, pagination, warnings: warnings.length > 0 ? warnings : undefined })
      return { body, cursor }
    },
  }
}

export function checkFilter({ adapter, connector, flavor }: Target, updatedAfter: string | undefined): void {
  if (updatedAfter !== undefined && adapter.list.updatedAfter === 'none')
    throw new Problem(
      'filter_unsupported',
      `${connector.name} tells no modification time for ${flavor.definition.entityType}.`,
    )
}

const endUnconfirmed = ({ connector }: Target): Warning => ({
  code: 'end_unconfirmed',
  message: `${connector.name} returned an empty page where more records were expected, both times it was read. If records are missing, read the list again from its beginning.`,
})

/** Warnings about what a search cannot find on this platform. If it has found something, the fields do not matter. */
export function searchLimits({ adapter, connector, flavor }: Target, hasFound: boolean): Warning[] {
  const { entityType } = flavor.definition
  if (!adapter.search)
    return [
      {
        code: 'search_by_id_only',
        message: `${connector.name} cannot search ${entityType} records: only source ids and platform ids were looked up. To find others, read the list.`,
      },
    ]
  if (hasFound) return []
  const fields = new Intl.ListFormat('en').format(adapter.search.by)
  return [
    {
      code: 'search_by_some_fields',
      message: `${connector.name} searches ${entityType} records only by ${fields}. To find one by another field, read the list.`,
    },
  ]
}

/** The unified record of each row of a target. */
export function unifying(
  { account, connector, adapter, flavor }: Target,
  mapping: MappingOverlay | undefined,
): (row: unknown, warnings: Warning[]) => UnifiedRecord | undefined {
  const view = viewOf(account, connector)
  const overlay = mapping ? compileOverlay(mapping, flavor) : undefined
  return (row, warnings) => toUnified(adapter, row, flavor, view, warnings, overlay)
}

/** By its id, what the platform sent for each row, without secrets. */
export type NativeOf = Record<string, { responses: NativePart[] }>
export function nativeOf({ account, connector, adapter }: Target, rows: readonly unknown[]): NativeOf {
  const strike = strikeSecrets(account, connector)
  const found = rows.map((row): [string, NativeOf[string]] => [
    lookInto(connector, () => adapter.id(row)),
    { responses: partsOf(row).map((part) => ({ ...part, value: redacted(part.value, strike) })) },
  ])
  return Object.fromEntries(found)
}
