// Mappings of a workspace, people, migrations between accounts, sums per account.
import { sql } from 'kysely'
import type { Store } from '../../store.ts'
import { columnTypes } from '../column-types.ts'
import type { NamedPart } from '../part.ts'

/** Queue times of requests, in milliseconds. */
const waits = [...[0, 10, 30, 100, 300, 1_000, 3_000, 10_000, 30_000].map((bound) => `wait_to_${bound}`), 'wait_above']

export function workspaceTables(kind: Store['kind']): NamedPart[] {
  const { text, number, real, end, byKey } = columnTypes[kind]
  const ofUser = sql`references users (name) on delete cascade`
  const ofWorkspace = sql`references workspaces (id) on delete cascade`
  const buckets = waits.map((name) => sql`${sql.ref(name)} ${number} not null default 0`)
  return [
    {
      name: '0016-mapping-defaults',
      statements: [
        // SQLite cannot make a column nullable: the table is copied, on both databases alike.
        sql`create table owned_mappings (
          workspace_id ${text} not null references workspaces (id),
          id ${text} not null,
          version ${number} not null,
          account_id ${text} references accounts (id) on delete cascade,
          platform ${text},
          entity_type ${text} not null,
          direction ${text} not null,
          name ${text} not null,
          rules ${text} not null,
          created_at ${text} not null,
          primary key (workspace_id, id, version)
        ) ${end}`,
        sql`insert into owned_mappings (workspace_id, id, version, account_id, entity_type, direction, name, rules, created_at)
          select workspace_id, id, version, account_id, entity_type, direction, name, rules, created_at from mappings`,
        sql`drop table mappings`,
        sql`alter table owned_mappings rename to mappings`,
        sql`create unique index mappings_by_id on mappings (id, version)`,
        sql`create index mappings_of_account on mappings (account_id, id)`,
        // owner: an account id, a platform, or the empty string for the workspace. No mapping_id: the built-in mapping.
        sql`create table mapping_defaults (
          workspace_id ${text} not null references workspaces (id),
          scope ${text} not null,
          owner ${text} not null,
          entity_type ${text} not null,
          direction ${text} not null,
          account_id ${text} references accounts (id) on delete cascade,
          mapping_id ${text},
          created_at ${text} not null,
          primary key (workspace_id, scope, owner, entity_type, direction)
        ) ${end}`,
        sql`create index mapping_defaults_of_account on mapping_defaults (account_id)`,
        sql`create index mapping_defaults_of_mapping on mapping_defaults (mapping_id)`,
      ],
    },
    {
      name: '0028-write-guards',
      statements: [
        sql`create table write_guards (
          account_id ${text} not null references accounts (id) on delete cascade,
          entity_type ${text} not null,
          fingerprint ${text} not null,
          external_id ${text} not null,
          begun_at ${number} not null,
          primary key (account_id, entity_type, fingerprint)
        ) ${end}`,
        sql`create index write_guards_by_age on write_guards (begun_at)`,
      ],
    },
    {
      name: '0030-people',
      statements: [
        sql`alter table users add column is_admin ${number} not null default 0`,
        // Until now every user could do everything.
        sql`update users set is_admin = 1`,
        ...['id', 'started_at', 'last_used_at', 'address', 'browser'].map(
          (column) => sql`alter table sessions add column ${sql.ref(column)} ${text}`,
        ),
        sql`update sessions set id = 'uss_' || substr(token_hash, 1, 16)`,
        sql`create table members (
          workspace_id ${text} not null ${ofWorkspace},
          user_name ${text} not null ${ofUser},
          role ${text} not null,
          created_at ${text} not null,
          primary key (workspace_id, user_name)
        ) ${end}`,
        sql`create index members_by_user on members (user_name)`,
        sql`create table identities (
          issuer ${text} not null,
          subject ${text} not null,
          user_name ${text} not null ${ofUser},
          created_at ${text} not null,
          primary key (issuer, subject)
        ) ${end}`,
        sql`create index identities_by_user on identities (user_name)`,
        sql`create table invitations (
          id ${text} not null primary key,
          token_hash ${text} not null unique,
          name ${text} not null,
          workspace_id ${text} ${ofWorkspace},
          role ${text},
          user_name ${text} ${ofUser},
          created_by ${text} not null,
          created_at ${text} not null,
          expires_at ${text} not null
        ) ${end}`,
        sql`create index invitations_by_workspace on invitations (workspace_id, id)`,
        sql`create index invitations_by_user on invitations (user_name)`,
      ],
    },
    {
      name: '0033-migrations',
      statements: [
        sql`create table migrations (
          workspace_id ${text} not null references workspaces (id) on delete cascade,
          id ${text} not null,
          from_account ${text} not null references accounts (id) on delete cascade,
          to_account ${text} not null references accounts (id) on delete cascade,
          state ${text} not null,
          options ${text} not null,
          progress ${text} not null,
          meta ${text} not null,
          error ${text},
          plan ${text},
          report ${text},
          created_by ${text} not null,
          created_at ${text} not null,
          updated_at ${text} not null,
          primary key (workspace_id, id)
        ) ${end}`,
        sql`create index migrations_open on migrations (state) where state in ('planning', 'running')`,
        sql`create index migrations_from on migrations (from_account)`,
        sql`create index migrations_to on migrations (to_account)`,
        sql`create table migration_records (
          workspace_id ${text} not null,
          migration_id ${text} not null,
          entity_type ${text} not null,
          source_id ${text} not null,
          target_id ${text},
          source_hash ${text},
          written ${text},
          failure ${text},
          reason ${text},
          primary key (workspace_id, migration_id, entity_type, source_id),
          foreign key (workspace_id, migration_id) references migrations (workspace_id, id) on delete cascade
        ) ${end}`,
        sql`create index migration_records_target
          on migration_records (workspace_id, migration_id, entity_type, target_id)`,
        sql`create table migration_before (
          workspace_id ${text} not null,
          migration_id ${text} not null,
          entity_type ${text} not null,
          native_id ${text} not null,
          primary key (workspace_id, migration_id, entity_type, native_id),
          foreign key (workspace_id, migration_id) references migrations (workspace_id, id) on delete cascade
        ) ${end}`,
      ],
    },
    {
      name: '0034-account-days',
      statements: [
        // They stay when the activity itself is pruned.
        sql`create table account_days (
          workspace_id ${text} not null,
          account_id ${text} not null,
          at ${number} not null,
          requests ${number} not null,
          refused ${number} not null,
          failed ${number} not null,
          native_calls ${number} not null,
          throttled ${number} not null,
          wait_ms ${number} not null,
          wait_max_ms ${number} not null,
          total_ms ${number} not null,
          used_max ${real} not null,
          ${sql.join(buckets)},
          primary key (workspace_id, account_id, at)
        ) ${byKey}`,
        ...buckets.map((bucket) => sql`alter table activity_sums add column ${bucket}`),
        sql`alter table activity add column is_own ${number} not null default 0`,
      ],
    },
  ]
}
