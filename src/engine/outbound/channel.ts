// The outbound channel: what every attempt of a native call goes through in this process, in one order.
import type { Connector, DailyLimit, NativeRequest } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import type { NativeFailure } from '../../contract/native-failure.ts'
import type { Account } from '../../store/store.ts'
import { DatabaseUnavailable } from '../../store/unavailable.ts'
import type { EngineOptions, NativeCallEvent, RequestContext } from '../options.ts'
import { createStages } from '../stages.ts'
import { businessOf } from './business.ts'
import type { Credentials } from './credentials.ts'
import type { Fence } from './fence.ts'
import { frameOf } from './frame.ts'
import { addressOf } from './origin.ts'
import { beginWait, endWait, outside } from './outside.ts'
import type { Refused } from './pacing/account-queue.ts'
import type { Pacer } from './pacing/pacer.ts'
import type { CallLimits, PacedCall } from './pacing/slot-source.ts'
import type { DateSample, PlatformClocks } from './platform-clock.ts'
import { ReadAheadEnded } from './read-ahead-ended.ts'
import { strikeAll, strikeSecrets, wireOf } from './redaction.ts'
import type { WireAnswer, WireCall } from './transport.ts'

/** One operation of one request on one account, with its token. */
export interface Operation {
  account: Account
  connector: Connector
  context: RequestContext
  /** A write that has begun is completed, even if its caller disconnects. */
  patient: boolean
  /** A write has one: it is checked before each of its writing calls. */
  fence?: Fence | undefined
  /** The lane of its latest call. */
  lane?: string | undefined
  /** The date of its first response that has one. */
  date?: DateSample | undefined
  /** A page that the platform had named was empty twice: the list may go on there. */
  doubtful?: true
}
export interface Channel {
  /**
   * One attempt, through all layers. Rejects with a TransportError if there is no response, with a Problem if nothing
   * was sent.
   */
  attempt(operation: Operation, request: NativeRequest, kind: 'read' | 'write', attempt: number): Promise<WireAnswer>
  /** Sends no call of the account for this long: the platform hinted at its limit, or `throttled` the last call. */
  hold(operation: Operation, milliseconds: number, throttled: boolean): Promise<void>
  /** Replaces a token that the platform refused; false if a renewal cannot help. */
  renew(operation: Operation): Promise<boolean>
  renewedInVain(operation: Operation): Promise<void>
  /** The platform revoked the authorization. */
  lost(operation: Operation, reason: string): Promise<never>
  /** The same value without the secrets of the account, which a platform may return in an error. */
  withoutSecrets<T>(operation: Operation, value: T): Promise<T>
  /** Records why a call is sent again. Rejects for a page that is read ahead. */
  retrying(operation: Operation, note: string): Promise<void>
  /**
   * True if another call like the latest one would not have to wait. With `mayWait` also if it would, as long as the
   * calls so far have waited less than the caller allows. Rejects for a page that is read ahead instead of `false`.
   */
  freeNow(operation: Operation, mayWait: boolean): Promise<boolean>
}

/** One attempt on its way through the layers. */
interface Call {
  readonly operation: Operation
  readonly request: NativeRequest
  readonly kind: 'read' | 'write'
  readonly attempt: number
  waitedMs: number // set by `pacing`
  readonly paced: PacedCall
  limits: CallLimits // set by `pacing`: they stay those of the slot when a renewed token names the business
  wire: WireCall // set by `frame` and `address`
}
type Send = (call: Call) => Promise<WireAnswer>
type Layer = (next: Send) => Send

/**
 * The order of an attempt, outermost first. `retry.ts` is outside of it: it starts an attempt for each try, in the
 * thread that reads the response.
 * A check that must be the last one before the socket belongs into `exchange`.
 */
const layersOf = (options: EngineOptions, credentials: Credentials): readonly Layer[] => [
  announced, // tells the fence of a write that a call waits
  // Renews a token that is about to expire: before the slot, which would pass unused during a renewal.
  validToken(credentials),
  // Waits for a slot within the rate limit and the limit of concurrent calls, in the queue of the account.
  pacing(options.pacer),
  validToken(credentials), // again: a token can expire during a long wait
  fenced, // asks the journal whether the write still belongs to this process, where little of its lease is left
  frame(options), // adds the account's headers and query parameters, and the time limit
  trace(options), // reports the call to logs, metrics and activity, without secrets
  address(options), // sets the origin: one that the connector declares, https only, or the sandbox
]

/** `onWrite` is called before and after each writing call. */
export function createChannel(
  options: EngineOptions,
  credentials: Credentials,
  { clocks, onWrite }: { clocks?: PlatformClocks; onWrite?: (accountId: string) => void } = {},
): Channel {
  const { pacer } = options
  const stages = createStages(options)
  const send = layersOf(options, credentials).reduceRight((next, layer) => layer(next), exchange(options, clocks))
  return {
    attempt(operation, request, kind, attempt) {
      const sent = () =>
        send({ operation, request, kind, attempt, waitedMs: 0, paced: {}, limits: noLimits, wire: unset })
      if (kind === 'read' || !onWrite) return sent()
      onWrite(operation.account.id)
      return sent().finally(() => onWrite(operation.account.id))
    },
    async hold({ connector, account, context }, milliseconds, throttled) {
      if (throttled) context.admitted = (context.admitted ?? 1) - 1
      await pacer.hold(slotOf(connector, account), milliseconds)
    },
    async renew(operation) {
      if (operation.context.ahead) throw new ReadAheadEnded('the token was refused')
      if (!credentials.worthRenewing(operation.account)) return false
      stages.say(operation.context, 'retry', 'the token was refused: renewed')
      operation.account = await beforeSending(credentials.renewed(operation.account, operation.context))
      return true
    },
    renewedInVain: async ({ account }) => credentials.renewedInVain(account),
    async lost({ account, context }, reason) {
      if (context.ahead) throw new ReadAheadEnded(reason)
      return credentials.lost(account, reason)
    },
    withoutSecrets: async <T>({ account, connector }: Operation, value: T) =>
      strikeAll(value, strikeSecrets(account, connector)) as T,
    async retrying({ context }, note) {
      if (context.ahead) throw new ReadAheadEnded(note)
      stages.say(context, 'retry', note)
    },
    async freeNow({ connector, account, context, lane }, mayWait) {
      const limits = slotOf(connector, account, lane)
      if (context.ahead) return spare(pacer, limits)
      return (mayWait && (context.waitedMs ?? 0) < context.maxWaitMs) || pacer.freeNow(limits)
    },
  }
}
const noLimits: CallLimits = { owner: '', rates: [] }
const unset: WireCall = { method: '', origin: '', path: '', headers: {}, timeoutMs: 0 }

const validToken =
  (credentials: Credentials): Layer =>
  (next) =>
  async (call) => {
    const { operation } = call
    const { account, context } = operation
    if (context.ahead && !credentials.isReady(account)) throw new ReadAheadEnded('the token must be renewed')
    operation.account = await outside(context, () => beforeSending(credentials.ready(account, context)))
    return next(call)
  }

const fenceOf = ({ kind, operation }: Call) => (kind === 'write' ? operation.fence : undefined)
const announced: Layer = (next) => (call) => {
  fenceOf(call)?.waiting()
  return next(call)
}
const fenced: Layer = (next) => async (call) => {
  const fence = fenceOf(call)
  if (fence) await beforeSending(fence.ready())
  return next(call)
}

async function spare(pacer: Pacer, limits: CallLimits): Promise<true> {
  if (await beforeSending(pacer.allowsBackground(limits))) return true
  throw new ReadAheadEnded('there is no spare slot')
}
/** A spare slot is free at once, up to the gap between two calls and the round trip to the database. */
const spareWaitMs = 100
/** The longest wait of a call that is not the first one of its request. */
export const furtherWaitMs = 120_000
/**
 * The caller's wait applies to the first call of the request. A request that got a slot finishes: its further calls wait
 * as long as it takes. Calls that start together with the first one wait until it has its slot.
 */
const pacing =
  (pacer: Pacer): Layer =>
  (next) =>
  async (call) => {
    const { operation, request } = call
    const { account, connector, context, patient } = operation
    operation.lane = request.lane
    call.limits = slotOf(connector, account, request.lane)
    const take = async (maxWaitMs: number) => {
      const outcome = await beforeSending(
        pacer.take({
          ...call.limits,
          caller: context.caller,
          maxWaitMs,
          signal: patient ? undefined : context.signal,
          call: call.paced,
          begun: patient,
          background: context.background,
        }),
      )
      if ('waitedMs' in outcome) context.admitted = (context.admitted ?? 0) + 1
      return outcome
    }
    const taken = await outside(context, async () => {
      if (context.ahead) return (await spare(pacer, call.limits)) && take(spareWaitMs)
      if (context.background) return take(context.maxWaitMs)
      if (context.first) await context.first.catch(() => undefined)
      if (patient || context.admitted) return take(furtherWaitMs)
      context.first = take(Math.max(0, context.maxWaitMs - (context.waitedMs ?? 0)))
      return context.first
    })
    if ('wouldWaitMs' in taken) throw context.ahead ? new ReadAheadEnded('there is no slot') : tooMany(operation, taken)
    call.waitedMs = taken.waitedMs
    if (taken.waitedMs > 0) addWait(context, taken.waitedMs)
    try {
      const answer = await next(call)
      const left = answer.headers[connector.dailyLimit?.remainingHeader ?? '']
      if (left && /^\d{1,9}$/.test(left)) pacer.reported(call.limits, Number(left))
      return answer
    } finally {
      pacer.release(call.limits, call.paced)
    }
  }

/** Adds a wait that has just ended. Time in which several calls of the request waited counts once. */
function addWait(context: RequestContext, milliseconds: number): void {
  context.slotWaits ??= []
  const until = Math.round(performance.now())
  let from = until - milliseconds
  let total = context.waitedMs ?? 0
  for (let last = context.slotWaits.at(-1); last && last.until >= from; last = context.slotWaits.at(-1)) {
    context.slotWaits.pop()
    total -= last.until - last.from
    from = Math.min(from, last.from)
  }
  context.slotWaits.push({ from, until })
  context.waitedMs = total + until - from
}

/** A page that takes longer is too old to be used. */
export const longestAheadMs = 10_000

const frame =
  ({ callTimeoutMs }: EngineOptions): Layer =>
  (next) =>
  (call) => {
    const { account, connector, context } = call.operation
    const bounds = {
      timeoutMs: context.ahead ? Math.min(callTimeoutMs, longestAheadMs) : callTimeoutMs,
      account: account.id,
      maxBytes: connector.maxResponseBytes,
      background: context.ahead !== undefined,
    }
    call.wire = { ...unset, ...frameOf(call.operation, call.request), ...bounds }
    return next(call)
  }

const trace =
  ({ pacer, observe }: EngineOptions): Layer =>
  (next) =>
  async (call) => {
    const { request, kind, attempt, waitedMs } = call
    const { account, connector, context } = call.operation
    const { headers, body } = call.wire
    const began = performance.now()
    const { left, limit } = pacer.status(call.limits)
    const report = (answer: WireAnswer | undefined, error?: Error) => {
      if (!observe) return
      const event: NativeCallEvent = {
        requestId: context.requestId,
        workspaceId: account.workspaceId,
        accountId: account.id,
        platform: connector.id,
        kind,
        method: request.method,
        path: request.path,
        status: answer?.status,
        error: error?.message,
        attempt,
        waitedMs,
        durationMs: performance.now() - began,
        used: 1 - left / limit,
        background: context.background,
        wire: wireOf({ account, connector, request, kind, headers, body, answer }),
      }
      if (context.ahead) {
        event.readAhead = true
        context.ahead.calls.push({ ...event, endedAt: performance.now() })
      }
      observe(event)
    }
    try {
      const answer = await next(call)
      report(answer)
      return answer
    } catch (error) {
      report(undefined, error as Error)
      throw error
    } finally {
      context.platformMs = (context.platformMs ?? 0) + performance.now() - began
      context.nativeCalls = (context.nativeCalls ?? 0) + 1
    }
  }

const address =
  (options: EngineOptions): Layer =>
  (next) =>
  (call) => {
    const { account, connector } = call.operation
    call.wire = { ...call.wire, ...addressOf(connector, account, call.request.origin ?? 'api', options) }
    return next(call)
  }

/** The innermost function: one HTTP exchange. The transport guards the address, the time and the size. */
const exchange =
  ({ transport, pacer }: EngineOptions, clocks: PlatformClocks | undefined): Send =>
  async (call) => {
    const { wire, operation } = call
    const { context } = operation
    let sent = 0
    let received = 0
    try {
      const answer = await transport.exchange({
        ...wire,
        // A call that still waits for a connection is load of this process: the platform does not work on it yet.
        onSent() {
          // The last thing before the socket.
          if (operation.fence) fenceOf(call)?.check()
          else context.check?.()
          pacer.sent(call.limits, call.paced)
          sent = Date.now()
          beginWait(context)
        },
        onResponse() {
          received = Date.now()
          pacer.responded(call.limits, call.paced)
        },
      })
      if ((call.request.origin ?? 'api') === 'api') {
        const date = clocks?.learn(operation.account.id, answer.headers, { sent, received: received || Date.now() })
        operation.date ??= date
      }
      return answer
    } finally {
      if (sent) endWait(context)
    }
  }

/** A database that fails here is a Problem: the call was not sent, so the outcome of a write's step is known. */
const beforeSending = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => Promise.reject(error instanceof DatabaseUnavailable ? error.problem() : error))

export function slotOf(connector: Connector, account: Account, lane?: string): CallLimits {
  const rates = lane === undefined ? undefined : connector.lanes?.[lane]
  const owner = businessOf(connector, account) ?? account.id
  return {
    owner,
    rates: connector.limit,
    lane: lane !== undefined && rates ? { name: lane, rates } : undefined,
    concurrency: connector.concurrency,
    daily: connector.dailyLimit && { limit: dailyLimitOf(connector.dailyLimit, account) },
  }
}
/** Undefined if the setting that decides has no known value. */
function dailyLimitOf({ calls }: DailyLimit, { settings }: Account): number | undefined {
  if (typeof calls === 'number') return calls
  const value = settings[calls.setting]
  return value !== undefined && Object.hasOwn(calls.limits, value) ? calls.limits[value] : undefined
}

const daySeconds = 86_400
/** Only a platform that refused for the rest of its day makes a request wait longer. */
const longestPauseMs = 10 * 60_000

export function tooMany({ connector }: Pick<Operation, 'connector'>, refused: Refused, cause?: NativeFailure): Problem {
  const { name, id, dailyLimit } = connector
  const seconds = Math.max(1, Math.ceil(refused.wouldWaitMs / 1000))
  const setting = typeof dailyLimit?.calls === 'object' ? dailyLimit.calls.setting : undefined
  const used = 'GET /unified/{accountId} shows how many calls are used.'
  const retry = `Retry after ${seconds} s (${new Date(Date.now() + seconds * 1000).toISOString().slice(0, 16)}Z).`
  const detail =
    refused.dailyLimit !== undefined
      ? `${name} allows ${refused.dailyLimit} calls in 24 hours, and they are used up; the last ones are reserved for writes that have begun. ${retry} ${used}${setting ? ` If the plan allows more, change the setting "${setting}" of the account.` : ''}`
      : dailyLimit && refused.wouldWaitMs > longestPauseMs
        ? `${name} allows no further call for ${seconds} s, because the calls of its daily limit are used up. ${retry} ${used}`
        : `${name} allows no further call for ${seconds} s, longer than this request may wait. Retry after ${seconds} s, or allow a longer wait with the header Prefer: wait=SECONDS (at most 60).`
  return new Problem('too_many_requests', detail, {
    headers: {
      'retry-after': String(seconds),
      ...(refused.dailyLimit === undefined
        ? {}
        : { ratelimit: `"${refused.dailyLimit}-per-${daySeconds}s";r=0;t=${seconds}` }),
    },
    cause,
    downstream: cause ? { platform: id, status: cause.status, message: cause.message } : undefined,
  })
}
