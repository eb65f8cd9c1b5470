// A slot with leeway: where less than half of every window is used, the call may leave a little late, and the slot is kept as if it did. No busy instance has to ask again then.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

/**
 * `leaves` is the first instant at which the call may leave, `slot` the last one, and what others count from; they differ only where there is room.
 * Instances of before go on with `pace`, over the same rows.
 */
const paceSlot = sql`create function pace_slot(p_account text, p_lanes jsonb, p_max_wait double precision)
returns table (slot double precision, leaves double precision, moment double precision, taken boolean, used integer) language plpgsql as $$
declare
  l jsonb;
  w jsonb;
  entry pacing;
  total integer;
  locked integer;
  calls integer;
  span double precision;
  last double precision := 0;
  gap double precision := 0;
  leeway double precision := 50;
begin
  for tries in 1..2 loop
    perform 1 from pacing p where p.account_id = p_account and p.lane in (select value->>'name' from jsonb_array_elements(p_lanes)) order by p.lane for update;
    get diagnostics locked = row_count;
    exit when locked = jsonb_array_length(p_lanes);
    insert into pacing (account_id, lane) select p_account, value->>'name' from jsonb_array_elements(p_lanes) on conflict do nothing;
  end loop;
  moment := extract(epoch from clock_timestamp()) * 1000;
  leaves := moment;
  used := 0;
  for l in select value from jsonb_array_elements(p_lanes) loop
    select * into entry from pacing p where p.account_id = p_account and p.lane = l->>'name';
    total := cardinality(entry.slots);
    leaves := greatest(leaves, entry.held_until);
    last := greatest(last, coalesce(entry.slots[total], 0));
    gap := greatest(gap, coalesce((l->>'gap')::double precision, 0));
    for w in select value from jsonb_array_elements(l->'windows') loop
      calls := (w->>0)::integer;
      span := (w->>1)::double precision;
      if total >= calls then leaves := greatest(leaves, entry.slots[total - calls + 1] + span); end if;
      leeway := least(leeway, span / 20);
      if calls < 4 or (total >= calls / 2 and entry.slots[total - calls / 2 + 1] + span > moment) then leeway := 0; end if;
    end loop;
    if l->>'name' = '' then
      select count(*) into used from unnest(entry.slots) as s where s > moment - ((l->'windows'->0)->>1)::double precision;
    end if;
  end loop;
  if leeway > 0 and leaves = moment then slot := greatest(last, leaves + leeway);
  else
    leaves := greatest(leaves, last + gap);
    slot := leaves;
  end if;
  taken := leaves - moment <= p_max_wait;
  if taken then
    for l in select value from jsonb_array_elements(p_lanes) loop
      update pacing p set slots = p.slots[greatest(1, cardinality(p.slots) - (l->>'keep')::integer + 2):] || slot where p.account_id = p_account and p.lane = l->>'name';
    end loop;
  end if;
  return next;
end $$`

export function pacingLeeway(kind: Store['kind']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (kind === 'postgres') await paceSlot.execute(db)
    },
  }
}
