// The explorer over HTTP: the responses of the unified API, with the native side.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

let harness: Harness
const base = '/accounts/square-restaurant'
const explorer = `${base}/explorer`

beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
})
afterAll(() => harness.close())

it('lists the entities, and describes one with schema, example and platform support', async () => {
  const { body } = await harness.manage('GET', explorer)
  expect(body).toMatchObject({
    accountId: 'square-restaurant',
    platform: 'square',
    platformName: 'Square',
    state: 'active',
    mappingKeys: [],
  })
  expect(Object.keys(body.entities)).toContain('product')
  const product = await harness.manage('GET', `${explorer}/product`)
  expect(product.body).toMatchObject({
    title: 'Product',
    gettable: true,
    references: { '/categoryExternalId': 'category' },
  })
  expect(product.body.support.notStored).toContain('/cost')
  expect(product.body.schema.properties.price.description).toContain('major currency units')
  expect(product.body.schema.properties.vendor).toBeUndefined()
  expect(product.body.example).toMatchObject({ name: 'Flat white', priceType: 'FIXED' })
  expect((await harness.manage('GET', `${explorer}/spaceship`)).body.code).toBe('unknown_entity')
})

it('pages like the unified API, with the native row of each record, the duration and the request of a caller', async () => {
  const first = await harness.manage('GET', `${explorer}/product/records?pageSize=2`)
  const unified = await harness.call('GET', '/unified/square-restaurant/product?pageSize=2')
  expect(first.body.data.map(({ record }: { record: unknown }) => record)).toEqual(unified.body.data)
  expect(first.body.data[0].native.variation.id).toBe(first.body.data[0].id)
  const { totalMs, waitMs, platformMs, serviceMs, nativeCalls } = first.body.timing
  expect(nativeCalls).toBeGreaterThan(0)
  expect(waitMs + platformMs + serviceMs).toBeCloseTo(totalMs, 0)
  expect(first.body.requestId).toBe(first.headers.get('x-request-id'))
  expect(first.body.request).toEqual({ method: 'GET', path: '/unified/square-restaurant/product?pageSize=2' })
  const second = await harness.manage('GET', `${explorer}/product/records?cursor=${first.body.cursor}`)
  expect(second.body.data[0].id).not.toBe(first.body.data[0].id)
  expect(second.body.request.path).toContain(`cursor=${first.body.cursor}`)
})

it('returns a single record and the origin of its fields without another call to the platform', async () => {
  const { body: page } = await harness.manage('GET', `${explorer}/product/records?pageSize=1`)
  const { body: one } = await harness.manage('GET', `${explorer}/product/records/${page.data[0].id}`)
  expect(one.record).toEqual(page.data[0].record)
  expect(one.version).toEqual(expect.any(String))
  const before = harness.output().length
  const { body } = await harness.manage('POST', `${explorer}/product/provenance`, { native: one.native })
  expect(harness.output().slice(before)).not.toContain('native call')
  expect(body.fields).toContainEqual({
    pointer: '/externalId',
    kind: 'same',
    words: 'same value',
    sources: [{ pointer: '/variation/id' }],
    settings: [],
  })
  expect(body.lacking).toContainEqual({ pointer: '/cost', sources: [], words: 'not stored by Square' })
  expect(body.complete).toBe(true)
  const nonsense = await harness.manage('POST', `${explorer}/product/provenance`, { native: 'nonsense' })
  expect([nonsense.status, nonsense.body.code, nonsense.body.errors[0].pointer]).toEqual([
    422,
    'validation_failed',
    '/native',
  ])
})

it('validates with the messages of the API, plans, writes once, and replays', async () => {
  const record = { externalId: 'EXP-1', name: 'Explorer tea', price: 3.5, currencyCode: 'USD', cost: 1 }
  const bad = await harness.manage('POST', `${explorer}/product/validation`, {
    record: { ...record, price: 'much', color: 'red' },
  })
  const rejected = await harness.call('POST', '/unified/square-restaurant/product', {
    ...record,
    price: 'much',
    color: 'red',
  })
  expect(bad.body).toMatchObject({ valid: false, errors: rejected.body.errors })
  const good = await harness.manage('POST', `${explorer}/product/validation`, { record })
  expect(good.body).toMatchObject({ valid: true, errors: [], warnings: [{ code: 'not_stored', pointer: '/cost' }] })

  const plan = await harness.manage('POST', `${explorer}/product/dry-run`, { record })
  expect(JSON.stringify(plan.body.steps[0].request.body)).toContain('Explorer tea')
  expect((await harness.call('GET', '/unified/square-restaurant/product?externalId=EXP-1')).body.data).toEqual([])

  const written = await harness.manage('POST', `${explorer}/product/records`, { record })
  expect(written.body, JSON.stringify(written.body)).toMatchObject({
    data: { name: 'Explorer tea', price: 3.5 },
    reference: { externalId: 'EXP-1', replayed: false },
  })
  expect(written.body.request).toEqual({ method: 'POST', path: '/unified/square-restaurant/product', body: record })
  const again = await harness.manage('POST', `${explorer}/product/records`, { record })
  expect(again.body.reference).toEqual({ ...written.body.reference, replayed: true })
  expect(again.body.timing.nativeCalls).toBe(0)
})

it('replaces a record with the version that was read, and plans the update', async () => {
  const { body: page } = await harness.manage('GET', `${explorer}/product/records?pageSize=1`)
  const { id, record, version } = page.data[0]
  const changed = { ...record, description: 'Changed in the explorer' }
  const plan = await harness.manage('POST', `${explorer}/product/dry-run`, { record: changed, id })
  expect(plan.status, JSON.stringify(plan.body)).toBe(200)
  expect(JSON.stringify(plan.body.steps)).toContain('Changed in the explorer')
  const unknown = await harness.manage('POST', `${explorer}/product/dry-run`, { record: changed, id: 'NOWHERE' })
  expect([unknown.status, unknown.body.code]).toEqual([404, 'record_not_found'])
  const put = await harness.manage('PUT', `${explorer}/product/records/${id}`, { record: changed, ifMatch: version })
  expect(put.body, JSON.stringify(put.body)).toMatchObject({
    data: { description: 'Changed in the explorer' },
    reference: { id },
    request: { method: 'PUT', ifMatch: `"${version}"` },
  })
  const stale = await harness.manage('PUT', `${explorer}/product/records/${id}`, { record, ifMatch: version })
  expect([stale.status, stale.body.code]).toEqual([412, 'precondition_failed'])
  const timeEntries = await harness.manage('POST', `${explorer}/time_entry/records`, { record: {} })
  expect([timeEntries.status, timeEntries.body.code]).toEqual([405, 'method_not_allowed'])
})

it('makes native calls like the unified API, with the duration and the request of a caller', async () => {
  expect((await harness.manage('GET', explorer)).body.native).toEqual({
    docs: connectors.square?.docs,
    settings: ['merchantId'],
  })
  const read = { method: 'GET', path: '/v2/locations' }
  const { body } = await harness.manage('POST', `${explorer}/native`, read)
  const unified = await harness.call('POST', '/unified/square-restaurant/native', read)
  expect(body).toMatchObject({ status: 200, body: unified.body.body, timing: { nativeCalls: 1 } })
  expect(body.headers['content-type']).toBe(unified.body.headers['content-type'])
  expect(body.reference).toBeUndefined()
  expect(body.request).toEqual({ method: 'POST', path: '/unified/square-restaurant/native', body: read })
  const activity = async () => (await harness.manage('GET', '/activity?accountId=square-restaurant')).body.data
  await expect
    .poll(activity)
    .toContainEqual(expect.objectContaining({ requestId: body.requestId, operation: 'native' }))

  const write = { method: 'POST', path: '/v2/customers', body: { given_name: 'Ada' } }
  const keyless = await harness.manage('POST', `${explorer}/native`, write)
  expect([keyless.status, keyless.body.errors]).toEqual([
    422,
    [{ pointer: '/externalId', message: expect.stringContaining('is required for POST') }],
  ])
  const first = await harness.manage('POST', `${explorer}/native`, { ...write, externalId: 'EXP-N1' })
  expect(first.body).toMatchObject({ status: 200, reference: { externalId: 'EXP-N1', replayed: false } })
  const again = await harness.manage('POST', `${explorer}/native`, { ...write, externalId: 'EXP-N1' })
  expect(again.body).toMatchObject({ body: first.body.body, reference: { replayed: true }, timing: { nativeCalls: 0 } })
})

it('shows records through a mapping key, and previews rules before they are saved', async () => {
  const { body: page } = await harness.manage('GET', `${explorer}/product/records?pageSize=1`)
  const { native, record } = page.data[0]
  const question = { entityType: 'product', direction: 'read', native }
  const preview = await harness.manage('POST', `${base}/mappings/preview`, {
    ...question,
    rules: { '/sku': { from: '/item/id' }, '/name': { default: 'Nameless' } },
  })
  expect(preview.body.rules).toEqual([
    {
      pointer: '/sku',
      effect: record.sku === undefined ? 'set' : 'changed',
      ...(record.sku === undefined ? {} : { before: record.sku }),
      after: native.item.id,
    },
    { pointer: '/name', effect: 'none', before: record.name, after: record.name },
  ])
  expect([preview.body.before, preview.body.after.sku]).toEqual([record, native.item.id])
  const refused = await harness.manage('POST', `${base}/mappings/preview`, {
    ...question,
    rules: { '/price': { value: 'cheap' }, '/color': { value: 'red' }, '/constructor': { value: 'x' } },
  })
  expect([refused.status, refused.body.errors]).toEqual([
    422,
    [
      { pointer: '/rules/~1price/value', message: 'must be a number' },
      { pointer: '/rules/~1color', message: 'is not a field of product, such as /name' },
      { pointer: '/rules/~1constructor', message: 'is not a field of product, such as /name' },
    ],
  ])
  const written = await harness.manage('POST', `${base}/mappings/preview`, {
    entityType: 'product',
    direction: 'write',
    record: { code: 'X-1' },
    rules: { '/sku': { from: '/code' } },
  })
  expect(written.body).toMatchObject({
    before: { code: 'X-1' },
    after: { code: 'X-1', sku: 'X-1' },
    rules: [{ pointer: '/sku', effect: 'set', after: 'X-1' }],
  })
  expect(
    (await harness.manage('POST', `${base}/mappings/preview`, { entityType: 'product', direction: 'write', rules: {} }))
      .body.errors,
  ).toEqual([{ pointer: '/record', message: 'is required' }])

  const { body: mapping } = await harness.manage('POST', `${base}/mappings`, {
    entityType: 'product',
    direction: 'read',
    name: 'Item ids',
    rules: { '/sku': { from: '/item/id' } },
  })
  const { body: key } = await harness.manage('POST', `${base}/mapping-keys`, { mappingId: mapping.id })
  expect((await harness.manage('GET', explorer)).body.mappingKeys).toEqual([
    { key: key.key, direction: 'read', entityType: 'product', mappingId: mapping.id, name: 'Item ids', version: 1 },
  ])
  const mapped = await harness.manage('GET', `${explorer}/product/records?pageSize=1&mappingKey=${key.key}`)
  expect(mapped.body.data[0].record.sku).toBe(native.item.id)
  expect(mapped.body.request.path).toContain('/api/1.0/standalone-link-engine-service/unified/')
  expect((await harness.manage('GET', `${explorer}/customer/records?mappingKey=${key.key}`)).body.code).toBe(
    'mapping_key_mismatch',
  )
})
