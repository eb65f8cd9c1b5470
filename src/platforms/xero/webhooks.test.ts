// Webhooks of Xero. Neither Xero's documentation nor its SDK has an example with key and signature, so the tests compute
// the documented one: base64 of the HMAC-SHA256 of the body under the webhooks key.
// https://developer.xero.com/documentation/guides/webhooks/configuring-your-server/
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHookKit, type HookKit, withChangedByte, withoutHeader } from '../../conformance/webhook-kit.ts'
import type { RawHook } from '../../contract/connector.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { createXeroSimulator } from './simulator/simulator.ts'

const tenantId = '45e4708e-d862-4111-ab3a-dd8cd03913e1'
const signature = (body: Uint8Array | string, key: string) => createHmac('sha256', key).update(body).digest('base64')
const answering =
  (key: string) =>
  (hook: RawHook): number =>
    hook.headers['x-xero-signature'] === signature(hook.body, key) ? 200 : 401
const eventsOf = ({ body }: RawHook) =>
  (JSON.parse(Buffer.from(body).toString()) as { events: Record<string, string>[] }).events

let kit: HookKit
let key: string
beforeAll(async () => {
  kit = await createHookKit('xero')
})
afterAll(() => kit.close())

const { now } = Date
const verify = (hook: RawHook, secret = key) => kit.connector.hooks.verify!(hook, secret, now())
const hook = (body: unknown): RawHook => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return { url: kit.receiver, headers: { 'x-xero-signature': signature(bytes, key) }, body: bytes }
}
const hint = (id: string) => ({ entityType: 'customer', id, business: tenantId })
const customer = () => kit.records('accounting', 'customer')
/** The webhooks with events that follow a change; those of the check are left out. */
async function sentBy(change: () => unknown): Promise<RawHook[]> {
  return (await kit.sentBy(change)).filter((one) => eventsOf(one).length > 0)
}

describe('the webhooks of Xero', () => {
  it('come only after the URL has accepted correct signatures and refused wrong ones', async () => {
    const checks = await kit.sentBy(() => {
      key = kit.sandbox.simulator('xero').enterWebhook!(kit.receiver).secret!
    }, 4)
    expect(checks.map((check) => verify(check)).sort()).toEqual([false, false, false, true])
    expect(checks.flatMap((check) => kit.connector.hooks.read(check))).toEqual([])

    // The receiver has accepted the wrong signatures too: the next change leads to another check, not to an event.
    const [id] = customer().ids()
    const repeated = await kit.sentBy(() => customer().touch(id!), 4)
    expect(repeated.flatMap(eventsOf)).toEqual([])

    kit.respondWith(answering(key))
    const sent = await kit.sentBy(() => customer().touch(id!), 5)
    expect(sent.flatMap((one) => kit.connector.hooks.read(one))).toEqual([hint(id!)])
  })

  it('have the documented signature and members', async () => {
    const [id] = customer().ids()
    const [sent] = await sentBy(() => customer().touch(id!))
    expect(sent!.headers['x-xero-signature']).toBe(signature(sent!.body, key))
    expect(JSON.parse(Buffer.from(sent!.body).toString())).toEqual({
      events: [
        {
          resourceUrl: `https://api.xero.com/api.xro/2.0/Contacts/${id}`,
          resourceId: id,
          eventDateUtc: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/),
          eventType: 'UPDATE',
          eventCategory: 'CONTACT',
          tenantId,
          tenantType: 'ORGANISATION',
        },
      ],
      firstEventSequence: expect.any(Number),
      lastEventSequence: expect.any(Number),
      entropy: expect.any(String),
    })
  })

  it('are accepted only with the right signature', async () => {
    const [sent] = await sentBy(() => customer().touch(customer().ids()[0]!))
    expect(verify(sent!)).toBe(true)
    expect(verify(withChangedByte(sent!))).toBe(false)
    expect(verify(withoutHeader(sent!, 'x-xero-signature'))).toBe(false)
    expect(verify({ ...sent!, headers: { 'x-xero-signature': '%%%' } })).toBe(false)
    expect(verify(sent!, 'another key')).toBe(false)
    expect(verify(sent!, '')).toBe(false)
  })

  it('name what changed in Xero and through the API, by ids that can be read', async () => {
    const hintsOf = (sent: RawHook[]) => sent.flatMap((one) => kit.connector.hooks.read(one))
    let ids: string[] = []
    const added = await sentBy(() => {
      ids = customer().add(3)
    })
    expect(added).toHaveLength(1)
    expect(eventsOf(added[0]!).map(({ eventType }) => eventType)).toEqual(['CREATE', 'CREATE', 'CREATE'])
    expect(hintsOf(added)).toEqual(ids.map(hint))
    expect(hintsOf(await sentBy(() => customer().touch(ids[1]!)))).toEqual([hint(ids[1]!)])

    const path = `/unified/${kit.accountId('accounting')}/customer`
    const record = { externalId: 'hook-1', name: 'Written by the API' }
    const written = await sentBy(async () => expect((await kit.call('POST', path, record)).status).toBe(201))
    const [one, ...others] = hintsOf(written)
    expect(others).toEqual([])
    expect((await kit.call('GET', `${path}/${one!.id}`)).body.data).toMatchObject({ name: record.name })
  })

  it('give no hints for other records, and an error for a body that is no webhook', () => {
    const { read } = kit.connector.hooks
    const contact = { eventCategory: 'CONTACT', tenantId, resourceId: '717f2bfc-c6d4-41fd-b238-3f2f0c0cf777' }
    expect(read(hook({ events: [contact, contact] }))).toEqual([hint(contact.resourceId)])
    expect(read(hook({ events: [{ ...contact, eventCategory: 'INVOICE' }, null, 7, 'x', {}, [contact]] }))).toEqual([])
    expect(read(hook({ events: [{ ...contact, resourceId: { a: 1 } }] }))).toEqual([])
    expect(read(hook('{"events":[{"__proto__":{"eventCategory":"CONTACT"}}]}'))).toEqual([])
    for (const body of ['', 'null', '[]', '{', '{"events":{}}', '{"__proto__":{"events":[]}}'])
      expect(() => read(hook(body))).toThrow()
    const many = Array.from({ length: 10_000 }, (_, n) => ({ ...contact, resourceId: `contact-${n}` }))
    expect(read(hook({ events: many }))).toEqual([{ entityType: 'customer', business: tenantId }])
  })

  it('name several organizations', () => {
    const event = (tenant: string) => ({ eventCategory: 'CONTACT', tenantId: tenant, resourceId: 'r' })
    expect(kit.connector.hooks.read(hook({ events: [event('a'), event('b')] }))).toEqual([
      { entityType: 'customer', id: 'r', business: 'a' },
      { entityType: 'customer', id: 'r', business: 'b' },
    ])
  })
})

describe('the simulator', () => {
  it('disables the webhook after a day of failures, until a person enters it again', async () => {
    const sandbox = await createSandbox({
      simulators: { xero: createXeroSimulator },
      size: 'small',
      paceScale: 1e-7,
      strict: false,
    })
    let answer = answering('')
    const server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        const one = { url: '', headers: request.headers as Record<string, string>, body: Buffer.concat(parts) }
        response.writeHead(answer(one)).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const simulator = sandbox.simulator('xero')
    const records = simulator.tenants[0]!.records.customer!
    const touch = () => records.touch(records.ids()[0]!)

    const events = () => sandbox.webhooks('xero').filter(({ body }) => !body.includes('"events":[]'))
    const { secret } = simulator.enterWebhook!(url)
    const checked = answering(secret!)
    answer = (one) => (eventsOf(one).length > 0 ? 500 : checked(one))
    touch()
    await expect.poll(() => events().length).toBe(8)
    answer = checked
    touch()
    await new Promise((resolve) => setImmediate(resolve)) // the simulator has seen the change
    expect(simulator.enterWebhook!(url).secret).toBe(secret)
    records.touch(records.ids()[1]!)
    await expect.poll(() => events().length).toBe(9)
    expect(events()[8]).toMatchObject({ status: 200 })
    const ids = (JSON.parse(events()[8]!.body) as { events: { resourceId: string }[] }).events
    expect(ids.map(({ resourceId }) => resourceId)).toEqual([records.ids()[1]])
    server.closeAllConnections()
    server.close()
    await sandbox.close()
  })
})
