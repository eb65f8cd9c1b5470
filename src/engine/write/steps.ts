// The steps of a write. Each is journaled before it is sent and again when it is done, so a write resumes after a crash
// and never repeats a step.
import { hash } from 'node:crypto'
import type { NativeRequest, NativeResponse, ReadCall, Step, WriteCall } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { referencePrefix } from '../../contract/reference.ts'
import { LostEntry } from '../../store/lost-entry.ts'
import type { Ending } from '../call.ts'
import { LostAnswer } from '../outbound/retry.ts'
import { type Lease, leaseMs } from './lease.ts'

/** Where the steps of one write are recorded. */
export interface StepLog {
  load(): Promise<{ name: string; request: string; ageMs: number; done: boolean; value?: unknown }[]>
  sent(name: string, request: string): Promise<void>
  done(name: string, value: unknown): Promise<void>
  forgotten(name: string): Promise<void>
}
/** A step was sent, and the platform cannot tell (now) whether it happened. */
export class OutcomeUnknown extends Error {
  readonly step: string
  /** True when asking again later can settle it; false where the platform offers no way. */
  readonly recoverable: boolean
  readonly lost: LostAnswer | undefined
  /** When the question can be settled: until then the call may still take effect. */
  readonly retryInMs: number | undefined
  constructor(
    step: string,
    recoverable: boolean,
    message: string,
    { lost, retryInMs }: { lost?: LostAnswer | undefined; retryInMs?: number } = {},
  ) {
    super(message)
    this.name = 'OutcomeUnknown'
    this.step = step
    this.recoverable = recoverable
    this.lost = lost
    this.retryInMs = retryInMs
  }
}
export interface StepsOptions {
  log: StepLog
  send(request: NativeRequest): Promise<NativeResponse>
  readCall: ReadCall
  /**
   * What the platform's keys and the stored reference are derived from: never random, so they are the same on a resume.
   */
  identity: string
  content: string
  ending: Ending
  resendUnknown: boolean
  lease?: Lease
  /** The longest that a call can be under way. */
  callTimeoutMs: number
  /** Monotonic milliseconds. */
  now(): number
  pause(milliseconds: number): Promise<unknown>
  scale: number
  /** True when no other key of the account has the record with this platform id. */
  unclaimed?(id: string): Promise<boolean>
  /** A step is in doubt, and this is how it will be settled. */
  onRecovery?(name: string, how: string): void
}
interface Finished {
  name: string
  value: unknown
  undo?: (() => NativeRequest) | 'nothing'
  /** Whether the platform still has what the step made, where it can be looked up. */
  isThere?: () => Promise<boolean>
}
export interface Steps {
  call: WriteCall
  /** Undoes the finished steps, newest first; returns the platform id of what could not be undone, if anything. */
  undo(): Promise<{ undone: true } | { undone: false; nativeId: string | undefined }>
  /** True when anything was sent and not taken back. */
  begun(): boolean
  /** True when a step was sent and its outcome is unknown. */
  inDoubt(): boolean
}
const recoveries = 3
/** How long a request waits until an absence counts. */
export const patienceMs = 20_000
/** How long a platform may take to show what it has done, where the step does not say. */
const defaultLagSeconds = 2
/**
 * A call that was journaled so long ago can no longer take effect: it left while the lease ran, was under way for no
 * longer than the timeout, and the platform shows what it did after the lag.
 */
export const quietMs = (
  { callTimeoutMs, scale }: Pick<StepsOptions, 'callTimeoutMs' | 'scale'>,
  lagSeconds = defaultLagSeconds,
) => (leaseMs + callTimeoutMs + lagSeconds * 1000) * scale

/**
 * Answers that settle the question: had it happened before, the platform would have said so. A refused token says
 * nothing about it.
 */
const refusals = new Set(['invalid', 'not_found', 'stale', 'duplicate'])

const digest = (...parts: string[]) => hash('sha256', JSON.stringify(parts), 'base64url').replaceAll(/[-_]/g, 'x')
/** Stable for a record: what the platform stores, and what its own keys are made of. */
export const referenceOf = (identity: string) => `${referencePrefix}${digest(identity).slice(0, 14)}`
export const keyOf = (identity: string, content: string, step: string) => digest(identity, content, step).slice(0, 32)

export async function createSteps(options: StepsOptions): Promise<Steps> {
  const { log, send, ending, readCall, pause, unclaimed = async () => true } = options
  const memory = new Map((await log.load()).map((step) => [step.name, step]))
  const began = options.now()
  const finished: Finished[] = []
  const used = new Set<string>()
  let running = 0
  /** Sent, with an unknown outcome. After a crash this includes steps that this attempt has not reached yet. */
  const inDoubt = new Set([...memory.values()].filter(({ done }) => !done).map(({ name }) => name))
  /** Done before a crash, and not come to yet: an attempt that fails on the way to them has written all the same. */
  const ahead = () => [...memory.values()].filter(({ name, done }) => done && !used.has(name))

  const settled = new WeakSet<object>() // errors after which a step provably has not happened
  async function forget(name: string, error: Error): Promise<void> {
    await log.forgotten(name)
    settled.add(error)
  }

  async function attempt<T>(name: string, step: Step<T>, request: NativeRequest): Promise<T> {
    try {
      return await settle(name, step, await send(request))
    } catch (error) {
      if (error instanceof LostAnswer && error.sent)
        return recover(name, step, request, options.lease?.sinceSent() ?? 0, error)
      if (error instanceof NativeFailure || error instanceof Problem || error instanceof LostAnswer)
        await forget(name, error) // refused, or never sent
      throw error
    }
  }
  async function settle<T>(name: string, step: Step<T>, response: NativeResponse): Promise<T> {
    let value: T
    try {
      value = step.read(response)
    } catch (error) {
      throw unreadable(response, (error as Error).message)
    }
    if (!isBelievable(value)) throw unreadable(response, 'it names no id')
    await log.done(name, value)
    return value
  }

  async function recover<T>(
    name: string,
    step: Step<T>,
    request: NativeRequest,
    ageMs: number,
    lost?: LostAnswer,
  ): Promise<T> {
    const how =
      step.recovery === 'none'
        ? 'the platform cannot tell'
        : typeof step.recovery === 'object'
          ? 'looked for at the platform'
          : 'sent again under the same key'
    options.onRecovery?.(name, `${lost ? lost.message : 'it was under way in an earlier attempt'}; ${how}`)
    if (step.recovery === 'none') {
      if (options.resendUnknown && !lost) {
        await log.sent(name, JSON.stringify(request))
        return attempt(name, step, request)
      }
      throw new OutcomeUnknown(name, false, `The platform offers no way to find out whether "${name}" happened.`, {
        lost,
      })
    }
    return step.recovery === 'key' || step.recovery === 'repeat'
      ? repeat(name, step, request, lost)
      : find(name, step, step.recovery, request, ageMs, lost)
  }
  /** The same bytes under the same key, or an absolute value again: what happened once does not happen twice. */
  async function repeat<T>(
    name: string,
    step: Step<T>,
    request: NativeRequest,
    lost: LostAnswer | undefined,
  ): Promise<T> {
    let last = lost
    for (let round = lost ? 1 : 0; round <= recoveries; round++) {
      if (round > 0) await pause(200 * 2 ** round * Math.max(options.scale, 0.05))
      try {
        return await settle(name, step, await send(request))
      } catch (error) {
        if (error instanceof LostAnswer) last = error
        else {
          if (error instanceof NativeFailure && refusals.has(error.error.kind)) await forget(name, error)
          throw error
        }
      }
    }
    throw new OutcomeUnknown(name, true, `"${name}" was sent and the platform does not respond.`, { lost: last })
  }
  const resent = new Map<string, number>()
  async function find<T>(
    name: string,
    step: Step<T>,
    recovery: Extract<Step<T>['recovery'], object>,
    request: NativeRequest,
    ageMs: number,
    lost: LostAnswer | undefined,
  ): Promise<T> {
    // In this attempt it is known when the call left. Of one before, only that the lease ran then.
    const known = quietMs(options, recovery.lagSeconds) - (lost ? leaseMs * options.scale : 0)
    const due = options.now() + known - ageMs
    for (;;) {
      const counts = options.now() >= due
      const value = await foundOr(name, recovery)
      if (value !== undefined) {
        await log.done(name, value)
        return value
      }
      if (counts) break
      const left = due - options.now()
      if (left > patienceMs)
        throw new OutcomeUnknown(name, true, `"${name}" was sent, and it may still take effect at the platform.`, {
          retryInMs: left,
        })
      await pause(Math.max(left, 10))
    }
    // Without a bound, a platform that never sends a readable response and never shows the record would be sent it
    // forever.
    const rounds = (resent.get(name) ?? 0) + 1
    resent.set(name, rounds)
    if (rounds > recoveries)
      throw new OutcomeUnknown(name, true, `"${name}" was sent several times and the platform does not respond.`)
    await log.sent(name, JSON.stringify(request))
    return attempt(name, step, request)
  }
  async function foundOr<T>(name: string, recovery: Extract<Step<T>['recovery'], object>): Promise<T | undefined> {
    try {
      const value = await recovery.find(unclaimed)
      if (value !== undefined && !isBelievable(value)) throw new TypeError('what was found names no id')
      return value
    } catch (error) {
      if (error instanceof LostAnswer)
        throw new OutcomeUnknown(name, true, `"${name}" was sent and the platform does not respond.`, { lost: error })
      // The lookup was refused, not the record: whether it was written is still unknown.
      if (error instanceof NativeFailure && error.error.kind !== 'reconnect')
        throw new OutcomeUnknown(
          name,
          true,
          `"${name}" was sent, and the platform refused to look for it: ${error.message}`,
        )
      throw error
    }
  }

  return {
    call: {
      ...readCall,
      get reference() {
        return referenceOf(options.identity)
      },
      key: (step) => keyOf(options.identity, options.content, step),
      async write<T>(name: string, step: Step<T>): Promise<T> {
        if (ending.ended) throw new Error(`step "${name}" after its operation ended`)
        if (used.has(name)) throw new Error(`step "${name}" was used twice`)
        if (running > 0) throw new Error(`step "${name}" while another one is running`)
        used.add(name)
        running++
        options.lease?.step(name)
        const known = memory.get(name)
        if (!known?.done) inDoubt.add(name)
        try {
          let value: T
          if (known?.done) value = known.value as T
          else if (known)
            value = await recover(
              name,
              step,
              JSON.parse(known.request) as NativeRequest,
              known.ageMs + options.now() - began,
            )
          else {
            await log.sent(name, JSON.stringify(step.request))
            value = await attempt(name, step, step.request)
          }
          inDoubt.delete(name)
          const { undo, recovery } = step
          finished.push({
            name,
            value,
            ...(undo ? { undo: undo === 'nothing' ? undo : () => undo(value) } : {}),
            ...(typeof recovery === 'object'
              ? { isThere: async () => (await recovery.find(unclaimed)) !== undefined }
              : {}),
          })
          return value
        } catch (error) {
          if (settled.has(error as object)) inDoubt.delete(name)
          throw error
        } finally {
          running--
        }
      },
    },
    async undo() {
      if (ahead().length > 0)
        return {
          undone: false,
          nativeId: ahead()
            .map(({ value }) => idIn(value))
            .find((id) => id !== undefined),
        }
      for (const { name, value, undo, isThere } of finished.toReversed()) {
        if (!undo || (undo !== 'nothing' && !(await taken(undo(), isThere))))
          return { undone: false, nativeId: idIn(value) }
        await log.forgotten(name)
        finished.pop()
      }
      return { undone: true }
    },
    begun: () => finished.length > 0 || inDoubt.size > 0 || ahead().length > 0,
    inDoubt: () => inDoubt.size > 0,
  }

  /**
   * A confirmation alone is not believed: a deletion often has a response that anything could send. What is still there
   * is deleted again, until the platform does not know it.
   */
  async function taken(request: NativeRequest, isThere?: () => Promise<boolean>): Promise<boolean> {
    for (let round = 0; round <= recoveries; round++) {
      try {
        await send(request)
        if (!isThere || !(await isThere())) return true
      } catch (error) {
        if (error instanceof NativeFailure) return error.error.kind === 'not_found'
        if (error instanceof LostEntry || error instanceof OutcomeUnknown) throw error
        if (!(error instanceof LostAnswer)) return false
        await pause(200 * 2 ** round * Math.max(options.scale, 0.05))
      }
    }
    return false
  }
}

const unreadable = ({ status }: NativeResponse, reason: string) =>
  new LostAnswer(`responded in a shape that cannot be read (${reason})`, false, { status })

/** A value without an id would poison its key: every later attempt would believe it. */
function isBelievable(value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'string') return isId(value)
  return typeof value !== 'object' || !('id' in value) || isId(value.id)
}
const isId = (id: unknown) =>
  typeof id === 'number'
    ? Number.isFinite(id)
    : typeof id === 'string' && !['', 'undefined', 'null', 'NaN'].includes(id)

/** The platform id in the value of a step. */
export function idIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  const id = typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : undefined
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined
}
