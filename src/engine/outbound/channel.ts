// What a native call needs of this process: the account's token, a slot, a connection, and a note of what happened.
import type { Connector, NativeRequest } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import type { NativeFailure } from '../../contract/native-failure.ts'
import type { Account } from '../../store/store.ts'
import { DatabaseUnavailable } from '../../store/unavailable.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import { createStages } from '../stages.ts'
import type { Credentials } from './credentials.ts'
import { addressOf } from './origin.ts'
import { beginWait, endWait, outside } from './outside.ts'
import type { CallLimits } from './pacing/slot-source.ts'
import { wireOf } from './redaction.ts'
import { fillAll } from './template.ts'
import type { WireAnswer } from './transport.ts'

/** One operation of one request on one account: its token, and what it has waited so far. */
export interface Operation {
  account: Account
  connector: Connector
  context: RequestContext
  waitedMs: number
  /** Once a write has begun it is finished: later steps wait as long as it takes. */
  patient: boolean
}
export interface Gate {
  /** One exchange, when its slot has come. Rejects with a TransportError where no answer came, with a Problem where nothing was sent. */
  attempt(operation: Operation, request: NativeRequest, kind: 'read' | 'write', attempt: number): Promise<WireAnswer>
  /** The account keeps still. */
  hold(operation: Operation, milliseconds: number): Promise<void>
  /** Another token instead of the one that was refused; false where that is not worth it. */
  renew(operation: Operation): Promise<boolean>
  renewedInVain(operation: Operation): Promise<void>
  /** The platform revoked the authorization. */
  lost(operation: Operation, reason: string): Promise<never>
  /** Why a call is made once more. */
  sayRetry(operation: Operation, note: string): Promise<void>
  /** True when a call would not have to wait. */
  freeNow(operation: Operation): Promise<boolean>
}
const patientWaitMs = 120_000

export function slotOf(connector: Connector, accountId: string, lane?: string): CallLimits {
  const rates = lane === undefined ? undefined : connector.lanes?.[lane]
  return { accountId, rates: connector.limit, ...(lane !== undefined && rates ? { lane: { name: lane, rates } } : {}) }
}

export function createGate(options: EngineOptions, credentials: Credentials): Gate {
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

  async function exchange(
    operation: Operation,
    request: NativeRequest,
    kind: 'read' | 'write',
    attempt: number,
    waitedMs: number,
  ): Promise<WireAnswer> {
    const { account, connector, context } = operation
    const began = performance.now()
    const { left, limit } = pacer.status(slotOf(connector, account.id))
    const headers = headersOf(operation, request)
    const body =
      request.body === undefined || typeof request.body === 'string' ? request.body : JSON.stringify(request.body)
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
    let sent = false
    try {
      const answer = await transport.exchange({
        method: request.method,
        ...addressOf(connector, account, request.origin ?? 'api', options),
        path: request.path + queryString(queryOf(operation, request)),
        headers,
        ...(body === undefined ? {} : { body }),
        timeoutMs: options.callTimeoutMs,
        // A call that still waits for a connection waits for this process, not for the platform.
        onSent() {
          sent = true
          beginWait(context)
        },
      })
      tell(answer)
      return answer
    } catch (error) {
      tell(undefined, error as Error)
      throw error
    } finally {
      if (sent) endWait(context)
      context.platformMs = (context.platformMs ?? 0) + performance.now() - began
      context.nativeCalls = (context.nativeCalls ?? 0) + 1
    }
  }

  return {
    async attempt(operation, request, kind, attempt) {
      const { context } = operation
      const waitedMs = await outside(context, async () => {
        // Before the slot, which a renewal would let go by; and after it, since a long wait may outlive a token.
        operation.account = await beforeSending(credentials.ready(operation.account, context))
        const waited = await beforeSending(pace(operation, request))
        operation.account = await beforeSending(credentials.ready(operation.account, context))
        return waited
      })
      return exchange(operation, request, kind, attempt, waitedMs)
    },
    hold: ({ connector, account }, milliseconds) => pacer.hold(slotOf(connector, account.id), milliseconds),
    async renew(operation) {
      if (!credentials.worthRenewing(operation.account)) return false
      stages.say(operation.context, 'retry', 'the token was refused: renewed')
      operation.account = await beforeSending(credentials.renewed(operation.account, operation.context))
      return true
    },
    renewedInVain: async ({ account }) => credentials.renewedInVain(account),
    lost: ({ account }, reason) => credentials.lost(account, reason),
    sayRetry: async ({ context }, note) => stages.say(context, 'retry', note),
    freeNow: async ({ connector, account }) => pacer.freeNow(slotOf(connector, account.id)),
  }
}

/** A database that fails here is a Problem: this call was not sent, so a write's step is not in doubt. */
const beforeSending = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => Promise.reject(error instanceof DatabaseUnavailable ? error.problem() : error))

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
    ...fillAll(connector.frame.headers, { ...account.settings, ...account.credentials }),
  }
  if (auth?.kind === 'basic')
    headers.authorization = `Basic ${Buffer.from(`${account.credentials[auth.user] ?? ''}:${account.credentials[auth.password] ?? ''}`).toString('base64')}`
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function queryOf(
  { account, connector }: Operation,
  { query = {} }: NativeRequest,
): NonNullable<NativeRequest['query']> {
  return connector.frame.query
    ? { ...fillAll(connector.frame.query, { ...account.settings, ...account.credentials }), ...query }
    : query
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

export function tooMany({ connector }: Pick<Operation, 'connector'>, waitMs: number, cause?: NativeFailure): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return new Problem(
    'too_many_requests',
    `${connector.name} allows no further call for ${seconds} s, longer than this request may wait.`,
    {
      headers: { 'retry-after': String(seconds) },
      cause,
      ...(cause ? { downstream: { platform: connector.id, status: cause.status, message: cause.message } } : {}),
    },
  )
}
