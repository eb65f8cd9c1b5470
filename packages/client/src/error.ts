// All failures except the caller's own abort.
import type { Problem } from './generated/records.ts'
import { retryAfterSeconds } from './waiting.ts'

/** Error codes of the service and of the client. */
export type ErrorCode =
  | Problem['code']
  | 'network_error'
  | 'timeout'
  | 'unreadable_answer'
  | 'http_error'
  | 'invalid_client'
  | 'invalid_webhook'
  | (string & {})

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
  }
}

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
