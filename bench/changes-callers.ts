// What the change feed costs callers: the same reads through two services, one that watches everything and one that
// watches nothing, in turns, so that other load on the machine affects both. Each has platforms of its own, which count
// calls over their limits.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { entityTypes } from '../src/contract/entity.ts'
import { simulators } from '../src/platforms/simulators.ts'
import { type SandboxProcess, startSandbox } from '../test/chaos/sandbox-process.ts'
import { type ServiceProcess, startService } from '../test/service-process.ts'
import { table } from './report.ts'

/** Callers want more calls of these accounts than the platform allows: 1/s, 5/s, 5/6 s. */
const limited: Record<string, string> = {
  freshbooks: 'sandbox-freshbooks-accounting',
  clover: 'sandbox-clover-restaurant',
  loyverse: 'sandbox-loyverse-retail_pos',
}
/** The processor is the limit of this account. */
const unlimited = 'sandbox-square-retail_pos'
const readersOfLimited = 12
const readersOfUnlimited = 16

export interface ChangesCallersResult {
  rounds: number
  lines: { what: string; watched: number; unwatched: number; ratio: number }[]
  polls: number // and walks, on the side that watches, while it was measured
  limitedCalls: number // of both sides
  over: { watched: number; unwatched: number } // calls over a limit
}
interface Side {
  sandbox: SandboxProcess
  service: ServiceProcess
  folder: string
}

async function open(isWatching: boolean): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'unified-records-bench-'))
  const sandbox = await startSandbox({ seed: 1, platforms: Object.keys(simulators), paceScale: 1 })
  const adminToken = randomBytes(24).toString('hex')
  const service = await startService({
    SANDBOX_URL: sandbox.url,
    DATA_DIR: folder,
    DATABASE_URL: '',
    ADMIN_TOKEN: adminToken,
    PACE_SCALE: '1',
    SHED_WAIT_MS: '0',
    PLATFORM_LIMITS: 'square=1000000/1',
    CREDENTIAL_REQUESTS_PER_MINUTE: '100000000',
  })
  const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' }
  const workspace = `${service.url}/manage/v1/workspaces/sandbox`
  if (isWatching) {
    // As often as the settings allow.
    const entities = Object.fromEntries(entityTypes.map((type) => [type, { pollSeconds: 30, walkHours: 1 }]))
    const reply = await fetch(`${workspace}/watches`, { method: 'PUT', headers, body: JSON.stringify({ entities }) })
    if (!reply.ok) throw new Error(`the watches were refused: ${await reply.text()}`)
    const accounts = (await sandbox.tenants()).map(({ platform, vertical }) => `sandbox-${platform}-${vertical}`)
    for (const account of accounts)
      for (;;) {
        const key = { authorization: `Bearer ${service.sandboxFile().apiKey}` }
        const { status } = await fetch(`${service.url}/unified/${account}/changes`, { headers: key })
        if (status === 200) break
        await sleep(500)
      }
  }
  return { sandbox, service, folder }
}
async function close({ sandbox, service, folder }: Side): Promise<void> {
  await service.kill('SIGKILL')
  await sandbox.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** Reads per second that were answered. */
async function load({ service }: Side, account: string, readers: number, seconds: number): Promise<number> {
  const headers = { authorization: `Bearer ${service.sandboxFile().apiKey}`, prefer: 'wait=60' }
  const leaving = new AbortController()
  let served = 0
  const began = performance.now()
  const read = async () => {
    while (!leaving.signal.aborted) {
      const response = await fetch(`${service.url}/unified/${account}/customer?pageSize=20`, {
        headers,
        signal: leaving.signal,
      })
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`a read of ${account} returned ${response.status}`)
      served++
    }
  }
  const reading = Promise.all(
    Array.from({ length: readers }, () =>
      read().catch((error: unknown) => {
        if (!leaving.signal.aborted) throw error
      }),
    ),
  )
  await Promise.race([sleep(seconds * 1000), reading])
  const passed = (performance.now() - began) / 1000
  leaving.abort()
  await reading
  return served / passed
}
const median = (values: number[]) => values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0

export async function benchChangesCallers(options: { rounds: number; seconds: number }): Promise<ChangesCallersResult> {
  const { rounds, seconds } = options
  const sides: Side[] = []
  try {
    for (const isWatching of [true, false]) sides.push(await open(isWatching))
    const [watched, unwatched] = sides as [Side, Side]
    const callsOf = async ({ sandbox }: Side) => Object.entries(await sandbox.tally())
    const sum = (entries: Awaited<ReturnType<typeof callsOf>>, name: 'calls' | 'over') =>
      entries.filter(([platform]) => limited[platform]).reduce((all, [, tally]) => all + tally[name], 0)
    for (const side of sides) await load(side, unlimited, readersOfUnlimited, 4 * seconds) // warmed up
    const lines: ChangesCallersResult['lines'] = []
    const turns = async (what: string, run: (side: Side) => Promise<number>) => {
      const found: { on: number; off: number }[] = []
      for (let round = 0; round < rounds; round++) {
        const isWatchedFirst = round % 2 === 0
        const first = await run(isWatchedFirst ? watched : unwatched)
        const second = await run(isWatchedFirst ? unwatched : watched)
        found.push(isWatchedFirst ? { on: first, off: second } : { on: second, off: first })
      }
      lines.push({
        what,
        watched: median(found.map(({ on }) => on)),
        unwatched: median(found.map(({ off }) => off)),
        ratio: median(found.map(({ on, off }) => on / off)),
      })
    }
    const before = await callsOf(watched)
    const backgroundBefore = await backgroundReads(watched)
    await turns('limit of the processor', (side) => load(side, unlimited, readersOfUnlimited, seconds))
    await turns('limits of the platforms', async (side) => {
      const all = await Promise.all(
        Object.values(limited).map((account) => load(side, account, readersOfLimited, seconds * 3)),
      )
      return all.reduce((total, perSecond) => total + perSecond, 0)
    })
    const after = [await callsOf(watched), await callsOf(unwatched)] as const
    return {
      rounds,
      lines,
      polls: (await backgroundReads(watched)) - backgroundBefore,
      limitedCalls: sum(after[0], 'calls') - sum(before, 'calls') + sum(after[1], 'calls'),
      over: { watched: sum(after[0], 'over'), unwatched: sum(after[1], 'over') },
    }
  } finally {
    await Promise.all(sides.map(close))
  }
}
/** Calls to platforms that no caller asked for: those of accounts that are not measured. */
async function backgroundReads({ sandbox }: Side): Promise<number> {
  const measured = new Set([...Object.keys(limited), 'square'])
  return Object.entries(await sandbox.tally())
    .filter(([platform]) => !measured.has(platform))
    .reduce((sum, [, { calls }]) => sum + calls, 0)
}

export function showChangesCallers({ rounds, lines, polls, limitedCalls, over }: ChangesCallersResult): string {
  const rows = lines.map(({ what, watched, unwatched, ratio }) => [
    what,
    watched.toFixed(1),
    unwatched.toFixed(1),
    ratio.toFixed(3),
    '0.95',
  ])
  const head = ['callers reach the', 'reads/s, all watched', 'nothing watched', 'ratio', 'at least']
  return `${table(head, rows)}\n\nmedians of ${rounds} rounds; ${polls} calls in the background to the ${Object.keys(simulators).length - 4} platforms without callers; of ${limitedCalls} calls to platforms with limits, ${over.watched} over a limit where all is watched, ${over.unwatched} where nothing is`
}
