// The activity. Of a request about the person its figures stay: without ids, bodies, paths and texts of errors.
import { isoNow } from '../../table-types.ts'
import { openTraces, sealTraces, traceDataOf } from '../activity.ts'
import type { Person } from './person.ts'
import { type Blank, batchOf, type Search } from './search.ts'

/** Each has the traces of all requests of one flush. */
const rowsAtOnce = 20

interface Trace {
  erasedAt?: string
  form?: string
  callerLeft?: boolean
  replayed?: boolean
  problem?: { code: string; detail: string }
  stages?: { name: string; startMs: number; durationMs: number }[]
  calls?: Call[]
}
interface Call {
  kind: string
  method: string
  status?: number
  attempt: number
  readAhead?: boolean
  startMs: number
  waitedMs: number
  durationMs: number
  used?: number
  requestBody?: string
  responseBody?: string
}

const blanked = ({ form, callerLeft, replayed, problem, stages = [], calls = [] }: Trace): Trace => ({
  erasedAt: isoNow(),
  form,
  callerLeft,
  replayed,
  ...(problem ? { problem: { code: problem.code, detail: '' } } : {}),
  stages: stages.map(({ name, startMs, durationMs }) => ({ name, startMs, durationMs })),
  calls: calls.map(({ kind, method, status, attempt, readAhead, startMs, waitedMs, durationMs, used }) => ({
    ...{ kind, method, path: '', status, attempt, readAhead, startMs, waitedMs, durationMs, used },
  })),
})
/** The id may be in the missing part of a body that was cut. */
const isCut = ({ calls = [] }: Trace): boolean =>
  calls.some(({ requestBody, responseBody }) => requestBody?.endsWith('…') || responseBody?.endsWith('…'))

interface Request {
  account_id: string
  entity_type: string
  external_id: string | null
  native_id: string | null
}
function isFound(person: Person, request: Request | undefined, trace: Trace): boolean {
  // A row that was removed has left its trace for a moment.
  if (trace.erasedAt !== undefined || !request) return false
  if (request.account_id !== person.accountId && request.account_id !== '') return false
  const isRelated = (person.related as readonly string[]).includes(request.entity_type)
  const { external_id: externalId, native_id: nativeId } = request
  return (
    (request.entity_type === person.entityType &&
      (nativeId === person.nativeId || (externalId !== null && person.ids.has(externalId)))) ||
    (isRelated && isCut(trace)) ||
    person.mentionedIn(trace)
  )
}

export const searchActivity: Search = async ({ reads, vault }, person, after) => {
  const { workspaceId } = person
  const rows = await reads
    .selectFrom('activity_ways')
    .select(['id', 'ways'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '>', String(after?.[0] ?? ''))
    .orderBy('id')
    .limit(rowsAtOnce)
    .execute()
  const found: Blank[] = []
  for (const { id, ways } of rows) {
    const bound = traceDataOf(workspaceId, id)
    const traces = openTraces(vault, ways, bound) as Record<string, Trace>
    const requests = await reads
      .selectFrom('activity')
      .select(['request_id', 'account_id', 'entity_type', 'external_id', 'native_id'])
      .where('workspace_id', '=', workspaceId)
      .where('request_id', 'in', Object.keys(traces))
      .execute()
    const byId = new Map(requests.map((request) => [request.request_id, request]))
    const names = Object.keys(traces).filter((name) => isFound(person, byId.get(name), traces[name] as Trace))
    if (names.length === 0) continue
    for (const name of names) traces[name] = blanked(traces[name] as Trace)
    const entries = Object.entries(traces).map(([requestId, trace]) => ({ requestId, trace: JSON.stringify(trace) }))
    const sealed = sealTraces(vault, entries, bound)
    // One for each request, for the count.
    found.push(
      async (db) => {
        await db
          .updateTable('activity_ways')
          .set({ ways: sealed })
          .where('workspace_id', '=', workspaceId)
          .where('id', '=', id)
          .where('ways', '=', ways)
          .execute()
        await db
          .updateTable('activity')
          .set({ external_id: null, native_id: null })
          .where('workspace_id', '=', workspaceId)
          .where('request_id', 'in', names)
          .execute()
      },
      ...names.slice(1).map((): Blank => async () => undefined),
    )
  }
  return batchOf(rows, rowsAtOnce, ({ id }) => [id], found)
}
