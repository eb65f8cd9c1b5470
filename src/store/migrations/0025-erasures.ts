// People whose kept forms are blanked in the log and in deliveries, because the platform has deleted them.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  sqlite: { text: sql`text`, number: sql`integer`, end: sql`strict` },
  postgres: { text: sql`text collate "C"`, number: sql`bigint`, end: sql`` },
}

export function erasures(kind: Store['kind']): Migration {
  const { text, number, end } = dialects[kind]
  const statements = [
    sql`create table erasures (
      account_id ${text} not null references feeds (account_id) on delete cascade,
      entity_type ${text} not null,
      native_id ${text} not null,
      after_sequence ${number} not null,
      passes ${number} not null,
      due_at ${number} not null,
      primary key (account_id, entity_type, native_id)
    ) ${end}`,
    sql`create index webhook_deliveries_of_change on webhook_deliveries (account_id, sequence)`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
