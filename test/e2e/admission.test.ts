// Time spent waiting for a platform, or for another write of the same key, is not load.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordConcurrency } from '../../src/api/admission.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { quiet, until, untilCleared } from '../until.ts'

const shedWaitMs = 2_000
let service: ServiceProcess
beforeAll(async () => {
  service = await startService({
    CALL_TIMEOUT_MS: '280000',
    SHED_WAIT_MS: String(shedWaitMs),
    PACE_SCALE: '0.0001',
    SANDBOX_PLATFORMS: 'square,clover',
  })
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
const others = async () => {
  await quiet(2 * shedWaitMs)
  return statuses(Array.from({ length: 20 }, () => read('sandbox-clover-restaurant')))
}
const arrived = async () => {
  const response = await fetch(`${service.sandboxFile().sandboxUrl}/_sandbox/square/calls`)
  return ((await response.json()) as { calls: { fault?: string }[] }).calls.some(({ fault }) => fault === 'stall')
}

it('a slow platform uses no capacity: its own requests and those to other platforms all succeed', async () => {
  await faults('POST', { kind: 'stall', delayMs: untilCleared })
  const slow = Array.from({ length: waiting }, () => read('sandbox-square-restaurant'))
  await until('a stalled call', arrived)
  expect(await others()).toEqual([200])
  await faults('DELETE')
  expect(await statuses(slow)).toEqual([200])
})

it('requests that wait for another write of their key use no capacity', async () => {
  await fetch(`${service.sandboxFile().sandboxUrl}/_sandbox/square/calls`, { method: 'DELETE' })
  await faults('POST', { kind: 'stall', method: 'POST', delayMs: untilCleared, times: 1 })
  const body = JSON.stringify({ externalId: 'joined', name: 'Joined Customer' })
  const same = Array.from({ length: waiting }, () =>
    fetch(`${service.url}/unified/sandbox-square-restaurant/customer`, { method: 'POST', headers: headers(), body }),
  )
  await until('a stalled call', arrived)
  expect(await others()).toEqual([200])
  await faults('DELETE')
  expect(await statuses(same)).toEqual([200, 201])
})
