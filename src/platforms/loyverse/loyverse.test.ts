import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import type { NativeRequest } from '../../contract/connector.ts'
import { targetViolations } from '../../engine/write/requirements.ts'
import type { CreateSimulator } from '../../sandbox/simulator.ts'
import { loyverse } from './connector.ts'
import { readError } from './error.ts'
import sample from './fixtures/receipt.json' with { type: 'json' }
import reference from './fixtures/reference-fields.json' with { type: 'json' }
import { modifiedAt, updatedSince } from './listing.ts'
import { states, toUnified } from './order-row.ts'
import { createFreeLoyverseSimulator, createLoyverseSimulator, personalToken } from './simulator/simulator.ts'

const start = (simulator: CreateSimulator, connector = loyverse) =>
  createHarness({ connectors: { loyverse: connector }, simulators: { loyverse: simulator }, platform: 'loyverse' })
let harness: Harness
beforeAll(async () => {
  harness = await start(createLoyverseSimulator)
})
afterAll(() => harness?.close())

const records = () => harness.tenants[0]!.records
const settings = () => harness.tenants[0]!.settings
const call = (method: string, path: string, body?: unknown) =>
  harness.call(method, `/unified/loyverse-retail_pos${path}`, body, { prefer: 'wait=60' })
/** Calls the API as another client with the merchant's personal token. */
async function native(method: string, path: string, body?: object): Promise<AnyRecord> {
  for (;;) {
    const response = await fetch(`${harness.sandbox.origin('loyverse')}/v1.0${path}`, {
      method,
      headers: { authorization: `Bearer ${personalToken}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as AnyRecord
    if (response.status !== 429) return answer
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
let counter = 0
async function made(entity: string, record: AnyRecord): Promise<AnyRecord> {
  const { status, body } = await call('POST', `/${entity}`, { externalId: `T-${++counter}`, ...record })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
const refused = async (entity: string, record: AnyRecord) => {
  const { status, body } = await call('POST', `/${entity}`, { externalId: `R-${++counter}`, ...record })
  return [status, ...(body.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)]
}
const product = (more: AnyRecord = {}) => made('product', { name: `Kettle ${++counter}`, price: 20, ...more })
const line = (productExternalId: string, more: AnyRecord = {}) => ({
  productExternalId,
  quantity: 1,
  unitPrice: 20,
  ...more,
})
const sent = (path: string) =>
  harness.sandbox
    .calls('loyverse')
    .filter((logged) => logged.method === 'POST' && logged.path.endsWith(path))
    .at(-1)!.body as AnyRecord
const only = (record: AnyRecord, allowed: readonly string[]) =>
  Object.keys(record).filter((name) => !allowed.includes(name))
const sorted = (names: readonly string[]) => [...names].sort()

describe("the vendor's reference", () => {
  it("has the same fields as the simulator's responses", async () => {
    const [item] = (await native('GET', '/items?limit=1')).items
    const [receipt] = (await native('GET', '/receipts?limit=1')).receipts
    const [customer] = (await native('GET', '/customers?limit=1')).customers
    const [level] = (await native('GET', '/inventory?limit=1')).inventory_levels
    expect(sorted(Object.keys(item))).toEqual(sorted(reference.item))
    expect(sorted(Object.keys(item.variants[0]))).toEqual(sorted(reference.variant))
    expect(sorted(Object.keys(item.variants[0].stores[0]))).toEqual(sorted(reference.storeOverride))
    expect(sorted(Object.keys(receipt).filter((name) => name !== 'deleted_at'))).toEqual(sorted(reference.receipt))
    expect(sorted(Object.keys(receipt.line_items[0]))).toEqual(sorted(reference.line))
    expect(sorted(Object.keys(customer))).toEqual(sorted(reference.customer))
    expect(sorted(Object.keys(level))).toEqual(sorted(reference.level))
  })
  it('has every field that the connector sends', async () => {
    const { externalId, ...first } = await product({
      cost: 4,
      active: false,
      taxable: true,
      stockOnHand: 3,
      vendor: 'Ødegård',
      categoryName: 'Pots',
    })
    expect(only(sent('/items'), reference.itemWrite)).toEqual([])
    expect(only(sent('/items').variants[0], reference.variant)).toEqual([])
    expect(only(sent('/inventory').inventory_levels[0], reference.levelWrite)).toEqual([])
    await call('PUT', `/product/${externalId}`, { externalId, ...first, name: 'Other', price: 21 })
    expect(only(sent('/items'), reference.itemWrite)).toEqual([])
    expect(only(sent('/items').variants[0], reference.variant)).toEqual([])
    await made('order', {
      orderNumber: 'A',
      note: 'b',
      processedAt: '2026-11-02T09:00:00Z',
      lineItems: [line(externalId, { lineDiscount: 2 })],
    })
    const receipt = sent('/receipts')
    expect(only(receipt, reference.receiptWrite)).toEqual([])
    expect(only(receipt.line_items[0], reference.lineWrite)).toEqual([])
    expect(only(receipt.total_discounts[0], reference.discountWrite)).toEqual([])
    expect(only(receipt.payments[0], reference.paymentWrite)).toEqual([])
  })
  it('has a receipt that becomes an order with consistent lines', () => {
    const order = toUnified({ ...sample.receipt, currency: 'USD' }, { warn: () => {} })
    expect(order).toMatchObject({
      externalId: '2-1008',
      orderNumber: 'O-1598498',
      processedAt: '2020-06-23T08:34:45.025Z',
      state: 'COMPLETED',
      total: 17.52,
      taxTotal: 0.92,
    })
    expect(order.lineItems).toEqual([
      {
        productExternalId: sample.receipt.line_items[0]!.variant_id,
        sku: '10010',
        name: 'Ice cream - Big',
        quantity: 2,
        unitPrice: 12,
        lineTax: 0.92,
        lineDiscount: 7.4,
      },
    ])
  })
})

describe('an account', () => {
  it('determines store, payment type and tax if there is only one of each', async () => {
    const one = { id: 'a' }
    const lists: Record<string, object[]> = {
      stores: [one, { id: 'gone', deleted_at: '2026-01-01T00:00:00Z' }],
      payment_types: [one, { id: 'b' }],
      taxes: [one],
    }
    const read = async ({ path }: NativeRequest) => ({
      status: 200,
      headers: {},
      body: { id: 'm', [path.slice('/v1.0/'.length)]: lists[path.slice('/v1.0/'.length)] },
    })
    const call = (settings: Record<string, string>) => ({ read, account: { settings } }) as never
    expect(await loyverse.discover!(call({}))).toEqual({ merchantId: 'm', storeId: 'a', taxId: 'a' })
    await expect(loyverse.discover!(call({ merchantId: 'another' }))).rejects.toMatchObject({
      errors: [{ pointer: '/credentials' }],
    })
  })
  it('without a store and a payment type gets an error before anything is sent', () => {
    const check = (record: AnyRecord, given: Record<string, string>) =>
      targetViolations({ lineItems: [line('x')], ...record } as never, loyverse.entities.order!.create!, {
        id: 'a',
        vertical: 'retail_pos',
        settings: given,
      }).map(({ pointer }) => pointer)
    expect(check({}, {})).toEqual(['/settings/paymentTypeId', '/locationExternalId'])
    expect(check({ locationExternalId: 'here' }, { paymentTypeId: 'p' })).toEqual([])
    expect(check({}, { paymentTypeId: 'p', storeId: 's' })).toEqual([])
  })
  it('can be connected with a personal token', async () => {
    const made = await harness.manage('POST', '/accounts', {
      id: 'personal',
      platform: 'loyverse',
      vertical: 'retail_pos',
      credentials: { accessToken: personalToken },
      settings: {},
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    expect(
      (await harness.call('GET', '/unified/personal/customer?pageSize=1', undefined, { prefer: 'wait=60' })).status,
    ).toBe(200)
  })
  it('is connected by consent, and its refresh token is replaced', async () => {
    const origin = harness.sandbox.origin('loyverse')
    const { clientId = '', clientSecret = '' } = harness.tenants[0]!.credentials
    const asked = {
      client_id: clientId,
      response_type: 'code',
      scope: 'CUSTOMERS_READ',
      redirect_uri: 'https://app.example.com/back',
      state: 's1',
    }
    expect(await (await fetch(`${origin}/oauth/authorize?${new URLSearchParams(asked)}`)).text()).toContain(
      'CUSTOMERS_READ',
    )
    const form = (body: Record<string, string>) => ({
      method: 'POST',
      body: new URLSearchParams(body),
      redirect: 'manual' as const,
    })
    const agreed = await fetch(
      `${origin}/oauth/authorize`,
      form({ ...asked, tenant: 'retail_pos', decision: 'approve' }),
    )
    const code = new URL(agreed.headers.get('location')!).searchParams.get('code')!
    const client = { client_id: clientId, client_secret: clientSecret, redirect_uri: asked.redirect_uri }
    const token = async (body: Record<string, string>) =>
      (await fetch(`${origin}/oauth/token`, form({ ...client, ...body }))).json() as Promise<AnyRecord>
    const first = await token({ grant_type: 'authorization_code', code })
    expect(first).toMatchObject({ token_type: 'Bearer', expires_in: 43_200, scope: 'CUSTOMERS_READ' })
    const second = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    const items = await fetch(`${origin}/v1.0/items`, { headers: { authorization: `Bearer ${second.access_token}` } })
    expect([items.status, ((await items.json()) as AnyRecord).errors[0].code]).toEqual([403, 'FORBIDDEN'])
  })
})

describe('errors', () => {
  const read = (status: number, code: string, field?: string) =>
    readError({ status, headers: {}, body: { errors: [{ code, details: 'No.', ...(field && { field }) }] } })
  it('are classified by their code, and name the field', () => {
    expect([
      read(400, 'INVALID_CURSOR')?.kind,
      read(402, 'PAYMENT_REQUIRED')?.kind,
      read(401, 'UNAUTHORIZED')?.kind,
      read(429, 'RATE_LIMITED')?.kind,
    ]).toEqual(['cursor', 'forbidden', 'token', 'throttled'])
    expect(read(404, 'NOT_FOUND', 'category_id')).toEqual({
      kind: 'not_found',
      code: 'NOT_FOUND',
      message: 'No.',
      fields: [{ native: 'category_id', message: 'No.' }],
    })
  })
})

describe('times', () => {
  it('are requested in whole seconds, and the latest one of a record counts', () => {
    expect(updatedSince('2026-11-10T12:00:05.500Z')).toBe('2026-11-10T12:00:05.000Z')
    expect(modifiedAt('2026-11-10T12:00:05.005Z', undefined, '2026-11-10T12:00:04.000Z')).toBe(
      '2026-11-10T12:00:05.005Z',
    )
  })
})

describe('products', () => {
  const shirt = () =>
    native('POST', '/items', {
      item_name: `Shirt ${++counter}`,
      option1_name: 'Size',
      option2_name: 'Color',
      track_stock: true,
      modifiers_ids: ['11111111-1111-4111-8111-111111111111'],
      variants: ['S', 'L'].map((size) => ({
        option1_value: size,
        option2_value: 'Red',
        default_pricing_type: 'FIXED',
        default_price: 5,
        reference_variant_id: `ref-${size}`,
      })),
    })
  const stock = async (id: string) =>
    Object.fromEntries(
      (await native('GET', `/inventory?variant_ids=${id}`)).inventory_levels.map((level: AnyRecord) => [
        level.store_id,
        level.in_stock,
      ]),
    )

  it('are one per variant, and shared fields cannot be changed through one of them', async () => {
    const { variants, item_name, id } = await shirt()
    const { body } = await call('GET', `/product/${variants[1].variant_id}`)
    expect(body.data).toMatchObject({
      externalId: variants[1].variant_id,
      name: `${item_name} - L / Red`,
      price: 5,
      stockOnHand: 0,
    })
    expect((await call('GET', `/product/${id}`)).status).toBe(404)
    const put = await call('PUT', `/product/${variants[1].variant_id}`, {
      ...body.data,
      price: 6.5,
      sku: `L-${counter}`,
    })
    expect(put.body.data).toMatchObject({ price: 6.5, sku: `L-${counter}` })
    expect(sent('/variants')).toMatchObject({
      item_id: id,
      variant_id: variants[1].variant_id,
      option1_value: 'L',
      reference_variant_id: 'ref-L',
      default_price: 6.5,
    })
    expect((await native('GET', `/items/${id}`)).variants.map((variant: AnyRecord) => variant.default_price)).toEqual([
      5, 6.5,
    ])
    const renamed = await call('PUT', `/product/${variants[1].variant_id}`, {
      ...put.body.data,
      name: 'Coat - L / Red',
    })
    expect([renamed.status, renamed.body.errors[0].pointer]).toEqual([422, '/name'])
  })
  it('retain fields that a write does not contain, although Loyverse replaces whole records', async () => {
    const { variants, id } = await shirt()
    await native('DELETE', `/variants/${variants[0].variant_id}`)
    const { body } = await call('GET', `/product/${variants[1].variant_id}`)
    await call('PUT', `/product/${variants[1].variant_id}`, { ...body.data, name: 'Coat - L / Red' })
    const item = await native('GET', `/items/${id}`)
    expect(item).toMatchObject({
      item_name: 'Coat',
      track_stock: true,
      option1_name: 'Size',
      modifier_ids: ['11111111-1111-4111-8111-111111111111'],
    })
    expect(item.variants).toMatchObject([
      { variant_id: variants[1].variant_id, reference_variant_id: 'ref-L', default_price: 5 },
    ])
  })
  it('have the stock of all stores, set in the store of the account', async () => {
    const { variants } = await shirt()
    const id = variants[0].variant_id
    const [other] = harness.tenants[0]!.locations
    await native('POST', '/inventory', { inventory_levels: [{ variant_id: id, store_id: other, stock_after: 4.4 }] })
    const { body } = await call('GET', `/product/${id}`)
    expect(body.data.stockOnHand).toBe(4)
    expect((await call('PUT', `/product/${id}`, { ...body.data, stockOnHand: 10 })).body.data.stockOnHand).toBe(10)
    expect(await stock(id)).toMatchObject({ [other!]: 4.4, [settings().storeId!]: 5.6 })
    const less = await call('PUT', `/product/${id}`, { ...body.data, stockOnHand: 1 })
    expect([less.status, less.body.errors[0].pointer]).toEqual([422, '/stockOnHand'])
    const { stockOnHand: _, ...untold } = body.data
    expect((await call('PUT', `/product/${id}`, { ...untold, barcode: '12345' })).body.data.stockOnHand).toBe(10)
  })
  it('are deleted if their stock is refused, even if something else responds to the deletion first', async () => {
    const before = records().product!.ids().toSorted()
    const errors = [{ code: 'INVALID_VALUE', details: 'No.', field: 'inventory_levels[0].stock_after' }]
    const stranger = { kind: 'foreign_before', times: 1 } as const
    harness.sandbox.fault('loyverse', {
      ...stranger,
      path: '/inventory',
      method: 'POST',
      status: 400,
      body: { errors },
    })
    harness.sandbox.fault('loyverse', { ...stranger, path: '/items/', method: 'DELETE', body: {} })
    const kettle = { externalId: `T-${++counter}`, name: `Kettle ${counter}`, price: 20, stockOnHand: 3 }
    const { status, body } = await call('POST', '/product', kettle)
    expect([status, body.errors?.[0]?.pointer]).toEqual([422, '/stockOnHand'])
    expect(harness.sandbox.faults('loyverse')).toEqual([])
    expect(records().product!.ids().toSorted()).toEqual(before)
    expect((await call('POST', '/product', kettle)).status).toBe(201)
    expect(records().product!.ids()).toHaveLength(before.length + 1)
  })
  it('have the price of the store of the account, and prices of other stores stay', async () => {
    const [second, third] = harness.tenants[0]!.locations
    const { variants } = await native('POST', '/items', {
      item_name: 'Lamp',
      variants: [
        {
          default_pricing_type: 'FIXED',
          default_price: 5,
          stores: [
            { store_id: settings().storeId, price: 7 },
            { store_id: second, price: 9 },
          ],
        },
      ],
    })
    const { body } = await call('GET', `/product/${variants[0].variant_id}`)
    expect(body.data.price).toBe(7)
    await call('PUT', `/product/${variants[0].variant_id}`, { ...body.data, price: 8 })
    const { stores, default_price } = await native('GET', `/variants/${variants[0].variant_id}`)
    expect([
      default_price,
      ...[settings().storeId, second, third].map(
        (id) => stores.find((store: AnyRecord) => store.store_id === id).price,
      ),
    ]).toEqual([5, 8, 9, 5])
    const open = await product({ price: undefined })
    expect([open.price, sent('/items').variants[0].default_pricing_type]).toEqual([undefined, 'VARIABLE'])
  })
  it('include a variant that changed without its item, and an item that changed with its variants only once', async () => {
    const [alone, whole] = [await shirt(), await shirt()]
    await new Promise((resolve) => setTimeout(resolve, 1100))
    const since = new Date().toISOString()
    await new Promise((resolve) => setTimeout(resolve, 1100))
    records().product!.touch(alone.variants[1].variant_id)
    await native('POST', '/items', { ...whole, modifiers_ids: [], variants: whole.variants })
    await new Promise((resolve) => setTimeout(resolve, 2100))
    const seen: string[] = []
    for (let query = `pageSize=50&updatedAfter=${since}`; query; ) {
      const { body } = await call('GET', `/product?${query}`)
      seen.push(...body.data.map(({ externalId }: AnyRecord) => externalId))
      query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : '' // a page may end early
    }
    expect(sorted(seen)).toEqual(
      sorted([alone.variants[1].variant_id, ...whole.variants.map((variant: AnyRecord) => variant.variant_id)]),
    )
  })
  it('are returned once each, even if the first page is cut and new items are added before it', async () => {
    await shirt()
    await shirt()
    const before = records().product!.ids()
    const seen: string[] = []
    for (let query = 'pageSize=3'; query; ) {
      const { body } = await call('GET', `/product?${query}`)
      seen.push(...body.data.map(({ externalId }: AnyRecord) => externalId))
      if (query === 'pageSize=3') records().product!.add(4)
      query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
    }
    expect(sorted(seen)).toEqual(sorted(before))
  })
  it('are returned again by a walk with updatedAfter only if they changed again, and none is missing', async () => {
    const since = new Date(Date.now() - 1).toISOString()
    const shirts: AnyRecord[] = []
    for (let made = 0; made < 5; made++) shirts.push(await shirt())
    const alone = records().product!.ids().slice(0, 4) // whose items are older
    for (const id of alone) records().product!.touch(id)
    const due = [
      ...shirts.flatMap(({ variants }) => variants.map(({ variant_id }: AnyRecord) => variant_id as string)),
      ...alone,
    ]
    const rename = async ({ id }: AnyRecord) => {
      const { modifier_ids: modifiers_ids, ...item } = await native('GET', `/items/${id}`)
      await native('POST', '/items', { ...item, modifiers_ids, item_name: `Renamed ${++counter}` })
    }
    // The newest is listed first: by the third page, items before and behind the position of the walk have changed.
    const changes = [
      () => rename(shirts[0]!),
      () => records().product!.touch(due[0]!),
      () => rename(shirts[3]!),
      async () => void records().product!.add(4),
      () => rename(shirts[4]!),
      () => records().product!.touch(due[8]!),
      async () => rename({ id: (await native('GET', `/variants/${alone[0]}`)).item_id }),
    ]
    for (const pageSize of [1, 3, 50]) {
      const pending = [...changes]
      const served = new Map<string, string[]>()
      for (let query = `pageSize=${pageSize}&updatedAfter=${since}`; query; ) {
        const { body } = await call('GET', `/product?${query}`)
        for (const { externalId } of body.data as AnyRecord[]) {
          const variant = await native('GET', `/variants/${externalId}`)
          const item = await native('GET', `/items/${variant.item_id}`)
          const state = `${item.updated_at} ${variant.updated_at}`
          served.set(externalId, [...(served.get(externalId) ?? []), state])
        }
        await pending.shift()?.()
        query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
      }
      expect(due.filter((id) => !served.has(id))).toEqual([])
      const repeated = [...served].filter(([, states]) => new Set(states).size < states.length)
      expect({ pageSize, repeated }).toEqual({ pageSize, repeated: [] })
    }
  })
  it('report an unknown category, a taken sku, another currency and a value that is too long', async () => {
    const { sku } = await product({ sku: 'TAKEN-1' })
    const pan = { name: 'Pan', price: 1 }
    expect(await refused('product', { ...pan, categoryExternalId: '99999999-9999-4999-8999-999999999999' })).toEqual([
      422,
      '/categoryExternalId',
    ])
    expect(await refused('product', { ...pan, sku })).toEqual([422, '/sku'])
    expect(await refused('product', { ...pan, currencyCode: 'EUR' })).toEqual([422, '/currencyCode'])
    expect(await refused('product', { name: 'x'.repeat(65), sku: 'y'.repeat(41) })).toEqual([422, '/sku', '/name'])
  })
  it('become taxable with the tax of the account', async () => {
    const { externalId, taxable } = await product({ taxable: true })
    expect([taxable, sent('/items').tax_ids]).toEqual([true, [settings().taxId]])
    expect(
      (await call('PUT', `/product/${externalId}`, { externalId, name: 'Kettle', price: 20, taxable: false })).body.data
        .taxable,
    ).toBe(false)
  })
})

describe('orders', () => {
  it('are completed or canceled, and only completed ones can be written', async () => {
    const warned: string[] = []
    const mapping = { warn: (_: string, message: string) => void warned.push(message) }
    expect([
      states.read('SALE', mapping),
      states.read('CANCELLED', mapping),
      states.read('PARKED', mapping),
      warned.length,
    ]).toEqual(['COMPLETED', 'CANCELED', undefined, 1])
    const { externalId } = await product()
    for (const state of ['OPEN', 'PENDING', 'CANCELED'])
      expect(await refused('order', { state, lineItems: [line(externalId)] })).toEqual([422, '/state'])
    expect((await made('order', { lineItems: [line(externalId)] })).state).toBe('COMPLETED')
    const cancelled = (await native('GET', '/receipts?limit=250')).receipts.find(
      (receipt: AnyRecord) => receipt.cancelled_at,
    )
    expect((await call('GET', `/order/${cancelled.receipt_number}`)).body.data.state).toBe('CANCELED')
  })
  it('omit refunds, with a warning', async () => {
    const { externalId } = await product()
    const sale = await made('order', { lineItems: [line(externalId, { quantity: 2 })] })
    const { line_items } = await native('GET', `/receipts/${sale.externalId}`)
    const refund = await native('POST', `/receipts/${sale.externalId}/refund`, {
      line_items: [{ id: line_items[0].id, quantity: 2 }],
    })
    expect(refund).toMatchObject({ receipt_type: 'REFUND', refund_for: sale.externalId, total_money: 40 })
    const { body } = await call('GET', '/order?pageSize=5')
    expect(body.data.map((order: AnyRecord) => order.externalId)).not.toContain(refund.receipt_number)
    expect(body.warnings.find((warning: AnyRecord) => warning.id === refund.receipt_number)).toMatchObject({
      code: 'refund_left_out',
      message: `This is a refund of the order ${sale.externalId}, not a sale. It is left out.`,
    })
    const single = await call('GET', `/order/${refund.receipt_number}`)
    expect(single).toMatchObject({ status: 404, body: { code: 'record_not_found' } })
    expect(single.body.detail).toContain(`Read the order that was refunded: ${sale.externalId}.`)
    expect((await call('GET', `/order/${sale.externalId}`)).body.data).toEqual(sale)
  })
  it('use a separate variable discount for each discount, exactly', async () => {
    const { externalId } = await product()
    const discounted = (amount: number) => line(externalId, { lineDiscount: amount })
    const order = await made('order', { lineItems: [discounted(1.11), line(externalId), discounted(19)] })
    expect([order.total, ...order.lineItems.map(({ lineDiscount }: AnyRecord) => lineDiscount)]).toEqual([
      39.89, 1.11, 0, 19,
    ])
    expect(await refused('order', { lineItems: [discounted(1), discounted(2), discounted(3)] })).toEqual([
      422,
      '/lineItems/2/lineDiscount',
    ])
    expect(await refused('order', { lineItems: [discounted(20.01)] })).toEqual([422, '/lineItems/0/lineDiscount'])
  })
  it('have the taxes of their products, unless the line has a tax of 0', async () => {
    const { externalId } = await product({ taxable: true })
    const order = await made('order', { lineItems: [line(externalId), line(externalId, { lineTax: 0 })] })
    expect([order.taxTotal, ...order.lineItems.map(({ lineTax }: AnyRecord) => lineTax), order.total]).toEqual([
      1.31, 1.31, 0, 40,
    ])
  })
  it('accept a line by its sku, a fraction only of products sold by weight, and a store by its id', async () => {
    const { sku, externalId } = await product({ sku: `BY-SKU-${counter}` })
    const [other] = harness.tenants[0]!.locations
    const order = await made('order', { locationExternalId: other, lineItems: [{ sku, quantity: 2 }] })
    expect(order).toMatchObject({
      locationExternalId: other,
      total: 40,
      lineItems: [{ productExternalId: externalId, quantity: 2, unitPrice: 20 }],
    })
    expect(await refused('order', { lineItems: [{ sku: 'NO-SUCH', quantity: 1 }] })).toEqual([422, '/lineItems/0/sku'])
    expect(await refused('order', { lineItems: [{ name: 'Only a name', quantity: 1 }] })).toEqual([
      422,
      '/lineItems/0/productExternalId',
    ])
    expect(await refused('order', { lineItems: [line(externalId, { quantity: 1.5 })] })).toEqual([
      422,
      '/lineItems/0/quantity',
    ])
    expect(await refused('order', { locationExternalId: 'elsewhere', lineItems: [line(externalId)] })).toEqual([
      422,
      '/locationExternalId',
    ])
    const cheese = await native('POST', '/items', { item_name: 'Cheese', sold_by_weight: true })
    expect((await made('order', { lineItems: [line(cheese.variants[0].variant_id, { quantity: 0.333 })] })).total).toBe(
      6.66,
    )
  })
  it('older than the plan allows end the walk with a warning', async () => {
    const free = await start(createFreeLoyverseSimulator)
    try {
      const all = free.tenants[0]!.records.order!.ids()
      const seen: string[] = []
      const warnings: AnyRecord[] = []
      for (let cursor = 'pageSize=2'; cursor; ) {
        const { status, body } = await free.call('GET', `/unified/loyverse-retail_pos/order?${cursor}`, undefined, {
          prefer: 'wait=60',
        })
        expect(status, JSON.stringify(body)).toBe(200)
        seen.push(...body.data.map(({ externalId }: AnyRecord) => externalId))
        warnings.push(...(body.warnings ?? []))
        cursor = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
      }
      expect(seen.length).toBeGreaterThan(0)
      expect(seen.length).toBeLessThan(all.length)
      expect(warnings.at(-1)).toMatchObject({
        code: 'not_normalized',
        id: 'older-receipts',
        message: expect.stringContaining('31 days'),
      })
      const [old] = all.filter((id) => !seen.includes(id))
      expect(
        (await free.call('GET', `/unified/loyverse-retail_pos/order/${old}`, undefined, { prefer: 'wait=60' })).status,
      ).toBe(403)
    } finally {
      await free.close()
    }
  })
})

describe('customers', () => {
  it('retain their points and code when they are changed, and lose omitted fields', async () => {
    const { id } = await native('POST', '/customers', {
      name: 'Ana',
      customer_code: 'CARD-7',
      total_points: 12.5,
      note: 'Rings twice',
      address: '1 Main, Apt 2',
    })
    const { body } = await call('GET', `/customer/${id}`)
    expect(body.data).toEqual({
      externalId: id,
      name: 'Ana',
      notes: 'Rings twice',
      address: { line1: '1 Main, Apt 2' },
    })
    await call('PUT', `/customer/${id}`, {
      externalId: id,
      name: 'Ana Ruiz',
      address: { line1: '1 Main', line2: 'Apt 2', country: 'th' },
    })
    expect(await native('GET', `/customers/${id}`)).toMatchObject({
      name: 'Ana Ruiz',
      customer_code: 'CARD-7',
      total_points: 12.5,
      note: null,
      address: '1 Main\nApt 2',
      country_code: 'TH',
    })
  })
  it('are not found once they are deleted, although Loyverse returns them for another day', async () => {
    const { externalId } = await made('customer', { name: 'Short stay' })
    await native('DELETE', `/customers/${externalId}`)
    expect((await native('GET', `/customers/${externalId}`)).permanent_deletion_at).toBeTruthy()
    expect((await call('GET', `/customer/${externalId}`)).status).toBe(404)
  })
  it('are rejected if a field is too long or the country cannot be found', async () => {
    expect(
      await refused('customer', { name: 'x'.repeat(65), phone: '1'.repeat(16), address: { country: 'Siamland' } }),
    ).toEqual([422, '/name', '/phone', '/address/country'])
  })
})
