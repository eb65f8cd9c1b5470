// The statements that every write needs, for several writes at once. In a function they are planned once per
// connection. Without sequential scans, because the plan of an empty journal is kept when the journal has grown.
import { sql } from 'kysely'

const now = sql.raw('(extract(epoch from clock_timestamp()) * 1000)::bigint')

/** Journals steps that are about to be sent. Returns the writes whose holder may send. */
const journalSend = sql`create or replace function journal_send(p_steps json) returns setof text language plpgsql
set enable_seqscan = off as $$
declare
  step record;
begin
  for step in
    select * from json_to_recordset(p_steps) as s ("accountId" text, "entityType" text, "externalId" text, "writeId" text,
      name text, sealed text, holder text)
  loop
    perform from journal j
      where j.account_id = step."accountId" and j.entity_type = step."entityType" and j.external_id = step."externalId"
        and j.write_id = step."writeId" and j.holder = step.holder and j.state <> 'done' and j.lease_until > ${now};
    continue when not found;
    insert into journal_steps (account_id, write_id, name, sequence, request, sent_at, done)
      values (step."accountId", step."writeId", step.name, (
        select coalesce(max(s.sequence), 0) + 1 from journal_steps s
        where s.account_id = step."accountId" and s.write_id = step."writeId"
      ), step.sealed, ${now}, 0)
      on conflict (account_id, write_id, name)
        do update set request = excluded.request, sent_at = excluded.sent_at where journal_steps.done = 0;
    if found then return next step."writeId"; end if;
  end loop;
end $$`

/**
 * Ends writes: the entry is done, its steps are gone, its source id is linked, and the change feed gets a hint where the
 * entity is watched. Returns the writes that still had their holder. In the order of the hints: two instances wait for
 * each other in one direction only.
 */
const journalFinish = sql`create or replace function journal_finish(p_entries json) returns setof text language plpgsql
set enable_seqscan = off as $$
declare
  entry record;
begin
  for entry in
    select * from json_to_recordset(p_entries) as e ("accountId" text collate "C", "entityType" text, "externalId" text,
      "writeId" text, holder text, "nativeId" text collate "C", sealed text, "linkedAs" text, "createdAt" text,
      "hintedAs" text collate "C", "writtenBy" text, "hintRecord" text)
    order by "accountId", "hintedAs", "nativeId"
  loop
    update journal j
      set state = 'done', native_id = entry."nativeId", answer = entry.sealed, detail = null, lease_until = ${now}
      where j.account_id = entry."accountId" and j.entity_type = entry."entityType"
        and j.external_id = entry."externalId" and j.holder = entry.holder and j.write_id = entry."writeId";
    continue when not found;
    return next entry."writeId";
    if entry."linkedAs" is not null then
      insert into links (account_id, entity_type, source_id, native_id, origin, created_at)
        values (entry."accountId", entry."linkedAs", entry."externalId", entry."nativeId", 'written', entry."createdAt")
        on conflict (account_id, entity_type, source_id) do update
          set native_id = excluded.native_id, origin = excluded.origin, created_at = excluded.created_at;
    end if;
    delete from journal_steps s where s.account_id = entry."accountId" and s.write_id = entry."writeId";
    insert into change_hints (account_id, entity_type, native_id, counter, origin, due_at, first_at, written_by, record,
      gone, attempts)
      select w.account_id, w.entity_type, entry."nativeId", 1, 'write', ${now}, ${now}, entry."writtenBy",
        entry."hintRecord", 0, 0
      from watches w where w.account_id = entry."accountId" and w.entity_type = entry."hintedAs"
      on conflict (account_id, entity_type, native_id) do update set
        counter = change_hints.counter + 1, origin = 'write', due_at = least(excluded.due_at, change_hints.due_at),
        written_by = excluded.written_by, record = excluded.record, gone = excluded.gone,
        replaced_by = excluded.replaced_by, attempts = 0;
    if found then perform pg_notify('changes', entry."accountId"); end if;
  end loop;
end $$`

export const journalFunctions = [journalSend, journalFinish]
