import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOrder } from '../../../test/in-order.ts'
import { createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import type { AuditEntry, Store } from '../store.ts'

// One log: the first test writes it, the others read it, the last one damages it.
describe.each(storeKinds)('the audit log on %s', inOrder, (kind) => {
  let database: TestDatabase
  let stores: Store[]
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    stores = [await database.open(), await database.open()]
    await stores[0]?.migrate()
  })
  afterAll(() => database.remove())

  const action = (name: string, scope = 'w') => ({
    scope,
    actor: 'ada',
    address: '10.0.0.9',
    action: name,
    object: { accountId: 'a' },
    outcome: 'ok',
    requestId: `req_${name}`,
  })
  /** The attempts of somebody with the database's password. */
  async function directly(statement: string): Promise<void> {
    if (kind === 'sqlite') {
      const file = new DatabaseSync(database.place)
      try {
        file.exec(statement)
      } finally {
        file.close()
      }
      return
    }
    const client = new pg.Client({ connectionString: database.place })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }

  async function walked(scope?: string): Promise<AuditEntry[]> {
    const entries: AuditEntry[] = []
    for await (const entry of (stores[0] as Store).audit.walk(scope)) entries.push(entry)
    return entries
  }

  it('chains the entries of a scope, whichever instance wrote them at the same moment', async () => {
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => (stores[index % 2] as Store).audit.append(action(`n${index}`))),
    )
    await Promise.all(
      Array.from({ length: 200 }, (_, index) => (stores[index % 2] as Store).audit.append(action(`m${index}`, 'many'))),
    )
    await stores[0]?.audit.append(action('other', 'install'))
    const entries = await walked('w')
    expect(entries.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(entries.map(({ previous }) => previous)).toEqual(['', ...entries.slice(0, -1).map(({ hash }) => hash)])
    expect(await stores[0]?.audit.verify()).toEqual([
      { scope: 'install', entries: 1, head: expect.any(String) },
      { scope: 'many', entries: 200, head: expect.any(String) },
      { scope: 'w', entries: 20, head: entries.at(-1)?.hash },
    ])
  })
  it('lists the newest first, page by page, by action, actor and outcome', async () => {
    const { audit } = stores[0] as Store
    const first = await audit.list('w', {}, { limit: 15 })
    const rest = await audit.list('w', {}, { limit: 15, after: first.next as string })
    expect([...first.data, ...rest.data].map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 20 }, (_, index) => 20 - index),
    )
    expect(rest.next).toBeUndefined()
    expect((await audit.list('w', { action: 'n3' }, { limit: 5 })).data).toHaveLength(1)
    expect((await audit.list('w', { actor: 'bob' }, { limit: 5 })).data).toHaveLength(0)
    expect((await audit.list('install', { outcome: 'ok' }, { limit: 5 })).data).toHaveLength(1)
  })
  it('cannot be changed or removed, even in the database', async () => {
    for (const statement of [
      "update audit set actor = 'nobody'",
      'delete from audit',
      ...(kind === 'postgres' ? ['truncate audit'] : []),
    ])
      await expect(directly(statement), statement).rejects.toThrow('append-only')
    expect((await walked()).length).toBe(221)
  })
  it('shows where an entry was changed or removed nevertheless', async () => {
    const around = async (statement: string) =>
      kind === 'sqlite'
        ? directly(`drop trigger if exists audit_no_update; drop trigger if exists audit_no_delete; ${statement}`)
        : directly(`alter table audit disable trigger all; ${statement}; alter table audit enable trigger all`)
    await around("update audit set actor = 'nobody' where scope = 'w' and sequence = 7")
    expect(await stores[1]?.audit.verify()).toMatchObject([
      { scope: 'install' },
      { scope: 'many' },
      { scope: 'w', brokenAt: 7 },
    ])
    await around("update audit set actor = 'ada' where scope = 'w' and sequence = 7")
    expect((await stores[1]?.audit.verify())?.[2]).not.toHaveProperty('brokenAt')
    await around("delete from audit where scope = 'w' and sequence = 12")
    expect(await stores[1]?.audit.verify()).toMatchObject([
      { scope: 'install' },
      { scope: 'many' },
      { scope: 'w', brokenAt: 13 },
    ])
  })
})
