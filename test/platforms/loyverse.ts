// A service with a Loyverse account, and what the tests of Loyverse do with it.
import { expect } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import type { AnyRecord } from '../../src/conformance/subject.ts'
import { loyverse } from '../../src/platforms/loyverse/connector.ts'
import { createLoyverseSimulator, personalToken } from '../../src/platforms/loyverse/simulator/simulator.ts'

export const startLoyverse = (simulator = createLoyverseSimulator, connector = loyverse): Promise<Harness> =>
  createHarness({ connectors: { loyverse: connector }, simulators: { loyverse: simulator }, platform: 'loyverse' })

/** The harness starts after the tests are declared. */
export function clientOf(harness: () => Harness) {
  let counter = 0
  const call = (method: string, path: string, body?: unknown, account = 'loyverse-retail_pos') =>
    harness().call(method, `/unified/${account}${path}`, body, { prefer: 'wait=60' })
  async function made(entity: string, record: AnyRecord): Promise<AnyRecord> {
    const { status, body } = await call('POST', `/${entity}`, { externalId: `T-${++counter}`, ...record })
    expect(status, JSON.stringify(body)).toBe(201)
    return body.data
  }
  return {
    call,
    made,
    /** Calls the API as another client with the merchant's personal token. */
    async native(method: string, path: string, body?: object): Promise<AnyRecord> {
      const response = await fetch(`${harness().sandbox.origin('loyverse')}/v1.0${path}`, {
        method,
        headers: { authorization: `Bearer ${personalToken}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      return (await response.json()) as AnyRecord
    },
    /** The status and the pointers of the errors of a create. */
    async refused(entity: string, record: AnyRecord) {
      const { status, body } = await call('POST', `/${entity}`, { externalId: `R-${++counter}`, ...record })
      return [status, ...(body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)]
    },
    product: (more: AnyRecord = {}) => made('product', { name: `Kettle ${++counter}`, price: 20, ...more }),
    /** The body of the last POST to this path. */
    sent: (path: string) =>
      harness()
        .sandbox.calls('loyverse')
        .filter((logged) => logged.method === 'POST' && logged.path.endsWith(path))
        .at(-1)!.body as AnyRecord,
  }
}
export const line = (productExternalId: string, more: AnyRecord = {}) => ({
  productExternalId,
  quantity: 1,
  unitPrice: 20,
  ...more,
})
