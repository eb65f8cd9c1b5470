// Time spent waiting for a platform, or for another write of the same key, is not load.
import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ServiceProcess, startService } from '../service-process.ts'

let service: ServiceProcess
beforeAll(async () => {
  // Nothing waits long for its turn here: whoever counts the platform's time as load refuses.
  service = await startService({ SHED_WAIT_MS: '100', PACE_SCALE: '0.0001' })
})
afterAll(async () => {
  await service.kill()
  rmSync(service.dataDir, { recursive: true, force: true })
})

const faults = (method: 'POST' | 'DELETE', body?: object) =>
  fetch(`${service.sandboxFile().sandboxUrl}/_sandbox/square/faults`, { method, ...(body ? { body: JSON.stringify(body) } : {}) })
const headers = () => ({ authorization: `Bearer ${service.sandboxFile().apiKey}`, 'content-type': 'application/json' })
const read = (account: string) => fetch(`${service.url}/unified/${account}/customer?pageSize=5`, { headers: headers() })
const statuses = async (asked: Promise<Response>[]) => [...new Set((await Promise.all(asked)).map(({ status }) => status))].sort()

it('a slow platform fills no places: its own requests and those to other platforms are all served', async () => {
  await faults('POST', { kind: 'stall', delayMs: 1_500 })
  const slow = Array.from({ length: 200 }, () => read('sandbox-square-restaurant'))
  await new Promise((resolve) => setTimeout(resolve, 500))
  const others = Array.from({ length: 50 }, () => read('sandbox-clover-restaurant'))
  expect(await statuses(others)).toEqual([200])
  expect(await statuses(slow)).toEqual([200])
  await faults('DELETE')
})

it('requests that wait for another write of their key fill no places', async () => {
  await faults('POST', { kind: 'stall', method: 'POST', delayMs: 1_500, times: 1 })
  const body = JSON.stringify({ externalId: 'joined', name: 'Joined Customer' })
  const same = Array.from({ length: 100 }, () => fetch(`${service.url}/unified/sandbox-square-restaurant/customer`, { method: 'POST', headers: headers(), body }))
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(await statuses(Array.from({ length: 50 }, () => read('sandbox-clover-restaurant')))).toEqual([200])
  expect(await statuses(same)).toEqual([200, 201])
  await faults('DELETE')
})
