// The statements that every write needs, for several writes at once. The rows are one parameter, as JSON. The functions
// are in the migration of 0.2.0.
import { CompiledQuery, type Kysely } from 'kysely'
import { prepareOnce } from '../prepared.ts'
import type { Database } from '../table-types.ts'
import { sealHint } from '../tables/changes/hints.ts'
import type { BegunEntry, FinishedEntry, JournalBatches, SentStep } from '../tables/journal-batches.ts'
import type { Vault } from '../vault.ts'
import { inBatches } from './in-batches.ts'

/** It reads no table, so that no growth of one makes its plan a bad one. */
const begin = `
  insert into journal (account_id, entity_type, external_id, write_id, state, content_hash, record, reference_mode,
    started_at, holder, lease_until)
  select "accountId", "entityType", "externalId", "writeId", 'in_flight', "contentHash", sealed, "references",
    "startedAt", holder, (extract(epoch from clock_timestamp()) * 1000)::bigint + "leaseMs"
  from json_to_recordset($1::json) as item ("accountId" text, "entityType" text, "externalId" text, "writeId" text,
    "contentHash" text, sealed text, "references" text, "startedAt" text, holder text, "leaseMs" bigint)
  on conflict (account_id, entity_type, external_id) do nothing
  returning write_id as "writeId"`
const send = 'select journal_send as "writeId" from journal_send($1::json)'
const finish = 'select journal_finish as "writeId" from journal_finish($1::json)'

/** The write identifies an item among the others of its statement, and in what it returns. */
export function createJournalBatches(db: Kysely<Database>, vault: Vault): JournalBatches {
  const changed =
    <Item extends { writeId: string }>(text: string) =>
    async (items: readonly Item[]): Promise<boolean[]> => {
      const { rows } = await db.executeQuery<{ writeId: string }>(
        CompiledQuery.raw(prepareOnce(text), [JSON.stringify(items)]),
      )
      const writes = new Set(rows.map(({ writeId }) => writeId))
      return items.map(({ writeId }) => writes.has(writeId))
    }
  const finishItems = changed<Omit<FinishedEntry, 'hint'>>(finish)
  const finishAll = (entries: readonly FinishedEntry[]) =>
    finishItems(
      entries.map(({ hint, ...entry }) => ({
        ...entry,
        hintedAs: hint.entityType,
        writtenBy: hint.writtenBy ?? null,
        hintRecord: sealHint(vault, entry.accountId, { ...hint, nativeId: entry.nativeId }),
      })),
    )
  return {
    begin: (one) => inBatches<BegunEntry, boolean>({ one, many: changed(begin) }),
    send: (one) => inBatches<SentStep, boolean>({ one, many: changed(send) }),
    finish: (one) => {
      const inBatch = inBatches<FinishedEntry, boolean>({
        one: async (entry) => (await finishAll([entry]))[0] === true,
        many: finishAll,
      })
      // One with an event is rare, and its sequence needs the lock of the workspace's log.
      return (entry) => (entry.settledIn === null ? inBatch(entry) : one(entry))
    },
  }
}
