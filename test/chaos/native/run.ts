// One chaos run of native writes: calls at a platform that has no idempotency key of ours fail, processes are killed, and
// callers repeat every request until it is settled. No call may take effect twice.
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../caller.ts'
import { createDisruptor } from '../disruptor.ts'
import { forcedFaults } from '../faults.ts'
import { startInstances } from '../instances.ts'
import { inParallel } from '../parallel.ts'
import { createRandom } from '../random.ts'
import { faultsOf } from '../run.ts'
import { type SandboxProcess, startSandbox } from '../sandbox-process.ts'

export interface NativeChaosOptions {
  writes: number
  instances: number
  kills: number
  pauses?: number
  seed: number
  callers?: number
  databaseUrl?: string | undefined
}
export interface NativeChaosResult {
  writes: number
  done: number // the platform's response was returned
  unknown: number
  unknownWritten: number // of these, the platform has the record
  replays: number // the same request again, after it was settled
  kills: number
  faults: Readonly<Record<string, number>>
  violations: string[]
  seconds: number
}
const paceScale = 0.002
const account = 'sandbox-square-restaurant'
/** Requests of one key until it is settled. */
const mostRequests = 200

export async function runNativeChaos(options: NativeChaosOptions): Promise<NativeChaosResult> {
  const { writes, kills, pauses = 0, seed, callers = 16, databaseUrl } = options
  const began = Date.now()
  const random = createRandom(seed)
  const sandbox = await startSandbox({ seed, platforms: ['square'], paceScale })
  const instances = await startInstances({
    count: options.instances,
    sandboxUrl: sandbox.url,
    paceScale,
    databaseUrl,
    environment: { PLATFORM_LIMITS: 'square=100000/1' },
  })
  try {
    const faults = faultsOf('square')
    await sandbox.inject(['square'], [...forcedFaults(faults), ...faults])
    const client = createClient(instances)
    const disruptor = createDisruptor({ kills, pauses, cuts: 0 }, writes, instances, random.fork('disruptions'))
    const violations: string[] = []
    const outcomes = new Map<string, 'done' | 'unknown'>()
    let replays = 0
    async function write(name: string, isRepeated: boolean): Promise<void> {
      const own = random.fork(name)
      const call = { method: 'POST', path: '/v2/customers', body: { given_name: name }, externalId: name }
      let first: string | undefined
      for (let request = 0; request < mostRequests; request++) {
        const { status, body, retryAfterMs } = await client.call('POST', `${account}/native`, call, own)
        const isDone = status === 200
        if (isDone || body?.code === 'outcome_unknown') {
          // A status of the platform between 300 and 499 is a response, too: the caller sees that nothing was written.
          const outcome = isDone ? (body.status < 300 ? 'done' : 'unknown') : 'unknown'
          const text = JSON.stringify(isDone ? [body.status, body.body] : body.code)
          if (first !== undefined && text !== first) violations.push(`${name}: ${first}, then ${text}`)
          if (first !== undefined) replays++
          outcomes.set(name, outcome)
          if (first !== undefined || !isRepeated) return
          first = text
          continue
        }
        await sleep(Math.min(1000, Math.max(20, retryAfterMs)))
      }
      violations.push(`${name} was not settled`)
    }
    const names = Array.from({ length: writes }, (_, number) => `chaos-${seed}-${number}`)
    await inParallel(callers, [...names.entries()], async ([number, name]) => {
      await disruptor.room()
      await write(name, number % 3 === 0)
      disruptor.notice(outcomes.size)
    })
    await disruptor.finished()
    await sandbox.clearFaults(['square'])
    const written = await writtenAt(sandbox)
    for (const name of names) {
      const times = written.get(name) ?? 0
      if (times > 1) violations.push(`${name} was written ${times} times`)
      if (times === 0 && outcomes.get(name) === 'done') violations.push(`${name} was confirmed and is not there`)
    }
    const unknown = names.filter((name) => outcomes.get(name) === 'unknown')
    const tally = (await sandbox.tally()).square
    return {
      writes,
      done: writes - unknown.length,
      unknown: unknown.length,
      unknownWritten: unknown.filter((name) => written.has(name)).length,
      replays,
      kills: disruptor.done().kills,
      faults: tally?.faults ?? {},
      violations,
      seconds: Math.round((Date.now() - began) / 1000),
    }
  } finally {
    await instances.stop()
    await sandbox.stop()
  }
}

/** How often each name is at the platform, asked without the service. */
async function writtenAt(sandbox: SandboxProcess): Promise<Map<string, number>> {
  const tenant = (await sandbox.tenants()).find(({ vertical }) => vertical === 'restaurant')
  const found = new Map<string, number>()
  let cursor = ''
  do {
    const response = await fetch(`${sandbox.url}/square/v2/customers?limit=100&cursor=${cursor}`, {
      headers: { authorization: `Bearer ${tenant?.credentials.accessToken}`, 'square-version': '2026-01-22' },
    })
    const page = (await response.json()) as { customers?: { given_name?: string }[]; cursor?: string; errors?: unknown }
    if (!response.ok) throw new Error(`the platform cannot be read: ${JSON.stringify(page)}`)
    for (const { given_name: name = '' } of page.customers ?? []) found.set(name, (found.get(name) ?? 0) + 1)
    cursor = page.cursor ?? ''
  } while (cursor)
  return found
}
