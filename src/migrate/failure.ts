// A failed call of a side. The client of the command line throws these, and a side over the engine converts problems.
import type { Violation } from '../contract/errors.ts'

export interface Failure extends Error {
  code: string
  status: number
  detail: string
  errors: readonly Violation[]
  downstream?: { message?: string } | undefined
  id?: string | undefined // of the record, if there is one
  differences?: readonly { pointer: string; written?: unknown; asked?: unknown }[] | undefined
  retryAfter?: number | undefined
}
export const isFailure = (error: unknown): error is Failure => {
  const { code, status, detail, errors } = (error ?? {}) as Partial<Failure>
  return (
    error instanceof Error &&
    typeof code === 'string' &&
    typeof status === 'number' &&
    typeof detail === 'string' &&
    Array.isArray(errors)
  )
}

const temporary = new Set([
  'network_error',
  'timeout',
  'unreadable_answer',
  'http_error',
  'too_many_requests',
  'unavailable',
  'internal_error',
  'downstream_error',
  'downstream_timeout',
  'write_in_progress',
])
/** The same call may succeed later; any other error is final. */
export const isTemporary = ({ code, status }: Failure): boolean =>
  temporary.has(code) && !(code === 'http_error' && status < 500)

/** The target does not take the record as it is: the platform said so, or the service knows it. */
export const isRefusal = ({ code }: Failure): boolean =>
  code === 'downstream_rejected' || code === 'target_refuses' || code === 'target_requires'

export const reasonOf = ({ code, detail, errors, downstream }: Failure): string =>
  [
    `${code}: ${detail}`,
    ...errors.map(({ pointer, message }) => `${pointer} ${message}`),
    ...(downstream?.message && !detail.includes(downstream.message) ? [downstream.message] : []),
  ].join('; ')
