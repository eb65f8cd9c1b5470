// `fields=` and `include=native` on lists, single reads and the change feed: pages, cursors and pages read ahead.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

let harness: Harness
const base = '/unified/square-restaurant'

beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square', size: 'full', ownDisk: true })
})
afterAll(() => harness.close())

const get = async (path: string) => (await harness.call('GET', base + path)).body
const callsOf = async (path: string): Promise<number> => {
  harness.sandbox.clearCalls('square')
  await get(path)
  return harness.sandbox.calls('square').length
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
  const isDefault = await harness.manage('PUT', '/accounts/square-restaurant/mapping-defaults/product/read', {
    mappingId: mapping.body.id,
  })
  expect(isDefault.status, JSON.stringify(isDefault.body)).toBeLessThan(300)
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
  const first = await get('/customer?pageSize=2&include=native&fields=name')
  expect(Object.keys(first.native)).toEqual(first.data.map(({ externalId }: { externalId: string }) => externalId))
  let { cursor } = first.pagination
  for (let page = 0; page < 3; page++) {
    // The third page is read ahead while the second one is served.
    const next = await get(`/customer?cursor=${cursor}${page === 1 ? '&include=native' : ''}`)
    expect(Object.keys(next.native)).toHaveLength(2)
    expect(Object.keys(next.data[0]).toSorted()).toEqual(['externalId', 'name'])
    cursor = next.pagination.cursor
  }
  expect((await get(`/customer?cursor=${cursor}&fields=email`)).code).toBe('invalid_cursor')
  const plain = await get('/customer?pageSize=2')
  const walked = await get(`/customer?cursor=${plain.pagination.cursor}`)
  expect(walked.native).toBeUndefined()
  expect((await get(`/customer?cursor=${plain.pagination.cursor}&include=native`)).code).toBe('invalid_cursor')
  expect((await get(`/customer?cursor=${plain.pagination.cursor}&fields=name`)).code).toBe('invalid_cursor')
  expect((await get(`/customer?cursor=${walked.pagination.cursor}`)).native).toBeUndefined()
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

it('the change feed has what the platform has now, and only on request', async () => {
  await harness.manage('PUT', '/accounts/square-restaurant/watches/customer', {})
  const { data } = await get('/customer?pageSize=2')
  let cursor: string | undefined
  await expect
    .poll(async () => (cursor = (await get('/changes?entityType=customer')).pagination?.cursor), { timeout: 20_000 })
    .toBeDefined()
  for (const notes of ['one', 'two'])
    await harness.call('PUT', `${base}/customer/${data[1].externalId}`, { ...data[1], notes })
  const page = () => get(`/changes?cursor=${cursor}&include=native`)
  await expect.poll(async () => (await page()).data.length, { timeout: 20_000 }).toBeGreaterThan(0)
  const changes = await page()
  const { responses } = changes.native.customer[data[1].externalId]
  expect(responses[0].value.note).toBe('two')
  expect((await get(`/changes?cursor=${cursor}`)).native).toBeUndefined()
})
