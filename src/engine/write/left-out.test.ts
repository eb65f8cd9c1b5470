import { expect, it } from 'vitest'
import type { Connector } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import { invented } from './left-out.ts'

const till = { name: 'Till' } as Connector
const cup: UnifiedRecord = { externalId: 'P-1', name: 'Cup' }

it('names a value that the service made up, unless the record had it before: then it is kept', () => {
  const stored = { ...cup, sku: 'ur0123456789abcd' }
  const madeUp = [expect.objectContaining({ code: 'derived', pointer: '/sku' })]
  expect(invented(cup, undefined, stored, till)).toEqual(madeUp)
  expect(invented(cup, { ...cup, sku: 'C-1' }, stored, till)).toEqual(madeUp)
  expect(invented(cup, stored, stored, till)).toEqual([])
  expect(invented(stored, undefined, stored, till)).toEqual([])
})
