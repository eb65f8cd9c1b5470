import { expect, it } from 'vitest'
import type { Connector, Write } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import { notStored, unexpected } from './requirements.ts'

const till = { name: 'Till' } as Connector
const warnings = (declared: Write<'customer'>['notStored'], sent: UnifiedRecord, stored: UnifiedRecord) => {
  const announced = notStored(sent, { notStored: declared } as Write<'customer'>, till)
  return [...announced, ...unexpected(sent, stored, announced, till)].map(
    ({ code, pointer, message }) => `${code} ${pointer}: ${message}`,
  )
}
const address = { line1: '1 Main St', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' }
const ada: UnifiedRecord = { externalId: 'C-1', name: 'Ada', notes: 'VIP', address }

it('warns once of an object that is declared as not stored, and not of its fields', () => {
  expect(warnings({ '/address': true }, ada, { externalId: 'N1', name: 'Ada', notes: 'VIP' })).toEqual([
    'not_stored /address: Till does not store this field.',
  ])
})
it('still warns of each field that is lost without being declared', () => {
  expect(warnings({ '/address/line1': true }, ada, { externalId: 'N1', name: 'Ada', address: { city: 'X' } })).toEqual([
    'not_stored /address/line1: Till does not store this field.',
    'not_stored /notes: Till did not keep this field.',
    'derived /address/city: Till holds "X" instead.',
    'not_stored /address/state: Till did not keep this field.',
    'not_stored /address/postalCode: Till did not keep this field.',
    'not_stored /address/country: Till did not keep this field.',
  ])
})
