import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import type { MappingOwner, Store } from '../store.ts'
import { waitColumns } from '../wait-buckets.ts'

/** What migrations after the one of default mappings made on PostgreSQL. */
const laterTables = [
  'person_erasures',
  'erased_people',
  'workspace_settings',
  'account_days',
  'migration_before',
  'migration_records',
  'migrations',
  'branding',
  'invitations',
  'identities',
  'members',
  'write_guards',
  'erasures',
  'hooks',
  'webhook_deliveries',
  'webhook_positions',
  'webhook_endpoints',
  'workspace_events',
  'workspace_logs',
  'watch_settings',
  'watch_records',
  'walk_seen',
  'watch_missing',
  'watch_unlisted',
  'watches',
  'feeds',
  'change_log',
  'change_hints',
]
const laterMigrations = [
  'alter table pacing drop column arrivals',
  'drop table call_permits',
  'drop function share_call_permits(text, text, integer, integer, integer, double precision, integer)',
  'drop function share_call_permits(text, text, integer, integer, integer, double precision)',
  'drop function pace_background',
  'alter table pacing drop column asked_at',
  'drop table lookup_version',
  'drop function count_lookup_change cascade',
]

describe.each(storeKinds)('default mappings on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open()
    await store.migrate()
    await addAccount(store, 'a')
    await addAccount(store, 'b')
  })
  afterAll(() => database.remove())

  const slot = { entityType: 'product', direction: 'read' } as const
  const ofWorkspace: MappingOwner = { workspaceId: 'w' }
  const ofPlatform: MappingOwner = { workspaceId: 'w', platform: 'square' }
  const ofAccount: MappingOwner = { workspaceId: 'w', accountId: 'a' }
  const save = (id: string, owner: MappingOwner) =>
    store.mappings.save({ ...owner, ...slot, id, name: id, rules: { '/name': { value: id } } })
  const effective = async (accountId: string, platform = 'square', workspaceId = 'w') =>
    store.mappingDefaults.effective({ id: accountId, workspaceId, platform }, 'product', 'read')

  it('come from the account, its platform or its workspace, in this order', async () => {
    expect(await effective('a')).toBeUndefined()
    for (const [id, owner] of [
      ['m-workspace', ofWorkspace],
      ['m-platform', ofPlatform],
      ['m-account', ofAccount],
    ] as const) {
      await save(id, owner)
      expect(await store.mappingDefaults.set({ ...owner, ...slot, mappingId: id })).toBe(true)
      expect(await effective('a')).toEqual({ ...owner, ...slot, mappingId: id })
    }
    expect(await effective('b')).toMatchObject({ mappingId: 'm-platform' })
    expect(await effective('c', 'clover')).toMatchObject({ mappingId: 'm-workspace' })
    expect(await effective('a', 'square', 'elsewhere')).toBeUndefined()
    expect(
      await store.mappingDefaults.effective({ id: 'a', workspaceId: 'w', platform: 'square' }, 'product', 'write'),
    ).toBeUndefined()
    expect((await store.mappingDefaults.list('w')).map(({ mappingId }) => mappingId)).toEqual([
      'm-platform',
      'm-workspace',
    ])
  })

  it('name the built-in mapping if they have no mapping, and are inherited again when they are cleared', async () => {
    await store.mappingDefaults.set({ ...ofAccount, ...slot })
    expect(await effective('a')).toEqual({ ...ofAccount, ...slot })
    expect(await store.mappingDefaults.clear({ ...ofAccount, ...slot })).toBe(true)
    expect(await store.mappingDefaults.clear({ ...ofAccount, ...slot })).toBe(false)
    expect(await effective('a')).toMatchObject({ mappingId: 'm-platform' })
  })

  it('are not set to a mapping that does not exist', async () => {
    expect(await store.mappingDefaults.set({ ...ofAccount, ...slot, mappingId: 'nowhere' })).toBe(false)
    expect(await effective('a')).toMatchObject({ mappingId: 'm-platform' })
  })

  it('keep their mapping from being deleted, also when both happen at once', async () => {
    expect(await store.mappings.delete('m-platform')).toBe('default')
    expect(await store.mappings.get('m-platform')).toMatchObject({ version: 1 })
    for (let round = 0; round < 10; round++) {
      const mappingId = `race-${round}`
      await save(mappingId, ofAccount)
      const [set, deleted] = await Promise.all([
        store.mappingDefaults.set({ ...ofAccount, ...slot, mappingId }),
        store.mappings.delete(mappingId),
      ])
      expect([set, deleted]).toEqual(set ? [true, 'default'] : [false, 'deleted'])
      expect((await store.mappings.get(mappingId)) !== undefined).toBe(set)
      await store.mappingDefaults.clear({ ...ofAccount, ...slot })
    }
  })

  it('are deleted with their account', async () => {
    await addAccount(store, 'leaving')
    await store.mappingDefaults.set({ workspaceId: 'w', accountId: 'leaving', ...slot, mappingId: 'm-platform' })
    expect(await store.mappingDefaults.of('m-platform', 5)).toHaveLength(2)
    await store.accounts.delete('leaving')
    expect(await store.mappingDefaults.of('m-platform', 5)).toHaveLength(1)
    expect(await effective('leaving')).toMatchObject({ platform: 'square' })
  })

  async function directly(statements: string[]): Promise<void> {
    if (kind === 'sqlite') {
      const file = new DatabaseSync(database.place)
      for (const statement of statements) file.exec(statement)
      file.close()
      return
    }
    const client = new pg.Client({ connectionString: database.place })
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }

  it('leave the mappings of an older version as they are', async () => {
    await directly([
      'drop table mapping_defaults',
      'drop table mappings',
      `create table mappings (account_id text not null references accounts (id) on delete cascade, id text not null,
        version bigint not null, workspace_id text not null, entity_type text not null, direction text not null,
        name text not null, rules text not null, created_at text not null, primary key (account_id, id, version))`.replace(
        'bigint',
        kind === 'sqlite' ? 'integer' : 'bigint',
      ),
      'create unique index mappings_by_id on mappings (id, version)',
      ...[1, 2].map(
        (version) => `insert into mappings values ('b', 'old', ${version}, 'w', 'product', 'read', 'v${version}',
          '{"/name":{"value":"x"}}', '2026-01-01T00:00:00.000Z')`,
      ),
      'drop index journal_partial',
      'drop table daily_calls', // of later migrations, as the next ones
      ...laterTables.map((table) => `drop table ${table}${kind === 'postgres' ? ' cascade' : ''}`),
      ...(kind === 'postgres' ? laterMigrations : []),
      'alter table users drop column is_admin',
      'alter table workspaces drop column is_test',
      'alter table accounts drop column test_only',
      'alter table activity drop column is_own',
      ...waitColumns.map((column) => `alter table activity_sums drop column ${column}`),
      ...['id', 'started_at', 'last_used_at', 'address', 'browser'].map(
        (column) => `alter table sessions drop column ${column}`,
      ),
      ...['scopes', 'accounts', 'entities', 'hidden_fields', 'expires_at', 'last_address'].map(
        (column) => `alter table credentials drop column ${column}`,
      ),
      "delete from kysely_migration where name >= '0016'",
    ])
    const upgraded = await database.open()
    await upgraded.migrate()
    expect(await upgraded.mappings.versions('old')).toEqual(
      [1, 2].map((version) => ({
        ...slot,
        id: 'old',
        version,
        workspaceId: 'w',
        accountId: 'b',
        name: `v${version}`,
        rules: { '/name': { value: 'x' } },
        createdAt: '2026-01-01T00:00:00.000Z',
      })),
    )
    await upgraded.accounts.delete('b')
    expect(await upgraded.mappings.versions('old')).toEqual([])
  })
})
