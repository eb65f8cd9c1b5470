import { describe, expect, it } from 'vitest'
import type { EntityAdapter } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import type { Warning } from '../../contract/errors.ts'
import { type Flavor, flavorOf } from '../../contract/validation.ts'
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
