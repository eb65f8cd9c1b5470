// Rounds of POSTs to a service with its own sandbox, both killed with -9 in between: what was acknowledged is there
// afterward, at the simulators and in the lists. In the other runs the platforms survive every kill.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SandboxFile } from '../../src/sandbox-workspace.ts'
import { flagsOfTests, serviceFlags } from '../service-process.ts'
import { createRandom } from './random.ts'

/** A platform's own idempotency key (Square, Xero, QuickBooks), and lookups (Shopify, WooCommerce). */
const places = {
  square: 'retail_pos',
  xero: 'accounting',
  'quickbooks-online': 'accounting',
  shopify: 'retail_pos',
  woocommerce: 'retail_pos',
} as const
type Platform = keyof typeof places
const platforms = Object.keys(places) as Platform[]
const pageSize = 50
const maxTries = 30

export interface SandboxKillOptions {
  rounds: number
  writes: number // of each round, over all platforms
  seed: number
  say?(line: string): void
}
export interface KillRound {
  round: number
  killedAfter: number // responses of the round
  created: number // acknowledged with 201; some responses are under way when the processes end
  repeated: number // keys that got the same record again
  simulators: number // new records there
  lists: number // new records in the lists
}
export interface SandboxKills {
  rounds: KillRound[]
  violations: string[]
}

interface Running {
  file: SandboxFile
  kill(): Promise<void>
}
interface Write {
  platform: Platform
  key: string
  nativeId?: string // as acknowledged
}

export async function runSandboxKills({ rounds, writes, seed, say }: SandboxKillOptions): Promise<SandboxKills> {
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-sandbox-kills-'))
  const random = createRandom(seed)
  const violations: string[] = []
  const done: KillRound[] = []
  const all: Write[] = []
  let running = await start(dataDir)
  const { password } = running.file.dashboard
  try {
    const seeded = await idsAtSimulators(running)
    for (let round = 1; round <= rounds; round += 1) {
      const violation = (text: string) => void violations.push(`round ${round}: ${text}`)
      const own = Array.from(
        { length: writes },
        (_, number): Write => ({ platform: platforms[number % platforms.length]!, key: `R${round}-${number}` }),
      )
      all.push(...own)
      const killedAfter = 1 + random.below(writes - 1)
      const created = await postAndKill(running, own, killedAfter)
      running = await start(dataDir)
      if (running.file.dashboard.password !== password) violation('another password')
      const repeated = await repeat(running, own, violation)
      const simulators = await countAtSimulators(running, seeded, all, violation)
      const lists = await countInLists(running, all, violation)
      done.push({
        round,
        killedAfter,
        created,
        repeated,
        simulators: simulators - all.length + writes,
        lists: lists - all.length + writes,
      })
      say?.(rowOf(done.at(-1) as KillRound))
    }
  } finally {
    await running.kill()
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 })
  }
  return { rounds: done, violations }
}

const columns = ['round', 'killedAfter', 'created', 'repeated', 'simulators', 'lists'] as const
const titles = ['round', 'killed after', 'acknowledged', 'repeated', 'at the simulators', 'in the lists']
export const head = titles.join('  ')
const rowOf = (row: KillRound) => columns.map((name, at) => String(row[name]).padStart(titles[at]!.length)).join('  ')

/** As `npm start` runs it, in a process group of its own. */
async function start(dataDir: string): Promise<Running> {
  const child = spawn(process.execPath, [...(process.env.VITEST ? flagsOfTests : serviceFlags), 'dist/main.mjs'], {
    cwd: join(import.meta.dirname, '../..'),
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: dataDir,
      DATABASE_URL: '',
      SANDBOX_SIZE: 'small',
      SANDBOX_PLATFORMS: platforms.join(),
      PACE_SCALE: '0.01',
      SHED_WAIT_MS: '0', // on a busy machine that many writes at once wait for more than a second
      LOG_LEVEL: 'fatal',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  const ended = once(child, 'exit')
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        printed += chunk
        if (printed.includes('listening on ')) resolve()
      })
    child.once('exit', (code) => reject(new Error(`the service ended with code ${code}: ${printed}`)))
  })
  return {
    file: JSON.parse(readFileSync(join(dataDir, 'sandbox.json'), 'utf8')) as SandboxFile,
    async kill() {
      process.kill(-(child.pid as number), 'SIGKILL')
      await ended
    },
  }
}

const pathOf = (platform: Platform) => `/unified/sandbox-${platform}-${places[platform]}/customer`
const nameOf = (key: string) => `Customer ${key}`

async function call({ file }: Running, path: string, body?: object) {
  const response = await fetch(`${file.baseUrl}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${file.apiKey}`, 'content-type': 'application/json', prefer: 'wait=60' },
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
async function post(running: Running, { platform, key }: Write) {
  const { status, body } = await call(running, pathOf(platform), {
    externalId: key,
    name: nameOf(key),
    email: `${key.toLowerCase()}@example.com`,
  })
  return { status, body, nativeId: (body.reference as { id: string } | undefined)?.id }
}

/** Kills both processes at that response. Returns how many writes were acknowledged before. */
async function postAndKill(running: Running, writes: readonly Write[], killedAfter: number): Promise<number> {
  let seen = 0
  let created = 0
  let killed: Promise<void> | undefined
  const one = async (write: Write) => {
    const reply = await post(running, write)
    if (reply.status === 201) {
      created += 1
      if (reply.nativeId !== undefined) write.nativeId = reply.nativeId
    }
    seen += 1
    if (seen === killedAfter) killed = running.kill()
  }
  await Promise.allSettled(writes.map(one))
  await (killed ?? running.kill())
  return created
}

/** The same POSTs, until each is done. Returns how many got what was acknowledged before. */
async function repeat(running: Running, writes: readonly Write[], violation: (text: string) => void): Promise<number> {
  let same = 0
  const one = async (write: Write) => {
    let last = ''
    for (let tries = 0; tries < maxTries; tries += 1) {
      const { status, body, nativeId } = await post(running, write)
      last = `${status} ${JSON.stringify(body)}`
      if (status > 201 || nativeId === undefined) continue
      if (write.nativeId === nativeId) same += 1
      else if (write.nativeId !== undefined)
        violation(`${write.platform} ${write.key}: acknowledged as ${write.nativeId}, then as ${nativeId}`)
      write.nativeId = nativeId
      return
    }
    violation(`${write.platform} ${write.key}: not done: ${last}`)
  }
  await Promise.all(writes.map(one))
  return same
}

async function idsAtSimulators({ file }: Running): Promise<Map<Platform, Set<string>>> {
  const of = async (platform: Platform) => {
    const response = await fetch(`${file.sandboxUrl}/_sandbox/${platform}/tenants/${places[platform]}/customer`)
    return [platform, new Set(((await response.json()) as { ids: string[] }).ids)] as const
  }
  return new Map(await Promise.all(platforms.map(of)))
}

/** Returns the number of records that are not of the seed: one for each write. */
async function countAtSimulators(
  running: Running,
  seeded: ReadonlyMap<Platform, ReadonlySet<string>>,
  writes: readonly Write[],
  violation: (text: string) => void,
): Promise<number> {
  let count = 0
  for (const [platform, ids] of await idsAtSimulators(running)) {
    const before = seeded.get(platform)!
    const missing = [...before].filter((id) => !ids.has(id))
    if (missing.length > 0) violation(`${platform}: ${missing.length} records of the seed are gone`)
    const added = [...ids].filter((id) => !before.has(id)).length
    const expected = writes.filter((write) => write.platform === platform).length
    if (added !== expected) violation(`${platform}: ${added} records at the simulator, not ${expected}`)
    count += added
  }
  return count
}

/** Returns the number of records with the name of a write: one for each write, with the acknowledged id. */
async function countInLists(
  running: Running,
  writes: readonly Write[],
  violation: (text: string) => void,
): Promise<number> {
  let count = 0
  for (const platform of platforms) {
    const rows = await walk(running, platform)
    for (const { key, nativeId } of writes.filter((write) => write.platform === platform)) {
      const found = rows.filter(({ name }) => name === nameOf(key))
      count += found.length
      if (found.length !== 1 || found[0]!.id !== nativeId)
        violation(`${platform} ${key}: acknowledged as ${nativeId}, in the list: ${JSON.stringify(found)}`)
    }
  }
  return count
}
async function walk(running: Running, platform: Platform): Promise<{ id: unknown; name: unknown }[]> {
  const rows: { id: unknown; name: unknown }[] = []
  let cursor: unknown
  do {
    const query = new URLSearchParams({ pageSize: String(pageSize), ...(cursor ? { cursor: String(cursor) } : {}) })
    const { status, body } = await call(running, `${pathOf(platform)}?${query}`)
    if (status !== 200) throw new Error(`a page of ${platform} is ${status}: ${JSON.stringify(body)}`)
    for (const row of body.data as Record<string, unknown>[]) rows.push({ id: row.externalId, name: row.name })
    cursor = (body.pagination as { cursor?: string }).cursor
  } while (cursor)
  return rows
}
