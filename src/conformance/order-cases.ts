// Orders add up, their prices and totals contain what the support matrix says, and an order that is put back is as it was.
import { expect } from 'vitest'
import type { Case } from './case.ts'
import type { AnyRecord, Subject } from './subject.ts'

interface Warned {
  code: string
  id?: string
  message: string
}
async function allOrders({ harness, path }: Subject): Promise<{ orders: AnyRecord[]; warnings: Warned[] }> {
  const orders: AnyRecord[] = []
  const warnings: Warned[] = []
  for (let query: string | undefined = '?pageSize=100'; query !== undefined; ) {
    const { status, body } = await harness.call('GET', path + query, undefined, { prefer: 'wait=60' })
    expect(status, JSON.stringify(body)).toBe(200)
    orders.push(...body.data)
    warnings.push(...(body.warnings ?? []))
    query = body.pagination.cursor && `?cursor=${body.pagination.cursor}`
  }
  return { orders, warnings }
}
const cents = (amount: number | undefined) => Math.round((amount ?? 0) * 10_000)

export const sumCases: Case[] = [
  {
    name: 'every order adds up: lines, charges, shipping, rounding, tips and taxes make its total',
    async run(subject) {
      const { orders, warnings } = await allOrders(subject)
      const planted = new Set(subject.tenant.unbalanced ?? [])
      const wrong = warnings.filter(({ code, id }) => code === 'does_not_add_up' && !planted.has(id ?? ''))
      expect(wrong).toEqual([])
      for (const id of planted)
        expect(warnings.find((one) => one.code === 'does_not_add_up' && one.id === id)?.id, id).toBe(id)
      for (const order of orders.filter(({ externalId }) => !planted.has(externalId))) {
        const what = JSON.stringify(order)
        expect([typeof order.total, typeof order.subtotal], what).toEqual(['number', 'number'])
        expect(order.taxIncluded !== undefined || order.taxes !== undefined, what).toBe(true)
        const { lineItems } = order as { lineItems: AnyRecord[] }
        expect(cents(order.subtotal), what).toBe(lineItems.reduce((sum, { lineTotal }) => sum + cents(lineTotal), 0))
        for (const line of lineItems) {
          expect(typeof line.lineTotal, what).toBe('number')
          const product = line.quantity * (line.unitPrice ?? 0) - (line.lineDiscount ?? 0)
          // The price of one unit may be rounded, once for each unit.
          expect(Math.abs(product - line.lineTotal), what).toBeLessThanOrEqual(0.01 * Math.max(1, line.quantity))
        }
        if (order.serviceCharges)
          expect(cents(order.serviceChargeTotal), what).toBe(
            order.serviceCharges.reduce((sum: number, { amount }: AnyRecord) => sum + cents(amount), 0),
          )
      }
    },
  },
  {
    name: 'prices and totals of orders contain what the support matrix says',
    async run(subject) {
      const { sums } = subject.support
      expect(sums, 'every connector with orders declares what its sums contain').toBeDefined()
      if (!sums) return
      const { orders } = await allOrders(subject)
      const included = new Set(orders.map(({ taxIncluded }) => taxIncluded))
      if (sums.prices === 'without_tax') expect([...included]).toEqual([false])
      if (sums.prices === 'with_tax') expect([...included]).toEqual([true])
      if (sums.prices === 'either') expect(included.has(true) && included.has(false)).toBe(true)
      const tipped = new Set(orders.filter(({ tipTotal }) => tipTotal > 0).map(({ tipIncluded }) => tipIncluded))
      const where = { in_total: [true], beside_total: [false], either: [false, true], none: [] }
      expect([...tipped].toSorted()).toEqual(where[sums.tips])
      const lines = orders.flatMap(({ lineItems }) => lineItems as AnyRecord[])
      // Where the price of a line contains the modifiers, they may have no price of their own.
      const counts = ({ price }: AnyRecord) => price > 0 || (sums.modifiers === 'in_price' && price === undefined)
      const modified = lines.filter(({ modifiers = [] }) => modifiers.some(counts))
      expect(modified.length > 0).toBe(sums.modifiers !== 'none')
      const refunded = orders.filter(({ refundTotal }) => refundTotal > 0)
      expect(refunded.length > 0, 'an order that was refunded').toBe(sums.refunds !== 'apart')
    },
  },
]

export const sameOrderCase: Case = {
  name: 'an order that is put back as it was read is the same at the platform, with its modifiers, charges and taxes',
  async run({ harness, path, list }) {
    const { body } = await list('?pageSize=40')
    for (const { externalId } of body.data as AnyRecord[]) {
      const single = `${path}/${encodeURIComponent(externalId)}`
      const read = async () =>
        (await harness.call('GET', `${single}?include=native`, undefined, { prefer: 'wait=60' })).body
      const before = await read()
      const put = await harness.call('PUT', single, before.data, { prefer: 'wait=60' })
      expect([externalId, put.status], JSON.stringify(put.body)).toEqual([externalId, 200])
      expect(await read()).toEqual(before)
    }
  },
}

export const refusedMoneyCase: Case = {
  name: 'money that the platform cannot take is refused by name, and nothing is sent',
  async run(subject) {
    const { harness, native, support } = subject
    const amounts: Record<string, unknown> = {
      '/serviceCharges': [{ name: 'Service', kind: 'SERVICE', amount: 1 }],
    }
    for (const pointer of Object.keys(support.refused)) {
      const record = await subject.fullRecord() // which may write an order itself
      const before = native.ids()
      const { status, body } = await subject.create({ ...record, [pointer.slice(1)]: amounts[pointer] ?? 1 })
      const refused = [pointer, status, body.code, body.errors?.map((error: AnyRecord) => error.pointer)]
      expect(refused, JSON.stringify(body)).toEqual([pointer, 422, 'target_refuses', [pointer]])
      expect(harness.connector.id).toBe(body.platform)
      expect(native.ids()).toEqual(before)
    }
  },
}
