import { expect, it } from 'vitest'
import { compare, type WriteNotes } from './compare.ts'
import { fingerprint, naturalKeys } from './natural-key.ts'

const told = (more: Partial<WriteNotes> = {}): WriteNotes => ({
  notes: [],
  warnings: [],
  references: {},
  notStored: [],
  ...more,
})
const explained = (differences: ReturnType<typeof compare>) =>
  differences.map(({ pointer, explanation }) => `${pointer} ${explanation}`)

it('finds no difference in what only looks different', () => {
  const source = {
    externalId: 'A',
    processedAt: '2026-01-01T10:00:00.000Z',
    note: '',
    lineItems: [{ quantity: 1, unitPrice: 2.5 }],
  }
  const target = {
    externalId: 'B',
    processedAt: '2026-01-01T12:00:00+02:00',
    lineItems: [{ unitPrice: 2.5, quantity: 1 }],
  }
  expect(compare('order', source, target, told())).toEqual([])
})
it('explains by note, by warning and by what the target declares, and says when nothing does', () => {
  const source = { externalId: 'A', name: 'Tea', cost: 1, price: 3, sku: 'X', description: 'Hot' }
  const target = { externalId: 'B', name: 'Tee', price: 3.01, taxable: true }
  const found = compare(
    'product',
    source,
    target,
    told({
      notes: [{ pointer: '/sku', kind: 'requirement', message: 'too long' }],
      warnings: [{ code: 'derived', pointer: '/price', message: 'holds 3.01 instead' }],
      notStored: ['/cost', '/description (Cold)'],
    }),
  )
  expect(explained(found).sort()).toEqual([
    '/cost not_stored',
    '/description unexplained',
    '/name unexplained',
    '/price derived',
    '/sku requirement',
    '/taxable added',
  ])
})
it('says that each platform computes sums and ids of lines itself, and why there are more lines', () => {
  const line = { externalId: 'L-1', quantity: 1, unitPrice: 3, lineTotal: 3 }
  const source = { externalId: 'A', subtotal: 3, refundTotal: 1, tipIncluded: true, lineItems: [line] }
  const tip = { externalId: 'L-3', quantity: 1, unitPrice: 1 }
  const target = { externalId: 'B', subtotal: 4, tipIncluded: false, lineItems: [{ ...line, externalId: 'L-2' }, tip] }
  const notes = [{ pointer: '/lineItems/-', kind: 'requirement' as const, message: 'Tip is a line of its own.' }]
  expect(explained(compare('order', source, target, told({ notes }))).sort()).toEqual([
    '/lineItems requirement',
    '/lineItems/0/externalId derived',
    '/refundTotal derived',
    '/subtotal derived',
    '/tipIncluded derived',
  ])
  const other = { ...target, lineItems: [{ ...line, unitPrice: 2 }, tip] }
  expect(explained(compare('order', source, other, told({ notes })))).toContain('/lineItems/0/unitPrice unexplained')
})
it('explains every field of an object that the target does not store', () => {
  const source = { externalId: 'A', name: 'Ada', address: { line1: '1 Main St', country: 'US' } }
  const found = compare('customer', source, { externalId: 'B', name: 'Ada' }, told({ notStored: ['/address'] }))
  expect(explained(found)).toEqual(['/address/line1 not_stored', '/address/country not_stored'])
})
it('compares a reference with the record that it became', () => {
  const source = { externalId: 'A', customerExternalId: 'C-1', lineItems: [{ productExternalId: 'P-1', quantity: 1 }] }
  const target = {
    externalId: 'B',
    customerExternalId: 'native',
    lineItems: [{ productExternalId: 'wrong', quantity: 1 }],
  }
  const found = compare(
    'order',
    source,
    target,
    told({ references: { '/customerExternalId': 'native', '/lineItems/0/productExternalId': 'right' } }),
  )
  expect(explained(found)).toEqual(['/lineItems/0/productExternalId unexplained'])
})
it('a line that is lost or added is one difference, and never passes for something that the target fills in', () => {
  const one = { externalId: 'A', lineItems: [{ quantity: 1 }] }
  const two = { externalId: 'B', lineItems: [{ quantity: 1 }, { quantity: 2, name: 'Tea' }] }
  expect(explained(compare('order', one, two, told()))).toEqual(['/lineItems unexplained'])
  expect(explained(compare('order', two, one, told()))).toEqual(['/lineItems unexplained'])
})
it('knows records by what people know them by, and twins by their content', () => {
  expect(naturalKeys('product', { externalId: '1', name: ' Flat  White', sku: 'FW' })).toEqual([
    'sku fw',
    'name flat white',
  ])
  expect(naturalKeys('customer', { externalId: '1', name: 'Ada', phone: '+1 (415) 555' })).toEqual([
    'phone and name 1415555 / ada',
    'name ada',
  ])
  const order = { externalId: '1', orderNumber: 'T-1', lineItems: [{ name: 'Tea', quantity: 1, unitPrice: 3 }] }
  expect(fingerprint('order', { ...order, externalId: '2' })).toBe(fingerprint('order', order))
  expect(fingerprint('order', { ...order, lineItems: [{ name: 'Tea', quantity: 2, unitPrice: 3 }] })).not.toBe(
    fingerprint('order', order),
  )
})
