import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../../store.ts'
import { columnTypes } from '../column-types.ts'
import type { NamedPart, ReleaseMigration } from '../part.ts'
import { changeTables } from './changes.ts'
import { erasureTables } from './erasures.ts'
import { journalFunctions } from './journal.ts'
import { paceFunctions } from './pace-slots.ts'
import { paceBackground, permitsTable, sharePermits, shareWithBackground } from './pacing.ts'
import { workspaceTables } from './workspaces.ts'

/** A change of one of these changes the number that tells instances to read their caches again. */
const countChanges = (table: string, events = 'insert or delete or update') =>
  sql`create constraint trigger ${sql.ref(`${table}_changed`)} after ${sql.raw(events)} on ${sql.ref(table)}
    deferrable initially deferred for each row execute function count_lookup_change()`
/** The last use of a credential is not cached. */
const cachedOfCredentials =
  'name, secret_hash, generation, rotated_at, revoked_at, scopes, accounts, entities, hidden_fields, expires_at'

export function release020(kind: Store['kind']): ReleaseMigration {
  const { text, number, end } = columnTypes[kind]
  // On SQLite, one process has its slots, permits and caches in memory.
  const shared = (statements: RawBuilder<unknown>[]) => (kind === 'postgres' ? statements : [])
  const parts: NamedPart[] = [
    ...changeTables(kind),
    ...workspaceTables(kind),
    ...erasureTables(kind),
    { name: '0012-slot-batches', statements: [] },
    {
      name: '0013-updates',
      statements: [
        sql`create index journal_finished_updates on journal (lease_until) where entity_type like '%.update' and state = 'done'`,
      ],
    },
    // Whose ids the references of a create are.
    { name: '0014-reference-mode', statements: [sql`alter table journal add column reference_mode ${text}`] },
    {
      name: '0015-businesses',
      statements: [
        // Null until a start has looked for it, empty while it is unknown.
        sql`alter table accounts add column business text`,
        sql`create index accounts_business on accounts (business, workspace_id) where business <> ''`,
        sql`create index accounts_without_business on accounts (id) where business is null`,
      ],
    },
    {
      name: '0017-slot-arrivals',
      statements: shared([sql`alter table pacing add column arrivals double precision[] not null default '{}'`]),
    },
    { name: '0018-call-permits', statements: shared([permitsTable]) },
    {
      name: '0019-daily-calls',
      statements: [
        sql`create table daily_calls (
          owner ${text} not null,
          bucket ${number} not null,
          calls ${number} not null,
          primary key (owner, bucket)
        ) ${end}`,
        sql`create index daily_calls_by_bucket on daily_calls (bucket)`,
      ],
    },
    {
      name: '0020-lookup-version',
      statements: shared([
        sql`create table lookup_version (version bigint not null)`,
        sql`insert into lookup_version (version) values (1)`,
        // At the end of a transaction: one that holds the row waits for nothing else.
        sql`create function count_lookup_change() returns trigger language plpgsql as $$
        begin
          update lookup_version set version = version + 1;
          return null;
        end
      $$`,
        ...['accounts', 'mappings', 'mapping_keys', 'mapping_defaults'].map((table) => countChanges(table)),
      ]),
    },
    {
      name: '0022-background-slots',
      statements: shared([sql`alter table pacing add column asked_at double precision not null default 0`]),
    },
    { name: '0026-scopes', statements: [sql`alter table credentials add column scopes text`] },
    {
      name: '0029-credential-limits',
      statements: [
        ...['accounts', 'entities', 'hidden_fields', 'expires_at', 'last_address'].map(
          (column) => sql`alter table credentials add column ${sql.ref(column)} text`,
        ),
        ...shared([
          sql`drop trigger if exists credentials_changed on credentials`,
          countChanges('credentials', `insert or delete or update of ${cachedOfCredentials}`),
        ]),
      ],
    },
    {
      name: '0031-partial-writes',
      statements: [sql`create index journal_partial on journal (account_id) where state = 'partial'`],
    },
    {
      name: '0032-branding',
      statements: [
        sql`create table branding (
        workspace_id ${text} primary key references workspaces (id) on delete cascade,
        branding ${text} not null
      ) ${end}`,
      ],
    },
    {
      name: '0035-workspace-settings',
      statements: [
        sql`create table workspace_settings (
        workspace_id ${text} primary key references workspaces (id) on delete cascade,
        settings ${text} not null
      ) ${end}`,
      ],
    },
  ]
  return {
    name: '0002-version-0.2.0',
    parts: [
      ...parts.sort((a, b) => a.name.localeCompare(b.name)),
      {
        statements: [
          ...shared([
            ...paceFunctions,
            sql`drop function if exists pace_free(double precision[], jsonb, double precision, double precision, double precision)`,
            sharePermits,
            shareWithBackground,
            paceBackground,
            ...journalFunctions,
            // Hundreds of slots fit into a page. Compressing them would take longer than all the rest.
            sql`alter table pacing set (toast_tuple_target = 8160)`,
            sql`alter table pacing alter column slots set storage external, alter column arrivals set storage external`,
          ]),
          sql`drop table if exists kysely_migration_lock`,
        ],
      },
    ],
  }
}
