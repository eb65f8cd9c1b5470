import { describe, expect, it } from 'vitest'
import { runUpdate } from '../../conformance/run-update.ts'
import { conformance } from '../../conformance/suite.ts'
import { orderStates } from '../../contract/entities/order.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { targetViolations } from '../../engine/write/requirements.ts'
import { createState } from '../../sandbox/collection.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import type { Simulator } from '../../sandbox/simulator.ts'
import { fakeCallFor } from '../fake-call.ts'
import { modifiedAt, since } from './account.ts'
import { bigcommerce } from './connector.ts'
import { customer } from './customer.ts'
import { readError, throttle } from './error.ts'
import { order } from './order.ts'
import type { NativeOrder } from './order-row.ts'
import { stateOf, statuses, statusFor } from './order-unified.ts'
import { changeOf, discountIn, toLine, toTotals } from './order-write.ts'
import { product } from './product.ts'
import { createBigcommerceSimulator } from './simulator/simulator.ts'

conformance(bigcommerce, createBigcommerceSimulator)

const account = { id: 'a', vertical: 'retail_pos' as const, settings: { storeHash: 'abc' } }
const mapping = { account, warn: () => {} }
const fakeCall = fakeCallFor(account, '/stores/abc')
const shirt = {
  id: 174,
  name: 'Shirt',
  description: '<p>Cotton</p>',
  sku: 'SH',
  price: 20,
  cost_price: 0,
  upc: '',
  gtin: '',
  categories: [23, 18],
  brand_id: 36,
  inventory_tracking: 'variant' as const,
  inventory_level: 9,
  is_visible: true,
  availability: 'available',
  search_keywords: 'new, gift',
  date_modified: '2026-09-05T20:42:07+00:00',
  base_variant_id: null,
  variants: [
    {
      id: 1,
      sku: 'SH-S',
      price: null,
      cost_price: null,
      upc: '1',
      gtin: '',
      inventory_level: 4,
      option_values: [{ label: 'Red' }, { label: 'S' }],
    },
    {
      id: 2,
      sku: 'SH-L',
      price: 25,
      cost_price: 8,
      upc: '2',
      gtin: '3',
      inventory_level: 5,
      option_values: [{ label: 'Red' }, { label: 'L' }],
    },
  ],
}
const catalog = {
  'GET /v3/catalog/products/174': () => ({ data: shirt }),
  'GET /v3/catalog/categories': () => ({ data: [{ id: 23, name: 'Clothes' }] }),
  'GET /v3/catalog/brands': () => ({ data: [{ id: 36, name: 'Common Good' }] }),
  'GET /v2/store': () => ({ currency: 'USD' }),
  'PUT /v3/catalog/products/174': () => ({ data: {} }),
  'PUT /v3/catalog/products/174/variants/2': () => ({ data: {} }),
}

describe('a product is a variant', () => {
  const read = async (id: string) => product.toUnified((await product.get!(fakeCall(catalog).call, id))!, mapping)

  it('has its own sku, price, stock and barcode, and the names of its category and brand', async () => {
    expect(await read('174:2')).toEqual({
      externalId: '174:2',
      name: 'Shirt - Red / L',
      description: '<p>Cotton</p>',
      sku: 'SH-L',
      price: 25,
      cost: 8,
      barcode: '3',
      stockOnHand: 5,
      active: true,
      categoryExternalId: '23',
      categoryName: 'Clothes',
      vendor: 'Common Good',
      tags: ['new', 'gift'],
      currencyCode: 'USD',
    })
    expect(await read('174:1')).toMatchObject({ price: 20, barcode: '1' })
    expect(await product.get!(fakeCall(catalog).call, '174')).toBeUndefined() // ambiguous: the product has two variants
  })
  it('lacks its currency without the scope, and not because something in between sends a 403', async () => {
    const readWith = (body: unknown) => {
      const refuse = () => {
        const stated = readError({ status: 403, headers: {}, body })
        throw new NativeFailure(stated ?? { kind: 'forbidden', message: 'answered with status 403' }, 403)
      }
      return product.get!(fakeCall({ ...catalog, 'GET /v2/store': refuse }).call, '174:2')
    }
    const words = "You don't have a required scope to access the endpoint"
    expect((await readWith([{ status: 403, message: words }]))?.currency).toBeUndefined()
    await expect(readWith({})).rejects.toThrow('answered with status 403')
  })
  it('sends each difference to the product or the variant, and preserves its other categories', async () => {
    const { call, sent } = fakeCall({
      ...catalog,
      'GET /v3/catalog/categories': () => ({
        data: [
          { id: 23, name: 'Clothes' },
          { id: 40, name: 'Sale' },
        ],
      }),
    })
    await runUpdate(product, call, '174:2', {
      ...(await read('174:2')),
      name: 'Jersey - Red / L',
      price: 26,
      stockOnHand: 6,
      categoryExternalId: undefined,
      categoryName: 'Sale',
      vendor: undefined,
    })
    expect(sent.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { name: 'Jersey', categories: [40, 18], brand_id: 0 },
      { price: 26, inventory_level: 6 },
    ])
  })
  it('must have the names of its options in its name', async () => {
    await expect(
      runUpdate(product, fakeCall(catalog).call, '174:2', { ...(await read('174:2')), name: 'Jersey' }),
    ).rejects.toMatchObject({ error: { kind: 'invalid' } })
  })
  it('is rejected before the call if it exceeds a limit of BigCommerce', () => {
    const record = {
      externalId: 'X',
      name: 'Tea',
      price: -1,
      barcode: '123456789012345',
      tags: ['a', 'b,c'],
      categoryName: 'x'.repeat(51),
    }
    const pointers = targetViolations(record, product.create!, account).map(({ pointer }) => pointer)
    expect(pointers.toSorted()).toEqual(['/barcode', '/categoryName', '/price', '/tags/1'])
  })
  it("is rejected if its price is not in the store's currency", async () => {
    await expect(
      product.create!.run(fakeCall(catalog).call, { externalId: 'X', name: 'Tea', price: 1, currencyCode: 'EUR' }),
    ).rejects.toThrow("The store's currency is USD")
  })
})

describe('an order', () => {
  const native: NativeOrder = {
    id: 100,
    status_id: 2,
    date_created: 'Wed, 25 Jun 2025 05:22:10 +0000',
    customer_id: 0,
    total_inc_tax: '62.6793',
    total_tax: '5.1607',
    default_currency_code: 'USD',
    staff_notes: '',
    customer_message: 'Ring twice',
    lines: [
      {
        id: 65,
        product_id: 77,
        variant_id: 90,
        name: 'Towel',
        sku: 'T',
        quantity: 2,
        price_ex_tax: '28.7593',
        total_tax: '5.1607',
        applied_discounts: [{ amount: '1.5900' }],
      },
      {
        id: 66,
        product_id: 0,
        variant_id: 0,
        name: 'Engraving',
        sku: '',
        quantity: 1,
        price_ex_tax: '5.0000',
        total_tax: '0.0000',
      },
    ],
  }
  const shown = order.toUnified(native, mapping)

  it('has amounts rounded to the currency, times in UTC, and no customer for a guest', () => {
    expect(shown).toMatchObject({
      orderNumber: '100',
      processedAt: '2025-06-25T05:22:10.000Z',
      customerExternalId: undefined,
      state: 'COMPLETED',
      note: 'Ring twice',
      total: 62.68,
      taxTotal: 5.16,
    })
    expect(shown.lineItems).toEqual([
      {
        externalId: '65',
        productExternalId: '77:90',
        sku: 'T',
        name: 'Towel',
        kind: 'ITEM',
        quantity: 2,
        unitPrice: 28.76,
        lineTax: 5.16,
        lineDiscount: 1.59,
        lineTotal: 55.93,
      },
      {
        externalId: '66',
        productExternalId: undefined,
        sku: undefined,
        name: 'Engraving',
        kind: 'ITEM',
        quantity: 1,
        unitPrice: 5,
        lineTax: 0,
        lineDiscount: 0,
        lineTotal: 5,
      },
    ])
  })
  it('preserves a status that already means the requested state, and has a status for every state', () => {
    expect(changeOf({ ...shown, state: 'COMPLETED' }, native)).toEqual({})
    expect(changeOf({ ...shown, state: 'CANCELED' }, native)).toEqual({ status_id: 5 })
    for (const state of orderStates) expect(stateOf(statusFor[state], mapping)).toBe(state)
  })
  it('has a state for each of the fifteen statuses, and a warning for an unknown one', () => {
    expect(statuses.map(({ id }) => id)).toEqual(Array.from({ length: 15 }, (_, id) => id))
    const warnings: string[] = []
    expect(stateOf(15, { warn: (pointer) => warnings.push(pointer) })).toBeUndefined()
    expect(warnings).toEqual(['/state'])
  })
  it('changes the note that was read, line by line, with its discount and totals', () => {
    expect(changeOf({ ...shown, note: 'Ring once' }, native)).toEqual({ customer_message: 'Ring once' })
    const [towel, engraving] = shown.lineItems
    const fewer = changeOf(
      { ...shown, total: undefined, taxTotal: undefined, lineItems: [{ ...towel!, quantity: 3 }] },
      native,
    )
    expect(fewer).toMatchObject({
      discount_amount: '1.59',
      products: [
        { id: 65, product_id: 77, variant_id: 90, quantity: 3 },
        { id: 66, quantity: 0 },
      ],
    })
    const swapped = changeOf({ ...shown, lineItems: [engraving!, towel!] }, native)
    expect((swapped.products as { id?: number }[]).map(({ id }) => id)).toEqual([undefined, undefined, 65, 66])
  })
  it('sends both prices, which differ by the tax of one unit, and both totals', () => {
    const basis = { record: false, order: false }
    expect(toLine({ productExternalId: '77:90', quantity: 2, unitPrice: 4.5, lineTax: 0.5 }, 'USD', 0, basis)).toEqual({
      product_id: 77,
      variant_id: 90,
      quantity: 2,
      price_ex_tax: 4.5,
      price_inc_tax: 4.75,
    })
    expect(toLine({ name: 'Card', sku: 'C', quantity: 3, unitPrice: 1, lineTax: 0.01 }, 'USD', 0, basis)).toEqual({
      name: 'Card',
      sku: 'C',
      quantity: 3,
      price_ex_tax: 1,
      price_inc_tax: 1.0033,
    })
    const lines = [
      { quantity: 1, lineDiscount: 0.1, lineTax: 0.1 },
      { quantity: 1, lineDiscount: 0.2, lineTax: 0.2 },
    ]
    const record = { externalId: 'X', total: 9.5, lineItems: lines }
    expect(toTotals(record, 'USD')).toEqual({ total_inc_tax: '9.50', total_ex_tax: '9.20' })
    expect(discountIn(record, basis)).toBe(3000)
  })
  it('needs a billing address from the customer or the setting', async () => {
    const record = { externalId: 'X', lineItems: [{ name: 'Card', quantity: 1, unitPrice: 1 }] }
    const settings = { ...account.settings, billingPostalCode: '78701' }
    const pointers = (view: typeof account) =>
      targetViolations(record, order.create!, view).map(({ pointer }) => pointer)
    expect([pointers(account), pointers({ ...account, settings })]).toEqual([['/customerExternalId'], []])
    const { call } = fakeCall({
      ...catalog,
      'GET /v3/customers': () => ({ data: [{ id: 7, first_name: 'A', last_name: 'B', addresses: [] }] }),
    })
    await expect(order.create!.run(call, { ...record, customerExternalId: '7' })).rejects.toMatchObject({
      error: { fields: [{ native: 'customer_id' }] },
    })
  })
  it('ends a list with a 204 or an empty page', async () => {
    const { call, sent } = fakeCall({ 'GET /v2/orders': () => null })
    expect(await order.list.page(call, { size: 50, updatedAfter: '2026-11-10T11:59:59.999Z' }, 101)).toEqual({
      rows: [],
      next: undefined,
    })
    expect(sent[0]!.query).toMatchObject({ min_id: 101, min_date_modified: '2026-11-10T11:59:59Z' })
  })
})

describe('the wire', () => {
  it('has whole seconds, in filters too', () => {
    expect(since('2026-11-10T11:59:59.999Z')).toBe('2026-11-10T11:59:59Z')
    expect(modifiedAt('Tue, 10 Nov 2026 12:00:00 +0000')).toBe('2026-11-10T12:00:00.000Z')
    expect(customer.list.modifiedAt!({ id: 1, date_modified: '2026-11-10T12:00:00' })).toBe('2026-11-10T12:00:00.000Z')
  })
  it('has two error formats', () => {
    const v3 = {
      status: 422,
      title: 'Create customers failed.',
      errors: { '0.email': 'Invalid email', '0.addresses.0.city': 'missing' },
    }
    expect(readError({ status: 422, headers: {}, body: v3 })).toMatchObject({
      kind: 'invalid',
      fields: [{ native: 'email' }, { native: 'addresses.0.city' }],
    })
    const v2 = [
      { status: 400, message: "The field 'customer_id' is invalid.", details: { invalid_reason: 'No such customer.' } },
    ]
    expect(readError({ status: 400, headers: {}, body: v2 })).toMatchObject({
      kind: 'invalid',
      message: "The field 'customer_id' is invalid.",
      fields: [{ native: 'customer_id', message: 'No such customer.' }],
    })
    expect(readError({ status: 409, headers: {}, body: { title: 'The product name is a duplicate' } })?.kind).toBe(
      'duplicate',
    )
    expect(readError({ status: 401, headers: {}, body: {} })?.kind).toBe('reconnect')
    expect(readError({ status: 200, headers: {}, body: {} })).toBeUndefined()
  })
  it('includes responses of gateways, which say nothing about a write', () => {
    const read = (status: number, body: unknown, headers = {}) => readError({ status, headers, body })?.kind
    expect([read(404, '<h1>404</h1>'), read(400, {}), read(403, { Message: 'Request blocked' })]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([read(501, '<h1>501</h1>'), read(501, { status: 501, title: 'Not implemented' })]).toEqual([
      'unavailable',
      'invalid',
    ])
    expect([read(200, []), read(200, [], { 'x-rate-limit-requests-left': '9' })]).toEqual(['unavailable', undefined])
  })
  it('pauses the account until the window ends when no calls are left', () => {
    const headers = (left: string) => ({ 'x-rate-limit-requests-left': left, 'x-rate-limit-time-reset-ms': '12500' })
    expect(throttle({ status: 200, headers: headers('0'), body: {} })).toBe(12_500)
    expect(throttle({ status: 200, headers: headers('1'), body: {} })).toBe(0)
    expect(readError({ status: 429, headers: headers('0'), body: {} })).toMatchObject({
      kind: 'throttled',
      retryAfterMs: 12_500,
    })
    expect(readError({ status: 429, headers: {}, body: '' })).toEqual({
      kind: 'throttled',
      message: 'Too many requests',
    })
  })
})

describe('the simulated store', () => {
  const made = (size: 'small' | 'full'): Simulator =>
    createBigcommerceSimulator({
      size,
      now: Date.now,
      seededAt: Date.parse('2026-11-10T12:00:00Z'),
      state: createState(),
      origin: 'http://127.0.0.1/bigcommerce',
    })

  it('is seeded with a realistic number of records, always the same', () => {
    const { records } = made('full').tenants[0]!
    expect(records.product!.ids().length).toBeGreaterThanOrEqual(600)
    expect(records.order!.ids().length).toBeGreaterThanOrEqual(1200)
    expect(records.customer!.ids().length).toBeGreaterThanOrEqual(400)
    expect(made('full').tenants[0]!.records.product!.ids()).toEqual(records.product!.ids())
  })
  it('issues a token for the store that its owner chose, and only for the code of that redirect', async () => {
    const sandbox = await createSandbox({ simulators: { bigcommerce: createBigcommerceSimulator }, size: 'small' })
    const origin = sandbox.origin('bigcommerce')
    const { clientId = '', clientSecret = '' } = sandbox.simulator('bigcommerce').tenants[0]!.credentials
    const asked = new URLSearchParams({
      client_id: clientId,
      redirect_uri: 'https://app.example.com/auth',
      scope: 'store_v2_products_read_only',
      state: 's1',
      response_type: 'code',
    })
    expect(await (await fetch(`${origin}/oauth2/authorize?${asked}`)).text()).toContain('Allow for Maple Goods')
    const approved = await fetch(`${origin}/oauth2/authorize`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams([...asked, ['tenant', 'retail_pos'], ['decision', 'approve']]),
    })
    const { code, scope, context, state } = Object.fromEntries(new URL(approved.headers.get('location')!).searchParams)
    expect([scope, context, state]).toEqual(['store_v2_products_read_only', 'stores/sbx7hash01', 's1'])
    const exchange = (more: object) =>
      fetch(`${origin}/oauth2/token`, {
        method: 'POST',
        body: JSON.stringify({
          client_id: clientId,
          client_secret: clientSecret,
          grant_type: 'authorization_code',
          redirect_uri: 'https://app.example.com/auth',
          code,
          scope,
          context,
          ...more,
        }),
      })
    expect((await exchange({ context: 'stores/other' })).status).toBe(400)
    const token = (await (await exchange({})).json()) as { access_token: string; expires_in?: number; context: string }
    expect([token.context, token.expires_in]).toEqual([context, undefined])
    const read = async ({ path }: { path: string }) => ({ body: path.endsWith('/sbx7hash01/v2/store') && store })
    const store = { timezone: { name: 'America/Chicago' } }
    const installed = { ...account, settings: { context: token.context } }
    expect(await bigcommerce.discover!({ account: installed, read } as never)).toEqual({
      storeHash: 'sbx7hash01',
      timezone: 'America/Chicago',
    })
    const call = (path: string, method = 'GET') =>
      fetch(`${origin}/stores/sbx7hash01${path}`, {
        method,
        headers: { 'x-auth-token': token.access_token, accept: 'application/json' },
      })
    expect((await call('/v3/catalog/products')).headers.get('x-rate-limit-requests-left')).toMatch(/^\d+$/)
    expect([
      (await call('/v3/catalog/products', 'POST')).status,
      (await call('/v2/orders')).status,
      (await exchange({})).status,
    ]).toEqual([403, 403, 400])
    await sandbox.close()
  })
})
