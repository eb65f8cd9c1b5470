// Whatever a platform answers, connectors that trust its documentation must not bring the service down.
import { expect, it } from 'vitest'
import type { Connector, NativeError } from '../contract/connector.ts'
import { NativeFailure } from '../contract/native-failure.ts'
import { lookInto, problemOf } from './failures.ts'
import { LostAnswer } from './outbound/retry.ts'

const connector = { id: 'x', name: 'X' } as Connector

it('a connector that trips over an answer of another shape is a failure of the platform, with the cause kept for the log', () => {
  const error = new TypeError("Cannot read properties of undefined (reading 'find')")
  expect(problemOf(error, connector)).toMatchObject({
    code: 'downstream_error',
    downstream: { platform: 'x' },
    cause: error,
  })
  expect(() => lookInto(connector, () => (undefined as unknown as string[]).length)).toThrow(
    'returned a response that cannot be read',
  )
})
it('a failure that can be over soon has Retry-After, and one that stays has none', () => {
  const failure = (kind: NativeError['kind'], status?: number) => new NativeFailure({ kind, message: 'no' }, status)
  const retryAfter = (error: unknown) => problemOf(error, connector).headers['retry-after']
  expect(retryAfter(new LostAnswer('HTTP 503', false, { status: 503 }))).toBe('2')
  expect(retryAfter(new LostAnswer('no response', true))).toBe('2')
  expect(retryAfter(failure('unavailable', 500))).toBe('2')
  expect(retryAfter(failure('reconnect', 401))).toBeUndefined()
  expect(retryAfter(new TypeError('x is undefined'))).toBeUndefined()
})
it('anything else that is thrown stays an error of our own', () => {
  expect(problemOf(new Error('step "x" was used twice'), connector).code).toBe('internal_error')
})
