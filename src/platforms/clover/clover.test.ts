// Peculiarities of Clover, tested through the whole service with a merchant that has a history.
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import { holdCalls } from '../../conformance/held-calls.ts'
import type { LoggedCall, SimulatorOptions } from '../../sandbox/simulator.ts'
import { clover } from './connector.ts'
import { createCloverSimulator } from './simulator/simulator.ts'

const day = 86_400_000
let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    connectors: { clover },
    simulators: { clover: createCloverSimulator },
    platform: 'clover',
    size: 'full',
  })
})
afterAll(() => harness?.close())

const call = (method: string, path: string, body?: unknown) =>
  harness.call(method, `/unified/clover-restaurant/${path}`, body, { prefer: 'wait=60' })
const native = (entity: 'order' | 'product' | 'employee') => harness.tenants[0]!.records[entity]!
let serial = 0
const key = () => `K-${++serial}`
const calls = (): LoggedCall[] => harness.sandbox.calls('clover')
const filtersOf = ({ query }: LoggedCall) => new URLSearchParams(query).getAll('filter')
async function written(path: string, record: object) {
  const { status, body } = await call('POST', path, { externalId: key(), ...record })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
async function newProduct(record: object = {}) {
  const { externalId: categoryExternalId } = await written('category', { name: `Menu ${key()}` })
  return written('product', { name: `Dish ${key()}`, price: 4.5, taxable: false, categoryExternalId, ...record })
}

it('a phone or an email that Clover refuses is named by its field', async () => {
  for (const [message, pointer] of [
    ['phoneNumber is invalid', '/phone'],
    ['Invalid email_addresses', '/email'],
  ] as const) {
    harness.sandbox.fault('clover', {
      kind: 'foreign_before',
      method: 'POST',
      path: '/customers',
      times: 1,
      status: 400,
      body: { message },
    })
    const { status, body } = await call('POST', 'customer', {
      externalId: key(),
      name: 'Ann Lee',
      phone: '+15125550100',
    })
    expect([status, body.code, body.errors], JSON.stringify(body)).toEqual([
      422,
      'downstream_rejected',
      [{ pointer, message }],
    ])
  }
})

describe('reading', () => {
  it('finds every order of more than a year with all its lines, never requesting more than 90 days at once', async () => {
    harness.sandbox.clearCalls('clover')
    const found: { externalId: string; lineItems: { quantity: number }[] }[] = []
    for (let query = 'pageSize=500'; query; ) {
      const { body } = await call('GET', `order?${query}`)
      found.push(...body.data)
      query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
    }
    expect(found.map(({ externalId }) => externalId).toSorted()).toEqual(native('order').ids().toSorted())
    expect(
      Math.max(...found.flatMap(({ lineItems }) => lineItems.map(({ quantity }) => quantity))),
    ).toBeGreaterThanOrEqual(140) // a nested list has at most a hundred
    const asked = calls().filter(({ path }) => path.endsWith('/orders'))
    for (const one of asked) {
      const [from, to = `<${Date.now()}`] = filtersOf(one)
      expect(Number(to.replace(/\D+/, '')) - Number(from!.replace(/\D+/, ''))).toBeLessThan(90 * day)
    }
    expect(asked.length).toBeGreaterThan(4)
  })
  it('asks for the whole second of updatedAfter, because Clover has no milliseconds', async () => {
    for (const entity of ['order', 'product', 'employee'] as const) {
      const id = native(entity).ids()[3]!
      harness.time.stop()
      harness.time.nextSecond()
      native(entity).touch(id)
      const second = harness.time.now() - (harness.time.now() % 1000)
      const has = async (at: number) =>
        (await call('GET', `${entity}?pageSize=900&updatedAfter=${new Date(at).toISOString()}`)).body.data.some(
          ({ externalId }: { externalId: string }) => externalId === id,
        )
      harness.time.go()
      expect([entity, await has(second - 1), await has(second + 400)]).toEqual([entity, true, true])
    }
  })
  it('never returns the PIN of an employee', async () => {
    expect(JSON.stringify((await call('GET', 'employee?pageSize=50')).body)).not.toContain('hash-')
  })
})

describe('an order', () => {
  it('is hidden until it is complete, and its lines are sent a hundred at a time', async () => {
    const { externalId: productExternalId } = await newProduct()
    harness.sandbox.clearCalls('clover')
    const { lineItems, total } = await written('order', { lineItems: [{ productExternalId, quantity: 250 }] })
    expect([lineItems.length, lineItems[0].quantity, lineItems[0].unitPrice, total]).toEqual([1, 250, 4.5, 1125])
    const posts = calls().filter(({ method }) => method === 'POST')
    expect(posts.map(({ path }) => path.split('/').at(-1))).toEqual([
      'orders',
      'bulk_line_items',
      'bulk_line_items',
      'bulk_line_items',
      expect.stringMatching(/^[0-9A-Z]{13}$/),
    ])
    expect(posts.map(({ body }) => (body as { state?: string }).state)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'open',
    ])
  })
  it('is deleted if a later step is rejected, and its key can be used again', async () => {
    const { externalId: productExternalId } = await newProduct()
    const record = { externalId: key(), lineItems: [{ productExternalId, quantity: 2, lineDiscount: 1 }] }
    const before = native('order').ids()
    for (const path of ['bulk_line_items', 'discounts']) {
      harness.sandbox.clearCalls('clover')
      const refusal = { status: 403, body: { message: '403 Forbidden' } }
      harness.sandbox.fault('clover', { kind: 'foreign_before', ...refusal, method: 'POST', path, times: 1 })
      expect((await call('POST', 'order', record)).status).toBe(403)
      expect(calls().filter(({ method }) => method === 'DELETE')).toMatchObject([{ status: 200 }])
    }
    expect(native('order').ids()).toEqual(before)
    expect((await call('POST', 'order', record)).status).toBe(201)
    expect(native('order').ids()).toHaveLength(before.length + 1)
  })
  it('has negative discounts at Clover, on as few units as possible, and is read back as one line', async () => {
    const { externalId: productExternalId } = await newProduct()
    harness.sandbox.clearCalls('clover')
    const { lineItems, total } = await written('order', {
      taxTotal: 0.5,
      lineItems: [
        { productExternalId, quantity: 3, lineDiscount: 10 },
        { productExternalId, quantity: 1 },
        { name: 'Corkage', unitPrice: 12, quantity: 1 },
      ],
    })
    expect(
      lineItems.map(({ quantity, lineDiscount }: { quantity: number; lineDiscount: number }) => [
        quantity,
        lineDiscount,
      ]),
    ).toEqual([
      [3, 10],
      [1, 0],
      [1, 0],
    ])
    expect(total).toBe(20) // the items are not taxed
    const sent = calls().filter(({ method, path }) => method === 'POST' && path.endsWith('/discounts'))
    expect(sent.map(({ body }) => (body as { amount: number }).amount)).toEqual([-450, -450, -100])
  })
  it('accepts fractional quantities only of products sold by measure', async () => {
    const { externalId: measured } = await newProduct({ priceType: 'PER_UNIT', price: 8 })
    const { externalId: counted } = await newProduct()
    const { lineItems, total } = await written('order', { lineItems: [{ productExternalId: measured, quantity: 2.5 }] })
    expect([lineItems.length, lineItems[0].quantity, total]).toEqual([1, 2.5, 20])
    const before = native('order').ids()
    const refused = async (line: object) =>
      (await call('POST', 'order', { externalId: key(), lineItems: [line] })).body.errors.map(
        ({ pointer }: { pointer: string }) => pointer,
      )
    expect(await refused({ productExternalId: counted, quantity: 2.5 })).toEqual(['/lineItems/0/quantity'])
    expect(await refused({ productExternalId: measured, quantity: 0.0001 })).toEqual(['/lineItems/0/quantity'])
    expect(await refused({ name: 'Herbs', unitPrice: 1, quantity: 0.5 })).toEqual(['/lineItems/0/quantity'])
    expect(await refused({ productExternalId: counted, quantity: 3001 })).toEqual(['/lineItems/0/quantity'])
    expect(await refused({ productExternalId: counted, quantity: 1, lineDiscount: 5 })).toEqual([
      '/lineItems/0/lineDiscount',
    ])
    expect(native('order').ids()).toEqual(before)
  })
  it('replaces its lines starting at the first difference, and adjusts its total', async () => {
    const { externalId: productExternalId } = await newProduct()
    const line = { productExternalId, quantity: 2 }
    const order = await written('order', { lineItems: [line, { ...line, quantity: 1, lineDiscount: 1 }] })
    harness.sandbox.clearCalls('clover')
    const { total: _, ...changed } = { ...order, lineItems: [order.lineItems[0], { ...line, quantity: 4 }] }
    const { body } = await call('PUT', `order/${order.externalId}`, changed)
    expect(body.data.lineItems.map(({ quantity }: { quantity: number }) => quantity)).toEqual([2, 4])
    expect([order.total, body.data.total]).toEqual([12.5, 27])
    expect(calls().filter(({ method }) => method === 'DELETE')).toHaveLength(1)
  })
  it('has the lines that were sent last, even if something else responds to the removal of a line', async () => {
    const line = { name: 'Tea', unitPrice: 2, quantity: 1 }
    const order = await written('order', { lineItems: [line, { ...line, name: 'Cake' }] })
    const { total: _, ...changed } = { ...order, lineItems: [order.lineItems[0], { ...line, name: 'Pie' }] }
    harness.sandbox.fault('clover', { kind: 'foreign_before', method: 'DELETE', times: 1, body: {} })
    const { status, body } = await call('PUT', `order/${order.externalId}`, changed)
    expect([status, body.data.lineItems.map(({ name }: { name: string }) => name), body.data.total]).toEqual([
      200,
      ['Tea', 'Pie'],
      4,
    ])
  })
  it('can only be written as OPEN; every other state is rejected', async () => {
    for (const state of ['COMPLETED', 'CANCELED', 'PENDING']) {
      const { status, body } = await call('POST', 'order', {
        externalId: key(),
        state,
        lineItems: [{ name: 'Tea', unitPrice: 2, quantity: 1 }],
      })
      expect([state, status, body.errors[0].pointer]).toEqual([state, 422, '/state'])
    }
  })
})

describe('a product', () => {
  it('is created next to an identical one, even if the response is lost', async () => {
    const { externalId: categoryExternalId } = await written('category', { name: `Menu ${key()}` })
    const record = { name: 'House tea', price: 2, categoryExternalId }
    const first = await written('product', record)
    harness.sandbox.fault('clover', { kind: 'reset_after', method: 'POST', path: '/items', times: 1 })
    const second = await written('product', record)
    harness.sandbox.clearFaults('clover')
    expect(second.externalId).not.toBe(first.externalId)
    const { body } = await call('GET', 'product?pageSize=900')
    expect(body.data.filter(({ name }: { name: string }) => name === 'House tea')).toHaveLength(2)
  })
  it('gets its category and its stock even if something else responds in the place of Clover', async () => {
    const { externalId: categoryExternalId } = await written('category', { name: `Menu ${key()}` })
    for (const path of ['/category_items', '/item_stocks/']) {
      harness.sandbox.fault('clover', { kind: 'foreign_before', method: 'POST', path, times: 1, body: {} })
      const made = await written('product', { name: `Dish ${key()}`, price: 1, stockOnHand: 7, categoryExternalId })
      expect([path, made.categoryExternalId, made.stockOnHand]).toEqual([path, categoryExternalId, 7])
      expect(harness.sandbox.faults('clover')).toEqual([])
    }
  })
  it('requires a category and can be moved to another', async () => {
    const refused = await call('POST', 'product', { externalId: key(), name: 'Stray', price: 1 })
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
      422,
      'target_requires',
      '/categoryExternalId',
    ])
    const { categoryExternalId, ...product } = await newProduct()
    const kept = await call('PUT', `product/${product.externalId}`, product)
    expect(kept.body).toMatchObject({
      data: { categoryExternalId },
      warnings: [{ code: 'kept', pointer: '/categoryExternalId' }],
    })
    const other = await written('category', { name: `Menu ${key()}` })
    const { body } = await call('PUT', `product/${product.externalId}`, {
      ...product,
      categoryExternalId: other.externalId,
    })
    expect([categoryExternalId === other.externalId, body.data.categoryExternalId]).toEqual([false, other.externalId])
  })
  it('is unchanged when sent back without a category, with its own tax rates or with fractional stock', async () => {
    const { body } = await call('GET', 'product?pageSize=900')
    const odd = body.data
      .filter(({ categoryExternalId, active }: Record<string, string>) => !categoryExternalId || !active)
      .slice(0, 15)
    for (const product of odd) {
      harness.sandbox.clearCalls('clover')
      expect((await call('PUT', `product/${product.externalId}`, product)).body.data).toEqual(product)
      expect(calls().filter(({ method }) => method === 'POST')).toEqual([])
    }
    expect(odd.length).toBe(15)
  })
})

it('removes the email of a customer, even if something else responds to the removal', async () => {
  const { email: _, ...customer } = await written('customer', { name: 'Ada Lovelace', email: `${key()}@example.com` })
  harness.sandbox.fault('clover', { kind: 'foreign_before', method: 'DELETE', times: 1, body: {} })
  const { status, body } = await call('PUT', `customer/${customer.externalId}`, customer)
  expect([status, body.data.email]).toEqual([200, undefined])
})

it('creates two records for two keys with equal content, even if both responses are lost', async () => {
  for (const [path, record] of [
    ['category', { name: `Menu ${key()}` }],
    ['employee', { name: `Ada ${key()}` }],
    ['customer', { name: 'Grace Hopper', email: `${key()}@example.com` }],
  ] as const) {
    harness.sandbox.fault('clover', { kind: 'reset_after', method: 'POST', times: 2 })
    const searches = holdCalls(harness.sandbox.simulator('clover'), ({ method }) => method === 'GET')
    const both = [written(path, record), written(path, record)]
    await searches.came(2) // both search before either creates
    searches.release()
    const [first, second] = await Promise.all(both)
    expect([path, harness.sandbox.faults('clover'), first.externalId === second.externalId]).toEqual([path, [], false])
  }
})

it('tries a token renewal again after a lost response, and is refused: the refresh token works once', async () => {
  harness.tenants[0]!.expireTokens()
  harness.sandbox.clearCalls('clover')
  harness.sandbox.fault('clover', { kind: 'reset_after', path: '/oauth/v2/refresh', times: 1 })
  for (let round = 0; round < 2; round++) expect((await call('GET', 'category')).body.code).toBe('reconnect_required')
  // The refusal of Clover ends it: no later call asks once more.
  expect(
    calls()
      .filter(({ path }) => path === '/oauth/v2/refresh')
      .map(({ status }) => status),
  ).toEqual([0, 401])
})

it('connects an account that may only read customers: a missing permission looks like an invalid token until something can be read', async () => {
  const simulators = { clover: (options: SimulatorOptions) => createCloverSimulator(options, ['customers']) }
  // Connects the account.
  const limited = await createHarness({ connectors: { clover }, simulators, platform: 'clover' })
  try {
    const { accessToken } = limited.tenants[0]!.credentials
    const { settings } = limited.tenants[0]!
    const account = { platform: 'clover', vertical: 'restaurant', settings }
    expect((await limited.manage('POST', '/accounts', { ...account, credentials: { accessToken } })).status).toBe(201)
    const refused = await limited.manage('POST', '/accounts', { ...account, credentials: { accessToken: 'wrong' } })
    expect([refused.status, refused.body.errors]).toEqual([
      422,
      [{ pointer: '/credentials/accessToken', message: 'is not accepted by Clover' }],
    ])
    const elsewhere = await limited.manage('POST', '/accounts', {
      ...account,
      settings: { ...settings, merchantId: 'AAAAAAAAAAAAA' },
      credentials: { accessToken },
    })
    expect([elsewhere.status, elsewhere.body.detail]).toEqual([
      422,
      expect.stringContaining('for merchantId "AAAAAAAAAAAAA": 401 Unauthorized (status 401)'),
    ])
  } finally {
    await limited.close()
  }
})

it('a lost create does not take the record that another key wrote with equal content', async () => {
  // A long timeout: the lost create looks again only after the other one is done.
  const simulators = { clover: createCloverSimulator }
  const twins = await createHarness({ connectors: { clover }, simulators, platform: 'clover', callTimeoutMs: 100_000 })
  try {
    const post = (externalId: string) =>
      twins.call('POST', '/unified/clover-restaurant/category', { externalId, name: 'Harbor specials' })
    twins.sandbox.fault('clover', { kind: 'reset_before', method: 'POST', path: '/categories', times: 1 })
    const lost = post('TWIN-1')
    await vi.waitFor(() => expect(twins.sandbox.faults('clover')).toEqual([]), { timeout: 120_000 })
    const ids = [await post('TWIN-2'), await lost].map(({ body }) => body.reference?.id)
    expect(ids).toEqual([expect.any(String), expect.any(String)])
    expect(new Set(ids).size).toBe(2)
  } finally {
    await twins.close()
  }
})
