// Callbacks, FreshBooks' webhooks. The calls are checked with FreshBooks' own SDK. It does not verify signatures, and no
// example with verifier and signature is published, so the tests compute the documented one over the documented text:
// https://github.com/freshbooks/freshbooks-python-sdk/blob/main/docs/source/user_guide/webhooks.md
import { createHmac } from 'node:crypto'
import { Client } from '@freshbooks/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inOrder } from '../../../test/in-order.ts'
import { createHookKit, type HookKit, withChangedByte, withoutHeader } from '../../conformance/webhook-kit.ts'
import type { Hook, HookCall, RawHook } from '../../contract/connector.ts'

const accountId = 'LJArJ4'
const header = 'x-freshbooks-hmac-sha256'
const signature = (text: string, verifier: string) => createHmac('sha256', verifier).update(text).digest('base64')

interface Callback {
  callbackid: number
  event: string
  uri: string
  verified: boolean
}
let kit: HookKit
let secret: string
let registration: unknown
beforeAll(async () => {
  kit = await createHookKit('freshbooks')
})
afterAll(() => kit.close())

const hooks = () => kit.connector.hooks
const run = <T>(calls: (call: HookCall) => Promise<T>) => kit.run('accounting', calls)
const wanted = (known?: string): Hook => ({
  url: kit.receiver,
  entities: ['customer'],
  ...(known !== undefined && { secret: known }),
})
const register = (known?: string) => run((call) => hooks().register!(call, wanted(known)))
const registered = (known?: string) => run((call) => hooks().registered!(call, wanted(known), registration))
const verify = (hook: RawHook, verifier = secret) => hooks().verify!(hook, verifier, Date.now())
const hintsOf = (sent: RawHook[]) => sent.flatMap((one) => hooks().read(one))
const customer = () => kit.records('accounting', 'customer')
const form = (fields: Record<string, string> | string): RawHook => ({
  url: kit.receiver,
  headers: {},
  body: Buffer.from(new URLSearchParams(fields).toString()),
})
const base = `/events/account/${accountId}/events/callbacks`
/** What FreshBooks has, by a call of another client. */
async function callbacks(method = 'GET', path = '', body?: unknown): Promise<Callback[]> {
  const { accessToken } = kit.tenants[0]!.credentials
  const response = await fetch(`${kit.sandbox.origin('freshbooks')}${base}${path}`, {
    method,
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as { response: { result?: { callbacks?: Callback[] } } }
  return answer.response.result?.callbacks ?? []
}
/** Answers the verification, as the service does. */
async function confirm(challenge: RawHook): Promise<string> {
  const { secret: received = '' } = hooks().challenge!(challenge)!
  await run((call) => hooks().confirm!(call, challenge))
  return received
}

// Each test goes on where the one before has ended.
describe('the registration', inOrder, () => {
  it('is complete once the verifier that FreshBooks sends has been sent back', async () => {
    const [challenge] = await kit.sentBy(async () => {
      registration = await register()
    })
    expect(await callbacks()).toMatchObject([{ event: 'client', uri: kit.receiver, verified: false }])
    expect(await registered()).toBe(false)

    // Not verified yet, or the verification was lost: it is sent again, and there is still one callback.
    const [again] = await kit.sentBy(async () => {
      expect(await register()).toEqual(registration)
    })
    expect(again!.body).toEqual(challenge!.body)
    expect(await callbacks()).toHaveLength(1)

    // The callback is verified, although FreshBooks' response is lost.
    kit.sandbox.fault('freshbooks', { kind: 'reset_after', method: 'PUT', path: '/events/callbacks/', times: 1 })
    secret = await confirm(again!)
    expect(kit.sandbox.faults('freshbooks')).toEqual([])
    expect(await callbacks()).toMatchObject([{ verified: true }])
    expect(await registered(secret)).toBe(true)
    expect(await register(secret)).toEqual(registration)
    expect(await callbacks()).toHaveLength(1)
  })

  it('takes no verifier that FreshBooks did not send', async () => {
    const [{ callbackid } = { callbackid: 0 }] = await callbacks()
    const forged = (fields: Record<string, string>) => form({ name: 'callback.verify', verifier: 'forged', ...fields })
    const confirmed = (hook: RawHook) => run((call) => hooks().confirm!(call, hook))
    // Of a verified callback, of none, of another URL.
    await expect(confirmed(forged({ object_id: String(callbackid) }))).rejects.toThrow('verified already')
    await expect(confirmed(forged({ object_id: '99' }))).rejects.toThrow('no such callback')
    await expect(confirmed(forged({ object_id: '../callbacks' }))).rejects.toThrow('no such callback')
    await callbacks('POST', '', { callback: { event: 'client', uri: `${kit.receiver}-other` } })
    const other = (await callbacks()).find(({ uri }) => uri !== kit.receiver)!
    await expect(confirmed(forged({ object_id: String(other.callbackid) }))).rejects.toThrow('no such callback')
    const ofOther = { ...forged({ object_id: String(other.callbackid) }), url: other.uri }
    await expect(confirmed(ofOther)).rejects.toThrow()
    expect((await callbacks()).filter(({ verified }) => verified)).toHaveLength(1)
    await callbacks('DELETE', `/${other.callbackid}`)
  })

  it('is repaired after the callback was deleted, doubled, or verified with a verifier that was lost', async () => {
    await callbacks('DELETE', `/${(await callbacks())[0]!.callbackid}`)
    expect(await registered(secret)).toBe(false)
    const [challenge] = await kit.sentBy(async () => {
      registration = await register(secret)
    })
    secret = await confirm(challenge!)
    expect(await registered(secret)).toBe(true)

    const [doubled] = await kit.sentBy(() =>
      callbacks('POST', '', { callback: { event: 'client', uri: kit.receiver } }),
    )
    expect(await register(secret)).toEqual(registration)
    expect(await callbacks()).toHaveLength(1)
    await expect(confirm(doubled!)).rejects.toThrow('no such callback')

    expect(await registered()).toBe(false)
    const [renewed] = await kit.sentBy(async () => {
      registration = await register()
    })
    expect(await callbacks()).toMatchObject([{ verified: false }])
    secret = await confirm(renewed!)
    expect(await registered(secret)).toBe(true)
  })

  it('has the routes that the SDK of FreshBooks calls', async () => {
    const { clientId = '', clientSecret, accessToken } = kit.tenants[0]!.credentials
    const apiUrl = kit.sandbox.origin('freshbooks')
    const sdk = new Client(clientId, { clientSecret, accessToken, apiUrl, retryOptions: { retries: 0 } })
    const uri = `${kit.receiver}-sdk`
    let id = ''
    const [challenge] = await kit.sentBy(async () => {
      const { data } = await sdk.callbacks.create({ event: 'client.update', uri }, accountId)
      expect(data).toMatchObject({ event: 'client.update', uri, verified: false, updatedAt: expect.any(Date) })
      id = String(data!.callbackId)
    })
    await kit.sentBy(() => sdk.callbacks.resendVerification(accountId, id))
    await expect(sdk.callbacks.verify(accountId, id, 'wrong')).rejects.toMatchObject({
      statusCode: '400',
      errors: [{ field: 'verifier' }],
    })
    const { verifier } = Object.fromEntries(new URLSearchParams(Buffer.from(challenge!.body).toString()))
    expect((await sdk.callbacks.verify(accountId, id, verifier!)).data).toMatchObject({ verified: true })
    expect((await sdk.callbacks.list(accountId)).data!.callbacks).toHaveLength(2)
    for (const [field, callback] of [
      ['event', { event: 'coffee.create', uri }],
      ['uri', { event: 'client', uri: 'nowhere' }],
    ] as const)
      await expect(sdk.callbacks.create(callback, accountId)).rejects.toMatchObject({ errors: [{ field }] })
    await sdk.callbacks.delete(accountId, id)
    await expect(sdk.callbacks.single(accountId, id)).rejects.toThrow('could not be found')
  })
})

describe('the webhooks of FreshBooks', () => {
  async function begin(): Promise<void> {
    const [challenge] = await kit.sentBy(async () => {
      registration = await register()
    })
    secret = await confirm(challenge!)
  }
  const end = () => run((call) => hooks().unregister!(call, registration))
  beforeAll(begin)
  afterAll(end)

  it('have the documented form and signature', async () => {
    const [id] = customer().ids()
    const [sent] = await kit.sentBy(() => customer().touch(id!))
    expect(Buffer.from(sent!.body).toString()).toBe(
      `name=client.update&object_id=${id}&account_id=LJArJ4&business_id=2122866&identity_id=2192788&user_id=1`,
    )
    const text = `{"name": "client.update", "object_id": "${id}", "account_id": "LJArJ4", "business_id": "2122866", "identity_id": "2192788", "user_id": "1"}`
    expect(sent!.headers[header]).toBe(signature(text, secret))
  })

  it('are accepted only with the right signature', async () => {
    const [sent] = await kit.sentBy(() => customer().touch(customer().ids()[0]!))
    expect(verify(sent!)).toBe(true)
    expect(verify(withChangedByte(sent!))).toBe(false)
    expect(verify(withoutHeader(sent!, header))).toBe(false)
    expect(verify({ ...sent!, headers: { [header]: 'x' } })).toBe(false)
    expect(verify(sent!, 'another verifier')).toBe(false)
    // As Python writes it: only ASCII, with escapes of its own.
    const odd = form({ name: 'client.update', note: 'é"\\\n\u007f\u{1f600}' })
    const text = '{"name": "client.update", "note": "\\u00e9\\"\\\\\\n\\u007f\\ud83d\\ude00"}'
    expect(verify({ ...odd, headers: { [header]: signature(text, secret) } })).toBe(true)
  })

  it('name what changed in FreshBooks and through the API, by ids that can be read', async () => {
    let ids: string[] = []
    const add = () => {
      ids = customer().add(2)
    }
    const added = hintsOf(await kit.sentBy(add, 2))
    expect(new Set(added.map(({ id }) => id))).toEqual(new Set(ids))
    expect(added.every(({ gone, entityType }) => !gone && entityType === 'customer')).toBe(true)
    const [id] = ids as [string]
    expect(hintsOf(await kit.sentBy(() => customer().touch(id)))).toEqual([{ entityType: 'customer', id }])
    const removed = await kit.sentBy(() => customer().remove!(id))
    expect(hintsOf(removed)).toEqual([{ entityType: 'customer', id, gone: true }])

    const path = `/unified/${kit.accountId('accounting')}/customer`
    const record = { externalId: 'hook-1', name: 'Written by the API' }
    const written = await kit.sentBy(async () => expect((await kit.call('POST', path, record)).status).toBe(201))
    expect(hintsOf(written)).toHaveLength(1)
    expect((await kit.call('GET', `${path}/${hintsOf(written)[0]!.id}`)).body.data).toMatchObject({ name: record.name })
    expect((await kit.call('GET', `${path}/${id}`)).status).toBe(404)
  })

  it('give no hints for other records, and an error for a body that is no webhook', () => {
    const { read, challenge } = hooks()
    expect(read(form({ name: 'invoice.create', object_id: '1' }))).toEqual([])
    expect(read(form({ name: 'client.update' }))).toEqual([{ entityType: 'customer' }])
    expect(read(form({ name: 'client.delete', object_id: 'x'.repeat(5000) }))).toEqual([{ entityType: 'customer' }])
    expect(read(form('__proto__=1&name=constructor&object_id=1'))).toEqual([])
    for (const body of ['', '{"name":"client.update"}', '\0\xff', '&&&=']) expect(() => read(form(body))).toThrow()
    expect(challenge!(form({ name: 'callback.verify', object_id: '1' }))).toBeUndefined()
    expect(challenge!(form({ name: 'client.update', object_id: '1', verifier: 'v' }))).toBeUndefined()
  })

  it('end when the registration does, and it can end twice', async () => {
    for (const _ of [1, 2]) await end()
    expect(await callbacks()).toEqual([])
    await run((call) => hooks().unregister!(call, undefined))
    expect(await run((call) => hooks().register!(call, { ...wanted(), entities: [] }))).toEqual({})
    expect(await callbacks()).toEqual([])
    await begin()
  })
})
