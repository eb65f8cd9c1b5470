// The statements that every write needs, for several writes at once. The rows are one parameter, as JSON.
import { CompiledQuery, type Kysely } from 'kysely'
import type { Database } from '../schema.ts'
import { mergedHint, sealHint } from '../tables/changes/hints.ts'
import type { BegunEntry, FinishedEntry, JournalBatches, SentStep } from '../tables/journal-batches.ts'
import type { Vault } from '../vault.ts'
import { inBatches } from './in-batches.ts'

const now = '(extract(epoch from clock_timestamp()) * 1000)::bigint'
/** A step waits for the entry itself, by its key: with `limit 1` no planner reads the whole journal for it. */
const entryOfStep = `
  select account_id, write_id from journal
  where account_id = item."accountId" and entity_type = item."entityType" and external_id = item."externalId"
    and write_id = item."writeId" and holder = item.holder and state <> 'done' and lease_until > ${now}
  limit 1`

const begin = `
  insert into journal (account_id, entity_type, external_id, write_id, state, content_hash, record, reference_mode,
    started_at, holder, lease_until)
  select "accountId", "entityType", "externalId", "writeId", 'in_flight', "contentHash", sealed, "references",
    "startedAt", holder, ${now} + "leaseMs"
  from json_to_recordset($1::json) as item ("accountId" text, "entityType" text, "externalId" text, "writeId" text,
    "contentHash" text, sealed text, "references" text, "startedAt" text, holder text, "leaseMs" bigint)
  on conflict (account_id, entity_type, external_id) do nothing
  returning write_id as "writeId"`

const send = `
  insert into journal_steps (account_id, write_id, name, sequence, request, sent_at, done)
  select entry.account_id, entry.write_id, item.name, (
      select coalesce(max(sequence), 0) + 1 from journal_steps
      where account_id = entry.account_id and write_id = entry.write_id
    ), item.sealed, ${now}, 0
  from json_to_recordset($1::json) as item ("accountId" text, "entityType" text, "externalId" text, "writeId" text,
    name text, sealed text, holder text)
  cross join lateral (${entryOfStep}) as entry
  on conflict (account_id, write_id, name)
    do update set request = excluded.request, sent_at = excluded.sent_at where journal_steps.done = 0
  returning write_id as "writeId"`

const finish = `
  with item as (
    select * from json_to_recordset($1::json) as item ("accountId" text, "entityType" text, "externalId" text,
      "writeId" text, holder text, "nativeId" text, sealed text, "linkedAs" text, "createdAt" text,
      "hintedAs" text, "writtenBy" text, "hintRecord" text)
  ), finished as (
    update journal
    set state = 'done', native_id = item."nativeId", answer = item.sealed, detail = null, lease_until = ${now}
    from item
    where account_id = item."accountId" and entity_type = item."entityType" and external_id = item."externalId"
      and journal.holder = item.holder and write_id = item."writeId"
    returning account_id, external_id, write_id, native_id, item."linkedAs", item."createdAt", item."hintedAs",
      item."writtenBy", item."hintRecord"
  ), linked as (
    insert into links (account_id, entity_type, source_id, native_id, origin, created_at)
    select account_id, "linkedAs", external_id, native_id, 'written', "createdAt" from finished where "linkedAs" is not null
    on conflict (account_id, entity_type, source_id) do update
      set native_id = excluded.native_id, origin = excluded.origin, created_at = excluded.created_at
  ), forgotten as (
    delete from journal_steps using finished
    where journal_steps.account_id = finished.account_id and journal_steps.write_id = finished.write_id
  ), hinted as (
    insert into change_hints (account_id, entity_type, native_id, counter, origin, due_at, first_at, written_by, record,
      gone, attempts)
    select finished.account_id, "hintedAs", native_id, 1, 'write', ${now}, ${now}, "writtenBy", "hintRecord", 0, 0
    from finished join watches on watches.account_id = finished.account_id and watches.entity_type = "hintedAs"
    order by finished.account_id, "hintedAs", native_id
    on conflict (account_id, entity_type, native_id) do update set ${mergedHint}
    returning account_id
  ), notified as (
    select pg_notify('changes', account_id) from (select distinct account_id from hinted) as accounts
  )
  select write_id as "writeId", (select count(*) from notified) from finished`

/** What identifies an item among the others of its statement, and in what it returns, is the write. */
export function createJournalBatches(db: Kysely<Database>, vault: Vault): JournalBatches {
  const changed =
    <Item extends { writeId: string }>(text: string) =>
    async (items: readonly Item[]): Promise<boolean[]> => {
      const { rows } = await db.executeQuery<{ writeId: string }>(CompiledQuery.raw(text, [JSON.stringify(items)]))
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
