// Whose ids the references of a create are: the sweep finishes it as its own request said.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

export function referenceMode(kind: Store['kind']): Migration {
  const text = kind === 'sqlite' ? sql`text` : sql`text collate "C"`
  return {
    async up(db: Kysely<unknown>) {
      await sql`alter table journal add column reference_mode ${text}`.execute(db)
    },
  }
}
