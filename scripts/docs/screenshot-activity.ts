// Activity for the screenshots: a day in the sandbox, the same every time.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../src/config.ts'
import { openStore } from '../../src/store/open-store.ts'
import { createRequestId, requestIdAt, timeOfRequestId } from '../../src/store/request-id.ts'
import type { Activity } from '../../src/store/store.ts'
import { createVault } from '../../src/store/vault.ts'
import type { ServiceProcess } from '../../test/service-process.ts'

const restaurant = 'sandbox-square-restaurant'
/** Not the one of the explorer's pictures. */
export const watchedRestaurant = 'sandbox-clover-restaurant'
const reads: [account: string, entity: string][] = [
  [restaurant, 'product'],
  [restaurant, 'order'],
  ['sandbox-clover-restaurant', 'order'],
  ['sandbox-toast-restaurant', 'employee'],
  ['sandbox-shopify-retail_pos', 'product'],
  ['sandbox-woocommerce-retail_pos', 'customer'],
  ['sandbox-bigcommerce-retail_pos', 'order'],
  ['sandbox-loyverse-retail_pos', 'product'],
  ['sandbox-xero-accounting', 'customer'],
  ['sandbox-quickbooks-online-accounting', 'customer'],
  ['sandbox-lightspeed-k-restaurant', 'time_entry'],
]

async function managing({ url, sandboxFile }: ServiceProcess) {
  const { dashboard } = sandboxFile()
  const login = await fetch(`${url}/manage/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: dashboard.user, password: dashboard.password }),
  })
  const { token } = (await login.json()) as { token: string }
  return (method: string, path: string, body?: unknown) =>
    fetch(`${url}/manage/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
}

/** A migration that has ended. */
export async function makeMigration(service: ServiceProcess): Promise<void> {
  const manage = await managing(service)
  const path = '/workspaces/sandbox/migrations'
  const asked = { from: watchedRestaurant, to: restaurant, entities: ['category', 'product'] }
  const { id } = (await (await manage('POST', path, asked)).json()) as { id: string }
  const reached = async (state: string) => {
    while (((await (await manage('GET', `${path}/${id}`)).json()) as { state: string }).state !== state)
      await sleep(200)
  }
  await reached('planned')
  await manage('POST', `${path}/${id}/run`, {})
  await reached('done')
}

/** Faults that are active for the screenshots. The simulators drop them when they stop. */
export async function switchFaultsOn(service: ServiceProcess): Promise<void> {
  const manage = await managing(service)
  await manage('PUT', '/sandbox/faults', { platform: 'shopify', kind: 'throttle', times: 3 })
  await manage('PUT', '/sandbox/faults', { platform: 'zoho-books', kind: 'stall', delayMs: 4000, probability: 0.25 })
  await manage('PUT', '/sandbox/faults', {
    platform: 'zoho-books',
    kind: 'reset_after',
    method: 'POST',
    path: '/contacts',
    times: 1,
  })
}

/** A receiver that works, one that does not, and one for notifications. Returns the server behind them. */
export async function makeEndpoints(service: ServiceProcess): Promise<Server> {
  const manage = await managing(service)
  const receiver = createServer((request, response) => {
    request.resume()
    if (request.url === '/orders') response.writeHead(500).end('{"error":"no connection to the order database"}')
    else response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  for (const [path, description, events] of [
    ['/products', 'Inventory sync', ['product.*', 'category.*']],
    ['/orders', 'Order import', ['order.*', 'customer.*', 'account.*', 'write.settled']],
    ['/operators', 'Notifications for operators', ['account.reconnect_required', 'delivery.failed', 'endpoint.*']],
  ] as const)
    await manage('POST', '/workspaces/sandbox/webhook-endpoints', { url: url + path, description, events })
  return receiver
}

/** Watches a restaurant and changes some of its records, through the service and at the platform. */
export async function makeChanges(service: ServiceProcess, sandboxPort: number): Promise<void> {
  const manage = await managing(service)
  const watches = `/workspaces/sandbox/accounts/${watchedRestaurant}/watches`
  const until = async (what: string, look: () => Promise<boolean>) => {
    for (let left = 300; !(await look()); left--) {
      if (left === 0) throw new Error(`never happened: ${what}`)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const json = async <T>(response: Promise<Response>) => (await (await response).json()) as T
  const statusOf = async (entity: string) =>
    (await json<{ entities: Record<string, { status?: { phase: string } }> }>(manage('GET', watches))).entities[entity]
      ?.status
  const changes = async () =>
    (await json<{ data: unknown[] }>(manage('GET', `/workspaces/sandbox/accounts/${watchedRestaurant}/changes`))).data
      .length
  const atPlatform = (method: string, what: string) =>
    json<{ ids: string[] }>(
      fetch(`http://127.0.0.1:${sandboxPort}/_sandbox/clover/tenants/restaurant/${what}`, { method }),
    )
  const change = async (entity: string, what: string) => {
    const before = await changes()
    await atPlatform('POST', `${entity}?${what}`)
    await until(`a change: ${entity} ${what}`, async () => (await changes()) > before)
  }
  await manage('PUT', '/workspaces/sandbox/watches', { entities: { product: { pollSeconds: 60 }, customer: {} } })
  await manage('PUT', `${watches}/order`, { walkHours: 12 })
  for (const entity of ['product', 'customer', 'order'])
    await until(`the first walk of ${entity}`, async () => (await statusOf(entity))?.phase === 'ready')
  const { ids: products } = await atPlatform('GET', 'product')
  const { ids: customers } = await atPlatform('GET', 'customer')
  await change('product', `touch=${products[0]}`)
  await change('product', 'add=1')
  await change('customer', `touch=${customers[0]}`)
  const before = await changes()
  await atPlatform('POST', `product?remove=${products[3]}`)
  await manage('POST', `${watches}/product/walk`)
  await until('the delete', async () => (await changes()) > before)
  await change('product', `touch=${products[0]}`)
}

/** A native call whose response is lost, and a product whose stock is refused and that cannot be deleted. */
export async function makeOpenWrites(service: ServiceProcess, sandboxPort: number): Promise<void> {
  const manage = await managing(service)
  const explorer = `/workspaces/sandbox/accounts/${restaurant}/explorer`
  const fault = (more: object) =>
    fetch(`http://127.0.0.1:${sandboxPort}/_sandbox/square/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ times: 1, ...more }),
    })
  await fault({ kind: 'unavailable', method: 'POST', path: '/v2/customers' })
  const body = { given_name: 'Grace', family_name: 'Hopper' }
  await manage('POST', `${explorer}/native`, { method: 'POST', path: '/v2/customers', body, externalId: 'CRM-2041' })
  const refusal = { category: 'INVALID_REQUEST_ERROR', code: 'BAD_REQUEST', detail: 'Inventory is being counted.' }
  for (const [method, path] of [
    ['POST', '/v2/inventory'],
    ['DELETE', '/v2/catalog'],
  ])
    await fault({ kind: 'foreign_before', status: 400, body: { errors: [refusal] }, method, path })
  const record = { externalId: 'P-2210', name: 'Oat milk', price: 2.5, currencyCode: 'USD', stockOnHand: 12 }
  await manage('POST', `${explorer}/product/records`, { record })
}

export async function makeActivity(service: ServiceProcess): Promise<void> {
  const { url, sandboxFile } = service
  const { apiKey } = sandboxFile()
  const manage = await managing(service)
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' }
  const get = async (path: string) => (await fetch(`${url}/unified/${path}`, { headers })).text()
  const post = async (path: string, body: unknown) =>
    (await fetch(`${url}/unified/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).text()
  const fault = (platform: string, more: Record<string, unknown>) =>
    manage('PUT', '/sandbox/faults', { platform, ...more })

  for (const [account, entity] of reads) await get(`${account}/${entity}?pageSize=5`)
  await post(`${restaurant}/customer`, { externalId: 'C-1', name: 'Ada Lovelace', email: 'ada@example.com' })
  for (const [index, name] of ['Flat white', 'Almond croissant', 'Filter coffee'].entries())
    await post(`${restaurant}/product`, { externalId: `P-${index + 1}`, name, price: 3.5 + index, currencyCode: 'USD' })
  await post(`${restaurant}/product`, { externalId: 'P-9', name: '' })
  await get('sandbox-squire/product')
  await fault('quickbooks-online', { kind: 'unavailable', times: 8 })
  await get('sandbox-quickbooks-online-accounting/customer')
  await fault('xero', { kind: 'forbidden', times: 1 })
  await get('sandbox-xero-accounting/customer')
  await manage('POST', `/workspaces/sandbox/accounts/sandbox-loyverse-retail_pos/disable`, {})
  await get('sandbox-loyverse-retail_pos/product')
  await fault('square', { kind: 'throttle', times: 1, method: 'POST' })
  await fault('square', { kind: 'stall', times: 1, delayMs: 240, method: 'POST', path: '/orders' })
  await post(`${restaurant}/order`, {
    externalId: 'O-1001',
    customerExternalId: 'C-1',
    locationExternalId: 'MAIN',
    currencyCode: 'USD',
    lineItems: [
      { productExternalId: 'P-1', quantity: 2 },
      { productExternalId: 'P-2', quantity: 1 },
    ],
  })
  await post(`${restaurant}/customer`, { externalId: 'C-1', name: 'Ada Lovelace', email: 'ada@example.com' })
  await manage('POST', '/workspaces/sandbox/access-ids', { name: 'Order import, staging' })
  await new Promise((resolve) => setTimeout(resolve, 1500)) // activity is written after the responses
}

/** A generator that gives the same numbers every time. */
function createNumbers(): () => number {
  let state = 42
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Repeats the requests over the previous hours: more by day than by night, with one hour of errors. */
export async function layOutOverTheDay(dataDir: string): Promise<void> {
  const config = readConfig({ DATA_DIR: dataDir })
  const store = await openStore({ dataDir, vault: createVault(config.encryptionKeys) })
  const { data } = await store.activity.list('sandbox', {}, { limit: 200 })
  const entries = await Promise.all(
    data.map(
      async ({ requestId }) => (await store.activity.get('sandbox', requestId)) as Activity & { trace: unknown },
    ),
  )
  const number = createNumbers()
  const good = entries.filter(({ status }) => status < 400)
  const bad = entries.filter(({ status, accountId }) => status >= 400 && accountId)
  const earliest = Math.min(...entries.map(({ requestId }) => timeOfRequestId(requestId)))
  const minute = 60_000
  for (let back = 24 * 60; back > 2; back -= 3) {
    const hour = new Date(earliest - back * minute).getUTCHours()
    const busy = 1 + Math.round(6 * Math.max(0, Math.sin(((hour - 6) / 24) * 2 * Math.PI)) + 3 * number())
    const rough = back > 6 * 60 && back < 7 * 60
    const batch = Array.from({ length: busy }, () => {
      const from = number() < (rough ? 0.35 : 0.025) ? bad : good
      const entry = from[Math.floor(number() * from.length)] as Activity & { trace: unknown }
      const slower = 0.6 + number() * (rough ? 3 : 0.9)
      const waitMs = number() < (rough ? 0.7 : 0.2) ? Math.round(number() * (rough ? 2400 : 350)) : 0
      return {
        ...entry,
        requestId:
          requestIdAt(earliest - back * minute + Math.floor(number() * 3 * minute)) + createRequestId().slice(-12),
        waitMs,
        platformMs: Math.round(entry.platformMs * slower * 4),
        totalMs: Math.round(entry.platformMs * slower * 4) + waitMs + 3,
        throttled: rough && number() < 0.2 ? 1 : 0,
        trace: JSON.stringify(entry.trace),
        used: Math.min(1, 0.1 + busy * 0.05 + number() * 0.25 + (rough ? 0.4 : 0)),
      }
    })
    await store.activity.record(batch)
  }
  await store.close()
}
