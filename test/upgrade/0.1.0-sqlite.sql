-- Tables of a database of version 0.1.0 (commit 029a4e1), made by that version. The encryption key is 32 bytes of the value 1.
create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null);
create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null);
create table workspaces (
  id text not null primary key,
  name text not null,
  created_at text not null
) strict;
create table credentials (
  id text not null primary key,
  kind text not null,
  workspace_id text not null references workspaces (id),
  name text not null,
  secret_hash text not null,
  generation integer not null,
  created_at text not null,
  rotated_at text,
  last_used_at text,
  revoked_at text
) strict;
create index credentials_of_workspace on credentials (workspace_id, kind, id);
create table accounts (
  id text not null primary key,
  workspace_id text not null references workspaces (id),
  platform text not null,
  vertical text not null,
  name text not null,
  state text not null,
  state_reason text,
  settings text not null,
  auth text not null,
  credentials text not null,
  revision integer not null,
  created_at text not null,
  updated_at text not null
) strict;
create index accounts_of_workspace on accounts (workspace_id, id);
create table mappings (
  account_id text not null references accounts (id) on delete cascade,
  id text not null,
  version integer not null,
  workspace_id text not null references workspaces (id),
  entity_type text not null,
  direction text not null,
  name text not null,
  rules text not null,
  created_at text not null,
  primary key (account_id, id, version)
) strict;
create unique index mappings_by_id on mappings (id, version);
create table mapping_keys (
  account_id text not null references accounts (id) on delete cascade,
  key text not null,
  workspace_id text not null references workspaces (id),
  direction text not null,
  is_default integer not null,
  entity_type text,
  mapping_id text,
  created_at text not null,
  primary key (account_id, key)
) strict;
create unique index mapping_keys_by_key on mapping_keys (key);
create table links (
  account_id text not null references accounts (id) on delete cascade,
  entity_type text not null,
  source_id text not null,
  native_id text not null,
  origin text not null,
  created_at text not null,
  primary key (account_id, entity_type, source_id)
) strict;
create table journal (
  account_id text not null references accounts (id) on delete cascade,
  entity_type text not null,
  external_id text not null,
  write_id text not null,
  state text not null,
  content_hash text not null,
  record text not null,
  started_at text not null,
  answer text,
  native_id text,
  detail text,
  holder text not null,
  lease_until integer not null,
  primary key (account_id, entity_type, external_id)
) strict;
create index journal_open on journal (lease_until) where state in ('in_flight', 'unknown');
create table journal_steps (
  account_id text not null references accounts (id) on delete cascade,
  write_id text not null,
  name text not null,
  sequence integer not null,
  request text not null,
  sent_at integer not null,
  done integer not null,
  value text,
  primary key (account_id, write_id, name)
) strict;
create table leases (
  name text not null primary key,
  holder text not null,
  lease_until integer not null
) strict;
create table users (
  name text not null primary key,
  password_hash text not null
    , unprinted_password text) strict;
create table sessions (
  token_hash text not null primary key,
  user_name text not null,
  expires_at text not null
) strict;
create index sessions_by_end on sessions (expires_at);
create table activity (
  workspace_id text not null,
  request_id text not null,
  account_id text not null,
  platform text not null,
  credential_id text not null,
  method text not null,
  entity_type text not null,
  operation text not null,
  status integer not null,
  outcome text not null,
  error_code text,
  total_ms integer not null,
  wait_ms integer not null,
  platform_ms integer not null,
  native_calls integer not null,
  external_id text,
  native_id text,
  way_id text not null
) strict;
create unique index activity_key on activity (workspace_id, request_id, platform, entity_type, outcome);
create index activity_of_account on activity (workspace_id, account_id, request_id);
create index activity_failed on activity (workspace_id, request_id, outcome, error_code) where outcome <> 'ok';
create index activity_by_external_id on activity (workspace_id, external_id, request_id) where external_id is not null;
create index activity_by_native_id on activity (workspace_id, native_id, request_id) where native_id is not null;
create table activity_ways (
  workspace_id text not null,
  id text not null,
  ways text not null,
  primary key (workspace_id, id)
) strict, without rowid;
create table activity_sums (
  workspace_id text not null,
  step integer not null,
  at integer not null,
  platform text not null,
  requests integer not null,
  refused integer not null,
  failed integer not null,
  native_calls integer not null,
  throttled integer not null,
  wait_ms integer not null,
  wait_max_ms integer not null,
  total_ms integer not null,
  used_max real not null,
  primary key (workspace_id, step, at, platform)
) strict, without rowid;
create index accounts_by_state on accounts (workspace_id, platform, state, id);
create index links_by_native_id on links (account_id, native_id);
create table reference_imports (
  account_id text not null references accounts (id) on delete cascade,
  id text not null,
  state text not null,
  format text not null,
  entity_type text,
  content text not null,
  total integer not null,
  position integer not null,
  linked integer not null,
  failed integer not null,
  errors text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
) strict;
create index reference_imports_open on reference_imports (state) where state = 'running';
create index sessions_of_user on sessions (user_name);
create table connect_links (
  workspace_id text not null references workspaces (id),
  id text not null,
  token_hash text not null,
  offer text not null,
  signing_secret text not null,
  created_at text not null,
  expires_at text not null,
  revoked_at text,
  connected_at text,
  connected_account_id text,
  attempt_id text not null,
  attempt_state text not null,
  attempt_at integer not null,
  attempt text,
  primary key (workspace_id, id)
) strict;
create unique index connect_links_by_token on connect_links (token_hash);
create table platform_apps (
  workspace_id text not null references workspaces (id),
  platform text not null,
  credentials text not null,
  settings text not null,
  updated_at text not null,
  primary key (workspace_id, platform)
) strict;
create table audit (
    scope text not null,
    sequence integer not null,
    at text not null,
    actor text not null,
    address text not null,
    action text not null,
    object text not null,
    outcome text not null,
    request_id text not null,
    previous text not null,
    hash text not null,
    primary key (scope, sequence)
  ) strict, without rowid;
create trigger audit_no_update before update on audit begin select raise(abort, 'the audit log is append-only'); end;
create trigger audit_no_delete before delete on audit begin select raise(abort, 'the audit log is append-only'); end;
