import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import { LostEntry } from '../lost-entry.ts'
import type { EntryKey, Store } from '../store.ts'

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe.each(storeKinds)('the journal on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  let second: Store // another instance on the same database
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open()
    await store.migrate()
    second = await database.open()
    await addAccount(store, 'a')
  })
  afterAll(() => database.remove())

  const record = { name: 'Tea', price: 2.5 }
  const keyOf = (externalId: string): EntryKey => ({ accountId: 'a', entityType: 'product', externalId })
  const entryOf = (externalId: string, holder = 'me') => ({
    ...keyOf(externalId),
    writeId: `write-${externalId}`,
    contentHash: 'hash',
    record,
    startedAt: '2026-01-01T00:00:00.000Z',
    holder,
  })
  const begin = (externalId: string, leaseMs = 60_000, holder = 'me') =>
    store.journal.begin(entryOf(externalId, holder), leaseMs)

  test.each([10, -10])(
    'measures leases by the database, with an instance whose clock is %i minutes ahead',
    async (minutes) => {
      const name = `clock ${minutes}`
      const skewed = async <T>(work: () => Promise<T>): Promise<T> => {
        vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 })
        try {
          return await work()
        } finally {
          vi.useRealTimers()
        }
      }
      // Granted by one clock and asked for by the other, in both directions.
      await begin(name)
      expect(await skewed(() => second.journal.takeOver(keyOf(name), 'other', 60_000))).toBeUndefined()
      await skewed(() => second.journal.begin(entryOf(`${name} too`, 'other'), 60_000))
      expect(await store.journal.takeOver(keyOf(`${name} too`), 'me', 60_000)).toBeUndefined()
      expect(await store.leases.acquire(name, 'me', 60_000)).toBe(true)
      expect(await skewed(() => second.leases.acquire(name, 'other', 60_000))).toBe(false)
      expect(await skewed(() => second.leases.acquire(`${name} too`, 'other', 60_000))).toBe(true)
      expect(await store.leases.acquire(`${name} too`, 'me', 60_000)).toBe(false)
    },
  )
  test('keeps 200 concurrent writes apart, and stops those whose holder has changed', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `many ${n}`)
    const begun = await Promise.all([...names, ...names].map((name) => begin(name)))
    expect(begun.filter((one) => one.begun)).toHaveLength(200)
    const lost = new Set(names.filter((_, n) => n % 10 === 0))
    const holderOf = (name: string) => (lost.has(name) ? 'other' : 'me')
    const sent = await Promise.allSettled(
      names.map((name) =>
        store.journal.stepSent(keyOf(name), `write-${name}`, 'create', `{"of":"${name}"}`, holderOf(name)),
      ),
    )
    const steps = await Promise.all(names.map((name) => store.journal.steps(keyOf(name), `write-${name}`)))
    for (const [n, name] of names.entries()) {
      expect(sent[n]?.status).toBe(lost.has(name) ? 'rejected' : 'fulfilled')
      expect(steps[n]?.map(({ request }) => request)).toEqual(lost.has(name) ? [] : [`{"of":"${name}"}`])
    }
    const done = await Promise.all(
      names.map((name) =>
        store.journal.done(keyOf(name), holderOf(name), {
          writeId: `write-${name}`,
          nativeId: `native ${name}`,
          answer: { name },
        }),
      ),
    )
    expect(done).toEqual(names.map((name) => !lost.has(name)))
    for (const name of names) {
      const state = lost.has(name) ? 'in_flight' : 'done'
      expect(await second.journal.get(keyOf(name))).toMatchObject({
        state,
        ...(state === 'done' ? { answer: { name } } : {}),
      })
      const link = await second.links.get('a', 'product', name)
      expect(link?.nativeId).toBe(lost.has(name) ? undefined : `native ${name}`)
      expect(await second.journal.steps(keyOf(name), `write-${name}`)).toEqual([])
    }
  })
  test('a write of an account that is deleted meanwhile fails alone', async () => {
    await addAccount(store, 'gone')
    await store.accounts.delete('gone')
    const writes = await Promise.allSettled([
      ...['beside 1', 'beside 2'].map((name) => begin(name)),
      store.journal.begin({ ...entryOf('beside 3'), accountId: 'gone' }, 60_000),
      ...['beside 4', 'beside 5'].map((name) => begin(name)),
    ])
    expect(writes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  })
  test('lets exactly one of 50 concurrent writes of a key begin, over two instances', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 ? store : second).journal.begin(
          { ...entryOf('raced', `holder ${index}`), writeId: `write ${index}` },
          60_000,
        ),
      ),
    )
    const winner = answers.findIndex(({ begun }) => begun)
    expect(answers.filter(({ begun }) => begun)).toHaveLength(1)
    for (const answer of answers)
      if (!answer.begun)
        expect(answer.entry).toMatchObject({
          writeId: `write ${winner}`,
          holder: `holder ${winner}`,
          state: 'in_flight',
          record,
        })
  })

  test('keeps the same external id of another entity type apart', async () => {
    await begin('same')
    expect(await store.journal.begin({ ...entryOf('same'), entityType: 'order' }, 60_000)).toEqual({ begun: true })
  })

  test('completes a write with its response and link, and removes its steps', async () => {
    await begin('finished')
    const key = keyOf('finished')
    await store.journal.stepSent(key, 'write-finished', 'create', '{"path":"/items"}', 'me')
    expect(
      await store.journal.done(key, 'me', { writeId: 'write-finished', nativeId: 'N1', answer: { data: record } }),
    ).toBe(true)
    expect(await store.journal.get(key)).toMatchObject({
      state: 'done',
      nativeId: 'N1',
      answer: { data: record },
      record,
    })
    expect(await store.links.get('a', 'product', 'finished')).toMatchObject({ nativeId: 'N1', origin: 'written' })
    expect(await store.journal.steps(key, 'write-finished')).toEqual([])
    // The answer of the first commit may have been lost: saying it again is no failure.
    expect(
      await store.journal.done(key, 'me', { writeId: 'write-finished', nativeId: 'N1', answer: { data: record } }),
    ).toBe(true)
    expect(await store.journal.takeOver(key, 'other', 60_000)).toBeUndefined()
  })

  test('lets no other holder complete, park or remove a write', async () => {
    await begin('held')
    const key = keyOf('held')
    expect(await store.journal.done(key, 'other', { writeId: 'write-held', nativeId: 'N', answer: {} })).toBe(false)
    await store.journal.park(key, 'other', { state: 'unknown', detail: 'mine now' })
    await store.journal.stepSent(key, 'write-held', 'create', 'request', 'me')
    await expect(store.journal.stepDone(key, 'write-held', 'create', 'N', 'other')).rejects.toThrow(LostEntry)
    await expect(store.journal.stepForgotten(key, 'write-held', 'create', 'other')).rejects.toThrow(LostEntry)
    expect(await store.journal.restart({ ...entryOf('held', 'other'), writeId: 'again' }, 60_000)).toBe(false)
    expect(await store.journal.steps(key, 'write-held')).toMatchObject([{ name: 'create', done: false }])
    await store.journal.remove(key, 'other')
    expect(await store.journal.renew(key, 'other', 60_000)).toBe(false)
    expect(await store.journal.get(key)).toMatchObject({ state: 'in_flight', holder: 'me' })
    expect(await store.links.get('a', 'product', 'held')).toBeUndefined()
  })

  test('gives a write to another holder only after its lease, and to one of many', async () => {
    await begin('dropped')
    const key = keyOf('dropped')
    expect(await store.journal.takeOver(key, 'early', 60_000)).toBeUndefined()
    await store.journal.renew(key, 'me', 0) // it ends now
    const takers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? store : second).journal.takeOver(key, `taker ${index}`, 60_000),
      ),
    )
    expect(takers.filter(Boolean)).toHaveLength(1)
    const winner = `taker ${takers.findIndex(Boolean)}`
    expect(takers.find(Boolean)).toMatchObject({
      holder: winner,
      state: 'in_flight',
      record,
      startedAt: '2026-01-01T00:00:00.000Z',
    })
    expect(await store.journal.done(key, 'me', { writeId: 'write-dropped', nativeId: 'N', answer: {} })).toBe(false)
    expect(await store.journal.done(key, winner, { writeId: 'write-dropped', nativeId: 'N', answer: {} })).toBe(true)
  })

  test('does not give away a write whose lease was renewed', async () => {
    await begin('renewed', 0)
    expect(await store.journal.renew(keyOf('renewed'), 'me', 60_000)).toBe(true)
    expect(await store.journal.takeOver(keyOf('renewed'), 'other', 60_000)).toBeUndefined()
  })

  test('completes a write after its lease if no other holder took it over', async () => {
    await begin('late', 0)
    expect(await store.journal.done(keyOf('late'), 'me', { writeId: 'write-late', nativeId: 'N', answer: {} })).toBe(
      true,
    )
  })

  test('gives a parked write to the next holder at once, with its steps and reason', async () => {
    await begin('parked')
    const key = keyOf('parked')
    await store.journal.stepSent(key, 'write-parked', 'create', 'request', 'me')
    await store.journal.park(key, 'me', {
      state: 'partial',
      detail: 'second step refused',
      nativeId: 'N9',
      retryInMs: 60_000,
    })
    expect(await store.journal.get(key)).toMatchObject({
      state: 'partial',
      detail: 'second step refused',
      nativeId: 'N9',
    })
    expect(await store.journal.done(key, 'me', { writeId: 'write-parked', nativeId: 'N', answer: {} })).toBe(false)
    expect(await store.journal.takeOver(key, 'next', 60_000)).toMatchObject({
      state: 'partial',
      holder: 'next',
      nativeId: 'N9',
    })
    expect(await store.journal.steps(key, 'write-parked')).toHaveLength(1)
  })

  test('frees the key of a removed write', async () => {
    await begin('freed')
    await store.journal.stepSent(keyOf('freed'), 'write-freed', 'create', 'request', 'me')
    await store.journal.remove(keyOf('freed'), 'me')
    expect(await store.journal.get(keyOf('freed'))).toBeUndefined()
    expect(await store.journal.steps(keyOf('freed'), 'write-freed')).toEqual([])
    expect(await begin('freed')).toEqual({ begun: true })
  })

  test('does not remove a completed write', async () => {
    await begin('kept')
    await store.journal.done(keyOf('kept'), 'me', { writeId: 'write-kept', nativeId: 'N', answer: {} })
    await store.journal.remove(keyOf('kept'), 'me')
    expect(await store.journal.get(keyOf('kept'))).toMatchObject({ state: 'done' })
  })

  test('returns the steps in the order they were sent, with their values', async () => {
    await begin('steps')
    const key = keyOf('steps')
    for (const name of ['z-first', 'a-second', 'm-third'])
      await store.journal.stepSent(key, 'write-steps', name, `{"step":"${name}"}`, 'me')
    await store.journal.stepDone(key, 'write-steps', 'z-first', { id: 7 }, 'me')
    await store.journal.stepDone(key, 'write-steps', 'a-second', undefined, 'me')
    await store.journal.stepSent(key, 'write-steps', 'm-third', 'again', 'me')
    const steps = await store.journal.steps(key, 'write-steps')
    expect(steps.map(({ name, done, value, request }) => ({ name, done, value, request }))).toEqual([
      { name: 'z-first', done: true, value: { id: 7 }, request: '{"step":"z-first"}' },
      { name: 'a-second', done: true, value: undefined, request: '{"step":"a-second"}' },
      { name: 'm-third', done: false, value: undefined, request: 'again' },
    ])
    expect(steps.every(({ ageMs }) => ageMs >= 0)).toBe(true)
    await store.journal.stepForgotten(key, 'write-steps', 'a-second', 'me')
    // The response of the statement may have been lost: a second call is no failure.
    await store.journal.stepForgotten(key, 'write-steps', 'a-second', 'me')
    expect((await store.journal.steps(key, 'write-steps')).map(({ name }) => name)).toEqual(['z-first', 'm-third'])
  })

  test('rejects a step of a holder that lost its lease, of a completed write, and one that is done', async () => {
    await begin('refusing', 60_000)
    const key = keyOf('refusing')
    const send = (name: string, holder: string) =>
      store.journal.stepSent(key, 'write-refusing', name, 'request', holder)
    await expect(send('create', 'other')).rejects.toThrow(LostEntry)
    await send('create', 'me')
    await store.journal.stepDone(key, 'write-refusing', 'create', 'N', 'me')
    await expect(send('create', 'me')).rejects.toThrow(LostEntry)
    await store.journal.renew(key, 'me', 0)
    await expect(send('price', 'me')).rejects.toThrow(LostEntry)
    await store.journal.done(key, 'me', { writeId: 'write-refusing', nativeId: 'N', answer: {} })
    await expect(send('price', 'me')).rejects.toThrow(LostEntry)
    await expect(store.journal.stepDone(key, 'write-refusing', 'create', 'N', 'me')).rejects.toThrow(LostEntry)
  })

  test('lists abandoned writes, the oldest first, each in turn', async () => {
    await addAccount(store, 'sweep')
    const keys = ['one', 'two', 'three', 'running', 'partial'].map((externalId) => ({
      ...keyOf(externalId),
      accountId: 'sweep',
    }))
    const [one, two, three, running, partial] = keys as [EntryKey, EntryKey, EntryKey, EntryKey, EntryKey]
    for (const key of [one, two, three, running, partial]) {
      await store.journal.begin({ ...entryOf(key.externalId), ...key }, key === running ? 60_000 : 0)
      await pause(5)
    }
    await store.journal.park(partial, 'me', { state: 'partial', detail: 'for the caller to decide' })
    const sweep = async (limit: number, perAccount = 10) =>
      (await store.journal.abandoned(1_000, perAccount))
        .filter(({ accountId }) => accountId === 'sweep')
        .slice(0, limit)
    expect(await sweep(10)).toEqual([one, two, three])
    expect(await sweep(10, 2)).toEqual([one, two])
    expect(await store.journal.abandoned(1, 10)).toHaveLength(1)
    await store.journal.park(one, 'me', { state: 'unknown', detail: 'the platform does not respond' })
    expect(await sweep(10)).toEqual([two, three, one])
    await store.journal.park(two, 'me', { state: 'unknown', detail: 'later', retryInMs: 60_000 })
    expect(await sweep(10)).toEqual([three, one])
    expect(await store.journal.takeOver(two, 'caller', 60_000)).toMatchObject({ holder: 'caller' })
  })

  test('starts the age of a step again while it waits to be sent', async () => {
    await begin('waiting')
    const key = keyOf('waiting')
    await store.journal.stepSent(key, 'write-waiting', 'create', 'request', 'me')
    await store.journal.stepSent(key, 'write-waiting', 'price', 'request', 'me')
    const ages = async () => (await store.journal.steps(key, 'write-waiting')).map(({ ageMs }) => ageMs)
    await expect.poll(ages).toEqual([expect.toSatisfy((age) => age > 0), expect.toSatisfy((age) => age > 0)])
    await store.journal.renew(key, 'me', 60_000, { writeId: 'write-waiting', name: 'price' })
    const [create, price] = await store.journal.steps(key, 'write-waiting')
    expect(create?.ageMs).toBeGreaterThan(price?.ageMs ?? Number.POSITIVE_INFINITY)
  })

  test('holds updates of a record apart from creates, and lets the next one follow a finished one', async () => {
    await begin('P-1')
    const key: EntryKey = { ...keyOf('P-1'), operation: 'update' }
    const update = (writeId: string, contentHash: string) =>
      store.journal.begin({ ...entryOf('P-1'), ...key, writeId, contentHash }, 60_000)
    expect(await update('first', 'A')).toEqual({ begun: true })
    expect(await update('second', 'B')).toMatchObject({ begun: false, entry: { ...key, writeId: 'first' } })
    await store.journal.stepSent(key, 'first', 'price', 'request', 'me')
    expect(await store.journal.restart({ ...entryOf('P-1'), ...key, writeId: 'again' }, 60_000)).toBe(true)
    expect(await store.journal.steps(key, 'first')).toEqual([])
    expect(await store.journal.done(key, 'me', { writeId: 'again', nativeId: 'P-1', answer: { n: 1 } })).toBe(true)
    expect(await store.journal.get(key)).toMatchObject({ ...key, state: 'done', answer: { n: 1 } })
    expect(await store.links.get('a', 'product', 'P-1')).toBeUndefined()
    expect(await store.journal.get(keyOf('P-1'))).toMatchObject({ state: 'in_flight' })
    expect(await update('third', 'A')).toEqual({ begun: true })
    await store.journal.renew(key, 'me', 60_000)
    expect(await store.journal.get(key)).toMatchObject({ state: 'in_flight', writeId: 'third', answer: undefined })
    await store.journal.done(key, 'me', { writeId: 'third', nativeId: 'P-1', answer: {} })
    await store.journal.forgetUpdates(60_000)
    expect(await store.journal.get(key)).toBeDefined()
    await store.journal.forgetUpdates(0)
    expect(await store.journal.get(key)).toBeUndefined()
    expect(await store.journal.get(keyOf('P-1'))).toBeDefined()
  })

  describe('the guard against duplicates', () => {
    const guarded = (
      externalId: string,
      fingerprint: string,
      { on = store, isConfirmed = false, windowMs = 60_000 } = {},
    ) => on.journal.begin(entryOf(externalId), 60_000, { fingerprint, windowMs, isConfirmed })
    const finish = (externalId: string) =>
      store.journal.done(keyOf(externalId), 'me', { writeId: `write-${externalId}`, nativeId: 'n', answer: {} })

    test('begins one of many writes with the same content on two instances', async () => {
      const names = Array.from({ length: 40 }, (_, n) => `same ${n}`)
      const begun = await Promise.all(names.map((name, n) => guarded(name, 'F', { on: n % 2 ? store : second })))
      const first = names[begun.findIndex((one) => one.begun)] as string
      expect(begun.filter((one) => one.begun)).toHaveLength(1)
      expect(begun.filter((one) => !one.begun && one.isDuplicate && one.entry.externalId === first)).toHaveLength(39)
    })
    test('counts an open write always, a finished one for a time and a failed one not at all', async () => {
      await guarded('open', 'O')
      expect(await guarded('other', 'O', { windowMs: 0 })).toMatchObject({ isDuplicate: true, entry: keyOf('open') })
      await store.journal.forgetGuards(0)
      expect(await guarded('other', 'O')).toMatchObject({ isDuplicate: true, entry: { state: 'in_flight' } })
      await finish('open')
      expect(await guarded('other', 'O')).toMatchObject({ isDuplicate: true, entry: { state: 'done' } })
      await store.journal.forgetGuards(60_000)
      expect(await guarded('other', 'O')).toMatchObject({ isDuplicate: true })
      expect(await guarded('other', 'O', { windowMs: 0 })).toEqual({ begun: true })
      await finish('other')
      await store.journal.forgetGuards(0)
      expect(await guarded('third', 'O')).toEqual({ begun: true })
      await store.journal.remove(keyOf('third'), 'me')
      expect(await guarded('fourth', 'O')).toEqual({ begun: true })
    })
    test('returns the entry of the same key, also if its content was confirmed', async () => {
      await guarded('one', 'C')
      expect(await guarded('two', 'C', { isConfirmed: true })).toEqual({ begun: true })
      for (const key of ['one', 'two'])
        expect(await guarded(key, 'C')).toMatchObject({ begun: false, entry: keyOf(key), isDuplicate: undefined })
    })
    test('claims no content for a key that has other content', async () => {
      await guarded('kept', 'A')
      const [again, fresh] = [await guarded('kept', 'B'), await guarded('fresh', 'B')]
      expect(again).toMatchObject({ begun: false, entry: keyOf('kept') })
      expect(fresh).toEqual({ begun: true })
    })
  })

  test('does not begin a write for an account that was deleted', async () => {
    await expect(store.journal.begin({ ...entryOf('orphan'), accountId: 'no such account' }, 60_000)).rejects.toThrow()
  })
})
