// Slots of an account, reserved in one round trip. Several migrations install these functions: the first one for new
// databases, the last one for those that have an earlier form.
import { type Kysely, sql } from 'kysely'

/**
 * The first instant, not before `p_from`, at which one more call breaks no window of a lane. It may be between two
 * slots that are already reserved.
 * A call may leave up to 50 ms before its slot (see below): that much distance is left to the slots after it.
 */
const paceFree = sql`create or replace function pace_free(p_slots double precision[], p_windows jsonb, p_gap double precision, p_from double precision, p_leeway double precision)
returns double precision language plpgsql immutable as $$
declare
  total integer := cardinality(p_slots);
  place integer := width_bucket(p_from, p_slots) + 1; -- of the new slot
  free double precision;
  calls integer[] := '{}';
  spans double precision[] := '{}';
  fits boolean;
begin
  for w in 0 .. jsonb_array_length(p_windows) - 1 loop
    calls := calls || (p_windows->w->>0)::integer;
    spans := spans || (p_windows->w->>1)::double precision;
  end loop;
  loop
    free := case when place > 1 then greatest(p_from, p_slots[place - 1] + p_gap) else p_from end;
    fits := place > total or free + p_leeway + p_gap <= p_slots[place];
    if fits then
      for w in 1 .. cardinality(calls) loop
        if place > calls[w] then free := greatest(free, p_slots[place - calls[w]] + spans[w]); end if;
      end loop;
      exit when place > total;
      fits := free + p_leeway + p_gap <= p_slots[place];
      for w in 1 .. cardinality(calls) loop
        -- All groups of calls + 1 slots with the new one as the first or in the middle.
        for i in greatest(1, place - calls[w] + 1) .. least(place, total - calls[w] + 1) loop
          exit when not fits;
          fits := p_slots[i + calls[w] - 1] - 50 >= spans[w] + case when i = place then free + p_leeway else p_slots[i] end;
        end loop;
      end loop;
      exit when fits;
    end if;
    place := place + 1;
  end loop;
  return free;
end $$`

/**
 * Gives back the slots of `p_returned`, then reserves up to `p_count`: the first one at most `p_max_wait` away, the
 * others at most `p_horizon`.
 * One row for each, and one more that is not taken: the slot after them.
 * Waits count from `p_after`: an instance cannot use a slot before it has the answer.
 * A call leaves between `leaves` and `slot`; all others count from `slot`. The two differ where less than half of every
 * window is used, or where the instance asks for it.
 * Slots are forgotten when no window counts them any more, and not before: one that is given back must not leave a gap
 * in what is known.
 */
const paceSlots = sql`create or replace function pace_slots(
  p_account text, p_lanes jsonb, p_count integer, p_max_wait double precision, p_horizon double precision, p_after double precision, p_leeway double precision,
  p_returned double precision[]
) returns table (slot double precision, leaves double precision, moment double precision, taken boolean, used integer) language plpgsql as $$
declare
  lanes integer := jsonb_array_length(p_lanes);
  windows jsonb;
  entry pacing;
  entries pacing[];
  total integer;
  calls integer;
  span double precision;
  longest double precision;
  place integer;
  held double precision := 0;
  leeway double precision;
  before double precision;
begin
  -- In the order of the list everywhere: the account's own lane first.
  for i in 0 .. lanes - 1 loop
    select * into entry from pacing p where p.account_id = p_account and p.lane = p_lanes->i->>'name' for update;
    if not found then
      insert into pacing (account_id, lane) values (p_account, p_lanes->i->>'name') on conflict do nothing;
      select * into entry from pacing p where p.account_id = p_account and p.lane = p_lanes->i->>'name' for update;
    end if;
    entries := entries || entry;
  end loop;
  moment := extract(epoch from clock_timestamp()) * 1000;
  for i in 1 .. lanes loop
    entry := entries[i];
    windows := p_lanes->(i - 1)->'windows';
    for r in 1 .. cardinality(p_returned) loop
      place := array_position(entry.slots, p_returned[r]);
      if place is not null then entry.slots := entry.slots[:place - 1] || entry.slots[place + 1:]; end if;
    end loop;
    longest := 0;
    for w in 0 .. jsonb_array_length(windows) - 1 loop longest := greatest(longest, (windows->w->>1)::double precision); end loop;
    entry.slots := entry.slots[width_bucket(moment - longest, entry.slots) + 1:];
    if i = 1 then used := cardinality(entry.slots) - width_bucket(moment - (windows->0->>1)::double precision, entry.slots); end if;
    held := greatest(held, entry.held_until);
    entries[i] := entry;
  end loop;
  for n in 1 .. p_count + 1 loop
    leaves := greatest(moment, held);
    leeway := case when leaves = moment then 50 else 0 end;
    for i in 1 .. lanes loop
      exit when leeway = 0;
      entry := entries[i];
      total := cardinality(entry.slots);
      windows := p_lanes->(i - 1)->'windows';
      for w in 0 .. jsonb_array_length(windows) - 1 loop
        calls := (windows->w->>0)::integer;
        span := (windows->w->>1)::double precision;
        leeway := least(leeway, span / 20);
        if calls < 4 or (total >= calls / 2 and entry.slots[total - calls / 2 + 1] + span > moment) then leeway := 0; end if;
      end loop;
    end loop;
    if leeway <= p_after then
      leeway := least(p_leeway, 50);
      leaves := greatest(moment + p_after, held);
      loop
        before := leaves;
        for i in 1 .. lanes loop
          entry := entries[i];
          leaves := pace_free(entry.slots, p_lanes->(i - 1)->'windows', coalesce((p_lanes->(i - 1)->>'gap')::double precision, 0), leaves, leeway);
        end loop;
        exit when lanes = 1 or leaves = before;
      end loop;
    end if;
    slot := leaves + leeway;
    taken := n <= p_count and leaves - moment - p_after <= case when n = 1 then p_max_wait else least(p_max_wait, p_horizon) end;
    return next;
    exit when not taken;
    for i in 1 .. lanes loop
      entry := entries[i];
      place := width_bucket(slot, entry.slots);
      entry.slots := entry.slots[:place] || slot || entry.slots[place + 1:];
      entries[i] := entry;
    end loop;
  end loop;
  for i in 1 .. lanes loop
    entry := entries[i];
    update pacing p set slots = entry.slots where p.account_id = p_account and p.lane = entry.lane and p.slots <> entry.slots;
  end loop;
end $$`

/** Of instances that reserve one slot at a time. */
const paceSlot = sql`create or replace function pace_slot(p_account text, p_lanes jsonb, p_max_wait double precision)
returns table (slot double precision, leaves double precision, moment double precision, taken boolean, used integer) language sql as $$
  select * from pace_slots(p_account, p_lanes, 1, p_max_wait, 0, 0, 0, '{}') limit 1
$$`
/** The same instances move a late slot to now, or lose it. */
const paceLate = sql`create or replace function pace_late(p_account text, p_lanes jsonb, p_slot double precision) returns boolean language sql as $$
  select taken from pace_slots(p_account, p_lanes, 1, 0, 0, 0, 0, array[p_slot]) limit 1
$$`

export async function installPaceSlots(db: Kysely<unknown>): Promise<void> {
  for (const statement of [paceFree, paceSlots, paceSlot, paceLate]) await statement.execute(db)
}
