// The way of one request, put together from what the engine tells about it while it runs.
import type { NativeCallEvent, StageEvent } from '../../engine/options.ts'
import type { RecordedActivity } from '../../store/store.ts'

interface Call extends Pick<NativeCallEvent, 'kind' | 'method' | 'path' | 'status' | 'error' | 'attempt' | 'waitedMs' | 'durationMs' | 'used'> {
  startMs: number // of the clock of performance.now() while it runs
  retry?: string
  requestHeaders?: Record<string, string>
  responseHeaders?: Record<string, string>
  requestBody?: string
  responseBody?: string
}
interface Stage {
  name: string
  startMs: number
  durationMs: number
  note?: string
}
/** What is known while it runs. */
export interface Trail {
  workspaceId?: string
  accountId?: string
  platform?: string
  stages: Stage[]
  calls: Call[]
}
/** What the one who finishes a request says of it. */
export interface Finished
  extends Pick<RecordedActivity, 'requestId' | 'workspaceId' | 'accountId' | 'platform' | 'credentialId' | 'method' | 'entityType' | 'operation' | 'status' | 'totalMs'> {
  errorCode?: string | undefined
  externalId?: string | undefined
  nativeId?: string | undefined
  about: Readonly<Record<string, unknown>>
}

const callsKept = 200
const idKept = 512
const round = (milliseconds: number) => Math.round(milliseconds * 10) / 10

export function addCall(trail: Trail, event: NativeCallEvent): void {
  trail.workspaceId ??= event.workspaceId
  trail.accountId ??= event.accountId
  trail.platform ??= event.platform
  if (trail.calls.length >= callsKept) return
  const { kind, method, path, status, error, attempt, waitedMs, durationMs, used } = event
  trail.calls.push({
    kind,
    method,
    path,
    ...(status === undefined ? {} : { status }),
    ...(error === undefined ? {} : { error }),
    attempt,
    startMs: performance.now() - durationMs,
    waitedMs: round(waitedMs),
    durationMs: round(durationMs),
    ...(used === undefined ? {} : { used: Math.round(used * 1000) / 1000 }),
    ...event.wire?.(),
  })
}

export function addStage(trail: Trail, { name, durationMs, note }: StageEvent): void {
  const last = trail.calls.at(-1)
  if (name === 'retry') {
    if (last && note !== undefined) last.retry = note
  } else if (trail.stages.length < callsKept)
    trail.stages.push({ name, startMs: performance.now() - durationMs, durationMs: round(durationMs), ...(note === undefined ? {} : { note: note.slice(0, 2000) }) })
}

const cut = (id: string | undefined) => (id === undefined || id === '' ? undefined : id.slice(0, idKept).replaceAll('\0', ''))

export function toEntry({ about, errorCode, externalId, nativeId, ...finished }: Finished, { stages, calls }: Trail): RecordedActivity {
  let [waitMs, platformMs, throttled, used] = [0, 0, 0, 0]
  for (const call of calls) {
    waitMs += call.waitedMs
    platformMs += call.durationMs
    if (call.status === 429) throttled++
    if (call.used !== undefined && call.used > used) used = call.used
  }
  const began = performance.now() - finished.totalMs
  for (const part of [...stages, ...calls]) part.startMs = Math.max(0, round(part.startMs - began))
  const [external, native] = [cut(externalId), cut(nativeId)]
  return {
    ...finished,
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(external === undefined ? {} : { externalId: external }),
    ...(native === undefined ? {} : { nativeId: native }),
    waitMs,
    platformMs,
    nativeCalls: calls.length,
    throttled,
    used,
    way: { ...about, stages, calls },
  }
}
