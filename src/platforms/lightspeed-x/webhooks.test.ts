import { subtle } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectHardened, expectReported, expectSigned, hintsOf, idsBehind } from '../../conformance/webhook-checks.ts'
import { createHookKit, type HookKit } from '../../conformance/webhook-kit.ts'
import type { Hook, HookHint } from '../../contract/connector.ts'
import type { WireResponse } from '../../sandbox/simulator.ts'

let kit: HookKit
let hook: Hook
let secret: string
beforeAll(async () => {
  kit = await createHookKit('lightspeed-x')
  hook = { url: kit.receiver, entities: ['product', 'order', 'customer', 'payment', 'refund'] }
  secret = kit.tenants[0]!.credentials.clientSecret!
  await register()
})
afterAll(() => kit.close())

const register = (wanted = hook) => kit.run('retail_pos', (call) => kit.connector.hooks.register!(call, wanted))
const isRegistered = () =>
  kit.run('retail_pos', (call) => kit.connector.hooks.registered!(call, hook, { url: hook.url }))
const unregister = () => kit.run('retail_pos', (call) => kit.connector.hooks.unregister!(call, { url: hook.url }))
const shop = async (method: string, path: string, body?: object): Promise<WireResponse> =>
  kit.sandbox.simulator('lightspeed-x').handle({
    method,
    path: `/api/2026-07${path}`,
    query: new URLSearchParams(),
    headers: { authorization: `Bearer ${kit.tenants[0]!.credentials.accessToken}` },
    body: body ? JSON.stringify(body) : '',
  })
const webhooks = async () =>
  ((await shop('GET', '/webhooks')).body as { data: { id: string; type: string; active: boolean }[] }).data
const read = (payload: unknown): readonly HookHint[] =>
  kit.connector.hooks.read({
    url: hook.url,
    headers: {},
    body: Buffer.from(new URLSearchParams({ payload: JSON.stringify(payload) }).toString()),
  })

it('verifies what Lightspeed signs, and refuses everything else', async () => {
  const customers = kit.records('retail_pos', 'customer')
  const [sent] = await kit.sentBy(() => customers.touch(customers.ids()[0]!))
  // No example is published: this is the recipe in another implementation of HMAC.
  const key = await subtle.importKey('raw', Buffer.from(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const expected = Buffer.from(await subtle.sign('HMAC', key, sent!.body)).toString('hex')
  expect(sent!.headers).toMatchObject({
    'content-type': 'application/x-www-form-urlencoded',
    'x-signature': `signature=${expected},algorithm=HMAC-SHA256`,
  })
  expectSigned(kit, sent!, secret, 'x-signature')
  expectHardened(kit, sent!)
  const { verify } = kit.connector.hooks
  const signedAs = (value: string) => ({ ...sent!, headers: { ...sent!.headers, 'x-signature': value } })
  expect(verify!(signedAs(`signature=${expected.toUpperCase()}, algorithm=HMAC-SHA256`), secret, 0)).toBe(true)
  for (const header of [`signature=${expected}`, `signature=${expected},algorithm=HMAC-SHA1`, 'signature=,algorithm='])
    expect(verify!(signedAs(header), secret, 0), header).toBe(false)
})

it.each(['product', 'customer'] as const)('reports every change of the entity %s by its id', (entityType) =>
  expectReported(kit, 'retail_pos', entityType),
)

it('reports a sale, and the products whose stock it changes', async () => {
  const sales = kit.records('retail_pos', 'order')
  const id = sales.ids()[0]!
  const [paid] = kit
    .records('retail_pos', 'payment')
    .ids()
    .filter((one) => one.startsWith(id))
  expect(hintsOf(kit, await kit.sentBy(() => sales.touch(id)))).toEqual([
    { entityType: 'order', id },
    { entityType: 'payment', id: paid },
  ])
  expect(await idsBehind(kit, 'retail_pos', { entityType: 'payment', id: paid! })).toEqual([paid])
  expect(await idsBehind(kit, 'retail_pos', { entityType: 'order', id })).toEqual([id])
  let added = ''
  const created = await kit.sentBy(() => {
    added = sales.add(1)[0]!
  })
  expect(hintsOf(kit, created)).toContainEqual({ entityType: 'order', id: added })
  expect(read({ id: 'i', product_id: 'p', outlet_id: 'o', count: '3.00000' })).toEqual([
    { entityType: 'product', id: 'p' },
  ])
})

it('reports the sale of a return, too: what was refunded of it has changed', () => {
  const back = { id: 'r', register_id: 'g', sale_date: '2026-11-10 11:00:00', return_for: 's' }
  expect(read(back).map(({ entityType, id }) => [entityType, id])).toEqual([
    ['order', 'r'],
    ['order', 's'],
    ['refund', 'r'],
    ['payment', undefined],
  ])
  const products = [{ id: 'p', quantity: '-1' }]
  const withoutReceipt = { ...back, return_for: '', register_sale_products: products }
  expect(read(withoutReceipt).map(({ entityType }) => entityType)).toEqual(['order', 'refund', 'payment'])
})

it('reports what is written through the API, and its stock', async () => {
  let id = ''
  const sent = await kit.sentBy(async () => {
    const record = { externalId: 'H-1', name: 'Mug', sku: 'HOOK-1', price: 9, stockOnHand: 4 }
    const { status, body } = await kit.call('POST', `/unified/${kit.accountId('retail_pos')}/product`, record, {
      prefer: 'wait=60',
    })
    expect(status, JSON.stringify(body)).toBe(201)
    id = body.data.externalId
  }, 2)
  expect(hintsOf(kit, sent)).toEqual([{ entityType: 'product', id }])
})

it('gives no hint for another record, and an error for another form', () => {
  expect(read({ id: '1', supplier_id: '2' })).toEqual([])
  expect(read({ sku: 'A' })).toEqual([{ entityType: 'product' }])
  expect(() => kit.connector.hooks.read({ url: '', headers: {}, body: Buffer.from('a=b') })).toThrow('no payload')
})

it('registers each type once, and removes all', async () => {
  await register()
  expect((await webhooks()).map(({ type }) => type).toSorted()).toEqual([
    'customer.update',
    'inventory.update',
    'product.update',
    'sale.update',
  ])
  expect(await isRegistered()).toBe(true)
  await shop('POST', '/webhooks', { url: `${hook.url}/other`, type: 'sale.update', active: true })
  await unregister()
  await unregister()
  expect([(await webhooks()).length, await isRegistered()]).toEqual([1, false])
  // Both begin with an empty list; the one that is later gets a 409.
  await Promise.all([register({ ...hook, entities: ['order'] }), register({ ...hook, entities: ['order'] })])
  expect([(await webhooks()).length, await isRegistered()]).toEqual([2, false])
  await register()
  expect(await isRegistered()).toBe(true)
})

it('activates again what the retailer switched off', async () => {
  const { id, ...sale } = (await webhooks()).find(({ type }) => type === 'inventory.update')!
  await shop('PUT', `/webhooks/${id}`, { ...sale, active: false })
  expect(await isRegistered()).toBe(false)
  await register()
  expect(await isRegistered()).toBe(true)
})

it('refuses a URL that Lightspeed does not call', async () => {
  await expect(register({ ...hook, url: 'nowhere', entities: ['order'] })).rejects.toThrow(/not a valid URL/)
})
