// A migration that has shipped is never edited: what changes comes as the next one.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

/**
 * Column types that mean the same on both: text in byte order (pages are walked by key, whatever the server's locale),
 * whole numbers of 64 bits.
 */
const dialects = {
  sqlite: { text: sql`text`, number: sql`integer`, end: sql`strict` },
  postgres: { text: sql`text collate "C"`, number: sql`bigint`, end: sql`` },
}

export function firstTables(kind: Store['kind']): Migration {
  const { text, number, end } = dialects[kind]
  const ofAccount = sql`account_id ${text} not null references accounts (id) on delete cascade`
  const ofWorkspace = sql`workspace_id ${text} not null references workspaces (id)`

  const statements = [
    sql`create table workspaces (
      id ${text} not null primary key,
      name ${text} not null,
      created_at ${text} not null
    ) ${end}`,
    sql`create table credentials (
      id ${text} not null primary key,
      kind ${text} not null,
      ${ofWorkspace},
      name ${text} not null,
      secret_hash ${text} not null,
      generation ${number} not null,
      created_at ${text} not null,
      rotated_at ${text},
      last_used_at ${text},
      revoked_at ${text}
    ) ${end}`,
    sql`create index credentials_of_workspace on credentials (workspace_id, kind, id)`,
    sql`create table accounts (
      id ${text} not null primary key,
      ${ofWorkspace},
      platform ${text} not null,
      vertical ${text} not null,
      name ${text} not null,
      state ${text} not null,
      state_reason ${text},
      settings ${text} not null,
      auth ${text} not null,
      credentials ${text} not null,
      revision ${number} not null,
      created_at ${text} not null,
      updated_at ${text} not null
    ) ${end}`,
    sql`create index accounts_of_workspace on accounts (workspace_id, id)`,
    sql`create table mappings (
      ${ofAccount},
      id ${text} not null,
      version ${number} not null,
      ${ofWorkspace},
      entity_type ${text} not null,
      direction ${text} not null,
      name ${text} not null,
      rules ${text} not null,
      created_at ${text} not null,
      primary key (account_id, id, version)
    ) ${end}`,
    sql`create unique index mappings_by_id on mappings (id, version)`,
    sql`create table mapping_keys (
      ${ofAccount},
      key ${text} not null,
      ${ofWorkspace},
      direction ${text} not null,
      is_default ${number} not null,
      entity_type ${text},
      mapping_id ${text},
      created_at ${text} not null,
      primary key (account_id, key)
    ) ${end}`,
    sql`create unique index mapping_keys_by_key on mapping_keys (key)`,
    sql`create table links (
      ${ofAccount},
      entity_type ${text} not null,
      source_id ${text} not null,
      native_id ${text} not null,
      origin ${text} not null,
      created_at ${text} not null,
      primary key (account_id, entity_type, source_id)
    ) ${end}`,
    sql`create table journal (
      ${ofAccount},
      entity_type ${text} not null,
      external_id ${text} not null,
      write_id ${text} not null,
      state ${text} not null,
      content_hash ${text} not null,
      record ${text} not null,
      started_at ${text} not null,
      answer ${text},
      native_id ${text},
      detail ${text},
      holder ${text} not null,
      lease_until ${number} not null,
      primary key (account_id, entity_type, external_id)
    ) ${end}`,
    // Only what somebody may have to finish: it stays small however long the journal grows.
    sql`create index journal_open on journal (lease_until) where state in ('in_flight', 'unknown')`,
    sql`create table journal_steps (
      ${ofAccount},
      write_id ${text} not null,
      name ${text} not null,
      sequence ${number} not null,
      request ${text} not null,
      sent_at ${number} not null,
      done ${number} not null,
      value ${text},
      primary key (account_id, write_id, name)
    ) ${end}`,
    sql`create table leases (
      name ${text} not null primary key,
      holder ${text} not null,
      lease_until ${number} not null
    ) ${end}`,
    sql`create table users (
      name ${text} not null primary key,
      password_hash ${text} not null
    ) ${end}`,
    sql`create table sessions (
      token_hash ${text} not null primary key,
      user_name ${text} not null,
      expires_at ${text} not null
    ) ${end}`,
    sql`create index sessions_by_end on sessions (expires_at)`,
  ]

  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
