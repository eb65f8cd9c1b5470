import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, line, startLoyverse } from '../../../test/platforms/loyverse.ts'
import type { Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { orderFlaw } from '../../contract/order-sum.ts'
import { targetViolations } from '../../engine/write/requirements.ts'
import { fakeCallFor } from '../fake-call.ts'
import { loyverse } from './connector.ts'
import { readError } from './error.ts'
import sample from './fixtures/receipt.json' with { type: 'json' }
import reference from './fixtures/reference-fields.json' with { type: 'json' }
import { modifiedAt, updatedSince } from './listing.ts'
import { toUnified } from './order-row.ts'
import { personalToken } from './simulator/simulator.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startLoyverse()
})
afterAll(() => harness?.close())

const records = () => harness.tenants[0]!.records
const settings = () => harness.tenants[0]!.settings
const { call, native, made, refused, product, sent } = clientOf(() => harness)
let counter = 0
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
    const order = toUnified(
      { ...sample.receipt, currency: 'USD' },
      { account: { id: 'a', vertical: 'retail_pos', settings: {} }, warn: () => {} },
    )
    expect(order).toMatchObject({
      externalId: '2-1008',
      orderNumber: 'O-1598498',
      processedAt: '2020-06-23T08:34:45.025Z',
      state: 'COMPLETED',
      total: 17.52,
      taxTotal: 0.92,
    })
    expect(order).toMatchObject({ taxIncluded: false, subtotal: 16.6, discountTotal: 7.4 })
    expect(order.lineItems).toMatchObject([
      {
        productExternalId: sample.receipt.line_items[0]!.variant_id,
        sku: '10010',
        name: 'Ice cream - Big',
        quantity: 2,
        unitPrice: 12,
        lineTax: 0.92,
        lineDiscount: 7.4,
        lineTotal: 16.6,
        modifiers: [{ name: 'Cherry', quantity: 1, price: 2 }],
        taxes: [{ rate: 5.545, amount: 0.92, included: false }],
      },
    ])
    expect(orderFlaw(order)).toBeUndefined()
  })
})

describe('an account', () => {
  it('determines store, payment type and tax if there is only one of each', async () => {
    const one = { id: 'a' }
    const lists = {
      stores: [one, { id: 'gone', deleted_at: '2026-01-01T00:00:00Z' }],
      payment_types: [one, { id: 'b' }],
      taxes: [one],
    }
    const discovered = (settings: Record<string, string>) =>
      loyverse.discover!(fakeCallFor({ settings })(() => ({ id: 'm', ...lists })).call)
    expect(await discovered({})).toEqual({ merchantId: 'm', storeId: 'a', taxId: 'a' })
    await expect(discovered({ merchantId: 'another' })).rejects.toMatchObject({
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
    const kettle = { externalId: `K-${++counter}`, name: `Teapot ${counter}`, price: 20, stockOnHand: 3 }
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
    const { time } = harness
    time.nextSecond()
    const since = new Date(time.now()).toISOString()
    time.nextSecond()
    records().product!.touch(alone.variants[1].variant_id)
    await native('POST', '/items', { ...whole, modifiers_ids: [], variants: whole.variants })
    time.skip(2100)
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
    const since = new Date(harness.time.now() - 1).toISOString()
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
