// What Clover tells an app about a merchant: https://docs.clover.com/dev/docs/webhooks
// The URL is entered in the Developer Dashboard and verified with a code that Clover sends to it. Clover publishes no
// schedule of retries and guarantees no delivery.
import { randomUUID } from 'node:crypto'
import type { State } from '../../../sandbox/collection.ts'
import { type Emission, emitEvents } from '../../../sandbox/emitter.ts'
import type { Fields } from '../../../sandbox/http.ts'
import type { Simulator, Webhooks } from '../../../sandbox/simulator.ts'
import type { World } from './world.ts'

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
      orders: told('O'),
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

/** Clover does not say that a count of stock is a change of its item. */
function onlyStock(now: Fields, then: Fields): boolean {
  const rest = ({ stock: _, modifiedTime: __, ...fields }: Fields) => JSON.stringify(fields)
  return JSON.stringify(now.stock) !== JSON.stringify(then.stock) && rest(now) === rest(then)
}
