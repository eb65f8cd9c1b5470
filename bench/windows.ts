// Does a platform ever count more calls than its limit allows? On a machine whose cores are all busy, with one instance
// on SQLite and two on PostgreSQL: under steady demand, and in the first window after a start. The simulators count, in
// a process of their own and on their own clock.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector } from '../src/contract/connector.ts'
import { connectors } from '../src/platforms/registry.ts'
import { type SandboxProcess, startSandbox } from '../test/chaos/sandbox-process.ts'
import { freshDatabase, startPostgres } from '../test/postgres.ts'
import { type ServiceProcess, startService } from '../test/service-process.ts'
import { besideBusy } from './busy.ts'
import { table } from './report.ts'

/** 1/s, 5/s, 5/6 s. */
const accounts: Record<string, string> = {
  freshbooks: 'sandbox-freshbooks-accounting',
  clover: 'sandbox-clover-restaurant',
  loyverse: 'sandbox-loyverse-retail_pos',
}
const platforms = Object.keys(accounts)
const readers = 12 // of each account, at each instance

export interface WindowsResult {
  what: string
  database: string
  platform: string
  calls: number
  over: number
  used?: number // of the limit
}
interface Machine {
  database: string
  instances: number
  /** With a fresh database. */
  environment(): Promise<Record<string, string>>
}

async function read({ url, sandboxFile }: ServiceProcess, account: string): Promise<void> {
  const { apiKey } = sandboxFile()
  const response = await fetch(`${url}/unified/${account}/customer?pageSize=1`, {
    headers: { authorization: `Bearer ${apiKey}`, prefer: 'wait=60' },
  })
  await response.arrayBuffer()
}

function resultsOf(tally: Awaited<ReturnType<SandboxProcess['tally']>>, what: string, { database }: Machine) {
  return platforms.map((platform) => {
    const { calls = 0, over = 0 } = tally[platform] ?? {}
    return { what, database, platform, calls, over }
  })
}

async function steady(machine: Machine, seconds: number): Promise<WindowsResult[]> {
  const sandbox = await startSandbox({ seed: 1, platforms, paceScale: 1 })
  const services: ServiceProcess[] = []
  try {
    const environment = { ...(await machine.environment()), SANDBOX_URL: sandbox.url }
    for (let instance = 0; instance < machine.instances; instance++) services.push(await startService(environment))
    return await besideBusy(availableParallelism(), async () => {
      const before = await sandbox.tally()
      const began = performance.now()
      await Promise.all(
        services.flatMap((service) =>
          platforms.flatMap((platform) =>
            Array.from({ length: readers }, async () => {
              while (performance.now() - began < seconds * 1000)
                await Promise.race([
                  read(service, accounts[platform] as string),
                  sleep(Math.max(0, seconds * 1000 - (performance.now() - began))),
                ])
            }),
          ),
        ),
      )
      const results = resultsOf(await sandbox.tally(), 'steady demand', machine)
      const passed = (performance.now() - began) / 1000
      return results.map((result) => {
        const { limit } = connectors[result.platform] as Connector
        const allowed = Math.min(...limit.map(({ requests, seconds: window }) => (passed / window) * requests))
        return { ...result, used: (result.calls - (before[result.platform]?.calls ?? 0)) / allowed }
      })
    })
  } finally {
    await Promise.all(services.map((service) => service.kill('SIGKILL')))
    await sandbox.stop()
  }
}

/** Each start has its own platforms: what an earlier process has sent does not matter. */
async function firstWindows(machine: Machine, starts: number): Promise<WindowsResult[]> {
  const sums = new Map<string, WindowsResult>()
  for (let start = 0; start < starts; start++) {
    const sandbox = await startSandbox({ seed: 1, platforms, paceScale: 1 })
    let service: ServiceProcess | undefined
    try {
      const environment = { ...(await machine.environment()), SANDBOX_URL: sandbox.url }
      await besideBusy(availableParallelism(), async () => {
        service = await startService(environment)
        const reads = platforms.flatMap((platform) =>
          Array.from({ length: readers }, () => read(service as ServiceProcess, accounts[platform] as string)),
        )
        await Promise.race([Promise.allSettled(reads), sleep(8_000)])
      })
      for (const result of resultsOf(await sandbox.tally(), `first windows of ${starts} starts`, machine)) {
        const sum = sums.get(result.platform)
        sums.set(
          result.platform,
          sum ? { ...sum, calls: sum.calls + result.calls, over: sum.over + result.over } : result,
        )
      }
    } finally {
      await service?.kill('SIGKILL')
      await sandbox.stop()
    }
  }
  return [...sums.values()]
}

export async function benchWindows(
  { seconds, starts }: { seconds: number; starts: number },
  only = '',
): Promise<WindowsResult[]> {
  const postgres = await startPostgres()
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-windows-'))
  const common = () => ({
    PACE_SCALE: '1',
    SHED_WAIT_MS: '0',
    CREDENTIAL_REQUESTS_PER_MINUTE: '100000000',
    DATA_DIR: mkdtempSync(join(folder, 'data-')),
  })
  const machines: Machine[] = [
    { database: 'SQLite', instances: 1, environment: async () => ({ ...common(), DATABASE_URL: '' }) },
    {
      database: 'PostgreSQL, 2 instances',
      instances: 2,
      environment: async () => ({
        ...common(),
        DATABASE_URL: await freshDatabase(postgres.url),
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      }),
    },
  ]
  try {
    const results: WindowsResult[] = []
    for (const machine of machines.filter(({ database }) => database.startsWith(only))) {
      results.push(...(await steady(machine, seconds)))
      results.push(...(await firstWindows({ ...machine, database: machine.database.split(',')[0] as string }, starts)))
    }
    return results
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export function showWindows(results: readonly WindowsResult[]): string {
  return table(
    ['', 'database', 'platform', 'calls', 'over the limit', 'used of the limit'],
    results.map(({ what, database, platform, calls, over, used }) => [
      what,
      database,
      platform,
      String(calls),
      String(over),
      used === undefined ? '–' : `${(used * 100).toFixed(1)} %`,
    ]),
  )
}
