// Slots of an account, reserved in one round trip.
import { sql } from 'kysely'

/**
 * The first instant, not before `p_from`, at which one more call breaks no window of a lane. It may be between two
 * slots that are already reserved.
 * A call arrives between its departure and its entry in `p_arrivals`; the new one at most `p_arrival` after its slot.
 * A call may leave up to 50 ms before its slot (see below): that much distance is left to the slots after it.
 * A tentative slot, whose arrival is '-infinity', keeps its turn: the new call delays it by a third of the shortest window
 * at most.
 */
const paceFree = sql`create or replace function pace_free(
  p_slots double precision[], p_arrivals double precision[], p_arrival double precision, p_windows jsonb, p_gap double precision, p_from double precision,
  p_leeway double precision
) returns double precision language plpgsql immutable as $$
declare
  total integer := cardinality(p_slots);
  place integer := width_bucket(p_from, p_slots) + 1; -- of the new slot
  free double precision;
  calls integer[] := '{}';
  spans double precision[] := '{}';
  fits boolean;
  slack double precision := 'infinity';
  latest double precision[]; -- the last arrival of all calls up to each slot
begin
  select array_agg(a.latest order by a.place) into latest
    from (select o as place, max(case when a = '-infinity' then v else a end) over (order by o) as latest from unnest(p_slots, p_arrivals) with ordinality as u(v, a, o)) as a;
  for w in 0 .. jsonb_array_length(p_windows) - 1 loop
    calls := calls || (p_windows->w->>0)::integer;
    spans := spans || (p_windows->w->>1)::double precision;
    slack := least(slack, spans[w + 1] / 3);
  end loop;
  loop
    free := case when place > 1 then greatest(p_from, p_slots[place - 1] + p_gap) else p_from end;
    fits := place > total or free + p_leeway + p_gap <= p_slots[place];
    if fits then
      for w in 1 .. cardinality(calls) loop
        if place > calls[w] then free := greatest(free, latest[place - calls[w]] + spans[w]); end if;
      end loop;
      exit when place > total;
      fits := free + p_leeway + p_gap <= p_slots[place];
      for w in 1 .. cardinality(calls) loop
        -- All groups of calls + 1 slots with the new one as the first or in the middle.
        for i in greatest(1, place - calls[w] + 1) .. least(place, total - calls[w] + 1) loop
          exit when not fits;
          if p_arrivals[i + calls[w] - 1] = '-infinity' then
            fits := p_slots[i + calls[w] - 1] + slack >= spans[w] + case when i = place then free + p_leeway else p_slots[i] end;
            continue;
          end if;
          fits := p_slots[i + calls[w] - 1] - 50 >= spans[w] + case when i = place then free + p_leeway + p_arrival else latest[i] end;
        end loop;
      end loop;
      exit when fits;
    end if;
    place := place + 1;
  end loop;
  return free;
end $$`

/**
 * Gives back the slots of `p_returned`, notes when the calls of `p_arrived` have arrived, then reserves up to `p_count`: the first one at most `p_max_wait` away, the
 * others at most `p_horizon`.
 * One row for each, and one more that is not taken: the slot after them.
 * Waits count from `p_after`: an instance cannot use a slot before it has the answer.
 * A call leaves between `leaves` and `slot`. The two differ where less than half of every window is used, or where the
 * instance asks for it.
 * The platform counts it until `arrival` milliseconds after `slot`, or until its response where that is known: all others
 * count from there. See docs/decisions/0014-calls-count-from-their-response.md. A slot that is farther away than `p_horizon` is tentative: it counts on the responses of calls that
 * are under way. It holds a place in the order, and must be reserved again when it is near.
 * Slots are forgotten when no window counts them any more, and not before: one that is given back must not leave a gap
 * in what is known.
 * While less than half of every window is used, the slots are the next ones, and nothing has to be searched: that is
 * decided first.
 */
const paceSlots = sql`create or replace function pace_slots(
  p_account text, p_lanes jsonb, p_count integer, p_max_wait double precision, p_horizon double precision, p_after double precision, p_leeway double precision,
  p_returned double precision[], p_arrived double precision[], p_arrivals double precision[]
) returns table (slot double precision, leaves double precision, moment double precision, taken boolean, used integer, tentative boolean) language plpgsql as $$
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
  arrival double precision;
  hopeful double precision[];
  near boolean; -- a limit, or something else that takes longer to decide
  few double precision[];
  few_arrivals double precision[];
begin
  if lanes = 1 and p_count > 0 and p_returned = '{}' and p_arrived is not null then
    select p.slots, p.arrivals, p.held_until into few, few_arrivals, held
      from pacing p where p.account_id = p_account and p.lane = p_lanes->0->>'name' for update;
    moment := extract(epoch from clock_timestamp()) * 1000;
    near := not found or cardinality(few) <> cardinality(few_arrivals) or held > moment or '-infinity' = any(few_arrivals);
    if not near then
      windows := p_lanes->0->'windows';
      arrival := coalesce((p_lanes->0->>'arrival')::double precision, 0);
      for r in 1 .. cardinality(p_arrived) loop
        place := width_bucket(p_arrived[r], few);
        continue when place = 0 or few[place] <> p_arrived[r];
        for other in reverse place - 1 .. 1 loop
          exit when few[other] <> p_arrived[r];
          if few_arrivals[other] > few_arrivals[place] then place := other; end if;
        end loop;
        few_arrivals[place] := greatest(p_arrived[r], least(p_arrivals[r], p_arrived[r] + 2 * arrival));
      end loop;
      longest := 0;
      leeway := 50;
      for w in 0 .. jsonb_array_length(windows) - 1 loop
        span := (windows->w->>1)::double precision;
        longest := greatest(longest, span);
        leeway := least(leeway, span / 20);
      end loop;
      place := width_bucket(moment - longest - 2 * arrival, few);
      if place > 0 then
        few := few[place + 1:];
        few_arrivals := few_arrivals[place + 1:];
      end if;
      total := cardinality(few);
      near := leeway <= p_after or few[total] > moment + leeway - p_count * 0.001;
      for w in 0 .. jsonb_array_length(windows) - 1 loop
        exit when near;
        calls := (windows->w->>0)::integer;
        place := total + p_count - calls / 2 + 1; -- counts when half of the window is used with the new calls
        near := calls < 4 or place > total or (place > 0 and few[place] + 2 * arrival + (windows->w->>1)::double precision > moment);
      end loop;
    end if;
    if not near then
      span := (windows->0->>1)::double precision;
      place := width_bucket(moment - span - 2 * arrival, few);
      calls := width_bucket(moment - span + 50, few);
      used := total - calls;
      if calls > place then used := used + (select count(*) from unnest(few_arrivals[place + 1:calls]) as a where a > moment - span); end if;
      tentative := false;
      taken := true;
      leaves := moment;
      for n in 1 .. p_count loop
        slot := moment + leeway - (p_count - n) * 0.001; -- each has a name of its own
        few[total + n] := slot;
        few_arrivals[total + n] := slot + arrival;
        return next;
      end loop;
      taken := false;
      return next;
      update pacing p set slots = few, arrivals = few_arrivals, asked_at = moment
        where p.account_id = p_account and p.lane = p_lanes->0->>'name';
      return;
    end if;
    held := 0;
  end if;
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
    arrival := coalesce((p_lanes->(i - 1)->>'arrival')::double precision, 0);
    if cardinality(entry.arrivals) <> cardinality(entry.slots) then -- an instance of the version before has changed them
      select coalesce(array_agg(v + arrival order by o), '{}') into entry.arrivals from unnest(entry.slots) with ordinality as u(v, o);
    end if;
    for r in 1 .. cardinality(p_returned) loop
      place := width_bucket(p_returned[r], entry.slots);
      continue when place = 0 or entry.slots[place] <> p_returned[r];
      -- Several calls can have the same slot: the one that counts least.
      for other in reverse place - 1 .. 1 loop
        exit when entry.slots[other] <> p_returned[r];
        if entry.arrivals[other] < entry.arrivals[place] then place := other; end if;
      end loop;
      entry.slots := entry.slots[:place - 1] || entry.slots[place + 1:];
      entry.arrivals := entry.arrivals[:place - 1] || entry.arrivals[place + 1:];
    end loop;
    for r in 1 .. coalesce(cardinality(p_arrived), 0) loop
      place := width_bucket(p_arrived[r], entry.slots);
      continue when place = 0 or entry.slots[place] <> p_arrived[r];
      -- Here the one that counts longest.
      for other in reverse place - 1 .. 1 loop
        exit when entry.slots[other] <> p_arrived[r];
        if entry.arrivals[other] > entry.arrivals[place] then place := other; end if;
      end loop;
      entry.arrivals[place] := greatest(p_arrived[r], least(p_arrivals[r], p_arrived[r] + 2 * arrival));
    end loop;
    longest := 0;
    for w in 0 .. jsonb_array_length(windows) - 1 loop longest := greatest(longest, (windows->w->>1)::double precision); end loop;
    place := width_bucket(moment - longest - 2 * arrival, entry.slots);
    entry.slots := entry.slots[place + 1:];
    entry.arrivals := entry.arrivals[place + 1:];
    if i = 1 then
      span := (windows->0->>1)::double precision;
      place := width_bucket(moment - span - 2 * arrival, entry.slots);
      total := width_bucket(moment - span + 50, entry.slots);
      used := cardinality(entry.slots) - total;
      if total > place then used := used + (select count(*) from unnest(entry.arrivals[place + 1:total]) as a where a > moment - span); end if;
      -- Other instances that wait get their share.
      total := cardinality(array_positions(entry.arrivals, '-infinity'));
      if total > 0 then
        for w in 0 .. jsonb_array_length(windows) - 1 loop p_count := least(p_count, greatest(1, (windows->w->>0)::integer / (total + 1))); end loop;
      end if;
    end if;
    held := greatest(held, entry.held_until);
    entries[i] := entry;
  end loop;
  for n in 1 .. p_count + 1 loop
    leaves := greatest(moment, held);
    tentative := false;
    leeway := case when leaves = moment then 50 else 0 end;
    for i in 1 .. lanes loop
      exit when leeway = 0;
      entry := entries[i];
      total := cardinality(entry.slots);
      windows := p_lanes->(i - 1)->'windows';
      arrival := coalesce((p_lanes->(i - 1)->>'arrival')::double precision, 0);
      for w in 0 .. jsonb_array_length(windows) - 1 loop
        calls := (windows->w->>0)::integer;
        span := (windows->w->>1)::double precision;
        leeway := least(leeway, span / 20);
        if calls < 4 or (total >= calls / 2 and entry.slots[total - calls / 2 + 1] + 2 * arrival + span > moment) then leeway := 0; end if;
      end loop;
    end loop;
    if leeway <= p_after then
      leeway := least(p_leeway, 50);
      loop
        leaves := greatest(moment + p_after, held);
        loop
          before := leaves;
          for i in 1 .. lanes loop
            entry := entries[i];
            arrival := coalesce((p_lanes->(i - 1)->>'arrival')::double precision, 0);
            hopeful := entry.arrivals;
            if tentative then
              -- An instance that gives back a slot reserves it again, and keeps its turn.
              select coalesce(array_agg(case when a = v + arrival or (a = '-infinity' and p_returned = '{}') then v else a end order by o), '{}') into hopeful
                from unnest(entry.slots, entry.arrivals) with ordinality as u(v, a, o);
              arrival := 0;
            end if;
            leaves := pace_free(
              entry.slots, hopeful, arrival, p_lanes->(i - 1)->'windows', coalesce((p_lanes->(i - 1)->>'gap')::double precision, 0), leaves, leeway
            );
          end loop;
          exit when lanes = 1 or leaves = before;
        end loop;
        exit when tentative or p_arrived is null or leaves - moment - p_after <= p_horizon;
        tentative := true;
      end loop;
    end if;
    slot := leaves + leeway;
    taken := n <= p_count and leaves - moment - p_after <= case when n = 1 then p_max_wait else least(p_max_wait, p_horizon) end
      and (n = 1 or not tentative);
    return next;
    exit when not taken;
    for i in 1 .. lanes loop
      entry := entries[i];
      arrival := coalesce((p_lanes->(i - 1)->>'arrival')::double precision, 0);
      place := width_bucket(slot, entry.slots);
      entry.slots := entry.slots[:place] || slot || entry.slots[place + 1:];
      entry.arrivals := entry.arrivals[:place] || case when tentative then '-infinity' else slot + arrival end || entry.arrivals[place + 1:];
      entries[i] := entry;
    end loop;
  end loop;
  for i in 1 .. lanes loop
    entry := entries[i];
    update pacing p set slots = entry.slots, arrivals = entry.arrivals, asked_at = case when p_count > 0 then moment else p.asked_at end
      where p.account_id = p_account and p.lane = entry.lane and (p_count > 0 or p.slots <> entry.slots or p.arrivals <> entry.arrivals);
  end loop;
end $$`

/** Instances that count a call from its slot use it. */
const paceSlotsBefore = sql`create or replace function pace_slots(
  p_account text, p_lanes jsonb, p_count integer, p_max_wait double precision, p_horizon double precision, p_after double precision, p_leeway double precision,
  p_returned double precision[]
) returns table (slot double precision, leaves double precision, moment double precision, taken boolean, used integer) language sql as $$
  select slot, leaves, moment, taken, used
  from pace_slots(p_account, p_lanes, p_count, p_max_wait, p_horizon, p_after, p_leeway, p_returned, null, null)
$$`
/** Instances that reserve one slot at a time use it. */
const paceSlot = sql`create or replace function pace_slot(p_account text, p_lanes jsonb, p_max_wait double precision)
returns table (slot double precision, leaves double precision, moment double precision, taken boolean, used integer) language sql as $$
  select * from pace_slots(p_account, p_lanes, 1, p_max_wait, 0, 0, 0, '{}') limit 1
$$`
/** The same instances move a late slot to now, or lose it. */
const paceLate = sql`create or replace function pace_late(p_account text, p_lanes jsonb, p_slot double precision) returns boolean language sql as $$
  select taken from pace_slots(p_account, p_lanes, 1, 0, 0, 0, 0, array[p_slot]) limit 1
$$`

export const paceFunctions = [paceFree, paceSlots, paceSlotsBefore, paceSlot, paceLate]
