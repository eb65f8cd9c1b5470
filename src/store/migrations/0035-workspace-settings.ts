// Settings of a workspace: where connect links may return to, and how long its activity is kept.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

export function workspaceSettings(kind: Store['kind']): Migration {
  const text = kind === 'sqlite' ? sql`text` : sql`text collate "C"`
  return {
    async up(db: Kysely<unknown>) {
      await sql`create table workspace_settings (
        workspace_id ${text} primary key references workspaces (id) on delete cascade,
        settings ${text} not null
      ) ${kind === 'sqlite' ? sql`strict` : sql``}`.execute(db)
    },
  }
}
