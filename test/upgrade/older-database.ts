// A database of version 0.1.0, from a dump that the version itself made.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { sqliteFileIn } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'

export const olderKey = Buffer.alloc(32, 1)
const dump = (name: string) => readFileSync(join(import.meta.dirname, `0.1.0-${name}.sql`), 'utf8')

/** Runs the statements on a SQLite file or the database of a URL, and returns the rows of the last one. */
export async function runSql(kind: Store['kind'], place: string, statements: string): Promise<unknown[]> {
  if (kind === 'sqlite') {
    const file = new DatabaseSync(place)
    if (statements.startsWith('select')) {
      const rows = file.prepare(statements).all()
      file.close()
      return rows
    }
    file.exec(statements)
    file.close()
    return []
  }
  const client = new pg.Client({ connectionString: place })
  await client.connect()
  const { rows } = await client.query<object>(statements)
  await client.end()
  return rows
}

/** Fills an empty data directory or database. The process that made it was killed two minutes ago. */
export async function fillOlderDatabase(kind: Store['kind'], place: string): Promise<void> {
  const ago = Date.now() - 120_000
  const times = `update journal_steps set sent_at = ${ago}; update journal set lease_until = ${ago},
    started_at = '${new Date(ago).toISOString()}' where state = 'in_flight';`
  await runSql(kind, place, `begin; ${dump(kind)} ${dump('rows')} ${times} commit`)
}

export const placeOf = (kind: Store['kind'], dataDir: string, url: string): string =>
  kind === 'sqlite' ? sqliteFileIn(dataDir) : url
