// Pacing shared by all instances. Unlogged: after a crash of the database an empty table only means that nothing was
// called lately.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const table = sql`create unlogged table pacing (
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
const pace = sql`create function pace(p_account text, p_lanes jsonb, p_max_wait double precision)
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

const hold = sql`create function pace_hold(p_account text, p_milliseconds double precision) returns void language sql as $$
  insert into pacing (account_id, lane, held_until) values (p_account, '', extract(epoch from clock_timestamp()) * 1000 + p_milliseconds)
  on conflict (account_id, lane) do update set held_until = greatest(pacing.held_until, excluded.held_until)
$$`

/** A slot that its caller did not use any more. */
const giveBack = sql`create function pace_give_back(p_account text, p_lane text, p_slot double precision) returns void language sql as $$
  update pacing p set slots = p.slots[:array_position(p.slots, p_slot) - 1] || p.slots[array_position(p.slots, p_slot) + 1:]
  where p.account_id = p_account and p.lane in ('', p_lane) and array_position(p.slots, p_slot) is not null
$$`

export function pacing(kind: Store['kind']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (kind === 'sqlite') return // one process: its own memory is enough
      for (const statement of [table, pace, hold, giveBack]) await statement.execute(db)
    },
  }
}
