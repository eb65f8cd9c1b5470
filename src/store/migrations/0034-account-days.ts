// Sums per account and day, which stay when the activity itself is pruned; queue times in buckets, for percentiles;
// and which requests are those of the dashboard.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'
import { waitColumns } from '../wait-buckets.ts'

const dialects = {
  sqlite: { text: sql`text`, number: sql`integer`, real: sql`real`, end: sql`strict, without rowid` },
  postgres: { text: sql`text collate "C"`, number: sql`bigint`, real: sql`double precision`, end: sql`` },
}

export function accountDays(kind: Store['kind']): Migration {
  const { text, number, real, end } = dialects[kind]
  const buckets = waitColumns.map((name) => sql`${sql.ref(name)} ${number} not null default 0`)
  const statements = [
    sql`create table account_days (
      workspace_id ${text} not null,
      account_id ${text} not null,
      at ${number} not null,
      requests ${number} not null,
      refused ${number} not null,
      failed ${number} not null,
      native_calls ${number} not null,
      throttled ${number} not null,
      wait_ms ${number} not null,
      wait_max_ms ${number} not null,
      total_ms ${number} not null,
      used_max ${real} not null,
      ${sql.join(buckets)},
      primary key (workspace_id, account_id, at)
    ) ${end}`,
    ...buckets.map((bucket) => sql`alter table activity_sums add column ${bucket}`),
    sql`alter table activity add column is_own ${number} not null default 0`,
  ]
  return {
    async up(db: Kysely<unknown>) {
      for (const statement of statements) await statement.execute(db)
    },
  }
}
