// What Square tells about a seller's changes. Subscriptions are made in the Developer Console, for all sellers of the
// application: https://developer.squareup.com/docs/webhooks/step2subscribe
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { State } from '../../../sandbox/collection.ts'
import { type Changed, type Emission, emitEvents } from '../../../sandbox/emitter.ts'
import type { Fields } from '../../../sandbox/http.ts'
import type { Simulator, Webhooks } from '../../../sandbox/simulator.ts'
import { iso, type Order, type World } from './world.ts'

interface Subscription {
  url: string
  signatureKey: string
}
interface Event {
  type: string
  data: Fields
}
type Told = [world: World, event: Event]
const minute = 60
/** For 24 hours: https://developer.squareup.com/docs/webhooks/troubleshooting */
const retrySeconds = [1, 2, 4, 8, 16, 32, ...Array<number>(22).fill(60)].map((minutes) => minutes * minute)

export function createWebhooks(
  webhooks: Webhooks | undefined,
  state: State,
  worlds: readonly World[],
): Pick<Simulator, 'enterWebhook'> {
  const subscriptions = state.collection<Subscription>('webhook-subscriptions')
  /** One event for all objects that change together. */
  const changedCatalogs = new Set<World>()

  function send(world: World, { type, data }: Event): void {
    const body = JSON.stringify({
      merchant_id: world.merchantId,
      type,
      event_id: randomUUID(),
      created_at: iso(world.now()),
      data,
    })
    for (const { url, signatureKey } of subscriptions.values())
      webhooks?.send({
        url,
        headers: {
          'content-type': 'application/json',
          'square-environment': 'Production',
          'x-square-hmacsha256-signature': createHmac('sha256', signatureKey).update(`${url}${body}`).digest('base64'),
        },
        body,
        retrySeconds,
      })
  }
  function catalogChanged(world: World): void {
    if (changedCatalogs.size === 0)
      queueMicrotask(() => {
        for (const changed of changedCatalogs)
          send(changed, {
            type: 'catalog.version.updated',
            data: { type: 'catalog.version', object: { catalog_version: { updated_at: iso(changed.now()) } } },
          })
        changedCatalogs.clear()
      })
    changedCatalogs.add(world)
  }
  /** `eventOf` a change, with the seller whose collection it is in. */
  const told = <T>(eventOf: (change: Changed<T>, world: World) => Event | undefined): Emission<T, Told> => ({
    event(change) {
      const world = worlds.find(({ vertical }) => change.collection.startsWith(`${vertical}/`))!
      const event = eventOf(change, world)
      return event && [[world, event]]
    },
  })
  emitEvents<Told>({
    webhooks,
    nameOf: (collection) => collection.split('/')[1],
    emissions: {
      catalog: told((_, world) => void catalogChanged(world)),
      counts: told(countEvent),
      orders: told(orderEvent),
      customers: told((change) => recordEvent('customer', 'customer', change)),
      team: told((change) =>
        change.kind === 'deleted' ? undefined : recordEvent('team_member', 'team_member', change),
      ),
      timecards: told(timecardEvent),
      payments: told((change) => (change.kind === 'deleted' ? undefined : recordEvent('payment', 'payment', change))),
      refunds: told((change) => (change.kind === 'deleted' ? undefined : recordEvent('refund', 'refund', change))),
    },
    send: ([[world, event]]) => send(world, event),
  })

  return {
    enterWebhook(url) {
      const known = subscriptions.get(url)
      const { signatureKey } =
        known ?? subscriptions.set(url, { url, signatureKey: randomBytes(16).toString('base64url') })
      return { secret: signatureKey }
    },
  }
}

const recordEvent = (type: string, name: string, { kind, id, record }: Changed<Fields>): Event => ({
  type: `${type}.${kind}`,
  data: { type: name, id, object: { [name]: record } },
})
const countEvent = ({ kind, record }: Changed<Fields>): Event | undefined =>
  kind === 'deleted'
    ? undefined
    : {
        type: 'inventory.count.updated',
        data: { type: 'inventory_counts', id: randomUUID(), object: { inventory_counts: [record] } },
      }
const timecardEvent = (change: Changed<Fields>): Event =>
  change.kind === 'deleted'
    ? { type: 'labor.timecard.deleted', data: { type: 'timecard', id: change.id, deleted: true } }
    : recordEvent('labor.timecard', 'timecard', change)

/** Orders of the Point of Sale app, which have no version, are not told. */
function orderEvent({ kind, id, record }: Changed<Order & Fields>): Event | undefined {
  if (kind === 'deleted' || record.version === undefined) return undefined
  const { location_id, state, version, created_at, updated_at } = record
  const told = {
    order_id: id,
    version,
    location_id,
    state,
    created_at,
    ...(kind === 'updated' && { updated_at }),
  }
  return { type: `order.${kind}`, data: { type: `order_${kind}`, id, object: { [`order_${kind}`]: told } } }
}
