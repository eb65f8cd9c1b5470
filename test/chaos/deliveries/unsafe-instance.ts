// The service with one safeguard of outgoing webhooks off, to show that the checker fails. The product has no such
// switch.
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../../src/config.ts'
import { connectors } from '../../../src/platforms/registry.ts'
import { openSandboxWorkspace, type SandboxTenant } from '../../../src/sandbox-workspace.ts'
import { createService, type Service } from '../../../src/service.ts'
import { LostLease } from '../../../src/store/lost-lease.ts'

export type DeliverySafeguard = 'order per record' | 'deliveries with their position' | 'stored body' | 'lease'
const off = process.env.SAFEGUARD_OFF as DeliverySafeguard
const config = readConfig()

/** What is due is sent, whether an earlier event of its record waits or not. */
function unordered({ store: { webhooks } }: Service): void {
  webhooks.dueDeliveries = async (endpointId, limit) => {
    const { data } = await webhooks.deliveries(endpointId, { limit: 10 * limit, state: 'waiting' })
    return data.filter(({ nextAt }) => nextAt <= Date.now()).slice(0, limit)
  }
}
/** First the position, then the deliveries behind it. */
function splitEnqueue({ store: { webhooks } }: Service): void {
  const { enqueue } = webhooks
  webhooks.enqueue = async (endpoint, logs) => {
    await enqueue(
      endpoint,
      logs.map((log) => ({ ...log, deliveries: [] })),
    )
    await sleep(400)
    await enqueue(endpoint, logs)
  }
}
/** The body is made again for every attempt. */
function restamped({ store: { webhooks } }: Service): void {
  const { dueDeliveries } = webhooks
  webhooks.dueDeliveries = async (...parameters) =>
    (await dueDeliveries(...parameters)).map((delivery) => ({
      ...delivery,
      body: JSON.stringify({ ...(JSON.parse(delivery.body) as object), timestamp: new Date().toISOString() }),
    }))
}
/** A process does not notice that it stood still, or that another one has the endpoint. */
function unleased({ store: { webhooks } }: Service): void {
  const standstillMs = 5_000
  const { now } = performance
  let last = now.call(performance)
  let lost = 0
  performance.now = () => {
    const at = now.call(performance)
    if (at - last > standstillMs) lost += at - last
    last = at
    return at - lost
  }
  const wall = Date.now
  Date.now = () => wall() - lost // the lease looks at both clocks
  setInterval(performance.now, 100).unref()
  const { settle } = webhooks
  webhooks.renew = async () => true
  webhooks.settle = (...parameters) =>
    settle(...parameters).catch((error: unknown) => {
      if (!(error instanceof LostLease)) throw error
      return { failures: 0, failingForMs: 0 }
    })
}
const switches: Record<DeliverySafeguard, (service: Service) => void> = {
  'order per record': unordered,
  'deliveries with their position': splitEnqueue,
  'stored body': restamped,
  lease: unleased,
}

const response = await fetch(`${config.sandboxUrl}/_sandbox/accounts`)
const { accounts } = (await response.json()) as { accounts: SandboxTenant[] }
const service = await createService({
  config,
  connectors,
  originOverride: (account) => `${config.sandboxUrl}/${account.platform}`,
})
switches[off](service)
const address = await service.listen()
await openSandboxWorkspace(service, connectors, accounts, config.dataDir)
flushCompileCache() // it ends with kill -9, and the next one starts faster
console.log(`listening on ${address}`)
