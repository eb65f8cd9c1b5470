// What was written recently under the guard against duplicates: which key has which content.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  sqlite: { text: sql`text`, number: sql`integer`, end: sql`strict` },
  postgres: { text: sql`text collate "C"`, number: sql`bigint`, end: sql`` },
}

export function writeGuards(kind: Store['kind']): Migration {
  const { text, number, end } = dialects[kind]
  const statements = [
    sql`create table write_guards (
      account_id ${text} not null references accounts (id) on delete cascade,
      entity_type ${text} not null,
      fingerprint ${text} not null,
      external_id ${text} not null,
      begun_at ${number} not null,
      primary key (account_id, entity_type, fingerprint)
    ) ${end}`,
    sql`create index write_guards_by_age on write_guards (begun_at)`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
