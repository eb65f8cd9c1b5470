// Errors between threads: a structured clone drops the class and all fields but message and stack.
import { Problem } from '../contract/errors.ts'
import { LoadAborted } from '../engine/facts.ts'
import { TransportError } from '../engine/outbound/transport-error.ts'
import { LostEntry } from '../store/lost-entry.ts'
import { DatabaseDamaged } from '../store/sqlite/damaged.ts'
import { DatabaseUnavailable } from '../store/unavailable.ts'

export interface PackedError {
  message: string
  stack?: string | undefined
  problem?: Pick<Problem, 'code' | 'detail' | 'headers' | 'extra'> & {
    errors: Problem['errors'] | undefined
    downstream: Problem['downstream'] | undefined
    cause: PackedError | undefined
  }
  transport?: Pick<TransportError, 'sent' | 'timeout' | 'code'>
  aborted?: true
  lost?: true
  unavailable?: Pick<DatabaseUnavailable, 'reason' | 'fault'>
  damaged?: string // what is damaged
}

export function packError(error: unknown): PackedError {
  const { message = String(error), stack } = error instanceof Error ? error : {}
  if (error instanceof Problem) {
    const { code, detail, errors, downstream, headers, extra, cause } = error
    return {
      message,
      stack,
      problem: {
        code,
        detail,
        headers,
        extra,
        errors,
        downstream,
        cause: cause === undefined ? undefined : packError(cause),
      },
    }
  }
  if (error instanceof TransportError)
    return { message, stack, transport: { sent: error.sent, timeout: error.timeout, code: error.code } }
  if (error instanceof LoadAborted) return { message, stack, aborted: true }
  if (error instanceof LostEntry) return { message, stack, lost: true }
  if (error instanceof DatabaseUnavailable)
    return { message, stack, unavailable: { reason: error.reason, fault: error.fault } }
  if (error instanceof DatabaseDamaged) return { message, stack, damaged: error.what }
  return { message, stack }
}

function classOf({ message, problem, transport, aborted, lost, unavailable, damaged }: PackedError): Error {
  if (problem)
    return new Problem(problem.code, problem.detail, {
      ...problem,
      cause: problem.cause && unpackError(problem.cause),
    } as ConstructorParameters<typeof Problem>[2])
  if (transport) return new TransportError(message, transport)
  if (aborted) return new LoadAborted(message)
  if (lost) return new LostEntry(message)
  if (unavailable) return new DatabaseUnavailable({ message: unavailable.reason }, unavailable.fault)
  return damaged === undefined ? new Error(message) : new DatabaseDamaged(damaged)
}

export function unpackError(packed: PackedError): Error {
  const error = classOf(packed)
  if (packed.stack !== undefined) error.stack = packed.stack
  return error
}
