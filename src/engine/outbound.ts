// The outbound chain, in its one order: deadline > retry (by declared kind) > pacing > log and metrics > credentials > address > transport.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector, NativeError, NativeRequest, NativeResponse } from '../contract/connector.ts'
import { Problem } from '../contract/errors.ts'
import { NativeFailure } from '../contract/native-failure.ts'
import type { Account } from '../store/store.ts'
import { DatabaseUnavailable } from '../store/unavailable.ts'
import type { Credentials } from './credentials.ts'
import type { EngineOptions, RequestContext } from './options.ts'
import { addressOf } from './origin.ts'
import type { Slot } from './pacing/pacer.ts'
import { wireOf } from './redaction.ts'
import { createStages } from './stages.ts'
import { fillAll } from './template.ts'
import { TransportError, type WireAnswer } from './transport.ts'

/** A request that was sent, and whose outcome nobody knows. */
export class LostAnswer extends Error {
  readonly timeout: boolean
  readonly status: number | undefined
  constructor(message: string, timeout: boolean, status?: number) {
    super(message)
    this.name = 'LostAnswer'
    this.timeout = timeout
    this.status = status
  }
}
/** One operation of one request on one account: its token, and what it has waited so far. */
export interface Operation {
  account: Account
  connector: Connector
  context: RequestContext
  waitedMs: number
  /** Once a write has begun it is finished: later steps wait as long as it takes. */
  patient: boolean
}
export interface Outbound {
  send(operation: Operation, request: NativeRequest, kind: 'read' | 'write'): Promise<NativeResponse>
  freeNow(operation: Operation): boolean
}
const maxAttempts = 3
const maxThrottled = 8
const patientWaitMs = 120_000

export function slotOf(connector: Connector, accountId: string, lane?: string): Slot {
  const rates = lane === undefined ? undefined : connector.lanes?.[lane]
  return { accountId, rates: connector.limit, ...(lane !== undefined && rates ? { lane: { name: lane, rates } } : {}) }
}

export function createOutbound(options: EngineOptions, credentials: Credentials): Outbound {
  const { pacer, transport } = options
  const stages = createStages(options)

  async function pace(operation: Operation, request: NativeRequest): Promise<number> {
    const left = operation.patient ? patientWaitMs : operation.context.maxWaitMs - operation.waitedMs
    const taken = await pacer.take({
      ...slotOf(operation.connector, operation.account.id, request.lane),
      caller: operation.context.caller,
      maxWaitMs: Math.max(0, left),
      ...(operation.context.signal && !operation.patient ? { signal: operation.context.signal } : {}),
    })
    if ('wouldWaitMs' in taken) throw tooMany(operation, taken.wouldWaitMs)
    operation.waitedMs += taken.waitedMs
    operation.context.waitedMs = (operation.context.waitedMs ?? 0) + taken.waitedMs
    return taken.waitedMs
  }

  async function exchange(operation: Operation, request: NativeRequest, kind: 'read' | 'write', attempt: number, waitedMs: number): Promise<WireAnswer> {
    const { account, connector, context } = operation
    const began = performance.now()
    const { left, limit } = pacer.status(slotOf(connector, account.id))
    const headers = headersOf(operation, request)
    const body = request.body === undefined || typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
    const tell = (answer: WireAnswer | undefined, error?: Error) =>
      options.observe?.({
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
        wire: wireOf({ account, connector, request, kind, headers, body, answer }),
      })
    try {
      const answer = await transport.exchange({
        method: request.method,
        ...addressOf(connector, account, request.origin ?? 'api', options),
        path: request.path + queryString(queryOf(operation, request)),
        headers,
        ...(body === undefined ? {} : { body }),
        timeoutMs: options.callTimeoutMs,
      })
      tell(answer)
      return answer
    } catch (error) {
      tell(undefined, error as Error)
      throw error
    } finally {
      context.platformMs = (context.platformMs ?? 0) + performance.now() - began
      context.nativeCalls = (context.nativeCalls ?? 0) + 1
    }
  }

  return {
    async send(operation, request, kind) {
      const { connector } = operation
      const slot = slotOf(connector, operation.account.id)
      let throttled = 0
      let renewed = false
      for (let attempt = 1; ; ) {
        // Before the slot, which a renewal would let go by; and after it, since a long wait may outlive a token.
        operation.account = await beforeSending(credentials.ready(operation.account, operation.context))
        const waitedMs = await beforeSending(pace(operation, request))
        operation.account = await beforeSending(credentials.ready(operation.account, operation.context))
        const outcome = await exchange(operation, request, kind, attempt, waitedMs).then(
          (answer) => judge(connector, answer),
          (error: unknown): Verdict => {
            if (error instanceof TransportError) return { lost: new LostAnswer(error.message, error.timeout), sent: error.sent }
            throw error
          },
        )
        if ('response' in outcome) {
          const quiet = quietOf(connector, outcome.response)
          // The answer counts for more than the hint: the platform will say it again.
          if (quiet > 0) await pacer.hold(slot, quiet).catch(noop)
          return outcome.response
        }
        if ('refused' in outcome) {
          const { error } = outcome.refused
          if (error.kind === 'throttled') {
            // Refused before it ran: the account keeps still, then the call goes out again, a write as well.
            const quiet = bounded(error.retryAfterMs) ?? 500 * 2 ** throttled * options.paceScale
            await pacer.hold(slot, quiet)
            if (++throttled > maxThrottled) throw tooMany(operation, quiet, outcome.refused)
            stages.say(operation.context, 'retry', `refused as too many: the account keeps still for ${Math.round(quiet)} ms`)
            continue
          }
          if (error.kind === 'token' && !renewed && credentials.worthRenewing(operation.account)) {
            renewed = true
            stages.say(operation.context, 'retry', 'the token was refused: renewed')
            operation.account = await beforeSending(credentials.renewed(operation.account, operation.context))
            continue
          }
          if (error.kind === 'token') {
            if (renewed) credentials.renewedInVain(operation.account)
            throw new NativeFailure({ ...error, kind: 'reconnect' }, outcome.refused.status)
          }
          if (error.kind === 'reconnect') await credentials.lost(operation.account, error.message)
          throw outcome.refused
        }
        // No answer, or none that can be trusted. A read is repeated; a write only when it provably never left.
        if ((kind === 'write' && outcome.sent) || attempt >= maxAttempts) throw outcome.lost
        stages.say(operation.context, 'retry', outcome.lost.message)
        await sleep(100 * 2 ** attempt * Math.max(options.paceScale, 0.05))
        attempt++
      }
    },
    freeNow: (operation) => pacer.freeNow(slotOf(operation.connector, operation.account.id)),
  }
}

/** A database that fails here is a Problem: this call was not sent, so a write's step is not in doubt. */
const beforeSending = <T>(work: Promise<T>): Promise<T> => work.catch((error: unknown) => Promise.reject(error instanceof DatabaseUnavailable ? error.problem() : error))
function noop(): void {}

type Verdict = { response: NativeResponse } | { refused: NativeFailure } | { lost: LostAnswer; sent: boolean }

function judge(connector: Connector, answer: WireAnswer): Verdict {
  const parsed = parseBody(answer)
  if (parsed === undefined && answer.status < 400) return { lost: new LostAnswer('answered with a body that cannot be read', false, answer.status), sent: true }
  const response: NativeResponse = { status: answer.status, headers: answer.headers, body: parsed ?? answer.text }
  const error = errorIn(connector, response)
  if (error === 'unreadable') return { lost: new LostAnswer('answered in a shape that cannot be read', false, answer.status), sent: true }
  if (!error) {
    // Redirects are never followed, and a page for people is not an answer.
    if (answer.status >= 300 || /^\s*<(!doctype|html)/i.test(answer.text))
      return { lost: new LostAnswer(`answered with status ${answer.status} and a page that cannot be read`, false, answer.status), sent: true }
    return { response }
  }
  if (error.kind === 'unavailable') return { lost: new LostAnswer(error.message, false, answer.status), sent: true }
  return { refused: new NativeFailure(error, answer.status) }
}

/** Connectors trust the shapes that platforms document; an answer may have any. */
function errorIn(connector: Connector, response: NativeResponse): NativeError | 'unreadable' | undefined {
  try {
    const error = connector.readError(response) ?? (response.status >= 400 ? fallback(response) : undefined)
    if (!error) return undefined
    const { code, message, fields, ...rest } = error
    return {
      ...rest,
      message: wordsOf(message) || `answered with status ${response.status}`,
      ...(code === undefined ? {} : { code: wordsOf(code) }),
      ...(fields ? { fields: fields.map((field) => ({ native: wordsOf(field.native), message: wordsOf(field.message) })) } : {}),
    }
  } catch {
    return 'unreadable'
  }
}
const wordsOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 1000)

/** A platform may ask for any rest, by mistake or not: after a day it is asked again. */
const longestQuietMs = 24 * 3600 * 1000
/** A hint beside a good answer comes again with the next one. */
const longestHintMs = 5 * 60 * 1000
const bounded = (milliseconds: number | undefined, most = longestQuietMs) => (milliseconds !== undefined && milliseconds >= 0 ? Math.min(milliseconds, most) : undefined)
function quietOf(connector: Connector, response: NativeResponse): number {
  try {
    return bounded(connector.throttle?.(response), longestHintMs) ?? 0
  } catch {
    return 0
  }
}

/** Undefined when it claims to be JSON and is not. */
function parseBody({ headers, text, status }: WireAnswer): unknown {
  if (text === '') return status === 204 || status >= 400 || headers['content-length'] === '0' ? null : ''
  if (/json/i.test(headers['content-type'] ?? '') || /^\s*[[{]/.test(text)) {
    try {
      return JSON.parse(text)
    } catch {
      return undefined
    }
  }
  return text
}

function fallback({ status }: NativeResponse): NativeError {
  const message = `answered with status ${status}`
  const kinds: Record<number, NativeError['kind']> = { 401: 'token', 403: 'forbidden', 404: 'not_found', 429: 'throttled' }
  return { kind: kinds[status] ?? (status >= 500 ? 'unavailable' : 'invalid'), message }
}

const frames = new WeakMap<Account, Readonly<Record<string, string>>>() // accounts are never changed in place

function headersOf({ account, connector }: Operation, request: NativeRequest): Record<string, string> {
  let frame = frames.get(account)
  if (!frame) {
    frame = frameOf(account, connector)
    frames.set(account, frame)
  }
  const headers: Record<string, string> = { ...frame }
  if (request.body !== undefined) headers['content-type'] = 'application/json'
  for (const name in request.headers) headers[name.toLowerCase()] = request.headers[name] as string
  return headers
}
/** The headers that all calls of an account have. */
function frameOf(account: Account, connector: Connector): Record<string, string> {
  const auth = connector.auth.find(({ kind }) => kind === account.auth)
  const headers: Record<string, string> = {
    accept: 'application/json',
    'user-agent': 'unified-records',
    ...fillAll(connector.frame.headers, { ...account.settings, ...account.credentials }),
  }
  if (auth?.kind === 'basic')
    headers.authorization = `Basic ${Buffer.from(`${account.credentials[auth.user] ?? ''}:${account.credentials[auth.password] ?? ''}`).toString('base64')}`
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function queryOf({ account, connector }: Operation, { query = {} }: NativeRequest): NonNullable<NativeRequest['query']> {
  return connector.frame.query ? { ...fillAll(connector.frame.query, { ...account.settings, ...account.credentials }), ...query } : query
}
function queryString(query: NonNullable<NativeRequest['query']>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const entry of Array.isArray(value) ? value : [value]) parameters.append(name, String(entry))
  }
  const text = parameters.toString()
  return text ? `?${text}` : ''
}

function tooMany(operation: Operation, waitMs: number, cause?: NativeFailure): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Problem('too_many_requests', `${operation.connector.name} allows no further call for ${seconds} s, longer than this request may wait.`, {
    headers: { 'retry-after': String(seconds) },
    cause,
    ...(cause ? { downstream: { platform: operation.connector.id, status: cause.status, message: cause.message } } : {}),
  })
}
