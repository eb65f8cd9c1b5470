// Webhooks of Square: https://developer.squareup.com/docs/webhooks/overview
// Subscriptions belong to the application, and only its own access token can manage them: a person adds them in the
// Developer Console.
import type { HookHint, Hooks } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import { distinctHints, idIn, isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'

type Hint = Omit<HookHint, 'business'>
type Read = (data: unknown) => readonly Hint[]

/** A member of a member: inside(event, 'data', 'id'). */
const inside = (value: unknown, ...names: string[]): unknown => names.reduce(memberOf, value)
const elements = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const changed =
  (entityType: EntityType): Read =>
  (data) => [{ entityType, id: idIn(inside(data, 'id')) }]
const deleted =
  (entityType: EntityType): Read =>
  (data) => [{ entityType, id: idIn(inside(data, 'id')), gone: true }]

/** A merge deletes the customers and creates a new one, which both events name. */
function merged(data: unknown): readonly Hint[] {
  const merge = inside(data, 'object', 'event_context', 'merge')
  const replacedBy = idIn(inside(merge, 'to_customer_id'))
  if (replacedBy === undefined) return []
  return elements(inside(merge, 'from_customer_ids')).flatMap((from) => {
    const id = idIn(from)
    return id === undefined ? [] : [{ entityType: 'customer' as const, id, gone: true as const, replacedBy }]
  })
}
/** The only id in a count is that of a variation, which `members` takes as well. */
const counted: Read = (data) =>
  elements(inside(data, 'object', 'inventory_counts')).map((count) => ({
    entityType: 'product',
    id: idIn(inside(count, 'catalog_object_id')),
  }))

const events = new Map<unknown, Read>([
  ['catalog.version.updated', () => [{ entityType: 'product' }, { entityType: 'category' }]],
  ['inventory.count.updated', counted],
  ['order.created', changed('order')],
  ['order.updated', changed('order')],
  ['order.fulfillment.updated', changed('order')],
  ['customer.created', (data) => [...changed('customer')(data), ...merged(data)]],
  ['customer.updated', changed('customer')],
  ['customer.deleted', (data) => [...deleted('customer')(data), ...merged(data)]],
  ['team_member.created', changed('employee')],
  ['team_member.updated', changed('employee')],
  [
    'team_member.wage_setting.updated',
    (data) => [{ entityType: 'employee', id: idIn(inside(data, 'object', 'wage_setting', 'team_member_id')) }],
  ],
  ['labor.timecard.created', changed('time_entry')],
  ['labor.timecard.updated', changed('time_entry')],
  ['labor.timecard.deleted', deleted('time_entry')],
])

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
    const business = idIn(inside(event, 'merchant_id'))
    if (business === undefined) return []
    const hints = events.get(inside(event, 'type'))?.(inside(event, 'data')) ?? []
    // Without a usable id, something in the entity has changed.
    return distinctHints(
      hints
        .map(({ id, ...hint }) => (id === undefined ? { entityType: hint.entityType } : { id, ...hint }))
        .map((hint) => ({ ...hint, business })),
    )
  },
  // An order of the Point of Sale app gets no event, and one of the catalog does not say what has changed.
  reports: {
    product: ['created', 'updated', 'deleted'],
    category: ['created', 'updated', 'deleted'],
    order: ['created', 'updated'],
    customer: ['created', 'updated', 'deleted'],
    employee: ['created', 'updated'],
    time_entry: ['created', 'updated', 'deleted'],
  },
  steps: [
    'Open your application in the Square Developer Console.',
    'Select Webhooks, Subscriptions, then Add subscription.',
    'Enter {url} as the notification URL and select the API version 2025-08-20.',
    `Select these events and save: ${[...events.keys()].join(', ')}.`,
    'Open the subscription, show its signature key and enter it as the signature key of this webhook.',
  ],
}
