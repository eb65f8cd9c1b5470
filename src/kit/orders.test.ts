import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { businessDateOf, zoneOf } from './business-day.ts'
import { distribute, timesMinor } from './money.ts'
import { orderTables } from './orders.ts'

describe('the tables of order writes', () => {
  const sums = { prices: 'without_tax', tips: 'none', refunds: 'beside_total', modifiers: 'none' } as const
  it('refuse money that is not taken, and name the rest as not stored', () => {
    const { notStored, refused, values } = orderTables(sums, ['/tipTotal', '/fulfillment'])
    expect(Object.keys(refused)).toEqual(['/serviceChargeTotal', '/serviceCharges', '/shippingTotal', '/roundingTotal'])
    expect(notStored).not.toHaveProperty('/fulfillment')
    expect(notStored).toHaveProperty('/guestCount', true)
    expect(values).toMatchObject({ '/taxIncluded': { only: ['false'] }, '/lineItems/*/kind': { only: ['ITEM'] } })
  })
  it('leave both kinds of prices where the platform has both', () => {
    expect(orderTables({ ...sums, prices: 'either' }, []).values).not.toHaveProperty('/taxIncluded')
    const { values } = orderTables({ ...sums, prices: 'with_tax' }, [])
    expect(values).toMatchObject({ '/taxIncluded': { only: ['true'] } })
  })
})

describe('shares of an amount', () => {
  it('go to the largest remainders, the first of equal ones', () => {
    expect(distribute(100, [1, 1, 1])).toEqual([34, 33, 33])
    expect(distribute(-100, [1, 1, 1])).toEqual([-34, -33, -33])
    expect(distribute(5, [995, 1, 4])).toEqual([5, 0, 0])
    expect(distribute(7, [0, 0])).toEqual([7, 0])
    expect(distribute(7, [])).toEqual([])
  })
  it('always make the amount', () => {
    const weights = fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), weights, (amount, parts) => {
        expect(distribute(amount, parts).reduce((sum, part) => sum + part, 0)).toBe(amount)
      }),
      { seed: 51, numRuns: 300 },
    )
  })
})

it('multiplies weights and prices without floating point', () => {
  expect([timesMinor(3, 333), timesMinor(0.335, 999), timesMinor(1.005, 100), timesMinor(2, -50)]).toEqual([
    999, 335, 101, -100,
  ])
})

describe('the business day', () => {
  const settings = { businessDayStart: '04:00' }
  it('begins at its hour in the zone of the location', () => {
    expect(businessDateOf('2026-11-10T08:59:00Z', 'America/New_York', settings)).toBe('2026-11-09')
    expect(businessDateOf('2026-11-10T09:00:00Z', 'America/New_York', settings)).toBe('2026-11-10')
    expect(businessDateOf('2026-11-10T04:59:59Z', 'America/New_York', {})).toBe('2026-11-09')
  })
  it('follows the clock of the wall when clocks change', () => {
    expect(businessDateOf('2026-11-01T08:30:00Z', 'America/New_York', settings)).toBe('2026-10-31')
    expect(businessDateOf('2026-11-01T09:00:00Z', 'America/New_York', settings)).toBe('2026-11-01')
    expect(businessDateOf('2026-03-08T07:59:00Z', 'America/New_York', settings)).toBe('2026-03-07')
    expect(businessDateOf('2026-03-08T08:00:00Z', 'America/New_York', settings)).toBe('2026-03-08')
  })
  it('is unknown without a zone', () => {
    expect(businessDateOf('2026-11-10T09:00:00Z', undefined, settings)).toBeUndefined()
    expect(zoneOf({ timezone: ' Europe/Berlin ' })).toBe('Europe/Berlin')
    expect(zoneOf({ timezone: 'Mars/Olympus' })).toBeUndefined()
    expect(zoneOf({})).toBeUndefined()
  })
})
