import { sql } from 'kysely'
import type { Store } from '../../store.ts'
import { columnTypes } from '../column-types.ts'
import type { ReleaseMigration } from '../part.ts'
import { pace, paceGiveBack, paceHold, paceLate, paceSlot, pacingTable } from './pacing.ts'
import { coreTables } from './tables.ts'

/** The database itself refuses to change or delete an entry of the audit log. */
const appendOnly = {
  sqlite: [
    sql`create trigger audit_no_update before update on audit begin select raise(abort, 'the audit log is append-only'); end`,
    sql`create trigger audit_no_delete before delete on audit begin select raise(abort, 'the audit log is append-only'); end`,
  ],
  postgres: [
    sql`create function audit_refuse() returns trigger language plpgsql as $$ begin raise exception 'the audit log is append-only'; end $$`,
    sql`create trigger audit_append_only before update or delete or truncate on audit for each statement execute function audit_refuse()`,
  ],
}

export function release010(kind: Store['kind']): ReleaseMigration {
  const { text, number, byKey } = columnTypes[kind]
  // On SQLite, one process has its slots in memory.
  const shared = <T>(statements: T[]): T[] => (kind === 'postgres' ? statements : [])
  return {
    name: '0001-version-0.1.0',
    parts: [
      ...coreTables(kind),
      { name: '0002-pacing', statements: shared([pacingTable, pace, paceHold, paceGiveBack]) },
      {
        name: '0005-audit',
        statements: [
          sql`create table audit (
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
          ) ${byKey}`,
          ...appendOnly[kind],
        ],
      },
      { name: '0008-late-slots', statements: shared([paceLate]) },
      { name: '0009-pacing-leeway', statements: [] },
      { name: '0010-short-slots', statements: shared([paceSlot]) },
      // Sealed, until it has been printed: a crash between storing and printing does not lose it.
      { name: '0011-first-password', statements: [sql`alter table users add column unprinted_password ${text}`] },
    ],
  }
}
