// Sales whose numbers the vendor's pages or tills have, each with its source.
import { describe, expect, it } from 'vitest'
import type { Order } from '../../contract/entities/order.ts'
import { orderFlaw } from '../../contract/order-sum.ts'
import { fakeCallFor } from '../fake-call.ts'
import { order } from './order.ts'
import type { NativeSale } from './order-money.ts'

const uuid = (n: number): string => `0af7b240-ab83-11e7-eddc-${String(n).padStart(12, '0')}`
const account = { id: 'a', vertical: 'retail_pos' as const, settings: { domainPrefix: 'shop' } }
const [discountProduct, tea, gst, gstRate] = [uuid(1), uuid(2), uuid(3), uuid(4)]

const line = (quantity: number, price: number, tax: number, product = tea) => ({
  id: uuid(20),
  quantity,
  product: { id: product },
  pricing: { price, discount: 0 },
  tax: { id: gst, amount: tax },
  _metadata: { tax_components: [{ rate_id: gstRate, total_tax: Number((quantity * tax).toFixed(5)) }] },
})
async function read(changes: Partial<NativeSale>, currency = 'NZD'): Promise<Order> {
  const { call } = fakeCallFor(
    account,
    '/api/2026-07',
  )({
    'GET /retailer': () => ({
      data: { currency: { code: currency }, discount_product_id: discountProduct, timezone: 'Pacific/Auckland' },
    }),
    'GET /outlets': () => ({ data: [] }),
    'GET /taxes': () => ({ data: [{ id: gst, rates: [{ id: gstRate, name: 'GST', rate: 0.15 }] }] }),
    [`GET /sales/${uuid(10)}`]: () => ({ data: { id: uuid(10), state: 'closed', ...changes } }),
    [`GET /products/${tea}`]: () => ({ data: { id: tea, name: 'Tea' } }),
  })
  return order.toUnified((await order.get!(call, uuid(10)))!, { account, warn: () => {} })
}
const balanced = async (changes: Partial<NativeSale>, currency?: string): Promise<Order> => {
  const found = await read(changes, currency)
  expect(orderFlaw(found as never)).toBeUndefined()
  return found
}

describe('the numbers of the vendor', () => {
  // https://x-series-api.lightspeedhq.com/docs/sales_101
  it('make a sale of one line', async () => {
    const found = await balanced({
      line_items: [line(1, 22, 3.3)],
      totals: { price: 22, tax: 3.3, price_incl_tax: 25.3 },
    })
    expect(found).toMatchObject({ subtotal: 22, taxTotal: 3.3, total: 25.3, taxIncluded: false })
    expect(found.taxes).toEqual([{ taxRateExternalId: gst, name: 'GST', rate: 15, amount: 3.3, included: false }])
  })
  // https://x-series-api.lightspeedhq.com/docs/sales_discounts
  it('make a discount of half the sale, which is a line of quantity -1', async () => {
    const found = await balanced({
      line_items: [line(1, 12, 1.8), line(-1, 6, 0.9, discountProduct)],
      totals: { price: 6, tax: 0.9, price_incl_tax: 6.9 },
    })
    expect(found.lineItems).toMatchObject([
      { quantity: 1, unitPrice: 12, lineDiscount: 6, lineTotal: 6, lineTax: 0.9, taxes: [{ amount: 0.9 }] },
    ])
    expect(found).toMatchObject({ total: 6.9, discounts: [{ scope: 'ORDER', amount: 6 }] })
  })
  // https://x-series-api.lightspeedhq.com/changelog/2019-10-adding-adjustments-to-sales
  it('have a fee in the total', async () => {
    const found = await balanced({
      line_items: [line(1, 20, 0)],
      adjustments: [{ adjustment_type: 'NON_CASH_FEE', name: 'Non-cash Fee', total: 1 }],
      totals: { price: 21, tax: 0, price_incl_tax: 21 },
    })
    expect(found).toMatchObject({ subtotal: 20, serviceChargeTotal: 1, total: 21 })
  })
  // https://x-series-api.lightspeedhq.com/changelog/2025-05-add-ecom-custom-charges: an object in 2.0, a list later
  it.each([true, false])('have charges of a web shop beside the total (in an object: %s)', async (inObject) => {
    const charges = [
      {
        name: 'Gift Wrapping',
        total: 8.26,
        total_tax: 1.74,
        tax_components: [
          { rate_id: uuid(50), total_tax: 0.96667 },
          { rate_id: uuid(51), total_tax: 0.77333 },
        ],
      },
    ]
    const found = await balanced({
      line_items: [line(1, 22, 3.3)],
      adjustments: [{ adjustment_type: 'ECOM_CUSTOM_CHARGE', name: 'Gift Wrapping', total: 8.26 }],
      ecom_custom_charges: inObject ? { charges } : charges,
      totals: { price: 22, tax: 3.3, price_incl_tax: 25.3 },
    })
    expect(found).toMatchObject({ serviceChargeTotal: 8.26, total: 35.3, taxTotal: 5.04 })
    expect(found.taxes?.map(({ amount }) => amount)).toEqual([3.3, 0.97, 0.77])
  })
  // A till in New Zealand, prices with tax: 5.00 and 10.00 were paid in cash.
  it('have five decimals, and make what was paid', async () => {
    const single = await balanced({
      line_items: [line(1, 4.34783, 0.65217)],
      totals: { price: 4.34783, tax: 0.65217, price_incl_tax: 5 },
    })
    expect(single.lineItems).toMatchObject([{ unitPrice: 4.35, lineTotal: 4.35, lineTax: 0.65 }])
    const three = await balanced({
      line_items: [line(1, 4.34783, 0.65217), line(1, 4.34783, 0.65217), line(1, 4.34783, 0.65217)],
      totals: { price: 13.04349, tax: 1.95651, price_incl_tax: 15 },
    })
    expect(three).toMatchObject({ total: 15, taxTotal: 1.96, subtotal: 13.04 })
    expect(three.lineItems.map(({ lineTotal }) => lineTotal)).toEqual([4.35, 4.35, 4.34])
    expect(three.lineItems.map(({ lineTax }) => lineTax)).toEqual([0.66, 0.65, 0.65])
  })
})

describe('what the pages do not say', () => {
  const tip = [{ adjustment_type: 'TIP', name: 'Tip', total: 3 }]
  it('is told by the totals: whether they contain a tip', async () => {
    const inside = { line_items: [line(1, 20, 3)], adjustments: tip, totals: { tax: 3, price_incl_tax: 26 } }
    expect(await balanced(inside)).toMatchObject({ tipTotal: 3, tipIncluded: true, total: 26 })
    const outside = { ...inside, totals: { tax: 3, price_incl_tax: 23 } }
    expect(await balanced(outside)).toMatchObject({ tipTotal: 3, tipIncluded: false, total: 23 })
  })
  it('is told by the totals: whether they contain a fee and its tax', async () => {
    const fee = { adjustment_type: 'SURCHARGE', name: 'Card', total: 1, tax_components: [{ total_tax: 0.15 }] }
    const sale = { line_items: [line(1, 20, 3)], adjustments: [fee] }
    const all = await balanced({ ...sale, totals: { tax: 3.15, price_incl_tax: 24.15 } })
    const withoutTax = await balanced({ ...sale, totals: { tax: 3, price_incl_tax: 24 } })
    const outside = await balanced({ ...sale, totals: { tax: 3, price_incl_tax: 23 } })
    expect([all, withoutTax, outside].map(({ total, taxTotal }) => [total, taxTotal])).toEqual([
      [24.15, 3.15],
      [24, 3],
      [24.15, 3.15],
    ])
    for (const { lineItems } of [all, withoutTax, outside]) expect(lineItems[0]?.lineTax).toBe(3)
  })
  it('is not made up: a total that differs by a cent is served as it is, with the difference', async () => {
    const found = await read({ line_items: [line(1, 20, 3)], totals: { tax: 3, price_incl_tax: 23.01 } })
    expect(found).toMatchObject({ subtotal: 20, total: 23.01 })
    expect(orderFlaw(found as never)?.message).toContain('differs by 0.01')
  })
})

it('is in the units of the currency', async () => {
  const yen = await balanced(
    { line_items: [line(3, 90.90909, 9.09091)], totals: { tax: 27.27273, price_incl_tax: 300 } },
    'JPY',
  )
  expect(yen).toMatchObject({ total: 300, taxTotal: 27, subtotal: 273, lineItems: [{ unitPrice: 91, lineTotal: 273 }] })
  const dinar = await balanced({ line_items: [line(1, 1.2345, 0)], totals: { tax: 0, price_incl_tax: 1.2345 } }, 'KWD')
  expect(dinar).toMatchObject({ total: 1.235, subtotal: 1.235 })
})

it('leaves out a return by what it says of itself, never by a negative quantity alone', () => {
  const excluded = (changes: Partial<NativeSale>) =>
    order.excluded!({
      sale: { id: uuid(10), ...changes },
      shop: { currency: 'NZD', taxExclusive: false, discountProduct },
    })
  const back = { ...line(-1, 10, 1.5), return: { is_return: true } }
  expect(excluded({ line_items: [line(-1, 10, 1.5)] })).toBeUndefined()
  expect(excluded({ line_items: [back], return: { is_return: true, original_sale_id: null } })).toEqual({
    as: 'refund',
  })
  // The discount on the sale is returned with it, in a positive quantity.
  expect(
    excluded({
      line_items: [line(-1, 12, 1.8), line(1, 6, 0.9, discountProduct)],
      return: { is_return: true, original_sale_id: uuid(11) },
    }),
  ).toEqual({ as: 'refund', of: uuid(11) })
  expect(excluded({ line_items: [back, line(1, 20, 3)], return: { is_return: true } })).toBeUndefined()
})
