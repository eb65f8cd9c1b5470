// Lightspeed does not sign these webhooks, so there is nothing to verify: the URL, which cannot be guessed, protects
// the endpoint. The payload is that of the reference: { notificationType, data: Shift }.
// https://api-docs.lsk.lightspeed.app/operation/operation-staff-apicreatewebhook
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHookKit, type HookKit } from '../../conformance/webhook-kit.ts'
import type { Hook, RawHook } from '../../contract/connector.ts'
import { hooks } from './webhooks.ts'

const location = '45454565682155'
let kit: HookKit
let hook: Hook
beforeAll(async () => {
  kit = await createHookKit('lightspeed-k')
  hook = { url: kit.receiver, entities: ['product', 'time_entry'] }
})
afterAll(() => kit.close())
afterEach(() => kit.sandbox.clearFaults('lightspeed-k'))

interface Webhook {
  uuid: string
  notificationType: string
  url: string
}
const native = (method: string, path = '', body?: unknown) =>
  fetch(`${kit.sandbox.origin('lightspeed-k')}/staff/v1/businessLocations/${location}/webhooks${path}`, {
    method,
    headers: { authorization: 'Bearer sandbox-lightspeed-k-access', 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
const present = async () => (await (await native('GET')).json()) as Webhook[]
const topicsOf = (webhooks: readonly Webhook[]) => webhooks.map(({ notificationType }) => notificationType).toSorted()
const all = ['shift.created', 'shift.deleted', 'shift.updated']
const register = (one = hook) => kit.run('restaurant', (call) => hooks.register!(call, one))
const registered = (registration: unknown, one = hook) =>
  kit.run('restaurant', (call) => hooks.registered!(call, one, registration))
const unregister = (registration: unknown) => kit.run('restaurant', (call) => hooks.unregister!(call, registration))
const message = (body: string): RawHook => ({ url: kit.receiver, headers: {}, body: Buffer.from(body) })

describe('registration', () => {
  it('twice leaves one webhook for each topic', async () => {
    expect(await registered(undefined)).toBe(false)
    const registration = await register()
    expect(await register()).toEqual(registration)
    expect(topicsOf(await present())).toEqual(all)
    expect(await registered(registration)).toBe(true)
  })
  it('leaves the webhooks of others alone', async () => {
    const other = { notificationType: 'shift.created', url: 'https://example.com/other', webhookName: 'Other' }
    expect((await native('POST', '', other)).status).toBe(200)
    await unregister(await register())
    expect(await present()).toMatchObject([other])
    await register()
    await native('DELETE', `/${(await present()).find(({ url }) => url === other.url)!.uuid}`)
    expect(topicsOf(await present())).toEqual(all)
  })
  it('restores what was removed', async () => {
    const registration = await register()
    await native('DELETE', `/${(await present())[1]!.uuid}`)
    expect(await registered(registration)).toBe(false)
    const again = await register()
    expect(topicsOf(await present())).toEqual(all)
    expect(await registered(again)).toBe(true)
  })
  it('does not fail if a webhook exists that the list did not have', async () => {
    await register()
    kit.sandbox.fault('lightspeed-k', { kind: 'foreign_before', method: 'GET', path: '/webhooks', times: 1, body: [] })
    const registration = (await register()) as { ids: string[] }
    expect(registration.ids.toSorted()).toEqual((await present()).map(({ uuid }) => uuid).toSorted())
    expect(topicsOf(await present())).toEqual(all)
  })
  it('is completed after a lost response', async () => {
    await unregister(await register())
    kit.sandbox.fault('lightspeed-k', { kind: 'error_after', method: 'POST', path: '/webhooks', times: 1 })
    await expect(register()).rejects.toThrow()
    expect(await present()).toHaveLength(1)
    await register()
    expect(topicsOf(await present())).toEqual(all)
  })
  it('adds nothing while no time entries are watched', async () => {
    await unregister(await register())
    const products: Hook = { ...hook, entities: ['product'] }
    expect(await register(products)).toEqual({ ids: [] })
    expect(await present()).toEqual([])
    expect(await registered({ ids: [] }, products)).toBe(true)
  })
  it('can be removed twice', async () => {
    const registration = await register()
    await unregister(registration)
    await unregister(registration)
    expect(await present()).toEqual([])
    await unregister(undefined)
    await unregister({ ids: 'x' })
  })
})

it('names an added, changed and removed shift', async () => {
  await register()
  const records = kit.records('restaurant', 'time_entry')
  const get = (id: string) => kit.run('restaurant', (call) => kit.connector.entities.time_entry!.get!(call, id))
  const hinted = async (change: () => unknown) => (await kit.sentBy(change)).flatMap((one) => hooks.read(one))
  let id = ''
  const added = await hinted(() => {
    id = records.add(1)[0]!
  })
  expect(added).toEqual([{ entityType: 'time_entry', id }])
  expect(await hinted(() => records.touch(id))).toEqual([{ entityType: 'time_entry', id }])
  expect(await get(id)).toBeDefined()
  expect(await hinted(() => records.remove!(id))).toEqual([{ entityType: 'time_entry', id, gone: true }])
  expect(await get(id)).toBeUndefined()
  const last = kit.received.at(-1)!
  expect(last.headers['x-lightspeed-idempotency-key']).toBeDefined()
  expect(JSON.parse(Buffer.from(last.body).toString())).toMatchObject({
    notificationType: 'shift.deleted',
    data: { uuid: id, businessLocationId: Number(location) },
  })
})
it('has nothing about users and items: the next message is about a shift', async () => {
  await register()
  for (const entityType of ['employee', 'product', 'category', 'order'] as const)
    kit.records('restaurant', entityType).add(1)
  const sent = await kit.sentBy(() => kit.records('restaurant', 'time_entry').add(1))
  expect(sent.flatMap((one) => hooks.read(one)).map(({ entityType }) => entityType)).toEqual(['time_entry'])
})

describe('a message', () => {
  it('about anything else gives no hints', () => {
    for (const body of [
      '{"type":"ORDER","status":"CLOSED","ikentooAccountIdentifier":"A1.2"}',
      '{"notificationType":"toString","data":{"uuid":"x"}}',
      '{"__proto__":{"notificationType":"shift.created"}}',
      'null',
      '[]',
      '7',
    ])
      expect(hooks.read(message(body))).toEqual([])
  })
  it('without a usable id says that something has changed', () => {
    for (const data of ['null', '{}', '[]', '{"uuid":""}', '{"uuid":{}}'])
      expect(hooks.read(message(`{"notificationType":"shift.deleted","data":${data}}`))).toEqual([
        { entityType: 'time_entry' },
      ])
  })
  it.each(['', 'a=b', '{"notificationType":'])('is refused if its body is %j', (body) => {
    expect(() => hooks.read(message(body))).toThrow()
  })
})

it('rejects a webhook as Lightspeed does', async () => {
  await register()
  const valid = { notificationType: 'shift.created', url: 'https://example.com/x', webhookName: 'X' }
  expect((await native('POST', '', { ...valid, notificationType: 'order.created' })).status).toBe(400)
  expect((await native('POST', '', { ...valid, url: 'x' })).status).toBe(400)
  expect((await native('POST', '', { ...valid, url: kit.receiver })).status).toBe(409)
  expect((await native('PATCH', '/no-such-webhook', valid)).status).toBe(404)
  const [first] = await present()
  expect(await (await native('PATCH', `/${first!.uuid}`, { ...first, webhookName: 'Renamed' })).json()).toMatchObject({
    uuid: first!.uuid,
    webhookName: 'Renamed',
  })
})
