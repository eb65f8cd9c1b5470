// What a body means, whatever its spelling, and what becomes of the fields that a PUT leaves out.
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

let harness: Harness
const base = '/unified/square-restaurant'
/** A number with these characters in the body. TypeScript does not know this function of JSON yet. */
const spelled = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON

beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
})
afterAll(() => harness.close())

it('an empty text in an optional field is an absent field, and in a required field it is 422', async () => {
  const record = {
    externalId: 'E-1',
    name: 'Ada Lovelace',
    notes: 'first',
    address: { line1: 'Street 1', city: 'Rome' },
  }
  const first = await harness.call('POST', `${base}/customer`, record)
  expect(first.status, JSON.stringify(first.body)).toBe(201)
  const empty = { email: '', phone: '', companyName: '' }
  const again = await harness.call('POST', `${base}/customer`, {
    ...record,
    ...empty,
    address: { ...record.address, line2: '', country: '' },
  })
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  const put = await harness.call('PUT', `${base}/customer/${first.body.reference.id}`, {
    ...record,
    ...empty,
    notes: '',
    address: { line1: 'Street 1', city: '' },
  })
  expect(put.status, JSON.stringify(put.body)).toBe(200)
  expect([put.body.data.notes, put.body.data.address]).toEqual([undefined, { line1: 'Street 1' }])
  const refused = await harness.call('POST', `${base}/customer`, { externalId: 'E-2', name: '', email: '' })
  expect([refused.status, refused.body.errors]).toEqual([422, [{ pointer: '/name', message: 'must not be empty' }]])
})

it('a field that the platform does not store is reported if it was changed, and not in a record that is put back', async () => {
  const { data } = (await harness.call('GET', `${base}/customer?pageSize=1`)).body
  expect(data[0]).toHaveProperty('marketingAllowed')
  const put = async (change: object) =>
    (await harness.call('PUT', `${base}/customer/${data[0].externalId}`, { ...data[0], ...change })).body
  expect(await put({})).not.toHaveProperty('warnings')
  const { warnings } = await put({ marketingAllowed: !data[0].marketingAllowed })
  expect(warnings).toEqual([expect.objectContaining({ code: 'not_stored', pointer: '/marketingAllowed' })])
})

it('two spellings of an instant or a number are the same content, and two instants are not', async () => {
  const post = (processedAt: string, price: string) =>
    harness.call('POST', `${base}/order`, {
      externalId: 'I-1',
      processedAt,
      locationExternalId: harness.tenants[0]?.locations[0],
      lineItems: [{ name: 'Tea', quantity: 1, unitPrice: spelled(price) }],
    })
  const first = await post('2026-01-01T00:00:00Z', '1')
  expect(first.status, JSON.stringify(first.body)).toBe(201)
  for (const [instant, price] of [
    ['2026-01-01T01:00:00+01:00', '1.0'],
    ['2026-01-01T00:00:00.000Z', '1e0'],
    ['2025-12-31t18:30:00.0-05:30', '1.00'],
  ] as const) {
    const again = await post(instant, price)
    expect([instant, again.status, again.body.data]).toEqual([instant, 200, first.body.data])
  }
  const other = await post('2026-01-01T00:00:00+01:00', '1')
  expect([other.status, other.body.code, other.body.differences]).toEqual([
    409,
    'idempotency_conflict',
    [{ pointer: '/processedAt', written: '2026-01-01T00:00:00.000Z', asked: '2025-12-31T23:00:00.000Z' }],
  ])
  const invalid = await post('2026-02-30T00:00:00Z', '1')
  expect([invalid.status, invalid.body.errors[0].pointer]).toEqual([422, '/processedAt'])
})

it('the example of a PUT in docs/contract.md is true', async () => {
  const [, after = ''] = (await readFile('docs/contract.md', 'utf8')).split('### What a PUT leaves out')
  const [section = ''] = after.split(/^#+ /m)
  const [body, warnings] = [...section.matchAll(/```json\n(.*?)```/gs)].map(([, text]) => JSON.parse(text as string))
  const full = { ...body, description: 'Double', active: false, stockOnHand: 5, currencyCode: 'USD' }
  const created = await harness.call('POST', `${base}/product`, full)
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  const put = await harness.call('PUT', `${base}/product/${created.body.reference.id}`, body)
  expect([put.status, put.body.warnings], JSON.stringify(put.body)).toEqual([200, warnings])
  expect(put.body.data).toMatchObject({ active: false, stockOnHand: 5, price: 4.5, priceType: 'FIXED' })
  expect(put.body.data.description).toBeUndefined()
})

it('an order without a number has none, and a PUT that leaves it out does not invent one', async () => {
  const order = {
    externalId: 'N-1',
    locationExternalId: harness.tenants[0]?.locations[0],
    lineItems: [{ name: 'Tea', quantity: 1, unitPrice: 2 }],
  }
  const created = await harness.call('POST', `${base}/order`, order)
  expect([created.status, created.body.data.orderNumber]).toEqual([201, undefined])
  const path = `${base}/order/${created.body.reference.id}`
  expect((await harness.call('PUT', path, { ...order, orderNumber: 'T-7' })).body.data.orderNumber).toBe('T-7')
  const cleared = await harness.call('PUT', path, order)
  expect([cleared.status, cleared.body.data.orderNumber]).toEqual([200, undefined])
})
