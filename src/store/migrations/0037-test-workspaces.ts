// Workspaces whose accounts may only be in test environments. Accounts carry the mark, because every call checks it.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

export function testWorkspaces(kind: Store['kind']): Migration {
  const number = kind === 'sqlite' ? sql`integer` : sql`bigint`
  return {
    async up(db: Kysely<unknown>) {
      await sql`alter table workspaces add column is_test ${number} not null default 0`.execute(db)
      await sql`alter table accounts add column test_only ${number} not null default 0`.execute(db)
    },
  }
}
