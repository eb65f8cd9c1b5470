import { describe, expect, it } from 'vitest'
import type { EntityAdapter, Excluded } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import type { Warning } from '../../contract/errors.ts'
import { type Flavor, flavorOf } from '../../contract/validation.ts'
import { list, number, text } from '../../kit/fields.ts'
import { fromDecimal } from '../../kit/money.ts'
import { toUnified } from './normalize.ts'

const flavor = flavorOf('retail_pos', 'product') as Flavor
const adapter = {
  id: (row: { id: string }) => row.id,
  toUnified: ({ id, ...rest }: { id: string }) => ({ externalId: id, ...rest }),
} as unknown as EntityAdapter<EntityType>
function made(row: unknown): { record: unknown; warnings: Warning[] } {
  const warnings: Warning[] = []
  return {
    record: toUnified(adapter, row, flavor, { id: 'a', vertical: 'retail_pos', settings: {} }, warnings),
    warnings,
  }
}

describe('a native row of another shape than the platform documents', () => {
  it('loses the entry of a list that does not fit, and no other', () => {
    const { record, warnings } = made({ id: '1', name: 'Tea', tags: ['hot', { odd: true }, 'green'] })
    expect(JSON.parse(JSON.stringify(record))).toEqual({ externalId: '1', name: 'Tea', tags: ['hot', 'green'] })
    expect(warnings).toEqual([expect.objectContaining({ code: 'value_unknown', pointer: '/tags/1', id: '1' })])
  })
  it.each([[{ id: { odd: true }, name: 'Tea' }], [null], [{}]])('that has no id is said, not served: %j', (row) => {
    const { record, warnings } = made(row)
    expect(record).toBeUndefined()
    expect(warnings.at(-1)).toMatchObject({ code: 'not_normalized', id: '' })
  })
})

describe('a value of another type', () => {
  interface Row {
    id: string
    title?: unknown
    amounts?: { price?: unknown }
    count?: unknown
  }
  const reading = {
    id: ({ id }: Row) => id,
    toUnified: ({ id, title, amounts, count }: Row) => ({
      externalId: id,
      name: text(title) ?? 'none',
      price: fromDecimal(amounts?.price),
      stockOnHand: count,
      sku: count,
    }),
  } as unknown as EntityAdapter<EntityType>
  const read = (row: Row) => {
    const warnings: Warning[] = []
    return {
      record: toUnified(reading, row, flavor, { id: 'a', vertical: 'retail_pos', settings: {} }, warnings),
      warnings,
    }
  }
  it('is converted if it means the same', () => {
    for (const [count, price] of [
      ['3', '4.50'],
      [3, 4.5],
    ]) {
      const { record, warnings } = read({ id: '1', title: 7, amounts: { price }, count })
      expect([record, warnings]).toEqual([{ externalId: '1', name: '7', price: 4.5, stockOnHand: 3, sku: '3' }, []])
    }
  })
  it('is left out with a warning that names the record, its field and the native field', () => {
    const { record, warnings } = read({ id: '1', title: 'Tea', amounts: { price: { value: 4.5 } }, count: 3 })
    expect(record).toEqual({ externalId: '1', name: 'Tea', stockOnHand: 3, sku: '3' })
    expect(warnings).toEqual([
      {
        code: 'value_unknown',
        pointer: '/price',
        id: '1',
        message:
          "The platform's value was left out: it is an object that cannot be read as this field (/amounts/price of the native record).",
      },
    ])
    expect(read({ id: '2', title: 'Tea', amounts: { price: '4,50' } }).warnings).toMatchObject([
      { code: 'value_unknown', pointer: '/price', id: '2' },
    ])
  })
})

describe('an order', () => {
  const orders = flavorOf('retail_pos', 'order') as Flavor
  const read = (row: object) => {
    const warnings: Warning[] = []
    const excluded = ({ refunded }: { refunded?: Excluded }) => refunded
    const account = { id: 'a', vertical: 'retail_pos' as const, settings: {} }
    return { record: toUnified({ ...adapter, excluded } as typeof adapter, row, orders, account, warnings), warnings }
  }
  it('without lines is served with a warning', () => {
    const { record, warnings } = read({ id: '1', state: 'OPEN', lineItems: [] })
    expect(record).toMatchObject({ externalId: '1', lineItems: [] })
    expect(warnings).toEqual([expect.objectContaining({ code: 'no_lines', pointer: '/lineItems', id: '1' })])
  })
  it('loses a line that has no quantity, and keeps its other lines', () => {
    const { record, warnings } = read({
      id: '1',
      lineItems: [{ quantity: { odd: true } }, { quantity: 2 }, { name: 'Pie' }],
    })
    expect(record).toEqual({ externalId: '1', lineItems: [{ quantity: 2 }] })
    const message = expect.stringMatching(/^An entry of the platform's list was left out: its quantity /)
    const leftOut = { code: 'value_unknown', id: '1', message }
    expect(warnings).toEqual([
      { ...leftOut, pointer: '/lineItems/0' },
      { ...leftOut, pointer: '/lineItems/2' },
    ])
  })
  it('whose lines or amounts have null among them is served without it, and says so', () => {
    interface Line {
      name: string
      taxes: ({ amount: number } | null)[]
    }
    const reading = {
      ...adapter,
      toUnified: ({ id, lines }: { id: string; lines: (Line | null)[] }) => ({
        externalId: id,
        lineItems: list(lines).map(({ name, taxes }) => ({
          name,
          quantity: 1,
          lineTax: list(taxes).reduce((sum, { amount }) => sum + (number(amount) ?? 0), 0),
        })),
      }),
    } as unknown as EntityAdapter<EntityType>
    const tea = { name: 'Tea', taxes: [{ amount: 1 }] }
    const leftOut = (native: string) => ({
      code: 'value_unknown',
      pointer: '/lineItems',
      id: '1',
      message: `The platform has null in place of an entry of a list, which was left out (${native} of the native record).`,
    })
    const cases: [lines: (Line | null)[], lineTax: number[], native: string[]][] = [
      [[tea], [1], []],
      [
        [tea, null, tea, null],
        [1, 1],
        ['/lines/1', '/lines/3'],
      ],
      [[null, { name: 'Pie', taxes: [null, { amount: 2 }] }], [2], ['/lines/0', '/lines/1/taxes/0']],
    ]
    for (const [lines, lineTax, native] of cases) {
      const warnings: Warning[] = []
      const account = { id: 'a', vertical: 'retail_pos' as const, settings: {} }
      const record = toUnified(reading, { id: '1', other: [null], lines }, orders, account, warnings)
      expect((record as { lineItems?: { lineTax: number }[] }).lineItems?.map((line) => line.lineTax)).toEqual(lineTax)
      expect(warnings).toEqual(native.map(leftOut))
    }
  })
  it.each([
    [{ as: 'refund' }, 'This is a refund, not a sale. It is left out.'],
    [{ as: 'refund', of: '7' }, 'This is a refund of the order 7, not a sale. It is left out.'],
  ])('that is a refund is left out with a warning: %j', (refunded, message) => {
    const { record, warnings } = read({ id: '2', refunded, lineItems: [{ quantity: 1 }] })
    expect(record).toBeUndefined()
    expect(warnings).toEqual([{ code: 'refund_left_out', id: '2', message }])
  })
})
