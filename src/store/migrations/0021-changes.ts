// The change feed. `feeds` is the parent of an account's rows: a worker locks its feed first, so that it never waits for
// the deletion of the account. A watch outlives its account or its setting without `account_id`: its rows in the index
// can be a million, and `prune` removes them in batches.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  sqlite: {
    text: sql`text`,
    number: sql`integer`,
    small: sql`integer`,
    bytes: sql`blob`,
    watchId: sql`id integer primary key autoincrement`,
    end: sql`strict`,
    byKey: sql`strict, without rowid`,
  },
  postgres: {
    text: sql`text collate "C"`,
    number: sql`bigint`,
    small: sql`integer`,
    bytes: sql`bytea`,
    watchId: sql`id integer generated always as identity primary key`,
    end: sql``,
    byKey: sql``,
  },
}

export function changes(kind: Store['kind']): Migration {
  const { text, number, small, bytes, watchId, end, byKey } = dialects[kind]
  const ofFeed = sql`account_id ${text} not null references feeds (account_id) on delete cascade`
  const statements = [
    sql`create table watch_settings (
      workspace_id ${text} not null references workspaces (id),
      owner ${text} not null,
      entity_type ${text} not null,
      account_id ${text} references accounts (id) on delete cascade,
      settings ${text} not null,
      primary key (workspace_id, owner, entity_type)
    ) ${end}`,
    sql`create index watch_settings_of_account on watch_settings (account_id)`,
    sql`create table feeds (
      account_id ${text} not null primary key references accounts (id) on delete cascade,
      workspace_id ${text} not null,
      head ${number} not null,
      detected_at ${number} not null,
      last_epoch ${number} not null,
      fence ${number} not null,
      holder ${text} not null,
      lease_until ${number} not null,
      due_at ${number} not null,
      rest_until ${number} not null
    ) ${end}`,
    sql`create index feeds_by_due on feeds (due_at)`,
    sql`create table watches (
      ${watchId},
      account_id ${text} references feeds (account_id) on delete set null,
      entity_type ${text} not null,
      epoch ${number} not null,
      state ${text} not null
    ) ${end}`,
    sql`create unique index watches_of_account on watches (account_id, entity_type)`,
    sql`create index watches_ended on watches (id) where account_id is null`,
    // No reference to the watch: the check would cost more than the insert.
    sql`create table watch_records (
      watch ${small} not null,
      revision ${small} not null,
      modified ${number},
      native_id ${text} not null,
      fingerprint ${bytes} not null,
      digest ${bytes},
      grp ${text},
      primary key (watch, native_id)
    ) ${byKey}`,
    sql`create index watch_records_by_group on watch_records (watch, grp) where grp is not null`,
    sql`create table walk_seen (
      watch ${small} not null,
      page ${small} not null,
      hashes ${bytes} not null,
      primary key (watch, page)
    ) ${end}`,
    sql`create table watch_missing (
      watch ${small} not null,
      native_id ${text} not null,
      since_walk ${number} not null,
      since ${number} not null,
      reads ${number} not null,
      primary key (watch, native_id)
    ) ${byKey}`,
    sql`create table watch_unlisted (
      watch ${small} not null,
      native_id ${text} not null,
      next_check_at ${number} not null,
      checks ${number} not null,
      primary key (watch, native_id)
    ) ${byKey}`,
    sql`create index watch_unlisted_by_check on watch_unlisted (watch, next_check_at)`,
    sql`create table change_log (
      ${ofFeed},
      sequence ${number} not null,
      tag ${bytes} not null,
      entity_type ${text} not null,
      epoch ${number} not null,
      operation ${text} not null,
      native_id ${text} not null,
      detected_at ${number} not null,
      modified_at ${number},
      origin ${text} not null,
      written_by ${text},
      changed ${text},
      replaced_by ${text},
      record ${text},
      primary key (account_id, sequence)
    ) ${end}`,
    sql`create index change_log_of_record on change_log (account_id, entity_type, native_id, sequence)`,
    sql`create index change_log_by_age on change_log (detected_at, sequence)`,
    sql`create table change_hints (
      ${ofFeed},
      entity_type ${text} not null,
      native_id ${text} not null,
      counter ${number} not null,
      origin ${text} not null,
      due_at ${number} not null,
      first_at ${number} not null,
      written_by ${text},
      record ${text},
      gone ${number} not null,
      replaced_by ${text},
      attempts ${number} not null,
      primary key (account_id, entity_type, native_id)
    ) ${end}`,
    sql`create index change_hints_by_due on change_hints (account_id, due_at)`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
