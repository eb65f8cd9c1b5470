// What was asked and what became of it, its sums over minutes and hours, imports of references, and the indexes that
// the dashboard's lists are read by.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  // Without a rowid the rows lie in the order of their key: those of one flush side by side.
  sqlite: {
    text: sql`text`,
    number: sql`integer`,
    real: sql`real`,
    end: sql`strict`,
    clustered: sql`strict, without rowid`,
  },
  postgres: {
    text: sql`text collate "C"`,
    number: sql`bigint`,
    real: sql`double precision`,
    end: sql``,
    clustered: sql``,
  },
}

export function activity(kind: Store['kind']): Migration {
  const { text, number, real, end, clustered } = dialects[kind]
  const ofAccount = sql`account_id ${text} not null references accounts (id) on delete cascade`
  const statements = [
    // A request id begins with its time, so the key is the order of time. No foreign keys: a deleted account's past
    // stays readable until its days are over.
    sql`create table activity (
      workspace_id ${text} not null,
      request_id ${text} not null,
      account_id ${text} not null,
      platform ${text} not null,
      credential_id ${text} not null,
      method ${text} not null,
      entity_type ${text} not null,
      operation ${text} not null,
      status ${number} not null,
      outcome ${text} not null,
      error_code ${text},
      total_ms ${number} not null,
      wait_ms ${number} not null,
      platform_ms ${number} not null,
      native_calls ${number} not null,
      external_id ${text},
      native_id ${text},
      way_id ${text} not null
    ) ${end}`,
    // The key, with what has few values behind it: a filter by platform, entity or outcome is decided from here,
    // without looking at a row.
    sql`create unique index activity_key on activity (workspace_id, request_id, platform, entity_type, outcome)`,
    sql`create index activity_of_account on activity (workspace_id, account_id, request_id)`,
    sql`create index activity_failed on activity (workspace_id, request_id, outcome, error_code) where outcome <> 'ok'`,
    sql`create index activity_by_external_id on activity (workspace_id, external_id, request_id) where external_id is not null`,
    sql`create index activity_by_native_id on activity (workspace_id, native_id, request_id) where native_id is not null`,
    // The ways of all requests of one flush under one seal: a seal of each would cost more than all the rest.
    sql`create table activity_ways (
      workspace_id ${text} not null,
      id ${text} not null,
      ways ${text} not null,
      primary key (workspace_id, id)
    ) ${clustered}`,
    sql`create table activity_sums (
      workspace_id ${text} not null,
      step ${number} not null,
      at ${number} not null,
      platform ${text} not null,
      requests ${number} not null,
      refused ${number} not null,
      failed ${number} not null,
      native_calls ${number} not null,
      throttled ${number} not null,
      wait_ms ${number} not null,
      wait_max_ms ${number} not null,
      total_ms ${number} not null,
      used_max ${real} not null,
      primary key (workspace_id, step, at, platform)
    ) ${clustered}`,
    sql`create index accounts_by_state on accounts (workspace_id, platform, state, id)`,
    sql`create index links_by_native_id on links (account_id, native_id)`,
    sql`create table reference_imports (
      ${ofAccount},
      id ${text} not null,
      state ${text} not null,
      format ${text} not null,
      entity_type ${text},
      content ${text} not null,
      total ${number} not null,
      position ${number} not null,
      linked ${number} not null,
      failed ${number} not null,
      errors ${text} not null,
      created_at ${text} not null,
      updated_at ${text} not null,
      primary key (account_id, id)
    ) ${end}`,
    sql`create index reference_imports_open on reference_imports (state) where state = 'running'`,
    sql`create index sessions_of_user on sessions (user_name)`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
