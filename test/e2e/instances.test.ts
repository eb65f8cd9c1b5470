// Three instances on one PostgreSQL, which they reach through PgBouncer, behind a round robin. One of them is killed with
// -9 every few seconds, and once PgBouncer. Every response is right or can be retried, every record exists once, nothing
// is stuck and no slot is lost. `RUN_SECONDS=60` makes it long.
// @module-tag pgbouncer
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import type { Rate } from '../../src/contract/connector.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import type { SandboxFile } from '../../src/sandbox-workspace.ts'
import { type PgBouncer, startPgBouncer } from '../pgbouncer.ts'
import { freshDatabase } from '../postgres.ts'
import { type ServiceProcess, startService } from '../service-process.ts'
import { quiet } from '../until.ts'

const platforms = ['square', 'clover', 'shopify'] as const
const paceScale = 0.5
const runMs = Number(process.env.RUN_SECONDS ?? 7) * 1000
const killEveryMs = 3_000

let sandbox: Sandbox
let pooler: PgBouncer
let environment: Record<string, string>
const instances: (ServiceProcess | undefined)[] = []
let apiKey: string
let accounts: SandboxFile['accounts']

beforeAll(async () => {
  sandbox = await createSandbox({
    simulators: Object.fromEntries(platforms.map((name) => [name, simulators[name] as CreateSimulator])),
    size: 'small',
    paceScale,
    strict: false,
  })
  const databaseUrl = await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
  pooler = await startPgBouncer(databaseUrl)
  environment = {
    SANDBOX_URL: sandbox.url,
    PACE_SCALE: String(paceScale),
    DATABASE_URL: pooler.pooled(databaseUrl),
    DATABASE_DIRECT_URL: databaseUrl,
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-instances-')),
  }
  for (let index = 0; index < 3; index++) instances[index] = await startService(environment)
  const file = (instances[0] as ServiceProcess).sandboxFile()
  apiKey = file.apiKey
  accounts = file.accounts.filter(({ vertical }) => vertical !== 'accounting')
  await database(logSlots)
})
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance?.kill('SIGKILL')))
  await pooler?.stop()
  await sandbox?.close()
})

async function database<Row extends pg.QueryResultRow>(query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: environment.DATABASE_DIRECT_URL })
  await client.connect()
  const { rows } = await client.query<Row>(query)
  await client.end()
  return rows
}
/**
 * Every change of the slots that calls of an account may use, by the database's clock, which no delay between a slot and
 * its call can distort. A tentative slot is reserved again before it is used.
 */
const logSlots = `
  create table slot_log (id bigserial, account_id text, before double precision[], slots double precision[], first double precision);
  create function exact_slots(slots double precision[], arrivals double precision[]) returns double precision[] language sql as $$
    select coalesce(array_agg(slot order by place), '{}') from unnest(slots, arrivals) with ordinality as s(slot, arrival, place) where arrival > '-infinity'
  $$;
  create function log_slots() returns trigger language plpgsql as $$
  begin
    insert into slot_log (account_id, before, slots, first)
      values (new.account_id, exact_slots(old.slots, old.arrivals), exact_slots(new.slots, new.arrivals), new.slots[1]);
    return null;
  end $$;
  create trigger log_slots after update on pacing for each row when (new.lane = '' and (new.slots is distinct from old.slots or new.arrivals is distinct from old.arrivals)) execute function log_slots();`
interface SlotState {
  account_id: string
  before: number[]
  slots: number[]
  first: number | null // of all slots, tentative ones included
}
/**
 * The number of slots that a change reserved. Returned slots are among the later ones; the earliest ones are removed
 * when no window counts them any more.
 */
function reserved({ before, slots, first }: SlotState): number {
  const [had, has] = [new Set(before), new Set(slots)]
  const returned = before.filter((slot) => !has.has(slot) && slot >= (first ?? Number.NEGATIVE_INFINITY))
  return slots.filter((slot) => !had.has(slot)).length - returned.length
}
/** Slots of one account that are closer together than the platform's limit allows. */
const tooClose = (states: readonly SlotState[], limit: readonly Rate[]) =>
  states.filter(({ slots }) =>
    limit.some(({ requests, seconds }) =>
      slots.some(
        (slot, index) => index >= requests && slot - (slots[index - requests] as number) < seconds * 1000 * paceScale,
      ),
    ),
  )

interface Reply {
  status: number // 0: no response
  // biome-ignore lint/suspicious/noExplicitAny: responses of several kinds
  body: any
}
let turn = 0
/** Like a load balancer: the next instance that is up. The caller retries a lost connection. */
async function call(method: string, path: string, body?: unknown): Promise<Reply> {
  const up = instances.filter((instance) => instance !== undefined)
  const { url } = up[turn++ % up.length] as ServiceProcess
  try {
    const response = await fetch(`${url}/unified/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        prefer: 'wait=30',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: await response.json() }
  } catch {
    return { status: 0, body: undefined }
  }
}
/** Responses that a caller may get and retry: none, a timeout, a concurrent write, a shutdown. */
const again = ({ status, body }: Reply) =>
  status === 0 || status === 429 || status === 503 || body?.code === 'write_in_progress'

it(
  'no wrong response, no duplicate record, no rate-limit violation, nothing stuck',
  async () => {
    const wrong: unknown[] = []
    const written = new Map<string, { account: string; id?: string; name: string }>()
    const tally = { reads: 0, writes: 0, repeated: 0, kills: 0 }
    const ids = () =>
      platforms
        .flatMap((name) => sandbox.simulator(name).tenants.map((tenant) => tenant.records.customer?.ids().length ?? 0))
        .reduce((sum, count) => sum + count, 0)
    const before = ids()
    const run = `K${randomBytes(3).toString('hex')}`
    for (const name of platforms) sandbox.clearCalls(name)
    const began = performance.now()
    /** A slow machine needs more time. */
    const running = () => performance.now() - began < runMs || written.size <= 20 || tally.repeated === 0

    async function write(account: string, key: string): Promise<void> {
      const name = `Customer ${key}`
      written.set(key, { account, name })
      for (; ; await quiet(100)) {
        const reply = await call('POST', `${account}/customer`, {
          externalId: key,
          name,
          email: `${key.toLowerCase()}@example.com`,
        })
        if (again(reply)) {
          tally.repeated++
          continue
        }
        tally.writes++
        if (reply.status > 201 || !String(reply.body.data.name).includes(key)) wrong.push({ key, reply })
        else written.set(key, { account, name, id: reply.body.reference.id })
        return
      }
    }
    async function read(account: string): Promise<void> {
      const known = [...written.values()].filter((entry) => entry.account === account && entry.id)
      const one = known[tally.reads % Math.max(1, known.length)]
      const reply = await call('GET', one ? `${account}/customer/${one.id}` : `${account}/product?pageSize=5`)
      tally.reads++
      if (again(reply)) return
      if (reply.status !== 200 || (one && reply.body.data.name !== one.name)) wrong.push({ one, reply })
    }
    const load = accounts.flatMap(({ accountId: account }, index) => [
      ...[0, 1].map(async (writer) => {
        for (let number = 0; running(); number++) await write(account, `${run}x${index}x${writer}x${number}`)
      }),
      (async () => {
        while (running()) await read(account)
      })(),
    ])
    const killer = (async () => {
      for (
        let victim = 0;
        performance.now() - began < runMs - killEveryMs || tally.repeated === 0;
        victim = (victim + 1) % instances.length
      ) {
        await quiet(killEveryMs)
        const instance = instances[victim] as ServiceProcess
        instances[victim] = undefined
        await instance.kill('SIGKILL')
        if (tally.kills === 0) await pooler.crash()
        tally.kills++
        instances[victim] = await startService(environment)
      }
    })()
    await Promise.all([...load, killer])

    expect(wrong).toEqual([])
    expect(tally.kills).toBeGreaterThanOrEqual(1)
    expect(tally.repeated).toBeGreaterThan(0)
    expect(written.size).toBeGreaterThan(20)
    const all = [...written.values()]
    expect(all.filter(({ id }) => id === undefined)).toEqual([])
    expect(new Set(all.map(({ account, id }) => `${account} ${id}`)).size).toBe(all.length)
    expect(ids()).toBe(before + all.length)
    expect(await database("select external_id, state from journal where state <> 'done'")).toEqual([])
    const states = await database<SlotState>('select account_id, before, slots, first from slot_log order by id')
    const owners = await database<{ id: string; owner: string }>('select id, business as owner from accounts')
    const elapsed = performance.now() - began
    for (const { accountId, platform, vertical } of accounts) {
      const { limit } = sandbox.simulator(platform)
      const calls = sandbox.calls(platform).filter((call) => call.vertical === vertical).length
      const own = states.filter(({ account_id }) => account_id === owners.find(({ id }) => id === accountId)?.owner)
      expect([accountId, tooClose(own, limit)], 'slots beyond the limit').toEqual([accountId, []])
      expect(
        [accountId, calls > 0 && calls <= own.reduce((sum, state) => sum + reserved(state), 0)],
        'each call has a slot',
      ).toEqual([accountId, true])
      for (const { requests, seconds } of limit)
        expect(calls, `${accountId}: ${requests} per ${seconds} s`).toBeLessThanOrEqual(
          requests * Math.ceil(elapsed / (seconds * 1000 * paceScale)),
        )
    }
    // No slot was lost with an instance: after the windows have passed, each account can use its whole limit again,
    // except what this request uses.
    for (const { accountId: account, platform, vertical } of accounts) {
      const callsOf = () => sandbox.calls(platform).filter((call) => call.vertical === vertical).length
      const lost = async () => {
        const before = callsOf()
        const { headers } = await fetch(`${instances[0]?.url}/unified/${account}/customer?pageSize=1`, {
          headers: { authorization: `Bearer ${apiKey}` },
        })
        const [, limit, left] = /"(\d+)-per-1s";r=(\d+)/.exec(headers.get('ratelimit') ?? '') ?? []
        return Math.max(0, Number(limit) - Number(left) - (callsOf() - before))
      }
      await expect.poll(lost, { interval: 1_000, message: account }).toBe(0)
    }
    console.log(
      `${Math.round(runMs / 1000)} s, ${tally.kills} kills, ${tally.writes} writes and ${tally.reads} reads, ${tally.repeated} retried`,
    )
  },
  runMs + 300_000,
)
