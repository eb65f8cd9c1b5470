// Tests through the whole service: scopes that only add to what can be read, and lost responses.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import { holdCalls } from '../../conformance/held-calls.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import type { Fault } from '../../sandbox/simulator.ts'
import { lightspeedK } from './connector.ts'
import { createLightspeedKSimulator } from './simulator/simulator.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    connectors: { 'lightspeed-k': lightspeedK },
    simulators: { 'lightspeed-k': createLightspeedKSimulator },
    platform: 'lightspeed-k',
  })
})
afterAll(() => harness?.close())

const call = (method: string, path: string, body?: unknown, account = 'lightspeed-k-restaurant') =>
  harness.call(method, `/unified/${account}/${path}`, body, { prefer: 'wait=60' })

describe('an account without a scope that only adds to what can be read', () => {
  it.each([
    ['financial-api orders-api', 'order', '/lineItems/*/productExternalId', 'items'],
    ['items', 'product', undefined, 'orders-api'],
  ])('with %s has a warning on every page of %s', async (scope, entity, pointer, missing) => {
    const { credentials, settings } = harness.tenants[0]!
    const id = `lacks-${missing}`
    const made = await harness.manage('POST', '/accounts?test=false', {
      id,
      platform: 'lightspeed-k',
      vertical: 'restaurant',
      auth: 'oauth2',
      credentials: { ...credentials, scope },
      settings,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { body } = await call('GET', `${entity}?pageSize=2`, undefined, id)
    expect(body.data).toHaveLength(2)
    expect(body.warnings.filter(({ code }: AnyRecord) => code === 'scope_missing')).toEqual([
      {
        code: 'scope_missing',
        ...(pointer && { pointer }),
        message: expect.stringContaining(`Connect the account again with ${missing}.`),
      },
    ])
  })
})

describe('after a response that is lost or not of Lightspeed', () => {
  const fault = (given: Omit<Fault, 'times'> & { times?: number }) =>
    harness.sandbox.fault('lightspeed-k', { times: 1, ...given })
  const idsOf = (entity: 'product' | 'employee') => harness.tenants[0]!.records[entity]!.ids()

  it('two keys with equal content are two users, even if both responses are lost', async () => {
    fault({ kind: 'reset_after', method: 'POST', times: 2 })
    const reads = holdCalls(harness.sandbox.simulator('lightspeed-k'), ({ method }) => method === 'GET')
    const both = ['first', 'second'].map((externalId) => call('POST', 'employee', { externalId, name: 'Grace Hopper' }))
    await reads.came(2) // both read the highest id before either creates
    reads.release()
    const replies = await Promise.all(both)
    expect([replies.map(({ status }) => status), harness.sandbox.faults('lightspeed-k')]).toEqual([[201, 201], []])
    expect(new Set(replies.map(({ body }) => body.data.externalId)).size).toBe(2)
  })
  it('an item of another key is not taken for the one whose response was lost', async () => {
    const { categoryExternalId } = (await call('GET', 'product?pageSize=1')).body.data[0]
    const record = { name: 'Tea', sku: 'TEA-1', price: 2, categoryExternalId }
    expect((await call('POST', 'product', { externalId: 'tea 1', ...record })).status).toBe(201)
    const before = idsOf('product')
    fault({ kind: 'reset_before', method: 'POST', path: '/items/v1/items' })
    const { status, body } = await call('POST', 'product', { externalId: 'tea 2', ...record })
    expect([status, body.errors?.[0].pointer]).toEqual([422, '/sku']) // sent again and rejected: the sku is taken
    expect(idsOf('product')).toEqual(before)
  })
  it('an item without a sku gets one that a warning names, and keeps it when it is put without a sku', async () => {
    const { categoryExternalId } = (await call('GET', 'product?pageSize=1')).body.data[0]
    const record = { name: 'Cortado', price: 3.2, categoryExternalId }
    const { status, body } = await call('POST', 'product', { externalId: 'cortado 1', ...record })
    expect([status, body.data.sku]).toEqual([201, expect.stringMatching(/^ur[A-Za-z0-9]{14}$/)])
    const { sku, externalId } = body.data
    expect(body.warnings).toContainEqual({
      code: 'derived',
      pointer: '/sku',
      message: `Lightspeed Restaurant K-Series needs a value, and the request has none: the service set "${sku}".`,
    })
    const put = await call('PUT', `product/${externalId}`, { externalId, ...record, price: 3.4 })
    expect([put.status, put.body.data.sku, put.body.warnings]).toEqual([
      200,
      sku,
      expect.arrayContaining([expect.objectContaining({ code: 'kept', pointer: '/sku' })]),
    ])
    const named = await call('POST', 'product', { externalId: 'cortado 2', ...record, sku: 'CORTADO-2' })
    expect([named.status, named.body.data.sku]).toEqual([201, 'CORTADO-2'])
    expect((named.body.warnings ?? []).map(({ pointer }: { pointer: string }) => pointer)).not.toContain('/sku')
  })
  it('an empty list of items is read again, so that products do not disappear', async () => {
    fault({ kind: 'foreign_before', path: '/items/v1/items', body: [] })
    expect((await call('GET', 'product?pageSize=1')).body.data).toHaveLength(1)
    fault({ kind: 'foreign_before', path: '/items/v1/items', times: 9, body: [] })
    expect((await call('GET', 'product?pageSize=1')).status).toBe(502)
    harness.sandbox.clearFaults('lightspeed-k')
  })
  it('a description is written, even if something else responds', async () => {
    const [current] = (await call('GET', 'product?pageSize=1')).body.data
    fault({ kind: 'foreign_before', method: 'PUT', path: '/i/richItem', body: {} })
    const { body } = await call('PUT', `product/${current.externalId}`, { ...current, description: 'With care' })
    expect([body.data.description, harness.sandbox.faults('lightspeed-k')]).toEqual(['With care', []])
  })
})
