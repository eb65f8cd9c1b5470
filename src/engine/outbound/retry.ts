// Sends a native call until there is a response to rely on: retries by the declared kind, waits when the platform
// throttles, renews a refused token once. channel.ts lists what each attempt goes through.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector, NativeError, NativeRequest, NativeResponse } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { type Channel, furtherWaitMs, type Operation, tooMany } from './channel.ts'
import { outside } from './outside.ts'
import { isBarePage, misshapen, shapeOf } from './shape.ts'
import { TransportError, textOf, type WireAnswer } from './transport.ts'

/** A request that was sent and whose outcome is unknown. */
export class LostAnswer extends Error {
  readonly timeout: boolean
  readonly status: number | undefined
  /** The code of the transport error, if the call failed without a response. */
  readonly code: string | undefined
  /** False when it provably never left. */
  readonly sent: boolean
  constructor(
    message: string,
    timeout: boolean,
    { status, code, sent = true }: { status?: number; code?: string | undefined; sent?: boolean } = {},
  ) {
    super(message)
    this.name = 'LostAnswer'
    this.timeout = timeout
    this.status = status
    this.code = code
    this.sent = sent
  }
}
export interface Outbound {
  send(operation: Operation, request: NativeRequest, kind: 'read' | 'write'): Promise<NativeResponse>
  /**
   * For a call that a caller wrote: what the platform sent, as text, whatever it says. Rejects with RefusedCall if a
   * write provably had no effect, and with LostAnswer if that is unknown.
   */
  sendRaw(operation: Operation, request: NativeRequest, kind: 'read' | 'write'): Promise<RawResponse>
  freeNow: Channel['freeNow']
}
/** The body is text, or Base64 if the bytes are not text. */
export interface RawResponse extends NativeResponse {
  body: string
  encoding?: 'base64'
}
/** The platform refused a write, in its own words. */
export class RefusedCall extends NativeFailure {
  readonly response: RawResponse
  constructor(error: NativeError, response: RawResponse) {
    super(error, response.status)
    this.name = 'RefusedCall'
    this.response = response
  }
}
const maxAttempts = 3
const maxThrottled = 8

export function createOutbound(channel: Channel, paceScale: number): Outbound {
  async function sendUntilJudged<T extends NativeResponse>(
    operation: Operation,
    request: NativeRequest,
    kind: CallKind,
    judgeAnswer: Judge<T>,
  ): Promise<T> {
    const { connector } = operation
    let throttled = 0
    let renewed = false
    let wasBare = false
    for (let attempt = 1; ; ) {
      const again = async (reason: string) => {
        await channel.retrying(operation, reason)
        await outside(operation.context, () => sleep(100 * 2 ** attempt * Math.max(paceScale, 0.05)))
        attempt++
      }
      const outcome = await channel.attempt(operation, request, kind, attempt).then(
        (answer) => judgeAnswer(channel, operation, request, kind, answer),
        (error: unknown): Verdict<T> => {
          if (error instanceof TransportError)
            return { lost: new LostAnswer(error.message, error.timeout, { code: error.code, sent: error.sent }) }
          throw error
        },
      )
      if ('response' in outcome) {
        if (outcome.isBare) {
          if (!wasBare) {
            wasBare = true
            await again('the platform named this page, and it is empty: it is read once more')
            continue
          }
          operation.doubtful = true
        }
        const quiet = quietOf(connector, outcome.response)
        // The response matters more than the hint: the platform sends the hint again.
        if (quiet > 0) await channel.hold(operation, quiet, false).catch(noop)
        return outcome.response
      }
      if ('refused' in outcome) {
        const { error } = outcome.refused
        if (error.kind === 'throttled') {
          // Rejected before it ran: the account pauses, then the call is sent again, even a write.
          const quiet = bounded(error.retryAfterMs) ?? 500 * 2 ** throttled * paceScale
          await channel.hold(operation, quiet, true)
          if (++throttled > maxThrottled || quiet > furtherWaitMs)
            throw tooMany(operation, { wouldWaitMs: quiet }, outcome.refused)
          await channel.retrying(operation, `throttled by the platform: the account pauses for ${Math.round(quiet)} ms`)
          continue
        }
        if (error.kind === 'token') {
          if (!renewed && (await channel.renew(operation))) {
            renewed = true
            continue
          }
          if (renewed) await channel.renewedInVain(operation)
          // The token may be good: then the words of the platform say what is missing.
          if (connector.ambiguous401 && outcome.refused instanceof RefusedCall) throw outcome.refused
          throw new NativeFailure({ ...error, kind: 'reconnect' }, outcome.refused.status)
        }
        if (error.kind === 'reconnect') await channel.lost(operation, error.message)
        throw outcome.refused
      }
      // No response, or none that can be trusted. A read is repeated; a write only if it provably never left.
      const { sent, code } = outcome.lost
      if ((kind === 'write' && sent) || code === 'PROXY_REFUSED' || attempt >= maxAttempts) throw outcome.lost
      await again(outcome.lost.message)
    }
  }
  return {
    send: (operation, request, kind) => sendUntilJudged(operation, request, kind, judge),
    async sendRaw(operation, request, kind) {
      let last: RawResponse | undefined
      try {
        return await sendUntilJudged(operation, request, kind, (...parameters) => {
          last = rawOf(parameters[4])
          return judgeRaw(last, ...parameters)
        })
      } catch (error) {
        // A read has no effect that could be in doubt: the caller sees what the platform sent.
        const isAnswered = error instanceof RefusedCall || (error instanceof LostAnswer && error.status !== undefined)
        if (kind === 'read' && last && isAnswered) return last
        throw error
      }
    },
    freeNow: channel.freeNow,
  }
}

function noop(): void {}

type CallKind = 'read' | 'write'
/** `isBare`: a page of a list that anything could have sent. */
type Verdict<T = NativeResponse> = { response: T; isBare?: boolean } | { refused: NativeFailure } | { lost: LostAnswer }
type Judge<T> = (
  channel: Channel,
  operation: Operation,
  request: NativeRequest,
  kind: CallKind,
  answer: WireAnswer,
) => Promise<Verdict<T>>

async function judge(
  channel: Channel,
  operation: Operation,
  request: NativeRequest,
  kind: CallKind,
  answer: WireAnswer,
): Promise<Verdict> {
  const { connector } = operation
  const text = textOf(answer)
  const parsed = parseBody(answer, text)
  if (parsed === undefined && answer.status < 400)
    return { lost: new LostAnswer('answered with a body that cannot be read', false, { status: answer.status }) }
  const response: NativeResponse = { status: answer.status, headers: answer.headers, body: parsed ?? text }
  const found = errorIn(connector, response)
  if (found === 'unreadable')
    return { lost: new LostAnswer('returned a response that cannot be read', false, { status: answer.status }) }
  if (!found) {
    // Redirects are never followed, and an HTML page is not an API response.
    if (answer.status >= 300 || /^\s*<(!doctype|html)/i.test(text))
      return {
        lost: new LostAnswer(`answered with status ${answer.status} and a page that cannot be read`, false, {
          status: answer.status,
        }),
      }
    const shape = shapeOf(connector, request)
    const body: unknown = answer.status === 204 ? undefined : response.body
    const wrong = shape && misshapen(shape, body, response.headers)
    if (wrong)
      return { lost: new LostAnswer(`responded in an unexpected shape: ${wrong}`, false, { status: answer.status }) }
    return { response, isBare: kind === 'read' && isBarePage(shape, request, body) }
  }
  const words =
    text.length > longestError ? undefined : await channel.withoutSecrets(operation, response).catch(() => undefined)
  const error = reworded(found, words && errorIn(connector, words), answer.status)
  if (error.kind === 'unavailable') return { lost: new LostAnswer(error.message, false, { status: answer.status }) }
  return { refused: new NativeFailure(error, answer.status) }
}

/** Only a write has a response that must not be believed: a page of a gateway with status 200. */
async function judgeRaw(raw: RawResponse, ...[channel, operation, request, kind, answer]: Parameters<Judge<unknown>>) {
  const verdict: Verdict = await judge(channel, operation, request, kind, answer)
  if ('refused' in verdict) return { refused: new RefusedCall(verdict.refused.error, raw) }
  const { status } = answer
  if ('response' in verdict || (status < 500 && (status >= 300 || kind === 'read'))) return { response: raw }
  return verdict
}
const strictText = new TextDecoder('utf-8', { fatal: true })
function rawOf(answer: WireAnswer): RawResponse {
  const { status, headers } = answer
  try {
    strictText.decode(answer.bytes)
    return { status, headers, body: textOf(answer) }
  } catch {
    return { status, headers, body: Buffer.from(answer.bytes).toString('base64'), encoding: 'base64' }
  }
}

/** The words of a longer response are not returned: removing secrets from them would take too long. */
const longestError = 1_000_000
/**
 * The words are read from the response without secrets, before a connector cuts them: half a secret would not be
 * recognized.
 */
function reworded(error: NativeError, words: ReturnType<typeof errorIn>, status: number): NativeError {
  const { message, code, fields } = typeof words === 'object' ? words : { message: `responded with status ${status}` }
  return { ...error, message, code, fields }
}

/** Connectors trust the shapes that platforms document; a response may have any shape. */
function errorIn(connector: Connector, response: NativeResponse): NativeError | 'unreadable' | undefined {
  try {
    const error = connector.readError(response) ?? (response.status >= 400 ? fallback(response) : undefined)
    if (!error) return undefined
    if (error === 'unreadable') return error
    const { code, message, fields, ...rest } = error
    return {
      ...rest,
      message: wordsOf(message) || `answered with status ${response.status}`,
      code: code === undefined ? undefined : wordsOf(code),
      fields: fields?.map((field) => ({ native: wordsOf(field.native), message: wordsOf(field.message) })),
    }
  } catch {
    return 'unreadable'
  }
}
const wordsOf = (value: unknown): string =>
  (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 1000)

/** The longest pause that a platform can request, by mistake or not. */
const longestQuietMs = 24 * 3600 * 1000
/** The longest pause for a hint in a successful response: the next response repeats it. */
const longestHintMs = 5 * 60 * 1000
const bounded = (milliseconds: number | undefined, most = longestQuietMs) =>
  milliseconds !== undefined && milliseconds >= 0 ? Math.min(milliseconds, most) : undefined
function quietOf(connector: Connector, response: NativeResponse): number {
  try {
    return bounded(connector.throttle?.(response), longestHintMs) ?? 0
  } catch {
    return 0
  }
}

/** Undefined if the body claims to be JSON and is not. */
function parseBody({ headers, status }: WireAnswer, text: string): unknown {
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

/**
 * A status without the platform's own error. A token or a rate is refused before any work; every other 4xx may be of a
 * server in between, and says nothing.
 */
function fallback({ status }: NativeResponse): NativeError | 'unreadable' {
  const message = `responded with status ${status}`
  const kinds: Record<number, NativeError['kind']> = { 401: 'token', 429: 'throttled' }
  const statusKind = kinds[status] ?? (status >= 500 ? 'unavailable' : undefined)
  return statusKind ? { kind: statusKind, message } : 'unreadable'
}
