// Calls of each business in buckets of 15 minutes, for platforms that limit the calls of a day.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const dialects = {
  sqlite: { text: sql`text`, number: sql`integer`, end: sql`strict` },
  postgres: { text: sql`text collate "C"`, number: sql`bigint`, end: sql`` },
}

export function dailyCalls(kind: Store['kind']): Migration {
  const { text, number, end } = dialects[kind]
  return {
    async up(db: Kysely<unknown>) {
      await sql`create table daily_calls (
        owner ${text} not null,
        bucket ${number} not null,
        calls ${number} not null,
        primary key (owner, bucket)
      ) ${end}`.execute(db)
      await sql`create index daily_calls_by_bucket on daily_calls (bucket)`.execute(db)
    },
  }
}
