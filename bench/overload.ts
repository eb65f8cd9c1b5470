// Four times the sustainable load of an instance over ten thousand connections: how much throughput is left, do
// accepted requests complete in time, and how long does recovery take?
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { readConfig } from '../src/config.ts'
import type { Burst, Outcome } from './overload-caller.ts'
import { table } from './report.ts'
import { openStage } from './speed/processes.ts'
import { page } from './speed/reads.ts'

export interface OverloadResult {
  connections: number
  shedWaitMs: number
  sustainable: Outcome
  offeredPerSecond: number
  seconds: number
  unloaded: Outcome
  overloaded: Outcome
  acceptedRatio: number // accepted per second under overload, relative to the sustainable rate
  p99Ratio: number // p99 of accepted requests under overload, relative to SHED_WAIT_MS
  backToNormalMs: number | undefined // undefined: not within 10 s
}
const factor = 4

export async function benchOverload({
  connections,
  seconds,
}: {
  connections: number
  seconds: number
}): Promise<OverloadResult> {
  const short = Math.max(4, seconds / 6)
  const shedWaitMs = Number(process.env.SHED_WAIT_MS ?? readConfig({}).limits?.shedWaitMs)
  // The sustainable rate is measured without rejections, on an instance that is warmed up.
  const sustainable = await withCallers(0, 16, async (burst) => {
    await burst({ rate: 0, seconds: short, connections: 16 })
    return burst({ rate: 0, seconds: short, connections: 16 })
  })
  const { perSecond } = sustainable
  return withCallers(shedWaitMs, connections, async (burst) => {
    await burst({ rate: perSecond / 2, seconds: short, connections })
    const calm = { rate: perSecond / 10, connections }
    const unloaded = await burst({ ...calm, seconds: short * 3 })
    const overloaded = await burst({ rate: perSecond * factor, seconds, connections })
    const backToNormalMs = await recovery(() => burst({ ...calm, seconds: 0.5 }), unloaded.p99Ms)
    return {
      connections,
      shedWaitMs,
      sustainable,
      offeredPerSecond: perSecond * factor,
      seconds,
      unloaded,
      overloaded,
      acceptedRatio: overloaded.perSecond / perSecond,
      p99Ratio: overloaded.p99Ms / shedWaitMs,
      backToNormalMs,
    }
  })
}

/**
 * Only the service is overloaded: the platform responds from memory, and neither its limit nor the credential's budget
 * applies.
 */
async function withCallers<T>(
  shedWaitMs: number,
  connections: number,
  run: (send: (burst: Burst) => Promise<Outcome>) => Promise<T>,
): Promise<T> {
  const stage = await openStage()
  const caller = fork(join(import.meta.dirname, 'overload-caller.ts'))
  try {
    const service = await stage.service({ SHED_WAIT_MS: String(shedWaitMs), CREDENTIAL_CONCURRENCY: '20000' })
    await request(
      caller,
      { open: { url: service.url, path: page, key: service.sandboxFile().apiKey, connections } },
      'opened',
    )
    return await run(async (burst) => (await request(caller, { burst }, 'outcome')) as Outcome)
  } finally {
    caller.kill()
    await stage.close()
  }
}

/** Half a second at a time, until nothing is rejected and the slowest response is about as fast as before. */
async function recovery(probe: () => Promise<Outcome>, p99Ms: number): Promise<number | undefined> {
  const began = performance.now()
  while (performance.now() - began < 10_000) {
    const at = performance.now() - began
    const { shed, failed, p99Ms: now } = await probe()
    if (shed === 0 && Object.keys(failed).length === 0 && now <= p99Ms * 1.5) return at
  }
  return undefined
}

function request(caller: ChildProcess, message: object, name: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    caller.once('message', (received: Record<string, unknown>) => resolve(received[name]))
    caller.once('exit', (code) => reject(new Error(`the callers ended with code ${code}`)))
    caller.send(message)
  })
}

export function showOverload(result: OverloadResult): string {
  const { sustainable, unloaded, overloaded, offeredPerSecond, seconds, shedWaitMs } = result
  const row = (
    name: string,
    offered: string,
    { sent, accepted, shed, failed, unsent, perSecond, p50Ms, p99Ms, shedP99Ms, callerCores }: Outcome,
  ) => [
    name,
    offered,
    `${perSecond.toFixed(0)}/s`,
    `${((accepted / sent) * 100).toFixed(1)} %`,
    `${((shed / sent) * 100).toFixed(1)} %`,
    Object.entries(failed)
      .map(([status, count]) => `${count} × ${status}`)
      .join(', ') || '0',
    String(unsent),
    `${p50Ms.toFixed(1)} ms`,
    `${p99Ms.toFixed(1)} ms`,
    `${shedP99Ms.toFixed(1)} ms`,
    callerCores.toFixed(2),
  ]
  return [
    `${result.connections} keep-alive connections, SHED_WAIT_MS ${shedWaitMs}; callers, service and platform share the cores`,
    table(
      [
        '',
        'offered',
        'accepted',
        'share',
        'refused',
        'failed',
        'unsent',
        'p50 accepted',
        'p99 accepted',
        'p99 rejected',
        "callers' cores",
      ],
      [
        row('sustainable', '16 clients', sustainable),
        row('unloaded', `${(sustainable.perSecond / 10).toFixed(0)}/s`, unloaded),
        row(`overload, ${seconds} s`, `${offeredPerSecond.toFixed(0)}/s`, overloaded),
      ],
    ),
    `accepted under overload: ${result.acceptedRatio.toFixed(2)} of the sustainable rate`,
    `p99 of accepted requests: ${result.p99Ratio.toFixed(2)} of SHED_WAIT_MS`,
    `back to normal: ${result.backToNormalMs === undefined ? 'not within 10 s' : `after ${(result.backToNormalMs / 1000).toFixed(1)} s`}`,
  ].join('\n')
}
