// Slots and permits of background work. Instances of the version before have none: they go on with the functions that
// they know, and `pace_slots` notes for them, too, when a caller last asked.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'
import { installPaceSlots } from './pace-slots.ts'

/**
 * Returns slots and notes arrivals like `pace_slots`. Then it reserves one slot for background work if no caller waits,
 * and if at least half of every window stays free. A window of one slot must be empty, and no caller may have asked for
 * two windows. Otherwise `leaves` is the instant from which the windows allow it.
 * A caller waits if a tentative slot or one in the future is reserved, or if an instance has fewer permits than it wants.
 * See docs/decisions/0018-background-calls.md.
 */
const paceBackground = sql`create function pace_background(
  p_account text, p_lanes jsonb, p_after double precision, p_leeway double precision,
  p_returned double precision[], p_arrived double precision[], p_arrivals double precision[]
) returns table (slot double precision, leaves double precision, moment double precision, taken boolean, used integer, waiting boolean) language plpgsql as $$
declare
  lanes integer := jsonb_array_length(p_lanes);
  windows jsonb;
  entry pacing;
  asked double precision[] := '{}';
  calls integer;
  span double precision;
  earlier double precision;
  free double precision := 0;
begin
  -- Locks the rows of all lanes until the end of the transaction.
  select s.moment, s.used into moment, used from pace_slots(p_account, p_lanes, 0, 0, 0, 0, 0, p_returned, p_arrived, p_arrivals) as s;
  waiting := exists (select from call_permits c where c.owner = p_account and c.wanted > c.permits and c.reported_at > moment - 10000);
  for i in 0 .. lanes - 1 loop
    select * into entry from pacing p where p.account_id = p_account and p.lane = p_lanes->i->>'name';
    asked := asked || entry.asked_at;
    free := greatest(free, entry.held_until);
    -- A call that may leave at once has a slot up to 50 ms later.
    if '-infinity' = any(entry.arrivals) or entry.slots[cardinality(entry.slots)] > moment + 50 then waiting := true; end if;
    windows := p_lanes->i->'windows';
    for w in 0 .. jsonb_array_length(windows) - 1 loop
      calls := (windows->w->>0)::integer;
      span := (windows->w->>1)::double precision;
      select a into earlier from unnest(entry.arrivals) as a order by a desc offset greatest(1, calls / 2) - 1 limit 1;
      free := greatest(free, earlier + span);
      if calls = 1 then free := greatest(free, entry.asked_at + 2 * span); end if;
    end loop;
  end loop;
  taken := not waiting and free <= moment;
  leaves := greatest(free, moment);
  if taken then
    select s.slot, s.leaves, s.moment, s.taken into slot, leaves, moment, taken
      from pace_slots(p_account, p_lanes, 1, 50, 50, p_after, p_leeway, '{}', '{}', '{}') as s limit 1;
    -- It was not a caller that asked.
    for i in 0 .. lanes - 1 loop
      update pacing p set asked_at = asked[i + 1] where p.account_id = p_account and p.lane = p_lanes->i->>'name';
    end loop;
  end if;
  return next;
end $$`

/**
 * Like the function without `p_background`, which is how many background calls the instance wants to begin. They are
 * allowed on top as far as half of all permits, and at least one, stay free of what instances have or want.
 */
const sharePermits = sql`create function share_call_permits(
  p_owner text, p_instance text, p_concurrency integer, p_used integer, p_wanted integer, p_expiry double precision, p_background integer
) returns integer language plpgsql as $$
declare
  moment double precision;
  taken integer; -- what the others have or want
begin
  perform pg_advisory_xact_lock(hashtextextended(p_owner, 18));
  moment := extract(epoch from clock_timestamp()) * 1000;
  select coalesce(sum(greatest(c.permits, c.wanted)), 0) into taken
    from call_permits c where c.owner = p_owner and c.instance <> p_instance and c.reported_at > moment - p_expiry;
  p_background := least(p_background, greatest(0, p_concurrency / 2 - taken - greatest(p_wanted, p_used)));
  return share_call_permits(p_owner, p_instance, p_concurrency, p_used, p_wanted + p_background, p_expiry);
end $$`

export function backgroundSlots(kind: Store['kind']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (kind === 'sqlite') return // one process has its slots in memory
      await sql`alter table pacing add column asked_at double precision not null default 0`.execute(db)
      await installPaceSlots(db)
      await paceBackground.execute(db)
      await sharePermits.execute(db)
    },
  }
}
