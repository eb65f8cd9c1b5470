// What keeping the activity costs: the same reads through two services, one that keeps it and one that does not, in turns, so that whatever else the machine does falls on both.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { simulators } from '../src/platforms/simulators.ts'
import { createSandbox } from '../src/sandbox/sandbox.ts'
import type { CreateSimulator, Tenant } from '../src/sandbox/simulator.ts'
import { freshDatabase, startPostgres } from '../test/postgres.ts'
import { type ServiceProcess, startService } from '../test/service-process.ts'
import { table } from './report.ts'

export interface ActivityResult {
  database: string
  what: string
  rounds: number
  onPerSecond: number
  offPerSecond: number
  ratio: number // median of the rounds: throughput with activity over throughput without
  onCpuMs: number // processor time of the service per read
  offCpuMs: number
}
/** Turns are several times as long as the second in which activity is gathered. */
interface Length {
  rounds: number
  seconds: number
}
const atOnce = 16
const accountsEach = 64

interface Side {
  service: ServiceProcess
  dataDir: string
  headers: Record<string, string>
  accounts: string[]
}

async function open(sandboxUrl: string, tenant: Tenant, days: string, databaseUrl: string | undefined): Promise<Side> {
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-activity-'))
  const adminToken = randomBytes(24).toString('hex')
  const environment = {
    SANDBOX_URL: sandboxUrl,
    PLATFORM_LIMITS: 'square=200/1', // per account: never reached, and slots are as they are in earnest
    ADMIN_TOKEN: adminToken,
    DATA_DIR: dataDir,
    ACTIVITY_DAYS: days,
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  }
  const service = await startService(environment)
  const manage = async (path: string, body: unknown) => {
    const response = await fetch(`${service.url}/manage/v1/workspaces/sandbox${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    return (await response.json()) as { key: string }
  }
  const accounts = Array.from({ length: accountsEach }, (_, index) => `fleet-${index}`)
  const { vertical, credentials, settings } = tenant
  for (const id of accounts) await manage('/accounts', { id, platform: 'square', vertical, credentials, settings })
  const { key } = await manage('/api-keys', { name: 'bench' })
  return { service, dataDir, accounts, headers: { authorization: `Bearer ${key}` } }
}

const cpuSeconds = async ({ service }: Side) => Number(/^process_cpu_seconds_total (\S+)/m.exec(await (await fetch(`${service.url}/metrics`)).text())?.[1])

async function read(side: Side, what: string, seconds: number): Promise<{ perSecond: number; cpuMs: number }> {
  const { service, headers, accounts } = side
  const before = await cpuSeconds(side)
  const began = performance.now()
  const ends = began + seconds * 1000
  let calls = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < ends) {
        const index = calls++
        const response = await fetch(`${service.url}/unified/${accounts[index % accounts.length]}/customer${what}`, { headers })
        if (!response.ok) throw new Error(`a read answered ${response.status}: ${await response.text()}`)
        await response.arrayBuffer()
      }
    }),
  )
  const took = (performance.now() - began) / 1000
  await new Promise((resolve) => setTimeout(resolve, 1_200)) // what is still in the buffer is written in its own turn, and counted there
  return { perSecond: calls / took, cpuMs: (((await cpuSeconds(side)) - before) * 1000) / calls }
}

const median = (values: number[]) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

type Figures = Awaited<ReturnType<typeof read>>

async function turns(named: Pick<ActivityResult, 'database' | 'what'>, sides: readonly [Side, Side], path: string, { rounds, seconds }: Length): Promise<ActivityResult> {
  for (const side of sides) await read(side, path, seconds * 3) // as they are after a while
  const found: { on: Figures; off: Figures }[] = []
  for (let round = 0; round < rounds; round++) {
    const first = await read(sides[round % 2] as Side, path, seconds)
    const second = await read(sides[(round + 1) % 2] as Side, path, seconds)
    found.push(round % 2 === 0 ? { on: first, off: second } : { on: second, off: first })
  }
  const cpuMs = (side: 'on' | 'off') => median(found.map((entry) => entry[side].cpuMs))
  return {
    ...named,
    rounds,
    onPerSecond: median(found.map(({ on }) => on.perSecond)),
    offPerSecond: median(found.map(({ off }) => off.perSecond)),
    ratio: median(found.map(({ on, off }) => on.perSecond / off.perSecond)),
    onCpuMs: cpuMs('on'),
    offCpuMs: cpuMs('off'),
  }
}

async function compare(database: string, urls: [string | undefined, string | undefined], options: Length): Promise<ActivityResult[]> {
  const sandbox = await createSandbox({ simulators: { square: simulators.square as CreateSimulator }, size: 'small', paceScale: 0.0001, strict: false })
  const tenant = sandbox.simulator('square').tenants[0] as Tenant
  const id = tenant.records.customer?.ids()[0]
  const sides = [await open(sandbox.url, tenant, '14', urls[0]), await open(sandbox.url, tenant, '0', urls[1])] as const
  try {
    return [await turns({ database, what: 'a page of 50' }, sides, '', options), await turns({ database, what: 'one record' }, sides, `/${id}`, options)]
  } finally {
    for (const { service, dataDir } of sides) {
      await service.kill('SIGKILL')
      rmSync(dataDir, { recursive: true, force: true })
    }
    await sandbox.close()
  }
}

export async function benchActivity(options: Length): Promise<ActivityResult[]> {
  const sqlite = await compare('SQLite', [undefined, undefined], options)
  const postgres = await startPostgres({ durable: true })
  try {
    return [...sqlite, ...(await compare('PostgreSQL', [await freshDatabase(postgres.url), await freshDatabase(postgres.url)], options))]
  } finally {
    await postgres.stop()
  }
}

export function showActivity(results: readonly ActivityResult[]): string {
  return table(
    ['database', 'read', 'rounds', 'reads/s with activity', 'without', 'throughput with/without', 'CPU of a read with', 'without'],
    results.map(({ database, what, rounds, onPerSecond, offPerSecond, ratio, onCpuMs, offCpuMs }) => [
      database,
      what,
      String(rounds),
      onPerSecond.toFixed(0),
      offPerSecond.toFixed(0),
      ratio.toFixed(3),
      `${onCpuMs.toFixed(3)} ms`,
      `${offCpuMs.toFixed(3)} ms`,
    ]),
  )
}
