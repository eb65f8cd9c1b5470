// Requests, newest first: small rows for lists and filters; their traces are sealed in a table of their own.
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { type ActivityRow, activity } from '../accounts-schema.ts'
import { insertRows } from '../insert-rows.ts'
import { toPage } from '../paging.ts'
import { createRequestId, requestIdAt } from '../request-id.ts'
import { associatedData } from '../sealed-json.ts'
import type { ActivityFilter, PackedActivity, PageQuery, Store, WorkspaceSettings } from '../store.ts'
import type { Database, StoreContext } from '../table-types.ts'
import type { Vault } from '../vault.ts'
import { pruneAccountDays, readAccountDays, readSums, recordSums, storedSteps, wasCalled } from './activity-sums.ts'

const pruneBatch = 500
const dayMs = 86_400_000
const outcomeOf = (status: number) => (status < 400 ? 'ok' : status < 500 ? '4xx' : '5xx')
export const traceDataOf = (workspaceId: string, id: string) =>
  associatedData('activity_ways', 'ways', [workspaceId, id])

const quick = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
/**
 * Compressed to a twentieth, because traces are much alike, and SQLite writes everything twice: to the log and to the
 * file.
 */
export function sealTraces(
  vault: Vault,
  entries: readonly Pick<PackedActivity, 'requestId' | 'trace'>[],
  bound: string,
): string {
  const ways = entries.flatMap(({ requestId, trace }, index) => [
    Buffer.from(`${index === 0 ? '{' : ','}${JSON.stringify(requestId)}:`),
    typeof trace === 'string' ? Buffer.from(trace) : trace,
  ])
  const json = Buffer.concat([...ways, Buffer.from('}')])
  return vault.seal(zstdCompressSync(json, quick).toString('base64'), bound)
}
export const openTraces = (vault: Vault, sealed: string, bound: string) =>
  JSON.parse(zstdDecompressSync(Buffer.from(vault.open(sealed, bound), 'base64')).toString('utf8')) as Record<
    string,
    unknown
  >

const columns = [
  'workspace_id',
  'request_id',
  'account_id',
  'platform',
  'credential_id',
  'method',
  'entity_type',
  'operation',
  'status',
  'outcome',
  'error_code',
  'total_ms',
  'wait_ms',
  'platform_ms',
  'native_calls',
  'external_id',
  'native_id',
  'way_id',
  'is_own',
] as const satisfies readonly (keyof ActivityRow)[]

const valuesOf = (entry: PackedActivity, wayId: string): unknown[] => [
  entry.workspaceId,
  entry.requestId,
  entry.accountId,
  entry.platform,
  entry.credentialId,
  entry.method,
  entry.entityType,
  entry.operation,
  entry.status,
  outcomeOf(entry.status),
  entry.errorCode ?? null,
  Math.round(entry.totalMs),
  Math.round(entry.waitMs),
  Math.round(entry.platformMs),
  entry.nativeCalls,
  entry.externalId ?? null,
  entry.nativeId ?? null,
  wayId,
  entry.isOwn ? 1 : 0,
]

const numbers = new Set<string>(['is_own', 'status', 'total_ms', 'wait_ms', 'platform_ms', 'native_calls'])
/** PostgreSQL takes a column as one value: a parameter for each field would cost more than the rest. */
const byColumns = `insert into activity (${columns.join(',')}) select * from unnest(${columns.map((name, index) => `$${index + 1}::${numbers.has(name) ? 'bigint' : 'text'}[]`).join(',')})`
const columnsOf = (rows: readonly unknown[][]) => columns.map((_, index) => rows.map((row) => row[index]))

export function createActivity(context: StoreContext, kind: Store['kind']): Store['activity'] {
  const { reads, writes, vault } = context
  const { toItem: toActivity } = activity.codec(vault)
  return {
    async record(entries) {
      if (entries.length === 0) return
      const groups = Map.groupBy(entries, ({ workspaceId }) => workspaceId)
      const ways: string[][] = []
      const rows: unknown[][] = []
      for (const [workspaceId, group] of groups) {
        const id = createRequestId()
        ways.push([workspaceId, id, sealTraces(vault, group, traceDataOf(workspaceId, id))])
        for (const entry of group) rows.push(valuesOf(entry, id))
      }
      await writes.transaction().execute(async (transaction) => {
        // No response depends on it, so the commit does not wait for the disk.
        if (kind === 'postgres') await sql`set local synchronous_commit = off`.execute(transaction)
        if (kind === 'postgres') await transaction.executeQuery(CompiledQuery.raw(byColumns, columnsOf(rows)))
        else await insertRows(transaction, { kind, table: 'activity', columns }, rows)
        await insertRows(transaction, { kind, table: 'activity_ways', columns: ['workspace_id', 'id', 'ways'] }, ways)
        await recordSums(transaction, kind, entries)
      })
    },
    async list(workspaceId, filter, query) {
      // If the platform was never called, the sums show it at once; the query would scan all rows.
      const nothing = filter.platform !== undefined && !(await wasCalled(reads, workspaceId, filter.platform))
      const branches = nothing ? [] : branchesOf(context, workspaceId, filter, query)
      const found = await Promise.all(branches.map((branch) => branch()))
      // Not every branch has looked at rows that are older than the end of a part.
      const end = found.reduce<string | undefined>(
        (latest, { end: branchEnd }) =>
          branchEnd !== undefined && (latest === undefined || branchEnd > latest) ? branchEnd : latest,
        undefined,
      )
      // Several branches may find the same row.
      const rows = [...new Map(found.flatMap((part) => part.rows).map((row) => [row.request_id, row])).values()]
        .filter((row) => end === undefined || row.request_id >= end)
        .sort((left, right) => (left.request_id < right.request_id ? 1 : -1))
      const page = toPage(rows, query.limit, toActivity, (row) => row.request_id)
      return page.next === undefined && end !== undefined ? { ...page, next: end } : page
    },
    async get(workspaceId, requestId) {
      const row = await reads
        .selectFrom('activity')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('request_id', '=', requestId)
        .executeTakeFirst()
      if (!row) return undefined
      const stored = await reads
        .selectFrom('activity_ways')
        .select('ways')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', row.way_id)
        .executeTakeFirst()
      const ways = stored ? openTraces(vault, stored.ways, traceDataOf(workspaceId, row.way_id)) : {}
      return { ...toActivity(row), trace: ways[requestId] ?? {} }
    },
    accountDays: (workspaceId, accountId) => readAccountDays(reads, workspaceId, accountId),
    sums: (workspaceId, span) => readSums(reads, workspaceId, span),
    async prune(before) {
      let removed = 0
      const workspaces = await reads
        .selectFrom('workspaces')
        .leftJoin('workspace_settings', 'workspace_settings.workspace_id', 'workspaces.id')
        .select(['workspaces.id', 'workspace_settings.settings'])
        .execute()
      for (const { id, settings } of workspaces) {
        const { activityDays } = JSON.parse(settings ?? '{}') as Partial<WorkspaceSettings>
        const keptSince = activityDays === undefined ? before : Date.now() - activityDays * dayMs
        removed += await pruneWorkspace(writes, id, Math.max(before, keptSince))
      }
      return removed
    },
  }
}

/** `end`: rows older than this one were not looked at. */
interface Part {
  rows: ActivityRow[]
  end?: string | undefined
}
type Branch = () => Promise<Part>
/** Rows that are looked at for one page: by a column without an index, and by the text of errors, which is sealed. */
const mostRows = 20_000
const mostErrors = 400

/** One query per index that helps: an OR over columns would scan all rows. */
function branchesOf(
  { reads: db, vault }: StoreContext,
  workspaceId: string,
  filter: ActivityFilter,
  { after, limit }: PageQuery,
): Branch[] {
  const until = filter.until === undefined ? undefined : requestIdAt(filter.until)
  const end = after !== undefined && (until === undefined || after < until) ? after : until
  let all = db.selectFrom('activity').selectAll().where('workspace_id', '=', workspaceId)
  if (end !== undefined) all = all.where('request_id', '<', end)
  if (filter.since !== undefined) all = all.where('request_id', '>=', requestIdAt(filter.since))
  if (filter.accountId !== undefined) all = all.where('account_id', '=', filter.accountId)
  if (filter.own === false) all = all.where('is_own', '=', 0)
  if (filter.platform !== undefined) all = all.where('platform', '=', filter.platform)
  if (filter.entityType !== undefined) all = all.where('entity_type', '=', filter.entityType)
  // The same condition as in the partial index, so that the index is used.
  if (filter.outcome !== undefined && filter.outcome !== 'ok') all = all.where('outcome', '<>', sql.lit('ok' as const))
  if (filter.outcome !== undefined && filter.outcome !== 'error') all = all.where('outcome', '=', filter.outcome)
  if (filter.errorCode !== undefined)
    all = all.where('outcome', '<>', sql.lit('ok' as const)).where('error_code', '=', filter.errorCode)
  const { record, search, credentialId } = filter
  const ordered = all.orderBy('request_id', 'desc')
  type Rows = typeof ordered
  const isOf = (row: ActivityRow) => credentialId === undefined || row.credential_id === credentialId
  const byIndex = (query: Rows): Branch => {
    const ofCredential = credentialId === undefined ? query : query.where('credential_id', '=', credentialId)
    return async () => ({ rows: await ofCredential.limit(limit + 1).execute() })
  }
  const byRecord = (id: string) => [
    byIndex(ordered.where('external_id', '=', id)),
    byIndex(ordered.where('native_id', '=', id)),
  ]
  if (record !== undefined) {
    const ofRequest = (query: Rows) => byIndex(search === undefined ? query : query.where('request_id', '=', search))
    return [ofRequest(ordered.where('external_id', '=', record)), ofRequest(ordered.where('native_id', '=', record))]
  }
  if (search === undefined) return [credentialId === undefined ? byIndex(ordered) : byCredential]
  if (search.startsWith('req_'))
    return [byIndex(ordered.where('request_id', '>=', search).where('request_id', '<', `${search}~`))]
  return [...byRecord(search), byIndex(ordered.where('account_id', '=', search)), byErrorText]

  async function byCredential(): Promise<Part> {
    const part = ordered.limit(mostRows)
    const [rows, last] = await Promise.all([
      db
        .selectFrom(part.as('activity'))
        .selectAll()
        .where('credential_id', '=', credentialId as string)
        .orderBy('request_id', 'desc')
        .limit(limit + 1)
        .execute(),
      ordered
        .clearSelect()
        .select('request_id')
        .offset(mostRows - 1)
        .limit(1)
        .executeTakeFirst(),
    ])
    return { rows, end: rows.length > limit ? undefined : last?.request_id }
  }
  async function byErrorText(): Promise<Part> {
    const failed = await ordered
      .where('outcome', '<>', sql.lit('ok' as const))
      .limit(mostErrors)
      .execute()
    const candidates = failed.filter(isOf)
    const wanted = (search as string).toLowerCase()
    const traces = await tracesOf(db, vault, workspaceId, candidates)
    const rows = candidates.filter((row) => errorText(row, traces.get(row.request_id)).includes(wanted))
    return { rows, end: failed.length < mostErrors ? undefined : failed.at(-1)?.request_id }
  }
}

async function tracesOf(
  db: Kysely<Database>,
  vault: Vault,
  workspaceId: string,
  rows: readonly ActivityRow[],
): Promise<Map<string, unknown>> {
  const wayIds = [...new Set(rows.map((row) => row.way_id))]
  if (wayIds.length === 0) return new Map()
  const stored = await db
    .selectFrom('activity_ways')
    .select(['id', 'ways'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', wayIds)
    .execute()
  return new Map(
    stored.flatMap(({ id, ways }) => Object.entries(openTraces(vault, ways, traceDataOf(workspaceId, id)))),
  )
}
/** The code, what the caller was told, and what the platform said. */
function errorText({ error_code: code }: ActivityRow, trace: unknown): string {
  const { problem, calls = [] } = (trace ?? {}) as {
    problem?: { detail?: string; errors?: { pointer: string; message: string }[] }
    calls?: { error?: string; status?: number; responseBody?: string }[]
  }
  return [
    code,
    problem?.detail,
    ...(problem?.errors ?? []).flatMap(({ pointer, message }) => [pointer, message]),
    ...calls.flatMap(({ error, status = 0, responseBody }) => [error, status >= 400 ? responseBody : undefined]),
  ]
    .join('\n')
    .toLowerCase()
}

/** A batch at a time, so that other writes wait only for a moment. */
async function pruneWorkspace(db: Kysely<Database>, workspaceId: string, before: number): Promise<number> {
  const bound = requestIdAt(before)
  const batchOf = (table: 'activity' | 'activity_ways', key: 'request_id' | 'id') =>
    sql`delete from ${sql.table(table)} where workspace_id = ${workspaceId} and ${sql.ref(key)} in (
      select ${sql.ref(key)} from ${sql.table(table)} where workspace_id = ${workspaceId} and ${sql.ref(key)} < ${bound} order by ${sql.ref(key)} limit ${sql.lit(pruneBatch)})`
  const results = [
    await batchOf('activity', 'request_id').execute(db),
    await batchOf('activity_ways', 'id').execute(db),
  ]
  await db
    .deleteFrom('activity_sums')
    .where('workspace_id', '=', workspaceId)
    .where('step', 'in', storedSteps)
    .where('at', '<', before)
    .execute()
  await pruneAccountDays(db, workspaceId)
  return results.reduce((sum, { numAffectedRows }) => sum + Number(numAffectedRows ?? 0), 0)
}
