import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectHardened, expectSigned, hintsOf, idsBehind } from '../../conformance/webhook-checks.ts'
import { createHookKit, type HookKit } from '../../conformance/webhook-kit.ts'
import type { Hook, HookHint } from '../../contract/connector.ts'
import { createState, type RecordChange } from '../../sandbox/collection.ts'
import type { Simulator, Webhook as WebhookToSend, WireResponse } from '../../sandbox/simulator.ts'
import { createBigcommerceSimulator } from './simulator/simulator.ts'

let kit: HookKit
let hook: Hook
let secret: string
beforeAll(async () => {
  kit = await createHookKit('bigcommerce')
  hook = { url: kit.receiver, entities: ['product', 'order', 'customer'] }
  secret = kit.tenants[0]!.credentials.clientSecret!
  await register()
})
afterAll(() => kit.close())

const register = (wanted = hook) => kit.run('retail_pos', (call) => kit.connector.hooks.register!(call, wanted))
const isRegistered = () =>
  kit.run('retail_pos', (call) => kit.connector.hooks.registered!(call, hook, { url: hook.url }))
const unregister = () => kit.run('retail_pos', (call) => kit.connector.hooks.unregister!(call, { url: hook.url }))
async function store(simulator: Simulator, method: string, path: string, body?: object): Promise<WireResponse> {
  const { credentials, settings } = simulator.tenants[0]!
  return simulator.handle({
    method,
    path: `/stores/${settings.storeHash}/v3${path}`,
    query: new URLSearchParams(),
    headers: { 'x-auth-token': credentials.accessToken!, accept: 'application/json' },
    body: body ? JSON.stringify(body) : '',
  })
}
type NativeHook = { id: number; scope: string; is_active: boolean }
const hooks = async (simulator = kit.sandbox.simulator('bigcommerce')): Promise<NativeHook[]> =>
  ((await store(simulator, 'GET', '/hooks')).body as { data: NativeHook[] }).data
const read = (scope: string, data: unknown): readonly HookHint[] =>
  kit.connector.hooks.read({ url: hook.url, headers: {}, body: Buffer.from(JSON.stringify({ scope, data })) })

it('verifies what BigCommerce signs, and refuses everything else', async () => {
  const orders = kit.records('retail_pos', 'order')
  const [sent] = await kit.sentBy(() => orders.touch(orders.ids()[0]!))
  // BigCommerce documents this library and the encoding of the client secret for it:
  // https://developer.bigcommerce.com/docs/integrations/webhooks/https-webhook-overview
  const witness = new Webhook(Buffer.from(secret).toString('base64'))
  const body = Buffer.from(sent!.body).toString()
  expect(witness.verify(body, { ...sent!.headers })).toMatchObject({ scope: 'store/order/updated' })
  expectSigned(kit, sent!, secret, 'webhook-signature')
  expectHardened(kit, sent!)

  const { verify } = kit.connector.hooks
  const at = Number(sent!.headers['webhook-timestamp']) * 1000
  expect([-299_000, 299_000].map((later) => verify!(sent!, secret, at + later))).toEqual([true, true])
  expect([-301_000, 301_000].map((later) => verify!(sent!, secret, at + later))).toEqual([false, false])
  for (const timestamp of ['', 'now', '-1', '1e9', '9'.repeat(30)])
    expect(verify!({ ...sent!, headers: { ...sent!.headers, 'webhook-timestamp': timestamp } }, secret, at)).toBe(false)
  // Signed by the library, with the signatures of a rotation.
  const signed = witness.sign('msg_1', new Date(at), body)
  const rotated = {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(at / 1000),
    'webhook-signature': `v1,x ${signed}`,
  }
  expect(verify!({ ...sent!, headers: rotated }, secret, at)).toBe(true)
})

it.each(['order', 'customer'] as const)('reports every change of the entity %s by its id', async (entityType) => {
  const records = kit.records('retail_pos', entityType)
  let id = ''
  const created = await kit.sentBy(() => {
    id = records.add(1)[0]!
  })
  expect(hintsOf(kit, created)).toContainEqual({ entityType, id })
  expect(await idsBehind(kit, 'retail_pos', { entityType, id })).toEqual([id])
  expect(hintsOf(kit, await kit.sentBy(() => records.touch(id)))).toContainEqual({ entityType, id })
  const removed = hintsOf(kit, await kit.sentBy(() => records.remove!(id)))
  expect(removed).toContainEqual({ entityType, id, gone: true })
  expect(await idsBehind(kit, 'retail_pos', { entityType, id })).toEqual([])
})

it('reports products with all their variants', async () => {
  const records = kit.records('retail_pos', 'product')
  let added = ''
  const created = await kit.sentBy(() => {
    added = records.add(1)[0]!
  })
  const id = added.split(':')[0]!
  expect(hintsOf(kit, created)).toEqual([{ entityType: 'product', id }])
  expect(await idsBehind(kit, 'retail_pos', { entityType: 'product', id })).toContain(added)
  expect(hintsOf(kit, await kit.sentBy(() => records.touch(added)))).toEqual([{ entityType: 'product', id }])
  const removed = hintsOf(kit, await kit.sentBy(() => records.remove!(added)))
  expect(removed).toEqual([{ entityType: 'product', id, gone: true }])
  expect(await idsBehind(kit, 'retail_pos', removed[0]!)).toEqual([])
})

it('reports payments with their order, and a refund by its own id', async () => {
  const payments = kit.records('retail_pos', 'payment')
  let id = ''
  const paid = await kit.sentBy(() => {
    id = payments.add(1)[0]!
  })
  const [order = ''] = id.split(':')
  expect(hintsOf(kit, paid)).toContainEqual({ entityType: 'payment', id: order })
  expect(await idsBehind(kit, 'retail_pos', { entityType: 'payment', id: order })).toEqual([id])
  const archived = hintsOf(kit, await kit.sentBy(() => payments.remove!(id)))
  expect(archived).toContainEqual({ entityType: 'payment', id: order, gone: true })
  expect(await idsBehind(kit, 'retail_pos', { entityType: 'payment', id: order })).toEqual([])
  let refund = ''
  const refunded = await kit.sentBy(() => {
    refund = kit.records('retail_pos', 'refund').add(1)[0]!
  }, 2) // and its order
  expect(hintsOf(kit, refunded)).toContainEqual({ entityType: 'refund', id: refund })
  expect(await idsBehind(kit, 'retail_pos', { entityType: 'refund', id: refund })).toEqual([refund])
})

it('reads the record of a part, and nothing of events that change no record', () => {
  expect(read('store/sku/inventory/updated', { type: 'sku', id: 461, inventory: { product_id: 206 } })).toEqual([
    { entityType: 'product', id: '206' },
  ])
  expect(read('store/sku/deleted', { type: 'sku', id: 461, sku: { product_id: 206, variant_id: 509 } })).toEqual([
    { entityType: 'product', id: '206' },
  ])
  expect(read('store/customer/address/deleted', { type: 'customer', id: 60, address: { customer_id: 32 } })).toEqual([
    { entityType: 'customer', id: '32' },
  ])
  expect(read('store/order/transaction/created', { type: 'transaction', order_id: 250 })).toEqual([
    { entityType: 'order', id: '250' },
    { entityType: 'payment', id: '250' },
  ])
  expect(read('store/order/refund/created', { type: 'order', id: 250, refund: { refund_id: 3 } })).toEqual([
    { entityType: 'order', id: '250' },
    { entityType: 'payment', id: '250' },
    { entityType: 'refund', id: '3' },
  ])
  expect(read('store/sku/updated', {})).toEqual([{ entityType: 'product' }])
  for (const scope of ['store/order/message/created', 'store/product/metafield/updated', 'store/cart/created', 'x', ''])
    expect(read(scope, { id: 1 }), scope).toEqual([])
})

it('reports what is written through the API', async () => {
  const base = `/unified/${kit.accountId('retail_pos')}/customer`
  const customer = { externalId: 'H-1', name: 'Ana Ruiz', firstName: 'Ana', lastName: 'Ruiz', email: 'ana@example.com' }
  let id = ''
  const sent = await kit.sentBy(async () => {
    const { status, body } = await kit.call('POST', base, customer)
    expect(status, JSON.stringify(body)).toBe(201)
    id = body.data.externalId
  })
  expect(hintsOf(kit, sent)).toEqual([{ entityType: 'customer', id }])
  const address = { line1: '1 Main', city: 'Austin', state: 'TX', postalCode: '78701', country: 'US' }
  const moved = await kit.sentBy(() => kit.call('PUT', `${base}/${id}`, { ...customer, externalId: id, address }))
  expect(moved.map(({ body }) => JSON.parse(Buffer.from(body).toString()).scope)).toContain(
    'store/customer/address/created',
  )
  expect(hintsOf(kit, moved)).toEqual([{ entityType: 'customer', id }])
})

it('registers each scope once, removes duplicates, and removes all', async () => {
  await register()
  expect((await hooks()).map(({ scope }) => scope).toSorted()).toEqual([
    'store/customer/*',
    'store/order/*',
    'store/product/*',
    'store/sku/*',
  ])
  const simulator = kit.sandbox.simulator('bigcommerce')
  await store(simulator, 'POST', '/hooks', { scope: 'store/order/*', destination: hook.url })
  await store(simulator, 'POST', '/hooks', { scope: 'store/order/*', destination: 'https://example.com/other' })
  await register()
  expect(await hooks()).toHaveLength(5)
  expect(await isRegistered()).toBe(true)
  await unregister()
  await unregister()
  expect([(await hooks()).length, await isRegistered()]).toEqual([1, false])
  await register({ ...hook, entities: ['product'] })
  expect([(await hooks()).length, await isRegistered()]).toEqual([3, false])
  await register()
  expect(await isRegistered()).toBe(true)
})

it('activates again what was deactivated', async () => {
  const { id } = (await hooks()).find(({ scope }) => scope === 'store/sku/*')!
  await store(kit.sandbox.simulator('bigcommerce'), 'PUT', `/hooks/${id}`, { is_active: false })
  expect(await isRegistered()).toBe(false)
  await register()
  expect(await isRegistered()).toBe(true)
  expect((await hooks()).find((one) => one.id === id)).toMatchObject({ is_active: true })
})

it('deactivates a webhook after the last of eleven retries, which take two days', async () => {
  const sent: WebhookToSend[] = []
  let changed: ((change: RecordChange) => void) | undefined
  const simulator = createBigcommerceSimulator({
    size: 'small',
    now: Date.now,
    seededAt: Date.now(),
    state: createState(),
    origin: 'http://127.0.0.1',
    webhooks: {
      onChange(listener) {
        changed = listener
      },
      send: (webhook) => void sent.push(webhook),
    },
  })
  await store(simulator, 'POST', '/hooks', { scope: 'store/product/*', destination: 'https://example.com/hook' })
  changed!({ collection: 'products', id: '1', record: undefined, before: {} })
  const { retrySeconds, attempted } = sent[0]!
  expect(retrySeconds!.reduce((sum, wait) => sum + wait) / 3600).toBeCloseTo(48, 0)
  for (const _ of retrySeconds!) attempted!(500)
  expect((await hooks(simulator))[0]).toMatchObject({ is_active: true })
  attempted!(500)
  expect((await hooks(simulator))[0]).toMatchObject({ is_active: false })
})

it('refuses a URL that BigCommerce does not call', async () => {
  await expect(register({ ...hook, url: 'https://example.com:8443/hook' })).rejects.toThrow(/port 443/)
})
