// What a response has beyond the unified records, or less of them: `fields=`, `include=native`, `search=` and custom
// fields, on lists, single reads and the change feed.
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

let harness: Harness
const base = '/unified/square-restaurant'
/** What is read in the background is read there: calls for the other account are counted. */
const watched = 'square-retail_pos'

beforeAll(async () => {
  // Calls are counted, so none may be repeated because its response is late on a busy machine.
  const own = { ownDisk: true, callTimeoutMs: 30_000 }
  harness = await createHarness({ connectors, simulators, platform: 'square', size: 'full', ...own })
})
afterAll(() => harness.close())

const get = async (path: string, account = 'square-restaurant') =>
  (await harness.call('GET', `/unified/${account}${path}`)).body
const calls = () => harness.sandbox.calls('square').filter(({ vertical }) => vertical === 'restaurant')
const callsOf = async (path: string): Promise<number> => {
  harness.sandbox.clearCalls('square')
  await get(path)
  return calls().length
}
/** Until the end of the test. */
async function setDefault(mappingId: string, what: string, account = 'square-restaurant'): Promise<void> {
  const path = `/accounts/${account}/mapping-defaults/${what}`
  const { status, body } = await harness.manage('PUT', path, { mappingId })
  expect(status, JSON.stringify(body)).toBe(200)
  onTestFinished(async () => void (await harness.manage('DELETE', path)))
}

it('fields saves the second call of a page, unless a selected field or the mapping needs it', async () => {
  expect(await callsOf('/product?pageSize=5')).toBe(2)
  expect(await callsOf('/product?pageSize=5&fields=name,price')).toBe(1)
  expect(await callsOf('/product?pageSize=5&fields=name,stockOnHand')).toBe(2)
  const mapping = await harness.manage('POST', '/accounts/square-restaurant/mappings', {
    name: 'stock',
    entityType: 'product',
    direction: 'read',
    rules: { '/description': { from: '/counts/0/quantity' } },
  })
  expect(mapping.status, JSON.stringify(mapping.body)).toBe(201)
  await setDefault(mapping.body.id, 'product/read')
  expect(await callsOf('/product?pageSize=5&fields=name,description')).toBe(2)
  expect(await callsOf('/product?pageSize=5&fields=name')).toBe(1)
})

it('selects nested fields and keeps externalId', async () => {
  const { data } = await get('/order?pageSize=2&fields=lineItems.quantity,state')
  for (const order of data) {
    expect(Object.keys(order).toSorted()).toEqual(['externalId', 'lineItems', 'state'])
    for (const line of order.lineItems) expect(Object.keys(line)).toEqual(['quantity'])
  }
  const customers = await get('/customer?pageSize=50&fields=address.city')
  expect(customers.data.some(({ address }: { address?: object }) => address)).toBe(true)
  for (const { address = {} } of customers.data) expect(['', 'city']).toContain(Object.keys(address).join())
})

it('a field that does not exist is 400 with the nearest name', async () => {
  for (const [fields, words] of [
    ['nam', 'did you mean "name"?'],
    ['address.cty', 'did you mean "address.city"?'],
    ['', 'there is no field ""'],
    ['name,,email', 'there is no field ""'],
    ['__proto__', 'there is no field "__proto__"'],
  ] as const) {
    const body = await get(`/customer?fields=${fields}`)
    expect([body.status, body.code], JSON.stringify(body)).toEqual([400, 'invalid_parameter'])
    expect(body.detail).toContain(words)
  }
  expect((await get('/customer?include=raw')).detail).toContain('include can only be "native"')
})

it('a cursor carries include and fields, and refuses others', async () => {
  const first = await get('/customer?pageSize=2&include=native&fields=name', watched)
  expect(Object.keys(first.native)).toEqual(first.data.map(({ externalId }: { externalId: string }) => externalId))
  let { cursor } = first.pagination
  for (let page = 0; page < 3; page++) {
    // The third page is read ahead while the second one is served.
    const next = await get(`/customer?cursor=${cursor}${page === 1 ? '&include=native' : ''}`, watched)
    expect(Object.keys(next.native)).toHaveLength(2)
    expect(Object.keys(next.data[0]).toSorted()).toEqual(['externalId', 'name'])
    cursor = next.pagination.cursor
  }
  expect((await get(`/customer?cursor=${cursor}&fields=email`, watched)).code).toBe('invalid_cursor')
  const plain = await get('/customer?pageSize=2', watched)
  const walked = await get(`/customer?cursor=${plain.pagination.cursor}`, watched)
  expect(walked.native).toBeUndefined()
  expect((await get(`/customer?cursor=${plain.pagination.cursor}&include=native`, watched)).code).toBe('invalid_cursor')
  expect((await get(`/customer?cursor=${plain.pagination.cursor}&fields=name`, watched)).code).toBe('invalid_cursor')
  expect((await get(`/customer?cursor=${walked.pagination.cursor}`, watched)).native).toBeUndefined()
})

it('removes the secrets of the account from native values', async () => {
  const { credentials } = (await harness.service.store.accounts.get('square-restaurant'))!
  const [customer] = (await get('/customer?pageSize=1')).data
  const written = await harness.call('PUT', `${base}/customer/${customer.externalId}`, {
    ...customer,
    notes: `the token is ${credentials.accessToken}`,
  })
  expect(written.status).toBe(200)
  const { native } = await get(`/customer/${customer.externalId}?include=native`)
  const [part] = native[customer.externalId].responses
  expect(part).toMatchObject({ method: 'GET', path: `/v2/customers/${customer.externalId}`, pointer: '/customer' })
  expect(part.value.note).toBe('the token is •••')
})

/** A cursor from now on. */
async function watchCustomers(): Promise<string> {
  await harness.manage('PUT', `/accounts/${watched}/watches/customer`, {})
  const cursor = async () => (await get('/changes?entityType=customer', watched)).pagination?.cursor
  await expect.poll(cursor).toBeDefined() // after the first walk
  return cursor()
}

it('the change feed has what the platform has now, and only on request', async () => {
  const cursor = await watchCustomers()
  const { data } = await get('/customer?pageSize=2', watched)
  for (const notes of ['one', 'two']) {
    const path = `/unified/${watched}/customer/${data[1].externalId}`
    expect((await harness.call('PUT', path, { ...data[1], notes })).status).toBe(200)
  }
  const page = () => get(`/changes?cursor=${cursor}&include=native`, watched)
  await expect.poll(async () => (await page()).data.length).toBeGreaterThan(0)
  const changes = await page()
  const { responses } = changes.native.customer[data[1].externalId]
  expect(responses[0].value.note).toBe('two')
  expect((await get(`/changes?cursor=${cursor}`, watched)).native).toBeUndefined()
})

const mappings = '/accounts/square-restaurant/mappings'
const declare = (rules: object, direction = 'read', more: { path?: string; entityType?: string } = {}) =>
  harness.manage('POST', more.path ?? mappings, {
    name: 'custom fields',
    entityType: more.entityType ?? 'customer',
    direction,
    rules,
  })
/** Declares custom fields of customers in the default mapping of a direction. */
async function byDefault(rules: object, direction = 'read', account = 'square-restaurant'): Promise<void> {
  const made = await declare(rules, direction, { path: `/accounts/${account}/mappings` })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await setDefault(made.body.id, `customer/${direction}`, account)
}
const string = (from: string) => ({ type: 'string', from })

it.each([
  [
    'an unknown type',
    { '/custom/tier': { type: 'text', from: '/note' } },
    '/rules/~1custom~1tier/type',
    'one of string',
  ],
  ['no type', { '/custom/tier': { from: '/note' } }, '/rules/~1custom~1tier/type', 'one of string'],
  ['no pointer', { '/custom/tier': { type: 'string' } }, '/rules/~1custom~1tier/from', 'is required'],
  ['a bad pointer', { '/custom/tier': string('note') }, '/rules/~1custom~1tier/from', 'such as /note'],
  ['a bad selector', { '/custom/tier': string('/list/[key]/value') }, '/rules/~1custom~1tier/from', '[name=value]'],
  ['a secret', { '/custom/tier': string('/list/[key=api_key]/value') }, '/rules/~1custom~1tier/from', 'never returned'],
  ['a unified name', { '/custom/email': string('/note') }, '/rules/~1custom~1email', 'map /email'],
  ['a bad name', { '/custom/my tier': string('/note') }, '/rules/~1custom~1my tier', 'begins with a letter'],
  ['an inner name', { '/custom/a/b': string('/note') }, '/rules/~1custom~1a~1b', 'begins with a letter'],
  [
    'a name twice',
    { '/custom/tier': string('/note'), '/custom/Tier': string('/note') },
    '/rules/~1custom~1Tier',
    'differs only in case',
  ],
  ['a constant', { '/custom/tier': { ...string('/note'), value: 'x' } }, '/rules/~1custom~1tier/value', 'not possible'],
  [
    'more than 50',
    Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`/custom/f${n}`, string('/note')])),
    '/rules',
    'more than 50',
  ],
])('a read mapping with %s of a custom field is rejected', async (_, rules, pointer, words) => {
  const { status, body } = await declare(rules)
  expect([status, body.code], JSON.stringify(body)).toEqual([422, 'validation_failed'])
  expect(body.errors).toContainEqual({ pointer, message: expect.stringContaining(words) })
})

it.each([
  ['a place that the connector cannot write', 'customer', 'string', '/note', '/reference_id (string)'],
  ['a type that its place does not have', 'customer', 'object', '/birthday', 'as an object'],
  ['an entity without places', 'order', 'string', '/note', 'takes no custom fields'],
])('a write mapping with %s is rejected', async (_, entityType, type, to, words) => {
  const { status, body } = await declare({ '/custom/tier': { type, to } }, 'write', { entityType })
  expect([status, body.code], JSON.stringify(body)).toEqual([422, 'validation_failed'])
  const pointer = '/rules/~1custom~1tier/to'
  expect(body.errors).toEqual([{ pointer, message: expect.stringContaining(words) }])
})

it('two custom fields cannot be written to one place', async () => {
  const to = { type: 'string', to: '/birthday' }
  const { status, body } = await declare({ '/custom/one': to, '/custom/two': to }, 'write', { entityType: 'customer' })
  expect([status, body.errors]).toEqual([
    422,
    [{ pointer: '/rules/~1custom~1two/to', message: 'is where /custom/one is written; choose another' }],
  ])
})

it('a mapping of a platform declares custom fields, and one of a whole workspace cannot', async () => {
  const shared = { entityType: 'customer', name: 'shared', direction: 'write' }
  const rules = { '/custom/born': { type: 'string', to: '/birthday' } }
  const everywhere = await harness.manage('POST', '/mappings', { ...shared, rules })
  expect([everywhere.status, everywhere.body.errors[0].message]).toEqual([422, expect.stringContaining('Set platform')])
  expect((await harness.manage('POST', '/mappings', { ...shared, rules, platform: 'square' })).status).toBe(201)
})

const readRules = {
  '/custom/born': string('/birthday'),
  '/custom/made': string('/created_at'),
  '/custom/version': { type: 'integer', from: '/version' },
  '/custom/settings': { type: 'object', from: '/preferences' },
  '/custom/marks': { type: 'array', from: '/nothing' },
  '/custom/wrong': { type: 'boolean', from: '/id' },
}

it('custom fields are read, written back without a call of their own, and refused where they are read-only', async () => {
  const [seeded] = (await get('/customer?pageSize=1')).data
  expect(seeded).not.toHaveProperty('custom')
  await byDefault(readRules)
  const path = `${base}/customer/${seeded.externalId}`
  const put = (custom: unknown, record: object = seeded) => harness.call('PUT', path, { ...record, custom })
  const writes = async (custom: unknown): Promise<[string, unknown][]> => {
    harness.sandbox.clearCalls('square')
    const { status, body } = await put(custom)
    expect(status, JSON.stringify(body)).toBe(200)
    const sent = calls().filter(({ method }) => method !== 'GET')
    return sent.map((call): [string, unknown] => [call.method, call.body])
  }
  const { data, warnings } = await get(`/customer/${seeded.externalId}`)
  expect(data.custom).toEqual({
    made: expect.stringMatching(/^20/),
    version: expect.any(Number),
    settings: expect.any(Object),
    ...(data.custom.born ? { born: data.custom.born } : {}),
  })
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'value_unknown', pointer: '/custom/wrong' }))
  expect((await get(`/customer/${seeded.externalId}?fields=custom.made`)).data).toEqual({
    externalId: seeded.externalId,
    custom: { made: data.custom.made },
  })
  const { made } = data.custom
  const [plain, same, changed] = [await writes({}), await writes({ made }), await writes({ made, born: '1990-05-01' })]
  expect([plain.length, same.length]).toEqual([1, 1])
  expect(changed).toHaveLength(2)
  expect(changed[1]).toEqual(['PUT', { birthday: '1990-05-01' }])
  expect((await get(`/customer/${seeded.externalId}`)).data.custom.born).toBe('1990-05-01')
  const refused = await put({ born: 'May 1990' })
  expect([refused.status, refused.body.code]).toEqual([409, 'partially_written'])
  expect(refused.body.errors).toEqual([{ pointer: '/custom/born', message: expect.stringContaining('YYYY-MM-DD') }])
  harness.sandbox.clearCalls('square')
  for (const [custom, code, pointer, words] of [
    [{ made: '2020-01-01T00:00:00Z' }, 'target_refuses', '/custom/made', 'is read-only'],
    [{ made: null }, 'target_refuses', '/custom/made', 'send the value that was read'],
    [{ borm: '1990-05-01' }, 'validation_failed', '/custom/borm', 'did you mean "born"?'],
    [{ __proto: 1 }, 'validation_failed', '/custom/__proto', 'declare it in a mapping'],
    [{ born: 7 }, 'validation_failed', '/custom/born', 'must be a string, or null to clear it'],
    [{ version: 1.5 }, 'validation_failed', '/custom/version', 'must be an integer'],
    ['gold', 'validation_failed', '/custom', 'must be an object'],
    [null, 'validation_failed', '/custom', 'set it to null'],
  ] as const) {
    const { status, body } = await put(custom)
    expect([status, body.code], JSON.stringify(body)).toEqual([422, code])
    expect(body.errors).toContainEqual({ pointer, message: expect.stringContaining(words) })
  }
  const created = await harness.call('POST', `${base}/customer`, {
    ...{ externalId: 'CUSTOM-1', name: 'Ada Byron', custom: { made: '2020-01-01T00:00:00Z' } },
  })
  expect([created.status, created.body.code]).toEqual([422, 'target_refuses'])
  expect(calls().filter(({ method }) => method !== 'GET')).toEqual([])
  const undeclared = await harness.call('POST', `${base}/category`, { externalId: 'C', name: 'C', custom: { a: 1 } })
  expect(undeclared.body.errors).toEqual([{ pointer: '/custom', message: expect.stringContaining('declare them') }])
})

it('the account describes its custom fields, and the change feed has them', async () => {
  await byDefault(readRules, 'read', watched)
  await byDefault({ '/custom/alias': { type: 'string', to: '/reference_id' } }, 'write', watched)
  const { custom } = (await get('', watched)).entities.customer
  expect(custom).toMatchObject({
    type: 'object',
    additionalProperties: false,
    properties: {
      born: { type: 'string' },
      made: { type: 'string', readOnly: true },
      version: { type: 'integer', readOnly: true },
      alias: { type: 'string', writeOnly: true },
    },
  })
  expect(custom.properties.born).not.toHaveProperty('readOnly')
  const cursor = await watchCustomers()
  const [customer] = (await get('/customer?pageSize=1', watched)).data
  const { status, body } = await harness.call('PUT', `/unified/${watched}/customer/${customer.externalId}`, {
    ...customer,
    notes: 'with a custom field',
    custom: { born: '1991-02-03', alias: 'A-1' },
  })
  expect([status, body.data.custom.born], JSON.stringify(body)).toEqual([200, '1991-02-03'])
  const latest = async () => (await get(`/changes?cursor=${cursor}`, watched)).data?.at(-1)?.record
  await expect.poll(latest).toMatchObject({ notes: 'with a custom field', custom: { born: '1991-02-03' } })
})

it.each([
  ['nothing', 'search=', 'invalid_parameter', 'search must not be empty. Send a name'],
  ['spaces', 'search=%20%20', 'invalid_parameter', 'search must not be empty'],
  [
    'too much',
    `search=${'x'.repeat(201)}`,
    'invalid_parameter',
    'search must have at most 200 characters. Send a part',
  ],
  ['control characters', 'search=a%07b', 'invalid_parameter', 'search must be well-formed text'],
  ['two texts', 'search=a&search=b', 'invalid_parameter', 'more than once'],
  ['a source id beside it', 'search=a&externalId=b', 'invalid_parameter', 'externalId cannot be combined'],
  ['a time', 'search=a&updatedAfter=2020-01-01T00:00:00Z', 'invalid_parameter', 'Remove one of them'],
  ['a misspelt name', 'serach=a', 'unknown_parameter', 'did you mean "search"?'],
])('a search with %s is rejected', async (_, query, code, words) => {
  const body = await get(`/customer?${query}`)
  expect([body.status, body.code], JSON.stringify(body)).toEqual([400, code])
  expect(body.detail).toContain(words)
})

it('a search and a cursor belong together, and a platform that cannot search says so', async () => {
  const { pagination } = await get('/customer?pageSize=1')
  const foreign = await get(`/customer?cursor=${pagination.cursor}&search=a`)
  expect([foreign.code, foreign.detail]).toEqual(['invalid_cursor', expect.stringContaining('Send the cursor alone')])
  const [employee] = (await get('/employee?pageSize=1')).data
  const byName = await get(`/employee?search=${encodeURIComponent(employee.name)}`)
  expect(byName.data).toEqual([])
  expect(byName.warnings).toEqual([{ code: 'search_by_id_only', message: expect.stringContaining('read the list') }])
  expect((await get(`/employee?search=${employee.externalId}`)).data).toEqual([employee])
  const [customer] = (await get('/customer?pageSize=1')).data
  const bySome = await get(`/customer?search=${encodeURIComponent(customer.name)}`)
  expect(bySome.data).toEqual([])
  expect(bySome.warnings).toEqual([
    { code: 'search_by_some_fields', message: expect.stringContaining('only by email and phone') },
  ])
  const [product] = (await get('/product?pageSize=1')).data
  const { externalId, sku } = product
  const found = await get(`/product?search=${sku}&include=native&fields=sku`)
  expect(found.data).toEqual([{ externalId, sku }])
  expect(found.native[externalId].responses[0]).toMatchObject({ path: '/v2/catalog/search-catalog-items' })
})

it('a credential with hidden fields cannot search where the platform looks into them', async () => {
  const { key } = (await harness.manage('POST', '/api-keys', { name: 'blind', hiddenFields: ['email'] })).body
  const found = (path: string) => harness.call('GET', base + path, undefined, { authorization: `Bearer ${key}` })
  const { status, body } = await found('/customer?search=ada%40example.com')
  expect([status, body.code, body.limit]).toEqual([403, 'insufficient_scope', 'hiddenFields'])
  expect(body.detail).toContain('by email, which this API key does not show. Use the id')
  expect((await found('/product?search=espresso')).status).toBe(200)
})

it('the mark of an own write at the platform is not a custom value', async () => {
  await byDefault({ '/custom/ref': string('/reference_id'), '/custom/made': string('/created_at') })
  const record = { externalId: 'MARKED', name: 'Ada Marked' }
  const { status, body } = await harness.call('POST', `${base}/customer`, record)
  expect([status, body.data.custom], JSON.stringify(body)).toEqual([201, { made: expect.stringMatching(/^20/) }])
})
