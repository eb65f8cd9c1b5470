// Webhooks of QuickBooks Online. Intuit publishes no example with token and signature, so the tests compute the documented
// one: base64 of the HMAC-SHA256 of the body under the verifier token.
// https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHookKit, type HookKit, withChangedByte, withoutHeader } from '../../conformance/webhook-kit.ts'
import type { RawHook } from '../../contract/connector.ts'

const realmId = '9341455327810551'
const signature = (body: Uint8Array | string, key: string) => createHmac('sha256', key).update(body).digest('base64')

let kit: HookKit
let token: string
beforeAll(async () => {
  kit = await createHookKit('quickbooks-online')
  token = kit.sandbox.simulator('quickbooks-online').enterWebhook!(kit.receiver).secret!
})
afterAll(() => kit.close())

const verify = (hook: RawHook, secret = token) => kit.connector.hooks.verify!(hook, secret, Date.now())
const hook = (body: unknown): RawHook => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return { url: kit.receiver, headers: { 'intuit-signature': signature(bytes, token) }, body: bytes }
}
const read = (body: unknown) => kit.connector.hooks.read(hook(body))
const hintsOf = (sent: RawHook[]) => sent.flatMap((one) => kit.connector.hooks.read(one))
const hint = (id: string, more: object = {}) => ({ entityType: 'customer', id, business: realmId, ...more })
const customer = () => kit.records('accounting', 'customer')

describe('the webhooks of QuickBooks Online', () => {
  it('have the documented signature and members', async () => {
    const [id] = customer().ids()
    const [sent] = await kit.sentBy(() => customer().touch(id!))
    expect(sent!.headers['intuit-signature']).toBe(signature(sent!.body, token))
    expect(JSON.parse(Buffer.from(sent!.body).toString())).toEqual([
      {
        specversion: '1.0',
        id: expect.stringMatching(new RegExp(`^[-0-9a-f]{36}-Customer-${id}$`)),
        source: expect.stringMatching(/^intuit\.[A-Za-z0-9+/]{43}=$/),
        type: 'qbo.customer.updated.v1',
        datacontenttype: 'application/json',
        time: expect.stringMatching(/Z$/),
        intuitentityid: id,
        intuitaccountid: realmId,
        data: {},
      },
    ])
  })

  it('are accepted only with the right signature', async () => {
    const [sent] = await kit.sentBy(() => customer().touch(customer().ids()[0]!))
    expect(verify(sent!)).toBe(true)
    expect(verify(withChangedByte(sent!))).toBe(false)
    expect(verify(withoutHeader(sent!, 'intuit-signature'))).toBe(false)
    expect(verify({ ...sent!, headers: { 'intuit-signature': 'x' } })).toBe(false)
    expect(verify(sent!, 'another token')).toBe(false)
    expect(verify(hook({ eventNotifications: [] }))).toBe(true)
  })

  it('name what changed in QuickBooks and through the API, by ids that can be read', async () => {
    let ids: string[] = []
    const added = await kit.sentBy(() => {
      ids = customer().add(3)
    })
    expect(added).toHaveLength(1)
    expect(hintsOf(added)).toEqual(ids.map((id) => hint(id)))
    expect(hintsOf(await kit.sentBy(() => customer().touch(ids[1]!)))).toEqual([hint(ids[1]!)])

    const path = `/unified/${kit.accountId('accounting')}/customer`
    const record = { externalId: 'hook-1', name: 'Written by the API' }
    const written = await kit.sentBy(async () => expect((await kit.call('POST', path, record)).status).toBe(201))
    expect(hintsOf(written)).toHaveLength(1)
    const id = hintsOf(written)[0]!.id!
    expect((await kit.call('GET', `${path}/${id}`)).body.data).toMatchObject({ name: record.name })

    const inactive = { ...record, externalId: id, active: false }
    const deactivated = await kit.sentBy(async () =>
      expect((await kit.call('PUT', `${path}/${id}`, inactive)).status).toBe(200),
    )
    expect(hintsOf(deactivated)).toEqual([hint(id, { gone: true })])
    expect((await kit.call('GET', `${path}/${id}`)).body.data).toMatchObject({ active: false })
  })

  it('name both customers of a merge, in both formats', () => {
    // https://developer.intuit.com/app/developer/qbo/docs/develop/webhooks/data-objects
    const merged = [
      {
        specversion: '1.0',
        id: 'c3d8f9f4-Customer-123',
        source: 'intuit.xyz',
        type: 'qbo.customer.merged.v1',
        datacontenttype: 'application/json',
        time: '2025-12-04T15:25:05Z',
        intuitentityid: '123',
        intuitaccountid: realmId,
        data: { deletedid: '27' },
      },
    ]
    const both = [hint('123'), hint('27', { gone: true, replacedBy: '123' })]
    expect(read(merged)).toEqual(both)
    const entity = { name: 'Customer', id: '123', operation: 'Merge', lastUpdated: '2025-12-04T15:25:05Z' }
    const legacy = (entities: unknown) => ({ eventNotifications: [{ realmId, dataChangeEvent: { entities } }] })
    expect(read(legacy([{ ...entity, deletedId: '27' }]))).toEqual(both)
    expect(read(legacy([entity]))).toEqual([hint('123')])
    expect(read(legacy([{ ...entity, operation: 'Delete' }]))).toEqual([hint('123', { gone: true })])
    expect(read(legacy([{ ...entity, operation: 'Create' }]))).toEqual([hint('123')])
  })

  it('give no hints for other records, and an error for a body that is no webhook', () => {
    const event = { type: 'qbo.customer.updated.v1', intuitentityid: '5', intuitaccountid: realmId }
    expect(read([event, event])).toEqual([hint('5')])
    expect(read([{ ...event, type: 'qbo.invoice.updated.v1' }, null, 7, [event], { type: {} }])).toEqual([])
    expect(read([{ ...event, intuitentityid: [] }, '__proto__'])).toEqual([])
    expect(read('[{"__proto__":{"type":"qbo.customer.updated.v1"}}]')).toEqual([])
    const foreign = { name: 'Invoice', id: '1', operation: 'Update' }
    const hostile = { name: 'Customer', id: '1', operation: 'constructor' }
    for (const entities of [[foreign], [hostile], [null], {}, undefined])
      expect(read({ eventNotifications: [{ realmId, dataChangeEvent: { entities } }] })).toEqual([])
    for (const body of ['', 'null', '{}', '{', '7', '{"eventNotifications":{}}']) expect(() => read(body)).toThrow()
    const many = Array.from({ length: 10_000 }, (_, n) => ({ ...event, intuitentityid: String(n) }))
    expect(read(many)).toEqual([{ entityType: 'customer', business: realmId }])
  })

  it('name several companies', () => {
    const event = (realm: string) => ({ type: 'qbo.customer.created.v1', intuitentityid: '5', intuitaccountid: realm })
    expect(read([event('1'), event('2')])).toEqual([
      { entityType: 'customer', id: '5', business: '1' },
      { entityType: 'customer', id: '5', business: '2' },
    ])
  })
})
