// Corrections of payments, and kinds of methods, from what the vendor's pages say.
import { describe, expect, it } from 'vitest'
import type { Sale } from './check.ts'
import { correctionsOf } from './payment.ts'
import { methodTypeOf } from './payment-method.ts'

const at = (hour: number) => new Date(Date.parse('2026-11-10T00:00:00Z') + hour * 3_600_000).toISOString()
const sale = (id: string, type: string, hour: number, previous: string, ...payments: [string, string][]): Sale => ({
  accountFiscId: id,
  type,
  source: { initialAccountId: 'A1.1', previousAccountId: previous },
  timeClosed: at(hour),
  payments: payments.map(([code, netAmountWithTax], n) => ({ fiscId: `T${id}.${n}`, code, netAmountWithTax })),
})
const first = sale('A1.1', 'SALE', 10, 'A1.1', ['CASH', '10.00'], ['CASH', '5.00'])

describe('a correction', () => {
  it('takes back the payment of the same kind and amount, and so does the next one', () => {
    const { reverted, orders } = correctionsOf([
      sale('A1.5', 'UPDATE', 13, 'A1.4', ['CASH', '5.00']),
      first,
      sale('A1.2', 'UPDATE', 11, 'A1.1', ['CASH', '-5.00']),
      sale('A1.3', 'UPDATE', 11, 'A1.2', ['VISA', '5.00']),
      sale('A1.4', 'UPDATE', 12, 'A1.3', ['VISA', '-5.00']),
    ])
    expect([...reverted]).toEqual(['A1.1:TA1.1.1', 'A1.3:TA1.3.0'])
    expect(new Set(orders.values())).toEqual(new Set(['A1.1']))
    expect(orders.get('A1.5')).toBe('A1.1')
  })
  it('of another day changes nothing: the sale keeps its payments, and the correction has none', () => {
    const late = [
      sale('A1.2', 'UPDATE', 35, 'A1.1', ['CASH', '-5.00']),
      sale('A1.3', 'UPDATE', 35, 'A1.2', ['VISA', '5.00']),
    ]
    expect(correctionsOf([first, ...late])).toEqual({ reverted: new Set(), orders: new Map() })
    expect(correctionsOf(late)).toEqual({ reverted: new Set(), orders: new Map() })
  })
})

it('the kind of a method is what the account says; without that, only cash is known', () => {
  const type = (code: unknown, paymentTypes?: string) =>
    methodTypeOf(code, {
      id: 'a',
      vertical: 'restaurant',
      settings: paymentTypes === undefined ? {} : { paymentTypes },
    })
  expect([type('CASH'), type('VISA'), type(undefined)]).toEqual(['CASH', 'OTHER', 'OTHER'])
  const given = 'visa=card, TR = VOUCHER ,OO=NONSENSE,CASH=CHECK'
  expect(['VISA', 'TR', 'OO', 'CASH', 'X'].map((code) => type(code, given))).toEqual([
    'CARD',
    'VOUCHER',
    'OTHER',
    'CHECK',
    'OTHER',
  ])
})
