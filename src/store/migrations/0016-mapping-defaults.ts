// A mapping belongs to an account, to a platform, or to the whole workspace, and each of these can have a default per
// entity type and direction.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  sqlite: { text: sql`text`, number: sql`integer`, end: sql`strict` },
  postgres: { text: sql`text collate "C"`, number: sql`bigint`, end: sql`` },
}

export function mappingDefaults(kind: Store['kind']): Migration {
  const { text, number, end } = dialects[kind]
  const ofWorkspace = sql`workspace_id ${text} not null references workspaces (id)`
  const ofAccount = sql`account_id ${text} references accounts (id) on delete cascade`
  const statements = [
    // SQLite cannot make a column nullable: the table is copied, on both databases alike.
    sql`create table owned_mappings (
      ${ofWorkspace},
      id ${text} not null,
      version ${number} not null,
      ${ofAccount},
      platform ${text},
      entity_type ${text} not null,
      direction ${text} not null,
      name ${text} not null,
      rules ${text} not null,
      created_at ${text} not null,
      primary key (workspace_id, id, version)
    ) ${end}`,
    sql`insert into owned_mappings (workspace_id, id, version, account_id, entity_type, direction, name, rules, created_at)
      select workspace_id, id, version, account_id, entity_type, direction, name, rules, created_at from mappings`,
    sql`drop table mappings`,
    sql`alter table owned_mappings rename to mappings`,
    sql`create unique index mappings_by_id on mappings (id, version)`,
    sql`create index mappings_of_account on mappings (account_id, id)`,
    // owner: an account id, a platform, or the empty string for the workspace. No mapping_id: the built-in mapping.
    sql`create table mapping_defaults (
      ${ofWorkspace},
      scope ${text} not null,
      owner ${text} not null,
      entity_type ${text} not null,
      direction ${text} not null,
      ${ofAccount},
      mapping_id ${text},
      created_at ${text} not null,
      primary key (workspace_id, scope, owner, entity_type, direction)
    ) ${end}`,
    sql`create index mapping_defaults_of_account on mapping_defaults (account_id)`,
    sql`create index mapping_defaults_of_mapping on mapping_defaults (mapping_id)`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
