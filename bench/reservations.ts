// What does the first call of an account cost? Many accounts, each called once: time of a reservation, in memory and on Postgres, and what an account leaves behind.
import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import type { Rate } from '../src/contract/connector.ts'
import { createPacer, type Pacer } from '../src/engine/pacing/pacer.ts'
import { createSharedPacer } from '../src/engine/pacing/shared-pacer.ts'
import { createPostgresStore } from '../src/store/postgres/postgres.ts'
import type { Store } from '../src/store/store.ts'
import { createVault } from '../src/store/vault.ts'
import { freshDatabase, startPostgres } from '../test/postgres.ts'
import { table } from './report.ts'

const rates: Rate[] = [
  { requests: 5, seconds: 1 },
  { requests: 300, seconds: 60 },
]

export interface ReservationsResult {
  where: string
  accounts: number
  p50Ms: number
  p99Ms: number
  perSecond: number
  bytesPerAccount: number // of this process
  rowBytes?: number // of the database
}

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void
function usedBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

async function measure(where: string, pacer: Pacer, accounts: number, atOnce: number): Promise<ReservationsResult> {
  for (let index = 0; index < 200; index++) await pacer.take({ accountId: `warm-${index}`, rates, caller: 'c', maxWaitMs: 1000 })
  const times = new Float64Array(accounts)
  const before = usedBytes()
  const began = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let index = next++; index < accounts; index = next++) {
        const asked = performance.now()
        await pacer.take({ accountId: `acc_${index.toString(36).padStart(20, '0')}`, rates, caller: 'c', maxWaitMs: 1000 })
        times[index] = performance.now() - asked
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  const bytes = usedBytes() - before
  times.sort()
  const at = (share: number) => times[Math.floor(accounts * share)] ?? 0
  // Kept alive until here: what it remembers is what is being weighed.
  pacer.waiting()
  return { where, accounts, p50Ms: at(0.5), p99Ms: at(0.99), perSecond: accounts / seconds, bytesPerAccount: Math.max(0, bytes / accounts) }
}

async function rowBytes(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("select pg_total_relation_size('pacing')::float / count(*) as bytes from pacing")
  await client.end()
  return rows[0].bytes as number
}

export async function benchReservations(accounts: number): Promise<ReservationsResult[]> {
  const results = [await measure('memory', createPacer({ scale: 1 }), accounts, 1)]
  const postgres = await startPostgres()
  try {
    for (const atOnce of [1, 4]) {
      const url = await freshDatabase(postgres.url)
      const store = await createPostgresStore({ url, vault: createVault([randomBytes(32)]) })
      await store.migrate()
      const pacer = createSharedPacer(store.pacing as NonNullable<Store['pacing']>, 1)
      results.push({ ...(await measure(`Postgres, ${atOnce} at once`, pacer, accounts, atOnce)), rowBytes: await rowBytes(url) })
      await store.close()
    }
  } finally {
    await postgres.stop()
  }
  return results
}

export function showReservations(results: readonly ReservationsResult[]): string {
  return table(
    ['where', 'accounts', 'p50', 'p99', 'reservations/s', 'memory per idle account', 'row in the database'],
    results.map(({ where, accounts, p50Ms, p99Ms, perSecond, bytesPerAccount, rowBytes: row }) => [
      where,
      String(accounts),
      `${p50Ms.toFixed(3)} ms`,
      `${p99Ms.toFixed(3)} ms`,
      perSecond.toFixed(0),
      `${bytesPerAccount.toFixed(0)} B`,
      row === undefined ? '–' : `${row.toFixed(0)} B`,
    ]),
  )
}
