import { expect, it } from 'vitest'
import { wrongWarnings } from './warning-rules.ts'

const data = { externalId: '1', name: 'Grace', tags: ['a'] }
const derived = { code: 'derived', pointer: '/name' }

it('finds two warnings of a write for one pointer', () => {
  const warnings = [derived, { code: 'not_stored', pointer: '/name' }, { code: 'kept', pointer: '/email' }]
  expect(wrongWarnings('POST', { data, warnings })).toEqual(['/name has 2 warnings: derived, not_stored'])
  expect(wrongWarnings('PUT', { data, warnings: [derived, derived] })).toHaveLength(1)
  expect(wrongWarnings('POST', { data, warnings: [{ code: 'duplicate' }, { code: 'duplicate' }, derived] })).toEqual([])
})
it('finds value_unknown for a field that is there', () => {
  const warning = { code: 'value_unknown', pointer: '/name', id: '1' }
  const found = ['/name has the value "Grace" and the warning value_unknown']
  expect(wrongWarnings('PUT', { data, warnings: [warning] })).toEqual(found)
  expect(wrongWarnings('GET', { data: [{ externalId: '2' }, data], warnings: [warning, warning] })).toEqual([
    ...found,
    ...found,
  ])
  const leftOut = ['/email', '/tags', '/tags/0'].map((pointer) => ({ ...warning, pointer }))
  expect(wrongWarnings('GET', { data: [data], warnings: leftOut })).toEqual([])
  expect(wrongWarnings('GET', undefined)).toEqual([])
})
