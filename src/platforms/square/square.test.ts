import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import { runUpdate } from '../../conformance/run-update.ts'
import type { NativeRequest } from '../../contract/connector.ts'
import type { Order } from '../../contract/entities/order.ts'
import type { Product } from '../../contract/entities/product.ts'
import { targetViolations } from '../../engine/write/requirements.ts'
import type { CreateSimulator, WireRequest } from '../../sandbox/simulator.ts'
import { fakeCallFor } from '../fake-call.ts'
import { simulators } from '../simulators.ts'
import { square } from './connector.ts'
import { personOf, shownName } from './customer.ts'
import { readError } from './error.ts'
import { order } from './order.ts'
import type { NativeOrder } from './order-row.ts'
import { changeOf } from './order-write.ts'
import { product } from './product.ts'
import { joinName, takeApart } from './product-row.ts'
import { createSquareSimulator } from './simulator/simulator.ts'
import { quantityAt, stockOf } from './stock.ts'
import { workedHours } from './time-entry.ts'

const mapping = { account: { id: 'a', vertical: 'restaurant' as const, settings: {} }, warn: () => {} }
const fakeCall = fakeCallFor(mapping.account)
const money = (amount: number) => ({ amount, currency: 'USD' })
const variation = (id: string, name: string) => ({
  type: 'ITEM_VARIATION',
  id,
  version: 7,
  item_variation_data: {
    item_id: 'ITEM1',
    name,
    sku: `SKU-${id}`,
    pricing_type: 'FIXED_PRICING',
    price_money: money(150),
    track_inventory: false,
    location_overrides: [{ location_id: 'L1', track_inventory: true }],
    sellable: true,
  },
})
const item = {
  type: 'ITEM',
  id: 'ITEM1',
  version: 7,
  item_data: {
    name: 'Tea',
    description_html: '<p>Hot <b>leaf</b> juice</p>',
    description_plaintext: 'Hot leaf juice',
    is_taxable: true,
    is_archived: false,
    categories: [{ id: 'C1', ordinal: 0 }, { id: 'C2' }],
    reporting_category: { id: 'C2' },
    variations: [variation('V1', 'Mug'), variation('V2', 'Pot')],
    tax_ids: ['T1'],
  },
}
const catalog = {
  'GET /v2/catalog/object/V1': () => ({ object: item.item_data.variations[0] }),
  'GET /v2/catalog/object/ITEM1': () => ({ object: item }),
  'POST /v2/catalog/object': ({ body }: NativeRequest) => ({ catalog_object: (body as { object: object }).object }),
  'POST /v2/inventory/counts/batch-retrieve': ({ body }: NativeRequest) =>
    (body as { cursor?: string }).cursor
      ? { counts: [{ catalog_object_id: 'V1', location_id: 'L2', quantity: '2.5' }] }
      : { counts: [{ catalog_object_id: 'V1', location_id: 'L1', quantity: '4.5' }], cursor: 'more' },
  'POST /v2/inventory/changes/batch-create': () => ({}),
  'GET /v2/locations': () => ({
    locations: [
      { id: 'L2', status: 'ACTIVE', currency: 'USD', created_at: '2026-02-01T00:00:00Z' },
      { id: 'L1', status: 'ACTIVE', currency: 'USD', created_at: '2026-01-01T00:00:00Z' },
    ],
  }),
}
const readProduct = async (): Promise<Product> =>
  product.toUnified((await product.get!(fakeCall(catalog).call, 'V1'))!, mapping)
const upserted = (sent: NativeRequest[]) =>
  sent.find(({ path }) => path === '/v2/catalog/object')?.body as { object: typeof item }

describe('a product is a variation', () => {
  it('joins and splits its name', () => {
    const several = { item: 'Tea', variation: 'Mug', alone: false }
    expect(joinName(several)).toBe('Tea - Mug')
    expect(joinName({ ...several, alone: true })).toBe('Tea')
    expect(joinName({ ...several, variation: 'Regular' })).toBe('Tea')
    expect(takeApart('Tea - Glass', several)).toEqual({ item: 'Tea', variation: 'Glass' })
    expect(takeApart('Infusion - Mug', several)).toEqual({ item: 'Infusion', variation: 'Mug' })
    expect(takeApart('Coffee', several)).toBeUndefined()
    expect(takeApart('Tea - Mug', { ...several, alone: true })).toEqual({ item: 'Tea - Mug', variation: 'Mug' })
  })
  it('sums its stock over all locations and all pages', async () => {
    expect(await readProduct()).toMatchObject({
      name: 'Tea - Mug',
      stockOnHand: 7,
      trackInventory: true,
      categoryExternalId: 'C2',
      price: 1.5,
      currencyCode: 'USD',
    })
    expect(stockOf([])).toBeUndefined()
  })
  it('sends nothing if it is written as it was read', async () => {
    const { call, sent } = fakeCall(catalog)
    await runUpdate(product, call, 'V1', await readProduct())
    const { description_plaintext: _computed, ...stored } = item.item_data
    expect(upserted(sent).object).toEqual({ ...item, item_data: stored })
    expect(sent.some(({ path }) => path.includes('/changes/'))).toBe(false)
  })
  it('is counted at the oldest location so that the sum over all locations is correct', async () => {
    const { call, sent } = fakeCall(catalog)
    await runUpdate(product, call, 'V1', { ...(await readProduct()), stockOnHand: 10 })
    expect(sent.at(-1)?.body).toMatchObject({
      idempotency_key: expect.stringMatching(/^key-stock .* 7\.5$/),
      changes: [{ physical_count: { location_id: 'L1', quantity: '7.5' } }],
    })
    expect(() => quantityAt('L1', [{ catalog_object_id: 'V1', location_id: 'L2', quantity: '9' }], 5)).toThrow(
      'already have 9',
    )
  })
  it('rejects an update before anything is written if its name cannot be stored', async () => {
    const { call, sent } = fakeCall(catalog)
    await expect(runUpdate(product, call, 'V1', { ...(await readProduct()), name: 'Coffee' })).rejects.toMatchObject({
      error: { kind: 'invalid' },
    })
    expect(upserted(sent)).toBeUndefined()
  })
  it('replaces the formatted description, escaped, only if the description changes', async () => {
    const { call, sent } = fakeCall(catalog)
    await runUpdate(product, call, 'V1', { ...(await readProduct()), description: 'Leaves & water' })
    expect(upserted(sent).object.item_data.description_html).toBe('Leaves &amp; water')
  })
})

const native: NativeOrder = {
  id: 'O1',
  location_id: 'L1',
  version: 3,
  state: 'OPEN',
  reference_id: 'reference0123456',
  created_at: '2026-11-10T12:00:00Z',
  total_money: money(450),
  discounts: [{ uid: 'd1', scope: 'LINE_ITEM' }],
  line_items: [
    {
      uid: '1',
      catalog_object_id: 'V1',
      name: 'Tea',
      quantity: '2',
      base_price_money: money(150),
      total_tax_money: money(27),
      total_discount_money: money(0),
    },
    { uid: '2', name: 'Cake', quantity: '0', base_price_money: money(100) },
    {
      uid: '3',
      name: 'Scone',
      quantity: '1.5',
      base_price_money: money(100),
      total_discount_money: money(50),
      applied_discounts: [{ discount_uid: 'd1' }],
    },
  ],
}
describe('an order', () => {
  const read = (): Order => order.toUnified(native, mapping)
  it('omits lines with quantity 0', () => {
    expect(read().lineItems.map(({ name, quantity }) => [name, quantity])).toEqual([
      ['Tea', 2],
      ['Scone', 1.5],
    ])
  })
  it('needs no change if it is written as it was read', () => {
    expect(changeOf(read(), native, 'USD')).toBeUndefined()
    expect(changeOf({ ...read(), state: 'COMPLETED' }, { ...native, state: 'COMPLETED' }, 'USD')).toBeUndefined()
  })
  it('replaces its lines starting at the first difference, with their discounts', () => {
    const record = read()
    const change = changeOf(
      { ...record, lineItems: [record.lineItems[0]!, { ...record.lineItems[1]!, quantity: 2 }] },
      native,
      'USD',
    )
    expect(change?.fields_to_clear).toEqual(['line_items[3]', 'discounts[d1]'])
    expect(change?.order).toMatchObject({
      line_items: [{ name: 'Scone', quantity: '2', applied_discounts: [{ discount_uid: 'v3-0' }] }],
      discounts: [{ uid: 'v3-0', amount_money: money(50) }],
    })
  })
  it('can be canceled and drafted, but not completed', () => {
    expect(changeOf({ ...read(), state: 'CANCELED' }, native, 'USD')?.order).toEqual({ state: 'CANCELED' })
    expect(changeOf({ ...read(), state: 'PENDING' }, native, 'USD')?.order).toEqual({ state: 'DRAFT' })
    const completed = { ...read(), state: 'COMPLETED' as const }
    for (const write of [order.create!, order.update!])
      expect(targetViolations(completed, write, mapping.account)).toMatchObject([{ pointer: '/state' }])
    expect(targetViolations(completed, order.update!, mapping.account, completed)).toEqual([])
  })
  it('is checked for values that Square cannot store', () => {
    const lineItems = [{ quantity: 0.0000001 }, { productExternalId: 'V1', quantity: 1 }]
    expect(
      targetViolations({ externalId: 'x', orderNumber: 'n'.repeat(31), lineItems }, order.create!, mapping.account).map(
        ({ pointer }) => pointer,
      ),
    ).toEqual(['/lineItems/0/name', '/lineItems/0/unitPrice', '/orderNumber', '/lineItems/0/quantity'])
  })
  it("stores the caller's price and name on a catalog line, at the account's only location", async () => {
    const { call, sent } = fakeCall({
      'GET /v2/locations': () => ({
        locations: [
          { id: 'L1', status: 'ACTIVE', currency: 'USD' },
          { id: 'L0', status: 'INACTIVE', currency: 'USD' },
        ],
      }),
      'POST /v2/orders': () => ({ order: native }),
    })
    await order.create!.run(call, {
      externalId: 'x',
      lineItems: [{ productExternalId: 'V1', name: 'My tea', quantity: 1, unitPrice: 9.99 }],
    })
    expect(sent.at(-1)?.body).toMatchObject({
      order: {
        location_id: 'L1',
        reference_id: call.reference,
        line_items: [{ catalog_object_id: 'V1', base_price_money: money(999), metadata: { name: 'My tea' } }],
      },
    })
  })
  it('is rejected if the location is ambiguous or the currency differs', async () => {
    const record: Order = { externalId: 'x', lineItems: [{ productExternalId: 'V1', quantity: 1 }] }
    await expect(order.create!.run(fakeCall(catalog).call, record)).rejects.toMatchObject({
      error: { fields: [{ native: 'order.location_id' }] },
    })
    await expect(
      order.create!.run(fakeCall(catalog).call, { ...record, locationExternalId: 'L1', currencyCode: 'EUR' }),
    ).rejects.toMatchObject({
      error: { fields: [{ native: 'order.currency' }] },
    })
  })
})

describe('people', () => {
  it("use the best available name, and a name that is not a person's is not split", () => {
    expect(shownName({ id: 'c', company_name: 'Engines' })).toBe('Engines')
    expect(personOf({ externalId: 'x', name: 'Engines', companyName: 'Engines' })).toEqual({})
    expect(personOf({ externalId: 'x', name: 'Addie' }, { id: 'c', nickname: 'Addie' })).toEqual({
      first: undefined,
      last: undefined,
    })
    expect(personOf({ externalId: 'x', name: 'Ada Lovelace' })).toEqual({ first: 'Ada', last: 'Lovelace' })
  })
  it('have hours on the clock without unpaid breaks', () => {
    const pause = { start_at: '2026-11-10T12:00:00-05:00', end_at: '2026-11-10T12:30:00-05:00' }
    const card = {
      id: 't',
      start_at: '2026-11-10T09:00:00-05:00',
      end_at: '2026-11-10T22:00:00Z',
      breaks: [
        { ...pause, is_paid: false },
        { ...pause, is_paid: true },
      ],
    }
    expect(workedHours(card)).toBe(7.5)
    expect(workedHours({ ...card, end_at: undefined })).toBeUndefined()
  })
})

describe('errors', () => {
  const kindOf = (status: number, code: string, field?: string) =>
    readError({ status, headers: {}, body: { errors: [{ category: 'INVALID_REQUEST_ERROR', code, field }] } })?.kind
  it('are classified by their code before their status', () => {
    expect([
      kindOf(401, 'ACCESS_TOKEN_EXPIRED'),
      kindOf(401, 'ACCESS_TOKEN_REVOKED'),
      kindOf(400, 'VERSION_MISMATCH'),
      kindOf(409, 'CONFLICT'),
    ]).toEqual(['token', 'reconnect', 'stale', 'stale'])
    expect([
      kindOf(400, 'IDEMPOTENCY_KEY_REUSED'),
      kindOf(400, 'INVALID_CURSOR'),
      kindOf(400, 'INVALID_VALUE', 'cursor'),
    ]).toEqual(['invalid', 'cursor', 'cursor'])
    expect([
      kindOf(429, 'RATE_LIMITED'),
      kindOf(404, 'NOT_FOUND'),
      kindOf(503, 'SERVICE_UNAVAILABLE'),
      kindOf(400, 'INVALID_VALUE'),
    ]).toEqual(['throttled', 'not_found', 'unavailable', 'invalid'])
    expect(readError({ status: 200, headers: {}, body: {} })).toBeUndefined()
    expect(readError({ status: 502, headers: {}, body: '<h1>Bad gateway</h1>' })).toEqual({
      kind: 'unavailable',
      message: 'Bad gateway',
    })
  })
})

describe('an update of a customer', () => {
  let harness: Harness
  let id: string
  const path = '/unified/square-restaurant/customer'
  /** Another client of the seller changes the customer right before the next update arrives. */
  let overtake = false
  const overtaken: CreateSimulator = (options) => {
    const simulator = createSquareSimulator(options)
    const handle = async (request: WireRequest) => {
      if (overtake && request.method === 'PUT') {
        overtake = false
        await simulator.handle({ ...request, body: JSON.stringify({ note: 'Of the other client' }) })
      }
      return simulator.handle(request)
    }
    return { ...simulator, handle }
  }
  beforeAll(async () => {
    harness = await createHarness({ connectors: { square }, simulators: { square: overtaken }, platform: 'square' })
    const record = { externalId: 'V-1', name: 'Ada Lovelace', address: { line1: '1 Street', country: 'US' } }
    id = (await harness.call('POST', path, record)).body.data.externalId
  })
  afterAll(() => harness.close())
  afterEach(() => {
    overtake = false
    harness.sandbox.clearFaults('square')
  })
  const read = () => harness.call('GET', `${path}/${id}`)
  const put = (record: object, headers: Record<string, string> = {}) =>
    harness.call('PUT', `${path}/${id}`, record, { prefer: 'wait=60', ...headers })

  it('with If-Match is rejected if another client was faster, and changes nothing', async () => {
    const { body, headers } = await read()
    overtake = true
    const reply = await put({ ...body.data, notes: 'Ours' }, { 'if-match': headers.get('etag')! })
    expect([reply.status, reply.body.code]).toEqual([412, 'precondition_failed'])
    expect((await read()).body.data.notes).toBe('Of the other client')
  })
  it('without If-Match is applied to the changed customer', async () => {
    const { body } = await read()
    overtake = true
    expect((await put({ ...body.data, notes: 'Ours' })).status).toBe(200)
    expect((await read()).body.data.notes).toBe('Ours')
  })
  it('with If-Match succeeds once if its response is lost', async () => {
    const { body, headers } = await read()
    const version = Number(headers.get('etag')!.replaceAll('"', ''))
    harness.sandbox.fault('square', { kind: 'reset_after', method: 'PUT', times: 1 })
    const { address: _, ...rest } = body.data
    const reply = await put({ ...rest, notes: 'Lost' }, { 'if-match': headers.get('etag')! })
    expect([reply.status, reply.body.data.notes]).toEqual([200, 'Lost'])
    expect((await read()).headers.get('etag')).toBe(`"${version + 1}"`)
  })
})

it('the stock can be set to an earlier value again', async () => {
  const harness = await createHarness({ connectors: { square }, simulators, platform: 'square' })
  try {
    const path = '/unified/square-restaurant/product'
    const { body } = await harness.call('POST', path, {
      externalId: 'AGAIN',
      name: 'Harbor tea',
      price: 4.5,
      stockOnHand: 5,
    })
    for (const stockOnHand of [7, 9, 7]) {
      const put = await harness.call('PUT', `${path}/${body.reference.id}`, { ...body.data, stockOnHand })
      expect([put.status, put.body.data?.stockOnHand], JSON.stringify(put.body)).toEqual([200, stockOnHand])
    }
  } finally {
    await harness.close()
  }
})

it.each(['product', 'customer'])(
  'a blank name of a %s is refused with its field, and nothing is sent',
  async (entity) => {
    const harness = await createHarness({ connectors: { square }, simulators, platform: 'square' })
    try {
      const path = `/unified/square-restaurant/${entity}`
      const { data } = (await harness.call('GET', `${path}?pageSize=1`)).body
      const record = { externalId: 'BLANK', name: ' ' }
      harness.sandbox.clearCalls('square')
      for (const reply of [
        await harness.call('POST', path, record),
        await harness.call('PUT', `${path}/${data[0].externalId}`, { ...record, externalId: data[0].externalId }),
      ])
        expect([reply.status, reply.body.code, reply.body.errors?.[0]], JSON.stringify(reply.body)).toEqual([
          422,
          'target_refuses',
          { pointer: '/name', message: 'must not be blank on this platform' },
        ])
      expect(harness.sandbox.calls('square').filter(({ method }) => method !== 'GET')).toEqual([])
    } finally {
      await harness.close()
    }
  },
)

describe("a seller's own orders", () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await createHarness({ connectors: { square }, simulators, platform: 'square' })
  })
  afterAll(() => harness.close())
  const path = '/unified/square-restaurant/order'
  const native = async (method: string, address: string, body?: unknown) => {
    const { credentials } = harness.tenants.find(({ vertical }) => vertical === 'restaurant')!
    const response = await fetch(harness.sandbox.origin('square') + address, {
      method,
      headers: { authorization: `Bearer ${credentials.accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()) as Record<string, Record<string, unknown>>
  }

  it('are no orders if they only return something: a warning names them', async () => {
    const location_ids = harness.tenants.find(({ vertical }) => vertical === 'restaurant')!.locations
    const { orders } = await native('POST', '/v2/orders/search', { location_ids, limit: 500 })
    const all = orders as unknown as (NativeOrder & { tenders?: { id: string }[] })[]
    const seeded = all.find(({ returns }) => returns)!
    const sold = all.find(({ state, tenders }) => state === 'COMPLETED' && tenders)!
    const { refund } = await native('POST', '/v2/refunds', {
      idempotency_key: 'refund-1',
      payment_id: sold.tenders![0]!.id,
      amount_money: { amount: 100, currency: 'USD' },
    })
    const made = String(refund!.order_id)
    expect((await native('GET', `/v2/orders/${made}`)).order).not.toHaveProperty('total_money')
    const { body } = await harness.call('GET', `${path}?pageSize=100`)
    const served = body.data.map(({ externalId }: { externalId: string }) => externalId)
    expect(served).toContain(sold.id)
    for (const [id, of] of [
      [made, sold.id],
      [seeded.id, seeded.returns![0]!.source_order_id],
    ]) {
      expect(served).not.toContain(id)
      expect(body.warnings.filter((warning: { id?: string }) => warning.id === id)).toEqual([
        {
          code: 'refund_left_out',
          id,
          message: `This is a refund of the order ${of}, not a sale. It is left out.`,
        },
      ])
      expect((await harness.call('GET', `${path}/${id}`)).status).toBe(404)
    }
  })
  it('have the total with the service charge and its tax', async () => {
    const location_id = harness.tenants.find(({ vertical }) => vertical === 'restaurant')!.locations[0]
    const { order: created } = await native('POST', '/v2/orders', {
      idempotency_key: 'charge-1',
      order: {
        location_id,
        line_items: [{ name: 'Dinner', quantity: '2', base_price_money: { amount: 5000, currency: 'USD' } }],
        taxes: [{ uid: 'tax', name: 'Sales tax', percentage: '10' }],
        service_charges: [
          { name: 'Large party', percentage: '18', calculation_phase: 'SUBTOTAL_PHASE', taxable: true },
          { name: 'Delivery', amount_money: { amount: 250, currency: 'USD' }, calculation_phase: 'TOTAL_PHASE' },
        ],
      },
    })
    const { body } = await harness.call('GET', `${path}/${String(created!.id)}`)
    // 100.00 + 10 % tax + 18 % charge + 10 % tax on the charge + 2.50
    expect([body.data.total, body.data.taxTotal]).toEqual([132.3, 11.8])
    expect(body.data.lineItems).toMatchObject([{ name: 'Dinner', quantity: 2, unitPrice: 50, lineTax: 10 }])
  })
})
