// Encrypts every sealed value with the newest key, in short batches while the service runs.
import { sql } from 'kysely'
import { accounts, connectLinks, platformApps } from './accounts-schema.ts'
import { changeLog } from './changes-schema.ts'
import { migrationRecords, migrations } from './migrations-schema.ts'
import { hooks } from './platform-webhooks-schema.ts'
import { associatedData, isPlainList } from './sealed-json.ts'
import type { StoreContext } from './table-types.ts'

interface SealedTable {
  table: string
  key: readonly string[]
  columns: readonly string[]
}
type Row = Record<string, string | null>

const sealedTables: readonly SealedTable[] = [
  ...[accounts, connectLinks, platformApps, changeLog, hooks, migrations, migrationRecords].map(
    ({ name, key, sealed }) => ({ table: name, key, columns: sealed }),
  ),
  { table: 'journal', key: ['account_id', 'entity_type', 'external_id'], columns: ['record', 'answer'] },
  { table: 'journal_steps', key: ['account_id', 'write_id', 'name'], columns: ['request', 'value'] },
  { table: 'users', key: ['name'], columns: ['unprinted_password'] },
  { table: 'watches', key: ['id'], columns: ['state'] },
  { table: 'change_hints', key: ['account_id', 'entity_type', 'native_id'], columns: ['record'] },
  { table: 'workspace_events', key: ['workspace_id', 'sequence'], columns: ['data'] },
  { table: 'webhook_endpoints', key: ['id'], columns: ['secrets'] },
  { table: 'webhook_deliveries', key: ['endpoint_id', 'id'], columns: ['body', 'log'] },
  { table: 'activity_ways', key: ['workspace_id', 'id'], columns: ['ways'] },
]
const batch = 200

export async function resealAll(context: StoreContext): Promise<number> {
  let changed = 0
  for (const sealed of sealedTables) {
    let after: readonly string[] | undefined
    do {
      const rows = await nextRows(context, sealed, after)
      for (const row of rows) changed += await resealRow(context, sealed, row)
      const last = rows.at(-1)
      after = rows.length === batch && last ? keyOf(sealed, last) : undefined
    } while (after)
  }
  return changed
}

const keyOf = ({ key }: SealedTable, row: Row): string[] => key.map((column) => row[column] as string)

async function nextRows(
  { reads }: StoreContext,
  { table, key, columns }: SealedTable,
  after: readonly string[] | undefined,
): Promise<Row[]> {
  const keyColumns = sql.join(key.map((column) => sql.ref(column)))
  const position = after ? sql`where (${keyColumns}) > (${sql.join(after)})` : sql``
  const selected = sql.join([...key, ...columns].map((column) => sql.ref(column)))
  const { rows } =
    await sql<Row>`select ${selected} from ${sql.table(table)} ${position} order by ${keyColumns} limit ${batch}`.execute(
      reads,
    )
  return rows
}

async function resealRow({ writes, vault, lookups }: StoreContext, sealed: SealedTable, row: Row): Promise<number> {
  const key = keyOf(sealed, row)
  const isRow = sql.join(
    sealed.key.map((column, index) => sql`${sql.ref(column)} = ${key[index]}`),
    sql` and `,
  )
  let changed = 0
  for (const column of sealed.columns) {
    const before = row[column]
    if (!before || before === '[]' || !vault.outdated(before)) continue
    const bound = associatedData(sealed.table, column, key)
    const fresh = vault.seal(isPlainList(before) ? before : vault.open(before, bound), bound)
    // Only if the value has not changed since it was read: a newer one must not be overwritten.
    const update = sql`update ${sql.table(sealed.table)} set ${sql.ref(column)} = ${fresh} where ${isRow} and ${sql.ref(column)} = ${before}`
    const result = await lookups.changing(['accounts'], update.execute(writes))
    changed += Number(result.numAffectedRows ?? 0)
  }
  return changed
}
