// Records that something has pointed to: own writes, the platform, or a read that could not be trusted. Each is fetched
// by its id, and what the fetch shows decides. A hint without an id says that something in the entity changed: the list
// is read.
import { canonical } from '../engine/write/canonical.ts'
import type { FeedBatch, Hint, IndexRow, MissingRow, NewChange, WatchState } from '../store/changes.ts'
import { controlRead, pastHorizon } from './deletes.ts'
import { fingerprintOf } from './fingerprint.ts'
import { readGroup } from './groups.ts'
import type { Observation, ReadRow } from './observe.ts'
import { batchOf, deletionOf, leastInterval, type Step, store, take } from './step.ts'

/** A row waits for a write of this service that is under way, for at most this time. */
const writeWaitMs = 60_000
/** So many reads must give an older state before it counts. */
const olderReads = 3
/** More hints of an entity than this become one poll or walk. */
export const mostHints = 1000

type Later = NonNullable<FeedBatch['laterHints']>[number]
interface Outcome {
  observed: Observation[]
  seen: string[]
  deletions: NewChange[]
  removed: string[]
  missing: MissingRow[]
  done: Hint[]
  later: Later[]
  list?: 'poll' | 'walk' // the list is read, too
}
/** Not found, and in the index. */
type Gone = Pick<Hint, 'nativeId' | 'replacedBy'>

/** Hints of one watch, each read by its id, all stored together. */
export async function followHints(step: Step, hints: readonly Hint[]): Promise<void> {
  const { changes, feed, watch } = step
  const outcome: Outcome = { observed: [], seen: [], deletions: [], removed: [], missing: [], done: [], later: [] }
  const writing = await changes.writing(feed.accountId, watch.entityType)
  const gone: Gone[] = []
  for (const hint of hints) {
    // What this batch has read already is stored first; its hint is still due then.
    if (outcome.seen.includes(hint.nativeId) || outcome.removed.includes(hint.nativeId)) continue
    if (hint.nativeId === '') {
      readList(step, hint, outcome)
      continue
    }
    const known = (await changes.records(watch, [hint.nativeId])).get(hint.nativeId)
    const isWriting = writing.updates.has(hint.nativeId) || (!known && writing.creates)
    if (isWriting && !hint.record && step.now - hint.firstAt < writeWaitMs * step.scale)
      outcome.later.push({ ...hint, dueInMs: step.reader.settleMs })
    else await followHint(step, hint, known, outcome, gone)
  }
  await settleGone(step, gone, outcome)
  const put = outcome.observed.flatMap((observation) => observation.put)
  const created = outcome.observed.reduce((sum, observation) => sum + observation.created, 0)
  const state: WatchState = {
    ...(outcome.list ? withListDue(step, outcome.list) : watch.state),
    records: Math.max(0, (watch.state.records ?? 0) + created - outcome.removed.length),
  }
  const batch = batchOf(step, { put }, outcome.seen, state)
  await store(
    step,
    { ...batch, remove: outcome.removed, missing: { put: outcome.missing } },
    {
      changes: [...outcome.observed.flatMap((observation) => observation.changes), ...outcome.deletions],
      newHints: outcome.observed.flatMap((observation) => observation.newHints),
      doneHints: outcome.done,
      laterHints: outcome.later,
    },
  )
}

async function followHint(
  step: Step,
  hint: Hint,
  known: IndexRow | undefined,
  outcome: Outcome,
  gone: Gone[],
): Promise<void> {
  const { watch, reader } = step
  const later = () => void outcome.later.push({ ...hint, dueInMs: reader.settleMs })
  const own = new Set([hint.nativeId])
  if (!reader.gets) {
    if (hint.record === undefined) return readList(step, hint, outcome)
    await takeWrite(step, hint, undefined, known, outcome)
    outcome.done.push(hint) // the next poll or walk reads it
    return
  }
  const isRow = known || hint.record !== undefined || !reader.groups
  const members = isRow ? [] : await step.changes.group(watch, hint.nativeId)
  if (members.length > 0) return followGroup(step, hint, members, outcome, gone)
  const row = await reader.get(hint.nativeId)
  if (!row) {
    // What the write answered is reported, and then looked for again.
    if (hint.record !== undefined) {
      await takeWrite(step, hint, undefined, known, outcome)
      return later()
    }
    const isOfGroup = known?.group !== undefined && (await takeGroup(step, known.group, undefined, outcome))
    if (!known && reader.groups) await followGroup(step, hint, [], outcome, gone)
    else if (isOfGroup || (!known && (hint.gone || hint.attempts > 0))) outcome.done.push(hint)
    else if (!hint.gone && hint.attempts === 0) later()
    else {
      gone.push(hint)
      outcome.done.push(hint)
    }
    return
  }
  outcome.seen.push(row.nativeId)
  const index = row.nativeId === hint.nativeId ? indexOf(known) : undefined
  const group = row.group ?? known?.group
  if (group !== undefined) await takeGroup(step, group, row.nativeId, outcome)
  if (hint.record !== undefined) {
    if (canonical(row.record) !== canonical(hint.record)) {
      await takeWrite(step, hint, row, known, outcome)
      return later() // a read right after a write may show the state before it
    }
    const observation = await take(step, [row], { origin: 'write', writtenBy: hint.writtenBy, own, index })
    if (observation.older.length > 0) return later()
    outcome.observed.push(observation)
    outcome.done.push(hint)
    return
  }
  const acceptOlder = hint.attempts >= olderReads
  const observation = await take(step, [row], { origin: 'hint', own, index, acceptOlder })
  if (observation.older.length > 0) return later()
  outcome.observed.push(observation)
  if (row.nativeId !== hint.nativeId && known) {
    outcome.removed.push(hint.nativeId)
    outcome.deletions.push(...deletionOf(watch, hint.nativeId, 'hint', row.nativeId))
  }
  // The platform may not show the change yet.
  if (observation.changes.length === 0 && hint.attempts === 0 && hint.origin === 'hint') later()
  else outcome.done.push(hint)
}

const indexOf = (known: IndexRow | undefined): ReadonlyMap<string, IndexRow> =>
  new Map(known ? [[known.nativeId, known]] : [])

/** A hint that names a group. `indexed`: its rows, as far as they are known. */
async function followGroup(
  step: Step,
  hint: Hint,
  indexed: readonly IndexRow[],
  outcome: Outcome,
  gone: Gone[],
): Promise<void> {
  const before = outcome.observed.length
  const isThere = await takeGroup(step, hint.nativeId, undefined, outcome)
  const isChanged =
    outcome.observed.slice(before).some(({ changes }) => changes.length > 0) ||
    indexed.some(({ nativeId }) => outcome.removed.includes(nativeId))
  const isFirst = hint.attempts === 0
  // The platform may not show the change yet.
  if (isFirst && (isThere ? !isChanged : !hint.gone))
    return void outcome.later.push({ ...hint, dueInMs: step.reader.settleMs })
  if (!isThere) gone.push(...indexed.map(({ nativeId }) => ({ nativeId })))
  outcome.done.push(hint)
}

/** The other rows of a group, and those that left it. False if there are no groups, or the native record is gone. */
async function takeGroup(step: Step, group: string, except: string | undefined, outcome: Outcome): Promise<boolean> {
  if (!step.reader.groups) return false
  const members = await readGroup(step, group)
  const rows = members.rows.filter(({ nativeId }) => nativeId !== except)
  const removed = members.removed.filter((id) => id !== except)
  outcome.seen.push(...rows.map(({ nativeId }) => nativeId))
  outcome.observed.push(await take(step, rows, { origin: 'hint' }))
  outcome.removed.push(...removed)
  outcome.deletions.push(...removed.flatMap((id) => deletionOf(step.watch, id, 'hint')))
  return members.rows.length > 0
}

/** The state that an own write answered, whatever a read shows now. */
async function takeWrite(
  step: Step,
  hint: Hint,
  read: ReadRow | undefined,
  known: IndexRow | undefined,
  outcome: Outcome,
): Promise<void> {
  const row: ReadRow = {
    nativeId: hint.nativeId,
    group: read?.group,
    record: hint.record as object,
    native: read?.native,
    fingerprint: fingerprintOf(hint.record, read?.native),
    modified: known?.modified,
  }
  outcome.seen.push(hint.nativeId)
  const own = new Set([hint.nativeId])
  const { writtenBy } = hint
  outcome.observed.push(await take(step, [row], { origin: 'write', writtenBy, own, index: indexOf(known) }))
}

async function settleGone(step: Step, gone: readonly Gone[], outcome: Outcome): Promise<void> {
  // A record can be named by a hint of its own and by one of its group.
  const unique = new Map(
    gone.filter(({ nativeId }) => !outcome.removed.includes(nativeId)).map((one) => [one.nativeId, one]),
  )
  if (unique.size === 0) return
  const { changes, watch, now } = step
  const ids = [...unique.keys()]
  if ((await controlRead(step, new Set(ids))) === 'none') {
    // Nothing else can be read: walks decide.
    const sinceWalk = watch.state.walk?.startedOurs ?? watch.state.lastWalk?.end ?? now
    outcome.missing.push(...ids.map((nativeId) => ({ nativeId, sinceWalk, since: now, reads: 0 })))
    return
  }
  const silent = pastHorizon(step, ids, await changes.records(watch, ids))
  for (const { nativeId, replacedBy } of unique.values()) {
    outcome.removed.push(nativeId)
    if (!silent.has(nativeId)) outcome.deletions.push(...deletionOf(watch, nativeId, 'hint', replacedBy))
  }
}

/** A delete that has no id is found by a walk. */
function readList({ reader }: Step, hint: Hint, outcome: Outcome): void {
  outcome.list = outcome.list === 'walk' || hint.gone || !reader.polls ? 'walk' : 'poll'
  outcome.done.push(hint)
}

/**
 * The list is read at once, or as soon as the limit of the platform allows it, and again when the platform shows what
 * it may not show yet. One that runs comes to its end: there may always be new hints.
 */
function withListDue(step: Step, list: 'poll' | 'walk'): WatchState {
  const { now, reader, watch } = step
  const { state } = watch
  const againAt = Math.round(now + reader.settleMs)
  if (list === 'walk') {
    const free = state.lastWalk ? state.lastWalk.end + leastInterval(step, 'walk', state.walkCalls ?? 0) : now
    return { ...state, walkAgainAt: againAt, nextWalkAt: Math.min(state.nextWalkAt ?? 0, Math.max(now, free)) }
  }
  // A poll follows the first walk in any case.
  if (state.phase === 'first_walk') return state
  const free = (state.lastPollAt ?? 0) + leastInterval(step, 'poll', state.pollCalls ?? 0)
  return { ...state, pollAgainAt: againAt, nextPollAt: Math.min(state.nextPollAt ?? 0, Math.max(now, free)) }
}

/** Too many hints: forgotten in favor of one read of the list, except those that carry a write. */
export async function coalesceHints(step: Step, hints: readonly Hint[]): Promise<void> {
  const { watch, reader } = step
  const { state } = watch
  const { poll: _, ...withoutPoll } = state
  const { walk: __, ...withoutWalk } = state
  // A poll may not see deletes. One that runs may be past these records: it begins again.
  const next: WatchState =
    reader.polls && !hints.some(({ gone }) => gone) && state.phase === 'ready'
      ? { ...withoutPoll, nextPollAt: 0 }
      : { ...withoutWalk, nextWalkAt: 0 }
  await store(step, { watch, state: next }, { doneHints: hints.filter(({ record }) => record === undefined) })
}
