import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import type { HookOwner } from '../platform-webhooks.ts'
import type { Store } from '../store.ts'
import { createVault } from '../vault.ts'

describe.each(storeKinds)('webhooks of platforms on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  const [old, young] = [randomBytes(32), randomBytes(32)]
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open(createVault([old]))
    await store.migrate()
  })
  afterAll(() => database.remove())

  let count = 0
  async function made(): Promise<{ id: string; owner: HookOwner & { accountId: string } }> {
    const accountId = `account-${++count}`
    const { workspaceId, platform } = await addAccount(store, accountId)
    const owner = { workspaceId, platform, accountId }
    const { id } = await store.hooks.ensure(owner, { id: `hook-${count}`, secrets: [{ secret: 'own-secret' }] })
    return { id, owner }
  }

  it('exist once per owner, even if several are made at once', async () => {
    const { owner } = await made()
    const ids = ['x', 'y', 'z'].map((id) => store.hooks.ensure(owner, { id, secrets: [] }))
    expect(new Set((await Promise.all(ids)).map(({ id }) => id)).size).toBe(1)
    const { accountId: _, ...application } = owner
    expect(await store.hooks.get(application)).toBeUndefined()
    await store.hooks.ensure(application, { id: 'of-all', secrets: [] })
    expect((await store.hooks.get(application))?.id).toBe('of-all')
  })

  it('have one holder, and nothing that a former holder stores has an effect', async () => {
    const { id } = await made()
    const takes = await Promise.all(['a', 'b', 'c'].map((holder) => store.hooks.take(id, holder, 60_000)))
    const [held] = takes.filter((one) => one !== undefined)
    expect(takes.filter((one) => one !== undefined)).toHaveLength(1)
    if (!held) throw new Error('it has no holder')
    const registration = { value: { id: 7 }, entities: ['customer' as const] }
    expect(await store.hooks.change(held, { registration, url: 'https://x/1', state: 'active', checked: true })).toBe(
      true,
    )
    expect(await store.hooks.find(id)).toMatchObject({ registration, url: 'https://x/1', state: 'active' })
    await store.hooks.wake(id)
    await store.hooks.release(held, 60_000)
    expect(await store.hooks.due(100)).toContain(id) // woken while it was held
    const next = await store.hooks.take(id, 'd', 60_000)
    expect(await store.hooks.change(held, { state: 'failing' })).toBe(false)
    expect(await store.hooks.answered(held, 'x')).toBe(false)
    await store.hooks.remove(held)
    expect(await store.hooks.find(id)).toMatchObject({ state: 'active' })
    if (next) await store.hooks.remove(next)
    expect(await store.hooks.find(id)).toBeUndefined()
  })

  it('collect challenges that come at the same time, and secrets that are confirmed', async () => {
    const { id } = await made()
    const request = { headers: {}, body: '' }
    await Promise.all(
      ['1', '2', '3', '4'].map((one) => store.hooks.challenged(id, { id: one, secret: `s${one}`, request })),
    )
    const held = await store.hooks.take(id, 'a', 60_000)
    if (!held) throw new Error('it is not free')
    expect(held.challenges.map((challenge) => challenge.id).sort()).toEqual(['1', '2', '3', '4'])
    await store.hooks.answered(held, '1', 's1')
    await store.hooks.challenged(id, { id: '5', secret: 's5', request })
    await store.hooks.answered(held, '2')
    const found = await store.hooks.find(id)
    expect(found?.challenges.map((challenge) => challenge.id).sort()).toEqual(['3', '4', '5'])
    expect(found?.secrets).toEqual([{ secret: 's1' }, { secret: 'own-secret' }])
  })

  it('are due when what is watched of their account changes, or their URL', async () => {
    const { id, owner } = await made()
    const rest = async () => {
      const held = await store.hooks.take(id, 'a', 60_000)
      if (!held) throw new Error('it is not free')
      await store.hooks.change(held, { url: `https://a.example/hooks/${owner.platform}/${id}` })
      await store.hooks.release(held, 60_000)
      expect(await store.hooks.due(100)).not.toContain(id)
    }
    await rest()
    await store.changes.ensure({ id: owner.accountId, workspaceId: owner.workspaceId }, ['product'])
    expect(await store.hooks.due(100)).toContain(id)
    await rest()
    await store.hooks.wakeMoved('https://a.example')
    expect(await store.hooks.due(100)).not.toContain(id)
    await store.hooks.wakeMoved('https://b.example')
    expect(await store.hooks.due(100)).toContain(id)
  })

  it('are wanted for watched accounts, and deleted with their account', async () => {
    const { id, owner } = await made()
    const other = `account-${++count}`
    const { workspaceId, platform } = await addAccount(store, other)
    expect(await store.hooks.unhooked([platform], 100)).not.toContain(other)
    await store.changes.ensure({ id: other, workspaceId }, ['product'])
    expect(await store.hooks.unhooked([platform], 100)).toContain(other)
    expect(await store.hooks.unhooked(['another'], 100)).toEqual([])
    await store.accounts.delete(owner.accountId)
    expect(await store.hooks.find(id)).toBeUndefined()
  })

  it('are sealed, and encrypted again with a new key', async () => {
    const { id } = await made()
    await store.hooks.challenged(id, { id: '1', code: 'challenge-code' })
    const both = await database.open(createVault([young, old]))
    expect(await both.reseal()).toBeGreaterThan(2)
    expect(await both.reseal()).toBe(0)
    const after = await database.open(createVault([young]))
    expect(await after.hooks.find(id)).toMatchObject({
      secrets: [{ secret: 'own-secret' }],
      challenges: [{ code: 'challenge-code' }],
    })
  })
})
