// Prices are those of stores: a till charges what its store's entry says, whatever the default price is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, startLoyverse } from '../../../test/platforms/loyverse.ts'
import type { Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { personalToken } from './simulator/simulator.ts'

let harness: Harness
const everywhere = 'all-stores' // an account without storeId
beforeAll(async () => {
  harness = await startLoyverse()
  const made = await harness.manage('POST', '/accounts', {
    id: everywhere,
    platform: 'loyverse',
    vertical: 'retail_pos',
    credentials: { accessToken: personalToken },
    settings: {},
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  expect(made.body.settings ?? {}).not.toHaveProperty('storeId')
})
afterAll(() => harness?.close())

const { call: send, native } = clientOf(() => harness)
const call = (account: string, method: string, path: string, body?: unknown) => send(method, path, body, account)
const put = async (account: string, record: AnyRecord): Promise<AnyRecord> => {
  const { status, body } = await call(account, 'PUT', `/product/${record.externalId}`, record)
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}
const stores = () => [harness.tenants[0]!.settings.storeId!, ...harness.tenants[0]!.locations]
/** `prices` are those of the three stores; null is a price that is set at the sale. */
async function item(default_price: number, prices: (number | null)[], notSoldIn: readonly number[] = []) {
  const made = await native('POST', '/items', {
    item_name: 'Lamp',
    variants: [
      {
        default_pricing_type: 'FIXED',
        default_price,
        stores: prices.map((price, n) => ({
          store_id: stores()[n],
          ...(price === null ? { pricing_type: 'VARIABLE' } : { pricing_type: 'FIXED', price }),
          available_for_sale: !notSoldIn.includes(n),
          low_stock: 3,
        })),
      },
    ],
  })
  return made.variants[0].variant_id as string
}
/** What each till charges when the cashier enters no price. */
async function charged(variant_id: string): Promise<number[]> {
  const { payment_types } = await native('GET', '/payment_types')
  const found: number[] = []
  for (const store_id of stores()) {
    const receipt = await native('POST', '/receipts', {
      store_id,
      line_items: [{ variant_id, quantity: 1 }],
      payments: [{ payment_type_id: payment_types[0].id }],
    })
    found.push(receipt.line_items[0].price)
  }
  return found
}
const prices = async (id: string) => {
  const variant = await native('GET', `/variants/${id}`)
  const of = (store: string) => variant.stores.find((entry: AnyRecord) => entry.store_id === store).price
  return [variant.default_price, ...stores().map(of)]
}

describe('without storeId, a price', () => {
  it('is what all stores charge, and a new one reaches every till', async () => {
    const id = await item(5, [7, 7, 7])
    const { body } = await call(everywhere, 'GET', `/product/${id}`)
    expect([body.data.price, body.warnings]).toEqual([7, undefined])
    expect((await put(everywhere, { ...body.data, price: 8 })).data.price).toBe(8)
    expect(await charged(id)).toEqual([8, 8, 8])
    expect(await prices(id)).toEqual([8, 8, 8, 8])
    expect((await native('GET', `/variants/${id}`)).stores[1].low_stock).toBe(3)
  })
  it('counts the stores that sell the product; the price of another store stays', async () => {
    const id = await item(5, [7, 7, 9], [2])
    const { body } = await call(everywhere, 'GET', `/product/${id}`)
    expect([body.data.price, body.warnings]).toEqual([7, undefined])
    await put(everywhere, { ...body.data, price: 8 })
    expect(await prices(id)).toEqual([5, 8, 8, 9])
  })
  it.each([
    { of: [7, 9, 7], reason: '7 and 9' },
    { of: [7, null, 7], reason: '7 and one that is set at the sale' },
  ])('is left out with a warning where stores differ: $of', async ({ of, reason }) => {
    const id = await item(7, of)
    const single = await call(everywhere, 'GET', `/product/${id}`)
    const page = await call(everywhere, 'GET', '/product?pageSize=5')
    for (const { body } of [single, page]) {
      const warnings = body.warnings.filter((warning: AnyRecord) => warning.id === id)
      expect(warnings).toEqual([
        {
          code: 'value_unknown',
          pointer: '/price',
          id,
          message: `The stores have different prices (${reason}), so none is returned. Set storeId in the settings of the account.`,
        },
      ])
    }
    expect(single.body.data).not.toHaveProperty('price')
    const before = await native('GET', `/variants/${id}`)
    await put(everywhere, single.body.data)
    expect(await native('GET', `/variants/${id}`)).toEqual(before)
    expect((await put(everywhere, { ...single.body.data, price: 6 })).data.price).toBe(6)
    expect(await charged(id)).toEqual([6, 6, 6])
  })
  it('becomes one that is set at the sale in every store', async () => {
    const id = await item(5, [7, 7, 7])
    const { price: _, ...record } = (await call(everywhere, 'GET', `/product/${id}`)).body.data
    const { data, warnings } = await put(everywhere, record)
    expect([data.price, warnings]).toEqual([undefined, undefined])
    const { stores: entries } = await native('GET', `/variants/${id}`)
    expect(entries.map((entry: AnyRecord) => entry.pricing_type)).toEqual(['VARIABLE', 'VARIABLE', 'VARIABLE'])
  })
})

describe('with storeId, a price', () => {
  const account = 'loyverse-retail_pos'
  it('is that of the store, and a new one reaches the stores that had the same', async () => {
    const id = await item(5, [7, 9, 7])
    const { body } = await call(account, 'GET', `/product/${id}`)
    expect([body.data.price, body.warnings]).toEqual([7, undefined])
    const before = await native('GET', `/variants/${id}`)
    await put(account, body.data)
    expect(await native('GET', `/variants/${id}`)).toEqual(before)
    expect((await put(account, { ...body.data, price: 8 })).data.price).toBe(8)
    expect(await charged(id)).toEqual([8, 9, 8])
    expect(await prices(id)).toEqual([5, 8, 9, 8])
  })
})

describe('a new product', () => {
  it('has its price in every store, sold or not', async () => {
    for (const [n, active] of [true, false].entries()) {
      const record = { externalId: `NEW-${n}`, name: `Jug ${n}`, price: 12, active }
      const { status, body } = await call(everywhere, 'POST', '/product', record)
      expect(status, JSON.stringify(body)).toBe(201)
      expect(body.data).toMatchObject({ price: 12, active })
      expect(await charged(body.data.externalId)).toEqual([12, 12, 12])
    }
  })
})
