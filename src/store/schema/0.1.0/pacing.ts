// The pacing of 0.1.0, shared by all instances on PostgreSQL. Unlogged: after a crash of the database, an empty table
// only means that no call was made lately.
import { sql } from 'kysely'

export const pacingTable = sql`create unlogged table pacing (
  account_id text collate "C" not null,
  lane text collate "C" not null,
  slots double precision[] not null default '{}',
  held_until double precision not null default 0,
  primary key (account_id, lane)
)`

/**
 * One round trip: the instant of the next free slot of all lanes at once, taken when it is near enough. The row locks
 * are gone before a call waits.
 */
export const pace = sql`create function pace(p_account text, p_lanes jsonb, p_max_wait double precision)
returns table (slot double precision, moment double precision, taken boolean, used integer) language plpgsql as $$
declare
  l jsonb;
  w jsonb;
  entry pacing;
  total integer;
  place integer;
begin
  insert into pacing (account_id, lane) select p_account, value->>'name' from jsonb_array_elements(p_lanes) on conflict do nothing;
  perform 1 from pacing p where p.account_id = p_account and p.lane in (select value->>'name' from jsonb_array_elements(p_lanes)) order by p.lane for update;
  moment := extract(epoch from clock_timestamp()) * 1000;
  slot := moment;
  used := 0;
  for l in select value from jsonb_array_elements(p_lanes) loop
    select * into entry from pacing p where p.account_id = p_account and p.lane = l->>'name';
    total := cardinality(entry.slots);
    slot := greatest(slot, entry.held_until, coalesce(entry.slots[total], 0));
    for w in select value from jsonb_array_elements(l->'windows') loop
      place := total - (w->>0)::integer + 1;
      if place >= 1 then slot := greatest(slot, entry.slots[place] + (w->>1)::double precision); end if;
    end loop;
    if l->>'name' = '' then
      select count(*) into used from unnest(entry.slots) as s where s > moment - ((l->'windows'->0)->>1)::double precision;
    end if;
  end loop;
  taken := slot - moment <= p_max_wait;
  if taken then
    for l in select value from jsonb_array_elements(p_lanes) loop
      update pacing p set slots = p.slots[greatest(1, cardinality(p.slots) - (l->>'keep')::integer + 2):] || slot where p.account_id = p_account and p.lane = l->>'name';
    end loop;
  end if;
  return next;
end $$`

export const paceHold = sql`create function pace_hold(p_account text, p_milliseconds double precision) returns void language sql as $$
  insert into pacing (account_id, lane, held_until) values (p_account, '', extract(epoch from clock_timestamp()) * 1000 + p_milliseconds)
  on conflict (account_id, lane) do update set held_until = greatest(pacing.held_until, excluded.held_until)
$$`

/** A slot that its caller did not use any more. */
export const paceGiveBack = sql`create function pace_give_back(p_account text, p_lane text, p_slot double precision) returns void language sql as $$
  update pacing p set slots = p.slots[:array_position(p.slots, p_slot) - 1] || p.slots[array_position(p.slots, p_slot) + 1:]
  where p.account_id = p_account and p.lane in ('', p_lane) and array_position(p.slots, p_slot) is not null
$$`

export const paceLate = sql`create function pace_late(p_account text, p_lanes jsonb, p_slot double precision) returns boolean language plpgsql as $$
declare
  l jsonb;
  moment double precision;
  moved double precision[];
begin
  perform 1 from pacing p where p.account_id = p_account and p.lane in (select value->>'name' from jsonb_array_elements(p_lanes)) order by p.lane for update;
  moment := extract(epoch from clock_timestamp()) * 1000;
  for l in select value from jsonb_array_elements(p_lanes) loop
    select array_agg(case when o = array_position(p.slots, p_slot) then moment else v end order by case when o = array_position(p.slots, p_slot) then moment else v end)
      into moved from pacing p, unnest(p.slots) with ordinality as s(v, o)
      where p.account_id = p_account and p.lane = l->>'name' and array_position(p.slots, p_slot) is not null;
    if moved is null or exists (
      select 1 from jsonb_array_elements(l->'windows') w, unnest(moved) with ordinality as s(v, o)
      where moved[o + (w->>0)::integer] < v + (w->>1)::double precision - 0.001
    ) then return false; end if;
  end loop;
  for l in select value from jsonb_array_elements(p_lanes) loop
    update pacing p set slots = (
      select array_agg(v order by v) from (
        select case when o = array_position(p.slots, p_slot) then moment else v end as v from unnest(p.slots) with ordinality as s(v, o)
      ) as changed
    ) where p.account_id = p_account and p.lane = l->>'name';
  end loop;
  return true;
end $$`

/**
 * `leaves` is the first instant at which the call may leave, `slot` the last one, from which others count. They differ
 * only where less than half of every window is used. Calls that no window counts any longer are forgotten.
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
