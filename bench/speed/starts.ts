// From the command to the first response, and the memory that it uses.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase } from '../../test/postgres.ts'
import { type ServiceProcess, startService } from '../../test/service-process.ts'
import type { Stage } from './processes.ts'
import { page } from './reads.ts'
import { type Finding, series } from './rounds.ts'

const megabytes = (service: ServiceProcess, field: 'VmRSS' | 'VmHWM') => {
  const status = readFileSync(`/proc/${service.child.pid}/status`, 'utf8')
  return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024
}

async function start(environment: Record<string, string>): Promise<{ ms: number; restMb: number }> {
  const directory = mkdtempSync(join(tmpdir(), 'unified-records-start-'))
  const began = performance.now()
  const service = await startService({ SANDBOX: 'off', DATA_DIR: directory, LOG_LEVEL: 'warn', ...environment })
  const { status } = await fetch(`${service.url}/readyz`)
  const ms = performance.now() - began
  if (status !== 200) throw new Error(`/readyz returned ${status}`)
  await sleep(2_000)
  const restMb = megabytes(service, 'VmRSS')
  await service.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
  return { ms, restMb }
}

export async function measureStarts(stage: Stage, count: number, postgresUrl: string): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const [database, environment] of [
    ['SQLite', async () => ({})],
    [
      'Postgres',
      async () => ({
        DATABASE_URL: await freshDatabase(postgresUrl),
        ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      }),
    ],
  ] as const) {
    await start(await environment()) // the first start after the installation fills the caches
    const starts = []
    for (let round = 0; round < count; round++) starts.push(await start(await environment()))
    const [ms, rest] = [series(starts.map((one) => one.ms)), series(starts.map((one) => one.restMb))]
    findings.push(
      {
        title: `Cold start to the first response (${database})`,
        target: '<= 1500 ms',
        reached: ms.median <= 1500,
        figures: { median: `${ms.median.toFixed(0)} ms`, spread: `${ms.low.toFixed(0)} to ${ms.high.toFixed(0)} ms` },
      },
      {
        title: `Idle memory, sandbox off (${database})`,
        target: '<= 120 MB',
        reached: rest.median <= 120,
        figures: {
          median: `${rest.median.toFixed(0)} MB`,
          spread: `${rest.low.toFixed(0)} to ${rest.high.toFixed(0)} MB`,
        },
      },
    )
  }
  const service = await stage.service()
  const headers = { authorization: `Bearer ${service.sandboxFile().apiKey}` }
  await stage.load({ url: service.url + page, headers, seconds: 5, connections: 50 })
  findings.push({
    title: 'Memory under load (50 connections, pages of 100)',
    figures: { 'resident, highest': `${megabytes(service, 'VmHWM').toFixed(0)} MB` },
  })
  await service.kill('SIGKILL')
  return findings
}
