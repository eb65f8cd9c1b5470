// The guard against duplicates. One row per content names the key that it was last written under. It is claimed in the
// transaction that begins the write, so of several instances with the same content only one begins.
import { type Kysely, sql, type Transaction } from 'kysely'
import type { EntryKey, WriteGuard } from '../store.ts'
import type { Database, JournalRow, StoreContext } from '../table-types.ts'
import type { BegunEntry } from './journal-batches.ts'

type Outcome = { begun: true } | { begun: false; row?: JournalRow; isDuplicate?: true }

/** Undoes the claim: another request began the same key in the meantime. */
class KeyTaken extends Error {}

const primaryKey = ['account_id', 'entity_type', 'fingerprint'] as const

export function createWriteGuards(
  { reads, writes, now }: StoreContext,
  insert: (transaction: Transaction<Database>, entry: BegunEntry) => Promise<boolean>,
) {
  const entryOf = (database: Kysely<Database>, key: EntryKey) =>
    database
      .selectFrom('journal')
      .selectAll()
      .where('account_id', '=', key.accountId)
      .where('entity_type', '=', key.entityType)
      .where('external_id', '=', key.externalId)
      .executeTakeFirst()

  /** The entry of the key that has the content, if it counts. A write that failed has no entry: its content is free. */
  async function duplicateOf(
    database: Kysely<Database>,
    key: EntryKey,
    { first, age, windowMs }: { first: string; age: number; windowMs: number },
  ): Promise<JournalRow | undefined> {
    const other = first === key.externalId ? undefined : await entryOf(database, { ...key, externalId: first })
    return other && (other.state !== 'done' || age < windowMs) ? other : undefined
  }

  async function begin(
    transaction: Transaction<Database>,
    entry: BegunEntry,
    { fingerprint, windowMs, isConfirmed }: WriteGuard,
  ): Promise<Outcome> {
    const ownEntry = await entryOf(transaction, entry)
    if (ownEntry) return { begun: false, row: ownEntry }
    // Changes nothing in a row that is there, and waits for a transaction that holds it. What the next statements read
    // is committed.
    const { external_id: first, age } = await transaction
      .insertInto('write_guards')
      .values({
        account_id: entry.accountId,
        entity_type: entry.entityType,
        fingerprint,
        external_id: entry.externalId,
        begun_at: now,
      })
      .onConflict((conflict) =>
        conflict.columns(primaryKey).doUpdateSet((column) => ({ external_id: column.ref('write_guards.external_id') })),
      )
      .returning(['external_id', sql<number>`${now} - begun_at`.as('age')])
      .executeTakeFirstOrThrow()
    const other = isConfirmed ? undefined : await duplicateOf(transaction, entry, { first, age, windowMs })
    if (other) return { begun: false, row: other, isDuplicate: true }
    await transaction
      .updateTable('write_guards')
      .set({ external_id: entry.externalId, begun_at: now })
      .where('account_id', '=', entry.accountId)
      .where('entity_type', '=', entry.entityType)
      .where('fingerprint', '=', fingerprint)
      .execute()
    if (!(await insert(transaction, entry))) throw new KeyTaken()
    return { begun: true }
  }

  return {
    async begin(entry: BegunEntry, guard: WriteGuard): Promise<Outcome> {
      try {
        return await writes.transaction().execute((transaction) => begin(transaction, entry, guard))
      } catch (error) {
        if (error instanceof KeyTaken) return { begun: false }
        throw error
      }
    },
    async duplicateOf(
      key: EntryKey,
      { fingerprint, windowMs, isConfirmed }: WriteGuard,
    ): Promise<JournalRow | undefined> {
      if (isConfirmed) return undefined
      const claim = await reads
        .selectFrom('write_guards')
        .select(['external_id', sql<number>`${now} - begun_at`.as('age')])
        .where('account_id', '=', key.accountId)
        .where('entity_type', '=', key.entityType)
        .where('fingerprint', '=', fingerprint)
        .executeTakeFirst()
      return claim && duplicateOf(reads, key, { first: claim.external_id, age: Number(claim.age), windowMs })
    },
    /** Those of writes that began before `ageMs` and are not open. */
    async forget(ageMs: number): Promise<void> {
      await writes
        .deleteFrom('write_guards')
        .where('begun_at', '<=', sql<number>`(select ${now} - ${ageMs})`)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('journal')
                .select('journal.write_id')
                .whereRef('journal.account_id', '=', 'write_guards.account_id')
                .whereRef('journal.entity_type', '=', 'write_guards.entity_type')
                .whereRef('journal.external_id', '=', 'write_guards.external_id')
                .where('journal.state', '<>', 'done'),
            ),
          ),
        )
        .execute()
    },
  }
}
