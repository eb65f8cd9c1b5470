// Converts a platform's rejection or missing response to a problem for the caller.
import type { Connector, Write } from '../contract/connector.ts'
import type { EntityType } from '../contract/entity.ts'
import { Problem, type Violation } from '../contract/errors.ts'
import { NativeFailure } from '../contract/native-failure.ts'
import { DatabaseUnavailable } from '../store/unavailable.ts'
import { LostAnswer } from './outbound/retry.ts'

/** Native field -> unified pointer; `*` matches an array index and is replaced by it. */
function unifiedPointer(native: string, fields: Write<EntityType>['fields']): string | undefined {
  for (const [pattern, pointer] of Object.entries(fields ?? {})) {
    const expression = pattern
      .split('*')
      .map((part) => part.replace(/[.[\]()^$+?|\\{}]/g, '\\$&'))
      .join('(\\d+)')
    const match = new RegExp(`^${expression}$`).exec(native)
    if (!match) continue
    let index = 1
    return pointer.replaceAll('*', () => match[index++] ?? '*')
  }
  return undefined
}

/** The problem of an error that no platform caused. */
export function serviceProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnavailable) return error.problem()
  return new Problem('internal_error', 'Something went wrong inside the service.', { cause: error })
}

export function problemOf(error: unknown, connector: Connector, write?: Write<EntityType>): Problem {
  if (error instanceof LostAnswer) {
    const downstream = {
      platform: connector.id,
      status: error.status,
      message: error.message,
    }
    return new Problem(
      error.timeout ? 'downstream_timeout' : 'downstream_error',
      `${connector.name} ${error.timeout ? 'did not respond in time' : `failed: ${error.message}`}.`,
      {
        downstream,
        cause: error,
      },
    )
  }
  // Connectors trust the shapes that platforms document: what breaks them is a response of another shape. The cause is
  // logged in case it is a bug.
  if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError)
    return new Problem('downstream_error', `${connector.name} returned a response that cannot be read.`, {
      downstream: { platform: connector.id },
      cause: error,
    })
  if (!(error instanceof NativeFailure)) return serviceProblem(error)
  const { kind, code, message, fields } = error.error
  const downstream = { platform: connector.id, status: error.status, code, message }
  const errors: Violation[] = (kind === 'token' || kind === 'reconnect' ? [] : (fields ?? [])).map((field) => ({
    pointer: unifiedPointer(field.native, write?.fields) ?? '',
    message: field.message,
  }))
  const more = { downstream, cause: error, errors: errors.length ? errors : undefined }
  switch (kind) {
    case 'not_found':
      return write
        ? new Problem(
            'downstream_rejected',
            `${connector.name} does not know something that the record refers to: ${message}`,
            more,
          )
        : new Problem('record_not_found', `${connector.name} has no such record.`, more)
    case 'stale':
      return new Problem(
        'stale_record',
        `The record was changed at ${connector.name} while it was being written.`,
        more,
      )
    case 'token':
    case 'reconnect':
      return new Problem('reconnect_required', `The connection to ${connector.name} must be authorized again.`, more)
    case 'forbidden':
      return new Problem('forbidden', `${connector.name} does not allow this account to do that: ${message}`, more)
    case 'cursor':
      return new Problem(
        'invalid_cursor',
        `${connector.name} no longer accepts this position. Start again without a cursor.`,
        more,
      )
    case 'invalid':
    case 'duplicate':
      return new Problem(
        write ? 'downstream_rejected' : 'downstream_error',
        `${connector.name} refused: ${message}`,
        more,
      )
    default:
      return new Problem('downstream_error', `${connector.name} failed: ${message}`, more)
  }
}

/** Reads from a native row, which may have any shape. */
export function lookInto<T>(connector: Connector, look: () => T): T {
  try {
    return look()
  } catch (error) {
    throw problemOf(error, connector)
  }
}
