import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { afterEach, expect, it, vi } from 'vitest'
import { addAccount } from '../../test/store-on.ts'
import { createLookupCache } from './lookup-cache.ts'
import { openStore } from './open-store.ts'
import type { Store } from './store.ts'
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

/** A store that caches, with one row in every cached table. */
async function filled() {
  const dataDir = await mkdtemp(join(tmpdir(), 'unified-records-lookups-'))
  closing.push(() => rm(dataDir, { recursive: true, force: true }))
  const store = await openStore({ dataDir, vault: createVault([randomBytes(32)]), exclusive: true })
  closing.push(() => store.close())
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
    account: await store.accounts.get('a'),
    credential: await store.credentials.get('c'),
    mapping: await store.mappings.get('m'),
    key: await store.mappingKeys.get('k'),
    byDefault: await store.mappingDefaults.effective(
      { id: 'a', workspaceId: 'w', platform: 'square' },
      'product',
      'read',
    ),
    none: await store.mappingDefaults.effective({ id: 'a', workspaceId: 'w', platform: 'square' }, 'product', 'write'),
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
    'credentials.revoke',
    ({ store }) => store.credentials.revoke('c'),
    { credential: { revokedAt: expect.any(String) } },
  ],
  [
    'credentials.touch',
    ({ store }) => store.credentials.touch('c'),
    { credential: { lastUsedAt: expect.any(String) } },
  ],
  [
    'mappings.save',
    ({ store, mapping }) => store.mappings.save({ ...mapping, name: 'Next' }),
    { mapping: { name: 'Next', version: 2 } },
  ],
  ['mappings.delete, with its keys', ({ store }) => store.mappings.delete('m'), { mapping: undefined, key: undefined }],
  ['mappingKeys.delete', ({ store }) => store.mappingKeys.delete('k'), { key: undefined }],
]
it.each(changes)('a cached store shows the result of %s', async (_, change, found) => {
  const all = await filled()
  await all.all() // cached
  await change(all)
  expect(await all.all()).toMatchObject(found)
})
