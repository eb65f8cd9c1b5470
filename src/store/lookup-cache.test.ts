import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { addAccount, createTestDatabase, storeKinds } from '../../test/store-on.ts'
import { createLookupCache, createVersionedLookupCache } from './lookup-cache.ts'
import { openStore } from './open-store.ts'
import type { CredentialSettings, Store } from './store.ts'
import { createVault } from './vault.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0).reverse()) await close()
})

function createLookUp() {
  const cache = createLookupCache()
  const rows = new Map<string, { text: string }>()
  let asked = 0
  const get = cache.lookup('accounts', async (key) => {
    asked++
    const row = rows.get(key)
    await Promise.resolve()
    return row && { ...row }
  })
  const put = (key: string, text: string) => cache.changing(['accounts'], Promise.resolve(rows.set(key, { text })))
  return { cache, get, put, asked: () => asked }
}

it('looks up once until the table changes, and changes of other tables do not matter', async () => {
  const { cache, get, put, asked } = createLookUp()
  await put('a', 'one')
  expect([await get('a'), await get('a'), asked()]).toEqual([{ text: 'one' }, { text: 'one' }, 1])
  await cache.changing(['mappings'], Promise.resolve())
  expect([await get('a'), asked()]).toEqual([{ text: 'one' }, 1])
  await put('b', 'other')
  expect([await get('a'), asked()]).toEqual([{ text: 'one' }, 2])
})
it('does not cache what it found while the table changed', async () => {
  const { get, put } = createLookUp()
  await put('a', 'old')
  const found = get('a')
  await put('a', 'new')
  await found
  expect(await get('a')).toEqual({ text: 'new' })
})
it('clears the table when a change fails, and passes the error on', async () => {
  const { cache, get, put, asked } = createLookUp()
  await put('a', 'one')
  await get('a')
  await expect(cache.changing(['accounts'], Promise.reject(new Error('disk full')))).rejects.toThrow('disk full')
  expect([await get('a'), asked()]).toEqual([{ text: 'one' }, 2])
})
it('caches no missing row, and returns rows that cannot be changed', async () => {
  const { get, put, asked } = createLookUp()
  expect([await get('a'), await get('a'), asked()]).toEqual([undefined, undefined, 2])
  await put('a', 'one')
  const found = (await get('a')) as { text: string }
  expect(() => {
    found.text = 'changed'
  }).toThrow()
})

/** The store that changes rows, and the one that has cached them: another instance where there can be one. */
async function openStores(kind: Store['kind']): Promise<{ store: Store; cached: Store }> {
  if (kind === 'postgres') {
    const database = await createTestDatabase(kind)
    closing.push(() => database.remove())
    return { store: await database.open(), cached: await database.open() }
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'unified-records-lookups-'))
  closing.push(() => rm(dataDir, { recursive: true, force: true }))
  const store = await openStore({ dataDir, vault: createVault([randomBytes(32)]), exclusive: true })
  closing.push(() => store.close())
  return { store, cached: store }
}
/** With one row in every cached table. */
async function filled(kind: Store['kind'] = 'sqlite') {
  const { store, cached } = await openStores(kind)
  await store.migrate()
  await addAccount(store, 'a')
  await store.credentials.create({ id: 'c', kind: 'api_key', workspaceId: 'w', name: 'Key', secretHash: 'hash' })
  const mapping = {
    id: 'm',
    workspaceId: 'w',
    accountId: 'a',
    entityType: 'product',
    direction: 'read',
    name: 'Mapping',
    rules: {},
  } as unknown as Parameters<Store['mappings']['save']>[0]
  await store.mappings.save(mapping)
  await store.mappingKeys.create({
    key: 'k',
    workspaceId: 'w',
    accountId: 'a',
    direction: mapping.direction,
    isDefault: false,
    entityType: 'product',
    mappingId: 'm',
  })
  await store.mappingDefaults.set({ workspaceId: 'w', accountId: 'a', entityType: 'product', direction: 'read' })
  const all = async () => ({
    account: await cached.accounts.get('a'),
    credential: await cached.credentials.lookup('c'),
    mapping: await cached.mappings.get('m'),
    key: await cached.mappingKeys.get('k'),
    byDefault: await cached.mappingDefaults.effective(
      { id: 'a', workspaceId: 'w', platform: 'square' },
      'product',
      'read',
    ),
    none: await cached.mappingDefaults.effective({ id: 'a', workspaceId: 'w', platform: 'square' }, 'product', 'write'),
  })
  return { store, mapping, all }
}

it('a cached store looks up nothing twice', async () => {
  const { all } = await filled()
  const first = await all()
  const statements = vi.spyOn(StatementSync.prototype, 'all')
  expect(await all()).toEqual(first)
  expect(statements).not.toHaveBeenCalled()
})

const settings: CredentialSettings = {
  name: 'Key',
  scopes: ['records:read', 'changes'],
  accounts: ['a', 'b'],
  entities: ['product', 'time_entry'],
  hiddenFields: ['email'],
}
type Filled = Awaited<ReturnType<typeof filled>>
const changes: [name: string, change: (filled: Filled) => Promise<unknown>, found: object][] = [
  [
    'accounts.update',
    ({ store }) => store.accounts.update('a', { name: 'New' }),
    { account: { name: 'New', revision: 2 } },
  ],
  [
    'accounts.delete, with its mappings, keys and defaults',
    ({ store }) => store.accounts.delete('a'),
    { account: undefined, mapping: undefined, key: undefined, byDefault: undefined },
  ],
  [
    'mappingDefaults.set',
    ({ store }) =>
      store.mappingDefaults.set({ workspaceId: 'w', entityType: 'product', direction: 'write', mappingId: 'm' }),
    { none: { mappingId: 'm' } },
  ],
  [
    'mappingDefaults.clear',
    ({ store }) =>
      store.mappingDefaults.clear({ workspaceId: 'w', accountId: 'a', entityType: 'product', direction: 'read' }),
    { byDefault: undefined },
  ],
  [
    'credentials.rotate',
    ({ store }) => store.credentials.rotate('c', 'next'),
    { credential: { secretHash: 'next', generation: 2 } },
  ],
  [
    'credentials.change',
    ({ store }) => store.credentials.change('c', { ...settings, expiresAt: '2030-01-01T01:00:00+01:00' }),
    { credential: { ...settings, expiresAt: '2030-01-01T00:00:00.000Z' } },
  ],
  [
    'credentials.revoke',
    ({ store }) => store.credentials.revoke('c'),
    { credential: { revokedAt: expect.any(String) } },
  ],
  [
    'mappings.save',
    ({ store, mapping }) => store.mappings.save({ ...mapping, name: 'Next' }),
    { mapping: { name: 'Next', version: 2 } },
  ],
  ['mappings.delete, with its keys', ({ store }) => store.mappings.delete('m'), { mapping: undefined, key: undefined }],
  ['mappingKeys.delete', ({ store }) => store.mappingKeys.delete('k'), { key: undefined }],
]
describe.each(storeKinds)('a store that caches, on %s,', (kind) => {
  it.each(changes)('shows the result of %s when that returns', async (_, change, found) => {
    const all = await filled(kind)
    await all.all() // cached
    await change(all)
    expect(await all.all()).toMatchObject(found)
  })
  it.each(changes)('shows the result of %s in a transaction when that is committed', async (_, change, found) => {
    const all = await filled(kind)
    const before = await all.all()
    await all.store.transaction(async (store) => {
      await change({ ...all, store })
      if (kind === 'postgres') expect(await all.all()).toEqual(before)
    })
    expect(await all.all()).toMatchObject(found)
  })
  it('shows the last use of a credential', async () => {
    const { store, all } = await filled(kind)
    await all()
    await store.credentials.touch('c', '192.0.2.1')
    expect(await store.credentials.get('c')).toMatchObject({ lastUsedAt: expect.any(String) })
  })
})

describe('a cache with a version', () => {
  function createVersioned() {
    const rows = new Map([['a', 'one']])
    const state = { version: 1, read: 0, found: 0 }
    const cache = createVersionedLookupCache(async () => {
      state.read++
      return state.version
    })
    const find = async (key: string) => {
      state.found++
      const text = rows.get(key)
      await Promise.resolve()
      return text === undefined ? undefined : { text }
    }
    const put = (text: string) => {
      rows.set('a', text)
      state.version++
    }
    return { cache, state, put, accounts: cache.lookup('accounts', find), keys: cache.lookup('mapping_keys', find) }
  }

  it('looks up once until the version changes, and asks for it every time', async () => {
    const { state, put, accounts } = createVersioned()
    expect([await accounts('a'), await accounts('a'), state]).toEqual([
      { text: 'one' },
      { text: 'one' },
      { version: 1, read: 2, found: 1 },
    ])
    put('two')
    expect([await accounts('a'), state.found]).toEqual([{ text: 'two' }, 2])
  })
  it('does not ask again for what belongs to a row that it returned', async () => {
    const { state, accounts, keys } = createVersioned()
    const row = await accounts('a')
    await keys('a', row)
    await keys('a', row)
    expect(state).toEqual({ version: 1, read: 1, found: 2 })
    await keys('a', { ...row }) // a copy says nothing about when it was looked up
    expect(state.read).toBe(2)
  })
  it('does not cache a row that was found while the version changed', async () => {
    const { put, accounts } = createVersioned()
    const old = accounts('a')
    await Promise.resolve()
    put('two')
    await Promise.all([old, accounts('b')]) // the version is read while the first one is found
    expect(await accounts('a')).toEqual({ text: 'two' })
  })
  it('fails while the version cannot be read', async () => {
    const cache = createVersionedLookupCache(() => Promise.reject(new Error('unavailable')))
    await expect(cache.lookup('accounts', async () => ({}))('a')).rejects.toThrow('unavailable')
  })
})
