import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOrder } from '../../test/in-order.ts'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../test/store-on.ts'
import type { EntityType } from '../contract/entity.ts'
import { createLoop } from '../jobs/job.ts'
import { createNamedLeases } from '../jobs/named-lease.ts'
import type { Feed, NewChange, Watch } from '../store/changes.ts'
import type { Store } from '../store/store.ts'
import { createEraser, createErasureWork, createForgetting } from './eraser.ts'

const entityTypes = ['customer', 'order'] as const
const person = { accountId: 'a', entityType: 'customer', nativeId: 'c1' } as const
const asked = { ...person, isPlan: false, createdBy: 'me' }

// The second erasure finds nothing of the person that the first one removed.
describe.each(storeKinds)('erasures on %s', inOrder, (kind) => {
  let database: TestDatabase
  let store: Store
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open()
    await store.migrate()
    await addAccount(store, 'a')
    await store.changes.ensure({ id: 'a', workspaceId: 'w' }, entityTypes)
    const feed = (await store.changes.takeFeed('a', 'me', 30_000)) as Feed
    const change = (entityType: EntityType, nativeId: string, data: object): NewChange => ({
      watch: feed.watches.find((watch) => watch.entityType === entityType) as Watch,
      ...{ nativeId, operation: 'created', origin: 'poll', record: { data } },
    })
    const orders = Array.from({ length: 450 }, (_, index) =>
      change('order', `o${index}`, { note: 'Ada', customerExternalId: index % 3 === 0 ? 'c1' : 'c2' }),
    )
    await store.changes.commit(feed, { changes: [change('customer', 'c1', { name: 'Ada' }), ...orders] })
  })
  afterAll(() => database.remove())

  const instance = (of: Store) => {
    const forgotten: string[] = []
    const forget = (accountId: string) => void forgotten.push(accountId)
    const onError = (error: unknown) => {
      throw error
    }
    const options = { store: of, scale: 0.0001, forget, flush: async () => {} }
    const job = createLoop(
      {
        name: 'erasures',
        does: '',
        everyMs: 3_600_000,
        atOnce: 4,
        ...createErasureWork(options, createNamedLeases(of)),
      },
      { instance: 'this test', scale: 1, onError, onLost: () => expect.fail('nothing was lost') },
    )
    return { forgotten, job, eraser: createEraser(of, job.wake), look: createForgetting(options) }
  }

  it('go on where another process has stopped, count each entry once, and reach the memory of every instance', async () => {
    const { id } = await store.erasures.create({ ...asked, id: 'era_1', openWrites: 0, unsettled: 0 })
    const key = { accountId: 'a', id }
    const other = await database.open()
    // The writes, and a batch of the log. The process then ends.
    for (let step = 0; step < 2; step++) await store.erasures.step(key, 0)
    expect((await other.erasures.get(key))?.found.changes).toBe(68)
    // Two instances at the same time.
    await Promise.all([store.erasures.step(key, 0), other.erasures.step(key, 0)])
    expect((await other.erasures.get(key))?.found.changes).toBe(134)

    const [worker, bystander] = [instance(other), instance(store)]
    worker.job.wake()
    await expect.poll(async () => (await store.erasures.get(key))?.state).toBe('done')
    expect((await store.erasures.get(key))?.found).toMatchObject({ changes: 151, writes: 0 })
    const kept = (await store.changes.latest('a', { entityTypes, limit: 1000 })).filter(({ record }) => record)
    expect(kept).toHaveLength(300)
    expect(kept.some(({ record }) => JSON.stringify(record).includes('c1'))).toBe(false)
    for (let look = 0; look < 2; look++) await bystander.look()
    expect(bystander.forgotten).toEqual(['a'])
    for (const { job } of [worker, bystander]) await job.close()
  })

  it('wait for a migration of the account', async () => {
    const { eraser, job } = instance(store)
    const key = { workspaceId: 'w', id: 'M' }
    await store.migrations.create({ ...key, from: 'a', to: 'a', options: {}, progress: {}, createdBy: 'me' })
    const report = {
      missingReasons: [
        {
          reason: 'c1 has no name',
          count: 2,
          examples: [
            { id: 'c1', name: 'Ada' },
            { id: 'c2', name: 'Bob' },
          ],
        },
      ],
      source: 2,
    }
    const written = {
      targetId: 't1',
      sourceHash: 'h',
      more: { notes: ['Ada'], warnings: [], references: { '/x': 'r' } },
    }
    await store.migrations.putRecord(key, 'customer', 'c1', { written, failed: { kind: 'refused', reason: 'Ada' } })
    await expect(eraser.begin(asked, store.transaction)).rejects.toMatchObject({ code: 'resource_in_use' })
    await store.migrations.change(key, { state: 'done', report }, ['planning'])
    const { id } = await eraser.begin(asked, store.transaction)
    await expect.poll(async () => (await store.erasures.get({ accountId: 'a', id }))?.state).toBe('done')
    expect((await store.erasures.get({ accountId: 'a', id }))?.found).toMatchObject({
      ...{ changes: 0, migrationReports: 1, migrationRecords: 1 },
    })
    expect((await store.migrations.get(key))?.report).toEqual({
      missingReasons: [{ reason: 'erased', count: 2, examples: [{ id: 'c2', name: 'Bob' }] }],
      source: 2,
    })
    expect(await store.migrations.record(key, 'customer', 'c1')).toEqual({
      written: { ...written, more: { notes: [], warnings: [], references: { '/x': 'r' } } },
      failed: { kind: 'refused', reason: 'erased' },
    })
    await job.close()
  })
})
