// What Clover tells an app about a merchant: https://docs.clover.com/dev/docs/webhooks
// The URL is entered in the Developer Dashboard and verified with a code that Clover sends to it. Clover publishes no
// schedule of retries and guarantees no delivery.
import { randomUUID } from 'node:crypto'
import type { State } from '../../../sandbox/collection.ts'
import { type Emission, emitEvents } from '../../../sandbox/emitter.ts'
import type { Fields } from '../../../sandbox/http.ts'
import type { Simulator, Webhooks } from '../../../sandbox/simulator.ts'
import type { Order, World } from './world.ts'

interface Callback {
  url: string
  authCode: string
  verificationCode?: string // until it is entered
}
interface Update {
  objectId: string
  type: 'CREATE' | 'UPDATE' | 'DELETE'
  ts: number
}
const types = { created: 'CREATE', updated: 'UPDATE', deleted: 'DELETE' } as const
const json = { 'content-type': 'application/json' }

export function createWebhooks(
  webhooks: Webhooks | undefined,
  state: State,
  world: World,
  appId: string,
): Required<Pick<Simulator, 'enterWebhook' | 'enterCode'>> {
  const callbacks = state.collection<Callback>('webhook-callback')
  const only = 'callback' // an app has one URL

  const told = (key: string): Emission<Fields, Update> => ({
    isDeleted: ({ deletedTimestamp }) => deletedTimestamp !== undefined,
    event: ({ kind, id, record, before }) =>
      kind === 'updated' && onlyStock(record, before!)
        ? undefined
        : { objectId: `${key}:${id}`, type: types[kind], ts: world.now() },
  })
  emitEvents<Update>({
    webhooks,
    emissions: {
      items: told('I'),
      categories: told('IC'),
      orders: toldOf(told('O'), world),
      customers: told('C'),
      employees: told('E'),
    },
    together: true,
    send(updates) {
      const callback = callbacks.get(only)
      if (!callback || callback.verificationCode !== undefined) return
      const headers = { ...json, 'x-clover-auth': callback.authCode }
      const merchants = { [world.merchant.id]: updates }
      webhooks?.send({ url: callback.url, headers, body: JSON.stringify({ appId, merchants }) })
    },
  })

  return {
    enterWebhook(url) {
      const known = callbacks.get(only)
      const verificationCode = randomUUID()
      const authCode = known?.url === url ? known.authCode : randomUUID()
      callbacks.set(only, { url, authCode, verificationCode })
      webhooks?.send({ url, headers: json, body: JSON.stringify({ verificationCode }) })
      return { secret: authCode }
    },
    enterCode(code) {
      const callback = callbacks.get(only)
      if (!callback || callback.verificationCode !== code) return false
      const { url, authCode } = callback
      callbacks.set(only, { url, authCode })
      return true
    },
  }
}

/** An order with the payments in it that changed; a refund is a change of its payment. */
const toldOf = (order: Emission<Fields, Update>, world: World): Emission<Fields, Update> => ({
  ...order,
  event: (change) => {
    const paymentsIn = (record: Fields | undefined) => (record as Order | undefined)?.paymentList ?? []
    const refundsOf = (record: Fields | undefined, id: string) =>
      JSON.stringify((record as Order | undefined)?.refundList.filter(({ payment }) => payment.id === id) ?? [])
    const then = new Map(paymentsIn(change.before).map((payment) => [payment.id, payment]))
    const payments = paymentsIn(change.record).flatMap((payment): Update[] => {
      const before = then.get(payment.id)
      const isSame =
        JSON.stringify(before) === JSON.stringify(payment) &&
        refundsOf(change.before, payment.id) === refundsOf(change.record, payment.id)
      return isSame ? [] : [{ objectId: `P:${payment.id}`, type: before ? 'UPDATE' : 'CREATE', ts: world.now() }]
    })
    return [order.event(change) ?? [], payments].flat()
  },
})

/** Clover does not say that a count of stock is a change of its item. */
function onlyStock(now: Fields, then: Fields): boolean {
  const rest = ({ stock: _, modifiedTime: __, ...fields }: Fields) => JSON.stringify(fields)
  return JSON.stringify(now.stock) !== JSON.stringify(then.stock) && rest(now) === rest(then)
}
