// Outgoing webhooks as a job: takes the endpoints that are due, several beside each other.
import type { Engine } from '../engine/engine.ts'
import type { Transport } from '../engine/outbound/transport.ts'
import type { Work } from '../jobs/job.ts'
import type { HeldEndpoint } from '../store/deliveries.ts'
import type { Store } from '../store/store.ts'
import { createDeliverer, type DelivererOptions } from './deliverer.ts'
import { createLogReader } from './read-logs.ts'

export interface DeliveryOptions extends Pick<DelivererOptions, 'onAttempt' | 'onEnded'> {
  store: Store
  engine: Engine
  transport: Transport
  scale: number
  sandbox: boolean
}

export function createDeliveryWork({ store, engine, ...options }: DeliveryOptions): Work<HeldEndpoint> {
  const { webhooks, changes } = store
  const deliverer = createDeliverer({
    ...options,
    store,
    logs: createLogReader({ store, engine }),
    now: Date.now,
  })
  return {
    due(limit, why) {
      if (why === 'time') deliverer.wake('everything')
      return webhooks.due(limit)
    },
    take: (endpointId, { holder, leaseMs }) => webhooks.take(endpointId, holder, leaseMs),
    renew: (endpoint, leaseMs) => webhooks.renew(endpoint, leaseMs),
    work: deliverer.work,
    release: (endpoint, next) => webhooks.release(endpoint, next),
    about: (endpointId) => `the webhook endpoint ${endpointId}`,
    subscribe: (wake) =>
      changes.subscribe((accountId) => {
        deliverer.wake(accountId === '' ? 'everything' : 'news')
        wake()
      }),
    onCrowded: () => deliverer.wake('news'),
  }
}
