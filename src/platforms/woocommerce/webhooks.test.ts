import { subtle } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { expectHardened, expectSigned, hintsOf, idsBehind } from '../../conformance/webhook-checks.ts'
import { createHookKit, type HookKit } from '../../conformance/webhook-kit.ts'
import type { Hook } from '../../contract/connector.ts'
import type { WireResponse } from '../../sandbox/simulator.ts'

let kit: HookKit
let hook: Hook
const secret = 'a secret of "our" own & more'
beforeAll(async () => {
  kit = await createHookKit('woocommerce')
  hook = { url: kit.receiver, secret, entities: ['product', 'order', 'customer'] }
  await register()
  await vi.waitFor(() => expect(kit.received).toHaveLength(11), { timeout: 120_000 })
})
afterAll(() => kit.close())

const register = (wanted = hook) => kit.run('retail_pos', (call) => kit.connector.hooks.register!(call, wanted))
const isRegistered = () =>
  kit.run('retail_pos', (call) => kit.connector.hooks.registered!(call, hook, { url: hook.url }))
const unregister = () => kit.run('retail_pos', (call) => kit.connector.hooks.unregister!(call, { url: hook.url }))
async function shop(method: string, path: string, body?: object): Promise<WireResponse> {
  const { consumerKey, consumerSecret } = kit.tenants[0]!.credentials
  const [address, query] = path.split('?')
  return kit.sandbox.simulator('woocommerce').handle({
    method,
    path: `/wp-json/wc/v3${address}`,
    query: new URLSearchParams(query),
    headers: { authorization: `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}` },
    body: body ? JSON.stringify(body) : '',
  })
}
const webhooks = async () =>
  (await shop('GET', '/webhooks?per_page=100')).body as { id: number; topic: string; status: string }[]

it('accepts the ping that a new webhook begins with', () => {
  const pings = kit.received.slice(0, 11)
  expect(pings.map(({ body }) => Buffer.from(body).toString())).toContain('webhook_id=1')
  for (const ping of pings) {
    expect(kit.connector.hooks.challenge!(ping)).toEqual({ response: { status: 200 } })
    expect(kit.connector.hooks.verify!(ping, secret, Date.now())).toBe(false)
  }
})

it('verifies what the shop signs, and refuses everything else', async () => {
  const customers = kit.records('retail_pos', 'customer')
  const [sent] = await kit.sentBy(() => shop('PUT', `/customers/${customers.ids()[0]}`, { last_name: 'Müller/Öz €' }))
  // No example is published: this is generate_signature of the plugin's class-wc-webhook.php in another
  // implementation of HMAC.
  const key = await subtle.importKey('raw', Buffer.from(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const expected = Buffer.from(await subtle.sign('HMAC', key, sent!.body)).toString('base64')
  expect(sent!.headers).toMatchObject({
    'x-wc-webhook-signature': expected,
    'x-wc-webhook-topic': 'customer.updated',
    'x-wc-webhook-resource': 'customer',
    'x-wc-webhook-event': 'updated',
  })
  expect(Buffer.from(sent!.body).toString()).toContain('M\\u00fcller\\/\\u00d6z \\u20ac')
  expectSigned(kit, sent!, secret, 'x-wc-webhook-signature')
  expectHardened(kit, sent!)
  expect(kit.connector.hooks.challenge!(sent!)).toBeUndefined()
})

it.each(['order', 'customer'] as const)('reports a new and a changed %s by its id', async (entityType) => {
  const records = kit.records('retail_pos', entityType)
  let id = ''
  const created = await kit.sentBy(() => {
    id = records.add(1)[0]!
  })
  expect(hintsOf(kit, created)).toContainEqual({ entityType, id })
  expect(await idsBehind(kit, 'retail_pos', { entityType, id })).toEqual([id])
  const both =
    entityType === 'order'
      ? [
          { entityType, id },
          { entityType: 'payment', id },
        ]
      : [{ entityType, id }]
  expect(hintsOf(kit, await kit.sentBy(() => records.touch(id)))).toEqual(both)
})

it('reports the refunds of an order with the order, and its payment', async () => {
  const [refund] = (await shop('GET', '/refunds?per_page=1&orderby=id&order=asc')).body as {
    id: number
    parent_id: number
  }[]
  const [id, order] = [String(refund!.id), String(refund!.parent_id)]
  const hints = hintsOf(kit, await kit.sentBy(() => kit.records('retail_pos', 'order').touch(order)))
  expect(hints).toEqual([
    { entityType: 'order', id: order },
    { entityType: 'payment', id: order },
    { entityType: 'refund', id },
  ])
  for (const [entityType, found] of [
    ['refund', id],
    ['payment', order],
  ] as const)
    expect(await idsBehind(kit, 'retail_pos', { entityType, id: found })).toEqual([found])
})

it('reports a deleted customer, and products and orders that move to the trash and back', async () => {
  const customers = kit.records('retail_pos', 'customer')
  let customer = ''
  await kit.sentBy(() => {
    customer = customers.add(1)[0]!
  })
  const deleted = await kit.sentBy(() => customers.remove!(customer))
  expect(hintsOf(kit, deleted)).toEqual([{ entityType: 'customer', id: customer, gone: true }])
  const order = kit.records('retail_pos', 'order').ids()[0]!
  const trashed = hintsOf(kit, await kit.sentBy(() => shop('DELETE', `/orders/${order}`)))
  expect(trashed).toEqual([
    { entityType: 'order', id: order, gone: true },
    { entityType: 'payment', id: order, gone: true },
  ])
  expect(await idsBehind(kit, 'retail_pos', trashed[0]!)).toEqual([])
  const restored = await kit.sentBy(() => shop('PUT', `/orders/${order}`, { status: 'completed' }))
  expect(restored[0]!.headers['x-wc-webhook-topic']).toBe('order.restored')
  expect(hintsOf(kit, restored)).toEqual([
    { entityType: 'order', id: order },
    { entityType: 'payment', id: order },
  ])
  expect(await idsBehind(kit, 'retail_pos', { entityType: 'order', id: order })).toEqual([order])
})

it('reports a change of a variation as a change of its product, with all variations', async () => {
  const products = (await shop('GET', '/products?type=variable&per_page=1')).body as {
    id: number
    variations: number[]
  }[]
  const { id, variations } = products[0]!
  const records = kit.records('retail_pos', 'product')
  const sent = await kit.sentBy(() => records.touch(String(variations[0])))
  expect(JSON.parse(Buffer.from(sent[0]!.body).toString())).toMatchObject({ id: variations[0], type: 'variation' })
  const [hint] = hintsOf(kit, sent)
  expect(hint).toEqual({ entityType: 'product', id: String(id) })
  expect((await idsBehind(kit, 'retail_pos', hint!)).toSorted()).toEqual(variations.map(String).toSorted())
})

it('reports what is written through the API', async () => {
  let id = ''
  const sent = await kit.sentBy(async () => {
    const record = { externalId: 'H-1', name: 'Mug', price: 9 }
    const { status, body } = await kit.call('POST', `/unified/${kit.accountId('retail_pos')}/product`, record)
    expect(status, JSON.stringify(body)).toBe(201)
    id = body.data.externalId
  })
  expect(hintsOf(kit, sent)).toEqual([{ entityType: 'product', id }])
  expect(await idsBehind(kit, 'retail_pos', hintsOf(kit, sent)[0]!)).toEqual([id])
})

it('gives no hint for another topic', () => {
  const headers = { 'x-wc-webhook-topic': 'coupon.updated' }
  expect(kit.connector.hooks.read({ url: hook.url, headers, body: Buffer.from('{"id":1}') })).toEqual([])
})

it('registers each topic once, removes duplicates, and removes all', async () => {
  await register()
  const present = await webhooks()
  expect(new Set(present.map(({ topic }) => topic)).size).toBe(11)
  expect(present).toHaveLength(11)
  await kit.sentBy(() => shop('POST', '/webhooks', { topic: 'order.updated', delivery_url: hook.url }))
  await kit.sentBy(() => shop('POST', '/webhooks', { topic: 'order.updated', delivery_url: `${hook.url}/other` }))
  await register()
  expect(await webhooks()).toHaveLength(12)
  expect(await isRegistered()).toBe(true)
  await unregister()
  await unregister()
  expect(await isRegistered()).toBe(false)
  expect(await webhooks()).toHaveLength(1)
  await kit.sentBy(() => register({ ...hook, entities: ['order'] }), 4)
  expect(await isRegistered()).toBe(false)
  await kit.sentBy(() => register(), 7)
  expect(await isRegistered()).toBe(true)
})

it('activates again what the shop disabled after failures', async () => {
  const orders = kit.records('retail_pos', 'order')
  kit.respondWith(500)
  for (let failures = 0; failures < 7; failures++) {
    expect(await isRegistered()).toBe(true)
    await kit.sentBy(() => orders.touch(orders.ids()[0]!))
  }
  await expect.poll(isRegistered).toBe(false)
  expect((await webhooks()).find(({ status }) => status === 'disabled')).toMatchObject({ topic: 'order.updated' })
  kit.respondWith(200)
  await register()
  expect(await isRegistered()).toBe(true)
  const [sent] = await kit.sentBy(() => orders.touch(orders.ids()[0]!))
  expect(kit.connector.hooks.verify!(sent!, secret, Date.now())).toBe(true)
})

it('refuses a URL that the shop does not call', async () => {
  await expect(register({ ...hook, url: 'ftp://example.com', entities: ['order'] })).rejects.toThrow(/delivery URL/)
})
