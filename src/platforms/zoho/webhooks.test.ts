// Webhooks of Zoho Books and Zoho Inventory. Zoho publishes the text that is signed, but no example with a token and a
// signature, so the tests compute the HMAC-SHA256 of that text: https://www.zoho.com/billing/kb/webhooks/securing-webhooks.html
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHookKit, type HookKit, withChangedByte, withoutHeader } from '../../conformance/webhook-kit.ts'
import type { RawHook } from '../../contract/connector.ts'
import { zohoBooks } from '../zoho-books/connector.ts'

const token = 'sandboxSecretToken7'
const header = 'x-zoho-webhook-signature'
const signature = (text: string | Uint8Array, secret = token) => createHmac('sha256', secret).update(text).digest('hex')
const hooks = zohoBooks.hooks!
const verify = (hook: RawHook, secret = token) => hooks.verify!(hook, secret, Date.now())

describe.each(['zoho-books', 'zoho-inventory'])('the webhooks of %s', (platform) => {
  let kit: HookKit
  beforeAll(async () => {
    kit = await createHookKit(platform)
    kit.sandbox.simulator(platform).enterWebhook!(kit.receiver, { secret: token })
  })
  afterAll(() => kit.close())
  const customer = () => kit.records('accounting', 'customer')
  const hintsOf = (sent: RawHook[]) => sent.flatMap((one) => kit.connector.hooks.read(one))

  it('have the documented signature and the record', async () => {
    const [id] = customer().ids()
    const [sent] = await kit.sentBy(() => customer().touch(id!))
    expect(sent!.headers[header]).toBe(signature(sent!.body))
    expect(JSON.parse(Buffer.from(sent!.body).toString())).toMatchObject({
      contact: { contact_id: id, contact_type: 'customer', notes: expect.stringMatching(/^Called/) },
    })
  })

  it('are accepted only with the right signature', async () => {
    const [sent] = await kit.sentBy(() => customer().touch(customer().ids()[0]!))
    const accepted = (hook: RawHook, secret = token) => kit.connector.hooks.verify!(hook, secret, Date.now())
    expect(accepted(sent!)).toBe(true)
    expect(accepted(withChangedByte(sent!))).toBe(false)
    expect(accepted(withoutHeader(sent!, header))).toBe(false)
    expect(accepted({ ...sent!, headers: { ...sent!.headers, [header]: 'x' } })).toBe(false)
    expect(accepted(sent!, 'anotherToken123')).toBe(false)
  })

  it('name what changed in Zoho and through the API, by ids that can be read', async () => {
    let ids: string[] = []
    const add = () => {
      ids = customer().add(2)
    }
    const added = hintsOf(await kit.sentBy(add, 2))
    expect(new Set(added)).toEqual(new Set(ids.map((id) => ({ entityType: 'customer', id }))))
    const [id] = ids as [string]
    expect(hintsOf(await kit.sentBy(() => customer().touch(id)))).toEqual([{ entityType: 'customer', id }])
    expect(hintsOf(await kit.sentBy(() => customer().remove!(id)))).toEqual([{ entityType: 'customer', id }])

    const path = `/unified/${kit.accountId('accounting')}/customer`
    const record = { externalId: 'hook-1', name: 'Written by the API', currencyCode: 'EUR' }
    const written = await kit.sentBy(async () => expect((await kit.call('POST', path, record)).status).toBe(201))
    expect(hintsOf(written)).toHaveLength(1)
    expect((await kit.call('GET', `${path}/${hintsOf(written)[0]!.id}`)).body.data).toMatchObject({ name: record.name })
    expect((await kit.call('GET', `${path}/${id}`)).status).toBe(404)
  })

  it('need a secret token of 12 to 50 letters and digits', () => {
    const { enterWebhook } = kit.sandbox.simulator(platform)
    for (const secret of ['short', 'x'.repeat(51), 'with-a-hyphen-1'])
      expect(() => enterWebhook!(kit.receiver, { secret })).toThrow('refused with 400')
  })
})

describe('a webhook of Zoho', () => {
  const hook = (body: string, more: Partial<RawHook> & { type?: string } = {}): RawHook => ({
    url: 'https://records.example/hooks/zoho-books/1',
    headers: { 'content-type': more.type ?? 'application/json' },
    body: Buffer.from(body),
    ...more,
  })
  const signed = (one: RawHook, text: string) =>
    verify({ ...one, headers: { ...one.headers, [header]: signature(text) } })
  const form = 'application/x-www-form-urlencoded; charset=UTF-8'

  it('is signed with its parameters, sorted by name', () => {
    // The example of the documentation.
    const json = '{"created_date":"2019-03-06","event_id":"5675"}'
    const url = 'https://records.example/hooks/zoho-books/1?subscription_id=90343&name=basic'
    expect(signed(hook(json, { url }), `namebasicsubscription_id90343${json}`)).toBe(true)
    expect(signed(hook(json, { url }), json)).toBe(false)
    expect(signed(hook('b=2%20%26&a=%C3%A9', { type: form }), 'aéb2 &')).toBe(true)
    expect(signed(hook(`\ufeff${json}`), json)).toBe(false)
    const upper = { [header]: signature(json).toUpperCase() }
    expect(verify({ ...hook(json), headers: upper })).toBe(true)
  })

  it('names a customer in every payload that a person can choose', () => {
    const id = '460000000026049'
    const hint = { entityType: 'customer', id }
    for (const body of [
      { contact: { contact_id: id, contact_type: 'customer' } },
      { customer: { customer_id: Number(id) } },
      { contact_id: id, contact_name: 'Bowman and Co' },
    ]) {
      expect(hooks.read(hook(JSON.stringify(body)))).toEqual([hint])
      const encoded = new URLSearchParams({ JSONString: JSON.stringify(body) }).toString()
      expect(hooks.read(hook(encoded, { type: form }))).toEqual([hint])
    }
    expect(hooks.read(hook(`contact_id=${id}`, { type: form }))).toEqual([hint])
  })

  it('without a usable id says that some customer changed', () => {
    const some = [{ entityType: 'customer' }]
    for (const body of ['{}', '{"contact":{}}', '{"contact":{"contact_id":4600000000260491234}}', '{"name":"x"}'])
      expect(hooks.read(hook(body))).toEqual(some)
  })

  it('gives no hints for other records, and an error for a body that is no webhook', () => {
    for (const body of [
      { invoice: { invoice_id: '1', customer_id: '2' } },
      { contact: { contact_id: '1', contact_type: 'vendor' } },
    ])
      expect(hooks.read(hook(JSON.stringify(body)))).toEqual([])
    const hostile = '{"__proto__":{"contact_id":"1"},"constructor":{"contact_id":"1"},"contact":[1]}'
    expect(hooks.read(hook(hostile))).toEqual([{ entityType: 'customer' }])
    for (const body of ['', 'null', '7', '"x"', '{', 'contact_id=1']) expect(() => hooks.read(hook(body))).toThrow()
    expect(() => hooks.read(hook('JSONString=%7B', { type: form }))).toThrow()
  })
})
