// The sandbox looks like real businesses: anyone who tries the service sees its records first.
import { afterEach, describe, expect, it } from 'vitest'
import { chooseCases } from '../../test/case-choice.ts'
import { createHarness, type Harness } from '../conformance/harness.ts'
import type { AnyRecord } from '../conformance/subject.ts'
import type { EntityType } from '../contract/entity.ts'
import { orderFlaw } from '../contract/order-sum.ts'
import { articles, dishes, kindOf } from '../sandbox/goods.ts'
import { connectors } from './registry.ts'
import { simulators } from './simulators.ts'

const rates: Readonly<Record<string, number>> = { loyverse: 35 } // baht for a dollar
const sale: Readonly<Record<string, number>> = { woocommerce: 0.8, bigcommerce: 0.8 } // the price of a product on sale
const charged: Readonly<Record<string, number>> = { square: 0.18, 'lightspeed-k': 0.135 } // the service charge of an order, at most
let harness: Harness
afterEach(() => harness.close())

/** Enough to meet every kind of them. */
const mostRecords = 500
async function walk(path: string): Promise<AnyRecord[]> {
  const found: AnyRecord[] = []
  for (let query = '?pageSize=250'; query && found.length < mostRecords; ) {
    const { status, body } = await harness.call('GET', `${path}${query}`, undefined, { prefer: 'wait=60' })
    expect(status, JSON.stringify(body)).toBe(200)
    found.push(...body.data)
    query = body.pagination.cursor ? `?cursor=${body.pagination.cursor}` : ''
  }
  return found
}
const platforms = Object.keys(simulators).filter((platform) => connectors[platform]!.entities.product)
describe.each(chooseCases(platforms, { oneIn: 2, group: () => 'sandbox-data' }))('the sandbox of %s', (platform) => {
  it('has plausible prices, one currency, totals that follow from the lines, and customers in one country', async () => {
    harness = await createHarness({ connectors, simulators, platform, size: 'full' })
    for (const { vertical, records: native } of harness.tenants) {
      const records = (entity: EntityType) => walk(`/unified/${platform}-${vertical}/${entity}`)
      const kinds = vertical === 'restaurant' ? dishes : articles
      const products = await records('product')
      const cents = 100 / (rates[platform] ?? 1)
      const rounding = (rates[platform] ?? 1) > 1 ? cents : 0 // whole baht
      const implausible = products.filter(({ name, price }) => {
        const kind = kindOf(name)
        if (!kind || !kinds.includes(kind)) return true
        return (
          price &&
          (price * cents < kind.from * (sale[platform] ?? 1) - rounding - 0.01 ||
            price * cents > kind.to + rounding + 0.01)
        )
      })
      expect(implausible.map(({ name, price }) => [name, price])).toEqual([])
      const orders = await records('order')
      expect(native.order?.ids().length).toBeGreaterThan(1000)
      expect(orders.length).toBeGreaterThanOrEqual(mostRecords)
      expect(new Set(orders.map(({ currencyCode }) => currencyCode)).size).toBeLessThanOrEqual(1)
      const wrong = orders.flatMap((order) => {
        const { externalId, total, taxTotal, lineItems } = order
        // An order that names its parts follows from all of them.
        if (order.subtotal !== undefined) return orderFlaw(order) ? [[externalId, orderFlaw(order)?.message]] : []
        const net = lineItems.reduce(
          (sum: number, { quantity, unitPrice = 0, lineDiscount = 0 }: AnyRecord) =>
            sum + quantity * unitPrice - lineDiscount,
          0,
        )
        const slack = 0.011 * lineItems.length
        // Taxes may be in the prices; a platform that does not tell the tax adds at most this share.
        const taxed = net + (taxTotal ?? 0.0825 * net)
        const [least, most] = [Math.min(net, taxed), Math.max(net, taxed) + net * (charged[platform] ?? 0)]
        return total < least - slack || total > most + slack ? [[externalId, net, taxTotal, total]] : []
      })
      expect(wrong).toEqual([])
      if (!connectors[platform]!.entities.customer) continue
      const customers = await records('customer')
      const countries = customers.flatMap(({ address }) => address?.country ?? [])
      expect(new Set(countries).size).toBe(1)
      expect(customers.filter(({ email = '@example.com' }) => !email.endsWith('@example.com'))).toEqual([])
    }
  })
})
