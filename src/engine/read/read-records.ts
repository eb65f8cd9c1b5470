// Reads of callers: lists, single records, and the record behind a key of the caller.
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import { Problem, type Warning } from '../../contract/errors.ts'
import { isIdentifier } from '../../contract/validation.ts'
import type { MappingOverlay } from '../../store/store.ts'
import { lookInto } from '../failures.ts'
import { notExcluded, notFound, throwNamed, unknownExternalId } from '../identity.ts'
import type { createMappingSelection } from '../mapping-selection.ts'
import type { EngineStore, RequestContext } from '../options.ts'
import type { Target } from '../target.ts'
import { checkUsable } from '../usable.ts'
import { selecting } from './fields.ts'
import { type ListAnswer, type NativeOf, nativeOf, type Reading, unifying } from './list.ts'
import type { ListQuery } from './page.ts'
import { readRow } from './read-row.ts'
import type { Readings } from './readings.ts'

/** The parts of each record that a response has. */
export type Selection = Pick<ListQuery, 'native' | 'fields'>
interface Found {
  data: UnifiedRecord
  native?: NativeOf | undefined
  version?: string
  warnings: Warning[]
}
type Rows = ReturnType<typeof createRows>

/** The native rows that callers may see. */
export function createRows(store: EngineStore, readings: Readings) {
  /** A search with the platform id that its text is a source id of. */
  async function withLink({ account, flavor }: Target, query: ListQuery): Promise<ListQuery> {
    const { search, cursor } = query
    if (!search || cursor !== undefined || !isIdentifier(search.text)) return query
    const link = await store.links.get(account.id, flavor.definition.entityType, search.text)
    return { ...query, search: { ...search, linked: link?.nativeId } }
  }
  /** The native rows of one page. */
  const pageOf: Reading['pageOf'] = async (target, query, ...rest) => {
    checkUsable(target, 'read')
    return readings.request.pageOf(target, await withLink(target, query), ...rest)
  }
  async function rowOf(target: Target, id: string, context: RequestContext, native?: true): Promise<unknown> {
    checkUsable(target, 'read')
    const { adapter, flavor, connector } = target
    const get = adapter.get
    if (!get)
      throw new Problem(
        'method_not_allowed',
        `${connector.name} cannot read a single ${flavor.definition.entityType}. Read the list instead.`,
        { headers: { allow: adapter.update ? 'PUT, OPTIONS' : 'OPTIONS' } },
      )
    const row = await (native ? readings.marked : readings.request)
      .through(target, context, (call) => readRow(get, call, id))
      .catch((error: unknown) => throwNamed(store, target, id, error))
    if (row === undefined) return throwNamed(store, target, id, notFound(target))
    notExcluded(target, row)
    return row
  }
  return { withLink, pageOf, rowOf }
}

export function createReads(
  store: EngineStore,
  readings: Readings,
  { withLink, rowOf }: Rows,
  mappings: Pick<ReturnType<typeof createMappingSelection>, 'ofWalk'>,
) {
  async function list(
    target: Target,
    query: ListQuery,
    mapping: MappingOverlay | undefined,
    context: RequestContext,
  ): Promise<ListAnswer> {
    checkUsable(target, 'read')
    const walk = await mappings.ofWalk(target, query, mapping)
    return readings.list(target, await withLink(target, walk.query), walk.mapping, context)
  }

  async function get(
    target: Target,
    id: string,
    mapping: MappingOverlay | undefined,
    context: RequestContext,
    { native, fields }: Selection = {},
  ): Promise<Found> {
    const row = await rowOf(target, id, context, native)
    const warnings: Warning[] = []
    const data = unifying(target, mapping)(row, warnings)
    if (!data)
      throw new Problem('downstream_error', warnings.at(-1)?.message ?? 'The record could not be normalized.', {
        downstream: { platform: target.connector.id },
      })
    const version = lookInto(target.connector, () => target.adapter.version?.(row))
    const { record, isShown } = selecting(fields)
    return {
      data: record(data),
      native: native && nativeOf(target, [row]),
      warnings: warnings.filter(isShown),
      version,
    }
  }

  /** The record written under a key of the caller, as it is now, and what became of the write. */
  async function written(
    target: Target,
    externalId: string,
    mapping: MappingOverlay | undefined,
    context: RequestContext,
    selection: Selection = {},
  ) {
    const reference = await referenceOf(target, externalId)
    if (!reference) return { data: [], warnings: [unknownExternalId(externalId)], reference }
    const found =
      reference.id === undefined
        ? undefined
        : await get(target, reference.id, mapping, context, selection).catch((error: unknown) => {
            if (error instanceof Problem && error.code === 'record_not_found') return undefined
            throw error
          })
    const { native } = found ?? {}
    return { data: found ? [found.data] : [], native, warnings: found?.warnings ?? [], reference }
  }
  async function referenceOf({ account: { id: accountId }, flavor }: Target, externalId: string) {
    const { entityType } = flavor.definition
    const entry = await store.journal.get({ accountId, entityType, externalId })
    const settled = entry === undefined || entry.state === 'done'
    const link = settled ? await store.links.get(accountId, entityType, externalId) : undefined
    // A source id that was linked after its write names the linked record, here and in references.
    return link?.origin === 'linked' || !entry
      ? link && { externalId, outcome: 'linked' as const, id: link.nativeId }
      : { externalId, outcome: entry.state, id: entry.nativeId }
  }

  return { list, get, written }
}
