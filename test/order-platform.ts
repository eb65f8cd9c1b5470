// A platform with orders and lines, one call each, whose calls can be lost, held back or take effect late. It records
// what reached it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector, EntityAdapter, NativeRequest, WriteCall } from '../src/contract/connector.ts'
import type { Order } from '../src/contract/entities/order.ts'
import { type Transport, TransportError, type WireCall } from '../src/engine/outbound/transport.ts'
import type { Store } from '../src/store/store.ts'
import { addAccount } from './store-on.ts'

export interface NativeOrder {
  id: string
  reference: string
  customer?: string
  lines: string[]
}
/**
 * before: the call never arrives. held: it takes effect and responds when `letGo` is called. after: it takes effect and
 * its response is lost. late: its effect comes after the response is lost. refused: 400.
 */
export type Fault = 'before' | 'after' | 'refused' | 'held' | { late: number }

export function createOrderPlatform() {
  const orders = new Map<string, NativeOrder>()
  const faults: (Fault | undefined)[] = []
  const writes: string[] = []
  const held: (() => void)[] = []
  let next = 0
  function handle({ method, path, body }: WireCall): { status: number; body: unknown } {
    const [address = '', query = ''] = path.split('?')
    const [, , id, part] = address.split('/')
    const data = body ? JSON.parse(body) : {}
    if (method === 'GET' && !id) {
      const reference = new URLSearchParams(query).get('reference')
      const elements = [...orders.values()].filter((order) => reference === null || order.reference === reference)
      return { status: 200, body: { elements } }
    }
    if (method === 'POST' && !id) {
      const made = { id: `N${++next}`, reference: data.reference, customer: data.customer, lines: data.lines ?? [] }
      orders.set(made.id, made)
      return { status: 200, body: made }
    }
    const order = orders.get(id ?? '')
    if (!order) return { status: 404, body: { message: 'no such order' } }
    if (method === 'DELETE') {
      if (part) order.lines = order.lines.filter((name) => name !== data.name)
      else orders.delete(order.id)
    } else if (method === 'PATCH') order.customer = data.customer
    else if (method === 'POST') order.lines.push(data.name)
    return { status: 200, body: structuredClone(order) }
  }
  const lost = () => new TransportError('reset', { sent: true, timeout: false })
  const transport: Transport = {
    async exchange(call) {
      await sleep(1)
      const fault = call.method === 'GET' ? undefined : faults.shift()
      call.onSent?.()
      if (call.method !== 'GET') writes.push(`${call.method} ${call.path}`)
      if (fault === 'before') throw lost()
      if (typeof fault === 'object') {
        void sleep(fault.late).then(() => handle(call))
        throw lost()
      }
      const { status, body } = fault === 'refused' ? { status: 400, body: { message: made.refusal } } : handle(call)
      if (fault === 'after') throw lost()
      if (fault === 'held') await new Promise<void>((resolve) => held.push(resolve))
      return { status, headers: { 'content-type': 'application/json' }, bytes: Buffer.from(JSON.stringify(body)) }
    },
    close: async () => {},
  }
  const made = {
    orders,
    writes,
    /** What it says when it refuses. */
    refusal: 'refused by this test',
    transport,
    add: (id: string, ...lines: string[]) => orders.set(id, { id, reference: '', lines }),
    linesOf: (id: string) => orders.get(id)?.lines,
    letGo() {
      for (const resolve of held.splice(0)) resolve()
    },
    /** For the next writing calls, one each. */
    fail: (...kinds: (Fault | undefined)[]) => faults.push(...kinds),
  }
  return made
}
const request = (method: NativeRequest['method'], path: string, body?: unknown): NativeRequest => ({
  method,
  path,
  body,
})
const namesOf = (record: Order) => record.lineItems.map(({ name }) => name as string)

type Find = (call: WriteCall, unclaimed: (id: string) => Promise<boolean>) => Promise<NativeOrder | undefined>
const byReference: Find = async (call) =>
  (await call.read(request('GET', `/orders?reference=${call.reference}`))).body.elements[0]
/** As on a platform that has no place for a reference. */
const byContent: Find = async (call, unclaimed) => {
  const { elements } = (await call.read(request('GET', '/orders'))).body as { elements: NativeOrder[] }
  for (const found of elements) if (await unclaimed(found.id)) return found
  return undefined
}

const orderAdapter = (find: Find): EntityAdapter<'order', NativeOrder, string> => ({
  id: (row) => row.id,
  toUnified: (row) => ({
    externalId: row.id,
    customerExternalId: row.customer,
    lineItems: row.lines.map((name) => ({ name, quantity: 1 })),
  }),
  list: {
    pageLimit: 10,
    updatedAfter: 'none',
    page: async (call) => ({ rows: (await call.read(request('GET', '/orders'))).body.elements }),
  },
  get: async (call, id) => (await call.read(request('GET', `/orders/${id}`))).body,
  create: {
    async run(call, record: Order) {
      const { customerExternalId: customer } = record
      const { id } = await call.write('order', {
        request: request('POST', '/orders', { reference: call.reference, customer }),
        read: ({ body }) => ({ id: body.id as string }),
        recovery: {
          lagSeconds: 0,
          find: (unclaimed) => find(call, unclaimed),
        },
        undo: (made) => request('DELETE', `/orders/${made.id}`),
      })
      for (const [n, name] of namesOf(record).entries())
        await call.write(`line-${n}`, {
          request: request('POST', `/orders/${id}/lines`, { name }),
          read: () => true,
          recovery: {
            lagSeconds: 0,
            find: async () => (await call.read(request('GET', `/orders/${id}`))).body.lines.length > n || undefined,
          },
          undo: 'nothing',
        })
      return { id }
    },
  },
  update: {
    async run(call, current, record: Order) {
      const at = `/orders/${current.id}/lines`
      const step = (name: string, native: NativeRequest) =>
        call.write(name, {
          request: native,
          read: () => true,
          recovery: {
            lagSeconds: 0,
            find: async () => {
              const { lines } = (await call.read(request('GET', `/orders/${current.id}`))).body as NativeOrder
              const { name: line } = native.body as { name: string }
              return lines.includes(line) === (native.method === 'POST') || undefined
            },
          },
        })
      const customer = record.customerExternalId
      if (customer !== current.customer)
        await call.write('customer', {
          request: request('PATCH', `/orders/${current.id}`, { customer }),
          read: () => true,
          recovery: 'repeat',
        })
      const wanted = namesOf(record)
      for (const line of current.lines)
        if (!wanted.includes(line)) await step(`remove ${line}`, request('DELETE', at, { name: line }))
      for (const line of wanted)
        if (!current.lines.includes(line)) await step(`add ${line}`, request('POST', at, { name: line }))
      return { id: current.id }
    },
  },
})

const connectorOf = (find: Find): Connector => ({
  id: 'till',
  name: 'Till',
  docs: '',
  apiVersion: { name: 'v1', reviewBy: '2099-01-01' },
  verticals: ['restaurant'],
  limit: [{ requests: 1000, seconds: 1 }],
  origins: { api: 'https://till.example' },
  auth: [{ kind: 'static', fields: ['accessToken'] }],
  frame: {},
  readError: ({ status, body }) =>
    status >= 400 ? { kind: status === 404 ? 'not_found' : 'invalid', message: body.message } : undefined,
  entities: { order: orderAdapter(find) },
})
export const orderConnector = connectorOf(byReference)
export const orderConnectorByContent = connectorOf(byContent)
export const orderOf = (externalId: string, ...names: string[]): Order => ({
  externalId,
  lineItems: names.map((name) => ({ name, quantity: 1 })),
})

/** A store with the account `acc` at the platform. */
export async function addTillAccount(store: Store): Promise<void> {
  await store.migrate()
  await addAccount(store, 'acc')
  await store.accounts.update('acc', { auth: 'static', credentials: { accessToken: 'x' } })
}
/** The store as the platform's engine sees it: accounts cannot be stored for a platform outside the registry. */
export const onTill = (store: Store): Store => ({
  ...store,
  accounts: {
    ...store.accounts,
    get: async (id) => ({ ...(await store.accounts.get(id))!, platform: 'till', vertical: 'restaurant' }),
  },
})
