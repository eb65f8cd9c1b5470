// Orders and customers, tested through the whole service.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientOf, line, startLoyverse } from '../../../test/platforms/loyverse.ts'
import type { Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { states } from './order-row.ts'
import { createFreeLoyverseSimulator } from './simulator/simulator.ts'

let harness: Harness
beforeAll(async () => {
  harness = await startLoyverse()
})
afterAll(() => harness?.close())

const { call, native, made, refused, product } = clientOf(() => harness)

describe('orders', () => {
  it('are completed or canceled, and only completed ones can be written', async () => {
    const warned: string[] = []
    const mapping = { warn: (_: string, message: string) => void warned.push(message) }
    expect([
      states.read('SALE', mapping),
      states.read('CANCELLED', mapping),
      states.read('PARKED', mapping),
      warned.length,
    ]).toEqual(['COMPLETED', 'CANCELED', undefined, 1])
    const { externalId } = await product()
    for (const state of ['OPEN', 'PENDING', 'CANCELED'])
      expect(await refused('order', { state, lineItems: [line(externalId)] })).toEqual([422, '/state'])
    expect((await made('order', { lineItems: [line(externalId)] })).state).toBe('COMPLETED')
    const cancelled = (await native('GET', '/receipts?limit=250')).receipts.find(
      (receipt: AnyRecord) => receipt.cancelled_at,
    )
    expect((await call('GET', `/order/${cancelled.receipt_number}`)).body.data.state).toBe('CANCELED')
  })
  it('omit refunds, with a warning', async () => {
    const { externalId } = await product()
    const sale = await made('order', { lineItems: [line(externalId, { quantity: 2 })] })
    const { line_items } = await native('GET', `/receipts/${sale.externalId}`)
    const refund = await native('POST', `/receipts/${sale.externalId}/refund`, {
      line_items: [{ id: line_items[0].id, quantity: 2 }],
    })
    expect(refund).toMatchObject({ receipt_type: 'REFUND', refund_for: sale.externalId, total_money: 40 })
    const { body } = await call('GET', '/order?pageSize=5')
    expect(body.data.map((order: AnyRecord) => order.externalId)).not.toContain(refund.receipt_number)
    expect(body.warnings.find((warning: AnyRecord) => warning.id === refund.receipt_number)).toMatchObject({
      code: 'refund_left_out',
      message: `This is a refund of the order ${sale.externalId}, not a sale. It is left out.`,
    })
    const single = await call('GET', `/order/${refund.receipt_number}`)
    expect(single).toMatchObject({ status: 404, body: { code: 'record_not_found' } })
    expect(single.body.detail).toContain(`Read the order that was refunded: ${sale.externalId}.`)
    expect((await call('GET', `/order/${sale.externalId}`)).body.data).toEqual(sale)
  })
  it('use a separate variable discount for each discount, exactly', async () => {
    const { externalId } = await product()
    const discounted = (amount: number) => line(externalId, { lineDiscount: amount })
    const order = await made('order', { lineItems: [discounted(1.11), line(externalId), discounted(19)] })
    expect([order.total, ...order.lineItems.map(({ lineDiscount }: AnyRecord) => lineDiscount)]).toEqual([
      39.89, 1.11, 0, 19,
    ])
    expect(await refused('order', { lineItems: [discounted(1), discounted(2), discounted(3)] })).toEqual([
      422,
      '/lineItems/2/lineDiscount',
    ])
    expect(await refused('order', { lineItems: [discounted(20.01)] })).toEqual([422, '/lineItems/0/lineDiscount'])
  })
  it('have the taxes of their products, unless the line has a tax of 0', async () => {
    const { externalId } = await product({ taxable: true })
    const order = await made('order', { lineItems: [line(externalId), line(externalId, { lineTax: 0 })] })
    expect([order.taxTotal, ...order.lineItems.map(({ lineTax }: AnyRecord) => lineTax), order.total]).toEqual([
      1.31, 1.31, 0, 40,
    ])
  })
  it('accept a line by its sku, a fraction only of products sold by weight, and a store by its id', async () => {
    const { sku, externalId } = await product({ sku: 'BY-SKU-1' })
    const [other] = harness.tenants[0]!.locations
    const order = await made('order', { locationExternalId: other, lineItems: [{ sku, quantity: 2 }] })
    expect(order).toMatchObject({
      locationExternalId: other,
      total: 40,
      lineItems: [{ productExternalId: externalId, quantity: 2, unitPrice: 20 }],
    })
    expect(await refused('order', { lineItems: [{ sku: 'NO-SUCH', quantity: 1 }] })).toEqual([422, '/lineItems/0/sku'])
    expect(await refused('order', { lineItems: [{ name: 'Only a name', quantity: 1 }] })).toEqual([
      422,
      '/lineItems/0/productExternalId',
    ])
    expect(await refused('order', { lineItems: [line(externalId, { quantity: 1.5 })] })).toEqual([
      422,
      '/lineItems/0/quantity',
    ])
    expect(await refused('order', { locationExternalId: 'elsewhere', lineItems: [line(externalId)] })).toEqual([
      422,
      '/locationExternalId',
    ])
    const cheese = await native('POST', '/items', { item_name: 'Cheese', sold_by_weight: true })
    expect((await made('order', { lineItems: [line(cheese.variants[0].variant_id, { quantity: 0.333 })] })).total).toBe(
      6.66,
    )
  })
  it('older than the plan allows end the walk with a warning', async () => {
    const free = await startLoyverse(createFreeLoyverseSimulator)
    try {
      const all = free.tenants[0]!.records.order!.ids()
      const seen: string[] = []
      const warnings: AnyRecord[] = []
      for (let cursor = 'pageSize=2'; cursor; ) {
        const { status, body } = await free.call('GET', `/unified/loyverse-retail_pos/order?${cursor}`, undefined, {
          prefer: 'wait=60',
        })
        expect(status, JSON.stringify(body)).toBe(200)
        seen.push(...body.data.map(({ externalId }: AnyRecord) => externalId))
        warnings.push(...(body.warnings ?? []))
        cursor = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
      }
      expect(seen.length).toBeGreaterThan(0)
      expect(seen.length).toBeLessThan(all.length)
      expect(warnings.at(-1)).toMatchObject({
        code: 'not_normalized',
        id: 'older-receipts',
        message: expect.stringContaining('31 days'),
      })
      const [old] = all.filter((id) => !seen.includes(id))
      expect(
        (await free.call('GET', `/unified/loyverse-retail_pos/order/${old}`, undefined, { prefer: 'wait=60' })).status,
      ).toBe(403)
    } finally {
      await free.close()
    }
  })
})

describe('customers', () => {
  it('retain their points and code when they are changed, and lose omitted fields', async () => {
    const { id } = await native('POST', '/customers', {
      name: 'Ana',
      customer_code: 'CARD-7',
      total_points: 12.5,
      note: 'Rings twice',
      address: '1 Main, Apt 2',
    })
    const { body } = await call('GET', `/customer/${id}`)
    expect(body.data).toEqual({
      externalId: id,
      name: 'Ana',
      notes: 'Rings twice',
      address: { line1: '1 Main, Apt 2' },
    })
    await call('PUT', `/customer/${id}`, {
      externalId: id,
      name: 'Ana Ruiz',
      address: { line1: '1 Main', line2: 'Apt 2', country: 'th' },
    })
    expect(await native('GET', `/customers/${id}`)).toMatchObject({
      name: 'Ana Ruiz',
      customer_code: 'CARD-7',
      total_points: 12.5,
      note: null,
      address: '1 Main\nApt 2',
      country_code: 'TH',
    })
  })
  it('are not found once they are deleted, although Loyverse returns them for another day', async () => {
    const { externalId } = await made('customer', { name: 'Short stay' })
    await native('DELETE', `/customers/${externalId}`)
    expect((await native('GET', `/customers/${externalId}`)).permanent_deletion_at).toBeTruthy()
    expect((await call('GET', `/customer/${externalId}`)).status).toBe(404)
  })
  it('are rejected if a field is too long or the country cannot be found', async () => {
    expect(
      await refused('customer', { name: 'x'.repeat(65), phone: '1'.repeat(16), address: { country: 'Siamland' } }),
    ).toEqual([422, '/name', '/phone', '/address/country'])
  })
})
