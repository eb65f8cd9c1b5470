// A real Postgres whose `clock_timestamp()` is the time of the test.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { createPostgresStore } from '../src/store/postgres/postgres.ts'
import type { Store } from '../src/store/store.ts'
import { createVault } from '../src/store/vault.ts'
import type { FakeProcess } from './fake-time.ts'
import { freshDatabase } from './postgres.ts'
import { throughPooler } from './store-on.ts'

type Pacing = NonNullable<Store['pacing']>

export interface PacingDatabase {
  /** The database of one process. `onReserve` is called before every reservation. */
  pacingOf(process: FakeProcess, onReserve?: (reservation: Parameters<Pacing['reserve']>[1]) => void): Pacing
  query(text: string, values: unknown[], now: number): Promise<pg.QueryResult>
  close(): Promise<void>
}

export async function createPacingDatabase(): Promise<PacingDatabase> {
  const url = await freshDatabase(inject('postgresUrl'), inject('postgresTemplate'))
  const client = new pg.Pool({ connectionString: url, max: 1 })
  await client.query(`create table test_clock (milliseconds double precision); insert into test_clock values (0);
    create function public.clock_timestamp() returns timestamptz language sql volatile as 'select to_timestamp(milliseconds / 1000) from test_clock'`)
  // Before the built-in function of the same name: for every connection from now on, and for this one.
  await client.query(
    `alter database ${new URL(url).pathname.slice(1)} set search_path = public, pg_catalog; set search_path = public, pg_catalog`,
  )
  const store = await createPostgresStore({
    url: throughPooler(url),
    directUrl: url,
    vault: createVault([randomBytes(32)]),
  })
  const pacing = store.pacing as Pacing
  let shown = 0
  let setting: Promise<unknown> = Promise.resolve()
  /** Most queries come at the time of another one. */
  function setClock(now: number): Promise<unknown> {
    if (now !== shown) {
      shown = now
      setting = client.query({
        name: 'set_clock',
        text: 'update test_clock set milliseconds = $1',
        values: [now],
      })
    }
    return setting
  }

  return {
    pacingOf(process, onReserve) {
      async function through<T>(work: () => Promise<T>): Promise<T> {
        try {
          return await process.time.outside(async () => {
            await setClock(process.now())
            return await work()
          })
        } finally {
          await process.turn()
        }
      }
      return {
        reserve(owner, reservation) {
          onReserve?.(reservation)
          return through(() => pacing.reserve(owner, reservation))
        },
        reserveInBackground: (owner, reservation) => through(() => pacing.reserveInBackground(owner, reservation)),
        moment: () => through(pacing.moment),
        hold: (owner, milliseconds) => through(() => pacing.hold(owner, milliseconds)),
        sharePermits: (owner, report) => through(() => pacing.sharePermits(owner, report)),
        dropPermits: (instance) => through(() => pacing.dropPermits(instance)),
      }
    },
    async query(text, values, now) {
      await setClock(now)
      return client.query(text, values)
    },
    async close() {
      await store.close()
      await client.end()
    },
  }
}
