// Tests through the whole service: variants that share a product, stock at several locations, states that only some
// calls reach.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness, type Reply } from '../../conformance/harness.ts'
import type { Connector } from '../../contract/connector.ts'
import type { CreateSimulator } from '../../sandbox/simulator.ts'
import { shopify } from './connector.ts'
import { createShopifySimulator, shopifySimulatorOn } from './simulator/simulator.ts'

const start = (
  simulator: CreateSimulator = createShopifySimulator,
  size: 'small' | 'full' = 'small',
  connector: Connector = shopify,
) =>
  createHarness({ connectors: { shopify: connector }, simulators: { shopify: simulator }, platform: 'shopify', size })
let harness: Harness
beforeAll(async () => {
  harness = await start()
})
afterAll(() => harness.close())

const unified = (method: string, path: string, body?: unknown, on = harness): Promise<Reply> =>
  on.call(method, `/unified/${on.accountId('retail_pos')}${path}`, body, { prefer: 'wait=60' })
async function ok(reply: Promise<Reply>) {
  const { status, body } = await reply
  expect(status, JSON.stringify(body)).toBeLessThan(300)
  return body.data
}
const pointers = ({ body }: Reply) => body.errors?.map(({ pointer }: { pointer: string }) => pointer)
/** Calls the shop directly, as another client. */
async function admin(query: string, variables: object = {}) {
  const { accessToken } = harness.tenants[0]!.credentials
  const answer = await harness.sandbox.simulator('shopify').handle({
    method: 'POST',
    path: '/admin/api/2026-07/graphql.json',
    query: new URLSearchParams(),
    headers: { 'x-shopify-access-token': accessToken! },
    body: JSON.stringify({ query, variables }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the response has the shape of the query
  const body = answer.body as any
  expect(body.errors).toBeUndefined()
  return body.data
}
let serial = 0
const key = () => `S-${++serial}`

/** Creates a product with `count` variants in the shop; returns the numbers of its variants. */
async function productOf(count: number): Promise<string[]> {
  const values = Array.from({ length: count }, (_, n) => ({ name: `Size ${n}` }))
  const handle = `tee-${key().toLowerCase()}`
  const input = {
    handle,
    title: 'Tee',
    tags: ['b', 'a'],
    productOptions: [{ name: 'Size', values }],
    variants: values.map(({ name }) => ({
      optionValues: [{ optionName: 'Size', name }],
      price: '10.00',
      inventoryItem: { tracked: true },
    })),
  }
  const query =
    'mutation Set($handle: String!, $input: ProductSetInput!) { productSet(identifier: { handle: $handle }, input: $input) { product { variants(first: 250) { nodes { legacyResourceId } } } } }'
  return (await admin(query, { handle, input })).productSet.product.variants.nodes.map(
    ({ legacyResourceId }: { legacyResourceId: string }) => legacyResourceId,
  )
}

describe('a variant', () => {
  it('is changed alone, except for what its product shares', async () => {
    const [first, second] = await productOf(2)
    const before = await ok(unified('GET', `/product/${second}`))
    const changed = await ok(
      unified('PUT', `/product/${first}`, {
        ...(await ok(unified('GET', `/product/${first}`))),
        name: 'Shirt - Size 0',
        price: 12.5,
        sku: 'ONE',
      }),
    )
    expect(changed).toMatchObject({ name: 'Shirt - Size 0', price: 12.5, sku: 'ONE', tags: ['a', 'b'] })
    expect(await ok(unified('GET', `/product/${second}`))).toEqual({ ...before, name: 'Shirt - Size 1' })
    const renamed = await unified('PUT', `/product/${first}`, { ...changed, name: 'Shirt - Huge' })
    expect([renamed.status, pointers(renamed)]).toEqual([422, ['/name']])
  })
  it('is returned with all its siblings, archived or not, when their product changes', async () => {
    const ids = await productOf(120)
    const since = new Date(harness.time.now() - 1000).toISOString()
    await admin(
      'mutation Archive($product: ProductUpdateInput!) { productUpdate(product: $product) { userErrors { message } } }',
      {
        product: {
          id: (await admin(`{ productVariant(id: "gid://shopify/ProductVariant/${ids[0]}") { product { id } } }`))
            .productVariant.product.id,
          status: 'ARCHIVED',
        },
      },
    )
    const found = new Map<string, boolean>()
    for (let query = `?pageSize=50&updatedAfter=${since}`; ; ) {
      const { body } = await unified('GET', `/product${query}`)
      for (const { externalId, active } of body.data) found.set(externalId, active)
      if (!body.pagination.cursor) break
      query = `?cursor=${body.pagination.cursor}`
    }
    expect(ids.map((id) => found.get(id))).toEqual(ids.map(() => false))
  })
  it('has the requested stock over all locations, even if the same stock is requested again', async () => {
    const [id] = await productOf(2)
    const record = await ok(unified('GET', `/product/${id}`))
    expect(record.stockOnHand).toBe(0)
    const { id: item } = (
      await admin(`{ productVariant(id: "gid://shopify/ProductVariant/${id}") { inventoryItem { id } } }`)
    ).productVariant.inventoryItem
    const [home, other] = harness.tenants[0]!.locations
    await admin(
      'mutation Stock($item: ID!, $location: ID!) { inventoryActivate(inventoryItemId: $item, locationId: $location, available: 4) @idempotent(key: "x") { userErrors { message } } }',
      {
        item,
        location: `gid://shopify/Location/${other}`,
      },
    )
    expect((await ok(unified('PUT', `/product/${id}`, { ...record, stockOnHand: 10 }))).stockOnHand).toBe(10)
    const here = async () =>
      (
        await admin(
          `{ inventoryItem(id: "${item}") { inventoryLevel(locationId: "gid://shopify/Location/${home}") { quantities(names: ["available"]) { quantity } } } }`,
        )
      ).inventoryItem.inventoryLevel.quantities[0].quantity
    expect(await here()).toBe(6)
    // After a sale, the same record must not be treated as the previous write.
    await admin(
      'mutation Sold($input: InventorySetQuantitiesInput!) { inventorySetQuantities(input: $input) @idempotent(key: "sold") { userErrors { message } } }',
      {
        input: {
          name: 'available',
          reason: 'correction',
          quantities: [
            {
              inventoryItemId: item,
              locationId: `gid://shopify/Location/${home}`,
              quantity: 1,
              changeFromQuantity: null,
            },
          ],
        },
      },
    )
    expect((await ok(unified('PUT', `/product/${id}`, { ...record, stockOnHand: 10 }))).stockOnHand).toBe(10)
    expect(await here()).toBe(6)
  })
})

describe('a customer', () => {
  it('preserves other addresses when the first changes, and removes the first if the record has none', async () => {
    const address = { line1: '1 Main', city: 'Toronto', state: 'ON', postalCode: 'M5V', country: 'CA' }
    const made = await ok(
      unified('POST', '/customer', { externalId: key(), name: 'Ana Ruiz', address, companyName: 'Acme' }),
    )
    const gid = `gid://shopify/Customer/${made.externalId}`
    await admin(
      'mutation Second($id: ID!) { customerAddressCreate(customerId: $id, address: { address1: "Second", countryCode: CA }) { userErrors { message } } }',
      { id: gid },
    )
    const changed = await ok(
      unified('PUT', `/customer/${made.externalId}`, {
        ...made,
        companyName: undefined,
        address: { ...address, line1: '2 Main' },
      }),
    )
    expect([changed.address, changed.companyName]).toEqual([{ ...address, line1: '2 Main' }, undefined])
    const { address: _, ...without } = changed
    expect((await ok(unified('PUT', `/customer/${made.externalId}`, without))).address).toEqual({
      line1: 'Second',
      country: 'CA',
    })
  })
  it('is rejected with the field if the email or phone is taken', async () => {
    const person = { name: 'Bo', email: 'bo@example.com', phone: '+16135550111' }
    await ok(unified('POST', '/customer', { ...person, externalId: key() }))
    const again = await unified('POST', '/customer', { ...person, externalId: key() })
    expect([again.status, pointers(again)]).toEqual([422, ['/email']])
    const country = await unified('POST', '/customer', {
      externalId: key(),
      name: 'Bo',
      address: { country: 'Kanata' },
    })
    expect([country.status, pointers(country)]).toEqual([422, ['/address/country']])
  })
  it('has the codes of its state and country, whatever their spelling', async () => {
    const address = async (given: object) => {
      const data = await ok(unified('POST', '/customer', { externalId: key(), name: 'Di', address: given }))
      return data.address
    }
    expect(await address({ state: 'Québec', country: 'canada' })).toEqual({ state: 'QC', country: 'CA' })
    expect(await address({ state: 'Tokyo', country: 'JPN' })).toEqual({ state: 'JP-13', country: 'JP' })
    expect(await address({ state: 'JP-13', country: 'JP' })).toEqual({ state: 'JP-13', country: 'JP' })
    expect(await address({ state: 'TAMPS', country: 'Mexico' })).toEqual({ state: 'TAMPS', country: 'MX' })
    const nowhere = await unified('POST', '/customer', {
      externalId: key(),
      name: 'Di',
      address: { state: 'Nowhere', country: 'Canada' },
    })
    expect([nowhere.status, nowhere.body.code, pointers(nowhere)]).toEqual([422, 'target_refuses', ['/address/state']])
  })
  it('is deleted if its address is rejected', async () => {
    const count = () => harness.tenants[0]!.records.customer!.ids().length
    const before = count()
    const reply = await unified('POST', '/customer', {
      externalId: key(),
      name: 'Cy',
      address: { state: 'XX', country: 'CA' },
    })
    expect([reply.status, pointers(reply), count()]).toEqual([422, ['/address/state'], before])
  })
})

describe('an order', () => {
  const lineItems = [{ name: 'Wrapping', quantity: 2, unitPrice: 4.5, lineTax: 0.5, lineDiscount: 1 }]
  const create = (more: object) => ok(unified('POST', '/order', { externalId: key(), lineItems, ...more }))

  it.each(['PENDING', 'OPEN', 'COMPLETED', 'CANCELED'])('can be written as %s', async (state) => {
    expect((await create({ state })).state).toBe(state)
  })
  it.each([
    ['PENDING', 'OPEN', true],
    ['PENDING', 'COMPLETED', true],
    ['PENDING', 'CANCELED', true],
    ['OPEN', 'COMPLETED', true],
    ['OPEN', 'CANCELED', true],
    ['OPEN', 'PENDING', false],
    ['COMPLETED', 'OPEN', false],
    ['CANCELED', 'OPEN', false],
  ])('goes from %s to %s: %s', async (from, to, possible) => {
    const order = await create({ state: from })
    const reply = await unified('PUT', `/order/${order.externalId}`, { ...order, state: to })
    if (possible) expect([reply.status, reply.body.data?.state]).toEqual([200, to])
    else expect([reply.status, pointers(reply)]).toEqual([422, ['/state']])
  })
  it('can be reopened if it was closed unfulfilled', async () => {
    const order = await create({ state: 'OPEN' })
    const closed = await ok(unified('PUT', `/order/${order.externalId}`, { ...order, state: 'COMPLETED' }))
    expect((await ok(unified('PUT', `/order/${order.externalId}`, { ...closed, state: 'OPEN' }))).state).toBe('OPEN')
  })
  it('has the total of its lines, taxes and discounts', async () => {
    expect(await create({ state: 'OPEN' })).toMatchObject({
      total: 8.5,
      taxTotal: 0.5,
      lineItems: [{ unitPrice: 4.5, lineTax: 0.5, lineDiscount: 1 }],
    })
  })
  it('changes its note and customer, and rejects changes to fixed fields', async () => {
    const customer = await ok(unified('POST', '/customer', { externalId: key(), name: 'Di' }))
    const order = await create({ note: 'first' })
    const changed = await ok(
      unified('PUT', `/order/${order.externalId}`, {
        ...order,
        note: undefined,
        customerExternalId: customer.externalId,
      }),
    )
    expect([changed.note, changed.customerExternalId]).toEqual([undefined, customer.externalId])
    expect(
      (await ok(unified('PUT', `/order/${order.externalId}`, { ...changed, customerExternalId: undefined })))
        .customerExternalId,
    ).toBeUndefined()
    const lines = await unified('PUT', `/order/${order.externalId}`, {
      ...order,
      lineItems: [{ ...lineItems[0], quantity: 3 }],
    })
    expect([lines.status, pointers(lines)]).toEqual([422, ['/lineItems/0']])
  })
  it('names the field that Shopify rejects', async () => {
    const refused = async (more: object) =>
      pointers(await unified('POST', '/order', { externalId: key(), lineItems, ...more }))
    expect(await refused({ customerExternalId: '123' })).toEqual(['/customerExternalId'])
    expect(await refused({ lineItems: [lineItems[0], { productExternalId: '123', quantity: 1 }] })).toEqual([
      '/lineItems/1/productExternalId',
    ])
    expect(await refused({ lineItems: [{ quantity: 0.5 }] })).toEqual([
      '/lineItems/0/name',
      '/lineItems/0/unitPrice',
      '/lineItems/0/quantity',
    ])
    expect(await refused({ currencyCode: 'USD' })).toEqual(['/currencyCode'])
  })
  it('is read with all its lines', async () => {
    const { body } = await unified('GET', '/order?pageSize=50')
    const long = body.data.find(({ lineItems: lines }: { lineItems: unknown[] }) => lines.length === 60)
    expect((await ok(unified('GET', `/order/${long.externalId}`))).lineItems).toEqual(long.lineItems)
  })
})

describe('a record', () => {
  it('is missing only if Shopify says so, not if a response has no data', async () => {
    for (const entity of ['product', 'order', 'customer'] as const) {
      const [id] = harness.tenants[0]!.records[entity]!.ids()
      harness.sandbox.fault('shopify', { kind: 'foreign_before', body: { data: {} } })
      const { status, body } = await unified('GET', `/${entity}/${id}`)
      harness.sandbox.clearFaults('shopify')
      expect([entity, status, body.code]).toEqual([entity, 502, 'downstream_error'])
      expect([entity, (await unified('GET', `/${entity}/404404404`)).status]).toEqual([entity, 404])
    }
  })
})

/** Points return only while the service waits after a refusal: the time that a busy machine takes restores none. */
function restoreAfterRefusals({ sandbox, time }: Harness): void {
  const simulator = sandbox.simulator('shopify')
  const { handle } = simulator
  let refusedAt: number | undefined
  time.stop()
  simulator.handle = async (request) => {
    if (refusedAt !== undefined) time.skip(performance.now() - refusedAt)
    const response = await handle(request)
    refusedAt = JSON.stringify(response.body).includes('"THROTTLED"') ? performance.now() : undefined
    return response
  }
}

describe('the account', () => {
  it('accepts only a Shopify domain', async () => {
    for (const shop of [
      'evil.example',
      'x.myshopify.com.evil.example',
      'x.myshopify.com/a',
      'evil.example#.myshopify.com',
      '',
    ]) {
      const { credentials } = harness.tenants[0]!
      const reply = await harness.manage('POST', '/accounts', {
        platform: 'shopify',
        vertical: 'retail_pos',
        credentials,
        settings: { shop },
      })
      expect([shop, reply.status, pointers(reply)]).toEqual([shop, 422, ['/settings/shop']])
    }
  })
  it.each([
    // Shopify reports the cost of the last query, not of the next: the page after the lines of a long order may still
    // be rejected once.
    ['pauses before the points run out, so that pages are not rejected', shopify, (refused: number) => refused <= 1],
    [
      'waits as long as a throttled response requires',
      { ...shopify, throttle: undefined },
      (refused: number) => refused > 1,
    ],
  ])('on a small plan %s', async (_, connector, expected) => {
    const plan = shopifySimulatorOn({ maximumAvailable: 700, restoreRate: 10 })
    const small = await start(plan, 'full', connector as Connector)
    if (!connector.throttle) restoreAfterRefusals(small)
    try {
      for (let query = '?pageSize=100', page = 0; page < 6; page += 1) {
        const { status, body } = await unified('GET', `/order${query}`, undefined, small)
        expect([status, body.data?.length], JSON.stringify(body)).toEqual([200, 100])
        query = `?cursor=${body.pagination.cursor}`
      }
      // A rejected call is sent again unchanged.
      const sent = small.sandbox.calls('shopify').map(({ body }) => JSON.stringify(body))
      expect(sent.length - new Set(sent).size).toSatisfy(expected)
    } finally {
      await small.close()
    }
  })
})
