import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../test/store-on.ts'
import type { Link, MappingOverlay, Page, PageQuery, Store } from './store.ts'

async function walk<T>(list: (query: PageQuery) => Promise<Page<T>>, limit: number): Promise<T[][]> {
  const pages: T[][] = []
  let after: string | undefined
  do {
    const page = await list({ after, limit })
    pages.push(page.data)
    after = page.next
  } while (after !== undefined)
  return pages
}

describe.each(storeKinds)('a store on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open()
    await store.migrate()
    await addAccount(store, 'a')
  })
  afterAll(() => database.remove())

  test('responds to a ping, and rejects it after it was closed', async () => {
    const other = await database.open()
    await other.ping()
    await other.close()
    await expect(other.ping()).rejects.toThrow()
  })

  describe('workspaces', () => {
    test('are listed by id, and the last page has no next one', async () => {
      for (const id of ['p1', 'p2', 'p3', 'p4']) await store.workspaces.create({ id, name: id })
      const pages = await walk((query) => store.workspaces.list({ ...query, after: query.after ?? 'p' }), 2)
      expect(pages.map((page) => page.map(({ id }) => id))).toEqual([['p1', 'p2'], ['p3', 'p4'], ['w']])
    })
    test('cannot be created twice', async () => {
      await store.workspaces.create({ id: 'once', name: 'Once' })
      await expect(store.workspaces.create({ id: 'once', name: 'Twice' })).rejects.toThrow()
      expect(await store.workspaces.get('once')).toMatchObject({ name: 'Once' })
    })
  })

  describe('credentials', () => {
    const create = (id: string) =>
      store.credentials.create({ id, kind: 'api_key', workspaceId: 'w', name: 'Till', secretHash: 'hash-1' })

    test('get the next generation with every rotation', async () => {
      expect(await create('rotating')).toMatchObject({ generation: 1, secretHash: 'hash-1' })
      expect(await store.credentials.rotate('rotating', 'hash-2')).toMatchObject({
        generation: 2,
        secretHash: 'hash-2',
        rotatedAt: expect.any(String),
      })
      expect(await store.credentials.get('rotating')).toMatchObject({ generation: 2, secretHash: 'hash-2' })
    })
    test('stay revoked with the first time, and get no new secret', async () => {
      await create('revoked')
      expect(await store.credentials.revoke('revoked')).toBe(true)
      const first = (await store.credentials.get('revoked'))?.revokedAt
      expect(await store.credentials.revoke('revoked')).toBe(true)
      expect((await store.credentials.get('revoked'))?.revokedAt).toBe(first)
      expect(await store.credentials.rotate('revoked', 'hash-2')).toBeUndefined()
      expect(await store.credentials.change('revoked', { name: 'Till' })).toBeUndefined()
      expect(await store.credentials.revoke('nobody')).toBe(false)
    })
    test('store their last use, at most once a minute', async () => {
      await create('used')
      await store.credentials.touch('used', '192.0.2.1')
      const first = (await store.credentials.get('used'))?.lastUsedAt
      expect(first).toBeDefined()
      await new Promise((resolve) => setTimeout(resolve, 5))
      await store.credentials.touch('used', '192.0.2.2')
      expect(await store.credentials.get('used')).toMatchObject({ lastUsedAt: first, lastAddress: '192.0.2.1' })
    })
    test('are listed per workspace and kind', async () => {
      await store.workspaces.create({ id: 'listing', name: 'Listing' })
      for (const id of ['k3', 'k1', 'k2'])
        await store.credentials.create({ id, kind: 'api_key', workspaceId: 'listing', name: id, secretHash: 'h' })
      await store.credentials.create({
        id: 'k4',
        kind: 'access_id',
        workspaceId: 'listing',
        name: 'k4',
        secretHash: 'h',
      })
      const pages = await walk((query) => store.credentials.list('listing', 'api_key', query), 2)
      expect(pages.map((page) => page.map(({ id }) => id))).toEqual([['k1', 'k2'], ['k3']])
    })
  })

  describe('accounts', () => {
    test('are read as they were created, and a second one with the same id is rejected', async () => {
      const created = await addAccount(store, 'round')
      expect(created).toMatchObject({ revision: 1, credentials: { accessToken: 'token-of-round' } })
      expect(await store.accounts.get('round')).toEqual(created)
      expect(await store.accounts.create({ ...created, name: 'Other' })).toBe('exists')
      expect(await store.accounts.get('round')).toEqual(created)
    })
    test('change only the given fields, and clear the reason of the previous state', async () => {
      const created = await addAccount(store, 'changing')
      const broken = await store.accounts.update('changing', { state: 'reconnect_required', stateReason: 'refused' })
      expect(broken).toEqual({
        ...created,
        state: 'reconnect_required',
        stateReason: 'refused',
        revision: 2,
        updatedAt: broken?.updatedAt,
      })
      const mended = await store.accounts.update('changing', { state: 'active', credentials: { accessToken: 'new' } })
      expect(mended).toMatchObject({
        state: 'active',
        stateReason: undefined,
        credentials: { accessToken: 'new' },
        settings: created.settings,
        revision: 3,
      })
      expect(await store.accounts.get('changing')).toEqual(mended)
    })
    test('let exactly one of many concurrent changes at the same revision through', async () => {
      await addAccount(store, 'raced')
      const changes = await Promise.all(
        Array.from({ length: 10 }, (_, index) => store.accounts.update('raced', { name: `name ${index}` }, 1)),
      )
      const won = changes.filter((change) => change !== undefined)
      expect(won).toHaveLength(1)
      expect(await store.accounts.get('raced')).toEqual(won[0])
    })
    test('are not created in a workspace that does not exist', async () => {
      const account = await addAccount(store, 'model')
      await expect(store.accounts.create({ ...account, id: 'stray', workspaceId: 'nowhere' })).rejects.toThrow()
    })
    test('are listed by workspace, in the order of their bytes', async () => {
      await store.workspaces.create({ id: 'bytes', name: 'Bytes' })
      const account = await addAccount(store, 'pattern')
      for (const id of ['b', 'a-1', 'B', 'a_1', 'ä'])
        await store.accounts.create({ ...account, id: `bytes-${id}`, workspaceId: 'bytes' })
      const pages = await walk((query) => store.accounts.list('bytes', query), 2)
      expect(pages.flat().map(({ id }) => id.slice(6))).toEqual(['B', 'a-1', 'a_1', 'b', 'ä'])
      expect(pages.map((page) => page.length)).toEqual([2, 2, 1])
    })
    test('are deleted with everything that belongs to them, and nothing else', async () => {
      for (const accountId of ['leaving', 'staying']) {
        await addAccount(store, accountId)
        const key = { accountId, entityType: 'product', externalId: 'P' } as const
        await store.links.put({ accountId, entityType: 'location', sourceId: 'S', nativeId: 'N', origin: 'linked' })
        await store.mappings.save({
          id: `m-${accountId}`,
          workspaceId: 'w',
          accountId,
          entityType: 'product',
          direction: 'read',
          name: 'M',
          rules: {},
        })
        await store.mappingKeys.create({
          key: `k-${accountId}`,
          workspaceId: 'w',
          accountId,
          direction: 'read',
          isDefault: true,
        })
        await store.journal.begin(
          { ...key, writeId: 'W', contentHash: 'h', record: {}, startedAt: 'now', holder: 'me' },
          60_000,
        )
        await store.journal.stepSent(key, 'W', 'create', '{}', 'me')
      }
      expect(await store.accounts.delete('leaving')).toBe(true)
      expect(await store.accounts.delete('leaving')).toBe(false)
      const left = async (accountId: string) => {
        const key = { accountId, entityType: 'product', externalId: 'P' } as const
        return [
          await store.accounts.get(accountId),
          await store.links.get(accountId, 'location', 'S'),
          await store.mappings.get(`m-${accountId}`),
          await store.mappingKeys.get(`k-${accountId}`),
          await store.journal.get(key),
          (await store.journal.steps(key, 'W'))[0],
        ].map((found) => found !== undefined)
      }
      expect(await left('leaving')).toEqual([false, false, false, false, false, false])
      expect(await left('staying')).toEqual([true, true, true, true, true, true])
    })
  })

  describe('mappings', () => {
    const mapping = (id: string, name: string): Omit<MappingOverlay, 'version' | 'createdAt'> => ({
      id,
      workspaceId: 'w',
      accountId: 'a',
      entityType: 'product',
      direction: 'write',
      name,
      rules: { '/name': { from: '/title', default: 'none' }, '/sku': { lookup: { a: 1, b: null } } },
    })

    test('keep every version, and the newest is found by default', async () => {
      expect(await store.mappings.save(mapping('v', 'first'))).toMatchObject({ ...mapping('v', 'first'), version: 1 })
      expect(await store.mappings.save(mapping('v', 'second'))).toMatchObject({ version: 2 })
      expect(await store.mappings.get('v')).toMatchObject({ name: 'second', version: 2 })
      expect(await store.mappings.get('v', 1)).toMatchObject({ name: 'first', rules: mapping('v', '').rules })
      expect((await store.mappings.versions('v')).map(({ version }) => version)).toEqual([1, 2])
      expect(await store.mappings.get('v', 3)).toBeUndefined()
    })
    test('number concurrent saves without a gap', async () => {
      const saved = await Promise.all(
        Array.from({ length: 12 }, (_, index) => store.mappings.save(mapping('busy', `save ${index}`))),
      )
      expect(saved.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 12 }, (_, index) => index + 1),
      )
      expect(await store.mappings.versions('busy')).toHaveLength(12)
    })
    test('cannot be continued from another account', async () => {
      await addAccount(store, 'foreign')
      await store.mappings.save(mapping('owned', 'mine'))
      await expect(store.mappings.save({ ...mapping('owned', 'yours'), accountId: 'foreign' })).rejects.toThrow(
        'another owner',
      )
    })
    test('are listed once each, in their newest version', async () => {
      await addAccount(store, 'lister')
      for (const id of ['l1', 'l1', 'l2', 'l3', 'l3'])
        await store.mappings.save({ ...mapping(id, id), accountId: 'lister' })
      const pages = await walk((query) => store.mappings.list({ workspaceId: 'w', accountId: 'lister' }, query), 2)
      expect(pages.map((page) => page.map(({ id, version }) => `${id}.${version}`))).toEqual([
        ['l1.2', 'l2.1'],
        ['l3.2'],
      ])
    })
    test('are deleted with their keys', async () => {
      await store.mappings.save(mapping('gone', 'gone'))
      await store.mappingKeys.create({
        key: 'key-of-gone',
        workspaceId: 'w',
        accountId: 'a',
        direction: 'write',
        isDefault: false,
        entityType: 'product',
        mappingId: 'gone',
      })
      const other = await store.mappingKeys.create({
        key: 'default-key',
        workspaceId: 'w',
        accountId: 'a',
        direction: 'read',
        isDefault: true,
      })
      expect((await store.mappingKeys.list('a')).map(({ key }) => key)).toEqual(['default-key', 'key-of-gone'])
      expect(await store.mappings.delete('gone')).toBe('deleted')
      expect(await store.mappings.delete('gone')).toBe('missing')
      expect(await store.mappingKeys.get('key-of-gone')).toBeUndefined()
      expect(await store.mappingKeys.get('default-key')).toEqual(other)
      expect(await store.mappingKeys.delete('default-key')).toBe(true)
      expect(await store.mappingKeys.list('a')).toEqual([])
    })
  })

  describe('links', () => {
    const link = (entityType: Link['entityType'], sourceId: string, nativeId: string) => ({
      accountId: 'a',
      entityType,
      sourceId,
      nativeId,
      origin: 'linked' as const,
    })

    test('are replaced by a newer link', async () => {
      await store.links.put(link('location', 'S', 'old'))
      const put = await store.links.put(link('location', 'S', 'new'))
      expect(await store.links.get('a', 'location', 'S')).toEqual(put)
      expect(put.nativeId).toBe('new')
      expect(await store.links.delete('a', 'location', 'S')).toBe(true)
      expect(await store.links.delete('a', 'location', 'S')).toBe(false)
    })
    test('are restored only if the source id has none', async () => {
      const written = { accountId: 'a', entityType: 'product', sourceId: 'RESTORED', nativeId: 'n-1' } as const
      await store.links.restore(written)
      expect(await store.links.get('a', 'product', 'RESTORED')).toMatchObject({ ...written, origin: 'written' })
      await store.links.put(link('product', 'RESTORED', 'n-2'))
      await store.links.restore(written)
      expect(await store.links.get('a', 'product', 'RESTORED')).toMatchObject({ nativeId: 'n-2', origin: 'linked' })
      await store.links.delete('a', 'product', 'RESTORED')
    })
    test('are found in one query, of several types, without those of another account', async () => {
      await addAccount(store, 'stranger')
      await store.links.put({ ...link('product', 'P1', 'foreign'), accountId: 'stranger' })
      await store.links.put(link('product', 'P2', 'n-p2'))
      await store.links.put(link('customer', 'P2', 'n-c2'))
      await store.links.put(link('customer', 'with space', 'n-space'))
      const wanted = [
        { entityType: 'product', sourceId: 'P1' },
        { entityType: 'product', sourceId: 'P2' },
        { entityType: 'product', sourceId: 'P2' },
        { entityType: 'customer', sourceId: 'with space' },
      ] as const
      const found = await store.links.find('a', wanted)
      expect(Object.fromEntries(found)).toEqual({ 'product P2': 'n-p2', 'customer with space': 'n-space' })
      expect((await store.links.find('a', [])).size).toBe(0)
    })
    test('are listed page by page, of all types and of one', async () => {
      await addAccount(store, 'walked')
      for (const [type, source] of [
        ['product', 'b c'],
        ['product', 'a'],
        ['customer', 'z'],
        ['order', ''],
      ] as const)
        await store.links.put({ ...link(type, source, 'n'), accountId: 'walked' })
      const all = await walk((query) => store.links.list('walked', undefined, query), 1)
      expect(all.map((page) => page.map(({ entityType, sourceId }) => `${entityType}:${sourceId}`))).toEqual([
        ['customer:z'],
        ['order:'],
        ['product:a'],
        ['product:b c'],
      ])
      const products = await walk((query) => store.links.list('walked', 'product', query), 2)
      expect(products.map((page) => page.map(({ sourceId }) => sourceId))).toEqual([['a', 'b c']])
    })
  })

  describe('leases', () => {
    test('are acquired by one of many, and again by the same holder', async () => {
      const holders = Array.from({ length: 20 }, (_, index) => `holder ${index}`)
      const got = await Promise.all(holders.map((holder) => store.leases.acquire('one', holder, 60_000)))
      expect(got.filter(Boolean)).toHaveLength(1)
      const winner = holders[got.indexOf(true)] as string
      expect(await store.leases.acquire('one', winner, 60_000)).toBe(true)
      await store.leases.release('one', 'somebody else')
      expect(await store.leases.acquire('one', 'somebody else', 60_000)).toBe(false)
      await store.leases.release('one', winner)
      expect(await store.leases.acquire('one', 'somebody else', 60_000)).toBe(true)
    })
    test('expire', async () => {
      expect(await store.leases.acquire('long', 'first', 60_000)).toBe(true)
      expect(await store.leases.acquire('long', 'second', 60_000)).toBe(false)
      expect(await store.leases.acquire('short', 'first', 1)).toBe(true)
      await expect.poll(() => store.leases.acquire('short', 'second', 60_000)).toBe(true)
    })
  })

  describe('users and sessions', () => {
    test('a user gets another password', async () => {
      const before = await store.users.count()
      await store.users.put({ name: 'admin', passwordHash: 'one' })
      await store.users.put({ name: 'admin', passwordHash: 'two' })
      expect(await store.users.get('admin')).toMatchObject({ name: 'admin', passwordHash: 'two' })
      expect(await store.users.count()).toBe(before + 1)
    })
    test('a session exists until it expires or is deleted', async () => {
      await store.users.put({ name: 'grace', passwordHash: 'one' })
      const user = 'grace'
      const later = new Date(Date.now() + 60_000).toISOString()
      await store.sessions.create({
        tokenHash: 'over',
        user,
        expiresAt: new Date(Date.now() - 1).toISOString(),
      })
      await store.sessions.create({ tokenHash: 'open', user, expiresAt: later })
      expect(await store.sessions.get('over')).toBeUndefined()
      expect(await store.sessions.get('open')).toMatchObject({ user, expiresAt: later, isAdmin: true })
      await store.sessions.delete('open')
      expect(await store.sessions.get('open')).toBeUndefined()
    })
  })
})
