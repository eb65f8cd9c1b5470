// Toast has no SDK and publishes no signed example, so the signature is computed here from the recipe of its guide:
// https://doc.toasttab.com/doc/devguide/apiMessageSigning.html
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHookKit, type HookKit, withChangedByte, withoutHeader } from '../../conformance/webhook-kit.ts'
import type { RawHook } from '../../contract/connector.ts'
import type { Product } from '../../contract/entities/product.ts'
import { hooks } from './webhooks.ts'

const signature = 'toast-signature'
const restaurant = '4d1c6c1e-5b5d-4c5a-9a55-8a5d3f7e0a01'
const minute = 60_000
let kit: HookKit
let secret: string
beforeAll(async () => {
  kit = await createHookKit('toast')
  secret = kit.sandbox.simulator('toast').enterWebhook!(kit.receiver).secret!
})
afterAll(() => kit.close())

const messageIn = ({ body }: RawHook) => JSON.parse(Buffer.from(body).toString())
const hintsOf = (sent: readonly RawHook[]) => sent.flatMap((one) => hooks.read(one))
const hook = (body: string, headers = {}): RawHook => ({ url: kit.receiver, headers, body: Buffer.from(body) })
const read = (eventType: string, details: unknown) =>
  hooks.read(hook(JSON.stringify({ eventType, details }), { 'toast-restaurant-external-id': restaurant }))
const signed = (message: unknown, timestamp: string, key: string) => {
  const body = JSON.stringify(message)
  return hook(body, { [signature]: createHmac('sha256', key).update(body).update(timestamp).digest('base64') })
}

describe('the signature', () => {
  let kept: RawHook | undefined
  const sample = async () => {
    kept ??= (await kit.sentBy(() => kit.records('restaurant', 'order').add(1)))[0]!
    return kept
  }
  const verify = (request: RawHook, key = secret, now = Date.now()) => hooks.verify!(request, key, now)

  it('is that of the recipe, under the secret of its subscription', async () => {
    const sent = await sample()
    const body = Buffer.from(sent.body).toString()
    const [ofOrders, ...others] = secret.split(' ')
    const of = (key: string) =>
      createHmac('sha256', key)
        .update(body + messageIn(sent).timestamp)
        .digest('base64')
    expect(of(ofOrders!)).toBe(sent.headers[signature])
    expect(others.map(of)).not.toContain(sent.headers[signature])
    expect([verify(sent), verify(sent, ofOrders), verify(sent, others.join(' '))]).toEqual([true, true, false])
    expect(verify(sent, `\n ${secret.split(' ').toReversed().join('\n')} `)).toBe(true)
  })
  it('is refused if it is missing, malformed, of another body or made with another secret', async () => {
    const sent = await sample()
    expect(verify(withChangedByte(sent))).toBe(false)
    expect(verify(withoutHeader(sent, signature))).toBe(false)
    expect(verify({ ...sent, headers: { ...sent.headers, [signature]: 'x' } })).toBe(false)
    expect([verify(sent, 'another secret'), verify(sent, ''), verify(sent, ' ')]).toEqual([false, false, false])
  })
  it('is refused half an hour after its timestamp, and more than five minutes before it', async () => {
    const sent = await sample()
    const at = Date.parse(messageIn(sent).timestamp)
    // The last repetition comes after 15 minutes.
    for (const late of [0, 15, 30, -5]) expect(verify(sent, secret, at + late * minute)).toBe(true)
    for (const late of [31, 24 * 60, -6]) expect(verify(sent, secret, at + late * minute)).toBe(false)
  })
  it.each([undefined, null, 7, '', 'yesterday', {}])('is refused if the timestamp is %j', (timestamp) => {
    const text = typeof timestamp === 'string' ? timestamp : ''
    expect(verify(signed({ timestamp }, text, 'secret'), 'secret')).toBe(false)
  })
  it('is accepted with both forms of a timestamp', () => {
    const now = Date.parse('2026-01-03T16:24:09.000Z')
    for (const timestamp of ['2026-01-03T16:24:09.000+0000', '2026-01-03T16:24:09.000Z'])
      expect(verify(signed({ timestamp }, timestamp, 'secret'), 'secret', now)).toBe(true)
  })
  it.each(['', 'no JSON', 'null', '[]', '7'])('of the body %j is refused', (body) => {
    const headers = { [signature]: createHmac('sha256', 'secret').update(body).digest('base64') }
    expect(verify(hook(body, headers), 'secret')).toBe(false)
  })
})

/** Payments and refunds are parts of their order: its id is that of their group. */
const partsOf = (id?: string, business = restaurant) =>
  ['order', 'payment', 'refund'].map((entityType) => ({ entityType, ...(id !== undefined && { id }), business }))

describe('what the restaurant changes', () => {
  const business = restaurant

  it('names a new and a changed order, without the guest', async () => {
    const records = kit.records('restaurant', 'order')
    let id = ''
    const added = await kit.sentBy(() => {
      id = records.add(1)[0]!
    })
    const changed = await kit.sentBy(() => records.touch(id))
    expect(hintsOf([...added, ...changed])).toEqual([...partsOf(id), ...partsOf(id)])
    expect(await kit.run('restaurant', (call) => kit.connector.entities.order!.get!(call, id))).toBeDefined()
    expect(messageIn(added[0]!)).toMatchObject({
      eventCategory: 'order_updated',
      eventType: 'order_updated',
      details: { restaurantGuid: restaurant, order: { guid: id, externalId: null } },
    })
    expect(JSON.stringify(messageIn(added[0]!))).not.toMatch(/"(firstName|lastName|phone|address1)"/)
  })
  it('names an order that the service writes', async () => {
    const path = `/unified/${kit.accountId('restaurant')}`
    const { body: page } = await kit.call('GET', `${path}/product?pageSize=100`)
    const product = page.data.find((one: Product) => one.priceType === 'FIXED' && one.stockOnHand === undefined)
    const record = { externalId: 'hooks-1', lineItems: [{ productExternalId: product.externalId, quantity: 1 }] }
    let id = ''
    const sent = await kit.sentBy(async () => {
      const { status, body } = await kit.call('POST', `${path}/order`, record, { prefer: 'wait=60' })
      expect(status, JSON.stringify(body)).toBe(201)
      id = body.data.externalId
    })
    expect(hintsOf(sent)).toEqual(partsOf(id))
  })
  it.each(['product', 'category'] as const)('says only that the menus have changed for a %s', async (entityType) => {
    const records = kit.records('restaurant', entityType)
    const [id] = records.add(1)
    for (const change of [() => {}, () => records.touch(id!), () => records.remove!(id!)])
      expect(hintsOf(await kit.sentBy(change))).toEqual([
        { entityType: 'product', business },
        { entityType: 'category', business },
      ])
  })
  it('names an item whose stock is set', async () => {
    const origin = kit.sandbox.origin('toast')
    const { credentials } = kit.tenants[0]!
    const json = { 'content-type': 'application/json' }
    const login = await fetch(`${origin}/authentication/v1/authentication/login`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ ...credentials, userAccessType: 'TOAST_MACHINE_CLIENT' }),
    })
    const { token } = (await login.json()) as { token: { accessToken: string } }
    const [id] = kit.records('restaurant', 'product').ids()
    const set = (status: string, quantity?: number) =>
      fetch(`${origin}/stock/v1/inventory/update`, {
        method: 'PUT',
        headers: {
          ...json,
          authorization: `Bearer ${token.accessToken}`,
          'toast-restaurant-external-id': restaurant,
        },
        body: JSON.stringify([{ guid: id, status, ...(quantity && { quantity }) }]),
      })
    const types: string[] = []
    for (const change of [
      () => set('OUT_OF_STOCK'),
      () => set('QUANTITY', 20),
      () => set('QUANTITY', 5),
      () => set('IN_STOCK'),
    ]) {
      const sent = await kit.sentBy(change)
      expect(hintsOf(sent)).toEqual([{ entityType: 'product', id, business }])
      types.push(...sent.map((one) => messageIn(one).eventType))
    }
    expect(types).toEqual(['out_of_stock', 'in_stock', 'low_quantity', 'in_stock'])
    expect(await kit.run('restaurant', (call) => kit.connector.entities.product!.get!(call, id!))).toBeDefined()
  })
  it('has no employees and no time entries: the next message is about an order', async () => {
    for (const entityType of ['employee', 'time_entry'] as const) kit.records('restaurant', entityType).add(1)
    const sent = await kit.sentBy(() => kit.records('restaurant', 'order').add(1))
    expect(hintsOf(sent).map(({ entityType }) => entityType)).toEqual(['order', 'payment', 'refund'])
  })
  it('is sent again, unchanged, after a failure', async () => {
    kit.respondWith(503)
    const records = kit.records('restaurant', 'order')
    const [first] = await kit.sentBy(() => records.touch(records.ids()[0]!))
    kit.respondWith(200)
    const [second] = await kit.sentBy(() => {})
    expect([second!.body, second!.headers[signature]]).toEqual([first!.body, first!.headers[signature]])
  })
})

describe('a message', () => {
  it('of a channel is read, and one about anything else gives no hints', () => {
    expect(read('channel_order_updated', { order: { guid: 'O1' } })).toEqual(partsOf('O1'))
    for (const type of ['partner_added', 'packaging_updated', '__proto__', '']) expect(read(type, {})).toEqual([])
    for (const body of ['null', '[]', '7', '{"__proto__":{"eventType":"menus_updated"}}'])
      expect(hooks.read(hook(body))).toEqual([])
  })
  it('belongs to the restaurant in its body, not to the one in the header, which is not signed', () => {
    expect(read('order_updated', { restaurantGuid: 'R2', order: { guid: 'O1' } })).toEqual(partsOf('O1', 'R2'))
  })
  it('without a usable id says that something has changed', () => {
    for (const details of [undefined, null, 'x', [], {}, { order: 7 }, { order: { guid: '' } }])
      expect(read('order_updated', details)).toEqual(partsOf())
  })
  it.each(['', 'a=b', '{"eventType":'])('is refused if its body is %j', (body) => {
    expect(() => hooks.read(hook(body))).toThrow()
  })
})

it('keeps the subscriptions and their secrets when the URL is entered again', () => {
  expect(kit.sandbox.simulator('toast').enterWebhook!(kit.receiver).secret).toBe(secret)
})
