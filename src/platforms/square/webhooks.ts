// Webhooks of Square: https://developer.squareup.com/docs/webhooks/overview
// Subscriptions belong to the application, and only its own access token can manage them: a person adds them in the
// Developer Console.
import type { HookHint, Hooks } from '../../contract/connector.ts'
import { valueAt } from '../../contract/pointer.ts'
import { topicTable } from '../../kit/topics.ts'
import { idIn, isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'

type Hint = Omit<HookHint, 'business'>
const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A merge deletes the customers and creates a new one, which both events name. */
function merged(data: unknown): readonly Hint[] {
  const merge = valueAt(data, '/object/event_context/merge')
  const replacedBy = idIn(memberOf(merge, 'to_customer_id'))
  if (replacedBy === undefined) return []
  return elements(memberOf(merge, 'from_customer_ids')).flatMap((from) => {
    const id = idIn(from)
    return id === undefined ? [] : [{ entityType: 'customer' as const, id, gone: true as const, replacedBy }]
  })
}
const all = ['created', 'updated', 'deleted'] as const
const created = ['created'] as const
const updated = ['updated'] as const
const deleted = ['deleted'] as const
const topics = topicTable({
  // It does not say what has changed.
  'catalog.version.updated': [
    { of: 'product', kinds: all },
    { of: 'category', kinds: all },
    { of: 'tax_rate', kinds: all },
  ],
  // The only id in a count is that of a variation, which `members` takes as well.
  'inventory.count.updated': {
    of: 'product',
    kinds: updated,
    each: '/object/inventory_counts',
    id: '/catalog_object_id',
  },
  // An order of the Point of Sale app gets no event.
  'order.created': { of: 'order', kinds: created, id: '/id' },
  'order.updated': { of: 'order', kinds: updated, id: '/id' },
  'order.fulfillment.updated': { of: 'order', kinds: updated, id: '/id' },
  'payment.created': { of: 'payment', kinds: created, id: '/id' },
  'payment.updated': { of: 'payment', kinds: updated, id: '/id' },
  'refund.created': { of: 'refund', kinds: created, id: '/id' },
  'refund.updated': { of: 'refund', kinds: updated, id: '/id' },
  'customer.created': { of: 'customer', kinds: created, id: '/id', more: merged },
  'customer.updated': { of: 'customer', kinds: updated, id: '/id' },
  'customer.deleted': { of: 'customer', kinds: deleted, id: '/id', more: merged },
  'team_member.created': { of: 'employee', kinds: created, id: '/id' },
  'team_member.updated': { of: 'employee', kinds: updated, id: '/id' },
  'team_member.wage_setting.updated': { of: 'employee', kinds: updated, id: '/object/wage_setting/team_member_id' },
  'labor.timecard.created': { of: 'time_entry', kinds: created, id: '/id' },
  'labor.timecard.updated': { of: 'time_entry', kinds: updated, id: '/id' },
  'labor.timecard.deleted': { of: 'time_entry', kinds: deleted, id: '/id' },
})

export const hooks: Hooks = {
  scope: 'application',
  business: 'merchantId',
  secret: {
    from: 'entered',
    words: {
      label: 'Signature key',
      help: 'In the Square Developer Console: your application, Webhooks, Subscriptions, your subscription.',
    },
  },
  verify: ({ url, headers, body }, secret) =>
    isSigned(Buffer.concat([Buffer.from(url), body]), secret, headers['x-square-hmacsha256-signature'], {
      encoding: 'base64',
    }),
  read(request) {
    const event = jsonOf(request)
    const business = idIn(memberOf(event, 'merchant_id'))
    return business === undefined ? [] : topics.hints(memberOf(event, 'type'), () => memberOf(event, 'data'), business)
  },
  reports: topics.reports,
  steps: [
    'Open your application in the Square Developer Console.',
    'Select Webhooks, Subscriptions, then Add subscription.',
    'Enter {url} as the notification URL and select the API version 2025-08-20.',
    `Select these events and save: ${topics.names.join(', ')}.`,
    'Open the subscription, show its signature key and enter it as the signature key of this webhook.',
  ],
}
