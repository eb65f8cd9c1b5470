// Time spent waiting for a platform, or for another write of the same key, is not load.
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordConcurrency } from '../../src/api/admission.ts'
import { type ServiceProcess, startService } from '../service-process.ts'

let service: ServiceProcess
beforeAll(async () => {
  service = await startService({ SHED_WAIT_MS: '1000', PACE_SCALE: '0.0001', SANDBOX_PLATFORMS: 'square,clover' })
})
afterAll(async () => {
  await service.kill()
  rmSync(service.dataDir, { recursive: true, force: true })
})

const faults = (method: 'POST' | 'DELETE', body?: object) =>
  fetch(`${service.sandboxFile().sandboxUrl}/_sandbox/square/faults`, {
    method,
    body: JSON.stringify(body),
  })
const headers = () => ({ authorization: `Bearer ${service.sandboxFile().apiKey}`, 'content-type': 'application/json' })
const read = (account: string) => fetch(`${service.url}/unified/${account}/customer?pageSize=5`, { headers: headers() })
const statuses = async (asked: Promise<Response>[]) =>
  [...new Set((await Promise.all(asked)).map(({ status }) => status))].sort()

/**
 * More than the concurrency limit. If they counted while they wait, the queue would not move for longer than
 * SHED_WAIT_MS, and later requests would be rejected.
 */
const waiting = 2 * recordConcurrency
const stallMs = 4_000
const others = async () => {
  await sleep(2_000)
  return statuses(Array.from({ length: 20 }, () => read('sandbox-clover-restaurant')))
}

it('a slow platform uses no capacity: its own requests and those to other platforms all succeed', async () => {
  await faults('POST', { kind: 'stall', delayMs: stallMs })
  const slow = Array.from({ length: waiting }, () => read('sandbox-square-restaurant'))
  expect(await others()).toEqual([200])
  expect(await statuses(slow)).toEqual([200])
  await faults('DELETE')
})

it('requests that wait for another write of their key use no capacity', async () => {
  await faults('POST', { kind: 'stall', method: 'POST', delayMs: stallMs, times: 1 })
  const body = JSON.stringify({ externalId: 'joined', name: 'Joined Customer' })
  const same = Array.from({ length: waiting }, () =>
    fetch(`${service.url}/unified/sandbox-square-restaurant/customer`, { method: 'POST', headers: headers(), body }),
  )
  expect(await others()).toEqual([200])
  expect(await statuses(same)).toEqual([200, 201])
  await faults('DELETE')
})
