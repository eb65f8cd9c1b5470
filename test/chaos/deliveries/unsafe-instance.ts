// The service with one safeguard of outgoing webhooks off, to show that the checker fails. The product has no such
// switch.
import { flushCompileCache } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from '../../../src/config.ts'
import { connectors } from '../../../src/platforms/registry.ts'
import { openSandboxWorkspace, type SandboxTenant } from '../../../src/sandbox-workspace.ts'
import { createService, type Service } from '../../../src/service.ts'
import type { EndpointFence } from '../../../src/store/webhooks.ts'

export type DeliverySafeguard = 'order per record' | 'deliveries with their position' | 'lease' | 'stored body'
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
/** Every instance works on every endpoint, without regard to its holder. */
function unleased({ store: { webhooks } }: Service): void {
  const pool = new pg.Pool({ connectionString: config.databaseUrl })
  const current = async ({ id }: EndpointFence): Promise<EndpointFence> => {
    const { rows } = await pool.query<{ fence: string }>('select fence from webhook_endpoints where id = $1', [id])
    return { id, fence: Number(rows[0]?.fence) }
  }
  const { take, enqueue, settle } = webhooks
  webhooks.due = async () => (await webhooks.list('sandbox', { limit: 100 })).data.map(({ id }) => id)
  webhooks.take = async (id, ...parameters) => {
    await pool.query('update webhook_endpoints set lease_until = 0 where id = $1', [id])
    return take(id, ...parameters)
  }
  webhooks.renew = async () => true
  webhooks.enqueue = async (endpoint, logs) => enqueue(await current(endpoint), logs)
  webhooks.settle = async (endpoint, ...parameters) => settle(await current(endpoint), ...parameters)
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
const switches: Record<DeliverySafeguard, (service: Service) => void> = {
  'order per record': unordered,
  'deliveries with their position': splitEnqueue,
  lease: unleased,
  'stored body': restamped,
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
