// Every failure that is not the caller's own abort.
import type { Problem } from './generated/records.ts'

/** Codes of the service's error table, and what only the client can say. */
export type ErrorCode = Problem['code'] | 'network_error' | 'timeout' | 'unreadable_answer' | 'http_error' | 'invalid_client' | (string & {})

export interface ErrorDetails extends Partial<Omit<Problem, 'code' | 'status' | 'detail'>> {
  retryAfter?: number
  cause?: unknown
}

export class UnifiedError extends Error {
  readonly code: ErrorCode
  /** 0 when there was no answer. */
  readonly status: number
  readonly title: string
  readonly detail: string
  /** Which fields, as JSON pointers into the record that was sent. */
  readonly errors: readonly { pointer: string; message: string }[]
  /** Seconds after which to try again. */
  readonly retryAfter?: number
  /** What the operator of the service needs to find the call in its log. */
  readonly requestId?: string
  /** What the platform itself said. */
  readonly downstream?: Problem['downstream']
  /** Platform id of the record concerned, where there is one. */
  readonly id?: string
  /** With `idempotency_conflict`: what the key was written with, and what was asked now. */
  readonly differences?: Problem['differences']

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
    this.id = more.id
    this.differences = more.differences
  }
}
