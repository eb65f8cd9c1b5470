// The next slot of an account, reserved in one round trip. Migrations 0009 and 0010 both put this in place: the first for new databases, the second for those that had an earlier form of it.
import { sql } from 'kysely'

/**
 * `leaves` is the first instant at which the call may leave, `slot` the last one, and what others count from; they differ only where there is room.
 * Calls that no window counts any more are forgotten: what is written anew with every call is as short as the account is quiet, however high its limit.
 */
export const paceSlot = sql`create or replace function pace_slot(p_account text, p_lanes jsonb, p_max_wait double precision)
returns table (slot double precision, leaves double precision, moment double precision, taken boolean, used integer) language plpgsql as $$
declare
  l jsonb;
  w jsonb;
  entry pacing;
  entries pacing[];
  total integer;
  calls integer;
  span double precision;
  last double precision := 0;
  gap double precision := 0;
  leeway double precision := 50;
  longest double precision[] := '{}'; -- window of each lane
begin
  -- In the order of the list everywhere: the account's own lane first.
  for i in 0 .. jsonb_array_length(p_lanes) - 1 loop
    select * into entry from pacing p where p.account_id = p_account and p.lane = p_lanes->i->>'name' for update;
    if not found then
      insert into pacing (account_id, lane) values (p_account, p_lanes->i->>'name') on conflict do nothing;
      select * into entry from pacing p where p.account_id = p_account and p.lane = p_lanes->i->>'name' for update;
    end if;
    entries := entries || entry;
  end loop;
  moment := extract(epoch from clock_timestamp()) * 1000;
  leaves := moment;
  used := 0;
  for i in 1 .. cardinality(entries) loop
    entry := entries[i];
    l := p_lanes->(i - 1);
    total := cardinality(entry.slots);
    leaves := greatest(leaves, entry.held_until);
    last := greatest(last, coalesce(entry.slots[total], 0));
    longest := longest || 0::double precision;
    gap := greatest(gap, coalesce((l->>'gap')::double precision, 0));
    for j in 0 .. jsonb_array_length(l->'windows') - 1 loop
      w := l->'windows'->j;
      calls := (w->>0)::integer;
      span := (w->>1)::double precision;
      if total >= calls then leaves := greatest(leaves, entry.slots[total - calls + 1] + span); end if;
      longest[i] := greatest(longest[i], span);
      leeway := least(leeway, span / 20);
      if calls < 4 or (total >= calls / 2 and entry.slots[total - calls / 2 + 1] + span > moment) then leeway := 0; end if;
      if i = 1 and j = 0 then used := total - width_bucket(moment - span, entry.slots); end if;
    end loop;
  end loop;
  if leeway > 0 and leaves = moment then slot := greatest(last, leaves + leeway);
  else
    leaves := greatest(leaves, last + gap);
    slot := leaves;
  end if;
  taken := leaves - moment <= p_max_wait;
  if taken then
    for i in 1 .. cardinality(entries) loop
      entry := entries[i];
      total := cardinality(entry.slots);
      entry.slots := entry.slots[greatest(1, total - (p_lanes->(i - 1)->>'keep')::integer + 2, width_bucket(moment - longest[i], entry.slots) + 1):] || slot;
      update pacing p set slots = entry.slots where p.account_id = p_account and p.lane = entry.lane;
    end loop;
  end if;
  return next;
end $$`
