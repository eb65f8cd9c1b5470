// The cost of a slot. Many accounts, each called once: time of a reservation in memory and on PostgreSQL, and the
// memory of an idle account. Then one account with many concurrent requests.
import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import type { Rate } from '../src/contract/connector.ts'
import { createMemorySlots } from '../src/engine/outbound/pacing/memory-slots.ts'
import { createPacer, type Pacer } from '../src/engine/outbound/pacing/pacer.ts'
import { createPostgresSlots } from '../src/engine/outbound/pacing/postgres-slots.ts'
import { createPostgresStore } from '../src/store/postgres/postgres.ts'
import type { Store } from '../src/store/store.ts'
import { createVault } from '../src/store/vault.ts'
import { freshDatabase, startPostgres } from '../test/postgres.ts'
import { table } from './report.ts'

const rates: Rate[] = [
  { requests: 5, seconds: 1 },
  { requests: 300, seconds: 60 },
]
/** Of the busy account: never reached, so that only the reservations are measured. */
const wide: Rate[] = [{ requests: 1_000, seconds: 0.1 }]

export interface ReservationsResult {
  where: string
  accounts: number
  p50Ms: number
  p99Ms: number
  perSecond: number
  bytesPerAccount?: number // of this process
  rowBytes?: number // of the database
}

setFlagsFromString('--expose_gc')
const collectGarbage = runInNewContext('gc') as () => void
function usedBytes(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

interface Load {
  calls: number
  atOnce: number
  busy?: boolean // all calls on one account
}

async function measure(
  where: string,
  pacer: Pacer,
  { calls, atOnce, busy = false }: Load,
): Promise<ReservationsResult> {
  for (let index = 0; index < 200; index++)
    await pacer.take({ owner: `warm-${index}`, rates, caller: 'c', maxWaitMs: 1000 })
  const times = new Float64Array(calls)
  const before = usedBytes()
  const began = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let index = next++; index < calls; index = next++) {
        const asked = performance.now()
        const owner = busy ? 'busy' : `acc_${index.toString(36).padStart(20, '0')}`
        await pacer.take({ owner, rates: busy ? wide : rates, caller: 'c', maxWaitMs: 10_000 })
        times[index] = performance.now() - asked
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  const bytes = usedBytes() - before
  times.sort()
  const at = (share: number) => times[Math.floor(calls * share)] ?? 0
  // Referenced until here, because its memory is measured.
  pacer.waiting()
  const accounts = busy ? 1 : calls
  return {
    where,
    accounts,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    perSecond: calls / seconds,
    bytesPerAccount: busy ? undefined : Math.max(0, bytes / accounts),
  }
}

async function rowBytes(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query("select pg_total_relation_size('pacing')::float / count(*) as bytes from pacing")
  await client.end()
  return rows[0].bytes as number
}

export async function benchReservations(accounts: number): Promise<ReservationsResult[]> {
  const results = [
    await measure('memory', createPacer(createMemorySlots({ scale: 1 })), { calls: accounts, atOnce: 1 }),
  ]
  const postgres = await startPostgres()
  try {
    for (const [atOnce, busy] of [
      [1, false],
      [4, false],
      [64, true],
    ] as const) {
      const url = await freshDatabase(postgres.url)
      const store = await createPostgresStore({ url, vault: createVault([randomBytes(32)]) })
      await store.migrate()
      const pacer = createPacer(createPostgresSlots({ pacing: store.pacing as NonNullable<Store['pacing']>, scale: 1 }))
      const result = await measure(`Postgres, ${atOnce} at once${busy ? ', one account' : ''}`, pacer, {
        calls: accounts,
        atOnce,
        busy,
      })
      results.push(busy ? result : { ...result, rowBytes: await rowBytes(url) })
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
      bytesPerAccount === undefined ? '–' : `${bytesPerAccount.toFixed(0)} B`,
      row === undefined ? '–' : `${row.toFixed(0)} B`,
    ]),
  )
}
