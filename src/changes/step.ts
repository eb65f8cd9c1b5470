// What every step of a worker needs: one watch, how to read its platform, and how to store what was read.
import type { EntityType } from '../contract/entity.ts'
import type {
  ChangeOrigin,
  ChangeStore,
  Feed,
  FeedBatch,
  IndexRow,
  NewChange,
  Watch,
  WatchBatch,
  WatchState,
} from '../store/changes.ts'
import { changedIds, type Observation, observe, type Read, type ReadRow } from './observe.ts'
import { hashesOf } from './seen.ts'

export interface PageRead {
  rows: ReadRow[]
  gone: string[] // ids of rows or groups that the platform says were deleted
  next?: unknown // any JSON; absent at the end of the list
  unidentified: number // rows without an id
  began: number // on our clock
}
/** Reads one entity of an account, in the background. A read that fails rejects with a Problem. */
export interface Reader {
  readonly entityType: EntityType
  readonly revision: number
  readonly polls: boolean // the platform filters by modification time
  readonly gets: boolean
  readonly groups: boolean
  readonly settleMs: number
  readonly stampMs: number // what modification times are cut to
  readonly horizonMs?: number | undefined
  readonly callsPerSecond: number // that the platform allows
  /** Facts of the account are loaded again: at the start of a poll or walk. */
  refresh(): void
  page(query: { updatedAfter?: string | undefined; cursor?: unknown }): Promise<PageRead>
  /** Undefined only if the platform says that it has no such record. */
  get(id: string): Promise<ReadRow | undefined>
  members(group: string): Promise<ReadRow[]>
  /** How far the platform's clock is ahead of ours; undefined if it is unknown. */
  clock(): { least: number; most: number } | undefined
  /** Native calls so far. */
  calls(): number
}

export interface Step {
  changes: ChangeStore
  feed: Feed
  watch: Watch
  reader: Reader
  now: number // the database's clock, when the step began
  scale: number // of all intervals
  keepRecords: boolean
  pollSeconds: number
  walkHours: number
  watches: number // of the account
}

/** Assumed of a platform that does not tell its time. */
const unknownClockMs = 5 * 60_000
/** A time that the platform's clock had already reached at this moment of ours. */
export const platformTime = ({ reader }: Step, ours: number): number =>
  Math.floor(ours + (reader.clock()?.least ?? -unknownClockMs))

/** What is read again, because it may not have been listed yet. */
export const overlapOf = ({ reader, watch }: Step): number =>
  reader.stampMs + reader.settleMs * (watch.state.overlapFactor ?? 1)

/** An interval that lets polls and walks of the account use a tenth of the platform's limit. */
export function stretched({ reader, watches, scale }: Step, wantedMs: number, calls: number): number {
  const share = 0.1 / 2 / Math.max(1, watches)
  return Math.max(wantedMs * scale, (calls / (reader.callsPerSecond * share)) * 1000)
}

/** However often the platform says that something changed, its list is not read more often. */
const leastMs = { poll: 1_000, walk: 60_000 }
export const leastInterval = (step: Step, list: keyof typeof leastMs, calls: number): number =>
  Math.round(stretched(step, leastMs[list], calls))

export interface Taking {
  origin: ChangeOrigin
  writtenBy?: string | undefined
  own?: ReadonlySet<string> // records whose hints this read serves
  acceptOlder?: boolean
  index?: ReadonlyMap<string, IndexRow> // of these rows, if it was read already
}

const nothingWritten = { creates: false, updates: new Set<string>() }

/** Compares rows with the index, and with what else is known about the records that changed. */
export async function take(step: Step, rows: readonly ReadRow[], taking: Taking): Promise<Observation> {
  const { changes, feed, watch, reader, keepRecords } = step
  const { accountId } = feed
  const { entityType } = watch
  const { origin, writtenBy, own = new Set<string>(), acceptOlder = false, index } = taking
  const ids = [...new Set(rows.map(({ nativeId }) => nativeId))]
  const read: Read = {
    watch,
    revision: reader.revision,
    origin,
    writtenBy,
    rows,
    index: index ?? (await changes.records(watch, ids)),
    silent: watch.state.phase === 'first_walk',
    keepRecords,
    acceptOlder: acceptOlder || !reader.gets,
    settleMs: reader.settleMs,
  }
  const changed = changedIds(read)
  if (changed.length === 0) return observe(read)
  // In this order: a write that ends in between is under way in the first answer, or has a hint in the second.
  const writing = own.size > 0 ? nothingWritten : await changes.writing(accountId, entityType)
  const hints = await changes.hintsOf(accountId, entityType, changed)
  const last = read.silent ? undefined : await changes.lastChanges(accountId, entityType, changed)
  return observe({
    ...read,
    hinted: new Set([...hints.keys()].filter((id) => !own.has(id))),
    writing,
    ...(last ? { last } : {}),
  })
}

/** Some ids that the platform has just listed: a control read looks for one of them. */
export const controlOf = (rows: readonly ReadRow[], state: WatchState): string[] =>
  rows.length > 0 ? rows.slice(-3).map(({ nativeId }) => nativeId) : (state.control ?? [])

/** The batch of a watch after a read that succeeded, its seen hashes included while a walk runs. */
export function batchOf(
  { watch }: Step,
  { put }: Pick<Observation, 'put'>,
  ids: readonly string[],
  { errorsInARow: _, retryAt: __, starvedSince: ___, ...state }: WatchState,
): WatchBatch {
  const { walk } = state
  if (!walk) return { watch, put, state }
  const seen = hashesOf(walk.seed, ids)
  return { watch, put, seen, state: { ...state, walk: { ...walk, seenBytes: walk.seenBytes + seen.length } } }
}

/** Stores one step of one watch. The watch has the new state only if all of it is stored. */
export async function store(
  { changes, feed, watch }: Pick<Step, 'changes' | 'feed' | 'watch'>,
  batch: WatchBatch,
  more: Omit<FeedBatch, 'watches'> = {},
): Promise<void> {
  feed.head = await changes.commit(feed, { ...more, watches: [batch] })
  if (batch.state) watch.state = batch.state
}

export const deletionOf = (watch: Watch, nativeId: string, origin: ChangeOrigin, replacedBy?: string): NewChange[] =>
  watch.state.phase === 'first_walk'
    ? []
    : [{ watch, operation: 'deleted', nativeId, origin, ...(replacedBy === undefined ? {} : { replacedBy }) }]

/** True once everything that was known at that time has been read. */
export const isConfirmed = ({ at }: { at: number }, oldestHint: number | undefined): boolean =>
  oldestHint === undefined || oldestHint > at

/**
 * Notes what the feed is complete up to, once the hints that wait now are done. Called after everything that was read
 * is stored, because what was deferred is a hint by then.
 */
export async function completeTo(step: Step, reached: { modified?: number; all?: number }): Promise<void> {
  const { changes, feed, watch } = step
  const { now, oldestHints } = await changes.moment(feed.accountId)
  const { state } = watch
  const { candidate } = state
  if (candidate && !isConfirmed(candidate, oldestHints[watch.entityType])) {
    // Waits until it is confirmed. A later one would never be, if there are always new hints.
    if ((candidate.all ?? 0) >= (reached.all ?? 0)) return
  }
  const confirmed = candidate && isConfirmed(candidate, oldestHints[watch.entityType]) ? candidate : undefined
  const complete = latest(state.complete, confirmed)
  const next = { at: now, ...latest(complete, candidate, reached) }
  await store({ changes, feed, watch }, { watch, state: { ...state, complete, candidate: next } })
}

/** Never moves back. */
export function latest(...marks: ({ modified?: number; all?: number } | undefined)[]): {
  modified?: number
  all?: number
} {
  const most = (values: (number | undefined)[]) => {
    const given = values.filter((value) => value !== undefined)
    return given.length > 0 ? Math.max(...given) : undefined
  }
  const modified = most(marks.map((mark) => mark?.modified))
  const all = most(marks.map((mark) => mark?.all))
  return { ...(modified === undefined ? {} : { modified }), ...(all === undefined ? {} : { all }) }
}
