import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../../conformance/harness.ts'
import { type AnyRecord, createSubject } from '../../../conformance/subject.ts'
import { createState } from '../../../sandbox/collection.ts'
import { createSandbox, type Sandbox } from '../../../sandbox/sandbox.ts'
import { lightspeedX } from '../connector.ts'
import { createLightspeedXSimulator } from './simulator.ts'

describe('a full shop', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await createHarness({
      connectors: { 'lightspeed-x': lightspeedX },
      simulators: { 'lightspeed-x': createLightspeedXSimulator },
      platform: 'lightspeed-x',
      size: 'full',
    })
  })
  afterAll(() => harness?.close())

  it.each([
    ['product', 600],
    ['order', 1200],
    ['customer', 400],
  ] as const)('walks over every %s, without deleted ones', async (entityType, least) => {
    const subject = createSubject(harness, 'retail_pos', entityType)
    const records = await subject.walk(200)
    expect(records.map(({ externalId }) => externalId).toSorted()).toEqual(subject.native.ids().toSorted())
    expect(records.length).toBeGreaterThanOrEqual(least)
    const calls = harness.sandbox.calls('lightspeed-x').length
    expect(calls, 'second calls are made for a page, not for a record').toBeLessThan(60)
    harness.sandbox.clearCalls('lightspeed-x')
  })
  it('has products for the lines of a sale, even if they are deleted', async () => {
    const subject = createSubject(harness, 'retail_pos', 'order')
    const { body } = await subject.list('?pageSize=200')
    const lines = body.data.flatMap(({ lineItems }: { lineItems: object[] }) => lineItems)
    expect(lines.length).toBeGreaterThan(200)
    for (const line of lines) expect(line).toMatchObject({ name: expect.any(String), sku: expect.any(String) })
    const gone = new Set(
      lines
        .map((line: AnyRecord) => line.productExternalId)
        .filter((id: string) => !subject.harness.tenants[0]!.records.product!.ids().includes(id)),
    )
    const sale = body.data.find(({ lineItems }: AnyRecord) =>
      lineItems.some((line: AnyRecord) => gone.has(line.productExternalId)),
    )
    const single = await harness.call('GET', `${subject.path}/${sale.externalId}`, undefined, { prefer: 'wait=60' })
    expect(single.body.data).toEqual(sale)
  })
})

describe('the simulator', () => {
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await createSandbox({
      simulators: { 'lightspeed-x': createLightspeedXSimulator },
      size: 'small',
      strict: false,
    })
  })
  afterAll(() => sandbox?.close())
  const origin = () => sandbox.origin('lightspeed-x')
  const client = { client_id: 'sandbox-lightspeed-x-client', client_secret: 'sandbox-lightspeed-x-not-a-real-secret' }
  async function call(
    method: string,
    path: string,
    body?: unknown,
    token = sandbox.simulator('lightspeed-x').tenants[0]!.credentials.accessToken,
  ) {
    const response = await fetch(`${origin()}/api/2026-07${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, headers: response.headers, body: (await response.json()) as AnyRecord }
  }
  const token = async (fields: Record<string, string>): Promise<AnyRecord> =>
    (
      await fetch(`${origin()}/api/1.0/token`, { method: 'POST', body: new URLSearchParams({ ...client, ...fields }) })
    ).json() as Promise<AnyRecord>

  it('returns no versions after the last one', async () => {
    const { body, headers } = await call('GET', '/customers?page_size=1000')
    expect([body.version.min, body.version.max]).toEqual([body.data[0].version, body.data.at(-1).version])
    expect((await call('GET', `/customers?after=${body.version.max}`)).body).toEqual({
      data: [],
      version: { min: null, max: null },
    })
    expect(headers.get('x-ratelimit-limit')).toBe('650')
  })
  it('gives a changed or deleted row the next version', async () => {
    const { records } = sandbox.simulator('lightspeed-x').tenants[0]!
    const [first = '', second = ''] = records.order!.ids()
    const newest = (await call('GET', '/sales?page_size=1000')).body.version.max
    records.order!.touch(first)
    records.order!.remove!(second)
    const { data } = (await call('GET', `/sales?after=${newest}`)).body
    expect(
      data.map(({ id, deleted_at }: { id: string; deleted_at: string | null }) => [id, deleted_at !== null]),
    ).toEqual([
      [first, false],
      [second, true],
    ])
  })
  it('returns stock as bare arrays, the newest first unless asked otherwise, and no longer as before', async () => {
    const list = async (body: object): Promise<AnyRecord[]> => (await call('POST', '/inventory', body)).body as never
    const versions = (rows: AnyRecord[]) => rows.map(({ version }) => version)
    const [oldest, ...later] = await list({ sort_direction: 'asc' })
    expect(oldest).toMatchObject({ current_inventory_level: expect.any(Number), outlet_id: expect.any(String) })
    expect(versions(await list({}))).toEqual(versions([oldest!, ...later]).toReversed())
    expect(versions(await list({ sort_direction: 'asc', after: oldest!.version, size: 2 }))).toEqual(
      versions(later.slice(0, 2)),
    )
    const one = (await call('GET', `/inventory/${oldest!.product_id}`)).body
    expect(one).toEqual([oldest, ...later].filter((row) => row!.product_id === oldest!.product_id))
    expect([
      (await call('POST', '/inventory', { size: 5001 })).status,
      (await call('GET', '/inventory')).status,
      (await call('GET', `/products/${oldest!.product_id}/inventory`)).status,
    ]).toEqual([400, 405, 404])
  })
  it('enforces the rules of sales: a closed sale can only be voided, and omitted lines are dropped', async () => {
    const { tenants } = sandbox.simulator('lightspeed-x')
    const [product] = tenants[0]!.records.product!.ids()
    const { data: users } = (await call('GET', '/users')).body
    const { data: taxes } = (await call('GET', '/taxes')).body
    const line = {
      product: { id: product },
      quantity: 2,
      pricing: { price: '10', discount: 1 },
      tax: { id: taxes[1].id, amount: 1.5 },
    }
    const sale = { state: 'parked', source: { author_id: users[0].id }, line_items: [line, line] }
    const made = (await call('POST', '/sales', sale)).body.data
    expect(made.totals).toMatchObject({ price: 40, tax: 6, price_incl_tax: 46 })
    const put = async (changes: object) => call('PUT', `/sales/${made.id}`, { ...sale, ...changes })
    const closed = await put({ state: 'closed', line_items: [{ ...line, id: made.line_items[0].id }] })
    expect(closed.body.data.line_items.map(({ id }: { id: string }) => id)).toEqual([made.line_items[0].id])
    expect([
      (await put({ state: 'parked' })).status,
      (await put({ state: 'voided' })).status,
      (await put({ state: 'closed' })).status,
    ]).toEqual([422, 200, 422])
    expect((await call('POST', '/sales', { ...sale, source: {} })).body.errors.fields).toEqual({
      'source.author_id': ['author_id is not valid'],
    })
  })
  it('voids other returns that were begun, and takes back only what was sold', async () => {
    const { data } = (await call('GET', '/sales?page_size=1000')).body
    const sold = data.find(
      (sale: AnyRecord) =>
        sale.state === 'closed' && !sale.return.is_return && sale.return.return_sale_ids.length === 0,
    )
    const begin = async () => (await call('POST', `/sales/${sold.id}/actions/return`)).body.data
    const [first, second] = [await begin(), await begin()]
    const states = async () =>
      Promise.all([first, second].map(async ({ id }) => (await call('GET', `/sales/${id}`)).body.data.state))
    expect(await states()).toEqual(['voided', 'parked'])
    const [line] = second.line_items
    const other = data
      .flatMap(({ line_items }: AnyRecord) => line_items)
      .find(({ product }: AnyRecord) => sold.line_items.every((own: AnyRecord) => own.product.id !== product.id))
    const close = (product: object) =>
      call('PUT', `/sales/${second.id}`, {
        state: 'closed',
        source: { author_id: second.source.author.id },
        line_items: [{ ...line, product }],
      })
    expect([(await close(other.product)).status, (await close(line.product)).status]).toEqual([422, 200])
    expect((await call('GET', `/sales/${sold.id}`)).body.data.return.return_sale_ids).toEqual([first.id, second.id])
  })
  it('accepts only one price, unique codes and leaf categories', async () => {
    const { body } = await call('GET', '/products?page_size=1')
    const { data } = (await call('GET', '/product_categories')).body
    const root = data.categories.find(({ leaf_category }: { leaf_category: boolean }) => !leaf_category)
    const fields = async (product: object) =>
      Object.keys((await call('POST', '/products', { name: 'Tea', ...product })).body.errors.fields)
    expect(await fields({ price_including_tax: 1, price_excluding_tax: 1 })).toEqual(['price_including_tax'])
    expect(await fields({ price_excluding_tax: 1 })).toEqual(['price_excluding_tax'])
    expect(await fields({ sku: body.data[0].sku })).toEqual(['sku'])
    expect(await fields({ product_category_id: root.id })).toEqual(['product_category_id'])
  })
  it('masks card numbers, and validates postal codes', async () => {
    const { body } = await call('POST', '/customers', {
      first_name: 'Ada',
      last_name: null,
      note: 'Card 4111 1111 1111 1111',
      phone: '4111111111111111',
    })
    expect(body.data).toMatchObject({ note: 'Card *******************', phone: '4111111111111111' })
    expect(
      (
        await call('POST', '/customers', {
          first_name: 'Ada',
          last_name: null,
          physical_country_id: 'NZ',
          physical_postcode: '94103',
        })
      ).body.errors.fields,
    ).toHaveProperty('physical_postcode')
  })
  it('has the shop in its redirect, exchanges the code once, and invalidates old tokens on a renewal', async () => {
    const redirectUri = 'https://caller.example.com/back'
    const consent = {
      ...client,
      response_type: 'code',
      redirect_uri: redirectUri,
      state: 's1',
      scope: 'customers:read',
      tenant: 'retail_pos',
      decision: 'approve',
    }
    expect((await fetch(`${origin()}/connect?${new URLSearchParams({ ...consent })}`)).status).toBe(200)
    const back = await fetch(`${origin()}/connect`, {
      method: 'POST',
      body: new URLSearchParams(consent),
      redirect: 'manual',
    })
    const { searchParams } = new URL(back.headers.get('location')!)
    expect([searchParams.get('domain_prefix'), searchParams.get('state')]).toEqual(['maplegoods', 's1'])
    const exchange = { grant_type: 'authorization_code', code: searchParams.get('code')!, redirect_uri: redirectUri }
    const first = await token(exchange)
    expect(first).toMatchObject({
      token_type: 'Bearer',
      expires_in: 86_400,
      domain_prefix: 'maplegoods',
      scope: 'customers:read',
    })
    expect((await token(exchange)).error).toBe('invalid_grant')
    expect([
      (await call('GET', '/customers', undefined, first.access_token)).status,
      (await call('GET', '/sales', undefined, first.access_token)).status,
    ]).toEqual([200, 403])
    const second = await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })
    expect([
      (await call('GET', '/customers', undefined, first.access_token)).status,
      (await call('GET', '/customers', undefined, second.access_token)).status,
    ]).toEqual([401, 200])
    expect((await token({ grant_type: 'refresh_token', refresh_token: first.refresh_token })).error).toBe(
      'invalid_grant',
    )
  })
  it('throttles with a date in Retry-After', () => {
    const now = Date.UTC(2026, 10, 10, 12)
    const simulator = createLightspeedXSimulator({
      size: 'small',
      now: () => now,
      seededAt: now,
      state: createState(),
      origin: 'http://localhost',
    })
    expect(simulator.throttled(5)).toEqual({
      status: 429,
      headers: { 'retry-after': 'Tue, 10 Nov 2026 12:00:05 GMT' },
      body: { error: 'Too Many Requests', message: 'Rate limiting enforced' },
    })
  })
})
