import { subtle } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectHardened, expectReported, expectSigned, hintsOf, idsBehind } from '../../conformance/webhook-checks.ts'
import { createHookKit, type HookKit } from '../../conformance/webhook-kit.ts'
import type { Hook } from '../../contract/connector.ts'

let kit: HookKit
let hook: Hook
let secret: string
beforeAll(async () => {
  kit = await createHookKit('shopify')
  hook = { url: kit.receiver, entities: ['product', 'order', 'customer'] }
  secret = kit.tenants[0]!.credentials.clientSecret!
  await register()
})
afterAll(() => kit.close())

const register = (wanted = hook) => kit.run('retail_pos', (call) => kit.connector.hooks.register!(call, wanted))
const isRegistered = () =>
  kit.run('retail_pos', (call) => kit.connector.hooks.registered!(call, hook, { url: hook.url }))
const unregister = () => kit.run('retail_pos', (call) => kit.connector.hooks.unregister!(call, { url: hook.url }))
// biome-ignore lint/suspicious/noExplicitAny: the response has the shape of the query
async function admin(query: string): Promise<any> {
  const { body } = await kit.sandbox.simulator('shopify').handle({
    method: 'POST',
    path: '/admin/api/2026-07/graphql.json',
    query: new URLSearchParams(),
    headers: { 'x-shopify-access-token': kit.tenants[0]!.credentials.accessToken! },
    body: JSON.stringify({ query }),
  })
  return (body as { data: unknown }).data
}
const topics = async (): Promise<string[]> =>
  (await admin('{ webhookSubscriptions(first: 50) { nodes { topic } } }')).webhookSubscriptions.nodes.map(
    ({ topic }: { topic: string }) => topic,
  )

it('verifies what Shopify signs, and refuses everything else', async () => {
  const [sent] = await kit.sentBy(() =>
    kit.records('retail_pos', 'order').touch(kit.records('retail_pos', 'order').ids()[0]!),
  )
  // Shopify publishes no example with its secret: this is the recipe of
  // https://shopify.dev/docs/apps/build/webhooks/verify-deliveries in another implementation of HMAC.
  const key = await subtle.importKey('raw', Buffer.from(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const expected = Buffer.from(await subtle.sign('HMAC', key, sent!.body)).toString('base64')
  expect(sent!.headers).toMatchObject({
    'x-shopify-hmac-sha256': expected,
    'x-shopify-topic': 'orders/updated',
    'x-shopify-shop-domain': kit.tenants[0]!.settings.shop,
  })
  expectSigned(kit, sent!, secret, 'x-shopify-hmac-sha256')
  expectHardened(kit, sent!)
  // Nothing about a customer leaves the shop: the id is enough.
  expect(Object.keys(JSON.parse(Buffer.from(sent!.body).toString()))).toEqual(['id'])
})

it('gives no hint for another topic, and one without an id for a body without one', () => {
  const read = (topic: string, body: object) =>
    kit.connector.hooks.read({
      url: hook.url,
      headers: { 'x-shopify-topic': topic },
      body: Buffer.from(JSON.stringify(body)),
    })
  expect(read('app/uninstalled', { id: 1 })).toEqual([])
  expect(read('__proto__/update', { id: 1 })).toEqual([])
  expect(read('customers/update', {})).toEqual([{ entityType: 'customer' }])
  expect(read('orders/updated', {})).toEqual(['order', 'payment', 'refund'].map((entityType) => ({ entityType })))
})

it('reports every change of a customer by its id', () => expectReported(kit, 'retail_pos', 'customer'))

it('reports every change of an order by its id, and as one of all of its payments and refunds', async () => {
  const orders = kit.records('retail_pos', 'order')
  const hintsFor = (id: string, more: object = {}) => [
    { entityType: 'order', id, ...more },
    { entityType: 'payment', id: `Order/${id}`, ...more },
    { entityType: 'refund', id: `Order/${id}`, ...more },
  ]
  let payment = ''
  await kit.sentBy(() => {
    payment = kit.records('retail_pos', 'payment').add(5).at(-1)! // of an order that was refunded
  }, 5)
  const id = orders.ids().at(-1)!
  const hints = hintsOf(kit, await kit.sentBy(() => orders.touch(id)))
  expect(hints).toEqual(hintsFor(id))
  const behind = await Promise.all(hints.map((hint) => idsBehind(kit, 'retail_pos', hint)))
  expect(behind).toEqual([[id], [payment], [expect.stringMatching(/^\d+$/)]])
  const removed = hintsOf(kit, await kit.sentBy(() => orders.remove!(id)))
  expect(removed).toEqual(hintsFor(id, { gone: true }))
  for (const hint of removed) expect(await idsBehind(kit, 'retail_pos', hint)).toEqual([])
})

it('reports a change of a variant as a change of its product, with all variants', async () => {
  const records = kit.records('retail_pos', 'product')
  const [hint] = hintsOf(kit, await kit.sentBy(() => records.touch(records.ids()[0]!)))
  expect(hint).toEqual({ entityType: 'product', id: expect.stringMatching(/^Product\/\d+$/) })
  const members = await idsBehind(kit, 'retail_pos', hint!)
  expect(members).toContain(records.ids()[0])
  let added = ''
  const created = hintsOf(
    kit,
    await kit.sentBy(() => {
      added = records.add(1)[0]!
    }),
  )
  expect(await idsBehind(kit, 'retail_pos', created[0]!)).toEqual([added])
  const removed = hintsOf(kit, await kit.sentBy(() => records.remove!(added)))
  expect(removed).toEqual([{ ...created[0], gone: true }])
  expect(await idsBehind(kit, 'retail_pos', removed[0]!)).toEqual([])
})

it('reports what is written through the API', async () => {
  const base = `/unified/${kit.accountId('retail_pos')}/product`
  let id = ''
  const sent = await kit.sentBy(async () => {
    const { status, body } = await kit.call('POST', base, { externalId: 'H-1', name: 'Mug', price: 9, stockOnHand: 4 })
    expect(status, JSON.stringify(body)).toBe(201)
    id = body.data.externalId
  })
  expect(sent[0]!.headers['x-shopify-topic']).toBe('products/create')
  expect(await idsBehind(kit, 'retail_pos', hintsOf(kit, sent)[0]!)).toEqual([id])
})

it('registers each topic once, adds what is missing, and removes all', async () => {
  await Promise.all([register(), register()])
  await register()
  expect((await topics()).toSorted()).toEqual([...new Set(await topics())].toSorted())
  expect(await topics()).toHaveLength(9)
  expect(await isRegistered()).toBe(true)
  await unregister()
  await unregister()
  expect([await topics(), await isRegistered()]).toEqual([[], false])
  // Both begin with an empty list; the one that is later finds its topics taken.
  const parts = { ...hook, entities: ['order', 'payment', 'refund'] as const }
  await Promise.all([register(parts), register(parts)])
  expect((await topics()).toSorted()).toEqual(['ORDERS_CREATE', 'ORDERS_DELETE', 'ORDERS_UPDATED'])
  expect(await isRegistered()).toBe(false)
  await register()
  expect(await isRegistered()).toBe(true)
})

it('registers again what Shopify deleted after eight failures in a row', async () => {
  const orders = kit.records('retail_pos', 'order')
  kit.respondWith(500)
  await kit.sentBy(() => orders.touch(orders.ids()[0]!))
  expect(await isRegistered()).toBe(true)
  await kit.sentBy(() => {
    for (const id of orders.ids().slice(1, 8)) orders.touch(id)
  }, 7)
  kit.respondWith(200)
  await expect.poll(isRegistered).toBe(false)
  await register()
  expect(await isRegistered()).toBe(true)
  expect(await kit.sentBy(() => orders.touch(orders.ids()[0]!))).not.toEqual([])
})

it('refuses a URL that Shopify does not call', async () => {
  const refused = register({ ...hook, url: 'http://example.com/hook', entities: ['order'] })
  await expect(refused).rejects.toThrow(/Address protocol http:\/\/ is not supported/)
})
