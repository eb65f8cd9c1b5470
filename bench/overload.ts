// Four times the load that an instance can bear, over ten thousand connections: are the requests that it takes on still answered in time, and how soon is it its old self again?
import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import { startService } from '../test/service-process.ts'
import type { Burst, Outcome } from './overload-caller.ts'
import { table } from './report.ts'

export interface OverloadResult {
  connections: number
  sustainablePerSecond: number
  offeredPerSecond: number
  seconds: number
  unloaded: Outcome
  overloaded: Outcome
  ratio: number // p99 of accepted requests under overload to that without load
  backToNormalMs: number | undefined // undefined: not within 10 s
}

export async function benchOverload({ connections, seconds }: { connections: number; seconds: number }): Promise<OverloadResult> {
  const short = Math.max(4, seconds / 6)
  // What it sustains is found where nothing is refused, on an instance that has been running for a while: what runs all day is compiled.
  const sustainable = await withCallers('0', 16, async (burst) => {
    await burst({ rate: 0, seconds: short, connections: 16 })
    return (await burst({ rate: 0, seconds: short, connections: 16 })).perSecond
  })
  return withCallers(process.env.SHED_LAG_MS ?? String(readConfig({}).limits?.shedLagMs), connections, async (burst) => {
    await burst({ rate: sustainable / 2, seconds: short, connections })
    const calm = { rate: sustainable / 10, connections }
    const unloaded = await burst({ ...calm, seconds: short * 3 })
    const overloaded = await burst({ rate: sustainable * 4, seconds, connections })
    const backToNormalMs = await recovery(() => burst({ ...calm, seconds: 0.5 }), unloaded.p99Ms)
    return {
      connections,
      sustainablePerSecond: sustainable,
      offeredPerSecond: sustainable * 4,
      seconds,
      unloaded,
      overloaded,
      ratio: overloaded.p99Ms / unloaded.p99Ms,
      backToNormalMs,
    }
  })
}

/** An instance whose own limits are not what is measured: neither the platform's pace nor the credential's budget binds. */
async function withCallers<T>(shedLagMs: string, connections: number, run: (burst: (wanted: Burst) => Promise<Outcome>) => Promise<T>): Promise<T> {
  const service = await startService({
    PACE_SCALE: '0.0001',
    PLATFORM_LIMITS: 'square=1000/1',
    SHED_LAG_MS: shedLagMs,
    CREDENTIAL_REQUESTS_PER_MINUTE: '10000000',
    CREDENTIAL_CONCURRENCY: '20000',
  })
  const caller = fork(join(import.meta.dirname, 'overload-caller.ts'))
  try {
    const { apiKey, accounts } = service.sandboxFile()
    const account = accounts.find(({ platform }) => platform === 'square')?.accountId
    await asked(caller, { open: { url: service.url, path: `/unified/${account}/product?pageSize=10`, key: apiKey, connections } }, 'opened')
    return await run(async (wanted) => (await asked(caller, { burst: wanted }, 'outcome')) as Outcome)
  } finally {
    caller.kill()
    await service.kill()
    rmSync(service.dataDir, { recursive: true, force: true })
  }
}

/** Half a second at a time, until nothing is refused and the slowest is no slower than it was before, with some room for chance. */
async function recovery(probe: () => Promise<Outcome>, p99Ms: number): Promise<number | undefined> {
  const began = performance.now()
  while (performance.now() - began < 10_000) {
    const at = performance.now() - began
    const { shed, failed, p99Ms: now } = await probe()
    if (shed === 0 && Object.keys(failed).length === 0 && now <= p99Ms * 1.5) return at
  }
  return undefined
}

function asked(caller: ChildProcess, message: object, answer: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    caller.once('message', (received: Record<string, unknown>) => resolve(received[answer]))
    caller.once('exit', (code) => reject(new Error(`the callers ended with code ${code}`)))
    caller.send(message)
  })
}

export function showOverload(result: OverloadResult): string {
  const row = (name: string, offered: number, { sent, accepted, shed, failed, unsent, p50Ms, p99Ms, shedP99Ms }: Outcome) => [
    name,
    `${offered.toFixed(0)}/s`,
    String(sent),
    `${((accepted / sent) * 100).toFixed(1)} %`,
    `${((shed / sent) * 100).toFixed(1)} %`,
    Object.entries(failed)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ') || '0',
    String(unsent),
    `${p50Ms.toFixed(1)} ms`,
    `${p99Ms.toFixed(1)} ms`,
    `${shedP99Ms.toFixed(1)} ms`,
  ]
  return [
    `${result.connections} keep-alive connections; the instance sustains ${result.sustainablePerSecond.toFixed(0)} reads/s`,
    table(
      ['', 'offered', 'sent', 'accepted', 'shed', 'failed', 'unsent', 'p50 accepted', 'p99 accepted', 'p99 shed'],
      [row('unloaded', result.sustainablePerSecond / 10, result.unloaded), row(`overload, ${result.seconds} s`, result.offeredPerSecond, result.overloaded)],
    ),
    `p99 of accepted requests: ${result.ratio.toFixed(2)} times that without load; back to normal ${result.backToNormalMs === undefined ? 'not within 10 s' : `after ${(result.backToNormalMs / 1000).toFixed(1)} s`}`,
  ].join('\n')
}
