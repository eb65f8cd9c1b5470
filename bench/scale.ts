// Many accounts on one instance and one PostgreSQL: the cost of a call in CPU time, statements and bytes. A few
// accounts are called often and most of them rarely (Zipf).
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { simulators } from '../src/platforms/simulators.ts'
import { createSandbox } from '../src/sandbox/sandbox.ts'
import type { CreateSimulator, Tenant } from '../src/sandbox/simulator.ts'
import { freshDatabase, startPostgres } from '../test/postgres.ts'
import { type ServiceProcess, startService } from '../test/service-process.ts'
import { table } from './report.ts'

const atOnce = 16
const paceScale = 1
/**
 * Steep enough to be uneven, flat enough that the busiest account stays within 5/s, because waiting is not measured
 * here.
 */
const exponent = 0.5

export interface ScaleResult {
  what: string
  calls: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  cpuMsPerCall: number // of the service process
  transactionsPerCall: number
  walBytesPerCall: number
  storedBytesPerCall: number
}
/** Cumulative sums to look up a random number. */
function createZipf(count: number): () => number {
  const sums = new Float64Array(count)
  let sum = 0
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1) ** exponent
    sums[rank] = sum
  }
  return () => {
    const target = Math.random() * sum
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) < target) low = middle + 1
      else high = middle
    }
    return low
  }
}

interface Sample {
  cpuSeconds: number
  transactions: number
  wal: number
  stored: number
}
async function sample(service: ServiceProcess, database: pg.Client): Promise<Sample> {
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const { rows } =
    await database.query(`select xact_commit::float as transactions, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float as wal,
    (select sum(pg_total_relation_size(oid)) from pg_class where relname in ('journal', 'journal_steps', 'links') and relkind = 'r')::float as stored
    from pg_stat_database where datname = current_database()`)
  return { cpuSeconds: Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]), ...rows[0] }
}

async function connectFleet(
  service: ServiceProcess,
  adminToken: string,
  tenant: Tenant,
  count: number,
): Promise<{ key: string; accounts: string[] }> {
  const manage = async (path: string, body: unknown) => {
    const response = await fetch(`${service.url}/manage/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} returned ${response.status}: ${await response.text()}`)
    return (await response.json()) as { key: string }
  }
  const accounts = Array.from({ length: count }, (_, index) => `fleet-${index}`)
  const { vertical, credentials, settings } = tenant
  for (const id of accounts)
    await manage('/workspaces/sandbox/accounts?test=false', { id, platform: 'square', vertical, credentials, settings })
  const { key } = await manage('/workspaces/sandbox/api-keys', { name: 'fleet' })
  return { key, accounts }
}

export async function benchScale({
  accounts: count,
  calls,
}: {
  accounts: number
  calls: number
}): Promise<ScaleResult[]> {
  const postgres = await startPostgres({ durable: true })
  const sandbox = await createSandbox({
    simulators: { square: simulators.square as CreateSimulator },
    size: 'small',
    paceScale,
    strict: false,
  })
  const adminToken = randomBytes(24).toString('hex')
  const databaseUrl = await freshDatabase(postgres.url)
  const dataDir = mkdtempSync(join(tmpdir(), 'unified-records-scale-'))
  const service = await startService({
    SANDBOX_URL: sandbox.url,
    PACE_SCALE: String(paceScale),
    DATABASE_URL: databaseUrl,
    ADMIN_TOKEN: adminToken,
    DATA_DIR: dataDir,
  })
  const database = new pg.Client({ connectionString: databaseUrl })
  await database.connect()
  const tenant = sandbox.simulator('square').tenants[0] as Tenant
  const { key, accounts } = await connectFleet(service, adminToken, tenant, count)
  const draw = createZipf(count)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', prefer: 'wait=60' }
  const id = tenant.records.customer?.ids()[0]
  let written = 0
  const read = (account: string) => fetch(`${service.url}/unified/${account}/customer/${id}`, { headers })
  const write = (account: string) => {
    const body = JSON.stringify({
      externalId: `S-${written++}`,
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      phone: '+12025550143',
    })
    return fetch(`${service.url}/unified/${account}/customer`, { method: 'POST', headers, body })
  }
  async function measure(
    what: string,
    call: (account: string) => Promise<Response>,
    total: number,
  ): Promise<ScaleResult> {
    const times = new Float64Array(total)
    const before = await sample(service, database)
    const began = performance.now()
    let next = 0
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let index = next++; index < total; index = next++) {
          const asked = performance.now()
          const response = await call(accounts[draw()] as string)
          if (!response.ok) throw new Error(`${what} returned ${response.status}: ${await response.text()}`)
          await response.arrayBuffer()
          times[index] = performance.now() - asked
        }
      }),
    )
    const seconds = (performance.now() - began) / 1000
    await new Promise((resolve) => setTimeout(resolve, 1_500)) // database statistics are delayed
    const after = await sample(service, database)
    times.sort()
    const per = (name: keyof Sample) => (after[name] - before[name]) / total
    return {
      what,
      calls: total,
      perSecond: total / seconds,
      p50Ms: times[Math.floor(total * 0.5)] ?? 0,
      p99Ms: times[Math.floor(total * 0.99)] ?? 0,
      cpuMsPerCall: per('cpuSeconds') * 1000,
      transactionsPerCall: per('transactions'),
      walBytesPerCall: per('wal'),
      storedBytesPerCall: per('stored'),
    }
  }
  try {
    await measure('warm-up', read, Math.ceil(calls / 5))
    await measure('warm-up', write, Math.ceil(calls / 5))
    return [
      await measure('one record read', read, calls),
      await measure('one record written', write, calls),
      await measure('4 reads to 1 write', (account) => (Math.random() < 0.8 ? read : write)(account), calls),
    ]
  } finally {
    await database.end()
    await service.kill('SIGKILL')
    await sandbox.close()
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export function showScale(results: readonly ScaleResult[]): string {
  return table(
    ['what', 'calls', 'calls/s', 'p50', 'p99', 'CPU of the service', 'transactions', 'WAL', 'stored'],
    results.map((result) => [
      result.what,
      String(result.calls),
      result.perSecond.toFixed(0),
      `${result.p50Ms.toFixed(1)} ms`,
      `${result.p99Ms.toFixed(1)} ms`,
      `${result.cpuMsPerCall.toFixed(2)} ms`,
      result.transactionsPerCall.toFixed(1),
      `${result.walBytesPerCall.toFixed(0)} B`,
      `${result.storedBytesPerCall.toFixed(0)} B`,
    ]),
  )
}
