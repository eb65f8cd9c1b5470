// Tests with Shopify's own client, and the rules that the simulator enforces.
import { createAdminApiClient } from '@shopify/admin-api-client'
import { buildSchema, parse, validate, validateSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { createState } from '../../../sandbox/collection.ts'
import { createMovableClock } from '../../../sandbox/movable-clock.ts'
import type { WireRequest } from '../../../sandbox/simulator.ts'
import { operations } from '../operations.ts'
import { plans } from './cost.ts'
import { schema } from './execution.ts'
import { signed } from './oauth.ts'
import { schemaText } from './schema.ts'
import { inputText } from './schema-inputs.ts'
import { shopifySimulatorOn } from './simulator.ts'

const seededAt = Date.parse('2026-11-10T12:00:00Z')
function start(size: 'small' | 'full' = 'small', plan: keyof typeof plans = 'plus') {
  const clock = createMovableClock(seededAt)
  const simulator = shopifySimulatorOn(plans[plan])({
    size,
    now: clock.now,
    seededAt,
    state: createState(),
    origin: 'http://localhost/shopify',
  })
  const send = async (path: string, body: unknown, headers: Record<string, string> = {}, method = 'POST') => {
    const request: WireRequest = {
      method,
      path,
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }
    return simulator.handle(request)
  }
  const [tenant] = simulator.tenants
  const ask = async (query: string, variables: object = {}, token = 'sandbox-shopify-access') => {
    const headers = { 'x-shopify-access-token': token }
    const response = await send('/admin/api/2026-07/graphql.json', { query, variables }, headers)
    // biome-ignore lint/suspicious/noExplicitAny: the response has the shape of the query
    return response.body as any
  }
  return { clock, simulator, tenant: tenant!, send, ask }
}

describe("Shopify's own client", () => {
  it('reads the shop page by page and gets the cost', async () => {
    const { send, tenant } = start('full')
    const client = createAdminApiClient({
      storeDomain: 'maple-goods-sandbox.myshopify.com',
      apiVersion: '2026-07',
      accessToken: 'sandbox-shopify-access',
      async customFetchApi(url, init) {
        const headers = Object.fromEntries(
          Object.entries(init?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
        )
        const {
          status,
          body,
          headers: answered,
        } = await send(new URL(url).pathname, init?.body ?? '', headers, init?.method)
        return new Response(JSON.stringify(body), {
          status,
          headers: { 'content-type': 'application/json', ...answered },
        })
      },
    })
    const query = `query All($after: String) {
      shop { name currencyCode }
      productVariants(first: 250, after: $after) { edges { cursor node { legacyResourceId price product { title } } } pageInfo { hasNextPage endCursor } }
    }`
    const ids: string[] = []
    for (let after: string | undefined; ; ) {
      const { data, errors, extensions } = await client.request(query, { variables: { after } })
      expect(errors).toBeUndefined()
      expect(extensions?.cost?.throttleStatus).toMatchObject({ maximumAvailable: 20_000, restoreRate: 1000 })
      ids.push(
        ...data.productVariants.edges.map(({ node }: { node: { legacyResourceId: string } }) => node.legacyResourceId),
      )
      if (!data.productVariants.pageInfo.hasNextPage) break
      after = data.productVariants.pageInfo.endCursor
    }
    expect(ids.length).toBeGreaterThanOrEqual(600)
    expect(ids).toEqual(tenant.records.product!.ids())
    const refused = await client.request('{ shop { flavor } }')
    expect(refused.errors?.graphQLErrors?.[0]?.message).toMatch(/flavor/)
  })
})

describe('the simulator', () => {
  it('has a valid schema', () => {
    expect(validateSchema(buildSchema(schemaText + inputText))).toEqual([])
  })
  it('accepts every operation of the connector', () => {
    for (const document of Object.values(operations))
      expect(validate(schema(), parse(document)).map(({ message }) => message)).toEqual([])
  })
  it('seeds the same large shop every time', () => {
    const { tenant } = start('full')
    const count = (type: 'product' | 'order' | 'customer') => tenant.records[type]!.ids().length
    expect([count('product') >= 600, count('order') >= 1200, count('customer') >= 400]).toEqual([true, true, true])
    expect(start('full').tenant.records.product!.ids()).toEqual(tenant.records.product!.ids())
  })
  it('rejects a query that costs too much or exceeds the bucket, and restores points every second', async () => {
    const { ask, clock } = start('full', 'standard')
    const dear =
      'query Dear($first: Int!) { orders(first: $first) { nodes { id lineItems(first: 250) { nodes { id variant { id inventoryItem { id } product { id category { id } } } } } } } }'
    expect((await ask(dear, { first: 250 })).errors[0].extensions).toMatchObject({
      code: 'MAX_COST_EXCEEDED',
      maxCost: 1000,
    })
    const responses = []
    for (let round = 0; round < 20; round += 1) responses.push(await ask(dear, { first: 100 }))
    const throttled = responses.find(({ errors }) => errors)
    expect(throttled.data).toBeUndefined()
    expect(throttled.errors[0]).toMatchObject({ message: 'Throttled', extensions: { code: 'THROTTLED' } })
    const { requestedQueryCost, throttleStatus } = throttled.extensions.cost
    const seconds = (requestedQueryCost - throttleStatus.currentlyAvailable) / throttleStatus.restoreRate
    clock.skip(Math.ceil(seconds * 1000) - 20)
    expect((await ask(dear, { first: 100 })).errors).toBeDefined()
    clock.skip(40)
    expect((await ask(dear, { first: 100 })).errors).toBeUndefined()
  })
  it('charges the returned rows, not the requested ones', async () => {
    const { cost } = (await start().ask('{ orders(first: 250) { nodes { id customer { id } } } }')).extensions
    expect(cost.actualQueryCost).toBeLessThan(cost.requestedQueryCost)
  })
  it('binds a cursor to its query and sort order', async () => {
    const { ask } = start()
    const page =
      'query Page($after: String, $reverse: Boolean) { orders(first: 2, after: $after, reverse: $reverse, sortKey: ID) { pageInfo { endCursor } } }'
    const after = (await ask(page)).data.orders.pageInfo.endCursor
    expect((await ask(page, { after })).errors).toBeUndefined()
    expect((await ask(page, { after, reverse: true })).errors[0].message).toMatch(/cursor/)
    expect((await ask('{ orders(first: 251) { nodes { id } } }')).errors[0].message).toMatch(/250/)
  })
  it('returns only active products for a search without a status', async () => {
    const { ask } = start('full')
    const statuses = async (query: string) =>
      new Set(
        (await ask(`{ products(first: 250, query: "${query}") { nodes { status } } }`)).data.products.nodes.map(
          (node: { status: string }) => node.status,
        ),
      )
    expect(await statuses('')).toEqual(new Set(['ACTIVE']))
    expect((await statuses('status:active,draft,archived,unlisted')).size).toBe(4)
  })
  it('sets stock once per key, and never without one', async () => {
    const { ask } = start()
    const { inventoryItem } = (await ask('{ productVariants(first: 1) { nodes { inventoryItem { id } } } }')).data
      .productVariants.nodes[0]
    const location = (await ask('{ location { id } }')).data.location.id
    const set =
      'mutation Set($input: InventorySetQuantitiesInput!, $key: String!) { inventorySetQuantities(input: $input) @idempotent(key: $key) { inventoryAdjustmentGroup { id } userErrors { code } } }'
    const input = (quantity: number) => ({
      name: 'available',
      reason: 'correction',
      quantities: [{ inventoryItemId: inventoryItem.id, locationId: location, quantity, changeFromQuantity: null }],
    })
    const first = await ask(set, { input: input(5), key: 'k' })
    expect(await ask(set, { input: input(5), key: 'k' })).toMatchObject({ data: first.data })
    expect((await ask(set, { input: input(6), key: 'k' })).data.inventorySetQuantities.userErrors).toEqual([
      { code: 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH' },
    ])
    expect(
      (await ask(set.replace('@idempotent(key: $key)', '').replace(', $key: String!', ''), { input: input(5) }))
        .errors[0].message,
    ).toMatch(/idempotent/)
  })
  it('issues tokens for a code, renews them, and signs its redirect', async () => {
    const { send, ask, clock } = start()
    const client = { client_id: 'sandbox-shopify-unified-records', client_secret: 'sandbox-shpss-not-a-real-secret' }
    const consent = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: 'https://app.example/back',
      state: 's',
      scope: 'write_products,read_products',
      decision: 'approve',
    })
    const redirect = await send('/admin/oauth/authorize', consent.toString())
    const { hmac, ...parameters } = Object.fromEntries(new URL(redirect.headers!.location!).searchParams)
    expect(hmac).toBe(signed(parameters))
    const token = (body: object) => send('/admin/oauth/access_token', { ...client, ...body })
    const given = (await token({ code: parameters.code, expiring: '1' })).body as Record<string, string>
    expect(given).toMatchObject({ scope: 'write_products', expires_in: 3600, refresh_token: expect.any(String) })
    expect((await ask('{ orders(first: 1) { nodes { id } } }', {}, given.access_token)).errors[0].extensions.code).toBe(
      'ACCESS_DENIED',
    )
    clock.skip(3_600_000)
    expect(
      await send(
        '/admin/api/2026-07/graphql.json',
        { query: '{ shop { id } }' },
        { 'x-shopify-access-token': given.access_token! },
      ),
    ).toMatchObject({ status: 401 })
    const renewed = (await token({ grant_type: 'refresh_token', refresh_token: given.refresh_token })).body as Record<
      string,
      string
    >
    expect(renewed.refresh_token).not.toBe(given.refresh_token)
    expect((await ask('{ shop { id } }', {}, renewed.access_token)).errors).toBeUndefined()
    clock.skip(61_000)
    expect(await token({ grant_type: 'refresh_token', refresh_token: given.refresh_token })).toMatchObject({
      status: 400,
    })
    expect((await token({ grant_type: 'client_credentials' })).body).not.toHaveProperty('refresh_token')
  })
})
