// Which values a body can have, and how they come back, over real HTTP.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

let harness: Harness
let key: string
beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'lightspeed-x' })
  key = (await harness.manage('POST', '/api-keys', { name: 'values' })).body.key
})
afterAll(() => harness.close())

const account = '/unified/lightspeed-x-retail_pos'
async function send(method: string, path: string, body?: string) {
  const response = await fetch(`${harness.url}${account}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}
const dryRun = (entity: string, record: object | string) =>
  send('POST', `/${entity}?dryRun=check`, typeof record === 'string' ? record : JSON.stringify(record))
const errorsOf = ({ status, body }: { status: number; body: { errors?: { pointer: string; message: string }[] } }) =>
  [status, body.errors?.map(({ pointer, message }) => `${pointer} ${message}`)] as const

const order = (processedAt: string) => ({ externalId: 'V-1', processedAt, lineItems: [{ quantity: 1 }] })
const product = { externalId: 'V-2', name: 'Tea' }
const customer = { externalId: 'V-3', name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace' }

describe('a timestamp in a body', () => {
  it.each(['2026-11-10T18:30Z', '2026-11-11T00:00:00+05:30', '2026-11-11T00:00+0530', '2026-11-10T18:30:00,000Z'])(
    '%s is accepted',
    async (processedAt) => {
      expect((await dryRun('order', order(processedAt))).status).toBe(200)
    },
  )
  it.each([
    ['2026-11-10', 'is a date without a time'],
    ['2026-11-10T18:30:00', 'is a time without an offset'],
    ['2026-12-31T23:59:60Z', 'has a leap second'],
    ['0000-01-01T00:00:00Z', 'must be an ISO 8601 timestamp'],
  ])('%s is one violation that has an example', async (processedAt, reason) => {
    expect(errorsOf(await dryRun('order', order(processedAt)))).toEqual([
      422,
      [expect.stringMatching(`^/processedAt ${reason}.*such as 2026-11-10T18:30:00Z`)],
    ])
  })
  it('comes back in UTC with milliseconds, whatever its form', async () => {
    const products = await send('GET', '/product?pageSize=1')
    const { externalId: productExternalId } = products.body.data[0]
    const location = harness.tenants[0]?.locations?.[0]
    const written = await send(
      'POST',
      '/order',
      JSON.stringify({
        externalId: 'V-4',
        processedAt: '2026-11-11T00:00:00,5+0530',
        state: 'COMPLETED',
        ...(location ? { locationExternalId: location } : {}),
        lineItems: [{ productExternalId, quantity: 1, unitPrice: 1, lineTax: 0 }],
      }),
    )
    expect([written.status, written.body.data?.processedAt]).toEqual([
      201,
      expect.stringMatching(/^2026-11-10T18:30:00\.\d{3}Z$/),
    ])
  })
  it('is accepted in updatedAfter in the same forms', async () => {
    const status = async (value: string) =>
      (await send('GET', `/product?pageSize=1&updatedAfter=${encodeURIComponent(value)}`)).status
    expect(
      await Promise.all(['2026-11-10T18:30Z', '2026-11-11T00:00+0530', '2026-11-10T18:30:00,5Z'].map(status)),
    ).toEqual([200, 200, 200])
    expect(await Promise.all(['2026-11-10', '2026-12-31T23:59:60Z', '0000-01-01T00:00:00Z'].map(status))).toEqual([
      400, 400, 400,
    ])
  })
})

describe('one mistake is one violation', () => {
  it.each([
    [
      'product',
      { ...product, currencyCode: 'usd' },
      '/currencyCode must be an ISO 4217 currency code in upper case, such as USD',
    ],
    ['product', { ...product, externalId: '' }, '/externalId must not be empty'],
    ['product', { ...product, externalId: ' \u3000' }, '/externalId must not be blank'],
    [
      'product',
      { ...product, externalId: 'a\u0007b' },
      '/externalId must be well-formed text without control characters',
    ],
    ['product', { ...product, externalId: 'a\nb' }, '/externalId must be well-formed text without control characters'],
    ['product', { ...product, externalId: 'x'.repeat(513) }, '/externalId must have at most 512 characters'],
    ['customer', { ...customer, email: 'a@[127.0.0.1]' }, '/email must be an email address, such as ada@example.com'],
    ['order', { ...order('2026-11-10T18:30:00Z'), state: 5 }, expect.stringMatching(/^\/state must be/)],
    ['product', { ...product, price: null }, '/price must not be null; leave the field out'],
    [
      'product',
      '{"externalId":"V-2","name":"Tea","price":1e400}',
      '/price is a number outside the supported range; send a smaller one',
    ],
    ['product', { ...product, price: 1e13 }, '/price must be at most 1000000000000'],
    [
      'product',
      { ...product, priceType: 'FIXED' },
      '/priceType is a field of restaurant accounts only; remove it for this account',
    ],
    ['product', { ...product, prize: 1 }, '/prize is not a field of this entity; did you mean "price"?'],
    ['product', { ...product, wholesale: 1 }, '/wholesale is not a field of this entity; remove it'],
    [
      'customer',
      { ...customer, address: { citi: 'Rome' } },
      '/address/citi is not a field of this entity; did you mean "city"?',
    ],
  ])('%s %j: %s', async (entity, record, message) => {
    expect(errorsOf(await dryRun(entity, record))).toEqual([422, [message]])
  })
})

it('accepts every ISO 4217 code, also those without a minor unit', async () => {
  for (const currencyCode of ['XAU', 'XDR', 'XXX', 'XTS', 'KWD'])
    expect((await dryRun('product', { ...product, currencyCode })).body.errors, currencyCode).toBeUndefined()
})

it('an empty object is an absent address, but not an absent text', async () => {
  const refused = await dryRun('customer', { ...customer, address: { line1: {}, city: 'Kyoto' } })
  expect([refused.status, refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
    422,
    ['/address/line1'],
  ])
  expect((await dryRun('customer', { ...customer, address: {} })).status).toBe(200)
})
