// Activity, its sums, imports and the filters of the dashboard's lists, on both databases.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { activityEntry } from '../../../test/activity-entry.ts'
import { addAccount, createTestDatabase, storeKinds, type TestDatabase } from '../../../test/store-on.ts'
import { requestIdAt } from '../request-id.ts'
import type { RecordedActivity, Store } from '../store.ts'
import { createVault } from '../vault.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')
const minute = 60_000

const entry = (at: number, more: Partial<RecordedActivity> = {}) =>
  activityEntry({ requestId: `${requestIdAt(at)}${randomBytes(9).toString('base64url')}`, ...more })

const dayMs = 86_400_000

describe.each(storeKinds)('activity on %s', (kind) => {
  let database: TestDatabase
  let store: Store
  const vaultKey = randomBytes(32)
  beforeAll(async () => {
    database = await createTestDatabase(kind)
    store = await database.open(createVault([vaultKey]))
    await store.migrate()
    await addAccount(store, 'a')
    await store.workspaces.create({ id: 'other', name: 'Other' })
  })
  afterAll(() => database.remove())

  const ids = async (filter: Parameters<Store['activity']['list']>[1], limit = 100) =>
    (await store.activity.list('w', filter, { limit })).data.map(({ requestId }) => requestId)

  it('is stored in one batch of a thousand requests, each of another platform', async () => {
    const before = noon - 24 * 3_600_000
    const many = Array.from({ length: 1_024 }, (_, number) => entry(before, { platform: `p${number}` }))
    await store.activity.record(many)
    const sums = await store.activity.sums('w', { since: before, until: before + minute, step: 1 })
    expect([sums.length, new Set(sums.map(({ requests }) => requests))]).toEqual([1_024, new Set([1])])
    expect(await store.activity.get('w', many.at(-1)?.requestId ?? '')).toMatchObject({
      platform: 'p1023',
      trace: { calls: [] },
    })
    for (let left = 1; left > 0; ) left = await store.activity.prune(before + minute)
  })
  it('is listed newest first, filtered by each column, and separate for each workspace', async () => {
    const listed = entry(noon)
    const got = entry(noon + 1_000, { operation: 'get', nativeId: 'N1', entityType: 'customer' })
    const made = entry(noon + 2_000, {
      operation: 'create',
      method: 'POST',
      status: 201,
      externalId: 'E1',
      nativeId: 'N1',
      platform: 'xero',
      accountId: 'b',
    })
    const refused = entry(noon + 3_000, { status: 422, errorCode: 'validation_failed', externalId: 'N1' })
    const failed = entry(noon + 4_000, { status: 502, errorCode: 'downstream_error' })
    const foreign = entry(noon + 5_000, { workspaceId: 'other' })
    await store.activity.record([listed, got, made, refused, failed, foreign])
    // Other tests write to the same log.
    const span = { since: noon, until: noon + 5_000 }
    const found = (filter: Parameters<typeof ids>[0]) => ids({ ...span, ...filter })
    const of = (...entries: RecordedActivity[]) => entries.map(({ requestId }) => requestId)
    expect(await found({})).toEqual(of(failed, refused, made, got, listed))
    expect(await found({ accountId: 'b' })).toEqual(of(made))
    expect(await found({ platform: 'xero' })).toEqual(of(made))
    expect(await found({ entityType: 'customer' })).toEqual(of(got))
    expect(await found({ outcome: 'error' })).toEqual(of(failed, refused))
    expect(await found({ outcome: '5xx' })).toEqual(of(failed))
    expect(await found({ outcome: 'ok' })).toEqual(of(made, got, listed))
    expect(await found({ errorCode: 'validation_failed' })).toEqual(of(refused))
    expect(await found({ record: 'N1' })).toEqual(of(refused, made, got))
    expect(await found({ record: 'N1', outcome: 'ok' })).toEqual(of(made, got))
    expect(await found({ search: 'E1' })).toEqual(of(made))
    expect(await found({ search: 'b' })).toEqual(of(made))
    expect(await found({ search: got.requestId.slice(0, -2) })).toEqual(of(got))
    expect(await found({ since: noon + 1_000, until: noon + 3_000 })).toEqual(of(made, got))
    expect(await store.activity.get('other', listed.requestId)).toBeUndefined()
    expect(await store.activity.get('w', foreign.requestId)).toBeUndefined()
    const first = await store.activity.list('w', { ...span, record: 'N1' }, { limit: 2 })
    expect(
      (await store.activity.list('w', { ...span, record: 'N1' }, { limit: 2, after: first.next as string })).data.map(
        ({ requestId }) => requestId,
      ),
    ).toEqual(of(got))
  })

  it('looks for the text of errors and for a caller in parts, and says where to go on', async () => {
    const long = noon + 3_600_000
    const trace = (detail: string) => JSON.stringify({ problem: { detail }, stages: [], calls: [] })
    const of = (at: number, detail: string) =>
      entry(at, { status: 422, errorCode: 'target_refuses', trace: trace(detail), credentialId: 'key' })
    const oldest = of(long, 'The tax rate is Unheard of.')
    const later = Array.from({ length: 450 }, (_, number) => of(long + 1 + number, 'No stock.'))
    await store.activity.record([oldest, ...later])
    const filter = { search: 'unheard OF', since: long }
    const first = await store.activity.list('w', filter, { limit: 10 })
    expect([first.data, first.next]).toEqual([[], later[50]?.requestId])
    const second = await store.activity.list('w', filter, { limit: 10, after: first.next as string })
    expect([second.data.map(({ requestId }) => requestId), second.next]).toEqual([[oldest.requestId], undefined])
    expect(await ids({ credentialId: 'key', since: long }, 500)).toHaveLength(451)
    expect(await ids({ credentialId: 'other key', since: long })).toEqual([])
  })
  it('seals the trace of a request, and opens it again after a change of the key', async () => {
    const secretive = entry(noon + 60 * minute, {
      trace: JSON.stringify({ calls: [{ requestBody: 'ada@example.com' }] }),
    })
    await store.activity.record([secretive, entry(noon + 60 * minute)])
    const kept = await store.activity.get('w', secretive.requestId)
    expect(kept?.trace).toEqual(JSON.parse(secretive.trace))
    const rotated = await database.open(createVault([randomBytes(32), vaultKey]))
    expect(await rotated.reseal()).toBeGreaterThan(0)
    expect((await rotated.activity.get('w', secretive.requestId))?.trace).toEqual(JSON.parse(secretive.trace))
    await expect(store.activity.get('w', secretive.requestId)).rejects.toThrow('key')
    store = rotated
  })

  it('sums requests by step, over several flushes', async () => {
    const at = Date.parse('2026-04-01T00:00:00Z')
    await store.activity.record([
      entry(at),
      entry(at + 1_000, { status: 404, errorCode: 'record_not_found', waitMs: 40, used: 0.9 }),
    ])
    await store.activity.record([
      entry(at + 2_000, { status: 502, errorCode: 'downstream_error', throttled: 1 }),
      entry(at + 3 * minute),
      entry(at + 70 * minute, { platform: 'xero' }),
    ])
    const span = { since: at, until: at + 120 * minute }
    const first = {
      at,
      platform: 'square',
      requests: 3,
      refused: 1,
      failed: 1,
      nativeCalls: 3,
      throttled: 1,
      waitMs: 44,
      waitMaxMs: 40,
      totalMs: 30,
      usedMax: 0.9,
      waits: [0, 2, 0, 1, 0, 0, 0, 0, 0, 0],
    }
    const byMinute = await store.activity.sums('w', { ...span, step: 1 })
    expect(byMinute[0]).toEqual(first)
    expect(byMinute.map((sum) => (sum.at - at) / minute)).toEqual([0, 3, 70])
    expect(await store.activity.sums('w', { ...span, step: 15 })).toMatchObject([
      { at, requests: 4 },
      { at: at + 60 * minute, platform: 'xero', requests: 1 },
    ])
    expect(await store.activity.sums('w', { ...span, step: 60 })).toMatchObject([
      { requests: 4 },
      { at: at + 60 * minute, requests: 1 },
    ])
    expect(await store.activity.sums('other', { ...span, step: 1 })).toEqual([])
  })

  it('keeps 30 days of sums per account when the entries are gone, and tells own requests from those of callers', async () => {
    const now = Date.now()
    const today = now - (now % dayMs)
    const busy = { accountId: 'busy' }
    await store.activity.record([
      entry(today - 40 * dayMs, busy),
      entry(today - 20 * dayMs, { ...busy, waitMs: 500, used: 0.4 }),
    ])
    await store.activity.record([
      entry(today - 20 * dayMs + 1, { ...busy, status: 502, errorCode: 'downstream_error' }),
      entry(today - 20 * dayMs + 2, { ...busy, status: 502, errorCode: 'downstream_error', isOwn: true }),
      entry(today, { accountId: 'quiet' }),
    ])
    const day = { at: today - 20 * dayMs, requests: 2, failed: 1, nativeCalls: 3, waitMaxMs: 500, usedMax: 0.5 }
    expect(await store.activity.accountDays('w', 'busy')).toMatchObject([day])
    const errors = { accountId: 'busy', outcome: 'error' } as const
    expect(await ids(errors)).toHaveLength(2)
    expect(await ids({ ...errors, own: false })).toHaveLength(1)
    while ((await store.activity.prune(today - 14 * dayMs)) > 0);
    expect(await ids(errors)).toEqual([])
    expect(await store.activity.accountDays('w', 'busy')).toMatchObject([day])
    expect(await store.activity.accountDays('other', 'busy')).toEqual([])
  })

  it('removes only what is older than its retention, a batch at a time', async () => {
    const old = Date.parse('2025-01-01T00:00:00Z')
    await store.activity.record(Array.from({ length: 700 }, (_, index) => entry(old + index)))
    const young = (await ids({ since: noon }, 500)).length
    let rounds = 0
    while ((await store.activity.prune(noon)) > 0) rounds++
    expect(rounds).toBeGreaterThan(1)
    expect(await ids({ until: noon })).toEqual([])
    expect(await ids({}, 500)).toHaveLength(young)
    expect(await store.activity.sums('w', { since: old, until: noon, step: 1440 })).toEqual([])
  })

  it('removes the activity of a workspace earlier if it keeps fewer days', async () => {
    const recent = Date.now() - 5 * dayMs
    await store.activity.record([entry(recent, { accountId: 'brief' }), entry(Date.now(), { accountId: 'brief' })])
    await store.activity.prune(Date.now() - 14 * dayMs)
    expect(await ids({ accountId: 'brief' })).toHaveLength(2)
    await store.workspaceSettings.put('w', { returnUrls: [], activityDays: 3 })
    while ((await store.activity.prune(Date.now() - 14 * dayMs)) > 0);
    expect(await ids({ accountId: 'brief' })).toHaveLength(1)
  })

  it('counts and finds accounts', async () => {
    await addAccount(store, 'b_1')
    await store.accounts.update('b_1', { name: 'Harbor 100% Café', state: 'disabled' })
    const found = async (filter: Parameters<Store['accounts']['list']>[2]) =>
      (await store.accounts.list('w', { limit: 10 }, filter)).data.map(({ id }) => id)
    expect(await found({ search: 'HARBOR' })).toEqual(['b_1'])
    expect(await found({ search: '0%' })).toEqual(['b_1'])
    expect(await found({ search: '_' })).toEqual(['b_1'])
    expect(await found({ state: 'active' })).toEqual(['a'])
    expect(await found({ platform: 'xero' })).toEqual([])
    expect(await store.accounts.counts('w')).toEqual([
      { platform: 'square', state: 'active', accounts: 1 },
      { platform: 'square', state: 'disabled', accounts: 1 },
    ])
  })

  it('stores many links at once, the last of duplicates, and finds them by a prefix of either id', async () => {
    const link = (sourceId: string, nativeId: string) => ({
      entityType: 'customer' as const,
      sourceId,
      nativeId,
      origin: 'linked' as const,
    })
    await store.links.putAll('a', [link('S1', 'old'), link('S2', 'N-2'), link('S1', 'N-1')])
    await store.links.putAll('a', [link('S2', 'N-20'), { ...link('S2', 'L-1'), entityType: 'location' }])
    const found = async (search: string) =>
      (await store.links.list('a', undefined, { limit: 10 }, search)).data.map(({ entityType, sourceId, nativeId }) => [
        entityType,
        sourceId,
        nativeId,
      ])
    expect(await found('N-')).toEqual([
      ['customer', 'S1', 'N-1'],
      ['customer', 'S2', 'N-20'],
    ])
    expect(await found('S2')).toEqual([
      ['customer', 'S2', 'N-20'],
      ['location', 'S2', 'L-1'],
    ])
    expect(await found('2')).toEqual([])
  })

  it('removes the content of an import when it has ended', async () => {
    const wanted = { accountId: 'a', id: 'imp_1', format: 'csv' as const, total: 2, content: 'sourceId,nativeId' }
    const made = await store.referenceImports.create(wanted)
    expect(await store.referenceImports.running(10)).toEqual([{ accountId: 'a', id: 'imp_1' }])
    await store.referenceImports.advance({ ...made, position: 1, linked: 1 })
    expect(await store.referenceImports.content('a', 'imp_1')).toBe(wanted.content)
    await store.referenceImports.advance({
      ...made,
      state: 'done',
      position: 2,
      linked: 1,
      failed: 1,
      errors: [{ line: 3, message: 'is not JSON' }],
    })
    expect(await store.referenceImports.get('a', 'imp_1')).toMatchObject({
      state: 'done',
      position: 2,
      errors: [{ line: 3, message: 'is not JSON' }],
    })
    expect([await store.referenceImports.content('a', 'imp_1'), await store.referenceImports.running(10)]).toEqual([
      '',
      [],
    ])
  })

  it("ends a user's other sessions only", async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString()
    for (const name of ['ada', 'bob']) await store.users.put({ name, passwordHash: 'hash' })
    for (const [tokenHash, user] of [
      ['h1', 'ada'],
      ['h2', 'ada'],
      ['h3', 'bob'],
    ] as const)
      await store.sessions.create({ tokenHash, user, expiresAt })
    await store.sessions.deleteOthers('ada', 'h1')
    expect(
      [await store.sessions.get('h1'), await store.sessions.get('h2'), await store.sessions.get('h3')].map(
        (session) => session?.user,
      ),
    ).toEqual(['ada', undefined, 'bob'])
  })
})
