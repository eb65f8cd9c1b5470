// How the pages for customers present a workspace.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

export function branding(kind: Store['kind']): Migration {
  const text = kind === 'sqlite' ? sql`text` : sql`text collate "C"`
  return {
    async up(db: Kysely<unknown>) {
      await sql`create table branding (
        workspace_id ${text} primary key references workspaces (id) on delete cascade,
        branding ${text} not null
      ) ${kind === 'sqlite' ? sql`strict` : sql``}`.execute(db)
    },
  }
}
