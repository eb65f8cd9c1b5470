// Proofs of deletes. Only a read by id that says "not found" proves one, and only if a control read of another record
// succeeds before and after it: an outage, a revoked scope or a lost page looks the same otherwise.
import { Problem } from '../contract/errors.ts'
import type { IndexRow, NewChange, UnlistedRow } from '../store/changes.ts'
import type { Observation, ReadRow } from './observe.ts'
import { batchOf, deletionOf, platformTime, type Step, store, take } from './step.ts'
import { walkProven } from './walk.ts'

const readsAtOnce = 20
const controls = 3
const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Reads of a record that is no longer listed: after an hour, two, four, up to a week. */
const checkAfter = (checks: number): number => Math.min(hourMs * 2 ** checks, 7 * dayMs)

/** Absent: there is no other record that could be read. */
export type Control = 'passed' | 'none'

/** Rejects if records that must be there are not found. */
export async function controlRead(step: Step, excluded: ReadonlySet<string>): Promise<Control> {
  const { changes, watch, reader } = step
  const first = await changes.recordsAfter(watch, '', readsAtOnce + 10)
  const ids = [...new Set([...(watch.state.control ?? []), ...first.map(({ nativeId }) => nativeId)])]
  const index = await changes.records(watch, ids)
  const { missing, unlisted } = await changes.marks(watch, ids)
  const usable = ids.filter((id) => index.has(id) && !excluded.has(id) && !missing.has(id) && !unlisted.has(id))
  for (const id of usable.slice(0, controls)) if (await reader.get(id)) return 'passed'
  // These may be deleted, too: what the platform lists now decides. Otherwise nothing would be read until they are back.
  const listed = (await reader.page({})).rows.map(({ nativeId }) => nativeId).filter((id) => !excluded.has(id))
  for (const id of listed.slice(0, controls)) if (await reader.get(id)) return 'passed'
  if (listed.length === 0) return 'none'
  throw new Problem(
    'downstream_error',
    'Records that were just listed are not found, so nothing is reported as deleted. Retry later.',
  )
}

interface Fates {
  found: ReadRow[]
  gone: string[]
  merged: Map<string, string> // id -> the record that the platform answers with instead
  control: Control
}
/** Reads records by their ids. Those that are `gone` are proven to be, as far as the control read says so. */
async function readFates(step: Step, ids: readonly string[]): Promise<Fates> {
  const excluded = new Set(ids)
  const fates: Fates = { found: [], gone: [], merged: new Map(), control: 'passed' }
  const before = await controlRead(step, excluded)
  for (const id of ids) {
    const row = await step.reader.get(id)
    if (!row) fates.gone.push(id)
    else if (row.nativeId !== id) fates.merged.set(id, row.nativeId)
    if (row) fates.found.push(row)
  }
  // A record that was found in the same batch is a control of its own, but an outage may begin after it.
  fates.control = fates.gone.length > 0 && before === 'passed' ? await controlRead(step, excluded) : before
  return fates
}

/** Some of the records that the last walk did not see. */
export async function prove(step: Step): Promise<void> {
  const { changes, feed, watch, reader, scale } = step
  const { state } = watch
  const proof = state.proof
  if (!proof) return
  const rows = await changes.missingAfter(watch, proof.after, readsAtOnce)
  const last = rows.at(-1)
  if (!last) {
    const { proof: _, ...rest } = state
    await store(step, { watch, state: rest })
    if ((rest.heldDeletes ?? 0) === 0) await walkProven(step)
    return
  }
  const next = { ...state, proof: { ...proof, after: last.nativeId } }
  const missedTwice = (sinceWalk: number) => sinceWalk + hourMs * scale <= proof.walk
  const ids = rows.map(({ nativeId }) => nativeId)
  const hinted = await changes.hintsOf(feed.accountId, watch.entityType, ids)
  const due = rows
    .filter(({ nativeId }) => !hinted.has(nativeId))
    .filter(({ sinceWalk }) => (reader.gets ? sinceWalk < proof.walk || !state.massHeld : missedTwice(sinceWalk)))
  const index = await changes.records(watch, ids)
  if (!reader.gets) {
    const gone = due.map(({ nativeId }) => nativeId)
    return settle(step, next, { rows: [], gone, silent: pastHorizon(step, gone, index) })
  }
  const dueIds = due.map(({ nativeId }) => nativeId)
  const old = pastHorizon(step, dueIds, index)
  const asked = dueIds.filter((id) => !old.has(id))
  if (asked.length === 0) return settle(step, next, { rows: [], gone: dueIds, silent: old })
  const { found, gone, merged, control } = await readFates(step, asked)
  const since = new Map(due.map(({ nativeId, sinceWalk }) => [nativeId, sinceWalk]))
  // Without another record to read, a second walk must have missed it, too.
  const proven = control === 'passed' ? gone : gone.filter((id) => missedTwice(since.get(id) ?? Infinity))
  await settle(step, next, {
    rows: found,
    gone: [...old, ...proven, ...merged.keys()],
    merged,
    silent: old,
  })
}

/** Records that are no longer listed and were there when they were last read. */
export async function checkUnlisted(step: Step, due: readonly UnlistedRow[]): Promise<void> {
  const ids = due.map(({ nativeId }) => nativeId)
  const index = await step.changes.records(step.watch, ids)
  const { found, gone, merged, control } = await readFates(step, ids)
  const proven = control === 'passed' ? gone : []
  const checks = new Map(due.map((row) => [row.nativeId, row.checks + 1]))
  const silent = pastHorizon(step, proven, index)
  await settle(step, step.watch.state, {
    rows: found,
    gone: [...proven, ...merged.keys()],
    merged,
    silent,
    checks,
    unproven: control === 'none' ? gone : [],
  })
}

interface Settled {
  rows: readonly ReadRow[] // still there: no longer missing, and unlisted
  gone: readonly string[]
  merged?: ReadonlyMap<string, string> // of those, what they became
  silent: ReadonlySet<string> // of those, the ones that are not reported
  checks?: ReadonlyMap<string, number>
  unproven?: readonly string[]
}
async function settle(step: Step, state: Step['watch']['state'], settled: Settled): Promise<void> {
  const { watch, now, scale } = step
  const { rows, gone, merged, silent, checks, unproven = [] } = settled
  const observation: Observation = await take(step, rows, { origin: 'walk' })
  const ids = rows.map(({ nativeId }) => nativeId)
  const survivors = new Set(merged?.values()) // they may be listed
  // Between two walks, a record that stays unlisted is read less and less often.
  const { unlisted: known } = await step.changes.marks(watch, checks ? [] : ids)
  const left = ids.filter((id) => !survivors.has(id) && !known.has(id))
  const unlisted = [...left, ...unproven].map((nativeId): UnlistedRow => {
    const done = checks?.get(nativeId) ?? 0
    return { nativeId, nextCheckAt: Math.round(now + checkAfter(done) * scale), checks: done }
  })
  const found = checks ? 0 : ids.length - (merged?.size ?? 0)
  const next = {
    ...state,
    records: Math.max(0, (state.records ?? 0) + observation.created - gone.length),
    heldDeletes: Math.max(0, (state.heldDeletes ?? 0) - (checks ? 0 : gone.length) - found),
  }
  const deletions: NewChange[] = gone
    .filter((id) => !silent.has(id))
    .flatMap((id) => deletionOf(watch, id, 'walk', merged?.get(id)))
  const batch = batchOf(step, observation, ids, next)
  await store(
    step,
    { ...batch, remove: gone, missing: { remove: checks ? [] : ids }, unlisted: { put: unlisted } },
    { changes: [...observation.changes, ...deletions], newHints: observation.newHints },
  )
}

/**
 * Records that may be older than what the platform lists, so that it may not find them either. Where there is a horizon,
 * the index has the day on which each record was made.
 */
export function pastHorizon(step: Step, ids: readonly string[], index: ReadonlyMap<string, IndexRow>): Set<string> {
  const { horizonMs } = step.reader
  if (horizonMs === undefined) return new Set()
  const since = platformTime(step, Date.now()) - horizonMs + dayMs
  return new Set(ids.filter((id) => !(Date.parse(index.get(id)?.group ?? '') > since)))
}
