// Reads and writes of a new user: both address forms, references by source id, replay.

import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { quiet, until, untilCleared } from '../until.ts'

let harness: Harness
const formB = '/api/1.0/standalone-link-engine-service'
const base = '/unified/square-restaurant'

beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square', callTimeoutMs: untilCleared })
})
afterAll(() => harness.close())

it('an order that references a customer and a product by source id reaches the platform with platform ids', async () => {
  const customer = await harness.call('POST', `${base}/customer`, { externalId: 'C-1', name: 'Ada Lovelace' })
  const product = await harness.call('POST', `${base}/product`, {
    externalId: 'P-1',
    name: 'Flat white',
    price: 4.5,
    currencyCode: 'USD',
  })
  const location = harness.tenants[0]?.locations[0] as string
  const record = {
    externalId: 'O-1',
    customerExternalId: 'C-1',
    locationExternalId: location,
    lineItems: [{ productExternalId: 'P-1', quantity: 2 }],
  }
  const order = await harness.call('POST', `${base}/order`, record)
  expect(order.status, JSON.stringify(order.body)).toBe(201)
  expect(order.body.data.customerExternalId).toBe(customer.body.reference.id)
  expect(order.body.data.lineItems[0].productExternalId).toBe(product.body.reference.id)
  expect(order.body.data.total).toBe(9)
  const again = await harness.call('POST', `${base}/order`, record)
  expect([again.status, again.headers.get('idempotent-replayed'), again.body.data]).toEqual([
    200,
    'true',
    order.body.data,
  ])
})

it('a reference to a record that is being written at the same moment waits for it', async () => {
  const location = harness.tenants[0]?.locations[0]
  const { sandbox } = harness
  const written = () => sandbox.calls('square').some(({ fault }) => fault === 'stall')
  sandbox.fault('square', { kind: 'stall', path: '/v2/customers', method: 'POST', times: 1, delayMs: untilCleared })
  const slow = harness.call('POST', `${base}/customer`, { externalId: 'C-SLOW', name: 'Slow Writer' })
  await until('the write of the customer', written)
  const fast = harness.call('POST', `${base}/order`, {
    externalId: 'O-FAST',
    customerExternalId: 'C-SLOW',
    locationExternalId: location,
    lineItems: [{ name: 'Water', unitPrice: 1, quantity: 1 }],
  })
  expect(await Promise.race([fast, quiet(300)]), 'it waits').toBeUndefined()
  sandbox.clearFaults('square')
  const [customer, order] = [await slow, await fast]
  expect([customer.status, order.status], JSON.stringify(order.body)).toEqual([201, 201])
  expect(order.body.data.customerExternalId).toBe(customer.body.reference.id)
})

it('a dry run returns what would be sent, and sends nothing', async () => {
  const before = harness.tenants[0]?.records.product?.ids().length
  await harness.call('POST', `${base}/category`, { externalId: 'CAT-DRY', name: 'Dry' })
  const { status, body } = await harness.call('POST', `${base}/product?dryRun=true`, {
    externalId: 'DRY-1',
    name: 'Dry tea',
    price: 2,
    currencyCode: 'USD',
    stockOnHand: 3,
    cost: 1,
    categoryExternalId: 'CAT-DRY',
  })
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.steps.map(({ name }: { name: string }) => name)).toEqual(['object', 'stock'])
  expect(JSON.stringify(body.steps[0].request)).toContain('Dry tea')
  expect(body.references).toEqual([
    { pointer: '/categoryExternalId', sourceId: 'CAT-DRY', nativeId: expect.any(String) },
  ])
  expect(body.warnings).toEqual([expect.objectContaining({ code: 'not_stored', pointer: '/cost' })])
  expect(harness.tenants[0]?.records.product?.ids().length).toBe(before)
  expect((await harness.call('GET', `${base}/product?externalId=DRY-1`)).body).toEqual({
    data: [],
    pagination: { hasMore: false },
    warnings: [{ code: 'external_id_unknown', message: expect.stringContaining('"DRY-1"') }],
  })
})

it('a dry run of a key that is in use responds as the request would', async () => {
  const record = { externalId: 'DRY-TAKEN', name: 'Taken tea', price: 2, currencyCode: 'USD', cost: 1 }
  const written = await harness.call('POST', `${base}/product`, record)
  harness.sandbox.clearCalls('square')
  const post = (query: string, body: object) => harness.call('POST', `${base}/product?${query}`, body)
  const replay = await post('dryRun=true', record)
  expect([replay.status, replay.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  expect(replay.body).toEqual({
    dryRun: true,
    steps: [],
    complete: true,
    references: [],
    missing: [],
    data: written.body.data,
    reference: { ...written.body.reference, replayed: true },
    warnings: written.body.warnings,
    expectedWaitMs: 0,
  })
  const other = { ...record, name: 'Other tea' }
  const [planned, real] = await Promise.all([post('dryRun=true', other), post('', other)])
  expect([planned.status, real.status]).toEqual([409, 409])
  expect({ ...planned.body, requestId: '' }).toEqual({ ...real.body, requestId: '' })
  expect((await post('dryRun=check', other)).status).toBe(200)
  expect(harness.sandbox.calls('square')).toEqual([])
})

it('a check validates without a call to the platform', async () => {
  await harness.call('POST', `${base}/customer`, { externalId: 'C-CHECK', name: 'Checked Customer' })
  harness.sandbox.clearCalls('square')
  const order = {
    externalId: 'CHECK-1',
    state: 'COMPLETED',
    total: 2,
    customerExternalId: 'C-CHECK',
    lineItems: [{ productExternalId: 'P-NOWHERE', quantity: 1 }],
  }
  const { status, body } = await harness.call('POST', `${base}/order?dryRun=check`, order)
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.missing).toEqual([{ pointer: '/state', message: expect.any(String) }])
  expect(body.references).toEqual([
    { pointer: '/customerExternalId', sourceId: 'C-CHECK', nativeId: expect.any(String) },
  ])
  expect(body.warnings).toMatchObject([
    { code: 'reference_assumed', pointer: '/lineItems/0/productExternalId' },
    { code: 'not_stored', pointer: '/total' },
  ])
  expect(harness.sandbox.calls('square')).toEqual([])
  expect((await harness.call('POST', `${base}/order?dryRun=maybe`, order)).body.code).toBe('invalid_parameter')
})

it('the outcome of a key can be read', async () => {
  const { body } = await harness.call('POST', `${base}/customer`, { externalId: 'C-STATUS', name: 'Status Asked' })
  const status = await harness.call('GET', `${base}/customer?externalId=C-STATUS`)
  expect(status.body).toEqual({
    data: [body.data],
    pagination: { hasMore: false },
    reference: { externalId: 'C-STATUS', outcome: 'done', id: body.reference.id },
  })
  expect((await harness.call('GET', `${base}/customer?externalId=C-STATUS&pageSize=2`)).body.code).toBe(
    'invalid_parameter',
  )
})

it('an update with If-Match succeeds only if the record has not changed since it was read', async () => {
  const { body } = await harness.call('POST', `${base}/category`, { externalId: 'CAT-ETAG', name: 'Versioned' })
  const path = `${base}/category/${body.reference.id}`
  const first = await harness.call('GET', path)
  const etag = first.headers.get('etag') as string
  expect(etag).toMatch(/^".+"$/)
  expect((await harness.call('PUT', path, { ...first.body.data, name: 'Second' }, { 'if-match': etag })).status).toBe(
    200,
  )
  const stale = await harness.call('PUT', path, { ...first.body.data, name: 'Third' }, { 'if-match': etag })
  expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
  expect((await harness.call('GET', path)).body.data.name).toBe('Second')
})

it('an update reads its record once, with If-Match too, and one of an unknown record sends nothing', async () => {
  const { body } = await harness.call('POST', `${base}/category`, { externalId: 'CAT-ONCE', name: 'Read once' })
  const path = `${base}/category/${body.reference.id}`
  const { headers } = await harness.call('GET', path)
  harness.sandbox.clearCalls('square')
  const changed = { externalId: 'CAT-ONCE', name: 'Read once more' }
  expect((await harness.call('PUT', path, changed, { 'if-match': headers.get('etag') as string })).status).toBe(200)
  expect(harness.sandbox.calls('square').map(({ method }) => method)).toEqual(['GET', 'POST'])
  harness.sandbox.clearCalls('square')
  const unknown = await harness.call('PUT', `${base}/category/NOWHERE`, changed)
  expect([unknown.status, unknown.body.code, unknown.body.detail]).toEqual([
    404,
    'record_not_found',
    'Square has no category with this id. Check the id: it is externalId in records that you read.',
  ])
  expect(harness.sandbox.calls('square').map(({ method }) => method)).toEqual(['GET'])
})

it('a text that is too long for the platform is rejected before anything is sent, and the support matrix has the limit', async () => {
  const { body: platforms } = await harness.call('GET', '/platforms')
  const { longest, requiresWhen } = platforms.data.find(({ platform }: { platform: string }) => platform === 'square')
    .entities.restaurant.order
  expect(longest).toMatchObject({ '/orderNumber': 30, '/lineItems/*/name': 512 })
  expect(requiresWhen).toContainEqual({
    pointer: '/lineItems/*/name',
    without: '/lineItems/*/productExternalId',
    when: 'the line has no productExternalId',
  })
  harness.sandbox.clearCalls('square')
  const lineItems = [
    { name: 'Tea', unitPrice: 1, quantity: 1 },
    { name: 'n'.repeat(513), unitPrice: 1, quantity: 1 },
  ]
  const order = { externalId: 'LONG-1', orderNumber: 'n'.repeat(31), lineItems }
  for (const [method, path] of [
    ['POST', `${base}/order`],
    ['PUT', `${base}/order/NOWHERE`],
  ] as const) {
    const { status, body } = await harness.call(method, path, order)
    expect([status, body.code, body.downstream]).toEqual([422, 'target_refuses', undefined])
    expect(body.errors).toEqual([
      { pointer: '/orderNumber', message: 'must have at most 30 characters' },
      { pointer: '/lineItems/1/name', message: 'must have at most 512 characters' },
    ])
  }
  expect(harness.sandbox.calls('square')).toEqual([])
})

it('a conflict lists the differences', async () => {
  await harness.call('POST', `${base}/customer`, { externalId: 'C-2', name: 'Grace Hopper', notes: 'a' })
  const { status, body } = await harness.call('POST', `${base}/customer`, {
    externalId: 'C-2',
    name: 'Grace Hopper',
    notes: 'b',
    phone: '+14155550101',
  })
  expect([status, body.code]).toEqual([409, 'idempotency_conflict'])
  expect(body.differences).toEqual([
    { pointer: '/notes', written: 'a', asked: 'b' },
    { pointer: '/phone', asked: '+14155550101' },
  ])
})

it('standard OAuth clients get a token with the secret in the form and with HTTP Basic, and read with it', async () => {
  const access = (await harness.manage('POST', '/access-ids', { name: 'client' })).body
  const { data } = (await harness.manage('GET', '/accounts/square-restaurant/mapping-keys')).body
  const mappingKey = data.find(({ direction }: { direction: string }) => direction === 'read').key
  const server: oauth.AuthorizationServer = {
    issuer: harness.url,
    token_endpoint: `${harness.url}${formB}/oauth/server/access-token`,
  }
  const client: oauth.Client = { client_id: access.id }
  for (const authentication of [oauth.ClientSecretPost(access.secret), oauth.ClientSecretBasic(access.secret)]) {
    const response = await oauth.clientCredentialsGrantRequest(
      server,
      client,
      authentication,
      {},
      { [oauth.allowInsecureRequests]: true },
    )
    const token = await oauth.processClientCredentialsResponse(server, client, response)
    expect([token.token_type, token.expires_in]).toEqual(['bearer', 3600])
    const page = await fetch(`${harness.url}${formB}${base}/product?pageSize=2&mappingKey=${mappingKey}`, {
      headers: { authorization: `Bearer ${token.access_token}` },
    })
    expect([page.status, ((await page.json()) as { data: unknown[] }).data.length]).toEqual([200, 2])
  }
})

it('the token endpoint returns the errors of RFC 6749', async () => {
  const access = (await harness.manage('POST', '/access-ids', { name: 'refused' })).body
  const ask = async (body: string | URLSearchParams, headers: Record<string, string> = {}) => {
    const response = await fetch(`${harness.url}${formB}/oauth/server/access-token`, { method: 'POST', body, headers })
    return [
      response.status,
      ((await response.json()) as { error: string }).error,
      response.headers.get('cache-control'),
    ]
  }
  const form = (fields: Record<string, string>) => new URLSearchParams(fields)
  expect(await ask(form({ client_id: access.id, client_secret: 'wrong', grant_type: 'client_credentials' }))).toEqual([
    401,
    'invalid_client',
    'no-store',
  ])
  expect(await ask(form({ client_id: access.id, client_secret: access.secret, grant_type: 'password' }))).toEqual([
    400,
    'unsupported_grant_type',
    'no-store',
  ])
  expect(await ask(form({ client_id: access.id, grant_type: 'client_credentials' }))).toEqual([
    400,
    'invalid_request',
    'no-store',
  ])
  expect(await ask(JSON.stringify({ client_id: access.id }), { 'content-type': 'application/json' })).toEqual([
    400,
    'invalid_request',
    'no-store',
  ])
})

it('a mapping overlay changes what is read, and an invalid one is rejected with its reasons', async () => {
  const mapping = await harness.manage('POST', '/accounts/square-restaurant/mappings', {
    entityType: 'product',
    direction: 'read',
    name: 'ours',
    rules: {
      '/description': { from: '/variation/item_variation_data/sku', default: 'none' },
      '/priceType': { lookup: { FIXED: 'PER_UNIT', VARIABLE: 'VARIABLE' } },
      '/barcode': { value: '42' },
    },
  })
  expect(mapping.status, JSON.stringify(mapping.body)).toBe(201)
  const { key } = (
    await harness.manage('POST', '/accounts/square-restaurant/mapping-keys', { mappingId: mapping.body.id })
  ).body
  const access = (await harness.manage('POST', '/access-ids', { name: 'mapper' })).body
  const token = (
    (await (
      await fetch(`${harness.url}${formB}/oauth/server/access-token`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: access.id,
          client_secret: access.secret,
          grant_type: 'client_credentials',
        }),
      })
    ).json()) as { access_token: string }
  ).access_token
  const page = (await (
    await fetch(`${harness.url}${formB}${base}/product?pageSize=5&mappingKey=${key}`, {
      headers: { authorization: `Bearer ${token}` },
    })
  ).json()) as {
    data: { barcode: string; description: string; sku?: string; priceType?: string }[]
  }
  for (const { barcode, description, sku, priceType } of page.data)
    expect([barcode, description, ['PER_UNIT', 'VARIABLE', undefined].includes(priceType)]).toEqual([
      '42',
      sku ?? 'none',
      true,
    ])
  const bad = await harness.manage('POST', '/accounts/square-restaurant/mappings', {
    entityType: 'product',
    direction: 'read',
    name: 'bad',
    rules: {
      '/nothing': { value: 1 },
      '/price': { value: 'high' },
      '/name': { from: 'no pointer', value: 'both' },
      '/externalId': { value: 'x' },
    },
  })
  expect(bad.status).toBe(422)
  expect(bad.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    '/rules/~1nothing',
    '/rules/~1price/value',
    '/rules/~1name',
    '/rules/~1name/from',
    '/rules/~1externalId',
  ])
})

it('a disabled account returns 409 until it is enabled, and a deleted one returns 404', async () => {
  await harness.manage('POST', '/accounts/square-retail_pos/disable')
  expect((await harness.call('GET', '/unified/square-retail_pos/product')).body.code).toBe('account_disabled')
  await harness.manage('POST', '/accounts/square-retail_pos/enable')
  expect((await harness.call('GET', '/unified/square-retail_pos/product?pageSize=1')).status).toBe(200)
  expect((await harness.manage('POST', '/accounts/square-retail_pos/test')).body).toEqual({ ok: true })
  await harness.manage('DELETE', '/accounts/square-retail_pos')
  expect((await harness.call('GET', '/unified/square-retail_pos/product')).body.code).toBe('unknown_account')
})

it('the list of workspaces refuses an API key, whatever its scopes', async () => {
  const { key } = (await harness.manage('POST', '/api-keys', { name: 'caller' })).body
  const response = await fetch(`${harness.url}/manage/v1/workspaces`, { headers: { authorization: `Bearer ${key}` } })
  expect([response.status, await response.json()]).toEqual([403, expect.objectContaining({ code: 'forbidden' })])
})
