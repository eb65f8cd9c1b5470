import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { Product } from '../../contract/entities/product.ts'
import { bigcommerce } from './connector.ts'
import { createBigcommerceSimulator } from './simulator/simulator.ts'

interface NativeProduct {
  id: number
  base_variant_id: number
  price: number
  sale_price: number
  variants: { id: number }[]
}
describe('the price of a product in a sale', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await createHarness({
      connectors: { bigcommerce },
      simulators: { bigcommerce: createBigcommerceSimulator },
      platform: 'bigcommerce',
    })
  })
  afterAll(() => harness.close())

  async function native(method: string, path: string, body?: object) {
    const { credentials, settings } = harness.tenants[0]!
    const response = await fetch(
      `${harness.sandbox.origin('bigcommerce')}/stores/${settings.storeHash}/v3/catalog/products${path}`,
      {
        method,
        headers: { 'x-auth-token': credentials.accessToken!, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
    )
    expect(response.status).toBe(200)
    return ((await response.json()) as { data: NativeProduct }).data
  }
  const call = (method: string, id: string, body?: object) =>
    harness.call(method, `/unified/bigcommerce-retail_pos/product/${id}`, body, { prefer: 'wait=60' })
  const read = async (id: string): Promise<Product> => (await call('GET', id)).body.data
  const puts = () => harness.sandbox.calls('bigcommerce').filter(({ method }) => method === 'PUT')
  const write = async (id: string, change: Partial<Product>) => {
    const { status, body } = await call('PUT', id, { ...(await read(id)), ...change })
    const warned = (body.warnings ?? []).filter(({ pointer }: { pointer?: string }) => pointer === '/price')
    return [status, body.data.price, warned]
  }

  it('is the sale price, and a record that is sent back as it was read changes nothing', async () => {
    const { id, base_variant_id } = await native('POST', '', {
      name: 'Vase',
      type: 'physical',
      weight: 0,
      price: 30,
      sale_price: 24,
    })
    expect((await read(`${id}:${base_variant_id}`)).price).toBe(24)
    const before = puts().length
    expect(await write(`${id}:${base_variant_id}`, {})).toEqual([200, 24, []])
    expect(puts()).toHaveLength(before)
    expect(await write(`${id}:${base_variant_id}`, { name: 'Tall vase' })).toEqual([200, 24, []])
    expect(await native('GET', `/${id}`)).toMatchObject({ name: 'Tall vase', price: 30, sale_price: 24 })
  })
  it('changes the sale price if it is below the list price, and otherwise ends the sale', async () => {
    const { id, base_variant_id } = await native('POST', '', {
      name: 'Bowl',
      type: 'physical',
      weight: 0,
      price: 30,
      sale_price: 24,
    })
    for (const [price, stored] of [
      [22.5, { price: 30, sale_price: 22.5 }],
      [30, { price: 30, sale_price: 0 }],
      [35, { price: 35, sale_price: 0 }],
      [20, { price: 20, sale_price: 0 }], // no sale now
    ] as const) {
      expect(await write(`${id}:${base_variant_id}`, { price })).toEqual([200, price, []])
      expect(await native('GET', `/${id}`)).toMatchObject(stored)
    }
  })
  it('is changed for one variant and not for the others, which share the sale', async () => {
    const { data } = (await harness.call('GET', '/unified/bigcommerce-retail_pos/product?pageSize=250')).body
    const ids = (data as Product[]).map(({ externalId }) => externalId)
    const id = ids.find((one, n) => ids[n + 1]?.split(':')[0] === one.split(':')[0])!
    const [product, variant] = id.split(':')
    const other = ids.find((one) => one !== id && one.startsWith(`${product}:`))!
    await native('PUT', `/${product}`, { price: 300, sale_price: 240 })
    await native('PUT', `/${product}/variants/${variant}`, { price: 310 })
    expect([(await read(id)).price, (await read(other)).price]).toEqual([240, 240])
    expect(await write(id, {})).toEqual([200, 240, []])
    for (const [price, stored] of [
      [230, { price: 310, sale_price: 230 }],
      [350, { price: 350, sale_price: 350 }],
    ] as const) {
      expect(await write(id, { price })).toEqual([200, price, []])
      const { price: list, sale_price, variants } = await native('GET', `/${product}?include=variants`)
      expect([list, sale_price]).toEqual([300, 240])
      expect(variants.find((one) => String(one.id) === variant)).toMatchObject(stored)
      expect((await read(other)).price).toBe(240)
    }
  })
})
