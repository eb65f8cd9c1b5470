import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WebhooksHelper } from 'square'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHookKit, type HookKit, withChangedByte, withoutHeader } from '../../conformance/webhook-kit.ts'
import type { HookHint, RawHook } from '../../contract/connector.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { createSquareSimulator } from './simulator/simulator.ts'
import { hooks } from './webhooks.ts'

const signature = 'x-square-hmacsha256-signature'
const merchant = 'MLRESTAURANT1'
let kit: HookKit
let secret: string
beforeAll(async () => {
  kit = await createHookKit('square')
  secret = kit.sandbox.simulator('square').enterWebhook!(kit.receiver).secret!
})
afterAll(() => kit.close())

const eventIn = ({ body }: RawHook) => JSON.parse(Buffer.from(body).toString())
const hintsOf = (sent: readonly RawHook[]) => sent.flatMap((hook) => hooks.read(hook))
const hook = (event: unknown): RawHook => ({ url: kit.receiver, headers: {}, body: Buffer.from(JSON.stringify(event)) })
const read = (type: string, data: unknown) => hooks.read(hook({ merchant_id: merchant, type, data }))
const own = (hint: HookHint) => ({ ...hint, business: merchant })

describe('the signature', () => {
  let kept: RawHook | undefined
  const sample = async () => {
    kept ??= (await kit.sentBy(() => kit.records('restaurant', 'employee').add(1)))[0]!
    return kept
  }
  const verify = (request: RawHook, key = secret) => hooks.verify!(request, key, Date.now())

  it("is accepted by Square's own SDK and by the connector", async () => {
    const sent = await sample()
    const requestBody = Buffer.from(sent.body).toString()
    const given = { requestBody, signatureHeader: sent.headers[signature]!, signatureKey: secret }
    expect(await WebhooksHelper.verifySignature({ ...given, notificationUrl: sent.url })).toBe(true)
    expect(await WebhooksHelper.verifySignature({ ...given, notificationUrl: `${sent.url}/` })).toBe(false)
    expect(verify(sent)).toBe(true)
  })
  it('covers the body and the URL', async () => {
    const sent = await sample()
    expect(verify(withChangedByte(sent))).toBe(false)
    expect(verify({ ...sent, url: `${sent.url}/` })).toBe(false)
  })
  it('is refused if it is missing, malformed or made with another key', async () => {
    const sent = await sample()
    expect(verify(withoutHeader(sent, signature))).toBe(false)
    expect(verify({ ...sent, headers: { ...sent.headers, [signature]: 'no signature' } })).toBe(false)
    expect(verify(sent, 'another key')).toBe(false)
    expect(verify(sent, '')).toBe(false)
  })
})

describe('what the seller changes', () => {
  const hinted = async (change: () => unknown, count = 1) => hintsOf(await kit.sentBy(change, count))

  it.each(['customer', 'time_entry'] as const)('names an added, changed and removed %s', async (entityType) => {
    const records = kit.records('restaurant', entityType)
    let id = ''
    expect(
      await hinted(() => {
        id = records.add(1)[0]!
      }),
    ).toEqual([own({ entityType, id })])
    expect(await hinted(() => records.touch(id))).toEqual([own({ entityType, id })])
    expect(await kit.run('restaurant', (call) => kit.connector.entities[entityType]!.get!(call, id))).toBeDefined()
    expect(await hinted(() => records.remove!(id))).toEqual([own({ entityType, id, gone: true })])
    expect(await kit.run('restaurant', (call) => kit.connector.entities[entityType]!.get!(call, id))).toBeUndefined()
  })
  it('names an added and a changed team member', async () => {
    const records = kit.records('restaurant', 'employee')
    let id = ''
    const added = await hinted(() => {
      id = records.add(1)[0]!
    })
    expect([...added, ...(await hinted(() => records.touch(id)))]).toEqual(
      Array(2).fill(own({ entityType: 'employee', id })),
    )
    expect(await kit.run('restaurant', (call) => kit.connector.entities.employee!.get!(call, id))).toBeDefined()
  })
  it.each(['product', 'category', 'tax_rate'] as const)(
    'says only that something has changed for a %s',
    async (entityType) => {
      const records = kit.records('restaurant', entityType)
      const [id] = records.ids()
      for (const change of [() => records.touch(id!), () => records.remove!(id!)])
        expect((await kit.sentBy(change)).filter((one) => eventIn(one).type === 'catalog.version.updated')).toSatisfy(
          (sent: RawHook[]) => sent.length === 1 && hintsOf(sent).length === 3,
        )
      expect(hintsOf([hook({ merchant_id: merchant, type: 'catalog.version.updated', data: {} })])).toEqual([
        own({ entityType: 'product' }),
        own({ entityType: 'category' }),
        own({ entityType: 'tax_rate' }),
      ])
    },
  )
  it('names a payment and a refund that change', async () => {
    const get = (type: 'payment' | 'refund', of: string) =>
      kit.run('restaurant', (call) => kit.connector.entities[type]!.get!(call, of))
    const payments = kit.records('restaurant', 'payment')
    const [id] = payments.ids()
    expect(await hinted(() => payments.touch(id!))).toEqual([own({ entityType: 'payment', id: id! })])
    expect((await get('payment', id!)).processing_fee.length).toBeGreaterThan(0)
    const refunds = kit.records('restaurant', 'refund')
    const rows = await Promise.all(refunds.ids().map((one) => get('refund', one)))
    const completed = rows.find(({ status }) => status === 'COMPLETED')!
    const told = await hinted(() => refunds.touch(completed.id))
    expect(told).toEqual([own({ entityType: 'refund', id: completed.id })])
    expect(completed.return_order.returns).toHaveLength(1)
    for (const type of ['payment', 'refund'] as const)
      expect(read(`${type}.created`, { id: 'X' })).toEqual([own({ entityType: type, id: 'X' })])
  })
  it('names orders of the API, and none of the Point of Sale app', async () => {
    const [location] = kit.tenants.find(({ vertical }) => vertical === 'restaurant')!.locations
    const record = { locationExternalId: location, lineItems: [{ name: 'Soup', quantity: 1, unitPrice: 5 }] }
    const path = `/unified/${kit.accountId('restaurant')}/order`
    let created = ''
    const sent = await kit.sentBy(async () => {
      const { body } = await kit.call('POST', path, { externalId: 'hooks-1', ...record }, { prefer: 'wait=60' })
      created = body.data.externalId
    })
    expect(hintsOf(sent)).toEqual([own({ entityType: 'order', id: created })])

    const records = kit.records('restaurant', 'order')
    const get = (id: string) => kit.run('restaurant', (call) => kit.connector.entities.order!.get!(call, id))
    expect((await get(created)).version).toBeDefined()
    let ofPos = ''
    for (const id of records.ids()) if (!ofPos && (await get(id)).version === undefined) ofPos = id
    expect(ofPos).not.toBe('')
    const both = await kit.sentBy(() => [ofPos, created].forEach(records.touch))
    expect(hintsOf(both)).toEqual([own({ entityType: 'order', id: created })])
  })
  it('names the variation whose stock has changed, with which its item is found', async () => {
    const [id] = kit.records('retail_pos', 'product').ids()
    const path = `/unified/${kit.accountId('retail_pos')}/product/${id}`
    const { body } = await kit.call('GET', path)
    const sent = await kit.sentBy(
      () => kit.call('PUT', path, { ...body.data, stockOnHand: (body.data.stockOnHand ?? 0) + 3 }),
      2,
    )
    const hints = hintsOf(sent.filter((one) => eventIn(one).type === 'inventory.count.updated'))
    expect(hints).toEqual([{ entityType: 'product', id, business: 'MLRETAILSHOP1' }])
    const product = kit.connector.entities.product!
    const rows = await kit.run('retail_pos', (call) => product.members!(call, id!))
    expect(rows.map(product.id)).toContain(id)
    const group = product.group!(rows[0])
    const ofItem = await kit.run('retail_pos', (call) => product.members!(call, group))
    expect(ofItem.map(product.id)).toEqual(rows.map(product.id))
    expect(await kit.run('retail_pos', (call) => product.members!(call, 'NOSUCHOBJECT'))).toEqual([])
  })
})

describe('an event', () => {
  it('of merged customers names their successor', () => {
    const merge = { from_customer_ids: ['A', 'B'], to_customer_id: 'C' }
    const object = { event_context: { merge } }
    const gone = ['A', 'B'].map((id) => own({ entityType: 'customer', id, gone: true, replacedBy: 'C' }))
    expect(read('customer.deleted', { id: 'A', object })).toEqual(gone)
    expect(read('customer.created', { id: 'C', object })).toEqual([own({ entityType: 'customer', id: 'C' }), ...gone])
  })
  it('of a wage setting names the team member', () => {
    expect(
      read('team_member.wage_setting.updated', { id: 'W', object: { wage_setting: { team_member_id: 'TM1' } } }),
    ).toEqual([own({ entityType: 'employee', id: 'TM1' })])
  })
  it('of another topic, or of no seller, gives no hints', () => {
    expect(read('payout.sent', { id: 'P' })).toEqual([])
    expect(read('__proto__', {})).toEqual([])
    expect(hooks.read(hook({ type: 'order.updated', data: { id: 'O' } }))).toEqual([])
  })
  it('without a usable id says that something has changed', () => {
    for (const data of [undefined, null, [], 'x', { id: {} }, { id: '' }, { id: 'x'.repeat(500) }])
      expect(read('customer.deleted', data)).toEqual([own({ entityType: 'customer' })])
  })
  it('with too many ids says only that something has changed', () => {
    const inventory_counts = Array.from({ length: 10_000 }, (_, n) => ({ catalog_object_id: `V${n}` }))
    expect(read('inventory.count.updated', { object: { inventory_counts } })).toEqual([own({ entityType: 'product' })])
  })
  it.each(['', 'no JSON', '{', '[1,'])('is refused if its body is %j', (body) => {
    expect(() => hooks.read({ ...hook({}), body: Buffer.from(body) })).toThrow()
  })
  it.each(['null', '[]', '"x"', '7', '{"__proto__":{"type":"order.updated","merchant_id":"M"}}'])(
    'gives no hints if its body is %s',
    (body) => {
      expect(hooks.read({ ...hook({}), body: Buffer.from(body) })).toEqual([])
    },
  )
})

it('keeps the subscription and its key when the URL is entered again', async () => {
  expect(kit.sandbox.simulator('square').enterWebhook!(kit.receiver).secret).toBe(secret)
  const sent = await kit.sentBy(() =>
    kit.records('restaurant', 'customer').touch(kit.records('restaurant', 'customer').ids()[0]!),
  )
  expect(sent).toHaveLength(1)
})
it('keeps the subscription when the sandbox is restarted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'square-hooks-'))
  const start = () => createSandbox({ simulators, size: 'small', file: join(folder, 'state.jsonl') })
  const simulators = { square: createSquareSimulator }
  const first = await start()
  const key = first.simulator('square').enterWebhook!(kit.receiver).secret!
  await first.close()
  const second = await start()
  const { employee } = second.simulator('square').tenants[0]!.records
  const [sent] = await kit.sentBy(() => employee!.touch(employee!.ids()[0]!))
  expect(hooks.verify!(sent!, key, 0)).toBe(true)
  await second.close()
  rmSync(folder, { recursive: true })
})
