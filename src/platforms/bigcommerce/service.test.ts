// Tests of a store through the whole service.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { CreateSimulator } from '../../sandbox/simulator.ts'
import { bigcommerce } from './connector.ts'
import { createBigcommerceSimulator } from './simulator/simulator.ts'

const spent: CreateSimulator = (options) => {
  const simulator = createBigcommerceSimulator(options)
  return {
    ...simulator,
    handle: async (request) => {
      const response = await simulator.handle(request)
      return {
        ...response,
        headers: { ...response.headers, 'x-rate-limit-requests-left': '0', 'x-rate-limit-time-reset-ms': '300' },
      }
    },
  }
}
const harnesses: Harness[] = []
const harnessOf = async (simulator: CreateSimulator) => {
  const made = await createHarness({
    connectors: { bigcommerce },
    simulators: { bigcommerce: simulator },
    platform: 'bigcommerce',
  })
  harnesses.push(made)
  return made
}
let plain: Harness
beforeAll(async () => {
  plain = await harnessOf(createBigcommerceSimulator)
})
afterAll(() => Promise.all(harnesses.map((harness) => harness.close())))

it('shows a new product by default, and holds the code of a state as its name', async () => {
  const harness = await harnessOf(createBigcommerceSimulator)
  const create = (entity: string, body: object) =>
    harness.call('POST', `/unified/bigcommerce-retail_pos/${entity}`, body, { prefer: 'wait=60' })
  const product = await create('product', { externalId: 'P-1', name: 'Shown', price: 1 })
  expect([product.status, product.body.data.active]).toEqual([201, true])
  const stateOf = async (state: string, country: string) => {
    const { status, body } = await create('customer', {
      externalId: `C-${state}`,
      name: 'Ada Byron',
      firstName: 'Ada',
      lastName: 'Byron',
      email: `ada.${state}@example.com`,
      address: { line1: '1 Main St', city: 'Chicago', state, postalCode: '60601', country },
    })
    return [status, body.data?.address.state, body.data?.address.country, body.warnings]
  }
  expect(await stateOf('IL', 'US')).toEqual([201, 'Illinois', 'US', undefined])
  expect(await stateOf('WA', 'Australia')).toEqual([201, 'Western Australia', 'AU', undefined])
  expect(await stateOf('YT', 'CAN')).toEqual([201, 'Yukon Territory', 'CA', undefined])
  expect(await stateOf('Middlesex', 'UK')).toEqual([201, 'Middlesex', 'GB', undefined])
})

it('gets no calls while its quota is used up', async () => {
  const harness = await harnessOf(spent)
  const began = performance.now()
  const read = async () =>
    (
      await harness.call('GET', '/unified/bigcommerce-retail_pos/order?pageSize=1', undefined, {
        prefer: 'wait=60',
      })
    ).status
  expect([await read(), await read()]).toEqual([200, 200])
  expect(harness.sandbox.calls('bigcommerce')).toHaveLength(2)
  expect(performance.now() - began).toBeGreaterThanOrEqual(295)
})
it('names the limit of a field that is too long, also where only its general limit applies', async () => {
  const { status, body } = await plain.call('POST', '/unified/bigcommerce-retail_pos/product', {
    externalId: 'LONG-1',
    name: 'Towel with a long story',
    price: 20,
    description: 'x'.repeat(70_000),
  })
  expect([status, body.errors]).toEqual([
    422,
    [{ pointer: '/description', message: expect.stringContaining('at most 65535 characters') }],
  ])
})
it.each(['product', 'order', 'customer'])(
  'gets no write if any of its %ss is sent back as it was read',
  async (entity) => {
    const path = `/unified/bigcommerce-retail_pos/${entity}`
    const { body } = await plain.call('GET', `${path}?pageSize=50`, undefined, { prefer: 'wait=60' })
    expect(body.data.length).toBeGreaterThan(5)
    plain.sandbox.clearCalls('bigcommerce')
    for (const record of body.data) {
      const reply = await plain.call('PUT', `${path}/${encodeURIComponent(record.externalId)}`, record, {
        prefer: 'wait=60',
      })
      expect([reply.status, reply.body.data], JSON.stringify(reply.body)).toEqual([200, record])
    }
    expect(plain.sandbox.calls('bigcommerce').filter(({ method }) => method !== 'GET')).toEqual([])
  },
)
it('reads orders with their lines in one call, and lines in no consignment with one more call', async () => {
  const harness = await harnessOf(createBigcommerceSimulator)
  const path = '/unified/bigcommerce-retail_pos/order'
  const calls = async (address: string) => {
    harness.sandbox.clearCalls('bigcommerce')
    const { status, body } = await harness.call('GET', address, undefined, { prefer: 'wait=60' })
    expect(status, JSON.stringify(body)).toBe(200)
    const paths = harness.sandbox.calls('bigcommerce').map((call) => call.path.replace(/^.*\/v2|\?.*$/g, ''))
    return { data: body.data, paths }
  }
  const { credentials, settings } = harness.tenants[0]!
  const native = async (method: string, address: string, body?: object) => {
    const response = await fetch(`${harness.sandbox.origin('bigcommerce')}/stores/${settings.storeHash}${address}`, {
      method,
      headers: { 'x-auth-token': credentials.accessToken!, accept: 'application/json' },
      body: body && JSON.stringify(body),
    })
    return (await response.json()) as { id: number; data: { id: number } } & { sku: string; quantity: number }[]
  }
  const shop = await calls(`${path}?pageSize=50`)
  // One more for all refunded orders of the page.
  expect(shop.paths).toEqual(['/orders', expect.stringContaining('/v3/orders/payment_actions/refunds')])
  expect(shop.data.length).toBeGreaterThan(5)
  for (const { externalId, lineItems } of shop.data) {
    const lines = await native('GET', `/v2/orders/${externalId}/products?limit=250`)
    expect(lineItems.map(({ quantity }: { quantity: number }) => quantity)).toEqual(lines.map((line) => line.quantity))
    expect(lineItems.map(({ sku }: { sku?: string }) => sku ?? '')).toEqual(lines.map((line) => line.sku))
  }
  const file = { name: 'Song', type: 'digital', weight: 0, price: 1 }
  const { data: song } = await native('POST', '/v3/catalog/products', file)
  const products = [
    { product_id: song.id, quantity: 2 },
    { name: 'Card', quantity: 3, price_ex_tax: 2, price_inc_tax: 2 },
  ]
  const billing_address = { zip: '10001' }
  const write = (order: object) => native('POST', '/v2/orders', { billing_address, products, ...order })
  const [mixed, unshipped] = [await write({ shipping_addresses: [billing_address] }), await write({})]
  const lineItems = [expect.objectContaining({ name: 'Song', quantity: 2 }), expect.objectContaining({ name: 'Card' })]
  const [first, second] = [await calls(`${path}/${mixed.id}`), await calls(`${path}/${unshipped.id}`)]
  expect([first.data.lineItems, first.paths]).toEqual([lineItems, [`/orders/${mixed.id}`]])
  expect([second.data.lineItems, second.paths]).toEqual([
    lineItems,
    [`/orders/${unshipped.id}`, `/orders/${unshipped.id}/products`],
  ])
})
it('creates one order if the response is lost, and finds it by its reference', async () => {
  const record = {
    externalId: 'lost-1',
    customerExternalId: undefined,
    lineItems: [{ name: 'Tea', quantity: 2, unitPrice: 9 }],
  }
  const customer = (
    await plain.call('GET', '/unified/bigcommerce-retail_pos/customer?pageSize=50', undefined, { prefer: 'wait=60' })
  ).body.data.find(({ address }: { address?: { postalCode?: string } }) => address?.postalCode)
  plain.sandbox.clearCalls('bigcommerce')
  plain.sandbox.fault('bigcommerce', { kind: 'reset_after', method: 'POST', times: 1 })
  const { status, body } = await plain.call(
    'POST',
    '/unified/bigcommerce-retail_pos/order',
    { ...record, customerExternalId: customer.externalId },
    { prefer: 'wait=60' },
  )
  plain.sandbox.clearFaults('bigcommerce')
  expect([status, body.data?.lineItems.length], JSON.stringify(body)).toEqual([201, 1])
  expect(plain.sandbox.calls('bigcommerce').filter(({ method }) => method === 'POST')).toHaveLength(1)
})
it('adds a line of an update once, even if the response is lost', async () => {
  const path = '/unified/bigcommerce-retail_pos/order'
  const { body } = await plain.call('GET', `${path}?pageSize=50`, undefined, { prefer: 'wait=60' })
  const record = body.data[0]
  const next = {
    ...record,
    total: undefined,
    taxTotal: undefined,
    lineItems: [...record.lineItems, { name: 'Card', quantity: 1, unitPrice: 2, lineTax: 0 }],
  }
  plain.sandbox.fault('bigcommerce', { kind: 'reset_after', method: 'PUT', times: 1 })
  const reply = await plain.call('PUT', `${path}/${record.externalId}`, next, { prefer: 'wait=60' })
  plain.sandbox.clearFaults('bigcommerce')
  expect([reply.status, reply.body.data.lineItems.length], JSON.stringify(reply.body)).toEqual([
    200,
    record.lineItems.length + 1,
  ])
  expect(plain.sandbox.calls('bigcommerce').filter(({ method }) => method === 'PUT')).toHaveLength(1)
})
it.each([
  ['product', { name: 'Twin tea', price: 4 }, '/name'],
  ['customer', { name: 'Ann Lee', firstName: 'Ann', lastName: 'Lee', email: 'ann.lee@example.com' }, ''],
])(
  'has one %s for each key: the record of another key is not taken after a lost response',
  async (entity, record, pointer) => {
    const path = `/unified/bigcommerce-retail_pos/${entity}`
    const create = (externalId: string) => plain.call('POST', path, { externalId, ...record }, { prefer: 'wait=60' })
    expect((await create('twin-1')).status).toBe(201)
    plain.sandbox.fault('bigcommerce', { kind: 'reset_before', method: 'POST', times: 1 })
    const second = await create('twin-2')
    plain.sandbox.clearFaults('bigcommerce')
    const pointers = second.body.errors?.map((error: { pointer: string }) => error.pointer)
    expect([second.status, pointers], JSON.stringify(second.body)).toEqual([422, [pointer]])
  },
)
it('refuses a negative discount with the field of its line, and sends nothing', async () => {
  const line = { name: 'Tea', quantity: 1, unitPrice: 9 }
  plain.sandbox.clearCalls('bigcommerce')
  const { status, body } = await plain.call(
    'POST',
    '/unified/bigcommerce-retail_pos/order',
    { externalId: 'negative-discount', lineItems: [line, { ...line, lineDiscount: -1 }] },
    { prefer: 'wait=60' },
  )
  const pointers = body.errors?.map(({ pointer }: { pointer: string }) => pointer)
  expect([status, pointers], JSON.stringify(body)).toEqual([422, expect.arrayContaining(['/lineItems/1/lineDiscount'])])
  expect(pointers).not.toContain('/lineItems')
  expect(plain.sandbox.calls('bigcommerce').filter(({ method }) => method === 'POST')).toEqual([])
})
it('does not end a list with a bare empty array of a gateway', async () => {
  plain.sandbox.fault('bigcommerce', { kind: 'foreign_before', path: '/v2/orders', body: [] })
  const { status, body } = await plain.call('GET', '/unified/bigcommerce-retail_pos/order', undefined, {
    prefer: 'wait=60',
  })
  plain.sandbox.clearFaults('bigcommerce')
  expect([status, body.code]).toEqual([502, 'downstream_error'])
})
it('preserves the category of a rejected product, and the corrected product uses it', async () => {
  const path = '/unified/bigcommerce-retail_pos/product'
  const taken = (await plain.call('GET', `${path}?pageSize=1`, undefined, { prefer: 'wait=60' })).body.data[0].name
  const record = { externalId: 'P-1', name: taken, price: 5, categoryName: 'Brand new' }
  const refused = await plain.call('POST', path, record, { prefer: 'wait=60' })
  expect([refused.status, refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    ['/name'],
  ])
  const { status, body } = await plain.call('POST', path, { ...record, name: 'Another tea' }, { prefer: 'wait=60' })
  expect([status, body.data.categoryName]).toEqual([201, 'Brand new'])
  expect(
    plain.sandbox.calls('bigcommerce').filter((call) => call.method === 'POST' && call.path.endsWith('/categories')),
  ).toHaveLength(1)
})
it('returns no archived order, in lists or by id', async () => {
  const [id = ''] = plain.tenants[0]!.records.order!.ids()
  plain.tenants[0]!.records.order!.remove!(id)
  expect(
    (await plain.call('GET', `/unified/bigcommerce-retail_pos/order/${id}`, undefined, { prefer: 'wait=60' })).status,
  ).toBe(404)
})
