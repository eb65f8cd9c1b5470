import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import type { Store } from '../../store/store.ts'
import { createClaims } from './claims.ts'

const entryOf = (externalId: string, startedAt: string) => ({
  accountId: 'acc',
  entityType: 'customer' as const,
  externalId,
  writeId: externalId,
  contentHash: 'same',
  record: {},
  startedAt,
  holder: `holder of ${externalId}`,
})
const first = entryOf('A', '2026-01-01T00:00:00.000Z')
const second = entryOf('B', '2026-01-01T00:00:01.000Z')

describe.each(storeKinds)('a lookup by content on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  beforeEach(async () => {
    database = await createTestDatabase(kind)
    store = await database.open()
    await store.migrate()
    await addAccount(store, 'acc')
  })
  afterEach(() => database.remove())

  it('waits for an earlier write whose process has died, and leaves it the record', async () => {
    await store.journal.begin(first, -1000)
    await store.journal.begin(second, 60_000)
    let answered = false
    const looked = vi.spyOn(store.journal, 'openCreates')
    const unclaimed = createClaims(store, second)
      .unclaimed('the record of A')
      .finally(() => {
        answered = true
      })
    unclaimed.catch(() => {})
    await expect.poll(() => looked.mock.calls.length).toBeGreaterThan(5)
    expect(answered).toBe(false)
    // The sweep finishes the first write.
    const taken = await store.journal.takeOver(first, 'sweep', 60_000)
    expect(taken).toMatchObject({ externalId: 'A' })
    const outcome = { writeId: taken!.writeId, nativeId: 'the record of A', answer: {} }
    expect(await store.journal.done(first, 'sweep', outcome)).toBe(true)
    expect(await unclaimed).toBe(false)
  })

  it.each(['unknown', 'partial'] as const)(
    'leaves a record to a later write that made it and is %s by now',
    async (state) => {
      await store.journal.begin(first, 60_000)
      await store.journal.begin(second, 60_000)
      await store.journal.stepSent(second, second.writeId, 'record', '{}', second.holder)
      await store.journal.stepDone(second, second.writeId, 'record', { id: 'of B' }, second.holder)
      await store.journal.park(second, second.holder, { state, detail: 'recoverable' })
      const claims = createClaims(store, first)
      expect(await claims.unclaimed('of B')).toBe(false)
      expect(await claims.unclaimed('of nothing')).toBe(true)
      await claims.release()
    },
  )

  it('waits for a write that began after its first lookup', async () => {
    const link = { accountId: 'acc', entityType: 'customer', origin: 'written' } as const
    await store.links.put({ ...link, sourceId: 'C', nativeId: 'of C' })
    await store.journal.begin(first, 60_000)
    const claims = createClaims(store, first)
    expect(await claims.unclaimed('of C')).toBe(false)
    await store.journal.begin(second, 60_000)
    const looked = vi.spyOn(store.journal, 'openCreates')
    const unclaimed = claims.unclaimed('of B')
    await expect.poll(() => looked.mock.calls.length).toBeGreaterThan(1)
    await store.journal.done(second, second.holder, { writeId: second.writeId, nativeId: 'of B', answer: {} })
    expect(await unclaimed).toBe(false)
  })
})
