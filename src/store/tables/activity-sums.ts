// Sums per platform over one minute, five minutes and one hour, updated with each batch of requests: an overview of two
// weeks reads thousands of rows instead of millions.
import { type Kysely, sql } from 'kysely'
import { insertRows } from '../insert-rows.ts'
import { timeOfRequestId } from '../request-id.ts'
import type { AccountDay, ActivitySum, PackedActivity, Store, Summed } from '../store.ts'
import type { AccountDayRow, ActivitySumRow, Database, SummedActivity } from '../table-types.ts'
import { waitColumnOf, waitColumns } from '../wait-buckets.ts'

const minuteMs = 60_000
const dayMs = 1440 * minuteMs
const shownDays = 30
/** In minutes. A query uses the largest one that divides its own step. */
export const storedSteps = [1, 5, 60]

type Sums = Map<string, ActivitySumRow>
const nothing: SummedActivity = {
  requests: 0,
  refused: 0,
  failed: 0,
  native_calls: 0,
  throttled: 0,
  wait_ms: 0,
  wait_max_ms: 0,
  total_ms: 0,
  used_max: 0,
  ...(Object.fromEntries(waitColumns.map((name) => [name, 0])) as Record<(typeof waitColumns)[number], number>),
}

function sumAt(sums: Sums, workspaceId: string, step: number, time: number, platform: string): ActivitySumRow {
  const at = time - (time % (step * minuteMs))
  const name = `${workspaceId} ${step} ${at} ${platform}`
  let sum = sums.get(name)
  if (!sum) {
    sum = { workspace_id: workspaceId, step, at, platform, ...nothing }
    sums.set(name, sum)
  }
  return sum
}

function addTo(sum: SummedActivity, entry: PackedActivity): void {
  sum.native_calls += entry.nativeCalls
  sum.throttled += entry.throttled
  sum.used_max = Math.max(sum.used_max, entry.used)
  if (entry.isOwn) return
  sum.requests++
  if (entry.status >= 500) sum.failed++
  else if (entry.status >= 400) sum.refused++
  const waited = Math.round(entry.waitMs)
  sum.wait_ms += waited
  sum.wait_max_ms = Math.max(sum.wait_max_ms, waited)
  sum[waitColumnOf(waited)]++
  sum.total_ms += Math.round(entry.totalMs)
}

/** By account and day. Requests without an account belong to none. */
function daysOf(entries: readonly PackedActivity[]): AccountDayRow[] {
  const days = new Map<string, AccountDayRow>()
  for (const entry of entries) {
    if (entry.accountId === '') continue
    const time = timeOfRequestId(entry.requestId)
    const at = time - (time % dayMs)
    const name = `${entry.workspaceId} ${entry.accountId} ${at}`
    const day = days.get(name) ?? { workspace_id: entry.workspaceId, account_id: entry.accountId, at, ...nothing }
    days.set(name, day)
    addTo(day, entry)
  }
  return [...days].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, day]) => day)
}

/** By the minute first; the larger steps are sums of the minutes. */
function sumUp(entries: readonly PackedActivity[]): ActivitySumRow[] {
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
    addTo(sum, entry)
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

const added = [
  'requests',
  'refused',
  'failed',
  'native_calls',
  'throttled',
  'wait_ms',
  'total_ms',
  ...waitColumns,
] as const
const largest = ['wait_max_ms', 'used_max'] as const

/** How rows of a table are added to those that are there. */
function adding(table: 'activity_sums' | 'account_days', key: readonly string[]) {
  const grown = added.map((name) => `${name} = ${table}.${name} + excluded.${name}`)
  const raised = largest.map(
    (name) => `${name} = case when excluded.${name} > ${table}.${name} then excluded.${name} else ${table}.${name} end`,
  )
  return {
    table,
    columns: [...key, ...added, ...largest],
    conflict: `on conflict (${key.join(',')}) do update set ${[...grown, ...raised].join(',')}`,
  }
}
const sumsTable = adding('activity_sums', ['workspace_id', 'step', 'at', 'platform'])
const daysTable = adding('account_days', ['workspace_id', 'account_id', 'at'])

export async function recordSums(
  db: Kysely<Database>,
  kind: Store['kind'],
  entries: readonly PackedActivity[],
): Promise<void> {
  const valuesOf = (rows: readonly object[], { columns }: { columns: readonly string[] }) =>
    rows.map((row) => columns.map((name) => (row as Record<string, unknown>)[name]))
  await insertRows(db, { kind, ...sumsTable }, valuesOf(sumUp(entries), sumsTable))
  await insertRows(db, { kind, ...daysTable }, valuesOf(daysOf(entries), daysTable))
}

const toSummed = (row: Record<keyof SummedActivity, unknown>): Summed => ({
  requests: Number(row.requests),
  refused: Number(row.refused),
  failed: Number(row.failed),
  nativeCalls: Number(row.native_calls),
  throttled: Number(row.throttled),
  waitMs: Number(row.wait_ms),
  waitMaxMs: Number(row.wait_max_ms),
  totalMs: Number(row.total_ms),
  usedMax: Number(row.used_max),
  waits: waitColumns.map((name) => Number(row[name])),
})

export async function readAccountDays(
  db: Kysely<Database>,
  workspaceId: string,
  accountId: string,
): Promise<AccountDay[]> {
  const rows = await db
    .selectFrom('account_days')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('account_id', '=', accountId)
    .where('at', '>', Date.now() - shownDays * dayMs)
    .orderBy('at')
    .execute()
  return rows.map((row) => ({ at: Number(row.at), ...toSummed(row) }))
}

/** Days that are no longer shown. */
export async function pruneAccountDays(db: Kysely<Database>, workspaceId: string): Promise<void> {
  await db
    .deleteFrom('account_days')
    .where('workspace_id', '=', workspaceId)
    .where('at', '<', Date.now() - (shownDays + 1) * dayMs)
    .execute()
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
  return rows.map((row) => ({ at: row.slot, platform: row.platform, ...toSummed(row) }))
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
