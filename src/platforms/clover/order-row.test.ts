import { describe, expect, it } from 'vitest'
import { readError } from './error.ts'
import type { NativeLine } from './order-lines.ts'
import { foldOrder, type NativeOrder, stateOf, toUnified } from './order-row.ts'
import { timeEntry } from './time-entry.ts'

const mapping = { account: { id: 'a', vertical: 'restaurant' as const, settings: { merchantId: 'M' } }, warn: () => {} }
let serial = 0
const line = (more: Partial<NativeLine> = {}): NativeLine => ({
  id: `L${String(++serial).padStart(3, '0')}`,
  item: { id: 'I1' },
  name: 'Tea',
  price: 250,
  createdTime: 1,
  ...more,
})
const order = (elements: NativeLine[], more: Partial<NativeOrder> = {}): NativeOrder => ({
  id: 'O1',
  currency: 'USD',
  state: 'open',
  paymentState: 'OPEN',
  lineItems: { elements },
  ...more,
})
const folded = (...lines: NativeLine[]) =>
  foldOrder(order(lines)).map(({ unified: { quantity, lineDiscount } }) => [quantity, lineDiscount])

describe('lines', () => {
  it('that are identical are units of one line', () => {
    const discounts = { elements: [{ amount: -50 }] }
    expect(
      folded(
        line(),
        line({ name: 'Cake' }),
        line(),
        line({ price: 260 }),
        line({ discounts }),
        line({ discounts }),
        line({ note: 'hot' }),
        line({ refunded: true }),
      ),
    ).toEqual([
      [2, 0],
      [1, 0],
      [1, 0],
      [2, 1],
      [1, 0],
      [1, 0],
    ])
  })
  it('that the service wrote as one line stay together in their order, regardless of how Clover sorts them and of changes at the POS', () => {
    const mark = (number: number, unit: number) => ({ userData: `urAbcdefghijklmn.${number}.${unit}`, createdTime: 5 })
    expect(
      folded(
        line(mark(10, 0)),
        line(mark(9, 1)),
        line({ ...mark(9, 0), discounts: { elements: [{ amount: -25 }] } }),
        line({ createdTime: 1 }),
      ),
    ).toEqual([
      [1, 0],
      [2, 0.25],
      [1, 0],
    ])
  })
  it('have a quantity only if they have a unit: otherwise Clover ignores the number', () => {
    expect(
      folded(
        line({ unitQty: 2500, unitName: 'lb' }),
        line({ unitQty: 2500, unitName: 'lb' }),
        line({ unitQty: 1, unitName: '' }),
        line({ unitQty: null }),
      ),
    ).toEqual([
      [2.5, 0],
      [2.5, 0],
      [2, 0],
    ])
  })
  it('apply percentage discounts to the whole, rounded half up, next to fixed amounts', () => {
    expect(folded(line({ price: 1045, discounts: { elements: [{ percentage: 10 }, { amount: -100 }] } }))).toEqual([
      [1, 2.05],
    ])
    expect(
      folded(line({ price: 1000, unitQty: 2500, unitName: 'lb', discounts: { elements: [{ percentage: 10 }] } })),
    ).toEqual([[2.5, 2.5]])
  })
})

describe('an order', () => {
  it('gets its state from its payments before its `state`, which is free text', () => {
    const table: [Partial<NativeOrder>, string | undefined][] = [
      [{}, 'OPEN'],
      [{ state: 'OPEN' }, 'OPEN'],
      [{ state: 'locked' }, 'COMPLETED'],
      [{ state: 'locked', paymentState: 'PARTIALLY_PAID' }, 'OPEN'],
      [{ paymentState: 'PAID' }, 'COMPLETED'],
      [{ paymentState: 'REFUNDED' }, 'COMPLETED'],
      [{ paymentState: 'CREDITED' }, 'COMPLETED'],
      [{ paymentState: 'PAID', deletedTimestamp: 5 }, 'CANCELED'],
    ]
    for (const [more, state] of table) expect([more, stateOf(order([line()], more), mapping)]).toEqual([more, state])
    const { state: _, ...hidden } = order([line()])
    expect(stateOf(hidden, mapping)).toBe('PENDING')
  })
  it('is returned without a state, with a warning, if `state` is unknown', () => {
    const warnings: string[] = []
    expect(
      stateOf(order([line()], { state: 'preparing' }), { warn: (pointer) => warnings.push(pointer) }),
    ).toBeUndefined()
    expect(warnings).toEqual(['/state'])
  })
  it('has the tax that was collected once it is paid in full, and until then that of the rates of its lines', () => {
    const payments = {
      elements: [
        { result: 'SUCCESS', taxAmount: 20 },
        { result: 'FAIL', taxAmount: 99 },
        { result: 'SUCCESS', taxAmount: 5 },
      ],
    }
    const taxRates = { elements: [{ id: 'T', name: 'Sales', rate: 825_000 }] }
    const tax = (more: Partial<NativeOrder>) => {
      const { taxTotal, taxes } = toUnified(order([line({ taxRates })], more), mapping)
      return [taxTotal, taxes?.[0]?.amount]
    }
    expect([
      tax({ payments, paymentState: 'PAID' }),
      tax({ payments, paymentState: 'PARTIALLY_PAID' }),
      tax({}),
      tax({ taxRemoved: true }),
    ]).toEqual([
      [0.25, undefined], // what was collected is of no rate
      [0.21, 0.21],
      [0.21, 0.21],
      [0, undefined],
    ])
  })
})

it('calculates the hours of a shift from its corrected punches, and none while it is open', () => {
  const at = Date.parse('2026-11-10T09:00:00.000Z')
  const shift = {
    id: 'S',
    employee: { id: 'E' },
    inTime: at,
    overrideInTime: at + 1_800_000,
    outTime: at + 8 * 3_600_000,
  }
  expect(timeEntry.toUnified(shift, mapping)).toMatchObject({
    startAt: '2026-11-10T09:30:00.000Z',
    endAt: '2026-11-10T17:00:00.000Z',
    regularHours: 7.5,
    status: 'CLOSED',
  })
  expect(timeEntry.toUnified({ id: 'S', inTime: at }, mapping)).toMatchObject({
    status: 'OPEN',
    regularHours: undefined,
    endAt: undefined,
  })
})

it("classifies errors by their status, with Clover's message", () => {
  const read = (status: number, body: unknown, headers = {}) => readError({ status, headers, body })
  expect(read(404, { message: 'Not Found', details: 'Order not found' })).toEqual({
    kind: 'not_found',
    message: 'Not Found: Order not found',
  })
  expect(read(401, { message: '401 Unauthorized' })?.kind).toBe('token')
  expect(read(429, { message: '429 Too Many Requests' }, { 'retry-after': '3' })).toMatchObject({
    kind: 'throttled',
    retryAfterMs: 3000,
  })
  expect([read(400, { message: 'Name is required' })?.kind, read(503, '')?.kind]).toEqual(['invalid', 'unavailable'])
  // Not Clover's format: of something in between.
  expect([read(400, {}), read(404, 'Not Found'), read(405, { Message: 'no' }), read(200, {})]).toEqual(
    Array.from({ length: 4 }),
  )
})
