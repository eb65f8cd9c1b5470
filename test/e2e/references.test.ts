// Whose ids references are, and whose id is `externalId`, in both address forms.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

let harness: Harness
const base = '/unified/square-restaurant'
let customer: string // at the platform, written under C-1
let location: string

beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
  location = harness.tenants[0]?.locations[0] as string
  await harness.manage('PUT', '/accounts/square-restaurant/references', {
    entityType: 'location',
    sourceId: 'MAIN',
    nativeId: location,
  })
  customer = (await harness.call('POST', `${base}/customer`, { externalId: 'C-1', name: 'Ada Lovelace' })).body
    .reference.id
})
afterAll(() => harness.close())

const orderOf = (externalId: string, customerExternalId: string, locationExternalId = 'MAIN') => ({
  externalId,
  customerExternalId,
  locationExternalId,
  lineItems: [{ name: 'Water', unitPrice: 1, quantity: 1 }],
})
const orders = () => harness.tenants[0]?.records.order?.ids().length

/** The same calls with an access token and mapping keys. */
async function formB() {
  const access = (await harness.manage('POST', '/access-ids', { name: 'b' })).body
  const prefix = `${harness.url}/api/1.0/standalone-link-engine-service`
  const token = await fetch(`${prefix}/oauth/server/access-token`, {
    method: 'POST',
    body: new URLSearchParams({
      client_id: access.id,
      client_secret: access.secret,
      grant_type: 'client_credentials',
    }),
  }).then(async (response) => ((await response.json()) as { access_token: string }).access_token)
  const keys = (await harness.manage('GET', '/accounts/square-restaurant/mapping-keys')).body.data
  const { key } = keys.find(({ direction }: { direction: string }) => direction === 'write')
  return async (method: string, path: string, query: string, body: unknown) => {
    const response = await fetch(`${prefix}${path}?mappingKey=${key}&${query}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    // biome-ignore lint/suspicious/noExplicitAny: responses of any type
    return { status: response.status, body: (await response.json()) as any }
  }
}
const formA = async () => (method: string, path: string, query: string, body: unknown) =>
  harness.call(method, `${path}?${query}`, body)

it.each([
  ['A', formA],
  ['B', formB],
] as const)('references of POST and PUT are read as the parameter says, in form %s', async (form, connect) => {
  const call = await connect()
  const key = (name: string) => `${form}-${name}`
  const before = orders()
  const unknown = await call('POST', `${base}/order`, 'references=source', orderOf(key('1'), customer, location))
  expect([unknown.status, unknown.body.code]).toEqual([422, 'unknown_reference'])
  expect(unknown.body.errors).toEqual([
    { pointer: '/customerExternalId', message: expect.stringContaining(JSON.stringify(customer)) },
    { pointer: '/locationExternalId', message: expect.stringContaining(JSON.stringify(location)) },
  ])
  expect(unknown.body.detail).toMatch(/link their platform ids/)
  expect(orders()).toBe(before)

  const written = await call('POST', `${base}/order`, 'references=source', orderOf(key('1'), 'C-1'))
  expect([written.status, written.body.data.customerExternalId], JSON.stringify(written.body)).toEqual([201, customer])
  const assumed = await call('POST', `${base}/order`, '', orderOf(key('2'), customer))
  expect(assumed.body.warnings).toContainEqual(
    expect.objectContaining({ code: 'reference_assumed', pointer: '/customerExternalId' }),
  )
  const replayed = await call('POST', `${base}/order`, 'references=source', orderOf(key('2'), customer))
  expect([replayed.status, replayed.body.warnings]).toEqual([200, assumed.body.warnings])
  const platform = await call('POST', `${base}/order`, 'references=platform', orderOf(key('3'), customer, location))
  expect(platform.status, JSON.stringify(platform.body)).toBe(201)
  expect(JSON.stringify(platform.body.warnings ?? [])).not.toContain('reference_assumed')

  const path = `${base}/order/${written.body.reference.id}`
  const { data } = written.body
  for (const mode of ['auto', 'source', 'platform']) {
    const back = await call('PUT', path, `references=${mode}`, data)
    expect([mode, back.status, back.body.data]).toEqual([mode, 200, data])
    expect(JSON.stringify(back.body.warnings ?? [])).not.toContain('ExternalId')
  }
  const changed = await call('PUT', path, 'references=source', { ...data, customerExternalId: 'C-NEVER' })
  expect([changed.status, changed.body.code]).toEqual([422, 'unknown_reference'])
  const wrong = await call('PUT', path, 'references=mine', data)
  expect([wrong.status, wrong.body.code, wrong.body.detail]).toEqual([
    400,
    'invalid_parameter',
    'references must be one of auto, source, platform.',
  ])
})

it('a path with a source id is 404 and names the platform id', async () => {
  const expected = { code: 'record_not_found', reference: { externalId: 'C-1', id: customer } }
  expect(await harness.call('GET', `${base}/customer/C-1`)).toMatchObject({ status: 404, body: expected })
  const body = { externalId: 'C-1', name: 'Ada King' }
  const put = await harness.call('PUT', `${base}/customer/C-1`, body)
  expect(put).toMatchObject({ status: 404, body: expected })
  expect(put.body.detail).toContain(`The platform's id of that record is "${customer}"`)
  expect((await harness.call('GET', `${base}/customer/C-NEVER`)).body.reference).toBeUndefined()
})

it('the externalId in the body of a PUT names the record in the path, or is refused or ignored', async () => {
  const other = (await harness.call('POST', `${base}/customer`, { externalId: 'C-2', name: 'Grace Hopper' })).body
    .reference.id
  const put = (externalId: string) =>
    harness.call('PUT', `${base}/customer/${customer}`, { externalId, name: 'Ada King' })
  for (const externalId of ['C-1', customer])
    expect((await put(externalId)).body).toMatchObject({
      data: { externalId: customer },
      reference: { externalId, id: customer, replayed: false },
    })
  for (const externalId of ['C-2', other])
    expect(await put(externalId)).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: [{ pointer: '/externalId' }] },
    })
  expect((await put('C-NEVER')).body).toMatchObject({
    data: { externalId: customer },
    reference: { externalId: customer, id: customer, replayed: false },
    warnings: expect.arrayContaining([
      expect.objectContaining({ code: 'external_id_ignored', pointer: '/externalId' }),
    ]),
  })
})

it('the filter externalId takes source ids, written or linked, and says so', async () => {
  const known = harness.tenants[0]?.records.customer?.ids()[0] as string
  await harness.manage('PUT', '/accounts/square-restaurant/references', {
    entityType: 'customer',
    sourceId: 'C-LINKED',
    nativeId: known,
  })
  expect((await harness.call('GET', `${base}/customer?externalId=C-LINKED`)).body).toMatchObject({
    data: [{ externalId: known }],
    reference: { externalId: 'C-LINKED', outcome: 'linked', id: known },
  })
  const { body } = await harness.call('GET', `${base}/customer?externalId=${customer}`)
  expect(body).toEqual({
    data: [],
    pagination: { hasMore: false },
    warnings: [{ code: 'external_id_unknown', message: expect.stringMatching(/takes your source id/) }],
  })
})

it('a deleted reference does not free its key, and a replay restores it', async () => {
  const record = { externalId: 'C-DELETED', name: 'Mary Shelley' }
  const written = await harness.call('POST', `${base}/customer`, record)
  const { id } = written.body.reference
  const customers = () => harness.tenants[0]?.records.customer?.ids().length
  const before = customers()
  const remove = () => harness.manage('DELETE', '/accounts/square-restaurant/references/customer/C-DELETED')
  expect((await remove()).status).toBe(204)

  const refused = await harness.call('POST', `${base}/order?references=source`, orderOf('O-DELETED', 'C-DELETED'))
  expect(refused).toMatchObject({
    status: 422,
    body: {
      errors: [{ pointer: '/customerExternalId', message: expect.stringMatching(/was deleted. Repeat its POST/) }],
    },
  })
  expect((await harness.call('GET', `${base}/customer?externalId=C-DELETED`)).body).toMatchObject({
    data: [{ externalId: id }],
    reference: { outcome: 'done', id },
  })
  const conflict = await harness.call('POST', `${base}/customer`, { ...record, name: 'Mary Godwin' })
  expect([conflict.status, conflict.body.code]).toEqual([409, 'idempotency_conflict'])

  const replayed = await harness.call('POST', `${base}/customer`, record)
  expect(replayed).toMatchObject({ status: 200, body: { reference: { id, replayed: true } } })
  expect(customers()).toBe(before)
  expect((await harness.call('GET', `${base}/customer/C-DELETED`)).body.reference).toEqual({
    externalId: 'C-DELETED',
    id,
  })
  const order = await harness.call('POST', `${base}/order?references=source`, orderOf('O-DELETED', 'C-DELETED'))
  expect([order.status, order.body.data.customerExternalId]).toEqual([201, id])
})

it('a source id that is linked after its write names the linked record, and a replay leaves it so', async () => {
  const record = { externalId: 'C-MOVED', name: 'Emmy Noether' }
  const written = await harness.call('POST', `${base}/customer`, record)
  await harness.manage('PUT', '/accounts/square-restaurant/references', {
    entityType: 'customer',
    sourceId: 'C-MOVED',
    nativeId: customer,
  })
  const replayed = await harness.call('POST', `${base}/customer`, record)
  expect(replayed.body.reference).toMatchObject({ id: written.body.reference.id, replayed: true })
  expect((await harness.call('GET', `${base}/customer?externalId=C-MOVED`)).body).toMatchObject({
    data: [{ externalId: customer }],
    reference: { outcome: 'linked', id: customer },
  })
})

it('the published schemas say whose id each id is', async () => {
  const { body: document } = await harness.call('GET', '/openapi.json')
  const { schemas } = document.components
  const described = (name: string) => schemas[name].properties.externalId.description as string
  const records = ['Product', 'Order', 'Customer', 'Category', 'Employee', 'TimeEntry', 'Shift', 'Location']
  for (const name of records) expect(described(name)).toMatch(/^The platform's id of the/)
  const inputs = records.filter((name) => schemas[`${name}Input`]).map((name) => `${name}Input`)
  expect(inputs).toHaveLength(5)
  for (const name of inputs) expect(described(name)).toMatch(/^In a POST body, your own/)
  const line = (name: string) => schemas[name].properties.productExternalId.description
  expect(line('OrderLineItem')).toBe("The platform's id of the product")
  expect(line('OrderLineItemInput')).toContain('`references`')
  const published = (await harness.call('GET', '/schemas/restaurant/order.json')).body
  expect(published.properties.externalId.description).toBe(described('OrderInput'))
})

it('an error that asks for a location lists the open ones with their names, and creates nothing', async () => {
  const before = orders()
  const open = (await harness.call('GET', `${base}/location`)).body.data.filter(
    (one: { active: boolean }) => one.active,
  )
  const choices = open.map((one: { externalId: string; name: string }) => ({ value: one.externalId, label: one.name }))
  expect(choices.length).toBeGreaterThan(1)
  const { locationExternalId: _, ...nowhere } = orderOf('O-NOWHERE', 'C-1')
  for (const [code, record] of [
    ['target_requires', nowhere],
    ['target_refuses', orderOf('O-ELSEWHERE', 'C-1', 'L-NONE')],
  ] as const) {
    const { status, body } = await harness.call('POST', `${base}/order`, record)
    expect([status, body.code, body.errors]).toEqual([
      422,
      code,
      [
        {
          pointer: '/locationExternalId',
          message: expect.stringContaining(`${choices[0].value} (${choices[0].label})`),
          choices,
        },
      ],
    ])
  }
  expect(orders()).toBe(before)
})

it('an error that asks for a location stays as it is if the platform does not return them', async () => {
  const { locationExternalId: _, ...nowhere } = orderOf('O-BROKEN', 'C-1')
  // The list of locations that the refusal needs is cached, so the account is asked for it once more.
  await harness.manage('PATCH', '/accounts/square-restaurant', { name: 'Harbor' })
  harness.sandbox.fault('square', { kind: 'error_before', path: '/v2/locations', skip: 1 })
  const { status, body } = await harness.call('POST', `${base}/order`, nowhere)
  harness.sandbox.clearFaults('square')
  expect(harness.sandbox.calls('square').some(({ fault }) => fault === 'error_before')).toBe(true)
  expect([status, body.code, Object.keys(body.errors[0])]).toEqual([422, 'target_requires', ['pointer', 'message']])
})
