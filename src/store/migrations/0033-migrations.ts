// Migrations between two accounts, the writes that they know of, and what their targets had before.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

export function accountMigrations(kind: Store['kind']): Migration {
  const text = kind === 'sqlite' ? sql`text` : sql`text collate "C"`
  const end = kind === 'sqlite' ? sql`strict` : sql``
  const statements = [
    sql`create table migrations (
      workspace_id ${text} not null references workspaces (id) on delete cascade,
      id ${text} not null,
      from_account ${text} not null references accounts (id) on delete cascade,
      to_account ${text} not null references accounts (id) on delete cascade,
      state ${text} not null,
      options ${text} not null,
      progress ${text} not null,
      meta ${text} not null,
      error ${text},
      plan ${text},
      report ${text},
      created_by ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (workspace_id, id)
    ) ${end}`,
    sql`create index migrations_open on migrations (state) where state in ('planning', 'running')`,
    sql`create index migrations_from on migrations (from_account)`,
    sql`create index migrations_to on migrations (to_account)`,
    sql`create table migration_records (
      workspace_id ${text} not null,
      migration_id ${text} not null,
      entity_type ${text} not null,
      source_id ${text} not null,
      target_id ${text},
      source_hash ${text},
      written ${text},
      failure ${text},
      reason ${text},
      primary key (workspace_id, migration_id, entity_type, source_id),
      foreign key (workspace_id, migration_id) references migrations (workspace_id, id) on delete cascade
    ) ${end}`,
    sql`create index migration_records_target
      on migration_records (workspace_id, migration_id, entity_type, target_id)`,
    sql`create table migration_before (
      workspace_id ${text} not null,
      migration_id ${text} not null,
      entity_type ${text} not null,
      native_id ${text} not null,
      primary key (workspace_id, migration_id, entity_type, native_id),
      foreign key (workspace_id, migration_id) references migrations (workspace_id, id) on delete cascade
    ) ${end}`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
