// The tables of 0.1.0, with the names of the migrations from before that release.
import { sql } from 'kysely'
import type { Store } from '../../store.ts'
import { columnTypes } from '../column-types.ts'
import type { NamedPart } from '../part.ts'

export function coreTables(kind: Store['kind']): NamedPart[] {
  const { text, number, real, end, byKey } = columnTypes[kind]
  const ofAccount = sql`account_id ${text} not null references accounts (id) on delete cascade`
  const ofWorkspace = sql`workspace_id ${text} not null references workspaces (id)`
  return [
    {
      name: '0001-first-tables',
      statements: [
        sql`create table workspaces (
          id ${text} not null primary key,
          name ${text} not null,
          created_at ${text} not null
        ) ${end}`,
        sql`create table credentials (
          id ${text} not null primary key,
          kind ${text} not null,
          ${ofWorkspace},
          name ${text} not null,
          secret_hash ${text} not null,
          generation ${number} not null,
          created_at ${text} not null,
          rotated_at ${text},
          last_used_at ${text},
          revoked_at ${text}
        ) ${end}`,
        sql`create index credentials_of_workspace on credentials (workspace_id, kind, id)`,
        sql`create table accounts (
          id ${text} not null primary key,
          ${ofWorkspace},
          platform ${text} not null,
          vertical ${text} not null,
          name ${text} not null,
          state ${text} not null,
          state_reason ${text},
          settings ${text} not null,
          auth ${text} not null,
          credentials ${text} not null,
          revision ${number} not null,
          created_at ${text} not null,
          updated_at ${text} not null
        ) ${end}`,
        sql`create index accounts_of_workspace on accounts (workspace_id, id)`,
        sql`create table mappings (
          ${ofAccount},
          id ${text} not null,
          version ${number} not null,
          ${ofWorkspace},
          entity_type ${text} not null,
          direction ${text} not null,
          name ${text} not null,
          rules ${text} not null,
          created_at ${text} not null,
          primary key (account_id, id, version)
        ) ${end}`,
        sql`create unique index mappings_by_id on mappings (id, version)`,
        sql`create table mapping_keys (
          ${ofAccount},
          key ${text} not null,
          ${ofWorkspace},
          direction ${text} not null,
          is_default ${number} not null,
          entity_type ${text},
          mapping_id ${text},
          created_at ${text} not null,
          primary key (account_id, key)
        ) ${end}`,
        sql`create unique index mapping_keys_by_key on mapping_keys (key)`,
        sql`create table links (
          ${ofAccount},
          entity_type ${text} not null,
          source_id ${text} not null,
          native_id ${text} not null,
          origin ${text} not null,
          created_at ${text} not null,
          primary key (account_id, entity_type, source_id)
        ) ${end}`,
        sql`create table journal (
          ${ofAccount},
          entity_type ${text} not null,
          external_id ${text} not null,
          write_id ${text} not null,
          state ${text} not null,
          content_hash ${text} not null,
          record ${text} not null,
          started_at ${text} not null,
          answer ${text},
          native_id ${text},
          detail ${text},
          holder ${text} not null,
          lease_until ${number} not null,
          primary key (account_id, entity_type, external_id)
        ) ${end}`,
        // Only what somebody may have to finish: it stays small however long the journal grows.
        sql`create index journal_open on journal (lease_until) where state in ('in_flight', 'unknown')`,
        sql`create table journal_steps (
          ${ofAccount},
          write_id ${text} not null,
          name ${text} not null,
          sequence ${number} not null,
          request ${text} not null,
          sent_at ${number} not null,
          done ${number} not null,
          value ${text},
          primary key (account_id, write_id, name)
        ) ${end}`,
        sql`create table leases (
          name ${text} not null primary key,
          holder ${text} not null,
          lease_until ${number} not null
        ) ${end}`,
        sql`create table users (
          name ${text} not null primary key,
          password_hash ${text} not null
        ) ${end}`,
        sql`create table sessions (
          token_hash ${text} not null primary key,
          user_name ${text} not null,
          expires_at ${text} not null
        ) ${end}`,
        sql`create index sessions_by_end on sessions (expires_at)`,
      ],
    },
    {
      name: '0003-activity',
      statements: [
        // A request id begins with its time, so the key is the order of time. No foreign keys: a deleted account's past
        // stays readable until its days are over.
        sql`create table activity (
          workspace_id ${text} not null,
          request_id ${text} not null,
          account_id ${text} not null,
          platform ${text} not null,
          credential_id ${text} not null,
          method ${text} not null,
          entity_type ${text} not null,
          operation ${text} not null,
          status ${number} not null,
          outcome ${text} not null,
          error_code ${text},
          total_ms ${number} not null,
          wait_ms ${number} not null,
          platform_ms ${number} not null,
          native_calls ${number} not null,
          external_id ${text},
          native_id ${text},
          way_id ${text} not null
        ) ${end}`,
        // The key, with what has few values behind it: a filter by platform, entity or outcome is decided from here,
        // without looking at a row.
        sql`create unique index activity_key on activity (workspace_id, request_id, platform, entity_type, outcome)`,
        sql`create index activity_of_account on activity (workspace_id, account_id, request_id)`,
        sql`create index activity_failed on activity (workspace_id, request_id, outcome, error_code) where outcome <> 'ok'`,
        sql`create index activity_by_external_id on activity (workspace_id, external_id, request_id) where external_id is not null`,
        sql`create index activity_by_native_id on activity (workspace_id, native_id, request_id) where native_id is not null`,
        // The ways of all requests of one flush under one seal: a seal of each would cost more than all the rest.
        sql`create table activity_ways (
          workspace_id ${text} not null,
          id ${text} not null,
          ways ${text} not null,
          primary key (workspace_id, id)
        ) ${byKey}`,
        sql`create table activity_sums (
          workspace_id ${text} not null,
          step ${number} not null,
          at ${number} not null,
          platform ${text} not null,
          requests ${number} not null,
          refused ${number} not null,
          failed ${number} not null,
          native_calls ${number} not null,
          throttled ${number} not null,
          wait_ms ${number} not null,
          wait_max_ms ${number} not null,
          total_ms ${number} not null,
          used_max ${real} not null,
          primary key (workspace_id, step, at, platform)
        ) ${byKey}`,
        sql`create index accounts_by_state on accounts (workspace_id, platform, state, id)`,
        sql`create index links_by_native_id on links (account_id, native_id)`,
        sql`create table reference_imports (
          ${ofAccount},
          id ${text} not null,
          state ${text} not null,
          format ${text} not null,
          entity_type ${text},
          content ${text} not null,
          total ${number} not null,
          position ${number} not null,
          linked ${number} not null,
          failed ${number} not null,
          errors ${text} not null,
          created_at ${text} not null,
          updated_at ${text} not null,
          primary key (account_id, id)
        ) ${end}`,
        sql`create index reference_imports_open on reference_imports (state) where state = 'running'`,
        sql`create index sessions_of_user on sessions (user_name)`,
      ],
    },
    {
      name: '0004-connect',
      statements: [
        sql`create table connect_links (
          ${ofWorkspace},
          id ${text} not null,
          token_hash ${text} not null,
          offer ${text} not null,
          signing_secret ${text} not null,
          created_at ${text} not null,
          expires_at ${text} not null,
          revoked_at ${text},
          connected_at ${text},
          connected_account_id ${text},
          attempt_id ${text} not null,
          attempt_state ${text} not null,
          attempt_at ${number} not null,
          attempt ${text},
          primary key (workspace_id, id)
        ) ${end}`,
        sql`create unique index connect_links_by_token on connect_links (token_hash)`,
        sql`create table platform_apps (
          ${ofWorkspace},
          platform ${text} not null,
          credentials ${text} not null,
          settings ${text} not null,
          updated_at ${text} not null,
          primary key (workspace_id, platform)
        ) ${end}`,
      ],
    },
  ]
}
