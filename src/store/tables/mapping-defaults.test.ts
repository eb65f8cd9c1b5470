import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOrder } from '../../../test/in-order.ts'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import type { MappingOwner, Store } from '../store.ts'

// The defaults that the first test sets are those of the next ones.
describe.each(storeKinds)('default mappings on %s', inOrder, (kind) => {
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
})
