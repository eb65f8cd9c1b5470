// A slot whose caller came late is moved to now instead of being lost, where no window minds.
import { type Kysely, type Migration, sql } from 'kysely'
import type { Store } from '../store.ts'

const late = sql`create function pace_late(p_account text, p_lanes jsonb, p_slot double precision) returns boolean language plpgsql as $$
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

export function lateSlots(kind: Store['kind']): Migration {
  return {
    async up(db: Kysely<unknown>) {
      if (kind === 'postgres') await late.execute(db)
    },
  }
}
