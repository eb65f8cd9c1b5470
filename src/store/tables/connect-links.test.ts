import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOrder } from '../../../test/in-order.ts'
import { createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import type { Store } from '../store.ts'
import { createVault } from '../vault.ts'

// The first test lists all of them, and the last one takes the key away.
describe.each(storeKinds)('connect links on %s', inOrder, (kind) => {
  let database: TestDatabase
  let store: Store
  const keys = [randomBytes(32), randomBytes(32)]
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open(createVault([keys[1] as Buffer]))
    await store.migrate()
    await store.workspaces.create({ id: 'w', name: 'W' })
  })
  afterAll(() => database.remove())
  const soon = () => new Date(Date.now() + 60_000).toISOString()
  const create = (id: string, expiresAt = soon()) =>
    store.connectLinks.create({
      workspaceId: 'w',
      id,
      tokenHash: `hash of ${id}`,
      signingSecret: `secret of ${id}`,
      expiresAt,
      platforms: ['square'],
      state: 's',
    })

  it('are found by the hash of their token, with their settings', async () => {
    await create('l1')
    expect(await store.connectLinks.byToken('hash of l1')).toMatchObject({
      id: 'l1',
      platforms: ['square'],
      state: 's',
      signingSecret: 'secret of l1',
      attempt: { state: 'none' },
    })
    expect(await store.connectLinks.byToken('l1')).toBeUndefined()
    expect((await store.connectLinks.list('w', { limit: 10 })).data.map(({ id }) => id)).toEqual(['l1'])
  })
  it('let one of many requests process an attempt, and none begin another meanwhile', async () => {
    const link = await create('l2')
    expect(await store.connectLinks.begin(link, 'first', { a: 1 })).toBe(true)
    // No request works on it yet: the newer one counts.
    expect(await store.connectLinks.begin(link, 'second', { a: 2 })).toBe(true)
    expect(await store.connectLinks.take(link, 'first', 'waiting')).toBe(false)
    const taken = await Promise.all(Array.from({ length: 8 }, () => store.connectLinks.take(link, 'second', 'waiting')))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await store.connectLinks.begin(link, 'third', {})).toBe(false)
    expect(await store.connectLinks.settle(link, 'second', { state: 'failed', data: { why: 'x' } })).toBe(true)
    expect((await store.connectLinks.get(link))?.attempt).toEqual({ id: 'second', state: 'failed', data: { why: 'x' } })
    expect(await store.connectLinks.begin(link, 'third', {})).toBe(true)
  })
  it('are connected once, and not after they were revoked or have expired', async () => {
    const link = await create('l3')
    await store.connectLinks.begin(link, 'a', {})
    await store.connectLinks.take(link, 'a', 'waiting')
    expect(await store.connectLinks.settle(link, 'a', { state: 'connected', accountId: 'acc', data: {} })).toBe(true)
    expect(await store.connectLinks.settle(link, 'a', { state: 'connected', accountId: 'other', data: {} })).toBe(false)
    expect([
      await store.connectLinks.begin(link, 'b', {}),
      (await store.connectLinks.get(link))?.connectedAccountId,
    ]).toEqual([false, 'acc'])
    const revoked = await create('l4')
    await store.connectLinks.begin(revoked, 'a', {})
    await store.connectLinks.take(revoked, 'a', 'waiting')
    expect([
      await store.connectLinks.revoke(revoked),
      await store.connectLinks.revoke({ workspaceId: 'other', id: 'l4' }),
    ]).toEqual([true, false])
    expect(await store.connectLinks.settle(revoked, 'a', { state: 'connected', accountId: 'acc', data: {} })).toBe(
      false,
    )
    expect(await store.connectLinks.begin(await create('l5', new Date(Date.now() - 1000).toISOString()), 'a', {})).toBe(
      false,
    )
  })
  it('and applications move to the newest key', async () => {
    await store.platformApps.put({
      workspaceId: 'w',
      platform: 'xero',
      clientId: 'c',
      clientSecret: 'hush-hush',
      settings: { a: 'b' },
    })
    const link = await create('l6')
    await store.connectLinks.begin(link, 'a', { verifier: 'v' })
    const next = await database.open(createVault(keys))
    expect(await next.reseal()).toBeGreaterThanOrEqual(3)
    const onlyNew = await database.open(createVault([keys[0] as Buffer]))
    expect(await onlyNew.platformApps.list('w')).toMatchObject([
      { platform: 'xero', clientId: 'c', clientSecret: 'hush-hush', settings: { a: 'b' } },
    ])
    expect(await onlyNew.connectLinks.get(link)).toMatchObject({
      signingSecret: 'secret of l6',
      attempt: { data: { verifier: 'v' } },
    })
    expect([await store.platformApps.delete('w', 'xero'), await store.platformApps.delete('w', 'xero')]).toEqual([
      true,
      false,
    ])
  })
})
