// The way of one request, put together from what the engine tells about it while it runs.
import type { NativeCallEvent, StageEvent } from '../../engine/options.ts'
import type { RecordedActivity } from '../../store/store.ts'

/** Fields without a value vanish when it is written: nothing is spent on leaving them out before. */
interface Call extends Pick<NativeCallEvent, 'kind' | 'method' | 'path' | 'attempt' | 'waitedMs' | 'durationMs'> {
  status: number | undefined
  error: string | undefined
  used: number | undefined
  startMs: number // of the clock of performance.now() while it runs
  retry?: string
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
  const call: Call = {
    kind,
    method,
    path,
    status,
    error,
    attempt,
    startMs: performance.now() - durationMs,
    waitedMs: round(waitedMs),
    durationMs: round(durationMs),
    used: used === undefined ? undefined : Math.round(used * 1000) / 1000,
  }
  trail.calls.push(event.wire ? Object.assign(call, event.wire()) : call)
}

export function addStage(trail: Trail, { name, durationMs, note }: StageEvent): void {
  const last = trail.calls.at(-1)
  if (name === 'retry') {
    if (last && note !== undefined) last.retry = note
  } else if (trail.stages.length < callsKept)
    trail.stages.push({ name, startMs: performance.now() - durationMs, durationMs: round(durationMs), ...(note === undefined ? {} : { note: note.slice(0, 2000) }) })
}

const cut = (id: string) => (id.includes('\0') ? id.replaceAll('\0', '') : id).slice(0, idKept)

/** Field by field: taking objects apart and putting them together costs more than all the rest of this. */
export function toEntry(finished: Finished, { stages, calls }: Trail): RecordedActivity {
  const began = performance.now() - finished.totalMs
  let [waitMs, platformMs, throttled, used] = [0, 0, 0, 0]
  for (const stage of stages) stage.startMs = placed(stage, began)
  for (const call of calls) {
    call.startMs = placed(call, began)
    waitMs += call.waitedMs
    platformMs += call.durationMs
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
    totalMs: finished.totalMs,
    waitMs,
    platformMs,
    nativeCalls: calls.length,
    externalId: finished.externalId ? cut(finished.externalId) : undefined,
    nativeId: finished.nativeId ? cut(finished.nativeId) : undefined,
    throttled,
    used,
    way: JSON.stringify({ ...finished.about, stages, calls }),
  }
}
const placed = ({ startMs }: { startMs: number }, began: number) => Math.max(0, round(startMs - began))
