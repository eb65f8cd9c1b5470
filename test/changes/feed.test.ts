// The change feed for callers, over sockets, on both databases: pages, cursors, waits, both address forms.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { formBPrefix } from '../../src/api/record-operations.ts'
import type { NativeRecords } from '../../src/sandbox/simulator.ts'
import { storeKindsFor } from '../store-on.ts'
import { createWatched, type Watched } from './watched.ts'

const vertical = 'retail_pos'
const account = `square-${vertical}`
const changes = `/unified/${account}/changes`
const often = { pollSeconds: 30, walkHours: 168 }

describe.each(storeKindsFor('changes/feed'))('the change feed on %s', (kind) => {
  let watched: Watched
  let products: NativeRecords
  beforeAll(async () => {
    watched = await createWatched(kind, { platform: 'square' })
    products = watched.tenants.find((tenant) => tenant.vertical === vertical)?.records.product as NativeRecords
    await watched.watch({ product: often, customer: often })
    await watched.walked(vertical, 'product')
    await watched.walked(vertical, 'customer')
  })
  afterAll(() => watched.close())
  const get = (query: string, headers: Record<string, string> = {}) =>
    watched.call('GET', `${changes}${query}`, undefined, headers)
  const cursorOf = async (query = '') => {
    const { status, body } = await get(query)
    expect(status, JSON.stringify(body)).toBe(200)
    return encodeURIComponent(body.pagination.cursor)
  }
  /** Follows the cursor to the end. */
  async function rest(from: string): Promise<{ data: Record<string, unknown>[]; cursor: string }> {
    const data: Record<string, unknown>[] = []
    for (let cursor = from; ; ) {
      const { status, body } = await get(`?pageSize=2&cursor=${cursor}`)
      expect(status, JSON.stringify(body)).toBe(200)
      data.push(...body.data)
      cursor = encodeURIComponent(body.pagination.cursor)
      if (!body.pagination.hasMore) return { data, cursor }
      expect(body.completeUntil).toBeUndefined()
    }
  }

  it('starts now without a cursor, and says up to when it is complete', async () => {
    const { status, body, headers } = await get('?entityType=product,customer')
    expect([status, body.data, body.pagination.hasMore]).toEqual([200, [], false])
    expect(headers.get('preference-applied')).toBeNull()
    const until = await watched.until('completeUntil', async () => {
      const { completeUntil } = (await get('')).body
      return completeUntil.product.modified && completeUntil.product.all && completeUntil
    })
    expect(Object.keys(until).toSorted()).toEqual(['customer', 'product'])
    expect(Date.parse(until.product.all)).toBeLessThan(Date.now() + 1000)
  })
  it('pages through changes in order, and a cursor holds its place', async () => {
    const start = await cursorOf('?entityType=product')
    const ids = products.add(5)
    await watched.until('5 changes', async () => (await rest(start)).data.length >= 5)
    const { data, cursor } = await rest(start)
    expect(data.map(({ externalId }) => externalId).toSorted()).toEqual([...ids].toSorted())
    const sequences = data.map(({ sequence }) => Number(sequence))
    expect(sequences).toEqual(sequences.toSorted((left, right) => left - right))
    for (const change of data)
      expect(change).toMatchObject({
        operation: 'created',
        entityType: 'product',
        origin: 'poll',
        record: { externalId: change.externalId, name: expect.any(String) },
      })
    expect((await rest(cursor)).data).toEqual([])
    expect((await rest(start)).data).toEqual(data)
  })
  it('shows a limited credential only its entities, and no hidden field', async () => {
    const start = await cursorOf('?entityType=product')
    const both = await cursorOf()
    const callerWith = async (more: object) => {
      const { key } = (await watched.manage('POST', '/api-keys', { name: 'limited', ...more })).body
      return { authorization: `Bearer ${key}` }
    }
    const hiding = await callerWith({ entities: ['product'], hiddenFields: ['name'] })
    const [id] = products.add(1)
    const found = await watched.until('the change', async () => {
      const { body } = await get(`?cursor=${start}`, hiding)
      return body.data?.find(({ externalId }: { externalId: string }) => externalId === id)
    })
    expect([found.entityType, found.record.externalId, 'name' in found.record]).toEqual(['product', id, false])
    expect(await get(`?cursor=${both}`, hiding)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(await get('?entityType=customer', hiding)).toMatchObject({ status: 403, body: { limit: 'entities' } })
    expect(Object.keys((await get('', hiding)).body.completeUntil)).toEqual(['product'])
    expect((await get('?include=native', hiding)).body).toMatchObject({ limit: 'hiddenFields' })
    const { body } = await get('', await callerWith({ scopes: ['records:read'] }))
    expect(body).toMatchObject({ code: 'insufficient_scope', scope: 'changes' })
  })
  it('names the source id and the credential of an own write', async () => {
    const start = await cursorOf()
    const written = await watched.call('POST', `/unified/${account}/product`, {
      externalId: `P-1-${kind}`,
      name: 'Flat white',
      price: 4.5,
      currencyCode: 'CAD',
    })
    expect(written.status, JSON.stringify(written.body)).toBe(201)
    const change = await watched.until('the write', async () =>
      (await rest(start)).data.find(({ externalId }) => externalId === written.body.reference.id),
    )
    expect(change).toMatchObject({
      operation: 'created',
      origin: 'write',
      sourceExternalId: `P-1-${kind}`,
      writtenBy: expect.any(String),
      record: { name: 'Flat white', price: 4.5 },
    })
  })
  it('waits for a change with Prefer: wait, without a busy lane, and ends at once when one comes', async () => {
    const start = await cursorOf('?entityType=product')
    // More waits than the service works on at once. Each is as long as the test may take.
    const waits = Array.from({ length: 40 }, () => get(`?cursor=${start}`, { prefer: 'wait=60' }))
    const other = await watched.call('GET', `/unified/${account}`)
    expect(other.status).toBe(200)
    const [id] = products.add(1)
    for (const { status, body, headers } of await Promise.all(waits)) {
      expect([status, headers.get('preference-applied')]).toEqual([200, 'wait=60'])
      expect(body.data.map(({ externalId }: { externalId: string }) => externalId)).toEqual([id])
    }
  })
  it('answers an empty page when the wait is over, and refuses a longer one', async () => {
    const start = await cursorOf('?entityType=customer')
    const began = performance.now()
    const { status, body, headers } = await get(`?cursor=${start}`, { prefer: 'respond-async, wait=2' })
    const tookMs = performance.now() - began
    expect([status, body.data, headers.get('preference-applied')]).toEqual([200, [], 'wait=2'])
    // A wait that the caller asked for is not the time of a response.
    expect((await recordedAs(headers.get('x-request-id'))).totalMs).toBeLessThan(tookMs - 500) // the wait counts from the request
    expect(body.completeUntil.customer).toBeDefined()
    const long = await get(`?cursor=${start}`, { prefer: 'wait=61' })
    expect([long.status, long.body.code]).toEqual([400, 'invalid_parameter'])
    expect(long.body.detail).toContain('wait=60')
  })
  const recordedAs = (requestId: string | null) =>
    watched.until('it is recorded', async () => {
      const { data } = (await watched.manage('GET', `/activity?search=${requestId}`)).body
      return data[0] as { operation: string; totalMs: number } | undefined
    })
  it('stops waiting when the caller disconnects', async () => {
    const start = await cursorOf('?entityType=customer')
    const gone = new AbortController()
    const read = vi.spyOn(watched.service.store.changes, 'page')
    const waiting = fetch(`${watched.url}${changes}?cursor=${start}`, {
      headers: { authorization: `Bearer ${await keyOf()}`, prefer: 'wait=60' },
      signal: gone.signal,
    }).catch((error: Error) => error.name)
    await expect.poll(() => read).toHaveBeenCalled()
    read.mockRestore()
    gone.abort()
    expect(await waiting).toBe('AbortError')
    // A wait that went on would hold the connection, and closing the service would take a minute.
    await watched.until('no connection', async () => (await watched.service.requests()) <= 1)
  })
  async function keyOf(): Promise<string> {
    return (await watched.manage('POST', '/api-keys', { name: 'k' })).body.key
  }

  it('refuses what it does not have with a clear error', async () => {
    const unwatched = await get('?entityType=order')
    expect([unwatched.status, unwatched.body.code, unwatched.body.entityTypes]).toEqual([409, 'not_watched', ['order']])
    for (const name of ['prodcut', '', 'changes', 'product,orders', '__proto__']) {
      const { status, body } = await get(`?entityType=${name}`)
      expect([status, body.code], name).toEqual([400, 'invalid_parameter'])
      expect(body.detail).toContain('product, order, customer, category, employee, time_entry, shift, location')
    }
    const start = await cursorOf('?entityType=product')
    const damaged = await get(`?cursor=${start.slice(0, -2)}xx`)
    expect([damaged.status, damaged.body.code]).toEqual([400, 'invalid_cursor'])
    const foreign = await watched.call('GET', `/unified/square-restaurant/changes?cursor=${start}`)
    expect([foreign.status, foreign.body.code]).toEqual([400, 'invalid_cursor'])
    const list = await watched.call('GET', `/unified/${account}/product?pageSize=1`)
    const ofList = await get(`?cursor=${encodeURIComponent(list.body.pagination.cursor)}`)
    expect([ofList.status, ofList.body.code]).toEqual([400, 'invalid_cursor'])
    const others = await get(`?entityType=customer&cursor=${start}`)
    expect([others.status, others.body.code]).toEqual([400, 'invalid_parameter'])
    expect((await get(`?entityType=product&cursor=${start}`)).status).toBe(200)
    expect((await get('?pageSize=0')).body.code).toBe('invalid_parameter')
    expect((await get('?mappingKey=x')).body.code).toBe('unknown_parameter')
    expect((await get('?since=1')).body.code).toBe('unknown_parameter')
  })
  it('supports GET, HEAD and OPTIONS, and no other method', async () => {
    for (const path of [changes, `${changes}/status`]) {
      const head = await fetch(watched.url + path, {
        method: 'HEAD',
        headers: { authorization: `Bearer ${await keyOf()}` },
      })
      expect(head.status).toBe(200)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status, headers, body } = await watched.call(method, path, {})
        const { operation } = await recordedAs(headers.get('x-request-id'))
        expect(operation).toBe(path === changes ? 'changes' : 'changes_status')
        expect([status, headers.get('allow'), body.code], method).toEqual([
          405,
          'GET, HEAD, OPTIONS',
          'method_not_allowed',
        ])
      }
      const options = await watched.call('OPTIONS', path)
      expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
    }
    const options = await watched.call('OPTIONS', `/unified/${account}/product`)
    expect(options.headers.get('allow')).toContain('POST')
  })
  it('shows the status of each watch', async () => {
    const { status, body } = await watched.call('GET', `${changes}/status`)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      accountId: account,
      head: expect.any(Number),
      entities: {
        product: { phase: 'ready', mode: 'poll', pollSeconds: 30, walkHours: 168, records: products.ids().length },
      },
    })
    expect(body.entities.product.lastWalk.records).toBeGreaterThan(0)
    expect(body.entities.product.paused).toBeUndefined()
  })

  describe('in form B', () => {
    let headers: Record<string, string>
    let keys: { read: string; write: string }
    beforeAll(async () => {
      const access = (await watched.manage('POST', '/access-ids', { name: 'b' })).body
      const token = await fetch(`${watched.url}${formBPrefix}/oauth/server/access-token`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: access.id,
          client_secret: access.secret,
          grant_type: 'client_credentials',
        }),
      })
      const { access_token } = (await token.json()) as { access_token: string }
      headers = { authorization: `Bearer ${access_token}` }
      const { data } = (await watched.manage('GET', `/accounts/${account}/mapping-keys`)).body
      const of = (direction: string) =>
        data.find((key: { direction: string; isDefault: boolean }) => key.direction === direction && key.isDefault).key
      keys = { read: of('read'), write: of('write') }
    })
    const byToken = (query: string) => watched.call('GET', `${formBPrefix}${changes}${query}`, undefined, headers)

    it('needs a read mapping key', async () => {
      expect((await byToken('')).body.code).toBe('mapping_key_required')
      expect((await byToken(`?mappingKey=${keys.write}`)).body.code).toBe('mapping_key_mismatch')
      const found = await byToken(`?mappingKey=${keys.read}`)
      expect(found.status, JSON.stringify(found.body)).toBe(200)
      expect((await byToken('/status')).body.code).toBe('mapping_key_required')
      expect((await byToken(`/status?mappingKey=${keys.read}`)).body.entities.product.phase).toBe('ready')
    })
    async function keyWith(rules: object): Promise<string> {
      const base = `/accounts/${account}`
      const mapping = { name: 'native', entityType: 'product', direction: 'read', rules }
      const { id } = (await watched.manage('POST', `${base}/mappings`, mapping)).body
      return (await watched.manage('POST', `${base}/mapping-keys`, { mappingId: id })).body.key
    }
    it('applies the mapping of the key to the records of the log', async () => {
      const key = await keyWith({ '/description': { from: '/item/item_data/name' }, '/sku': { value: 'S' } })
      const all = await byToken(`?mappingKey=${key}`)
      expect([all.status, all.body.code, all.body.detail]).toEqual([
        400,
        'mapping_key_mismatch',
        expect.stringContaining('entityType=product'),
      ])
      // A read that is under way may have begun before the mapping existed.
      const { start, id } = await watched.until('native values in the log', async () => {
        const from = await cursorOf('?entityType=product')
        const [added = ''] = products.add(1)
        await watched.until('the first change', async () => (await rest(from)).data.length === 1)
        const row = (await watched.log(vertical)).find(({ nativeId }) => nativeId === added)
        return (row?.record as { native?: object } | undefined)?.native && { start: from, id: added }
      })
      products.touch(id)
      const plain = await watched.until('the second change', async () => {
        const { data } = await rest(start)
        return data.length === 2 && data
      })
      const shown = async (mappingKey: string) => {
        const { status, body } = await byToken(`?mappingKey=${mappingKey}&entityType=product&cursor=${start}`)
        expect(status, JSON.stringify(body)).toBe(200)
        return body.data.map(({ record }: { record: unknown }) => record)
      }
      const live = async (mappingKey: string) => {
        const path = `${formBPrefix}/unified/${account}/product/${encodeURIComponent(id)}?mappingKey=${mappingKey}`
        return (await watched.call('GET', path, undefined, headers)).body.data
      }
      // The native values are in the log: each change has its own state.
      const [first, second] = await shown(key)
      expect(second).toEqual(await live(key))
      expect(second).toMatchObject({ externalId: id, sku: 'S' })
      expect(first.description).not.toBe(second.description)
      expect(plain.map(({ record }) => (record as { sku?: string }).sku)).not.toContain('S')
      // They are not for a mapping that is newer than the changes: the record is read at the platform.
      const newer = await keyWith({ '/description': { from: '/variation/id' } })
      const now = await live(newer)
      expect(now.description).toBe(id)
      expect(await shown(newer)).toEqual([now, now])
    })
  })

  it('says that a cursor has expired, and why', async () => {
    const start = await cursorOf('?entityType=customer')
    const both = await cursorOf()
    const { store } = watched.service
    const { workspaceId } = await watched.accountOf(vertical)
    const ensure = (...entities: ('product' | 'customer')[]) =>
      store.changes.ensure({ id: account, workspaceId }, entities)
    await store.changes.settings.setAccount({ id: account, workspaceId }, 'customer', 'off')
    await ensure('product')
    const stopped = await get(`?cursor=${start}`)
    expect([stopped.status, stopped.body.code, stopped.body.reason, stopped.body.entityTypes]).toEqual([
      410,
      'cursor_expired',
      'stopped',
      ['customer'],
    ])
    expect(stopped.body.detail).toContain('without a cursor')
    expect((await get('?entityType=customer')).body.code).toBe('not_watched')
    await store.changes.settings.setAccount({ id: account, workspaceId }, 'customer', undefined)
    await ensure('product', 'customer')
    const again = await get(`?cursor=${both}`)
    expect([again.status, again.body.reason, again.body.entityTypes]).toEqual([410, 'epoch', ['customer']])
    await watched.walked(vertical, 'customer')
  })
})

describe.each(storeKindsFor('changes/feed'))('a feed with written rows on %s', (kind) => {
  let watched: Watched
  let isClosed = false
  beforeAll(async () => {
    watched = await createWatched(kind, { platform: 'square' })
  })
  afterAll(async () => {
    if (!isClosed) await watched.close()
  })
  const restaurant = 'square-restaurant'
  const get = (query: string, headers: Record<string, string> = {}) =>
    watched.call('GET', `/unified/${restaurant}/changes${query}`, undefined, headers)

  /** A worker in the test holds the feed: the service's own worker does not touch it. */
  it('is not ready before its first walk has ended, expires by age, and tells a restored log', async () => {
    const { changes: feeds } = watched.service.store
    const { workspaceId } = await watched.accountOf('restaurant')
    expect((await get('')).body.code).toBe('not_watched')
    expect((await watched.call('GET', `/unified/${restaurant}/changes/status`)).body.entities).toEqual({})
    await feeds.settings.setAccount({ id: restaurant, workspaceId }, 'product', {})
    await feeds.settings.setAccount({ id: restaurant, workspaceId }, 'order', {})
    await feeds.ensure({ id: restaurant, workspaceId }, ['product', 'order'])
    const feed = await watched.until('the feed', () => feeds.takeFeed(restaurant, 'test', 120_000))
    const [product, order] = feed.watches
    if (!product || !order) throw new Error('two watches')
    const walk = { started: 1, startedOurs: 1, pages: 3, rows: 120, unreadable: 0, seenBytes: 0, seed: '00' }
    await feeds.commit(feed, {
      watches: [
        { watch: product, state: { phase: 'first_walk', walk } },
        { watch: order, state: { phase: 'ready', complete: { all: 1_000 } } },
      ],
    })
    const early = await get('')
    expect([early.status, early.body.code, early.headers.get('retry-after')]).toEqual([409, 'not_ready', '10'])
    expect(early.body.progress).toEqual({ product: { pages: 3, records: 120 } })
    expect(early.body.detail).toContain('entityType=order')
    const ready = await get('?entityType=order')
    expect(ready.body.completeUntil).toEqual({ order: { all: '1970-01-01T00:00:01.000Z' } })
    const status = await watched.call('GET', `/unified/${restaurant}/changes/status`)
    expect(status.body.entities.product).toMatchObject({ phase: 'first_walk', walk: { pages: 3, records: 120 } })

    await feeds.commit(feed, { watches: [{ watch: product, state: { phase: 'ready' } }] })
    const start = (await get('')).body.pagination.cursor
    const change = (watch: typeof product, nativeId: string, record?: object) => ({
      watch,
      operation: record ? ('created' as const) : ('deleted' as const),
      nativeId,
      origin: 'walk' as const,
      ...(record ? { record: { data: record } } : { replacedBy: 'survivor' }),
    })
    const record = { externalId: 'a', name: 'A' }
    await feeds.commit(feed, { changes: [change(product, 'a', record), change(order, 'b'), change(product, 'c')] })
    const page = await get(`?cursor=${start}&pageSize=2`)
    expect(page.body.data).toMatchObject([
      { sequence: 1, operation: 'created', externalId: 'a', record },
      { sequence: 2, operation: 'deleted', externalId: 'b', replacedBy: 'survivor' },
    ])
    expect(page.body.data[1].record).toBeUndefined()
    expect([page.body.pagination.hasMore, page.body.completeUntil]).toEqual([true, undefined])
    const middle = page.body.pagination.cursor
    // A cursor for one entity moves over the changes of others.
    const orders = (await get('?entityType=order')).body
    expect(orders.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([2])
    const end = orders.pagination.cursor

    expect(await feeds.prune(0, 100)).toBeGreaterThan(0)
    for (const cursor of [start, middle]) {
      const { status: code, body } = await get(`?cursor=${cursor}`)
      expect([code, body.code, body.reason]).toEqual([410, 'cursor_expired', 'pruned'])
    }
    const current = await get(`?cursor=${end}`)
    expect([current.status, current.body.data]).toEqual([200, []])
    // Without a cursor nothing can be missing, although the first rows are gone.
    await feeds.commit(feed, { changes: [change(product, 'd', record)] })
    const fresh = await get('')
    expect([fresh.status, fresh.body.data.at(-1).externalId]).toEqual([200, 'd'])
    await feeds.raiseEpochs()
    const restored = await get(`?cursor=${fresh.body.pagination.cursor}`)
    expect([restored.status, restored.body.reason]).toEqual([410, 'epoch'])
  })

  it('ends its waits when the service shuts down', async () => {
    const { changes: feeds } = watched.service.store
    const { workspaceId } = await watched.accountOf(vertical)
    await feeds.settings.setAccount({ id: account, workspaceId }, 'product', {})
    await feeds.ensure({ id: account, workspaceId }, ['product'])
    const feed = await watched.until('the feed', () => feeds.takeFeed(account, 'test', 120_000))
    const [watch] = feed.watches
    if (!watch) throw new Error('one watch')
    await feeds.commit(feed, { watches: [{ watch, state: { phase: 'ready' } }] })
    const { body } = await watched.call('GET', changes)
    const reads = [vi.spyOn(feeds, 'page'), vi.spyOn(feeds, 'latest')]
    const waiting = watched.call('GET', `${changes}?cursor=${body.pagination.cursor}`, undefined, { prefer: 'wait=60' })
    const ofOperators = `${watched.url}/manage/v1/workspaces/${workspaceId}/accounts/${account}/changes?since=1000`
    const operator = fetch(ofOperators, {
      headers: { authorization: `Bearer ${watched.secrets[1]}`, prefer: 'wait=60' },
    })
    for (const read of reads) {
      await expect.poll(() => read).toHaveBeenCalled()
      read.mockRestore()
    }
    // A connection that is still open after 25 seconds would be closed without a response.
    isClosed = true
    const closed = watched.close()
    const { status, body: page } = await waiting
    expect([status, page.data]).toEqual([200, []])
    expect(await (await operator).json()).toEqual({ data: [] })
    await closed
  })
})
