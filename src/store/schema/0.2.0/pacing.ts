// Slots and permits that instances share through PostgreSQL.
import { sql } from 'kysely'

export const permitsTable = sql`create unlogged table call_permits (
  owner text collate "C" not null,
  instance text collate "C" not null,
  permits integer not null,
  wanted integer not null,
  reported_at double precision not null,
  primary key (owner, instance)
)`

/**
 * An instance reports how many calls it has under way or may begin before the response, and how many it wants to have
 * under way. The result is the number that it may have under way from then on. It can be less than what it has: then no
 * call begins until some have ended. The instance counts with the higher of the two numbers until its next report, or
 * until it has not reported for p_expiry milliseconds.
 * Each instance gets an equal share. What others leave of theirs goes to the first that wants it. If there are more
 * instances than permits, an instance that has one passes it on to those that have none.
 */
export const sharePermits = sql`create or replace function share_call_permits(
  p_owner text, p_instance text, p_concurrency integer, p_used integer, p_wanted integer, p_expiry double precision
) returns integer language plpgsql as $$
declare
  moment double precision;
  others integer; -- instances that want calls
  short integer; -- those of them that want more than they have
  starved integer; -- those of them that have no permit
  fair integer; -- what each of them may claim
  taken integer; -- permits of others, and those that they may claim
  had integer;
  allowed integer;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_owner, 18));
  moment := extract(epoch from clock_timestamp()) * 1000;
  delete from call_permits c where c.owner = p_owner and c.reported_at <= moment - p_expiry;
  select count(*), count(*) filter (where c.wanted > c.permits), count(*) filter (where c.permits = 0) into others, short, starved
    from call_permits c where c.owner = p_owner and c.instance <> p_instance;
  fair := p_concurrency / (others + 1);
  select coalesce(sum(greatest(c.permits, least(c.wanted, fair))), 0) into taken
    from call_permits c where c.owner = p_owner and c.instance <> p_instance;
  select c.permits into had from call_permits c where c.owner = p_owner and c.instance = p_instance;
  allowed := greatest(0, least(p_wanted, p_concurrency - taken));
  if short > 0 then allowed := least(allowed, (p_concurrency + others) / (others + 1)); end if; -- rounded up
  if fair = 0 and starved > 0 and had > 0 then allowed := 0; end if;
  if p_wanted = 0 then
    delete from call_permits c where c.owner = p_owner and c.instance = p_instance;
  else
    insert into call_permits (owner, instance, permits, wanted, reported_at)
      values (p_owner, p_instance, greatest(allowed, p_used), p_wanted, moment)
      on conflict (owner, instance) do update set permits = excluded.permits, wanted = excluded.wanted, reported_at = excluded.reported_at;
  end if;
  return allowed;
end $$`

/**
 * Returns slots and notes arrivals like `pace_slots`. Then it reserves one slot for background work if no caller waits,
 * and if at least half of every window stays free. A window of one slot must be empty, and no caller may have asked for
 * two windows. Otherwise `leaves` is the instant from which the windows allow it.
 * A caller waits if a tentative slot or one in the future is reserved, or if an instance has fewer permits than it wants.
 * See docs/decisions/0019-background-calls.md.
 */
export const paceBackground = sql`create or replace function pace_background(
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
export const shareWithBackground = sql`create or replace function share_call_permits(
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
