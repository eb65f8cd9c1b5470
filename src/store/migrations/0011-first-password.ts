// A generated password of the first user, sealed, until it has been printed: a crash between storing and printing does
// not lose it.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

export function firstPassword(kind: Store['kind']): Migration {
  const text = kind === 'sqlite' ? sql`text` : sql`text collate "C"`
  return {
    async up(db: Kysely<unknown>) {
      await sql`alter table users add column unprinted_password ${text}`.execute(db)
    },
  }
}
