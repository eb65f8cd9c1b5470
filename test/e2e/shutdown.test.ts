// SIGTERM: new requests are rejected, those in flight complete, and writes that cannot complete in time are left for
// recovery.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, fetch as fetchWith } from 'undici'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { until, untilCleared } from '../until.ts'

let sandbox: Sandbox
let service: ServiceProcess
let dataDir: string
beforeEach(async () => {
  sandbox = await createSandbox({
    simulators: { square: simulators.square as (typeof simulators)[string] },
    size: 'small',
    paceScale: 0.01,
    strict: false,
  })
  dataDir = mkdtempSync(join(tmpdir(), 'unified-records-shutdown-'))
})
afterEach(async () => {
  await service?.kill('SIGKILL')
  await sandbox?.close()
})
const start = async (environment: Record<string, string> = {}) => {
  service = await startService({ SANDBOX_URL: sandbox.url, DATA_DIR: dataDir, ...environment })
}
const account = () => `${service.url}/unified/sandbox-square-restaurant`
const headers = () => ({ authorization: `Bearer ${service.sandboxFile().apiKey}`, 'content-type': 'application/json' })
const post = (key: string, options: { dispatcher?: Agent; signal?: AbortSignal } = {}) =>
  fetchWith(`${account()}/customer`, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify({ externalId: key, name: `Customer ${key}` }),
    ...options,
  })
const outcome = async (key: string) => {
  const reply = await fetch(`${account()}/customer?externalId=${key}`, { headers: headers() })
  return ((await reply.json()) as { reference?: { outcome: string } }).reference?.outcome
}
const customers = () => sandbox.simulator('square').tenants[0]?.records.customer?.ids().length ?? 0
/** The platform does its work, and its response waits. */
const stall = () =>
  sandbox.fault('square', { kind: 'stall', path: '/v2/customers', method: 'POST', times: 1, delayMs: untilCleared })
const atPlatform = (before: number) => until('the write at the platform', () => customers() > before)
const terminate = async (): Promise<number | null> => {
  const exit = once(service.child, 'close')
  service.child.kill('SIGTERM')
  const [code] = await exit
  return code as number | null
}
const refusesConnections = () =>
  expect.poll(() => fetch(`${service.url}/readyz`).then(String, () => 'rejected')).toBe('rejected')

it('a shutdown completes what it can, and the next start finds the rest', async () => {
  const adminToken = randomBytes(24).toString('hex')
  // The response in flight arrives on a connection that is then closed; new connections are rejected.
  await start()
  const before = customers()
  stall()
  const dispatcher = new Agent({ keepAliveTimeout: 60_000 })
  const response = post('S-1', { dispatcher })
  await atPlatform(before)
  const exited = terminate()
  await refusesConnections()
  sandbox.clearFaults()
  const reply = await response
  expect([reply.status, reply.headers.get('connection')]).toEqual([201, 'close'])
  await reply.text()
  expect(await exited).toBe(0)
  expect(customers()).toBe(before + 1)
  await dispatcher.close()

  // Its last request is in the activity after the next start.
  await start({ ADMIN_TOKEN: adminToken })
  const entry = await fetch(
    `${service.url}/manage/v1/workspaces/sandbox/activity/${reply.headers.get('x-request-id')}`,
    { headers: { authorization: `Bearer ${adminToken}` } },
  )
  expect(await entry.json()).toMatchObject({
    status: 201,
    externalId: 'S-1',
    trace: { calls: expect.arrayContaining([expect.objectContaining({ kind: 'write', status: 200 })]) },
  })

  // A write whose caller disconnected is completed first.
  stall()
  const gone = new AbortController()
  const abandoned = post('S-2', { signal: gone.signal }).catch(() => 'gone')
  await atPlatform(before + 1)
  gone.abort()
  expect(await abandoned).toBe('gone')
  const ended = terminate()
  await refusesConnections()
  sandbox.clearFaults()
  expect(await ended).toBe(0)
  expect(customers()).toBe(before + 2)
  await start({ SHUTDOWN_MS: '300' })
  expect(await outcome('S-2')).toBe('done')

  // A write that exceeds SHUTDOWN_MS is interrupted, and recovered by the next start without a second record.
  stall()
  const interrupted = post('S-3').catch(() => 'cut')
  await atPlatform(before + 2)
  expect(await terminate()).toBe(0)
  expect(await interrupted).toBe('cut')
  sandbox.clearFaults()
  await start()
  expect((await post('S-3')).status).toBeOneOf([200, 201])
  expect(customers()).toBe(before + 3)
})
