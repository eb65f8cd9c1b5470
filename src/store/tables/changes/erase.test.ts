import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOrder } from '../../../../test/in-order.ts'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../../../test/store-on.ts'
import type { EntityType } from '../../../contract/entity.ts'
import type { Feed, NewChange, Watch } from '../../changes.ts'
import { LostLease } from '../../lost-lease.ts'
import type { Store } from '../../store.ts'

const entityTypes = ['customer', 'order'] as const

// The erasure of the first test is what the next ones look at.
describe.each(storeKinds)('erasure on %s', inOrder, (kind) => {
  let database: TestDatabase
  let store: Store
  let feed: Feed
  let endpointId: string
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open()
    await store.migrate()
    await addAccount(store, 'a')
    await store.changes.ensure({ id: 'a', workspaceId: 'w' }, entityTypes)
    feed = (await store.changes.takeFeed('a', 'me', 30_000)) as Feed
  })
  afterAll(() => database.remove())

  const watchOf = (entityType: EntityType) => feed.watches.find((watch) => watch.entityType === entityType) as Watch
  const change = (
    entityType: EntityType,
    nativeId: string,
    data: object,
    operation: NewChange['operation'] = 'created',
  ): NewChange => ({
    watch: watchOf(entityType),
    nativeId,
    operation,
    origin: 'poll',
    ...(operation === 'deleted' ? {} : { record: { data, native: { '/email': 'ada@example.com' } } }),
  })
  const log = async () => (await store.changes.latest('a', { entityTypes, limit: 1000 })).toReversed()
  const eraseAll = async () => {
    for (;;) {
      const { now, erasureAt = Number.POSITIVE_INFINITY } = await store.changes.moment('a')
      if (erasureAt > now) return erasureAt
      await store.changes.erase(feed)
    }
  }

  it('blanks what log and deliveries keep of a deleted customer, and native values of its orders', async () => {
    const orders = Array.from({ length: 450 }, (_, index) =>
      change('order', `o${index}`, {
        externalId: `o${index}`,
        total: index,
        customerExternalId: index % 3 === 0 ? 'c1' : 'c2',
      }),
    )
    await store.changes.commit(feed, {
      changes: [
        change('customer', 'c1', { externalId: 'c1', email: 'ada@example.com' }),
        change('customer', 'c2', { externalId: 'c2', email: 'bob@example.com' }),
        ...orders,
      ],
    })
    endpointId = await deliverAll()
    await store.changes.commit(feed, { changes: [change('customer', 'c1', {}, 'deleted')] })
    await eraseAll()
    const rows = await log()
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 453 }, (_, index) => index + 1))
    expect(rows.filter(({ nativeId }) => nativeId === 'c1').map(({ record }) => record)).toEqual([undefined, undefined])
    expect(rows.find(({ nativeId }) => nativeId === 'c2')?.record).toMatchObject({ data: { email: 'bob@example.com' } })
    for (const { nativeId, record } of rows.filter(({ entityType }) => entityType === 'order')) {
      const index = Number(nativeId.slice(1))
      expect(record).toEqual({
        data: { externalId: nativeId, total: index, customerExternalId: index % 3 === 0 ? 'c1' : 'c2' },
        ...(index % 3 === 0 ? {} : { native: { '/email': 'ada@example.com' } }),
      })
    }
    const bodies = await deliveredBodies()
    expect(bodies).toHaveLength(452)
    expect(bodies.filter((body) => body.includes('"c1"')).map((body) => JSON.parse(body).data)).toEqual([
      { externalId: 'c1' },
    ])
    expect(bodies.filter((body) => body.includes('bob@example.com'))).toHaveLength(1)
    expect(bodies.filter((body) => body.includes('"total":'))).toHaveLength(300)
  })

  it('looks a second time, for a delivery that was made from a row as it was before', async () => {
    const { now, erasureAt } = await store.changes.moment('a')
    expect(erasureAt).toBeGreaterThan(now)
  })

  it('changes nothing for a worker that has lost its feed', async () => {
    await expect(store.changes.erase({ accountId: 'a', fence: feed.fence - 1 })).rejects.toThrow(LostLease)
  })

  /** A delivery of every change so far, with its record. */
  async function deliverAll(): Promise<string> {
    const { id } = await store.webhooks.create({
      id: 'we_erase',
      workspaceId: 'w',
      url: 'https://example.com/',
      secrets: [{ secret: 'whsec_x' }],
      events: ['*'],
      data: 'full',
      format: 'standard',
      coalesce: false,
      concurrency: 1,
    })
    const held = await store.webhooks.take(id, 'me', 30_000)
    if (!held) throw new Error('the endpoint is not free')
    const rows = await log()
    const deliveries = rows.map(({ sequence, nativeId, record }) => ({
      id: `d${sequence}`,
      sequence,
      subject: nativeId,
      type: 'customer.created',
      body: JSON.stringify({ data: { externalId: nativeId, record: (record as { data: object }).data } }),
    }))
    const position = { accountId: 'a', sequence: rows.length, epochs: {}, generation: 0 }
    await store.webhooks.enqueue(held, [{ position, deliveries, superseded: [] }])
    return id
  }
  async function deliveredBodies(): Promise<string[]> {
    const bodies: string[] = []
    for (const { sequence } of await log()) {
      const found = await store.webhooks.delivery(endpointId, `d${sequence}`)
      if (found) bodies.push(found.body)
    }
    return bodies
  }
})
