// Webhooks of the app, entered in the developer portal, as CloudEvents:
// https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import type { State } from '../../../sandbox/collection.ts'
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
  let events: Fields[] = []

  /** The changes of one call are one webhook. */
  function flush(): void {
    const { url, verifier } = entered.get('app')!
    const body = JSON.stringify(events)
    events = []
    webhooks?.send({
      url,
      headers: {
        'content-type': 'application/json',
        'intuit-signature': createHmac('sha256', verifier).update(body).digest('base64'),
      },
      body,
      retrySeconds,
    })
  }
  webhooks?.onChange(({ collection, id, record, before }) => {
    if (collection !== 'customers' || !entered.has('app')) return
    if (events.length === 0) queueMicrotask(flush)
    const operation = before === undefined ? 'created' : isDeleted(record) && !isDeleted(before) ? 'deleted' : 'updated'
    events.push({
      specversion: '1.0',
      id: `${randomUUID()}-Customer-${id}`,
      source: `intuit.${createHmac('sha256', 'app').update(world.realmId).digest('base64')}`,
      type: `qbo.customer.${operation}.v1`,
      datacontenttype: 'application/json',
      time: new Date(world.now()).toISOString(),
      intuitentityid: id,
      intuitaccountid: world.realmId,
      data: {},
    })
  })

  /** An app has one endpoint. Its verifier token stays. */
  return (url) => {
    const verifier = entered.get('app')?.verifier ?? `${randomUUID()}${randomBytes(2).toString('hex')}`
    entered.set('app', { url, verifier })
    return { secret: verifier }
  }
}

/** Customers are never removed: to delete one is to make it inactive. */
const isDeleted = (customer: unknown): boolean => (customer as StoredCustomer | undefined)?.Active !== true
