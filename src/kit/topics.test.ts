import { expect, it } from 'vitest'
import { topicTable } from './topics.ts'
import { memberOf } from './webhooks.ts'

const topics = topicTable({
  'menu.updated': [
    { of: 'product', kinds: ['created', 'updated', 'deleted'] },
    { of: 'category', kinds: ['updated'] },
  ],
  'customer.created': { of: 'customer', kinds: ['created'], id: '/data/id' },
  'customer.deleted': {
    of: 'customer',
    kinds: ['deleted'],
    id: '/data/id',
    more: (payload) =>
      memberOf(payload, 'into') === undefined
        ? []
        : [{ entityType: 'customer', id: 'old', gone: true, replacedBy: String(memberOf(payload, 'into')) }],
  },
  'receipts.update': {
    of: 'order',
    kinds: ['created', 'updated'],
    each: '/receipts',
    id: (receipt) => memberOf(receipt, 'refund_for') ?? memberOf(receipt, 'number'),
    goneSince: '/deleted_at',
  },
})
const hints = (topic: unknown, payload: unknown, business?: string) => topics.hints(topic, () => payload, business)

it('names the topics of entity types, and what the platform reports', () => {
  expect(topics.for(['order', 'category', 'shift'])).toEqual(['receipts.update', 'menu.updated'])
  expect(topics.names).toHaveLength(4)
  expect(topics.reports).toEqual({
    product: ['created', 'updated', 'deleted'],
    category: ['updated'],
    customer: ['created', 'deleted'],
    order: ['created', 'updated'],
  })
})
it('reads the record of a topic', () => {
  expect(hints('customer.created', { data: { id: 7 } })).toEqual([{ entityType: 'customer', id: '7' }])
  expect(hints('customer.deleted', { data: { id: '7' }, into: 8 }, 'M1')).toEqual([
    { entityType: 'customer', id: '7', gone: true, business: 'M1' },
    { entityType: 'customer', id: 'old', gone: true, replacedBy: '8', business: 'M1' },
  ])
})
it('says that something changed where no record is named', () => {
  expect(hints('menu.updated', {})).toEqual([{ entityType: 'product' }, { entityType: 'category' }])
  expect(hints('customer.deleted', { data: { id: '' } })).toEqual([{ entityType: 'customer' }])
  expect(hints('receipts.update', { receipts: 'none' })).toEqual([{ entityType: 'order' }])
})
it('reads every record of a list once, and which of them are gone', () => {
  const receipts = [{ number: '1' }, { number: '2', refund_for: '1' }, { number: '3', deleted_at: '2026-01-01' }, null]
  expect(hints('receipts.update', { receipts })).toEqual([
    { entityType: 'order', id: '1' },
    { entityType: 'order', id: '3', gone: true },
    { entityType: 'order' },
  ])
})
it('does not read the payload of a topic that is not in the table', () => {
  const payload = () => {
    throw new Error('read')
  }
  expect(['nope', undefined, 'constructor'].flatMap((topic) => topics.hints(topic, payload))).toEqual([])
})
