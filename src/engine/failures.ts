// Converts a platform's rejection or missing response to a problem for the caller.
import type { Connector, Write } from '../contract/connector.ts'
import type { UnifiedRecord } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'
import { Problem, sentence, type Violation } from '../contract/errors.ts'
import { NativeFailure } from '../contract/native-failure.ts'
import { valueAt } from '../contract/pointer.ts'
import { DatabaseUnavailable } from '../store/unavailable.ts'
import { LostAnswer } from './outbound/retry.ts'
import { isProxyFault } from './outbound/transport-error.ts'
import { reconnectDetail } from './reconnect.ts'

/** Native field -> unified pointer; `*` matches an array index and is replaced by it. A pointer stays as it is. */
export function unifiedPointer(native: string, fields: Write<EntityType>['fields']): string | undefined {
  if (native.startsWith('/')) return native
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

/** A refusal of the service on behalf of a platform. */
export function ownRefusal(
  code: 'target_requires' | 'target_refuses',
  connector: Connector,
  errors: readonly Violation[],
): Problem {
  const what = code === 'target_requires' ? 'needs more than the schema does' : 'does not take this record'
  // A message is what the field must be, or a sentence.
  const [first, ...others] = errors.map(({ pointer, message }) =>
    /^[a-z]/.test(message) ? `${pointer} ${message}` : `${message.replace(/\.$/, '')} (${pointer})`,
  )
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  return new Problem(code, `${connector.name} ${what}: ${first}${more}.`, { errors, extra: { platform: connector.id } })
}

/** The problem of an error that no platform caused. */
export function serviceProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof DatabaseUnavailable) return error.problem()
  return new Problem('internal_error', 'Something went wrong inside the service.', { cause: error })
}

function lostDetail({ timeout, status, code, message }: LostAnswer, { name }: Connector): string {
  const again = 'Retry later; a write is recovered under its key.'
  if (isProxyFault(code))
    return `${sentence(`${name} could not be reached: ${message}`)} The call was not sent. Check HTTPS_PROXY and NO_PROXY of the service, then repeat the request.`
  if (timeout) return `${name} did not respond in time. ${again}`
  if (status !== undefined || !code) return `${sentence(`${name} failed: ${message}`)} ${again}`
  return `${sentence(`${name} could not be reached: ${message}`)} Check the account's settings that name a host, and the network of the service. ${again}`
}

/** The header of failures that can be over soon. A native call was repeated before: the next attempt waits. */
export const retryLater = { 'retry-after': '2' }

/** The field that the caller sent: for platforms without a display name, `name` is split if its parts are not given. */
function sentPointer(pointer: string, sent: UnifiedRecord | undefined): string {
  const name = valueAt(sent, '/name')
  if (typeof name !== 'string' || valueAt(sent, pointer) !== undefined) return pointer
  return pointer === '/firstName' || (pointer === '/lastName' && name.trim().includes(' ')) ? '/name' : pointer
}

interface Circumstances {
  resumes?: boolean // the call began at a position that an earlier page had given
  sent?: UnifiedRecord | undefined // with a write
}
export function problemOf(
  error: unknown,
  connector: Connector,
  write?: Write<EntityType>,
  { resumes = false, sent }: Circumstances = {},
): Problem {
  if (error instanceof LostAnswer) {
    const downstream = {
      platform: connector.id,
      status: error.status,
      message: error.message,
    }
    return new Problem(error.timeout ? 'downstream_timeout' : 'downstream_error', lostDetail(error, connector), {
      downstream,
      cause: error,
      headers: error.code === 'PROXY_REFUSED' ? undefined : retryLater,
    })
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
  // Without a status the platform sent no such response.
  const downstream =
    error.status === undefined ? undefined : { platform: connector.id, status: error.status, code, message }
  const errors: Violation[] = (kind === 'token' || kind === 'reconnect' ? [] : (fields ?? [])).map((field) => {
    const pointer = unifiedPointer(field.native, write?.fields) ?? ''
    return { pointer: downstream ? sentPointer(pointer, sent) : pointer, message: field.message }
  })
  const more = { downstream, cause: error, errors: errors.length ? errors : undefined }
  if (write && error.status === undefined && kind === 'invalid')
    return ownRefusal(code === 'target_requires' ? 'target_requires' : 'target_refuses', connector, errors)
  switch (kind) {
    case 'not_found':
      return write
        ? new Problem(
            'downstream_rejected',
            `${sentence(`${connector.name} does not know something that the record refers to: ${message}`)} Correct the reference, and send the record again with the same key.`,
            more,
          )
        : new Problem(
            'record_not_found',
            `${connector.name} has no such record. Check the id: it is externalId in records that you read.`,
            more,
          )
    case 'stale':
      return new Problem(
        'stale_record',
        `The record was changed at ${connector.name} while it was being written. Read it again, and repeat the update.`,
        more,
      )
    case 'token':
    case 'reconnect':
      return new Problem('reconnect_required', reconnectDetail(connector), more)
    case 'forbidden':
      return new Problem(
        'forbidden',
        `${sentence(`${connector.name} does not allow this account to do that: ${message}`)} Connect the account again with the missing permission.`,
        more,
      )
    case 'cursor':
      if (!resumes) break // of a walk of our own, which the next attempt begins again
      return new Problem(
        'invalid_cursor',
        `${connector.name} no longer accepts this position. Start again without a cursor.`,
        more,
      )
    case 'invalid':
    case 'duplicate':
      return new Problem(
        write ? 'downstream_rejected' : 'downstream_error',
        `${sentence(`${connector.name} refused: ${message}`)} ${write ? 'Correct the record, and send it again with the same key.' : 'Retry later.'}`,
        more,
      )
  }
  return new Problem('downstream_error', `${sentence(`${connector.name} failed: ${message}`)} Retry later.`, {
    ...more,
    headers: retryLater,
  })
}

/** Reads from a native row, which may have any shape. */
export function lookInto<T>(connector: Connector, look: () => T): T {
  try {
    return look()
  } catch (error) {
    throw problemOf(error, connector)
  }
}
