// What a database consists of, as text that can be compared: tables with the order of their columns, indexes,
// constraints, triggers and functions.
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Store } from '../src/store/store.ts'

const ofPostgres = [
  `select 'column ' || c.relname || ' ' || row_number() over (partition by c.oid order by a.attnum) || ' ' || a.attname || ' ' ||
     format_type(a.atttypid, a.atttypmod) || ' ' || coalesce(l.collname, '') || ' ' || a.attnotnull || ' ' || a.attidentity::text || ' ' ||
     c.relpersistence::text || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
   from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum left join pg_collation l on l.oid = a.attcollation
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v')`,
  `select 'index ' || pg_get_indexdef(indexrelid) from pg_index join pg_class c on c.oid = indrelid
   where c.relnamespace = 'public'::regnamespace`,
  `select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) from pg_constraint
   where connamespace = 'public'::regnamespace and contype <> 't'`,
  `select 'trigger ' || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal`,
  `select 'function ' || pg_get_functiondef(oid) from pg_proc where pronamespace = 'public'::regnamespace`,
]
const ofSqlite = 'select sql from sqlite_schema where sql is not null'

/** Sorted, with single spaces. */
export async function schemaOf(kind: Store['kind'], place: string): Promise<string[]> {
  const rows: string[] = []
  if (kind === 'sqlite') {
    const file = new DatabaseSync(place, { readOnly: true })
    rows.push(
      ...file
        .prepare(ofSqlite)
        .all()
        .map(({ sql }) => String(sql)),
    )
    file.close()
  } else {
    const client = new pg.Client({ connectionString: place })
    await client.connect()
    for (const query of ofPostgres) {
      const result = await client.query<[string]>({ text: query, rowMode: 'array' })
      rows.push(...result.rows.map(([row]) => row))
    }
    await client.end()
  }
  return rows.map((row) => row.replace(/\s+/g, ' ').trim()).sort()
}
