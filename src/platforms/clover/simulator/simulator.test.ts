// The simulator by itself, used by a client that is written only from Clover's documentation.
import { describe, expect, it } from 'vitest'
import { createState } from '../../../sandbox/collection.ts'
import type { WireResponse } from '../../../sandbox/simulator.ts'
import { createCloverSimulator } from './simulator.ts'

const day = 86_400_000
const now = Date.parse('2026-11-10T12:00:00.000Z')
// biome-ignore lint/suspicious/noExplicitAny: responses of any shape
type Answer = { status: number; body: any; headers: Readonly<Record<string, string>> }

function start(size: 'small' | 'full' = 'small') {
  const simulator = createCloverSimulator({
    size,
    now: () => now,
    seededAt: now,
    state: createState(),
    origin: 'http://sandbox/clover',
  })
  const { credentials, settings } = simulator.tenants[0]!
  const send = async (
    method: string,
    target: string,
    body?: unknown,
    headers: Record<string, string> = { authorization: `Bearer ${credentials.accessToken}` },
  ): Promise<Answer> => {
    const { pathname, searchParams } = new URL(target, 'http://sandbox')
    const form = body instanceof URLSearchParams
    const type: Record<string, string> =
      body === undefined ? {} : { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' }
    const text = body === undefined ? '' : form ? body.toString() : JSON.stringify(body)
    const answer: WireResponse = await simulator.handle({
      method,
      path: pathname,
      query: searchParams,
      headers: { ...type, ...headers },
      body: text,
    })
    return { headers: {}, body: undefined, ...answer }
  }
  const rest = (method: string, target: string, body?: unknown) =>
    send(method, `/v3/merchants/${settings.merchantId}${target}`, body)
  return { simulator, credentials, settings, send, rest }
}

describe('a merchant', () => {
  it('is seeded with years of business', () => {
    const { records } = start('full').simulator.tenants[0]!
    const counts = Object.fromEntries(Object.entries(records).map(([entity, { ids }]) => [entity, ids().length]))
    expect(counts).toEqual({
      product: 260,
      category: 40,
      location: 1,
      order: 1217,
      customer: 300,
      employee: 42,
      time_entry: 2000,
      payment: 823,
      refund: 6,
      tax_rate: 3,
      payment_method: 8,
    })
  })
  it('consents on a page, and its id is only in the redirect', async () => {
    const { credentials, settings, send } = start()
    const query = `client_id=${credentials.clientId}&redirect_uri=${encodeURIComponent('https://app.example.com/back')}&state=s1`
    expect((await send('GET', `/oauth/v2/authorize?${query}`, undefined, {})).body).toContain('Harbor Kitchen')
    const { headers } = await send(
      'POST',
      '/oauth/v2/authorize',
      new URLSearchParams(`${query}&tenant=${settings.merchantId}&decision=approve`),
      {},
    )
    const back = new URL(headers.location!).searchParams
    expect([back.get('merchant_id'), back.get('state')]).toEqual([settings.merchantId, 's1'])
    const exchange = {
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
      code: back.get('code'),
    }
    const { body } = await send('POST', '/oauth/v2/token', exchange, {})
    expect([Object.keys(body), body.access_token_expiration]).toEqual([
      ['access_token', 'access_token_expiration', 'refresh_token', 'refresh_token_expiration'],
      now / 1000 + 1800,
    ])
    expect((await send('POST', '/oauth/v2/token', exchange, {})).status).toBe(401)
    const refresh = { client_id: credentials.clientId, refresh_token: body.refresh_token }
    expect([
      (await send('POST', '/oauth/v2/refresh', refresh, {})).status,
      (await send('POST', '/oauth/v2/refresh', refresh, {})).status,
    ]).toEqual([200, 401])
  })
  it('is not visible to others', async () => {
    const { send, credentials } = start()
    expect(
      await send('GET', '/v3/merchants/0THERMERCHANT/items', undefined, {
        authorization: `Bearer ${credentials.accessToken}`,
      }),
    ).toMatchObject({
      status: 401,
      body: { message: '401 Unauthorized' },
    })
  })
})

describe('orders', () => {
  it('older than 90 days are silently omitted, unless their own window is requested', async () => {
    const { rest, simulator } = start('full')
    const all = simulator.tenants[0]!.records.order!.ids().length + 2 // a test and a manual refund
    const count = async (...filters: string[]) => {
      const { body } = await rest(
        'GET',
        `/orders?limit=1000&${filters.map((filter) => `filter=${encodeURIComponent(filter)}`).join('&')}`,
      )
      return body.elements.length as number
    }
    const recent = await count(`modifiedTime>=${now - 400 * day}`)
    expect([recent < all, recent]).toEqual([true, await count()])
    const older = await Promise.all(
      [1, 2, 3, 4].map((n) => count(`modifiedTime>=${now - (n + 1) * 90 * day}`, `modifiedTime<${now - n * 90 * day}`)),
    )
    expect(recent + older.reduce((sum, n) => sum + n, 0)).toBe(all)
  })
  it("are hidden until they have a state, store the client's total, and ignore a reference on create", async () => {
    const { rest } = start()
    const { body } = await rest('POST', '/orders', { total: 777, externalReferenceId: 'REF' })
    const listed = async () =>
      (await rest('GET', '/orders?limit=1000')).body.elements.some(({ id }: { id: string }) => id === body.id)
    expect([body.total, body.externalReferenceId, await listed()]).toEqual([777, undefined, false])
    await rest('POST', `/orders/${body.id}`, { state: 'open' })
    expect(await listed()).toBe(true)
  })
  it('reject positive discounts, bulk lines without a price and more than a hundred of them', async () => {
    const { rest } = start()
    const { body } = await rest('POST', '/orders', { state: 'open' })
    const lines = `/orders/${body.id}`
    const [line] = (await rest('POST', `${lines}/bulk_line_items`, { items: [{ name: 'Tea', price: 100 }] })).body
    expect((await rest('POST', `${lines}/line_items/${line.id}/discounts`, { name: 'D', amount: 50 })).status).toBe(400)
    expect((await rest('POST', `${lines}/line_items/${line.id}/discounts`, { name: 'D', amount: -50 })).status).toBe(
      200,
    )
    expect((await rest('POST', `${lines}/bulk_line_items`, { items: [{ name: 'Tea' }] })).status).toBe(400)
    expect(
      (await rest('POST', `${lines}/bulk_line_items`, { items: Array(101).fill({ name: 'Tea', price: 1 }) })).status,
    ).toBe(400)
    expect(
      (await rest('GET', `${lines}/line_items?expand=discounts`)).body.elements[0].discounts.elements[0].amount,
    ).toBe(-50)
  })
})

it('rejects unknown filters and a fourth expansion, and returns lists newest first in pages without an end marker', async () => {
  const { rest } = start()
  expect((await rest('GET', '/items?filter=categories.id=X')).status).toBe(400)
  expect((await rest('GET', '/items?expand=tags,categories,taxRates,itemStock')).status).toBe(400)
  const { body, headers } = await rest('GET', '/categories?limit=2&offset=1')
  expect([body.elements.length, Object.keys(body)]).toEqual([2, ['elements', 'href']])
  expect(headers['x-clover-allowed-filter-fields']).toContain('modifiedTime')
  expect((await rest('GET', '/items/NOSUCHITEM000')).body).toEqual({ message: 'invalid ID' })
  expect((await rest('PUT', '/customers/X', {})).status).toBe(405)
})
