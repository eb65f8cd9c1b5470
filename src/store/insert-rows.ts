// Inserts many rows cheaply. SQLite runs one prepared statement per row. PostgreSQL gets few statements, of a few
// sizes: building a query of a thousand values each time would cost more than running it.
import { CompiledQuery, type Kysely } from 'kysely'
import type { Store } from './store.ts'
import type { Database } from './table-types.ts'

const sizes = [64, 32, 16, 8, 4, 2, 1] as const
const texts = new Map<string, string>()

export interface Insertion {
  kind: Store['kind']
  table: keyof Database
  columns: readonly string[]
  /** The clause after the values. */
  conflict?: string
}
function textOf({ kind, table, columns, conflict = '' }: Insertion, rows: number): string {
  const name = `${kind} ${table} ${rows}`
  let text = texts.get(name)
  if (!text) {
    let index = 0
    const placeholder = () => (kind === 'postgres' ? `$${++index}` : '?')
    const tuples = Array.from({ length: rows }, () => `(${columns.map(placeholder).join(',')})`)
    text = `insert into ${table} (${columns.join(',')}) values ${tuples.join(',')} ${conflict}`
    texts.set(name, text)
  }
  return text
}

/** Inserts the rows in their order. */
export async function insertRows(db: Kysely<Database>, insertion: Insertion, rows: unknown[][]): Promise<void> {
  if (rows.length === 0) return
  if (insertion.kind === 'sqlite') {
    await db.executeQuery(CompiledQuery.raw(textOf(insertion, 1), rows))
    return
  }
  for (let first = 0; first < rows.length; ) {
    const size = sizes.find((candidate) => candidate <= rows.length - first) as (typeof sizes)[number]
    await db.executeQuery(CompiledQuery.raw(textOf(insertion, size), rows.slice(first, first + size).flat()))
    first += size
  }
}
