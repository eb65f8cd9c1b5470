// The simulator of Square with the official SDK as its client.
import { SquareClient, SquareError } from 'square'
import { expect } from 'vitest'
import { createSquareSimulator } from '../../src/platforms/square/simulator/simulator.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import type { Tenant } from '../../src/sandbox/simulator.ts'

export async function startSquare() {
  const sandbox = await createSandbox({ simulators: { square: createSquareSimulator }, size: 'full', strict: false })
  const { tenants } = sandbox.simulator('square')
  const restaurant = tenants.find(({ vertical }) => vertical === 'restaurant')!
  const retail = tenants.find(({ vertical }) => vertical === 'retail_pos')!
  const clientOf = (tenant: Tenant) =>
    new SquareClient({ token: tenant.credentials.accessToken!, baseUrl: sandbox.origin('square'), maxRetries: 0 })
  let serial = 0
  return {
    sandbox,
    restaurant,
    retail,
    clientOf,
    square: clientOf(restaurant),
    key: () => `test-key-${++serial}`,
    /** A call without the SDK. */
    async raw(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await fetch(sandbox.origin('square') + path, {
        method,
        headers: {
          authorization: `Bearer ${restaurant.credentials.accessToken}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
      return { status: response.status, body: (await response.json()) as any }
    },
  }
}

export async function all<T>(pages: AsyncIterable<T> | PromiseLike<AsyncIterable<T>>): Promise<T[]> {
  const rows: T[] = []
  for await (const row of await pages) rows.push(row)
  return rows
}
export async function refusal(call: PromiseLike<unknown>) {
  const error = await Promise.resolve(call).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(SquareError)
  const { statusCode, errors } = error as SquareError
  return { status: statusCode, code: String(errors[0]?.code), field: errors[0]?.field }
}
