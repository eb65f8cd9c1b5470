// A full read: finds what moves no modification time, and the records that are no longer listed.
import { randomBytes } from 'node:crypto'
import type { MissingRow, WatchState } from '../store/changes.ts'
import { compareSeen } from './seen.ts'
import {
  batchOf,
  completeTo,
  controlOf,
  leastInterval,
  overlapOf,
  platformTime,
  type Step,
  store,
  stretched,
  take,
} from './step.ts'

const hourMs = 3_600_000
/** So many records at once do not go, unless a second walk misses them too. */
const massRecords = 50
const massShare = 0.02
const largestOverlap = 64

type Walk = NonNullable<WatchState['walk']>
type RunningState = WatchState & { walk: Walk }

/** One page, stored with the position after it; after the last page, what the walk did not see. */
export async function walk(step: Step): Promise<void> {
  const { reader, watch, now } = step
  const { state } = watch
  if (state.walk?.ended) return endWalk(step, state as RunningState)
  if (!state.walk) reader.refresh()
  const before = reader.calls()
  const page = await reader.page({ cursor: state.walk?.cursor })
  const current: Walk = state.walk ?? {
    started: platformTime(step, page.began),
    startedOurs: now,
    pages: 0,
    rows: 0,
    unreadable: 0,
    seenBytes: 0,
    seed: randomBytes(16).toString('base64url'),
  }
  const observation = await take(step, page.rows, { origin: 'walk' })
  const { cursor: _, ...rest } = current
  const { walkAgainAt, ...unhinted } = state
  const next: RunningState = {
    ...unhinted,
    ...(walkAgainAt !== undefined && (state.walk || now < walkAgainAt) ? { walkAgainAt } : {}),
    ...breached(step, observation.stamps),
    records: (state.records ?? 0) + observation.created,
    control: controlOf(page.rows, state),
    walk: {
      ...rest,
      pages: current.pages + 1,
      rows: current.rows + page.rows.length,
      unreadable: current.unreadable + observation.unreadable,
      unidentified: (current.unidentified ?? 0) + page.unidentified,
      calls: (current.calls ?? 0) + reader.calls() - before,
      ...(page.next === undefined ? { ended: true } : { cursor: page.next }),
    },
  }
  const ids = page.rows.map(({ nativeId }) => nativeId)
  // A walk that begins again has other hashes.
  const batch = { ...batchOf(step, observation, ids, next), clearSeen: state.walk === undefined }
  await store(step, batch, { changes: observation.changes, newHints: observation.newHints })
}

/** A change that is older than what the polls have read: the platform listed it later than it declares. */
function breached({ reader, watch }: Step, stamps: readonly number[]): Partial<WatchState> {
  const { phase, lowWater, breaches = 0, overlapFactor = 1 } = watch.state
  if (phase === 'first_walk' || !reader.polls || lowWater === undefined) return {}
  const missed = stamps.filter((stamp) => stamp + reader.stampMs <= lowWater).length
  if (missed === 0) return {}
  return { breaches: breaches + missed, overlapFactor: Math.min(largestOverlap, overlapFactor * 2) }
}

async function endWalk(step: Step, state: RunningState): Promise<void> {
  const { changes, watch, reader, now, scale } = step
  const { walk: current } = state
  let [records, fresh, lost, missing] = [0, 0, 0, 0]
  // With a row that has no id it is unknown which record was not seen.
  if (!current.unidentified) {
    for await (const { seen, unseen } of compareSeen(changes, watch, current)) {
      records += seen.length + unseen.length
      const marks = await changes.marks(watch, [...seen, ...unseen])
      const put = unseen
        .filter((nativeId) => !marks.missing.has(nativeId))
        .map((nativeId): MissingRow => ({ nativeId, sinceWalk: current.startedOurs, since: now, reads: 0 }))
      missing += unseen.length
      // Known as not listed: no reason to believe that a page was lost. It is read all the same.
      lost += unseen.filter((id) => !marks.unlisted.has(id)).length
      fresh += put.filter(({ nativeId }) => !marks.unlisted.has(nativeId)).length
      const back = seen.filter((id) => marks.missing.has(id))
      const listed = seen.filter((id) => marks.unlisted.has(id))
      if (put.length + back.length + listed.length > 0)
        await store(step, { watch, missing: { put, remove: back }, unlisted: { remove: listed } })
    }
  } else {
    records = state.records ?? 0
    missing = state.heldDeletes ?? 0
  }
  // Counted over the walk: a step that was interrupted has stored some of them before.
  const freshNow = Math.max(fresh, lost - (state.heldDeletes ?? 0))
  const massHeld = freshNow > massRecords && freshNow > massShare * records
  const { walk: _, massHeld: __, proof: ___, ...rest } = state
  const spent = current.calls ?? 0
  const interval = stretched(step, step.walkHours * hourMs, spent)
  const again = state.walkAgainAt
  const againAt = again === undefined ? Infinity : Math.max(again, now + leastInterval(step, 'walk', spent))
  const waits = massHeld || (missing > 0 && !reader.gets)
  const ended: WatchState = {
    ...rest,
    phase: 'ready',
    lowWater: Math.max(state.lowWater ?? 0, current.started - overlapOf(step)),
    lastWalk: { start: current.started, end: now, records },
    walkCalls: spent,
    nextWalkAt: Math.min(
      againAt,
      Math.max(now, waits ? now + Math.min(interval, hourMs * scale) : current.startedOurs + interval),
    ),
    records,
    unreadable: current.unreadable,
    heldDeletes: missing,
    ...(massHeld ? { massHeld } : {}),
    ...(missing > 0 ? { proof: { after: '', walk: current.startedOurs } } : {}),
  }
  await store(step, { watch, clearSeen: true, state: ended })
  if (missing === 0 && !current.unidentified) await walkProven(step)
}

/** Everything that the last walk has to say is reported. */
export async function walkProven(step: Step): Promise<void> {
  const { reader, watch } = step
  const { lastWalk, lowWater } = watch.state
  if (!lastWalk) return
  await completeTo(step, {
    all: lastWalk.start - overlapOf(step),
    ...(reader.polls && lowWater !== undefined ? { modified: lowWater } : {}),
  })
}
