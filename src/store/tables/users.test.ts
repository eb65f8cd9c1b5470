import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import type { Store } from '../store.ts'
import { createVault } from '../vault.ts'

describe.each(storeKinds)('users on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  beforeEach(async () => {
    database = await createTestDatabase(kind)
    store = await database.open()
    await store.migrate()
  })
  afterEach(() => database.remove())
  const closed = async () => {
    throw new Error('standard output is closed')
  }

  test('creates one of many concurrent first users, whatever their names, and prints its password once', async () => {
    const instances = await Promise.all(Array.from({ length: 4 }, () => database.open()))
    const names = Array.from({ length: 12 }, (_, index) => `first-${index}`)
    const created = await Promise.all(
      names.map((name, index) =>
        (instances[index % 4] as Store).users.createFirst({
          name,
          passwordHash: 'hash',
          password: `password of ${name}`,
        }),
      ),
    )
    expect(created.filter(Boolean)).toHaveLength(1)
    const winner = names[created.indexOf(true)]
    expect(await store.users.list()).toMatchObject([{ name: winner, sessions: 0, isAdmin: true }])
    await expect(store.users.printFirst(closed)).rejects.toThrow('closed')
    const printed: string[] = []
    await Promise.all(
      instances.map((instance) => instance.users.printFirst(async ({ password }) => void printed.push(password))),
    )
    expect(printed).toEqual([`password of ${winner}`])
    expect(await store.users.createFirst({ name: 'late', passwordHash: 'hash' })).toBe(false)
  })

  test('keeps a password that has not been printed when the encryption key changes, and removes it with the next password', async () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)]
    const before = await database.open(createVault([old]))
    await before.users.createFirst({ name: 'admin', passwordHash: 'hash', password: 'not printed' })
    const both = await database.open(createVault([fresh, old]))
    expect(await both.reseal()).toBe(1)
    const after = await database.open(createVault([fresh]))
    const offered: string[] = []
    await expect(
      after.users.printFirst(async ({ password }) => {
        offered.push(password)
        await closed()
      }),
    ).rejects.toThrow('closed')
    expect(offered).toEqual(['not printed'])
    await after.users.resetPassword({ name: 'admin', passwordHash: 'other' })
    await after.users.printFirst(closed)
  })

  test('creates a user once; a new password ends only the sessions of that user', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    expect(await store.users.create({ name: 'ada', passwordHash: 'one', isAdmin: true })).toBe(true)
    expect(await store.users.create({ name: 'ada', passwordHash: 'two', isAdmin: true })).toBe(false)
    expect(await store.users.create({ name: 'bob', passwordHash: 'one', isAdmin: true })).toBe(true)
    for (const user of ['ada', 'bob']) await store.sessions.create({ tokenHash: `token of ${user}`, user, expiresAt })
    expect(await store.users.resetPassword({ name: 'ada', passwordHash: 'three' })).toBe(true)
    expect(await store.users.resetPassword({ name: 'eve', passwordHash: 'three' })).toBe(false)
    expect(await store.users.get('ada')).toMatchObject({ name: 'ada', passwordHash: 'three' })
    expect(await store.users.list()).toMatchObject([
      { name: 'ada', sessions: 0 },
      { name: 'bob', sessions: 1 },
    ])
  })

  test('keeps one installation admin, whatever is asked at the same time', async () => {
    const instances = await Promise.all(Array.from({ length: 4 }, () => database.open()))
    for (const name of ['ada', 'bob', 'eve']) await store.users.put({ name, passwordHash: 'hash' })
    const asked = ['ada', 'bob', 'eve', 'ada'].map((name, index) => {
      const { users } = instances[index] as Store
      return index % 2 ? users.delete(name) : users.setAdmin(name, false)
    })
    expect(await Promise.all(asked)).toContain('last')
    expect((await store.users.list()).filter(({ isAdmin }) => isAdmin)).toHaveLength(1)
    expect(await store.users.delete('none')).toBe('missing')
  })

  test('deletes a user with roles, sessions and identities, and a workspace with its roles', async () => {
    await store.users.put({ name: 'admin', passwordHash: 'hash' })
    for (const name of ['ada', 'bob']) await store.users.create({ name, passwordHash: '', isAdmin: false })
    for (const id of ['w', 'v']) await store.workspaces.create({ id, name: id })
    await store.members.put('w', { user: 'ada', role: 'admin' })
    await store.members.put('v', { user: 'ada', role: 'viewer' })
    await store.members.put('v', { user: 'bob', role: 'viewer' })
    const identity = { issuer: 'https://id.example.com', subject: '1' }
    expect(await store.users.addIdentity({ ...identity, user: 'ada' })).toBe(true)
    expect(await store.users.addIdentity({ ...identity, user: 'bob' })).toBe(false)
    expect(await store.users.byIdentity(identity)).toBe('ada')
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    await store.sessions.create({ tokenHash: 'h'.repeat(43), user: 'ada', expiresAt, address: '::1' })
    expect(await store.sessions.get('h'.repeat(43), 'w')).toMatchObject({ user: 'ada', isAdmin: false, role: 'admin' })
    expect(await store.workspaces.delete('w')).toBe(true)
    expect((await store.workspaces.list({ limit: 10 }, 'ada')).data).toMatchObject([{ id: 'v' }])
    expect(await store.users.delete('ada')).toBe('done')
    expect(await store.sessions.get('h'.repeat(43))).toBeUndefined()
    expect(await store.sessions.list()).toEqual([])
    expect(await store.users.byIdentity(identity)).toBeUndefined()
    expect((await store.members.list('v', { limit: 10 })).data).toMatchObject([{ user: 'bob', role: 'viewer' }])
  })
})
