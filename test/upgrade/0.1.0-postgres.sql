-- Tables of a database of version 0.1.0 (commit 029a4e1), made by that version. The encryption key is 32 bytes of the value 1.
create table if not exists "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
create table if not exists "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
create table workspaces (
  id text collate "C" not null primary key,
  name text collate "C" not null,
  created_at text collate "C" not null
) ;
create table credentials (
  id text collate "C" not null primary key,
  kind text collate "C" not null,
  workspace_id text collate "C" not null references workspaces (id),
  name text collate "C" not null,
  secret_hash text collate "C" not null,
  generation bigint not null,
  created_at text collate "C" not null,
  rotated_at text collate "C",
  last_used_at text collate "C",
  revoked_at text collate "C"
) ;
create index credentials_of_workspace on credentials (workspace_id, kind, id);
create table accounts (
  id text collate "C" not null primary key,
  workspace_id text collate "C" not null references workspaces (id),
  platform text collate "C" not null,
  vertical text collate "C" not null,
  name text collate "C" not null,
  state text collate "C" not null,
  state_reason text collate "C",
  settings text collate "C" not null,
  auth text collate "C" not null,
  credentials text collate "C" not null,
  revision bigint not null,
  created_at text collate "C" not null,
  updated_at text collate "C" not null
) ;
create index accounts_of_workspace on accounts (workspace_id, id);
create table mappings (
  account_id text collate "C" not null references accounts (id) on delete cascade,
  id text collate "C" not null,
  version bigint not null,
  workspace_id text collate "C" not null references workspaces (id),
  entity_type text collate "C" not null,
  direction text collate "C" not null,
  name text collate "C" not null,
  rules text collate "C" not null,
  created_at text collate "C" not null,
  primary key (account_id, id, version)
) ;
create unique index mappings_by_id on mappings (id, version);
create table mapping_keys (
  account_id text collate "C" not null references accounts (id) on delete cascade,
  key text collate "C" not null,
  workspace_id text collate "C" not null references workspaces (id),
  direction text collate "C" not null,
  is_default bigint not null,
  entity_type text collate "C",
  mapping_id text collate "C",
  created_at text collate "C" not null,
  primary key (account_id, key)
) ;
create unique index mapping_keys_by_key on mapping_keys (key);
create table links (
  account_id text collate "C" not null references accounts (id) on delete cascade,
  entity_type text collate "C" not null,
  source_id text collate "C" not null,
  native_id text collate "C" not null,
  origin text collate "C" not null,
  created_at text collate "C" not null,
  primary key (account_id, entity_type, source_id)
) ;
create table journal (
  account_id text collate "C" not null references accounts (id) on delete cascade,
  entity_type text collate "C" not null,
  external_id text collate "C" not null,
  write_id text collate "C" not null,
  state text collate "C" not null,
  content_hash text collate "C" not null,
  record text collate "C" not null,
  started_at text collate "C" not null,
  answer text collate "C",
  native_id text collate "C",
  detail text collate "C",
  holder text collate "C" not null,
  lease_until bigint not null,
  primary key (account_id, entity_type, external_id)
) ;
create index journal_open on journal (lease_until) where state in ('in_flight', 'unknown');
create table journal_steps (
  account_id text collate "C" not null references accounts (id) on delete cascade,
  write_id text collate "C" not null,
  name text collate "C" not null,
  sequence bigint not null,
  request text collate "C" not null,
  sent_at bigint not null,
  done bigint not null,
  value text collate "C",
  primary key (account_id, write_id, name)
) ;
create table leases (
  name text collate "C" not null primary key,
  holder text collate "C" not null,
  lease_until bigint not null
) ;
create table users (
  name text collate "C" not null primary key,
  password_hash text collate "C" not null
) ;
create table sessions (
  token_hash text collate "C" not null primary key,
  user_name text collate "C" not null,
  expires_at text collate "C" not null
) ;
create index sessions_by_end on sessions (expires_at);
create unlogged table pacing (
  account_id text collate "C" not null,
  lane text collate "C" not null,
  slots double precision[] not null default '{}',
  held_until double precision not null default 0,
  primary key (account_id, lane)
);
create function pace(p_account text, p_lanes jsonb, p_max_wait double precision)
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
end $$;
create function pace_hold(p_account text, p_milliseconds double precision) returns void language sql as $$
  insert into pacing (account_id, lane, held_until) values (p_account, '', extract(epoch from clock_timestamp()) * 1000 + p_milliseconds)
  on conflict (account_id, lane) do update set held_until = greatest(pacing.held_until, excluded.held_until)
$$;
create function pace_give_back(p_account text, p_lane text, p_slot double precision) returns void language sql as $$
  update pacing p set slots = p.slots[:array_position(p.slots, p_slot) - 1] || p.slots[array_position(p.slots, p_slot) + 1:]
  where p.account_id = p_account and p.lane in ('', p_lane) and array_position(p.slots, p_slot) is not null
$$;
create table activity (
  workspace_id text collate "C" not null,
  request_id text collate "C" not null,
  account_id text collate "C" not null,
  platform text collate "C" not null,
  credential_id text collate "C" not null,
  method text collate "C" not null,
  entity_type text collate "C" not null,
  operation text collate "C" not null,
  status bigint not null,
  outcome text collate "C" not null,
  error_code text collate "C",
  total_ms bigint not null,
  wait_ms bigint not null,
  platform_ms bigint not null,
  native_calls bigint not null,
  external_id text collate "C",
  native_id text collate "C",
  way_id text collate "C" not null
) ;
create unique index activity_key on activity (workspace_id, request_id, platform, entity_type, outcome);
create index activity_of_account on activity (workspace_id, account_id, request_id);
create index activity_failed on activity (workspace_id, request_id, outcome, error_code) where outcome <> 'ok';
create index activity_by_external_id on activity (workspace_id, external_id, request_id) where external_id is not null;
create index activity_by_native_id on activity (workspace_id, native_id, request_id) where native_id is not null;
create table activity_ways (
  workspace_id text collate "C" not null,
  id text collate "C" not null,
  ways text collate "C" not null,
  primary key (workspace_id, id)
) ;
create table activity_sums (
  workspace_id text collate "C" not null,
  step bigint not null,
  at bigint not null,
  platform text collate "C" not null,
  requests bigint not null,
  refused bigint not null,
  failed bigint not null,
  native_calls bigint not null,
  throttled bigint not null,
  wait_ms bigint not null,
  wait_max_ms bigint not null,
  total_ms bigint not null,
  used_max double precision not null,
  primary key (workspace_id, step, at, platform)
) ;
create index accounts_by_state on accounts (workspace_id, platform, state, id);
create index links_by_native_id on links (account_id, native_id);
create table reference_imports (
  account_id text collate "C" not null references accounts (id) on delete cascade,
  id text collate "C" not null,
  state text collate "C" not null,
  format text collate "C" not null,
  entity_type text collate "C",
  content text collate "C" not null,
  total bigint not null,
  position bigint not null,
  linked bigint not null,
  failed bigint not null,
  errors text collate "C" not null,
  created_at text collate "C" not null,
  updated_at text collate "C" not null,
  primary key (account_id, id)
) ;
create index reference_imports_open on reference_imports (state) where state = 'running';
create index sessions_of_user on sessions (user_name);
create table connect_links (
  workspace_id text collate "C" not null references workspaces (id),
  id text collate "C" not null,
  token_hash text collate "C" not null,
  offer text collate "C" not null,
  signing_secret text collate "C" not null,
  created_at text collate "C" not null,
  expires_at text collate "C" not null,
  revoked_at text collate "C",
  connected_at text collate "C",
  connected_account_id text collate "C",
  attempt_id text collate "C" not null,
  attempt_state text collate "C" not null,
  attempt_at bigint not null,
  attempt text collate "C",
  primary key (workspace_id, id)
) ;
create unique index connect_links_by_token on connect_links (token_hash);
create table platform_apps (
  workspace_id text collate "C" not null references workspaces (id),
  platform text collate "C" not null,
  credentials text collate "C" not null,
  settings text collate "C" not null,
  updated_at text collate "C" not null,
  primary key (workspace_id, platform)
) ;
create table audit (
    scope text collate "C" not null,
    sequence bigint not null,
    at text collate "C" not null,
    actor text collate "C" not null,
    address text collate "C" not null,
    action text collate "C" not null,
    object text collate "C" not null,
    outcome text collate "C" not null,
    request_id text collate "C" not null,
    previous text collate "C" not null,
    hash text collate "C" not null,
    primary key (scope, sequence)
  ) ;
create function audit_refuse() returns trigger language plpgsql as $$ begin raise exception 'the audit log is append-only'; end $$;
create trigger audit_append_only before update or delete or truncate on audit for each statement execute function audit_refuse();
create function pace_late(p_account text, p_lanes jsonb, p_slot double precision) returns boolean language plpgsql as $$
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
end $$;
create or replace function pace_slot(p_account text, p_lanes jsonb, p_max_wait double precision)
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
end $$;
create or replace function pace_slot(p_account text, p_lanes jsonb, p_max_wait double precision)
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
end $$;
alter table users add column unprinted_password text collate "C";
