// Notices at the start that the database was restored or copied: its tables are others than those that the service used
// last, or the server went back to an earlier point (a new timeline).
import { type Kysely, sql } from 'kysely'
import type { Database } from '../table-types.ts'

/** A lease without an end, which the identity of the database holds. A dump and a copy contain it. */
const name = 'database identity'
const forever = 8_640_000_000_000_000
const lock = 7_461_120

/** `pg_restore` makes new tables, another server has another identifier, and a recovery begins a new timeline. */
async function identityOf(db: Kysely<Database>): Promise<string> {
  const parts = [
    sql<{
      part: string
    }>`select oid || '.' || 'feeds'::regclass::oid as part from pg_database where datname = current_database()`,
    sql<{ part: string }>`select system_identifier::text as part from pg_control_system()`,
    sql<{ part: string }>`select left(pg_walfile_name(pg_current_wal_lsn()), 8) as part`,
  ]
  const found: string[] = []
  // A provider may not allow one of them. The others still tell.
  for (const part of parts)
    found.push(
      await part.execute(db).then(
        ({ rows }) => rows[0]?.part ?? '',
        (error: { code?: string }) => {
          if (error.code === '42501') return ''
          throw error
        },
      ),
    )
  return found.join(' ')
}

async function knownIn(db: Kysely<Database>): Promise<string | undefined> {
  return (await db.selectFrom('leases').select('holder').where('name', '=', name).executeTakeFirst())?.holder
}

/** `onRestored` runs in the transaction that notes the new identity: once, whatever number of instances start. */
export async function noticeRestore(
  db: Kysely<Database>,
  onRestored: (transaction: Kysely<Database>) => Promise<void>,
): Promise<void> {
  const identity = await identityOf(db)
  if ((await knownIn(db)) === identity) return
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(transaction)
    const known = await knownIn(transaction)
    if (known === identity) return
    if (known !== undefined) await onRestored(transaction)
    const values = { name, holder: identity, lease_until: forever }
    await transaction
      .insertInto('leases')
      .values(values)
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute()
  })
}
