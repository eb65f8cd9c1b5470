// Webhooks of the app, entered in the developer portal, as CloudEvents:
// https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { State } from '../../../sandbox/collection.ts'
import { type Emission, emitEvents } from '../../../sandbox/emitter.ts'
import type { Fields } from '../../../sandbox/http.ts'
import type { Simulator, Webhooks } from '../../../sandbox/simulator.ts'
import type { StoredCustomer, World } from './world.ts'

/** Then every six hours, without an end. https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/best-practices */
const retrySeconds = [10, 20, 30, 300, 1200, 7200, 14_400, 21_600, 21_600]

export function createQuickbooksWebhooks(
  world: World,
  state: State,
  webhooks: Webhooks | undefined,
): NonNullable<Simulator['enterWebhook']> {
  const entered = state.collection<{ url: string; verifier: string }>('webhooks')
  /** Customers are never removed: to delete one is to make it inactive. */
  const customers: Emission<StoredCustomer, Fields> = {
    isDeleted: ({ Active }) => !Active,
    event: ({ kind, id }) =>
      entered.has('app')
        ? {
            specversion: '1.0',
            id: `${randomUUID()}-Customer-${id}`,
            source: `intuit.${createHmac('sha256', 'app').update(world.realmId).digest('base64')}`,
            type: `qbo.customer.${kind}.v1`,
            datacontenttype: 'application/json',
            time: new Date(world.now()).toISOString(),
            intuitentityid: id,
            intuitaccountid: world.realmId,
            data: {},
          }
        : undefined,
  }
  emitEvents({
    webhooks,
    emissions: { customers },
    together: true,
    send(events) {
      const { url, verifier } = entered.get('app')!
      const body = JSON.stringify(events)
      webhooks?.send({
        url,
        headers: {
          'content-type': 'application/json',
          'intuit-signature': createHmac('sha256', verifier).update(body).digest('base64'),
        },
        body,
        retrySeconds,
      })
    },
  })

  /** An app has one endpoint. Its verifier token stays. */
  return (url) => {
    const verifier = entered.get('app')?.verifier ?? `${randomUUID()}${randomBytes(2).toString('hex')}`
    entered.set('app', { url, verifier })
    return { secret: verifier }
  }
}
