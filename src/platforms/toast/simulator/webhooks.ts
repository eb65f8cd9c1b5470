// What Toast tells a partner about a restaurant: https://doc.toasttab.com/doc/devguide/apiWebhooksReference.html
// A subscription is for one event category and has its own secret.
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { State } from '../../../sandbox/collection.ts'
import type { Simulator, Webhooks } from '../../../sandbox/simulator.ts'
import type { Inventory, Order, World } from './world.ts'

interface Subscription {
  url: string
  category: string
  secret: string
}
interface Event {
  category: string
  type: string
  details: object
}
const categories: readonly string[] = ['order_updated', 'menus', 'stock']
/** https://doc.toasttab.com/doc/devguide/apiRetrySupport.html */
const retrySeconds = [300, 600]
const lowQuantity = 5
/** Left out of orders: https://doc.toasttab.com/doc/devguide/devOrdersWebhookRef.html */
const personal = ['firstName', 'lastName', 'phone', 'address1', 'address2', 'city', 'state', 'zipCode']

export function createWebhooks(
  webhooks: Webhooks | undefined,
  state: State,
  world: World,
): Pick<Simulator, 'enterWebhook'> {
  const subscriptions = state.collection<Subscription>('webhook-subscriptions')

  function send({ category, type, details }: Event): void {
    const timestamp = new Date(world.now()).toISOString()
    const body = JSON.stringify({
      timestamp,
      eventCategory: category,
      eventType: type,
      guid: randomUUID(),
      details: { restaurantGuid: world.guid, ...details },
    })
    for (const { url, secret } of subscriptions.filter((one) => one.category === category))
      webhooks?.send({
        url,
        headers: {
          'content-type': 'application/json',
          'toast-event-category': category,
          'toast-event-type': type,
          'toast-restaurant-external-id': world.guid,
          'toast-signature': createHmac('sha256', secret).update(`${body}${timestamp}`).digest('base64'),
        },
        body,
        retrySeconds,
      })
  }
  webhooks?.onChange(({ collection, record, before }) => {
    const event = eventOf(collection, record, before, world)
    if (event) send(event)
  })

  return {
    enterWebhook(url) {
      const secrets = categories.map((category) => {
        const id = `${category} ${url}`
        const known = subscriptions.get(id)
        return (known ?? subscriptions.set(id, { url, category, secret: randomBytes(24).toString('base64url') })).secret
      })
      return { secret: secrets.join(' ') }
    },
  }
}

function eventOf(collection: string, record: unknown, before: unknown, world: World): Event | undefined {
  switch (collection) {
    case 'orders':
      return { category: 'order_updated', type: 'order_updated', details: { order: withoutPeople(record as Order) } }
    case 'publication':
      return {
        category: 'menus',
        type: 'menus_updated',
        details: { publishedDate: new Date(world.now()).toISOString() },
      }
    case 'inventory': {
      const then = before as Inventory | undefined
      // An item without a count is in stock.
      const now = (record as Inventory | undefined) ?? { ...then!, status: 'IN_STOCK', quantity: null }
      const type = stockEvent(now, then)
      return type === undefined ? undefined : { category: 'stock', type, details: stockDetails(now) }
    }
  }
  return undefined
}

const withoutPeople = (order: Order): unknown =>
  JSON.parse(
    JSON.stringify(order, (name, value: unknown) =>
      personal.includes(name) ? undefined : name === 'externalId' ? null : value,
    ),
  )

/** A sale that leaves more than the low quantity is not told. */
function stockEvent({ status, quantity }: Inventory, before: Inventory | undefined): string | undefined {
  if (status === 'OUT_OF_STOCK') return 'out_of_stock'
  if (status === 'IN_STOCK') return 'in_stock'
  if ((quantity ?? 0) <= lowQuantity) return 'low_quantity'
  return before?.status === 'QUANTITY' && (before.quantity ?? 0) > (quantity ?? 0) ? undefined : 'in_stock'
}
const stockDetails = ({ guid, multiLocationId, status, quantity }: Inventory): object => ({
  itemGuid: guid,
  status,
  ...(status === 'QUANTITY' && { quantity }),
  multiLocationId,
  versionId: guid,
})
