// How long a request waits for slots within the platform's rate limit.
import { afterEach, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import type { Connector } from '../../src/contract/connector.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

const path = '/unified/square-restaurant/customer'
let harness: Harness
/** Square at one call in 10 seconds. */
const start = async (paceScale: number) => {
  const square = { ...connectors.square, limit: [{ requests: 1, seconds: 10 }] } as Connector
  harness = await createHarness({ connectors: { ...connectors, square }, simulators, platform: 'square', paceScale })
}
afterEach(() => harness.close())

it('the wait applies to the first call of a request: a PUT that got its first slot finishes', async () => {
  await start(0.2)
  const patient = { prefer: 'wait=60' }
  const { body } = await harness.call('POST', path, { externalId: 'W-1', name: 'Ada Lovelace' }, patient)
  const { id } = body.reference
  const before = harness.sandbox.calls('square').length
  const prefer = 'wait=3' // more than the 2 s before each of the calls, less than their sum
  const put = await harness.call('PUT', `${path}/${id}`, { externalId: id, name: 'Ada King' }, { prefer })
  expect([put.status, put.body.data?.name], JSON.stringify(put.body)).toEqual([200, 'Ada King'])
  expect(put.headers.get('ratelimit')).toMatch(/^"1-per-10s";/) // the same name as in the policy, at any pace
  expect(put.headers.get('ratelimit-policy')).toBe('"1-per-10s";q=1;w=10')
  expect(harness.sandbox.calls('square').length - before).toBeGreaterThan(1)
})

it('a request without a slot in time is 429 and names Prefer: wait=; the default wait is long enough for the next slot', async () => {
  await start(1)
  const list = (headers?: Record<string, string>) => harness.call('GET', `${path}?pageSize=1`, undefined, headers)
  expect((await list()).status).toBe(200)
  const refused = await list({ prefer: 'wait=0' })
  expect([refused.status, refused.body.detail]).toEqual([429, expect.stringContaining('Prefer: wait=')])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await list()).status).toBe(200)
})
