// A platform that allows five calls of a business at once and refuses the sixth. Its responses are slow, and its rate
// limit never applies.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { freshDatabase } from '../postgres.ts'
import { openServiceApart, openServiceHere, type ServiceHere } from '../service-here.ts'

const account = 'sandbox-clover-restaurant'
let sandbox: Sandbox
let instances: ServiceHere[] = []
let responseMs: number
let inProgress = 0
let most = 0

const slowClover: CreateSimulator = (options) => {
  const simulator = (simulators.clover as CreateSimulator)(options)
  return {
    ...simulator,
    limit: [{ requests: 1_000_000, seconds: 1 }],
    async handle(request) {
      if (!simulator.tenantOf(request)) return simulator.handle(request)
      most = Math.max(most, ++inProgress)
      await sleep(responseMs, undefined, { ref: false })
      inProgress--
      return simulator.handle(request)
    },
  }
}

beforeAll(async () => {
  sandbox = await createSandbox({ simulators: { clover: slowClover }, size: 'small' })
})
afterEach(async () => {
  await Promise.all(instances.map((instance) => instance.stop()))
})
afterAll(() => sandbox?.close())

async function start(
  count: number,
  database: 'sqlite' | 'postgres',
  open: typeof openServiceApart = openServiceHere,
): Promise<void> {
  inProgress = most = 0
  responseMs = 150
  sandbox.clearCalls('clover')
  const environment = {
    SANDBOX_URL: sandbox.url,
    PLATFORM_LIMITS: 'clover=1000000/1',
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-concurrency-')),
    ...(database === 'postgres'
      ? { DATABASE_URL: await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) }
      : {}),
  }
  instances = []
  for (let index = 0; index < count; index++) instances.push(await open(environment))
}
async function read(instance: ServiceHere, waitSeconds = 60): Promise<number> {
  const { apiKey } = (instances[0] as ServiceHere).sandboxFile()
  const response = await fetch(`${instance.url}/unified/${account}/customer?pageSize=1`, {
    headers: { authorization: `Bearer ${apiKey}`, prefer: `wait=${waitSeconds}` },
  })
  await response.arrayBuffer()
  return response.status
}

it.each([
  [1, 'sqlite'],
  [3, 'postgres'],
] as const)(
  '%i with %s: no call is refused, all five places are used, and the API reports the limit',
  async (count, database) => {
    await start(count, database)
    const statuses = await Promise.all(
      Array.from({ length: 90 }, (_, index) => read(instances[index % count] as ServiceHere)),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    expect(sandbox.violations('clover')).toBe(0)
    expect(sandbox.calls('clover').filter(({ status }) => status === 429)).toEqual([])
    expect(most).toBe(5)
    const [{ url, sandboxFile }] = instances as [ServiceHere]
    const headers = { authorization: `Bearer ${sandboxFile().apiKey}` }
    const reported = await (await fetch(`${url}/unified/${account}`, { headers })).json()
    expect(reported).toMatchObject({ platform: 'clover', concurrency: 5 })
  },
)

it('calls of a killed instance stop counting', async () => {
  await start(2, 'postgres', openServiceApart)
  const [killed, other] = instances as [ServiceHere, ServiceHere]
  responseMs = 600_000
  const lost = Promise.allSettled(Array.from({ length: 5 }, () => read(killed)))
  while (inProgress < 5) await sleep(20)
  expect(await read(other, 1)).toBe(429)
  await killed.stop()
  await lost
  inProgress = most = 0
  responseMs = 150
  const statuses = await Promise.all(Array.from({ length: 20 }, () => read(other)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(sandbox.violations('clover')).toBe(0)
  expect(most).toBe(5)
})
