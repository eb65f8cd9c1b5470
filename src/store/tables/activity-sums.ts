// Sums per platform over one minute, five minutes and one hour, updated with each batch of requests: an overview of two
// weeks reads thousands of rows instead of millions.
import { type Kysely, sql } from 'kysely'
import { insertRows } from '../insert-rows.ts'
import { timeOfRequestId } from '../request-id.ts'
import type { ActivitySumRow, Database } from '../schema.ts'
import type { ActivitySum, RecordedActivity, Store } from '../store.ts'

const minuteMs = 60_000
/** In minutes. A query uses the largest one that divides its own step. */
export const storedSteps = [1, 5, 60]

type Sums = Map<string, ActivitySumRow>

function sumAt(sums: Sums, workspaceId: string, step: number, time: number, platform: string): ActivitySumRow {
  const at = time - (time % (step * minuteMs))
  const name = `${workspaceId} ${step} ${at} ${platform}`
  let sum = sums.get(name)
  if (!sum) {
    const nothing = {
      requests: 0,
      refused: 0,
      failed: 0,
      native_calls: 0,
      throttled: 0,
      wait_ms: 0,
      wait_max_ms: 0,
      total_ms: 0,
      used_max: 0,
    }
    sum = { workspace_id: workspaceId, step, at, platform, ...nothing }
    sums.set(name, sum)
  }
  return sum
}

/** By the minute first; the larger steps are sums of the minutes. */
function sumUp(entries: readonly RecordedActivity[]): ActivitySumRow[] {
  const minutes: Sums = new Map()
  let sum: ActivitySumRow | undefined
  for (const entry of entries) {
    const time = timeOfRequestId(entry.requestId)
    // Most entries belong to the same sum as the previous one.
    if (
      sum?.workspace_id !== entry.workspaceId ||
      sum.platform !== entry.platform ||
      time < sum.at ||
      time >= sum.at + minuteMs
    )
      sum = sumAt(minutes, entry.workspaceId, 1, time, entry.platform)
    sum.native_calls += entry.nativeCalls
    sum.throttled += entry.throttled
    sum.used_max = Math.max(sum.used_max, entry.used)
    if (entry.isOwn) continue
    sum.requests++
    if (entry.status >= 500) sum.failed++
    else if (entry.status >= 400) sum.refused++
    sum.wait_ms += Math.round(entry.waitMs)
    sum.wait_max_ms = Math.max(sum.wait_max_ms, Math.round(entry.waitMs))
    sum.total_ms += Math.round(entry.totalMs)
  }
  const wider: Sums = new Map()
  for (const minute of minutes.values()) {
    for (const step of storedSteps.slice(1)) {
      const sum = sumAt(wider, minute.workspace_id, step, minute.at, minute.platform)
      for (const name of added) sum[name] += minute[name]
      for (const name of largest) sum[name] = Math.max(sum[name], minute[name])
    }
  }
  // In the same order on every instance, so that two of them never wait for each other's rows.
  return [...minutes, ...wider].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, sum]) => sum)
}

const added = ['requests', 'refused', 'failed', 'native_calls', 'throttled', 'wait_ms', 'total_ms'] as const
const largest = ['wait_max_ms', 'used_max'] as const

const key = ['workspace_id', 'step', 'at', 'platform'] as const
const columns = [...key, ...added, ...largest]
const grown = added.map((name) => `${name} = activity_sums.${name} + excluded.${name}`)
const raised = largest.map(
  (name) =>
    `${name} = case when excluded.${name} > activity_sums.${name} then excluded.${name} else activity_sums.${name} end`,
)
const conflict = `on conflict (${key.join(',')}) do update set ${[...grown, ...raised].join(',')}`

export async function recordSums(
  db: Kysely<Database>,
  kind: Store['kind'],
  entries: readonly RecordedActivity[],
): Promise<void> {
  const rows = sumUp(entries).map((sum) => columns.map((name) => sum[name]))
  await insertRows(db, { kind, table: 'activity_sums', columns, conflict }, rows)
}

export async function readSums(
  db: Kysely<Database>,
  workspaceId: string,
  { since, until, step }: { since: number; until: number; step: number },
): Promise<ActivitySum[]> {
  const stored = storedSteps.findLast((candidate) => step % candidate === 0) ?? 1
  const span = step * minuteMs
  // If no rows have to be combined, they are in the order of the key and need no sorting.
  const slot =
    stored === step
      ? sql<number>`activity_sums.at`
      : sql<number>`activity_sums.at - activity_sums.at % ${sql.lit(span)}`
  const rows = await db
    .selectFrom('activity_sums')
    .select((column) => [
      slot.as('slot'),
      'platform',
      ...added.map((name) => column.fn.sum<number>(name).as(name)),
      ...largest.map((name) => column.fn.max(name).as(name)),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('step', '=', stored)
    .where('at', '>=', since - (since % span))
    .where('at', '<', until)
    .groupBy([slot, 'platform'])
    .orderBy('slot')
    .orderBy('platform')
    .execute()
  return rows.map((row) => ({
    at: row.slot,
    platform: row.platform,
    requests: Number(row.requests),
    refused: Number(row.refused),
    failed: Number(row.failed),
    nativeCalls: Number(row.native_calls),
    throttled: Number(row.throttled),
    waitMs: Number(row.wait_ms),
    waitMaxMs: Number(row.wait_max_ms),
    totalMs: Number(row.total_ms),
    usedMax: Number(row.used_max),
  }))
}

/** Whether there is any sum of a platform. Reads the sums by the hour, which are few. */
export async function wasCalled(db: Kysely<Database>, workspaceId: string, platform: string): Promise<boolean> {
  const hours = db
    .selectFrom('activity_sums')
    .select('at')
    .where('workspace_id', '=', workspaceId)
    .where('step', '=', 60)
  return (await hours.where('platform', '=', platform).limit(1).executeTakeFirst()) !== undefined
}
