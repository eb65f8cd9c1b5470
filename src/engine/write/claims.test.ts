import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { addAccount, createTestDatabase, storeKinds } from '../../../test/store-on.ts'
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

describe.each(storeKinds)('a lookup by content on %s', (kind) => {
  it('waits for an earlier write whose process has died, and leaves it the record', async () => {
    const database = await createTestDatabase(kind)
    try {
      const store = await database.open()
      await store.migrate()
      await addAccount(store, 'acc')
      const [first, second] = [entryOf('A', '2026-01-01T00:00:00.000Z'), entryOf('B', '2026-01-01T00:00:01.000Z')]
      await store.journal.begin(first, -1000)
      await store.journal.begin(second, 60_000)
      let answered = false
      const unclaimed = createClaims(store, second)
        .unclaimed('the record of A')
        .finally(() => {
          answered = true
        })
      unclaimed.catch(() => {})
      for (let poll = 0; poll < 10; poll++) await sleep(50)
      expect(answered).toBe(false)
      // The sweep finishes the first write.
      const taken = await store.journal.takeOver(first, 'sweep', 60_000)
      expect(taken).toMatchObject({ externalId: 'A' })
      const outcome = { writeId: taken!.writeId, nativeId: 'the record of A', answer: {} }
      expect(await store.journal.done(first, 'sweep', outcome)).toBe(true)
      expect(await unclaimed).toBe(false)
    } finally {
      await database.remove()
    }
  })

  it.each(['unknown', 'partial'] as const)(
    'leaves a record to a later write that made it and is %s by now',
    async (state) => {
      const database = await createTestDatabase(kind)
      try {
        const store = await database.open()
        await store.migrate()
        await addAccount(store, 'acc')
        const [first, second] = [entryOf('A', '2026-01-01T00:00:00.000Z'), entryOf('B', '2026-01-01T00:00:01.000Z')]
        await store.journal.begin(first, 60_000)
        await store.journal.begin(second, 60_000)
        await store.journal.stepSent(second, second.writeId, 'record', '{}', second.holder)
        await store.journal.stepDone(second, second.writeId, 'record', { id: 'of B' }, second.holder)
        await store.journal.park(second, second.holder, { state, detail: 'recoverable' })
        const claims = createClaims(store, first)
        expect(await claims.unclaimed('of B')).toBe(false)
        expect(await claims.unclaimed('of nothing')).toBe(true)
        await claims.release()
      } finally {
        await database.remove()
      }
    },
  )

  it('waits for a write that began after its first lookup', async () => {
    const database = await createTestDatabase(kind)
    try {
      const store = await database.open()
      await store.migrate()
      await addAccount(store, 'acc')
      const [first, second] = [entryOf('A', '2026-01-01T00:00:00.000Z'), entryOf('B', '2026-01-01T00:00:01.000Z')]
      await store.links.put({
        accountId: 'acc',
        entityType: 'customer',
        sourceId: 'C',
        nativeId: 'of C',
        origin: 'written',
      })
      await store.journal.begin(first, 60_000)
      const claims = createClaims(store, first)
      expect(await claims.unclaimed('of C')).toBe(false)
      await store.journal.begin(second, 60_000)
      const unclaimed = claims.unclaimed('of B')
      await sleep(300)
      await store.journal.done(second, second.holder, { writeId: second.writeId, nativeId: 'of B', answer: {} })
      expect(await unclaimed).toBe(false)
    } finally {
      await database.remove()
    }
  })
})
