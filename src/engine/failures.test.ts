// Whatever a platform answers, connectors that trust its documentation must not bring the service down.
import { expect, it } from 'vitest'
import type { Connector } from '../contract/connector.ts'
import { lookInto, problemOf } from './failures.ts'

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
it('anything else that is thrown stays an error of our own', () => {
  expect(problemOf(new Error('step "x" was used twice'), connector).code).toBe('internal_error')
})
