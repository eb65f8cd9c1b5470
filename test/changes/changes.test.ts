// The change feed through the front door: changes made behind the API's back, on a simulator over sockets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Fault, NativeRecords } from '../../src/sandbox/simulator.ts'
import { storeKindsFor } from '../store-on.ts'
import { createWatched, type Watched } from './watched.ts'

const vertical = 'retail_pos'
const often = { pollSeconds: 10, walkHours: 1000 }

describe.each(storeKindsFor('changes/changes'))('a watched account on %s', (kind) => {
  let watched: Watched
  let products: NativeRecords
  let customers: NativeRecords
  beforeAll(async () => {
    watched = await createWatched(kind, { platform: 'square' })
    const { records } = watched.tenants.find((tenant) => tenant.vertical === vertical)!
    products = records.product!
    customers = records.customer!
    await watched.watch({ product: often, customer: { pollSeconds: 86_400, walkHours: 1000 } })
    await watched.walked(vertical, 'product')
    await watched.polled(vertical, 'customer')
  })
  afterAll(() => watched.close())
  const of = async (id: string) => (await watched.log(vertical)).filter(({ nativeId }) => nativeId === id)
  const changesOf = (id: string, count: number) =>
    watched.until(`${count} changes of ${id}`, async () => {
      const found = await of(id)
      return found.length >= count && found
    })

  it('reports nothing of what the first walk finds', async () => {
    const { state } = await watched.watchOf(vertical, 'product')
    expect(state.records).toBe(products.ids().length)
    expect(await watched.log(vertical)).toEqual([])
  })

  it('reports a new record and a change by a poll', async () => {
    const [id = ''] = products.add(1)
    const [created] = await changesOf(id, 1)
    expect(created).toMatchObject({ operation: 'created', origin: 'poll', record: { data: { externalId: id } } })
    products.touch(id)
    const log = await changesOf(id, 2)
    expect(log).toHaveLength(2)
    expect(log[1]).toMatchObject({ operation: 'updated', origin: 'poll', changed: expect.arrayContaining(['/name']) })
  })

  it('reports by a walk what no poll has read, and is silent in the next one', async () => {
    const [first = '', second = ''] = customers.ids()
    customers.touch(first)
    customers.remove?.(second)
    const [added = ''] = customers.add(1)
    await watched.walkNow(vertical, 'customer')
    expect(await of(first)).toMatchObject([{ operation: 'updated', origin: 'walk' }])
    expect(await of(second)).toMatchObject([{ operation: 'deleted', origin: 'walk', record: undefined }])
    expect(await of(added)).toMatchObject([{ operation: 'created', origin: 'walk' }])
    const before = (await watched.log(vertical)).length
    const { state } = await watched.walkNow(vertical, 'customer')
    expect(state.records).toBe(customers.ids().length)
    await watched.walkNow(vertical, 'product')
    expect(await watched.log(vertical)).toHaveLength(before)
  })

  it('reports its own writes once, as the writes of their credential', async () => {
    const account = watched.accountId(vertical)
    const body = { externalId: `mine-${kind}`, name: 'Own tea', price: 3, currencyCode: 'CAD' }
    const reply = await watched.call('POST', `/unified/${account}/product`, body)
    expect(reply.status, JSON.stringify(reply.body)).toBe(201)
    const id: string = reply.body.reference.id
    const [created] = await changesOf(id, 1)
    expect(created).toMatchObject({ operation: 'created', origin: 'write', record: { data: { name: 'Own tea' } } })
    expect(created?.writtenBy).toMatch(/./)
    const changed = { ...reply.body.data, name: 'Own green tea' }
    expect((await watched.call('PUT', `/unified/${account}/product/${id}`, changed)).status).toBe(200)
    const log = await changesOf(id, 2)
    expect(log[1]).toMatchObject({
      operation: 'updated',
      origin: 'write',
      writtenBy: created?.writtenBy,
      changed: ['/name'],
    })
    await watched.walkNow(vertical, 'product')
    expect(await of(id)).toHaveLength(2)
  })

  const faults: [string, Fault][] = [
    ['an outage', { kind: 'unavailable', times: 12 }],
    ['a 403', { kind: 'forbidden', times: 4 }],
    ['a lost page', { kind: 'truncated', times: 5 }],
    ['reset connections', { kind: 'reset_before', times: 9 }],
  ]
  it.each(faults)('reports no delete because of %s in the middle of a walk', async (_, fault) => {
    const before = (await watched.log(vertical)).length
    watched.sandbox.fault('square', { ...fault, path: 'catalog', skip: 1 })
    await watched.walkNow(vertical, 'product')
    await watched.until('all faults', async () => watched.sandbox.faults('square').length === 0)
    const { state } = await watched.walkNow(vertical, 'product')
    expect(await watched.log(vertical)).toHaveLength(before)
    expect(state.records).toBe(products.ids().length)
    expect(state).not.toHaveProperty('retryAt')
  })

  it('reports no delete while the platform finds nothing that it lists, and says why', async () => {
    const id = customers.ids().at(-2) ?? ''
    customers.remove?.(id)
    // Every single customer is "not found".
    const body = { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'NOT_FOUND', detail: 'none' }] }
    const fault: Fault = { kind: 'foreign_before', status: 404, body, method: 'GET', path: '/customers/' }
    watched.sandbox.fault('square', fault)
    await watched.service.store.changes.requestWalk(watched.accountId(vertical), 'customer')
    const { state } = await watched.until('the control read fails', async () => {
      const watch = await watched.watchOf(vertical, 'customer')
      return (watch.state.errorsInARow ?? 0) > 1 && watch
    })
    expect(state.lastError?.detail).toContain('nothing is reported as deleted')
    expect(await of(id)).toEqual([])
    watched.sandbox.clearFaults('square')
    expect(await changesOf(id, 1)).toMatchObject([{ operation: 'deleted' }])
  })

  it('has metrics of its calls, its size and its lag', async () => {
    const read = async () => {
      const { body } = await watched.service.app.inject('/metrics')
      const values = [...body.matchAll(/^(unified_change_\w+)(?:\{platform="square"\})? (\S+)$/gm)]
      return Object.fromEntries(values.map(([, name, value]) => [name, Number(value)]))
    }
    const shown = await watched.until('metrics that are as new as the log', async () => {
      const found = await read()
      const stored = (await watched.log(vertical)).length
      return (found.unified_change_lag_seconds ?? 0) > 0 && (found.unified_change_log_records ?? 0) >= stored && found
    })
    expect(shown.unified_change_calls_total).toBeGreaterThan(0)
    expect(shown.unified_change_feeds).toBe(watched.tenants.length)
    expect(shown.unified_change_index_records).toBeGreaterThan(0)
    expect(shown).toMatchObject({
      unified_change_feeds_due: expect.any(Number),
      unified_change_hints: expect.any(Number),
    })
  })

  it('does not take a missing part of a record for a missing record', async () => {
    const id = products.ids().at(-1) ?? ''
    const body = { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'NOT_FOUND', detail: 'no such counts' }] }
    watched.sandbox.fault('square', { kind: 'foreign_before', status: 404, body, path: '/inventory/' })
    const reply = await watched.call('GET', `/unified/${watched.accountId(vertical)}/product/${id}`)
    watched.sandbox.clearFaults('square')
    expect([reply.status, reply.body.code]).toEqual([502, 'downstream_error'])
    expect(reply.body.detail).toContain('a part of the record was not found')
  })

  it('pauses with a disabled account, and catches up afterwards', async () => {
    const account = watched.accountId(vertical)
    const { changes } = watched.service.store
    const rests = () => watched.until('the feed rests', async () => !(await changes.due(9)).includes(account))
    const become = async (action: 'disable' | 'enable') =>
      expect((await watched.manage('POST', `/accounts/${account}/${action}`)).status).toBe(200)
    await become('disable')
    await changes.requestWalk(account, 'product') // whatever was under way has lost the feed
    await rests()
    watched.sandbox.clearCalls('square')
    const { lastPollAt } = (await watched.watchOf(vertical, 'product')).state
    const [id = ''] = products.add(1)
    await changes.wake(account)
    await rests()
    expect(watched.sandbox.calls('square').filter((call) => call.vertical === vertical)).toEqual([])
    expect((await watched.watchOf(vertical, 'product')).state.lastPollAt).toBe(lastPollAt)
    await become('enable')
    expect(await changesOf(id, 1)).toMatchObject([{ operation: 'created' }])
  })
})

describe.each(storeKindsFor('changes/changes'))('a walk that is interrupted on %s', (kind) => {
  let watched: Watched
  let customers: NativeRecords
  beforeAll(async () => {
    watched = await createWatched(kind, { platform: 'square' })
    customers = watched.tenants.find((tenant) => tenant.vertical === vertical)!.records.customer!
    customers.add(250)
  })
  afterAll(() => watched.close())

  it('goes on after a restart, and reads no page twice', async () => {
    const account = watched.accountId(vertical)
    watched.sandbox.fault('square', { kind: 'unavailable', method: 'GET', path: '/v2/customers', skip: 1 })
    await watched.watchOne(vertical, 'customer', often)
    await watched.until('an error after the first page', async () => {
      const { walk, errorsInARow } = (await watched.watchOf(vertical, 'customer')).state
      return walk?.pages === 1 && errorsInARow !== undefined
    })
    const service = await watched.restart()
    watched.sandbox.clearCalls('square')
    watched.sandbox.clearFaults('square')
    const state = await watched.until('the walk ends', async () => {
      const [watch] = await service.store.changes.watches(account)
      return watch?.state.phase === 'ready' && watch.state
    })
    expect(state).toMatchObject({ records: customers.ids().length, heldDeletes: 0 })
    const pages = watched.sandbox
      .calls('square')
      .filter(({ method, path }) => `${method} ${path}` === 'GET /v2/customers')
    expect(pages.length).toBeGreaterThan(1)
    for (const { query } of pages) expect(query).toContain('cursor=')
  })
})
