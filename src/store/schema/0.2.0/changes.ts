// The change feed and webhooks, in both directions. `feeds` is the parent of an account's rows: a worker locks its feed
// first, so that it never waits for the deletion of the account. A watch outlives its account or its setting without
// `account_id`: its rows in the index can be a million, and `prune` removes them in batches. A webhook endpoint has a
// position in the log of every account, and in the log of its workspace (the empty account id).
import { sql } from 'kysely'
import type { Store } from '../../store.ts'
import { columnTypes } from '../column-types.ts'
import type { NamedPart } from '../part.ts'

export function changeTables(kind: Store['kind']): NamedPart[] {
  const { text, number, small, bytes, end, byKey, watchId, deliveryPlace } = columnTypes[kind]
  const ofFeed = sql`account_id ${text} not null references feeds (account_id) on delete cascade`
  return [
    {
      name: '0021-changes',
      statements: [
        sql`create table watch_settings (
          workspace_id ${text} not null references workspaces (id),
          owner ${text} not null,
          entity_type ${text} not null,
          account_id ${text} references accounts (id) on delete cascade,
          settings ${text} not null,
          primary key (workspace_id, owner, entity_type)
        ) ${end}`,
        sql`create index watch_settings_of_account on watch_settings (account_id)`,
        sql`create table feeds (
          account_id ${text} not null primary key references accounts (id) on delete cascade,
          workspace_id ${text} not null,
          head ${number} not null,
          detected_at ${number} not null,
          last_epoch ${number} not null,
          fence ${number} not null,
          holder ${text} not null,
          lease_until ${number} not null,
          due_at ${number} not null,
          rest_until ${number} not null
        ) ${end}`,
        sql`create index feeds_by_due on feeds (due_at)`,
        sql`create table watches (
          ${watchId},
          account_id ${text} references feeds (account_id) on delete set null,
          entity_type ${text} not null,
          epoch ${number} not null,
          state ${text} not null
        ) ${end}`,
        sql`create unique index watches_of_account on watches (account_id, entity_type)`,
        sql`create index watches_ended on watches (id) where account_id is null`,
        // No reference to the watch: the check would cost more than the insert.
        sql`create table watch_records (
          watch ${small} not null,
          revision ${small} not null,
          modified ${number},
          native_id ${text} not null,
          fingerprint ${bytes} not null,
          digest ${bytes},
          grp ${text},
          primary key (watch, native_id)
        ) ${byKey}`,
        sql`create index watch_records_by_group on watch_records (watch, grp) where grp is not null`,
        sql`create table walk_seen (
          watch ${small} not null,
          page ${small} not null,
          hashes ${bytes} not null,
          primary key (watch, page)
        ) ${end}`,
        sql`create table watch_missing (
          watch ${small} not null,
          native_id ${text} not null,
          since_walk ${number} not null,
          since ${number} not null,
          reads ${number} not null,
          primary key (watch, native_id)
        ) ${byKey}`,
        sql`create table watch_unlisted (
          watch ${small} not null,
          native_id ${text} not null,
          next_check_at ${number} not null,
          checks ${number} not null,
          primary key (watch, native_id)
        ) ${byKey}`,
        sql`create index watch_unlisted_by_check on watch_unlisted (watch, next_check_at)`,
        sql`create table change_log (
          ${ofFeed},
          sequence ${number} not null,
          tag ${bytes} not null,
          entity_type ${text} not null,
          epoch ${number} not null,
          operation ${text} not null,
          native_id ${text} not null,
          detected_at ${number} not null,
          modified_at ${number},
          origin ${text} not null,
          written_by ${text},
          changed ${text},
          replaced_by ${text},
          record ${text},
          primary key (account_id, sequence)
        ) ${end}`,
        sql`create index change_log_of_record on change_log (account_id, entity_type, native_id, sequence)`,
        sql`create index change_log_by_age on change_log (detected_at, sequence)`,
        sql`create table change_hints (
          ${ofFeed},
          entity_type ${text} not null,
          native_id ${text} not null,
          counter ${number} not null,
          origin ${text} not null,
          due_at ${number} not null,
          first_at ${number} not null,
          written_by ${text},
          record ${text},
          gone ${number} not null,
          replaced_by ${text},
          attempts ${number} not null,
          primary key (account_id, entity_type, native_id)
        ) ${end}`,
        sql`create index change_hints_by_due on change_hints (account_id, due_at)`,
      ],
    },
    {
      name: '0023-webhooks',
      statements: [
        sql`create table workspace_logs (
          workspace_id ${text} not null primary key references workspaces (id),
          head ${number} not null
        ) ${end}`,
        sql`create table workspace_events (
          workspace_id ${text} not null references workspaces (id),
          sequence ${number} not null,
          tag ${bytes} not null,
          type ${text} not null,
          subject ${text} not null,
          account_id ${text},
          at ${number} not null,
          data ${text} not null,
          primary key (workspace_id, sequence)
        ) ${end}`,
        sql`create index workspace_events_by_age on workspace_events (at)`,
        sql`create table webhook_endpoints (
          id ${text} not null primary key,
          workspace_id ${text} not null references workspaces (id),
          url ${text} not null,
          settings ${text} not null,
          secrets ${text} not null,
          state ${text} not null,
          state_reason ${text},
          created_at ${text} not null,
          updated_at ${text} not null,
          last_success_at ${number},
          failing_since ${number},
          failures ${number} not null,
          fence ${number} not null,
          holder ${text} not null,
          lease_until ${number} not null,
          due_at ${number} not null,
          rest_until ${number} not null
        ) ${end}`,
        sql`create index webhook_endpoints_of_workspace on webhook_endpoints (workspace_id, id)`,
        sql`create table webhook_positions (
          endpoint_id ${text} not null references webhook_endpoints (id) on delete cascade,
          account_id ${text} not null,
          sequence ${number} not null,
          tag ${text},
          epochs ${text} not null,
          generation ${number} not null,
          primary key (endpoint_id, account_id)
        ) ${end}`,
        sql`create table webhook_deliveries (
          ${deliveryPlace},
          endpoint_id ${text} not null references webhook_endpoints (id) on delete cascade,
          id ${text} not null,
          account_id ${text} not null,
          sequence ${number} not null,
          subject ${text} not null,
          type ${text} not null,
          state ${text} not null,
          attempts ${number} not null,
          next_at ${number} not null,
          created_at ${number} not null,
          ended_at ${number},
          body ${text} not null,
          log ${text} not null
        ) ${end}`,
        sql`create unique index webhook_deliveries_by_id on webhook_deliveries (endpoint_id, id)`,
        sql`create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, subject, place)
          where state = 'waiting'`,
        sql`create index webhook_deliveries_due on webhook_deliveries (endpoint_id, next_at) where state = 'waiting'`,
        sql`create index webhook_deliveries_failed on webhook_deliveries (endpoint_id, place) where state = 'failed'`,
        sql`create index webhook_deliveries_of_endpoint on webhook_deliveries (endpoint_id, place)`,
        sql`create index webhook_deliveries_by_end on webhook_deliveries (ended_at) where ended_at is not null`,
        sql`create index feeds_of_workspace on feeds (workspace_id)`,
      ],
    },
    {
      name: '0024-hooks',
      statements: [
        sql`create table hooks (
          id ${text} not null primary key,
          workspace_id ${text} not null references workspaces (id),
          platform ${text} not null,
          owner ${text} not null,
          account_id ${text} references accounts (id) on delete cascade,
          url ${text},
          secrets ${text} not null,
          registration ${text},
          challenges ${text},
          state ${text} not null,
          error ${text},
          failures ${number} not null,
          created_at ${number} not null,
          checked_at ${number},
          received_at ${number},
          refused_at ${number},
          fence ${number} not null,
          holder ${text} not null,
          lease_until ${number} not null,
          due_at ${number} not null
        ) ${end}`,
        sql`create unique index hooks_of_workspace on hooks (workspace_id, platform, owner)`,
        sql`create index hooks_of_account on hooks (account_id)`,
        sql`create index hooks_by_due on hooks (due_at)`,
      ],
    },
    {
      name: '0025-erasures',
      statements: [
        sql`create table erasures (
          account_id ${text} not null references feeds (account_id) on delete cascade,
          entity_type ${text} not null,
          native_id ${text} not null,
          after_sequence ${number} not null,
          passes ${number} not null,
          due_at ${number} not null,
          primary key (account_id, entity_type, native_id)
        ) ${end}`,
        sql`create index webhook_deliveries_of_change on webhook_deliveries (account_id, sequence)`,
      ],
    },
  ]
}
