// Webhooks of Toast: https://doc.toasttab.com/doc/devguide/apiWebhookBasics.html
// Toast arranges subscriptions; there is no API for them.
import type { Hooks, RawHook } from '../../contract/connector.ts'
import { toUtc } from '../../kit/time.ts'
import { topicTable } from '../../kit/topics.ts'
import { idIn, isSigned, jsonOf, memberOf } from '../../kit/webhooks.ts'

const minute = 60_000
/** The timestamp is that of the event. Toast repeats a failed delivery after 5 and 10 more minutes, unchanged. */
const oldest = 30 * minute
const newest = 5 * minute
const mostSecrets = 10

const all = ['created', 'updated', 'deleted'] as const
/** Payments and refunds are parts of their order. */
const order = (['order', 'payment', 'refund'] as const).map(
  (of) => ({ of, kinds: ['created', 'updated'], id: '/order/guid' }) as const,
)
const stock = { of: 'product', kinds: ['updated'], id: '/itemGuid' } as const
const topics = topicTable({
  menus_updated: [
    { of: 'product', kinds: all },
    { of: 'category', kinds: all },
  ],
  in_stock: stock,
  low_quantity: stock,
  out_of_stock: stock,
  order_updated: order,
  channel_order_updated: order,
})

/** The text that is signed after the body, if it is of these minutes. */
function timestampOf(request: RawHook, now: number): string | undefined {
  let timestamp: unknown
  try {
    timestamp = memberOf(jsonOf(request), 'timestamp')
  } catch {
    return undefined
  }
  if (typeof timestamp !== 'string') return undefined
  const at = Date.parse(toUtc(timestamp) ?? '')
  return at >= now - oldest && at <= now + newest ? timestamp : undefined
}

export const hooks: Hooks = {
  scope: 'application',
  business: 'restaurantGuid',
  secret: {
    from: 'entered',
    words: {
      label: 'Webhook secrets',
      help: 'Toast gives each subscription its own: enter the secrets of all, separated by spaces.',
    },
  },
  // https://doc.toasttab.com/doc/devguide/apiMessageSigning.html
  verify(request, secret, now) {
    const timestamp = timestampOf(request, now)
    if (timestamp === undefined) return false
    const content = Buffer.concat([request.body, Buffer.from(timestamp)])
    return secret
      .split(/\s+/)
      .filter(Boolean)
      .slice(0, mostSecrets)
      .some((one) => isSigned(content, one, request.headers['toast-signature'], { encoding: 'base64' }))
  },
  read(request) {
    const message = jsonOf(request)
    const details = memberOf(message, 'details')
    // The GUID in the body is signed, the one in the header is not.
    const business = idIn(memberOf(details, 'restaurantGuid')) ?? idIn(request.headers['toast-restaurant-external-id'])
    return business === undefined ? [] : topics.hints(memberOf(message, 'eventType'), () => details, business)
  },
  reports: topics.reports,
  steps: [
    'Ask Toast for webhook subscriptions of the event categories orders, menus and stock, or add them in Toast Web if your API access allows it.',
    'Give {url} as the endpoint of each subscription.',
    'Enter the secrets of all subscriptions, separated by spaces.',
  ],
}
