import { describe, expect, it } from 'vitest'
import type { EntityAdapter } from '../contract/connector.ts'
import type { EntityType } from '../contract/entity.ts'
import { lacks } from './support.ts'

const adapter = {
  scopes: {
    lacking: {
      'orders:all': { message: 'Old orders are missing.' },
      costs: { message: 'Costs are missing.', pointer: '/cost', isMissing: (row: object) => !('cost' in row) },
    },
  },
} as unknown as EntityAdapter<EntityType>
const missing = (scope: string | undefined, rows: object[]) =>
  lacks(adapter, { id: 'a', vertical: 'retail_pos', settings: scope === undefined ? {} : { scope } }, rows).map(
    ({ message, pointer }) => [pointer, message],
  )

describe('a page without a scope', () => {
  it('has a warning for what every read lacks, and for what all its rows lack', () => {
    const orders = [undefined, 'Old orders are missing. Connect the account again with orders:all.']
    const costs = ['/cost', 'Costs are missing. Connect the account again with costs.']
    expect(missing('read', [{}, {}])).toEqual([orders, costs])
    expect(missing('read', [{}, { cost: 0 }])).toEqual([orders])
    expect(missing('read', [])).toEqual([orders])
    expect(missing('orders:all costs', [{}])).toEqual([])
  })
  it('has none if the scopes of the account are not known', () => {
    expect(missing(undefined, [{}])).toEqual([])
  })
})
