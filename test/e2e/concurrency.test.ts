// A platform that allows five calls of a business at once and refuses the sixth. Its responses are slow, and its rate
// limit never applies.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { freshDatabase } from '../postgres.ts'
import { openServiceApart, openServiceHere, type ServiceHere } from '../service-here.ts'
import { quiet, until } from '../until.ts'

const account = 'sandbox-clover-restaurant'
let sandbox: Sandbox
let instances: ServiceHere[] = []
let isStuck = false // no call is answered
let inProgress = 0
let most = 0
/** The first calls wait for each other: how many there can be at once is no matter of the speed of the machine. */
let allPlaces = Promise.withResolvers<void>()
const places = 5

const slowClover: CreateSimulator = (options) => {
  const simulator = (simulators.clover as CreateSimulator)(options)
  return {
    ...simulator,
    limit: [{ requests: 1_000_000, seconds: 1 }],
    async handle(request) {
      if (!simulator.tenantOf(request)) return simulator.handle(request)
      most = Math.max(most, ++inProgress)
      if (most >= places) allPlaces.resolve()
      await allPlaces.promise
      await (isStuck ? new Promise<never>(() => {}) : quiet(150))
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

function beginAgain(): void {
  inProgress = most = 0
  isStuck = false
  allPlaces = Promise.withResolvers()
}
async function start(
  count: number,
  database: 'sqlite' | 'postgres',
  open: typeof openServiceApart = openServiceHere,
): Promise<void> {
  beginAgain()
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
  // The test of the connection is a call, too.
  allPlaces.resolve()
  for (let index = 0; index < count; index++) instances.push(await open(environment))
  beginAgain()
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
    expect(most).toBe(places)
    const [{ url, sandboxFile }] = instances as [ServiceHere]
    const headers = { authorization: `Bearer ${sandboxFile().apiKey}` }
    const reported = await (await fetch(`${url}/unified/${account}`, { headers })).json()
    expect(reported).toMatchObject({ platform: 'clover', concurrency: 5 })
  },
)

it('calls of a killed instance stop counting', async () => {
  await start(2, 'postgres', openServiceApart)
  const [killed, other] = instances as [ServiceHere, ServiceHere]
  isStuck = true
  const lost = Promise.allSettled(Array.from({ length: places }, () => read(killed)))
  await until('five calls', () => inProgress === places)
  expect(await read(other, 1)).toBe(429)
  await killed.stop()
  await lost
  beginAgain()
  const statuses = await Promise.all(Array.from({ length: 20 }, () => read(other)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  expect(sandbox.violations('clover')).toBe(0)
  expect(most).toBe(places)
})
