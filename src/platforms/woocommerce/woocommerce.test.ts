import { createRequire } from 'node:module'
import { Value } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { modifiedAt, modifiedSince } from './api.ts'
import { woocommerce } from './connector.ts'
import { readError } from './error.ts'
import { plain, unwrapped } from './html.ts'
import { states, toLine } from './order-row.ts'
import { imageOf } from './product-row.ts'
import { createWoocommerceSimulator, readOnlyKey } from './simulator/simulator.ts'

interface Client {
  // biome-ignore lint/suspicious/noExplicitAny: any response of the platform
  get(endpoint: string, parameters?: object): Promise<{ data: any; headers: Record<string, string> }>
  // biome-ignore lint/suspicious/noExplicitAny: any response of the platform
  post(endpoint: string, data: object): Promise<{ data: any }>
  put(endpoint: string, data: object): Promise<unknown>
  delete(endpoint: string): Promise<unknown>
}
const require = createRequire(import.meta.url)
const { default: WooCommerceRestApi } = require('@woocommerce/woocommerce-rest-api') as {
  default: new (options: object) => Client
}

let harness: Harness
let witness: Client
let seeded: string[] // products
beforeAll(async () => {
  harness = await createHarness({
    connectors: { woocommerce },
    simulators: { woocommerce: createWoocommerceSimulator },
    platform: 'woocommerce',
  })
  seeded = native().product!.ids()
  const { consumerKey = '', consumerSecret = '' } = harness.tenants[0]!.credentials
  witness = new WooCommerceRestApi({
    url: harness.sandbox.origin('woocommerce'),
    consumerKey,
    consumerSecret,
    version: 'wc/v3',
  })
  // The sandbox represents a shop on https: there the client sends HTTP Basic; on plain http it would sign instead.
  Object.assign(witness, { isHttps: true })
})
afterAll(() => harness?.close())

const native = () => harness.tenants[0]!.records
const call = (method: string, path: string, body?: unknown) =>
  harness.call(method, `/unified/woocommerce-retail_pos${path}`, body, { prefer: 'wait=60' })
let counter = 0
async function made(entity: string, record: AnyRecord): Promise<AnyRecord> {
  const { status, body } = await call('POST', `/${entity}`, { externalId: `T-${++counter}`, ...record })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}
const pointers = (body: AnyRecord) => body.errors?.map(({ pointer }: { pointer: string }) => pointer)
const lastCall = (method: string) =>
  harness.sandbox
    .calls('woocommerce')
    .filter((logged) => logged.method === method)
    .at(-1)!
const product = (more: AnyRecord = {}) => made('product', { name: `Kettle ${counter}`, price: 20, ...more })
const line = (productExternalId: string, more: AnyRecord = {}) => ({
  productExternalId,
  quantity: 1,
  unitPrice: 20,
  ...more,
})

describe("the vendor's own client", () => {
  it('reads the products of the simulator, and the service returns the same', async () => {
    const { data, headers } = await witness.get('products', {
      per_page: 100,
      orderby: 'id',
      order: 'asc',
      type: 'simple',
      context: 'edit',
    })
    expect([Number(headers['x-wp-total']), headers['x-wp-totalpages']]).toEqual([data.length, '1'])
    const shown = data.filter(({ id }: { id: number }) => seeded.includes(String(id)))
    expect(shown.length).toBeGreaterThan(2)
    for (const theirs of shown) {
      const { body } = await call('GET', `/product/${theirs.id}`)
      expect(body.data).toMatchObject({
        externalId: String(theirs.id),
        price: Number(theirs.price),
        active: theirs.status === 'publish',
        categoryName: plain(theirs.categories[0].name),
      })
    }
  })
  it('reads the orders of the simulator, and the service returns the same', async () => {
    const { data } = await witness.get('orders', { per_page: 100, orderby: 'id', order: 'asc' })
    expect(data.map(({ id }: { id: number }) => String(id))).toEqual(native().order!.ids())
    for (const theirs of data) {
      const { body } = await call('GET', `/order/${theirs.id}`)
      expect(body.data).toMatchObject({
        orderNumber: theirs.number,
        taxTotal: Number(theirs.total_tax),
        currencyCode: theirs.currency,
      })
      expect(body.data.lineItems).toHaveLength(theirs.line_items.length)
      const totals = body.data.lineItems.map(({ lineTotal }: AnyRecord) => lineTotal.toFixed(2))
      expect(totals).toEqual(theirs.line_items.map(({ total }: { total: string }) => total))
    }
  })
  it('reads customers page by page, and finds the customer that the service wrote', async () => {
    const { externalId } = await made('customer', {
      name: 'Zoë Quist',
      email: 'zoe.quist@example.com',
      notes: 'Rings twice',
      address: { country: 'CA' },
    })
    const pages = [
      await witness.get('customers', { per_page: 4, role: 'all' }),
      await witness.get('customers', { per_page: 4, page: 2, role: 'all' }),
    ]
    expect(pages.map(({ data }) => data.length)).toEqual([4, 4])
    expect(pages[0]!.headers.link).toContain('rel="next"')
    const { data } = await witness.get('customers', { email: 'ZOE.QUIST@example.com' })
    expect(data).toHaveLength(1)
    expect(data[0]).toMatchObject({
      id: Number(externalId),
      first_name: 'Zoë',
      last_name: 'Quist',
      billing: { country: 'CA', email: 'zoe.quist@example.com', first_name: 'Zoë' },
    })
  })
})

describe('keys', () => {
  it('are sent in the Authorization header, never in the URL', async () => {
    await call('GET', '/product?pageSize=2')
    const calls = harness.sandbox.calls('woocommerce')
    expect(calls.length).toBeGreaterThan(0)
    for (const { path, query } of calls) expect(`${path}?${query}`).not.toMatch(/consumer_|ck_|cs_/)
  })
  it('that are read-only are rejected on a write, and stay connected', async () => {
    const { status } = await harness.manage('POST', '/accounts', {
      id: 'read-only',
      platform: 'woocommerce',
      vertical: 'retail_pos',
      credentials: readOnlyKey,
      settings: { shop: 'maple-goods.example.com' },
    })
    expect(status).toBe(201)
    const refused = await harness.call(
      'POST',
      '/unified/read-only/customer',
      { externalId: 'R-1', name: 'A B', email: 'a.b@example.com' },
      { prefer: 'wait=60' },
    )
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    expect((await harness.call('GET', '/unified/read-only/customer', undefined, { prefer: 'wait=60' })).status).toBe(
      200,
    )
  })
  it('are rejected in any language of the shop', () => {
    const kind = (message: string) =>
      readError({
        status: 401,
        headers: {},
        body: { code: 'woocommerce_rest_authentication_error', message, data: { status: 401 } },
      })?.kind
    expect([kind('Consumer key is invalid.'), kind('Consumer Secret ist ungültig.')]).toEqual([
      'reconnect',
      'reconnect',
    ])
    expect([
      kind('The API key provided does not have write permissions.'),
      kind('Der angegebene API-Schlüssel hat keine Schreibrechte.'),
    ]).toEqual(['forbidden', 'forbidden'])
  })
  it('belong to one shop, named by host and folder', () => {
    const fits = (shop: string) => Value.Check(woocommerce.settings!, { shop })
    expect(
      ['shop.example.com', 'example.com/shop', 'xn--caf-dma.example', 'shop.example.com:8443/de'].map(fits),
    ).toEqual([true, true, true, true])
    expect(
      [
        'https://shop.example.com',
        'localhost',
        '127.0.0.1',
        '10.0.0.8:80',
        'shop.example.com/../x',
        'me@shop.example.com',
        'shop.example.com/?a=b',
        'SHOP.example.com',
      ].some(fits),
    ).toBe(false)
  })
})

describe('errors', () => {
  const read = (status: number, code: string, data: object = {}) =>
    readError({ status, headers: {}, body: { code, message: 'No.', data: { status, ...data } } })
  it('distinguish an unknown id from a wrong value, although an update returns 400 for both', () => {
    expect([
      read(400, 'woocommerce_rest_shop_order_invalid_id')?.kind,
      read(404, 'woocommerce_rest_product_invalid_id')?.kind,
      read(404, 'rest_no_route')?.kind,
    ]).toEqual(['not_found', 'not_found', 'not_found'])
    expect([read(400, 'product_invalid_sku')?.kind, read(400, 'woocommerce_rest_invalid_customer_id')?.kind]).toEqual([
      'duplicate',
      'invalid',
    ])
  })
  it('contain the path of a wrong value inside a line', () => {
    const params = { params: { line_items: 'line_items[2][quantity] is not of type integer.' } }
    expect(read(400, 'rest_invalid_param', params)?.fields).toEqual([
      { native: 'line_items[2][quantity]', message: params.params.line_items },
    ])
    expect(read(400, 'rest_missing_callback_param', { params: ['email'] })?.fields).toEqual([
      { native: 'email', message: 'is missing' },
    ])
  })
  it('of the host are HTML pages', () => {
    expect(readError({ status: 429, headers: { 'retry-after': '3' }, body: '<h1>429 Too Many Requests</h1>' })).toEqual(
      {
        kind: 'throttled',
        message: '429 Too Many Requests',
        retryAfterMs: 3000,
      },
    )
  })
  it('of a gateway say nothing about a write', () => {
    const foreign = [
      { status: 403, body: '<h1>Blocked</h1>' },
      { status: 404, body: { code: 'no_route', message: 'Not here' } },
      { status: 400, body: null },
    ]
    expect(foreign.map((response) => readError({ headers: {}, ...response }))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
  it('include an empty list without the headers of WordPress', () => {
    const empty = (headers: Record<string, string>) => readError({ status: 200, headers, body: [] })?.kind
    expect(empty({})).toBe('unavailable')
    expect(empty({ 'x-wp-total': '0' })).toBeUndefined()
    expect(empty({ link: '<https://shop.example.com/wp-json/>; rel="https://api.w.org/"' })).toBeUndefined()
  })
  it('end a walk and a lookup if a gateway returns an empty list', async () => {
    for (const entity of ['product', 'order', 'customer']) {
      harness.sandbox.fault('woocommerce', { kind: 'foreign_before', body: [] })
      const { status, body } = await call('GET', `/${entity}`)
      harness.sandbox.clearFaults('woocommerce')
      expect([entity, status, body.code]).toEqual([entity, 502, 'downstream_error'])
    }
    const before = native().product!.ids()
    const record = { externalId: `T-${++counter}`, name: 'Lamp', price: 3 }
    harness.sandbox.fault('woocommerce', { kind: 'reset_after', method: 'POST', times: 1 })
    harness.sandbox.fault('woocommerce', { kind: 'foreign_before', method: 'GET', path: '/products', body: [] })
    expect((await call('POST', '/product', record)).status).toBe(502)
    harness.sandbox.clearFaults('woocommerce')
    const { body } = await call('POST', '/product', record)
    expect(native().product!.ids()).toEqual([...before, body.data.externalId])
  })
})

describe('times', () => {
  it('are requested without a zone, from the second of the instant on', () => {
    for (const instant of ['2026-11-10T12:00:04.999Z', '2026-11-10T12:00:05.000Z'])
      expect(modifiedSince(instant)).toEqual({ modified_after: '2026-11-10T12:00:04', dates_are_gmt: true })
    expect(modifiedAt('2026-11-10T12:00:05', null)).toBe('2026-11-10T12:00:05.000Z')
  })
  it("are UTC, not the shop's wall clock", async () => {
    const [id] = native().order!.ids()
    const { data } = await witness.get(`orders/${id}`)
    expect(data.date_created).not.toBe(data.date_created_gmt)
    expect((await call('GET', `/order/${id}`)).body.data.processedAt).toBe(
      `${data.date_paid_gmt ?? data.date_created_gmt}.000Z`,
    )
  })
  it('of a paid order do not move when another field is updated', async () => {
    const { data: orders } = await witness.get('orders', { status: 'processing,completed', per_page: 100 })
    const undated = orders.filter((order: { date_paid_gmt: string | null }) => order.date_paid_gmt === null)
    const { id } = undated[0]
    const { data: before } = (await call('GET', `/order/${id}`)).body
    const put = await call('PUT', `/order/${id}`, { ...before, note: 'Ring twice' })
    expect([put.status, put.body.data], JSON.stringify(put.body)).toEqual([200, { ...before, note: 'Ring twice' }])
    expect((await witness.get(`orders/${id}`)).data.date_paid_gmt, 'WooCommerce dates it').not.toBeNull()
    expect((await call('GET', `/order/${id}`)).body.data.processedAt).toBe(before.processedAt)
  })
  it('with a zone would shift the window by the offset of the shop', async () => {
    const { data } = await witness.post('products', { name: 'Lamp' })
    const before = new Date(Date.parse(`${data.date_modified_gmt}Z`) - 3_600_000).toISOString()
    const after = new Date(Date.parse(`${data.date_modified_gmt}Z`) + 3_600_000).toISOString()
    const ids = async (modified_after: string) =>
      (await witness.get('products', { modified_after, dates_are_gmt: true, per_page: 100 })).data.map(
        ({ id }: { id: number }) => id,
      )
    expect(await ids(before.slice(0, 19))).toContain(data.id)
    expect(await ids(after.slice(0, 19))).not.toContain(data.id)
    expect(await ids(after)).toContain(data.id)
  })
})

describe('products', () => {
  const variable = async () => {
    const { data: parent } = await witness.post('products', {
      name: 'Tea & Milk',
      type: 'variable',
      attributes: [{ name: 'Size', variation: true, options: ['S', 'L'] }],
    })
    const variation = async (option: string) =>
      (
        await witness.post(`products/${parent.id}/variations`, {
          regular_price: '5.00',
          description: `Say "${option}"`,
          attributes: [{ name: 'Size', option }],
        })
      ).data
    return { parent, small: await variation('S'), large: await variation('L') }
  }
  it('with variations are one product for each variation, with its own id', async () => {
    const { parent, small } = await variable()
    expect((await call('GET', `/product/${parent.id}`)).status).toBe(404)
    const { body } = await call('GET', `/product/${small.id}`)
    expect(body.data).toMatchObject({
      externalId: String(small.id),
      name: 'Tea & Milk - S',
      price: 5,
      description: 'Say “S”',
    })
    const put = await call('PUT', `/product/${small.id}`, {
      ...body.data,
      price: 6.5,
      sku: `S-${small.id}`,
      stockOnHand: 4,
    })
    expect(put.body.data).toMatchObject({ price: 6.5, sku: `S-${small.id}`, stockOnHand: 4, description: 'Say “S”' })
    expect(lastCall('PUT').body).toEqual({
      regular_price: '6.50',
      sku: `S-${small.id}`,
      manage_stock: true,
      stock_quantity: 4,
    })
    const renamed = await call('PUT', `/product/${small.id}`, { ...put.body.data, name: 'Coffee' })
    expect([renamed.status, pointers(renamed.body)]).toEqual([422, ['/name']])
  })
  it('include a changed variation even if its product did not change', async () => {
    const { large, small } = await variable()
    harness.time.nextSecond()
    const since = new Date(harness.time.now()).toISOString()
    harness.time.nextSecond()
    native().product!.touch(String(large.id))
    const ids = (await call('GET', `/product?pageSize=100&updatedAfter=${since}`)).body.data.map(
      ({ externalId }: AnyRecord) => externalId,
    )
    expect(ids).toEqual([String(large.id)])
    expect(ids).not.toContain(String(small.id))
  })
  it('retain a sale that a write does not change', async () => {
    const { data } = await witness.post('products', { name: 'Vase', regular_price: '30.00', sale_price: '24.00' })
    const { body } = await call('GET', `/product/${data.id}`)
    expect(body.data.price).toBe(24)
    await call('PUT', `/product/${data.id}`, { ...body.data, name: 'Tall vase' })
    expect(lastCall('PUT').body).toEqual({ name: 'Tall vase' })
    expect((await witness.get(`products/${data.id}`)).data).toMatchObject({
      regular_price: '30.00',
      sale_price: '24.00',
      price: '24.00',
    })
  })
  it('change the sale price in a sale, and end the sale with the regular price or more', async () => {
    const { data } = await witness.post('products', { name: 'Bowl', regular_price: '30.00', sale_price: '24.00' })
    const native = async () => {
      const { regular_price, sale_price, price } = (await witness.get(`products/${data.id}`)).data
      return [regular_price, sale_price, price]
    }
    for (const [price, stored] of [
      [22.5, ['30.00', '22.50', '22.50']],
      [30, ['30.00', '', '30.00']],
      [35, ['35.00', '', '35.00']],
    ] as const) {
      const { status, body } = await call('PUT', `/product/${data.id}`, {
        ...(await call('GET', `/product/${data.id}`)).body.data,
        price,
      })
      expect([status, body.data.price, body.warnings]).toEqual([200, price, undefined])
      expect(await native()).toEqual(stored)
    }
  })
  it('are returned as plain text, although WordPress stores HTML', async () => {
    const { externalId, name, tags } = await product({
      name: 'Salt & Pepper',
      tags: ['a & b'],
      description: 'Black & white',
    })
    expect([name, tags]).toEqual(['Salt & Pepper', ['a & b']])
    expect((await witness.get(`products/${externalId}`, { context: 'edit' })).data).toMatchObject({
      name: 'Salt &amp; Pepper',
      description: 'Black &amp; white',
    })
    expect([
      plain('<b>A &amp; B</b>'),
      plain('5 &#8211; 6 &unknown;'),
      unwrapped('<p>One</p>\n'),
      unwrapped('<p>One</p><p>Two</p>'),
    ]).toEqual(['<b>A &amp; B</b>', '5 – 6 &unknown;', 'One', '<p>One</p><p>Two</p>'])
  })
  it('retain the URL of an image that the shop copied, until it is replaced there', async () => {
    const imageUrl = 'https://images.example.com/pots/blue-pot.png'
    const created = await product({ imageUrl })
    expect(created.imageUrl).toBe(imageUrl)
    const { data } = await witness.get(`products/${created.externalId}`)
    expect(data.images[0].src).toContain('https://maple-goods.example.com/wp-content/uploads/')
    expect(
      imageOf({ product: { id: 1, images: [{ src: 'https://s.example/other.png' }], meta_data: data.meta_data } }),
    ).toBe('https://s.example/other.png')
    const refused = await call('POST', '/product', {
      externalId: 'NO-IMAGE',
      name: 'Pot',
      imageUrl: 'https://images.invalid/pot.png',
      categoryName: 'Pots',
    })
    expect([refused.status, pointers(refused.body)]).toEqual([422, ['/imageUrl']])
    expect(
      (await call('POST', '/product', { externalId: 'NO-IMAGE', name: 'Pot', categoryName: 'pots' })).body.data
        .categoryName,
    ).toBe('Pots')
  })
  it('report an unknown category, a taken sku and another currency', async () => {
    const taken = await product({ sku: 'TAKEN-1' })
    const attempt = async (more: AnyRecord) =>
      pointers((await call('POST', '/product', { externalId: `X-${++counter}`, name: 'Pan', ...more })).body)
    expect(await attempt({ categoryExternalId: '99999' })).toEqual(['/categoryExternalId'])
    expect(await attempt({ sku: taken.sku })).toEqual(['/sku'])
    expect(await attempt({ currencyCode: 'EUR', price: 1 })).toEqual(['/currencyCode'])
    expect(await attempt({ barcode: 'ABC' })).toEqual(['/barcode'])
  })
  it('without a sku are found by their mark after a lost response', async () => {
    const before = native().product!.ids()
    harness.sandbox.fault('woocommerce', { kind: 'reset_after', method: 'POST', times: 1 })
    const { externalId } = await product()
    expect(native().product!.ids()).toEqual([...before, externalId])
  })
})

describe('orders', () => {
  it('have lines of deleted products, which have no sku any more', async () => {
    const sold = (await witness.post('products', { name: 'Lamp', sku: 'LAMP-1', regular_price: '9.00' })).data
    const { data } = await witness.post('orders', { line_items: [{ product_id: sold.id, quantity: 2 }] })
    const line = async () => (await call('GET', `/order/${data.id}`)).body.data.lineItems[0]
    expect(await line()).toMatchObject({ productExternalId: String(sold.id), sku: 'LAMP-1', quantity: 2 })
    await witness.delete(`products/${sold.id}?force=true`)
    expect((await witness.get(`orders/${data.id}`)).data.line_items[0].sku).toBeNull()
    const { sku, ...rest } = await line()
    expect([sku, rest]).toEqual([undefined, expect.objectContaining({ name: 'Lamp', quantity: 2, unitPrice: 9 })])
  })
  it('map every state in both directions, and omit unknown ones', () => {
    const warned: string[] = []
    const mapping = { warn: (_: string, message: string) => void warned.push(message) }
    const natives = [
      'processing',
      'completed',
      'cancelled',
      'pending',
      'on-hold',
      'checkout-draft',
      'failed',
      'refunded',
      'partial',
    ]
    expect(natives.map((status) => states.read(status, mapping))).toEqual([
      'OPEN',
      'COMPLETED',
      'CANCELED',
      'PENDING',
      'PENDING',
      'PENDING',
      'CANCELED',
      'COMPLETED',
      undefined,
    ])
    expect(warned).toHaveLength(1)
    expect((['OPEN', 'COMPLETED', 'CANCELED', 'PENDING'] as const).map(states.write)).toEqual([
      'processing',
      'completed',
      'cancelled',
      'pending',
    ])
  })
  it('split a line into price and discount, in cents', () => {
    const native = {
      id: 1,
      quantity: 3,
      subtotal: '10.00',
      total: '9.10',
      total_tax: '1.18',
      sku: null,
      product_id: 5,
      variation_id: 9,
    }
    expect(toLine(native, 'CAD')).toMatchObject({
      productExternalId: '9',
      unitPrice: 3.33,
      lineDiscount: 0.9,
      lineTax: 1.18,
      sku: undefined,
    })
  })
  it('never contain a product that the shop would silently drop', async () => {
    const silent = await witness.post('orders', { line_items: [{ product_id: 88_888_888, quantity: 1 }] })
    expect(silent.data.line_items[0]).toMatchObject({ product_id: 0, total: '0.00' })
    const before = native().order!.ids()
    const attempt = async (lineItem: AnyRecord) =>
      pointers((await call('POST', '/order', { externalId: `X-${++counter}`, lineItems: [lineItem] })).body)
    expect(await attempt(line('88888888'))).toEqual(['/lineItems/0/productExternalId'])
    expect(await attempt({ sku: 'NO-SUCH-SKU', quantity: 1 })).toEqual(['/lineItems/0/sku'])
    expect(await attempt({ name: 'Only a name', quantity: 1 })).toEqual(['/lineItems/0/productExternalId'])
    expect(await attempt(line('1', { quantity: 1.5, lineDiscount: 99 }))).toEqual([
      '/lineItems/0/quantity',
      '/lineItems/0/lineDiscount',
    ])
    expect(native().order!.ids()).toEqual(before)
  })
  it('accept a line by its sku, even with a comma in it', async () => {
    const { sku, externalId } = await product({ sku: 'A,B' })
    const order = await made('order', { lineItems: [{ sku, quantity: 2 }] })
    expect(order.lineItems[0]).toMatchObject({ productExternalId: externalId, quantity: 2, unitPrice: 20 })
  })
  it('stay on hold if a write changes only the note, and taxes do not change', async () => {
    const { externalId } = await product()
    const order = await made('order', { state: 'PENDING', lineItems: [line(externalId, { lineDiscount: 5 })] })
    await witness.put(`orders/${order.externalId}`, { status: 'on-hold' })
    const put = await call('PUT', `/order/${order.externalId}`, { ...order, note: 'Gift' })
    expect(lastCall('PUT').body).toEqual({ customer_note: 'Gift' })
    expect(put.body.data).toMatchObject({ state: 'PENDING', note: 'Gift', total: 16.95, taxTotal: 1.95 })
    expect((await witness.get(`orders/${order.externalId}`)).data.status).toBe('on-hold')
  })
  it('get a new line and lose an omitted line once, even if the response is lost', async () => {
    const first = await product()
    const second = await product()
    const order = await made('order', { state: 'OPEN', lineItems: [line(first.externalId), line(second.externalId)] })
    harness.sandbox.fault('woocommerce', { kind: 'reset_after', method: 'PUT', times: 1 })
    const added = await call('PUT', `/order/${order.externalId}`, {
      ...order,
      lineItems: [...order.lineItems, line(first.externalId, { name: 'Extra' })],
    })
    expect([added.status, added.body.data.lineItems.length, added.body.data.lineItems[2].name]).toEqual([
      200,
      3,
      'Extra',
    ])
    harness.sandbox.fault('woocommerce', { kind: 'reset_after', method: 'PUT', times: 1 })
    const shorter = await call('PUT', `/order/${order.externalId}`, {
      ...added.body.data,
      lineItems: [{ ...added.body.data.lineItems[0], quantity: 4 }],
    })
    expect(shorter.body.data.lineItems).toHaveLength(1)
    expect(shorter.body.data.lineItems[0]).toMatchObject({ quantity: 4, unitPrice: 20 })
  })
  it('in the trash are not found, although the shop still returns them', async () => {
    const { externalId } = await product()
    const order = await made('order', { lineItems: [line(externalId)] })
    await witness.delete(`orders/${order.externalId}`)
    expect((await witness.get(`orders/${order.externalId}`)).data.status).toBe('trash')
    expect((await call('GET', `/order/${order.externalId}`)).status).toBe(404)
  })
})

describe('customers', () => {
  it('need a unique email', async () => {
    const missing = await call('POST', '/customer', { externalId: 'C-1', name: 'Ada' })
    expect([missing.status, pointers(missing.body)]).toEqual([422, ['/email']])
    await made('customer', { name: 'Ada', email: 'ada.taken@example.com' })
    const taken = await call('POST', '/customer', { externalId: 'C-2', name: 'Ada', email: 'Ada.Taken@example.com' })
    expect([taken.status, pointers(taken.body)]).toEqual([422, ['/email']])
  })
  it('retain a billing name that differs from the account name', async () => {
    const { data } = await witness.post('customers', {
      email: 'two.names@example.com',
      first_name: 'Kim',
      last_name: 'Lee',
      billing: { first_name: 'Kim', last_name: 'Lee-Park' },
    })
    const { body } = await call('GET', `/customer/${data.id}`)
    await call('PUT', `/customer/${data.id}`, { ...body.data, name: 'Jo Ray', firstName: 'Jo', lastName: 'Ray' })
    expect((await witness.get(`customers/${data.id}`)).data).toMatchObject({
      first_name: 'Jo',
      last_name: 'Ray',
      billing: { first_name: 'Jo', last_name: 'Lee-Park' },
    })
  })
})
