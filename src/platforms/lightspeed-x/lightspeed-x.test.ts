import { describe, expect, it } from 'vitest'
import { runUpdate } from '../../conformance/run-update.ts'
import type { Order } from '../../contract/entities/order.ts'
import type { Product } from '../../contract/entities/product.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { targetViolations } from '../../engine/write/requirements.ts'
import { fakeCallFor, type Responses } from '../fake-call.ts'
import { discover } from './account.ts'
import { readAll, walkByVersion } from './api.ts'
import { customer } from './customer.ts'
import { readError } from './error.ts'
import { order, uuidOf } from './order.ts'
import type { NativeSale } from './order-money.ts'
import { states } from './order-row.ts'
import { product } from './product.ts'
import { barcodeOf, finishRows, type NativeProduct } from './product-row.ts'

const uuid = (n: number): string => `0af7b240-ab83-11e7-eddc-${String(n).padStart(12, '0')}`
const settings: Record<string, string> = {
  domainPrefix: 'shop',
  registerId: uuid(1),
  userId: uuid(2),
  paymentTypeId: uuid(3),
  taxId: uuid(4),
}
const account = { id: 'a', vertical: 'retail_pos' as const, settings }
const mapping = { account, warn: () => {} }
const api = '/api/2026-07'
const noTax = uuid(5)

const fakeCall = fakeCallFor({ ...account, settings }, api)
const failure = (status: number, body: unknown) => new NativeFailure(readError({ status, headers: {}, body })!, status)
const retailer = (tax_exclusive = false) => ({
  data: { currency: { code: 'NZD' }, tax_exclusive, no_tax_group_id: noTax },
})
const versions = (rows: { version: number }[]) => ({
  data: rows,
  version: { min: rows[0]?.version ?? null, max: rows.at(-1)?.version ?? null },
})

describe('lists by version', () => {
  const rows = [1, 2, 3, 4, 5, 6].map((n) => ({
    id: uuid(n),
    version: n * 10,
    updated_at: `2026-11-0${n}T00:00:00+00:00`,
  }))
  const responses: Responses = {
    // Two at a time, regardless of the request: a short page is not the end.
    'GET /things': ({ query }) =>
      versions(
        rows.filter(({ version }) => version > Number(query?.after)).slice(0, Math.min(2, Number(query?.page_size))),
      ),
  }
  const walk = walkByVersion<(typeof rows)[number]>('/things', {
    version: ({ version }) => version,
    stamps: (row) => row,
  })

  it('end with an empty page, and continue after the highest version seen', async () => {
    const { call, sent } = fakeCall(responses)
    const first = await walk(call, { size: 4 })
    expect([first.rows.length, first.next]).toEqual([4, 40])
    const last = await walk(call, { size: 4 }, first.next)
    expect([last.rows.map(({ version }) => version), last.next]).toEqual([[50, 60], undefined])
    expect(sent.map(({ query }) => query?.after)).toEqual([0, 20, 40, 60])
  })
  it('stop after a row, not after a page, so that no page is larger than requested', async () => {
    const { call } = fakeCall(responses)
    expect(await walk(call, { size: 1, updatedAfter: '2026-11-01T12:00:00.000Z' })).toEqual({
      rows: [rows[1]],
      next: 20,
    })
    expect(await walk(call, { size: 1, updatedAfter: '2026-11-02T12:00:00.000Z' }, 20)).toEqual({
      rows: [rows[2]],
      next: 30,
    })
  })
  it('omit deleted rows, and fill up the page', async () => {
    const { call } = fakeCall({
      'GET /things': ({ query }) =>
        versions(
          Number(query?.after) === 0
            ? [{ ...rows[0]!, deleted_at: '2026-11-09T00:00:00+00:00' } as never, rows[1]!]
            : [rows[2]!],
        ),
    })
    expect((await walk(call, { size: 2 })).rows.map(({ version }) => version)).toEqual([20, 30])
  })
  it('are read completely once; afterwards only changes are requested and replace older rows', async () => {
    const inventory = [{ id: 'i', version: 10, level: 1 }]
    const { call, sent } = fakeCall({
      'GET /levels': ({ query }) => versions(inventory.filter(({ version }) => version > Number(query?.after))),
    })
    const levels = async () =>
      (await readAll(call, '/levels', {}, (row: { id: string; level: number }) => [row.id, row.level] as const)).at(-1)
    expect(await levels()).toEqual(['i', 1])
    inventory.push({ id: 'i', version: 11, level: 7 })
    sent.length = 0
    expect(await levels()).toEqual(['i', 7])
    expect(sent.map(({ query }) => query?.after)).toEqual([10, 11])
  })
})

describe('a sale', () => {
  const line = {
    id: uuid(21),
    quantity: 58,
    product: { id: uuid(31) },
    pricing: { price: 8.55, discount: 0.54, discount_total: 31.32 },
    tax: { id: uuid(4), amount: 1.71, total: 99.18 },
  }
  const sale: NativeSale = {
    id: uuid(20),
    state: 'parked',
    date: '2026-11-10T11:00:00+00:00',
    invoice_number: 'MR-1',
    note: '',
    attributes: ['layby'],
    source: { id: null, type: 'USER', outlet_id: uuid(40), register_id: uuid(41), author: { id: uuid(42) } },
    line_items: [line],
    payments: [],
    totals: { price_incl_tax: 595.08, tax: 99.18 },
    _metadata: { version: 9 },
  }
  const responses = (current: NativeSale = sale): Responses => ({
    'GET /retailer': () => retailer(),
    'GET /outlets': () => ({ data: [{ id: uuid(40), time_zone: 'Pacific/Auckland' }] }),
    'GET /taxes': () => ({ data: [{ id: uuid(4), rates: [{ id: uuid(6), name: 'GST', rate: 0.2 }] }] }),
    [`GET /sales/${uuid(20)}`]: () => ({ data: current }),
    [`GET /products/${uuid(31)}`]: () => ({ data: { id: uuid(31), name: 'Tea', sku: 'T-1' } }),
    [`PUT /sales/${uuid(20)}`]: ({ body }) => ({ data: { ...current, ...(body as object) } }),
    'POST /sales': ({ body }) => ({ data: body }),
  })
  const read = async (current: NativeSale): Promise<Order> =>
    order.toUnified((await order.get!(fakeCall(responses(current)).call, uuid(20)))!, mapping)
  const record: Order = {
    externalId: 'x',
    lineItems: [{ productExternalId: uuid(31), quantity: 3, unitPrice: 10, lineDiscount: 1, lineTax: 4.35 }],
  }

  it('has prices after the discount and without tax; a unified price is before the discount', async () => {
    expect((await read(sale)).lineItems[0]).toMatchObject({
      quantity: 58,
      unitPrice: 9.09,
      lineDiscount: 31.32,
      lineTax: 99.18,
    })
  })
  it('returns a returned line as a positive quantity at a negative price, and sends it back unchanged', async () => {
    const returned = {
      ...line,
      quantity: -1,
      pricing: { price: 20, discount: 2, discount_total: -2 },
      tax: { id: uuid(4), amount: 3, total: -3 },
    }
    const given = await read({ ...sale, line_items: [returned] })
    expect(given.lineItems).toMatchObject([{ quantity: 1, unitPrice: -22, lineDiscount: -2, lineTax: -3 }])
    const { call, body } = fakeCall(responses({ ...sale, line_items: [line] }))
    await runUpdate(order, call, uuid(20), given)
    expect(body('PUT')).toMatchObject({
      line_items: [{ id: line.id, quantity: -1, pricing: { price: 20, discount: 2 }, tax: { amount: 3 } }],
    })
  })
  it('is read in the order of the receipt, without lines of quantity 0', async () => {
    const numbered = (sequence: number, quantity: number) => ({
      ...line,
      id: uuid(60 + sequence),
      quantity,
      _metadata: { sequence },
    })
    expect(
      (await read({ ...sale, line_items: [numbered(2, 3), numbered(0, 1), numbered(1, 0)] })).lineItems.map(
        ({ quantity }) => quantity,
      ),
    ).toEqual([1, 3])
  })
  it('has one state for each unified state, and a warning for an unknown one', () => {
    const warnings: string[] = []
    const table = ['parked', 'pending', 'closed', 'voided'].map((native) => [
      native,
      states.read(native, mapping),
      states.write(states.read(native, mapping)),
    ])
    expect(table).toEqual([
      ['parked', 'OPEN', 'parked'],
      ['pending', 'PENDING', 'pending'],
      ['closed', 'COMPLETED', 'closed'],
      ['voided', 'CANCELED', 'voided'],
    ])
    expect([states.read('quoted', { warn: (pointer) => void warnings.push(pointer) }), warnings]).toEqual([
      undefined,
      ['/state'],
    ])
  })
  it('is neither listed nor read if it is deleted, although the platform returns it', async () => {
    expect(
      await order.get!(fakeCall(responses({ ...sale, deleted_at: '2026-11-10T11:00:00+00:00' })).call, uuid(20)),
    ).toBeUndefined()
  })
  it('names the missing settings before anything is sent', () => {
    const named = (given: Record<string, string>, changes: Partial<Order> = {}) =>
      targetViolations({ ...record, state: 'COMPLETED', ...changes }, order.create!, {
        ...account,
        settings: given,
      }).map(({ pointer }) => pointer)
    expect(named({})).toEqual([
      '/settings/userId',
      '/settings/registerId',
      '/settings/taxId',
      '/settings/paymentTypeId',
    ])
    expect(
      named(
        { userId: uuid(2) },
        { state: 'OPEN', locationExternalId: uuid(40), lineItems: [{ ...record.lineItems[0]!, lineTax: 0 }] },
      ),
    ).toEqual([])
    expect(
      named(settings, { lineItems: [{ ...record.lineItems[0]!, quantity: 1, unitPrice: 1, lineDiscount: 2 }] }),
    ).toEqual(['/lineItems/0/lineDiscount'])
  })
  it('is sent with an id that the service chooses and amounts per unit, and is paid if it is closed', async () => {
    const { call, body, steps } = fakeCall({
      ...responses(),
      [`GET /sales/${uuidOf('key-sale')}`]: () => failure(404, { error: 'sale not found' }),
    })
    await order.create!.run(call, { ...record, state: 'COMPLETED' })
    expect(body('POST')).toMatchObject({
      id: uuidOf('key-sale'),
      state: 'closed',
      source: { author_id: uuid(2), register_id: uuid(1), id: 'reference0123456' },
      line_items: [
        {
          product: { id: uuid(31) },
          quantity: 3,
          pricing: { price: 9.66667, discount: 0.33333 },
          tax: { id: uuid(4), amount: 1.45 },
          _metadata: { is_price_override: true },
        },
      ],
      payments: [{ amount: 33.35, type: { config_id: uuid(3) } }],
    })
    expect(await (steps[0]!.recovery as { find(): Promise<unknown> }).find()).toBeUndefined()
    expect(uuidOf('a'.repeat(32))).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/)
  })
  it('uses the no-tax rate if it is tax-free', async () => {
    const { call, body } = fakeCall(responses())
    await order.create!.run(call, { ...record, lineItems: [{ ...record.lineItems[0]!, lineTax: 0 }] })
    expect(body('POST')).toMatchObject({ line_items: [{ tax: { id: noTax, amount: 0 } }] })
  })
  it('uses the only register of its outlet, and never guesses one', async () => {
    const registers = (...there: string[]) => ({
      'GET /registers': () => ({ data: there.map((id) => ({ id, outlet_id: uuid(40) })) }),
    })
    const { call, body } = fakeCall({ ...responses(), ...registers(uuid(41)) })
    await order.create!.run(call, { ...record, locationExternalId: uuid(40) })
    expect(body('POST')).toMatchObject({ source: { register_id: uuid(41) } })
    const several = order.create!.run(fakeCall({ ...responses(), ...registers(uuid(41), uuid(43)) }).call, {
      ...record,
      locationExternalId: uuid(40),
    })
    await expect(several).rejects.toMatchObject({ error: { fields: [{ native: '/settings/registerId' }] } })
  })
  it('is sent as a whole when it changes: lines with their ids, attributes, cashier', async () => {
    const { call, body, steps } = fakeCall(responses())
    await runUpdate(order, call, uuid(20), { ...(await read(sale)), note: 'Gift' })
    expect(body('PUT')).toMatchObject({
      state: 'parked',
      note: 'Gift',
      attributes: ['layby'],
      source: { author_id: uuid(42), register_id: uuid(41) },
      line_items: [{ id: line.id, quantity: 58, pricing: { price: 8.55, discount: 0.54 }, tax: { amount: 1.71 } }],
    })
    // The sale does not match yet.
    expect(await (steps[0]!.recovery as { find(): Promise<unknown> }).find()).toBeUndefined()
  })
  it('can only be voided if it is closed', async () => {
    const closed = { ...sale, state: 'closed' }
    const given = await read(closed)
    const put = (changes: Partial<Order>) =>
      runUpdate(order, fakeCall(responses(closed)).call, uuid(20), { ...given, ...changes })
    await expect(put({ state: 'OPEN' })).rejects.toMatchObject({ error: { fields: [{ native: 'state' }] } })
    await expect(put({ lineItems: record.lineItems })).rejects.toMatchObject({
      error: { fields: [{ native: 'line_items' }] },
    })
    expect((await put({ state: 'CANCELED' })).row?.sale.state).toBe('voided')
    const { call, body } = fakeCall(responses(closed))
    await runUpdate(order, call, uuid(20), { ...given, note: 'Gift' })
    expect(body('PUT'), 'it was paid when it was closed').not.toHaveProperty('payments')
  })
  it('is paid with the amount due when it is closed', async () => {
    const deposit = { id: uuid(90), amount: 95.08, type: { config_id: uuid(91) } }
    const { call, body } = fakeCall(responses({ ...sale, payments: [deposit] }))
    await runUpdate(order, call, uuid(20), { ...(await read(sale)), state: 'COMPLETED' })
    expect(body('PUT')).toMatchObject({
      state: 'closed',
      payments: [deposit, { amount: 500, type: { config_id: uuid(3) } }],
    })
  })
})

describe('a product', () => {
  const native: NativeProduct = {
    id: uuid(50),
    name: 'Tea',
    variant_name: 'Tea',
    sku: 'T-1',
    product_codes: [{ type: 'CUSTOM', code: 'T-1' }],
    active: true,
    has_inventory: true,
    price_including_tax: 40,
    price_excluding_tax: 34.78261,
    version: 3,
  }
  const levels = [
    { product_id: uuid(50), outlet_id: uuid(40), current_inventory_level: 4.5 },
    { product_id: uuid(50), outlet_id: uuid(44), current_inventory_level: 2 },
  ]
  const responses = (changes: Partial<NativeProduct> = {}, exclusive = false): Responses => ({
    'GET /retailer': () => retailer(exclusive),
    'GET /outlets': () => ({ data: [{ id: uuid(40) }, { id: uuid(44) }] }),
    'GET /registers': () => ({ data: [{ id: uuid(1), outlet_id: uuid(40) }] }),
    [`GET /products/${uuid(50)}`]: () => ({ data: { ...native, ...changes } }),
    [`GET /inventory/${uuid(50)}`]: () => levels,
    [`PUT /products/${uuid(50)}`]: () => ({}),
    'POST /products': () => ({ data: [uuid(50)] }),
  })
  const read = async (changes: Partial<NativeProduct> = {}, exclusive = false): Promise<Product> =>
    product.toUnified((await product.get!(fakeCall(responses(changes, exclusive)).call, uuid(50)))!, mapping)
  const put = async (changes: Partial<Product>, current: Partial<NativeProduct> = {}, exclusive = false) => {
    const { call, body } = fakeCall(responses(current, exclusive))
    await runUpdate(product, call, uuid(50), { ...(await read(current, exclusive)), ...changes })
    return body('PUT')
  }

  it('has the price that the shop uses, and the stock of all outlets in whole units', async () => {
    expect(await read()).toMatchObject({ price: 40, stockOnHand: 6, taxable: true, currencyCode: 'NZD' })
    expect(await read({}, true)).toMatchObject({ price: 34.78 })
    expect(await read({ outlet_taxes: [{ tax_id: noTax }] })).toMatchObject({ taxable: false })
  })
  it('has the stock of a list that is descending unless asked otherwise, and ends with an empty array', async () => {
    const rows = [1, 2, 3].map((n) => ({
      product_id: uuid(50 + n),
      outlet_id: uuid(40),
      current_inventory_level: n,
      version: n * 10,
    }))
    const { call, sent } = fakeCall({
      ...responses(),
      'POST /inventory': ({ body }) =>
        rows.filter(({ version }) => version > (body as { after: number }).after).slice(0, 2),
    })
    const products = rows.map(({ product_id }) => ({ ...native, id: product_id }))
    const found = await finishRows(call, products)
    expect(found.map((row) => product.toUnified(row, mapping).stockOnHand)).toEqual([1, 2, 3])
    expect(sent.filter(({ method }) => method === 'POST').map(({ body }) => body)).toMatchObject(
      [0, 20, 30].map((after) => ({ after, sort_direction: 'asc' })),
    )
  })
  it('is written with the price that the shop uses, and tax-free in the way of the shop', async () => {
    const body = async (exclusive: boolean) => {
      const sent = fakeCall(responses({}, exclusive))
      await product.create!.run(sent.call, {
        externalId: 'x',
        name: 'Tea',
        price: 9.5,
        taxable: false,
        sku: 'T-1',
        barcode: '4006381333931',
      })
      return sent.body('POST')
    }
    expect(await body(false)).toMatchObject({
      price_including_tax: 9.5,
      all_outlets_tax: { tax_id: noTax },
      source_id: 'reference0123456',
    })
    expect(await body(true)).toMatchObject({
      price_excluding_tax: 9.5,
      outlet_taxes: [{ outlet_id: uuid(40), tax_id: noTax }, { outlet_id: uuid(44) }],
    })
    expect(await body(true)).toMatchObject({
      product_codes: [
        { type: 'CUSTOM', code: 'T-1' },
        { type: 'EAN', code: '4006381333931' },
      ],
    })
  })
  it('has its sku and barcode among its codes, and preserves the others', async () => {
    const codes = [
      { type: 'custom', code: 'T-1' },
      { type: 'UPC', code: '036000291452' },
      { type: 'CUSTOM', code: 'OLD' },
    ]
    expect([barcodeOf({ ...native, product_codes: codes }), barcodeOf(native)]).toEqual(['036000291452', undefined])
    expect(await put({ sku: 'T-2' }, { product_codes: codes })).toEqual({
      details: {
        product_codes: [
          { type: 'CUSTOM', code: 'T-2' },
          { type: 'UPC', code: '036000291452' },
          { type: 'CUSTOM', code: 'OLD' },
        ],
      },
    })
  })
  it('sets its stock at one outlet, so that the sum over all outlets is correct', async () => {
    expect(await put({ stockOnHand: 10 })).toEqual({
      details: { inventory: [{ outlet_id: uuid(40), current_amount: 8 }] },
    })
  })
  it('sends only the differences, and nothing if it is written as it was read', async () => {
    expect(await put({})).toBeUndefined()
    expect(await put({ description: 'Green', price: 41 })).toEqual({
      common: { description: 'Green' },
      details: { price_including_tax: 41 },
    })
    expect(await put({ cost: 5 }, { product_suppliers: [{ supplier_id: uuid(70) }] })).toEqual({
      details: { product_suppliers: [{ supplier_id: uuid(70), price: 5 }] },
    })
  })
  it('does not change shared fields if it is a variant', async () => {
    await expect(
      put({ name: 'Coffee' }, { variant_parent_id: uuid(51), variant_name: 'Tea / Large' }),
    ).rejects.toMatchObject({ error: { fields: [{ native: 'name' }] } })
    expect(await put({ price: 41 }, { variant_parent_id: uuid(51), variant_name: 'Tea / Large' })).toEqual({
      details: { price_including_tax: 41 },
    })
  })
  it('has no placeholder as its image', async () => {
    expect(
      (
        await read({
          image_url: 'https://secure.retail.lightspeed.app/images/placeholder/product/no-image-white-standard.png',
        })
      ).imageUrl,
    ).toBeUndefined()
  })
})

describe('a customer', () => {
  const native = {
    id: uuid(80),
    first_name: 'Tony',
    last_name: 'Stark',
    mobile: '+6421555010',
    physical_address_2: 'Floor 2',
    physical_suburb: 'Te Aro',
    custom_field_1: 'kept',
    year_to_date: 5,
    customer_group_id: null,
    version: 7,
  }
  it('is replaced as a whole, so all writable fields are sent again', async () => {
    const { call, body } = fakeCall({
      [`GET /customers/${uuid(80)}`]: () => ({ data: native }),
      [`PUT /customers/${uuid(80)}`]: ({ body: sent }) => ({ data: { ...native, ...(sent as object) } }),
    })
    const given = customer.toUnified(native, mapping)
    expect(given).toMatchObject({ name: 'Tony Stark', phone: '+6421555010', address: { line2: 'Floor 2, Te Aro' } })
    await runUpdate(customer, call, uuid(80), { ...given, notes: 'VIP' })
    expect(body('PUT')).toMatchObject({
      note: 'VIP',
      custom_field_1: 'kept',
      mobile: '+6421555010',
      physical_address_2: 'Floor 2',
      physical_suburb: 'Te Aro',
    })
    expect(body('PUT')).not.toHaveProperty('year_to_date')
    expect(body('PUT')).not.toHaveProperty('customer_group_id')
  })
  it('is found by the number of a mobile phone', async () => {
    const { call, sent } = fakeCall({ 'GET /search': ({ query }) => ({ data: query?.mobile ? [native] : [] }) })
    const search = (at?: unknown) => customer.search!.page(call, { text: '+6421555010', like: 'phone', size: 2 }, at)
    const first = await search()
    expect([first.rows, (await search(first.next)).rows]).toEqual([[], [native]])
    expect(sent.map(({ query }) => query)).toMatchObject([{ phone: '+6421555010' }, { mobile: '+6421555010' }])
  })
  it('was written before if its code is taken', async () => {
    const taken = failure(422, { errors: { fields: { customer_code: ['reference0123456 is already in use'] } } })
    const { call } = fakeCall({
      'POST /customers': () => taken,
      'GET /search': () => ({ data: [{ ...native, customer_code: 'reference0123456' }] }),
    })
    expect((await customer.create!.run(call, { externalId: 'x', name: 'Tony Stark' })).id).toBe(uuid(80))
  })
})

describe('the account', () => {
  const several: Responses = {
    'GET /registers': () => ({ data: [{ id: uuid(1) }, { id: uuid(9) }] }),
    'GET /user': () => ({ data: { id: uuid(2) } }),
    'GET /payment_types': () => ({ data: [{ id: uuid(3) }, { id: uuid(8), deleted_at: '2020-01-01T00:00:00+00:00' }] }),
    'GET /taxes': () => ({ data: [{ id: noTax }, { id: uuid(4), is_default: true }] }),
  }
  it('determines its settings, and does not guess among several', async () => {
    expect(await discover(fakeCall(several, { domainPrefix: 'shop' }).call)).toEqual({
      domainPrefix: 'shop',
      userId: uuid(2),
      paymentTypeId: uuid(3),
      taxId: uuid(4),
    })
  })
  it('keeps what is given if the shop has it', async () => {
    const given = { domainPrefix: 'shop', registerId: uuid(9), paymentTypeId: uuid(3), userId: uuid(7) }
    const { call, sent } = fakeCall(several, given)
    expect(await discover(call)).toEqual({ ...given, taxId: uuid(4) })
    expect(sent.map(({ path }) => path)).toEqual([`${api}/registers`, `${api}/payment_types`, `${api}/taxes`])
  })
  it('rejects what the shop does not have, all at once, with the choices', async () => {
    const given = { domainPrefix: 'shop', registerId: 'nonsense', paymentTypeId: uuid(8), taxId: 'x', outletId: 'y' }
    const outlets = { 'GET /outlets': () => ({ data: [{ id: uuid(5), name: 'Main' }] }) }
    const rejected = discover(fakeCall({ ...several, ...outlets }, given).call)
    await expect(rejected).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [
        { pointer: '/settings/registerId', message: expect.stringContaining(`registers of the shop: ${uuid(1)}`) },
        { pointer: '/settings/paymentTypeId', choices: [{ value: uuid(3), label: uuid(3) }] }, // one was deleted
        { pointer: '/settings/taxId' },
        { pointer: '/settings/outletId', message: expect.stringContaining(`${uuid(5)} (Main)`) },
      ],
    })
  })
  it('finds the current user in an object and in a list', async () => {
    const listed: Responses = { ...several, 'GET /user': () => ({ data: [{ id: uuid(2) }] }) }
    expect(await discover(fakeCall(listed, { domainPrefix: 'shop' }).call)).toMatchObject({ userId: uuid(2) })
  })
  it('is connected without them if it may only read', async () => {
    const forbidden = () => failure(403, { error: 'permission denied' })
    expect(
      await discover(
        fakeCall(
          {
            'GET /registers': forbidden,
            'GET /user': forbidden,
            'GET /payment_types': forbidden,
            'GET /taxes': forbidden,
          },
          { domainPrefix: 'shop' },
        ).call,
      ),
    ).toEqual({
      domainPrefix: 'shop',
    })
  })
})

describe('errors', () => {
  const kindOf = (status: number, body: unknown) => readError({ status, headers: {}, body })?.kind
  it('are classified', () => {
    expect([
      kindOf(401, { error: 'Access token is not valid' }),
      kindOf(403, { error: 'permission denied' }),
      kindOf(404, { error: 'user not found' }),
      kindOf(409, { error: 'It exists' }),
      kindOf(503, ''),
    ]).toEqual(['token', 'forbidden', 'not_found', 'duplicate', 'unavailable'])
    expect(
      readError({ status: 422, headers: {}, body: { errors: { global: ['No'], fields: { sku: ['is not valid'] } } } }),
    ).toEqual({
      kind: 'invalid',
      message: 'No; sku: is not valid',
      fields: [{ native: 'sku', message: 'is not valid' }],
    })
    expect(readError({ status: 200, headers: {}, body: { data: [] } })).toBeUndefined()
  })
  it('of something in between are not those of Lightspeed', () => {
    const others = [{}, null, [], '', '<html></html>', { message: 'Forbidden' }]
    expect(others.flatMap((body) => [400, 403, 404, 409].map((status) => kindOf(status, body) ?? 'none'))).toEqual(
      others.flatMap(() => ['none', 'none', 'none', 'none']),
    )
    expect([401, 429, 502].map((status) => kindOf(status, '<html></html>'))).toEqual([
      'token',
      'throttled',
      'unavailable',
    ])
  })
  it('of too many calls have a date, which is measured from the date of the response', () => {
    const headers = { date: 'Wed, 15 Jul 2026 15:04:00 GMT', 'retry-after': 'Wed, 15 Jul 2026 15:04:05 GMT' }
    expect(
      readError({ status: 429, headers, body: { error: 'Too Many Requests', message: 'Rate limiting enforced' } }),
    ).toEqual({
      kind: 'throttled',
      message: 'Rate limiting enforced',
      retryAfterMs: 5000,
    })
  })
})
