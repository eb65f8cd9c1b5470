// All failures except the caller's own abort.
import type { Problem } from './generated/records.ts'
import { retryAfterSeconds } from './waiting.ts'

/** Error codes of the service and of the client. */
type KnownCode =
  | Problem['code']
  | 'network_error'
  | 'timeout'
  | 'unreadable_answer'
  | 'http_error'
  | 'invalid_client'
  | 'invalid_webhook'
  | 'invalid_connect_result'
export type ErrorCode = KnownCode | (string & {})

export interface ErrorDetails extends Partial<Omit<Problem, 'code' | 'status' | 'detail'>> {
  retryAfter?: number
  cause?: unknown
}

export class UnifiedError extends Error {
  readonly code: ErrorCode
  /** 0 if there was no response. */
  readonly status: number
  readonly title: string
  readonly detail: string
  /** Field errors, with JSON pointers into the request body, and the valid values if the platform reports them. */
  readonly errors: NonNullable<Problem['errors']>
  /** Seconds to wait before a retry. */
  readonly retryAfter?: number
  /** Identifies the request in the activity and logs of the service. */
  readonly requestId?: string
  /** The error from the platform. */
  readonly downstream?: Problem['downstream']
  /** Platform id of the record, if there is one. */
  readonly id?: string
  /** With `record_not_found`: the id is your own id of this record, not the platform's. */
  readonly reference?: Problem['reference']
  /** With `idempotency_conflict`: the differences between the written and the new record. */
  readonly differences?: Problem['differences']
  /** With `cursor_expired`: why. */
  readonly reason?: Problem['reason']
  /** With `not_ready`: how far the first walk is. */
  readonly progress?: Problem['progress']
  /** With `insufficient_scope`: the scope that the credential lacks. */
  readonly scope?: Problem['scope']
  /** With `insufficient_scope`: the limit of the credential that excludes the request. */
  readonly limit?: Problem['limit']

  constructor(code: ErrorCode, status: number, detail: string, more: ErrorDetails = {}) {
    super(`${code}: ${detail}`, { cause: more.cause })
    this.name = 'UnifiedError'
    this.code = code
    this.status = status
    this.detail = detail
    this.title = more.title ?? code
    this.errors = more.errors ?? []
    this.retryAfter = more.retryAfter
    this.requestId = more.requestId
    this.downstream = more.downstream
    this.reference = more.reference
    this.id = more.id
    this.differences = more.differences
    this.reason = more.reason
    this.progress = more.progress
    this.scope = more.scope
    this.limit = more.limit
  }
}

/** Fields that an error with one of these codes always has. */
interface FieldsByCode {
  idempotency_conflict: Required<Pick<UnifiedError, 'differences'>>
  cursor_expired: Required<Pick<UnifiedError, 'reason'>>
  not_ready: Required<Pick<UnifiedError, 'progress'>>
}
type ErrorWith<Code extends KnownCode> = {
  [One in Code]: UnifiedError & { readonly code: One } & (One extends keyof FieldsByCode ? FieldsByCode[One] : unknown)
}[Code]

/** Whether it is an error of the client, with one of these codes if some are given. Narrows `code`. */
export function isUnifiedError(error: unknown): error is UnifiedError
export function isUnifiedError<const Code extends KnownCode>(error: unknown, ...codes: Code[]): error is ErrorWith<Code>
export function isUnifiedError(error: unknown, ...codes: string[]): boolean {
  // By name: a program can contain two copies of the package.
  if (!(error instanceof Error) || error.name !== 'UnifiedError') return false
  return codes.length === 0 || codes.includes((error as UnifiedError).code)
}

const passing = new Set([0, 408, 429, 500, 502, 503, 504])
/** Whether the same request can succeed later without anything else being done; after `retryAfter`, if there is one. */
export const isRetryable = (error: unknown): error is UnifiedError =>
  isUnifiedError(error) &&
  (isUnifiedError(error, 'write_in_progress', 'reference_pending', 'not_ready', 'unreadable_answer') ||
    (passing.has(error.status) && !/^(reconnect_required|invalid_)/.test(error.code)))

/** Whether the customer must connect the account again: create a connect link with its `accountId`. */
export const needsReconnect = (error: unknown): error is ErrorWith<'reconnect_required'> =>
  isUnifiedError(error, 'reconnect_required')

/**
 * Reads an error response: a problem document, an OAuth error of the token endpoint, or anything that a proxy sends.
 */
export function errorFrom(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  text: string,
  Kind: typeof UnifiedError = UnifiedError,
): UnifiedError {
  const { code, detail, error, error_description: description, ...more } = parsed(text)
  return new Kind(
    code ?? error ?? 'http_error',
    status,
    detail ?? description ?? `The response was ${status || 'a redirect'}.`,
    {
      ...more,
      requestId: headers.get('x-request-id') ?? more.requestId,
      retryAfter: retryAfterSeconds(headers),
    },
  )
}

function parsed(
  text: string,
): ErrorDetails & { code?: string; detail?: string; error?: string; error_description?: string } {
  try {
    const body = JSON.parse(text)
    return typeof body === 'object' && body ? body : {}
  } catch {
    return {}
  }
}
