// Who did what in the management API. Rows are added and never touched again: the database itself refuses, and each
// carries the hash of the one before.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  sqlite: { text: sql`text`, number: sql`integer`, end: sql`strict, without rowid` },
  postgres: { text: sql`text collate "C"`, number: sql`bigint`, end: sql`` },
}
const refusals = {
  sqlite: [
    sql`create trigger audit_no_update before update on audit begin select raise(abort, 'the audit log is append-only'); end`,
    sql`create trigger audit_no_delete before delete on audit begin select raise(abort, 'the audit log is append-only'); end`,
  ],
  postgres: [
    sql`create function audit_refuse() returns trigger language plpgsql as $$ begin raise exception 'the audit log is append-only'; end $$`,
    sql`create trigger audit_append_only before update or delete or truncate on audit for each statement execute function audit_refuse()`,
  ],
}

export function audit(kind: Store['kind']): Migration {
  const { text, number, end } = dialects[kind]
  const table = sql`create table audit (
    scope ${text} not null,
    sequence ${number} not null,
    at ${text} not null,
    actor ${text} not null,
    address ${text} not null,
    action ${text} not null,
    object ${text} not null,
    outcome ${text} not null,
    request_id ${text} not null,
    previous ${text} not null,
    hash ${text} not null,
    primary key (scope, sequence)
  ) ${end}`
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of [table, ...refusals[kind]]) await statement.execute(db)
    },
  }
}
