// The trace of one request, built from the events that the engine emits while it runs.
import type { ErrorCode, Problem } from '../../contract/errors.ts'
import type { NativeCallEvent, StageEvent, WireView } from '../../engine/options.ts'
import type { RecordedActivity } from '../../store/store.ts'
import { withoutCredentials } from '../request-path.ts'

/** JSON drops fields without a value, so they are not removed before. */
type Whole<T> = { [Name in keyof Required<T>]: T[Name] | undefined }

interface Call
  extends Pick<NativeCallEvent, 'kind' | 'method' | 'attempt' | 'waitedMs' | 'durationMs'>,
    Omit<Whole<WireView>, 'path'> {
  path: string
  status: number | undefined
  error: string | undefined
  used: number | undefined
  startMs: number
  retry: string | undefined
  readAhead: true | undefined
}
interface Stage {
  name: string
  startMs: number // of the clock of performance.now() while it runs
  durationMs: number
  note?: string
}
/** What is known while the request runs, unprocessed; it is serialized later. */
export interface Trail {
  stages: Stage[]
  calls: { event: NativeCallEvent; endedAt: number; retry: string | undefined }[]
}
/** What is known at the end of a request. */
export interface Finished
  extends Pick<
    RecordedActivity,
    | 'requestId'
    | 'workspaceId'
    | 'accountId'
    | 'platform'
    | 'credentialId'
    | 'method'
    | 'entityType'
    | 'operation'
    | 'status'
    | 'totalMs'
    | 'isOwn'
  > {
  errorCode: string | undefined
  externalId: string | undefined
  nativeId: string | undefined
  about: About
}
/** Labels of stages and calls. */
export interface About {
  path?: string | undefined
  form?: 'A' | 'B' | undefined
  client?: string | undefined // of MCP: its name and version
  callerLeft?: true | undefined
  replayed?: true | undefined
  body?: string | undefined
  response?: string | undefined
  problem?: { code: ErrorCode; detail: string; errors?: Problem['errors'] } | undefined
}

const callsKept = 200
const idKept = 512
const round = (milliseconds: number) => Math.round(milliseconds * 10) / 10

export function addCall({ calls }: Trail, event: NativeCallEvent): void {
  if (calls.length < callsKept) calls.push({ event, endedAt: event.endedAt ?? performance.now(), retry: undefined })
}
/** A call that cannot be shown is recorded without its details. */
function viewOf(event: NativeCallEvent, onError: (error: unknown) => void): WireView | undefined {
  try {
    return event.wire?.()
  } catch (error) {
    onError(error)
    return { path: '' }
  }
}
function toCall(
  { event, endedAt, retry }: Trail['calls'][number],
  began: number,
  onError: (error: unknown) => void,
): Call {
  const view = viewOf(event, onError)
  const { kind, method, status, error, attempt, waitedMs, durationMs, used, readAhead } = event
  return {
    kind,
    method,
    path: view?.path ?? event.path,
    status,
    error,
    attempt,
    startMs: readAhead ? round(endedAt - durationMs - began) : placed(endedAt - durationMs, began),
    waitedMs: round(waitedMs),
    durationMs: round(durationMs),
    used: used === undefined ? undefined : Math.round(used * 1000) / 1000,
    retry,
    readAhead,
    requestHeaders: view?.requestHeaders,
    responseHeaders: view?.responseHeaders,
    requestBody: view?.requestBody,
    responseBody: view?.responseBody,
  }
}

export function addStage(trail: Trail, { name, durationMs, note }: StageEvent): void {
  const last = trail.calls.at(-1)
  if (name === 'retry') {
    if (last && note !== undefined) last.retry = note
  } else if (trail.stages.length < callsKept)
    trail.stages.push({
      name,
      startMs: performance.now() - durationMs,
      durationMs: round(durationMs),
      note: note?.slice(0, 2000),
    })
}

const cut = (id: string) => withoutCredentials(id.includes('\0') ? id.replaceAll('\0', '') : id).slice(0, idKept)

/** Field by field: destructuring and spreading cost more than everything else here. */
export function toEntry(
  finished: Finished,
  trail: Trail,
  endedAt: number,
  onError: (error: unknown) => void,
): RecordedActivity {
  const began = endedAt - finished.totalMs
  let [throttled, used] = [0, 0]
  const { stages } = trail
  for (const stage of stages) stage.startMs = placed(stage.startMs, began)
  const calls = trail.calls.map((call) => toCall(call, began, onError))
  const { waitMs, platformMs } = splitOf(calls.map(sinceBegin))
  for (const call of calls) {
    if (call.status === 429) throttled++
    if (call.used !== undefined && call.used > used) used = call.used
  }
  return {
    workspaceId: finished.workspaceId,
    requestId: finished.requestId,
    accountId: finished.accountId,
    platform: finished.platform,
    credentialId: finished.credentialId,
    method: finished.method,
    entityType: finished.entityType,
    operation: finished.operation,
    status: finished.status,
    errorCode: finished.errorCode || undefined,
    totalMs: Math.round(finished.totalMs),
    waitMs: Math.round(waitMs),
    platformMs: Math.round(platformMs),
    nativeCalls: calls.length,
    externalId: finished.externalId ? cut(finished.externalId) : undefined,
    nativeId: finished.nativeId ? cut(finished.nativeId) : undefined,
    isOwn: finished.isOwn,
    throttled,
    used,
    trace: traceOf(finished.about, stages, calls),
  }
}
/** Of a call that began before its request, the time that the request waited for it. */
function sinceBegin(call: Call): Call {
  if (!call.readAhead) return call
  const startMs = Math.max(0, call.startMs)
  return { ...call, waitedMs: 0, startMs, durationMs: Math.max(0, call.startMs + call.durationMs - startMs) }
}
/**
 * How long a request waited, and how long the platform worked for it. Calls at the same time count once, and so do their
 * waits; while one waits and another is under way, it is the platform's time. The pause before a retry is a wait.
 */
function splitOf(calls: readonly Call[]): { waitMs: number; platformMs: number } {
  const [first] = calls
  if (!first || calls.length === 1) return { waitMs: first?.waitedMs ?? 0, platformMs: first?.durationMs ?? 0 }
  const endOf = (call: Call) => call.startMs + call.durationMs
  const sent = calls.map((call): Span => [call.startMs, endOf(call)])
  const waits = calls.map((call): Span => [Math.max(0, call.startMs - call.waitedMs), call.startMs])
  const pauses = calls.flatMap((call, index): Span[] => {
    const next =
      call.retry === undefined
        ? undefined
        : calls.find(
            ({ attempt, method, path }, at) =>
              at > index && attempt > call.attempt && method === call.method && path === call.path,
          )
    return next ? [[endOf(call), next.startMs]] : []
  })
  const platformMs = covered(sent)
  return { waitMs: covered([...sent, ...waits, ...pauses]) - platformMs, platformMs }
}
type Span = [from: number, to: number]
/** The length of what the spans cover together. */
function covered(spans: readonly Span[]): number {
  let [length, until] = [0, Number.NEGATIVE_INFINITY]
  for (const [from, to] of [...spans].sort(([left], [right]) => left - right)) {
    length += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return length
}

/**
 * A caller can send a credential of the service anywhere, and platforms repeat what they were sent: all of the text is
 * searched.
 */
const traceOf = (about: About, stages: Stage[], calls: Call[]) => {
  const { path, form, client, callerLeft, replayed, body, response, problem } = about
  return withoutCredentials(
    JSON.stringify({ path, form, client, callerLeft, replayed, body, response, problem, stages, calls }),
  )
}
const placed = (startMs: number, began: number) => Math.max(0, round(startMs - began))
