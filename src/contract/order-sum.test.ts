import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { order } from './entities/order.ts'
import { orderFlaw, totalOf } from './order-sum.ts'

const line = { quantity: 3, unitPrice: 3.33, lineDiscount: 1, lineTotal: 8.99 }
const plain = { currencyCode: 'USD', taxIncluded: false, lineItems: [line] }

describe('the sum rule of orders', () => {
  it('adds lines, charges, shipping, rounding, tips inside and taxes on top', () => {
    expect(totalOf(plain)).toBe(8.99)
    expect(totalOf({ ...plain, taxTotal: 0.9 })).toBe(9.89)
    expect(totalOf({ ...plain, taxTotal: 0.9, taxIncluded: true })).toBe(8.99)
    const whole = {
      ...plain,
      taxTotal: 0.9,
      serviceChargeTotal: 2,
      shippingTotal: 5,
      roundingTotal: -0.04,
      tipTotal: 1,
    }
    expect(totalOf(whole)).toBe(16.85)
    expect(totalOf({ ...whole, tipIncluded: true })).toBe(17.85)
  })
  it('takes only the taxes that prices do not contain where an order has both', () => {
    const taxes = [{ amount: 0.5, included: true }, { amount: 0.4, included: false }, { amount: 0.1 }]
    expect(totalOf({ currencyCode: 'USD', lineItems: [line], taxTotal: 1, taxes })).toBe(9.49)
  })
  it('counts in the minor unit of the currency', () => {
    expect(totalOf({ currencyCode: 'JPY', taxIncluded: true, lineItems: [{ quantity: 2, unitPrice: 150 }] })).toBe(300)
    expect(totalOf({ currencyCode: 'KWD', taxIncluded: true, lineItems: [{ quantity: 1, unitPrice: 0.125 }] })).toBe(
      0.125,
    )
    const many = Array.from({ length: 1000 }, () => ({ quantity: 1, unitPrice: 0.1 }))
    expect(totalOf({ currencyCode: 'USD', taxIncluded: true, lineItems: many })).toBe(100)
  })
  it('computes a line without a total, also with a weight', () => {
    expect(totalOf({ currencyCode: 'USD', taxIncluded: true, lineItems: [{ quantity: 0.335, unitPrice: 9.99 }] })).toBe(
      3.35,
    )
  })
  it('names the difference to the minor unit, in both directions', () => {
    expect(orderFlaw({ ...plain, total: 8.99 })).toBeUndefined()
    expect(orderFlaw(plain)).toBeUndefined()
    expect(orderFlaw({ ...plain, total: 9 })).toEqual({
      code: 'does_not_add_up',
      pointer: '/total',
      message: 'Lines, charges and taxes make 8.99 USD; the total of the platform differs by 0.01.',
    })
    expect(orderFlaw({ ...plain, total: 0 })?.message).toContain('differs by -8.99.')
    expect(orderFlaw({ currencyCode: 'JPY', total: 7, lineItems: [] })?.message).toContain(
      'make 0 JPY; the total of the platform differs by 7.',
    )
  })
  it('finds one minor unit in any order', () => {
    const cents = fc.integer({ min: 0, max: 10_000_000 })
    fc.assert(
      fc.property(fc.array(cents, { minLength: 1 }), cents, cents, fc.constantFrom(-1, 1), (lines, tax, tip, off) => {
        const record = {
          currencyCode: 'USD',
          taxIncluded: false,
          tipIncluded: true,
          tipTotal: tip / 100,
          taxTotal: tax / 100,
          lineItems: lines.map((amount) => ({ quantity: 1, lineTotal: amount / 100 })),
        }
        const sum = lines.reduce((total, amount) => total + amount, tax + tip)
        expect(orderFlaw({ ...record, total: sum / 100 })).toBeUndefined()
        expect(orderFlaw({ ...record, total: (sum + off) / 100 })?.code).toBe('does_not_add_up')
      }),
      { seed: 51, numRuns: 200 },
    )
  })
  it('holds for the example of the schema', () => {
    expect(orderFlaw(order.example)).toBeUndefined()
  })
})
