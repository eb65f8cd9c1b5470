// An incremental read: what the platform says was modified since the last one.
import type { NewHint, WatchState } from '../store/changes.ts'
import { membersOf } from './groups.ts'
import {
  batchOf,
  completeTo,
  controlOf,
  deletionOf,
  leastInterval,
  overlapOf,
  platformTime,
  type Step,
  store,
  stretched,
  take,
} from './step.ts'

/** One page, stored with the position after it. */
export async function poll(step: Step): Promise<void> {
  const { reader, watch, now } = step
  const { state } = watch
  const lowWater = state.lowWater ?? 0
  if (!state.poll) reader.refresh()
  const before = reader.calls()
  const page = await reader.page({
    updatedAfter: new Date(lowWater).toISOString(),
    cursor: state.poll?.cursor,
  })
  const started = state.poll?.started ?? platformTime(step, page.began)
  const { rows, removed } = await membersOf(step, page.rows)
  const observation = await take(step, rows, { origin: 'poll' })
  const spent = (state.poll ? (state.poll.calls ?? 0) : 0) + reader.calls() - before
  const { pollAgainAt, ...rest } = state
  const isAgain = pollAgainAt !== undefined && (state.poll || now < pollAgainAt)
  const counted: WatchState = {
    ...rest,
    ...(isAgain ? { pollAgainAt } : {}),
    records: Math.max(0, (state.records ?? 0) + observation.created - removed.length),
    control: controlOf(page.rows, state),
  }
  const { poll: _, ...ended } = counted
  const nextPollAt = now + stretched(step, step.pollSeconds * 1000, spent)
  const againAt = isAgain ? Math.max(pollAgainAt, now + leastInterval(step, 'poll', spent)) : Infinity
  const next: WatchState =
    page.next !== undefined
      ? { ...counted, poll: { started, cursor: page.next, calls: spent } }
      : {
          ...ended,
          lowWater: Math.max(lowWater, started - overlapOf(step)),
          lastPollAt: now,
          pollCalls: spent,
          nextPollAt: Math.min(nextPollAt, againAt),
        }
  const ids = rows.map(({ nativeId }) => nativeId)
  const batch = batchOf(step, observation, ids, next)
  const deletions = removed.flatMap((id) => deletionOf(watch, id, 'poll'))
  await store(
    step,
    { ...batch, remove: removed },
    {
      changes: [...observation.changes, ...deletions],
      newHints: [...observation.newHints, ...(await goneHints(step, page.gone))],
    },
  )
  if (page.next === undefined) await completeTo(step, { modified: watch.state.lowWater as number })
}

/** What the platform says was deleted is read by its id, as after a webhook: only that proves it. */
async function goneHints({ changes, reader, watch }: Step, gone: readonly string[]): Promise<NewHint[]> {
  const ids = [...new Set(gone)]
  const rows = await changes.records(watch, ids)
  const known: string[] = []
  for (const id of ids)
    if (rows.has(id) || (reader.groups && (await changes.group(watch, id)).length > 0)) known.push(id)
  return known.map((nativeId) => ({ entityType: watch.entityType, nativeId, origin: 'hint', gone: true }))
}
