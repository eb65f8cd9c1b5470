// Bursts of requests to an instance that has just started, that was killed during its writes, or that runs on a busy
// machine.
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import type { ServiceProcess } from '../test/service-process.ts'
import { besideBusy } from './busy.ts'
import { table } from './report.ts'
import { openStage, type Stage } from './speed/processes.ts'

export interface BurstsResult {
  rounds: number
  lines: Line[]
}
interface Line {
  name: string
  statuses: Record<string, number> // over all rounds
  slowestMs: number
}
const account = '/unified/sandbox-square-restaurant'
const parallel = 300
const seconds = 10

export async function benchBursts(rounds: number): Promise<BurstsResult> {
  const lines = new Map<string, Line>()
  for (let round = 0; round < rounds; round++) {
    const stage = await openStage()
    try {
      await oneRound(stage, round, (name, responses) => note(lines, name, responses))
    } finally {
      await stage.close()
    }
  }
  return { rounds, lines: [...lines.values()] }
}

async function oneRound(
  stage: Stage,
  round: number,
  say: (name: string, responses: Response[]) => void,
): Promise<void> {
  const fresh = async (environment = {}) => {
    const service = await stage.service(environment)
    await sleep(1000)
    return service
  }
  const reads = (service: ServiceProcess, count: number) =>
    burst(service, count, () => ({ path: `${account}/customer?pageSize=50` }))
  const writes = (service: ServiceProcess, name: string) =>
    burst(service, 60, (index) => ({
      path: `${account}/customer`,
      body: { externalId: `${name}-${round}-${index}`, name: `Customer ${index}`, email: `c${index}@example.com` },
    }))

  for (const count of [60, 300]) {
    const service = await fresh()
    say(`${count} reads, 1 s after the start`, await reads(service, count))
    await service.kill('SIGKILL')
  }
  const first = await fresh()
  say('60 POSTs, 1 s after the start', await writes(first, 'start'))
  // The platform delays its responses, so that every write is in flight when the process is killed.
  const faults = `${stage.direct}/_sandbox/square/faults`
  await fetch(faults, { method: 'POST', body: JSON.stringify({ kind: 'stall', method: 'POST', delayMs: 5_000 }) })
  const inFlight = writes(first, 'killed')
  await sleep(1500)
  await first.kill('SIGKILL')
  await inFlight
  await fetch(faults, { method: 'DELETE' })
  const again = await fresh({ DATA_DIR: first.dataDir })
  say('60 POSTs, 1 s after a restart with 60 writes in flight', await writes(again, 'restart'))
  say('the 60 POSTs that were in flight, sent again', await writes(again, 'killed'))
  say('300 reads after that', await reads(again, parallel))
  await besideBusy(2, async () => say(`15 clients for ${seconds} s, both cores busy`, await loop(again, 15)))
}

interface Response {
  status: string
  ms: number
}
interface Asked {
  path: string
  body?: object
}
async function ask(pool: Pool, apiKey: string, { path, body }: Asked): Promise<Response> {
  const began = performance.now()
  const done = (status: string) => ({ status, ms: performance.now() - began })
  try {
    const sent = await pool.request({
      path,
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${apiKey}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: JSON.stringify(body),
      headersTimeout: 120_000,
    })
    await sent.body.dump({ limit: Number.MAX_SAFE_INTEGER })
    return done(String(sent.statusCode))
  } catch {
    return done('no response')
  }
}
async function burst(service: ServiceProcess, count: number, request: (index: number) => Asked): Promise<Response[]> {
  const pool = new Pool(service.url, { connections: count })
  const { apiKey } = service.sandboxFile()
  const responses = await Promise.all(Array.from({ length: count }, (_, index) => ask(pool, apiKey, request(index))))
  await pool.destroy()
  return responses
}
async function loop(service: ServiceProcess, clients: number): Promise<Response[]> {
  const pool = new Pool(service.url, { connections: clients })
  const { apiKey } = service.sandboxFile()
  const responses: Response[] = []
  const ends = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: clients }, async () => {
      while (performance.now() < ends)
        responses.push(await ask(pool, apiKey, { path: `${account}/customer?pageSize=50` }))
    }),
  )
  await pool.destroy()
  return responses
}

function note(lines: Map<string, Line>, name: string, responses: Response[]): void {
  const line = lines.get(name) ?? { name, statuses: {}, slowestMs: 0 }
  lines.set(name, line)
  for (const { status, ms } of responses) {
    line.statuses[status] = (line.statuses[status] ?? 0) + 1
    line.slowestMs = Math.max(line.slowestMs, ms)
  }
}

export function showBursts({ rounds, lines }: BurstsResult): string {
  const rows = lines.map(({ name, statuses, slowestMs }) => [
    name,
    Object.entries(statuses)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', '),
    String(statuses['503'] ?? 0),
    `${slowestMs.toFixed(0)} ms`,
  ])
  const refused = lines.reduce((sum, { statuses }) => sum + (statuses['503'] ?? 0), 0)
  return [
    `${rounds} rounds, each on fresh processes; platform limits lifted`,
    table(['', 'responses', '503', 'slowest'], rows),
    `rejected in total: ${refused}`,
  ].join('\n')
}
