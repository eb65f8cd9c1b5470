// The change feed for callers: one page after a cursor, or the wait for it.

import type { UnifiedRecord } from '../contract/entities/index.ts'
import { type EntityType, entityTypes } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { RequestContext } from '../engine/options.ts'
import type { NativeOf } from '../engine/read/list.ts'
import type { Target } from '../engine/target.ts'
import type { FeedPage, LogRow, Position, Watch } from '../store/changes.ts'
import type { Account, MappingOverlay, Store } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { type CompleteUntil, completeUntil } from './complete-until.ts'
import { checkEpochs, createFeedCursors, expired, type FeedCursor } from './feed-cursor.ts'
import { shownRecord } from './kept-record.ts'
import type { KeptRecord } from './observe.ts'
import { settleSecondsOf } from './settings.ts'
import { createWaiters } from './waiters.ts'

export interface FeedQuery {
  entityTypes?: readonly EntityType[] | undefined // absent: those of the cursor, or all that are watched
  cursor?: string | undefined
  pageSize: number
  within?: readonly EntityType[] | undefined // the only ones that the caller may see; by default all
}
export interface FeedOptions {
  waitMs: number // 0: not at all
  signal?: AbortSignal // ends the wait
  held?(milliseconds: number): void // after each wait
  native?: true | undefined // with what the platform holds now of each record
  /** The mapping that the caller reads records of this target with. */
  mappingOf(target: Target): Promise<MappingOverlay | undefined>
  /** For records that must be read at the platform. */
  context(): RequestContext
  load?: RequestContext['load']
}
export interface Change {
  sequence: number
  operation: LogRow['operation']
  entityType: EntityType
  externalId: string
  sourceExternalId?: string | undefined
  detectedAt: string
  modifiedAt?: string | undefined
  origin: LogRow['origin']
  writtenBy?: string | undefined
  changed?: readonly string[] | undefined
  replacedBy?: string | undefined
  record?: UnifiedRecord | undefined
}
export interface FeedAnswer {
  data: Change[]
  pagination: { cursor: string; hasMore: boolean }
  native?: Partial<Record<EntityType, NativeOf>> | undefined
  completeUntil?: Partial<Record<EntityType, CompleteUntil>>
}
export type FeedReader = ReturnType<typeof createFeedReader>

/** A notification can be lost. */
export const lookEveryMs = 5_000
const notReadyRetrySeconds = 10
/** Of one page. The page ends before the next one. */
const mostLiveReads = 20

export function createFeedReader({
  store,
  engine,
  vault,
}: {
  store: Pick<Store, 'changes' | 'links'>
  engine: Pick<Engine, 'target' | 'get' | 'support'>
  vault: Vault
}) {
  const cursors = createFeedCursors(vault)
  const waiterOf = createWaiters(store.changes)

  /** The longest time after a change for which a list of the account may still lack it. */
  const settleMs = (account: Account): number =>
    1000 *
    Math.max(
      settleSecondsOf({}),
      ...Object.keys(engine.support(account)).map((entityType) =>
        settleSecondsOf(engine.target(account, entityType).adapter.list),
      ),
    )

  async function readOnce(account: Account, query: FeedQuery, from: FeedCursor | undefined) {
    const named = from ? (Object.keys(from.epochs) as EntityType[]) : query.entityTypes
    const after: Position = from ?? (await store.changes.start(account.id, settleMs(account)))
    const page = await store.changes.page(account.id, {
      after,
      entityTypes: named ?? query.within ?? entityTypes,
      limit: query.pageSize,
    })
    if (from) checkEpochs(from, page?.watches ?? [])
    const { within } = query
    const visible = (page?.watches ?? []).filter(({ entityType }) => within?.includes(entityType) ?? true)
    const watches = watchesIn(visible, named)
    if (!page) throw notWatched(named ?? [])
    checkReady(watches)
    // Without a cursor there is nothing that a reader could have missed.
    if (from && page.gap) throw expired(page.gap === 'pruned' ? 'pruned' : 'restored')
    return { page, watches }
  }

  async function shown(
    account: Account,
    row: LogRow,
    targetOf: (entityType: EntityType) => Promise<{ target: Target; mapping: MappingOverlay | undefined }>,
    readLive: (target: Target, id: string, mapping: MappingOverlay | undefined) => Promise<UnifiedRecord | undefined>,
  ): Promise<UnifiedRecord | undefined> {
    if (row.operation === 'deleted' || row.record === undefined) return undefined
    const { target, mapping } = await targetOf(row.entityType)
    const record = shownRecord(target, row.record as KeptRecord, mapping, row.nativeId)
    if (record !== 'live') return record
    return account.state === 'active' ? readLive(target, row.nativeId, mapping) : undefined
  }

  async function answerOf(
    account: Account,
    { page, watches }: { page: FeedPage; watches: FeedPage['watches'] },
    options: FeedOptions,
  ): Promise<FeedAnswer> {
    const targets = new Map<EntityType, Promise<{ target: Target; mapping: MappingOverlay | undefined }>>()
    const targetOf = (entityType: EntityType) => {
      const found =
        targets.get(entityType) ??
        (async () => {
          const target = engine.target(account, entityType)
          return { target, mapping: await options.mappingOf(target) }
        })()
      targets.set(entityType, found)
      return found
    }
    const liveReads = new Map<string, ReturnType<typeof getLive>>()
    const selection = { native: options.native }
    const getLive = (target: Target, id: string, mapping: MappingOverlay | undefined) =>
      engine.get(target, id, mapping, options.context(), selection).catch((error: unknown) => {
        // Deleted since, which is a change of its own, or the platform cannot read a single record.
        if (error instanceof Problem && ['record_not_found', 'method_not_allowed'].includes(error.code))
          return undefined
        throw error
      })
    /** Each record once per page. */
    const live = (target: Target, id: string, mapping: MappingOverlay | undefined) => {
      const name = `${target.flavor.definition.entityType} ${id}`
      const found = liveReads.get(name) ?? getLive(target, id, mapping)
      liveReads.set(name, found)
      return found
    }
    const readLive = async (...of: Parameters<typeof live>) => (await live(...of))?.data
    const native: NonNullable<FeedAnswer['native']> = {}
    async function addNative({ entityType, nativeId, operation }: LogRow): Promise<void> {
      if (operation === 'deleted' || account.state !== 'active') return
      const { target, mapping } = await targetOf(entityType)
      const found = await live(target, nativeId, mapping)
      if (found?.native) native[entityType] = { ...native[entityType], ...found.native }
    }
    const epochs = new Map(watches.map(({ entityType, epoch }) => [entityType, epoch]))
    const sourceIds = await store.links.sourceIds(account.id, page.rows)
    const data: Change[] = []
    let last: LogRow | undefined
    for (const row of page.rows) {
      if (liveReads.size >= mostLiveReads) break
      last = row
      // Of an epoch before: a reader that starts now has nothing to do with it.
      if (row.epoch !== epochs.get(row.entityType)) continue
      const record = await shown(account, row, targetOf, readLive)
      if (options.native) await addNative(row)
      data.push(changeOf(row, sourceIds.get(`${row.entityType} ${row.nativeId}`), record))
    }
    const hasMore = page.hasMore || last !== page.rows.at(-1)
    const reached = hasMore && last ? { sequence: last.sequence, tag: last.tag } : page.head
    const cursor = cursors.seal({ ...reached, epochs: Object.fromEntries(epochs) }, { accountId: account.id })
    return {
      data,
      native: options.native && native,
      pagination: { cursor, hasMore },
      ...(hasMore
        ? {}
        : { completeUntil: Object.fromEntries(watches.map((watch) => [watch.entityType, completeUntil(watch)])) }),
    }
  }

  return {
    /** Ends early with an empty page when the signal aborts. */
    async read(account: Account, query: FeedQuery, options: FeedOptions): Promise<FeedAnswer> {
      let from = query.cursor === undefined ? undefined : cursors.open(query.cursor, { accountId: account.id })
      if (from) {
        checkSame(Object.keys(from.epochs), query.entityTypes)
        checkWithin(Object.keys(from.epochs), query.within)
      }
      if (options.waitMs <= 0) return answerOf(account, await readOnce(account, query, from), options)
      const until = performance.now() + options.waitMs
      const waiter = waiterOf(account.id) // before the first look: what comes after that look wakes it
      try {
        for (;;) {
          const found = await readOnce(account, query, from)
          const leftMs = until - performance.now()
          const { rows, hasMore } = found.page
          if (rows.length > 0 || hasMore || leftMs <= 0 || options.signal?.aborted)
            return await answerOf(account, found, options)
          // A reader without a cursor must not start later because it waits.
          from ??= {
            ...found.page.head,
            epochs: Object.fromEntries(found.watches.map(({ entityType, epoch }) => [entityType, epoch])),
          }
          options.load?.outside()
          const began = performance.now()
          await waiter.next(Math.min(lookEveryMs, leftMs), options.signal).finally(() => options.load?.inside())
          options.held?.(performance.now() - began)
        }
      } finally {
        waiter.end()
      }
    },
  }
}

export function changeOf(row: LogRow, sourceExternalId: string | undefined, record: UnifiedRecord | undefined): Change {
  const { sequence, operation, entityType, nativeId: externalId, origin, writtenBy, changed, replacedBy } = row
  return {
    sequence,
    operation,
    entityType,
    externalId,
    sourceExternalId,
    detectedAt: new Date(row.detectedAt).toISOString(),
    modifiedAt: row.modifiedAt === undefined ? undefined : new Date(row.modifiedAt).toISOString(),
    origin,
    writtenBy,
    changed,
    replacedBy,
    record,
  }
}

function watchesIn(watches: FeedPage['watches'], named: readonly EntityType[] | undefined): FeedPage['watches'] {
  if (!named) {
    if (watches.length === 0) throw notWatched([])
    return watches
  }
  const missing = named.filter((entityType) => !watches.some((watch) => watch.entityType === entityType))
  if (missing.length > 0) throw notWatched(missing)
  return watches.filter(({ entityType }) => named.includes(entityType))
}

/** A cursor can come from another credential. */
function checkWithin(ofCursor: readonly string[], within: readonly string[] | undefined): void {
  const denied = within ? ofCursor.filter((entityType) => !within.includes(entityType)) : []
  if (denied.length > 0)
    throw new Problem(
      'insufficient_scope',
      `The cursor covers ${denied.join(', ')}, which this credential must not read. Start again without the cursor.`,
      { extra: { limit: 'entities', entityTypes: denied } },
    )
}

const notWatched = (missing: readonly EntityType[]): Problem =>
  new Problem(
    'not_watched',
    `${missing.length > 0 ? `The service does not watch ${missing.join(', ')} of this account` : 'The service watches no entity of this account'}. Watch it with the management API or unirec watch; GET …/changes/status lists what is watched.`,
    missing.length > 0 ? { extra: { entityTypes: missing } } : {},
  )

function checkReady(watches: readonly Watch[]): void {
  const walking = watches.filter(({ state }) => state.phase === 'first_walk')
  if (walking.length === 0) return
  const progress = Object.fromEntries(
    walking.map(({ entityType, state }) => [
      entityType,
      { pages: state.walk?.pages ?? 0, records: state.walk?.rows ?? 0 },
    ]),
  )
  const parts = walking.map(({ entityType, state }) => `${entityType} (${state.walk?.rows ?? 0} records so far)`)
  const ready = watches.filter(({ state }) => state.phase === 'ready').map(({ entityType }) => entityType)
  throw new Problem(
    'not_ready',
    `The first walk is not finished: ${parts.join(', ')}. Retry after the number of seconds in Retry-After.${ready.length > 0 ? ` To read the others now, send entityType=${ready.join(',')}.` : ''}`,
    { headers: { 'retry-after': String(notReadyRetrySeconds) }, extra: { progress } },
  )
}

function checkSame(ofCursor: readonly string[], named: readonly EntityType[] | undefined): void {
  if (!named || (named.length === ofCursor.length && named.every((entityType) => ofCursor.includes(entityType)))) return
  throw new Problem(
    'invalid_parameter',
    `The cursor is for entityType=${ofCursor.join(',')}. Remove entityType, or start without a cursor.`,
  )
}
