// Concurrent calls of an account, shared by all instances. Instances of the version before take no permits: while they
// run, they limit their own calls only, as before. Unlogged: after a crash of the database every instance reports again.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const table = sql`create unlogged table call_permits (
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
const sharePermits = sql`create function share_call_permits(
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

export function callPermits(kind: Store['kind']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (kind === 'sqlite') return // one process counts its own calls
      await table.execute(db)
      await sharePermits.execute(db)
    },
  }
}
