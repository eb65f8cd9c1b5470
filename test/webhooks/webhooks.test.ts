// Outgoing webhooks, from a change at the platform to a verified event at the receiver.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AnyRecord } from '../../src/conformance/subject.ts'
import type { Store } from '../../src/store/store.ts'
import { createWatched, type Watched } from '../changes/watched.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const vertical = 'restaurant'
const storeKinds: Store['kind'][] = ['sqlite', 'postgres']
const base = '/webhook-endpoints'

describe.each(storeKinds)('webhook endpoints on %s', (kind) => {
  let watched: Watched
  let receiver: Receiver
  beforeAll(async () => {
    watched = await createWatched(kind, { platform: 'square' })
    await watched.watchOne(vertical, 'customer', {})
    await watched.walked(vertical, 'customer')
  })
  afterAll(() => watched.close())
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  const endpoints: string[] = []
  afterEach(async () => {
    for (const id of endpoints.splice(0)) await watched.manage('DELETE', `${base}/${id}`)
    await receiver.close()
  })

  async function create(settings: object = {}): Promise<string> {
    const { status, body } = await watched.manage('POST', base, { url: receiver.url, events: ['*'], ...settings })
    expect(status, JSON.stringify(body)).toBe(201)
    receiver.secrets.push(body.secret)
    endpoints.push(body.id)
    return body.id
  }
  const customer = (number: number) => ({ externalId: `${kind}-${number}-${receiver.url}`, name: `Ada ${number}` })
  async function write(number: number): Promise<string> {
    const account = watched.accountId(vertical)
    const { status, body } = await watched.call('POST', `/unified/${account}/customer`, customer(number))
    expect(status, JSON.stringify(body)).toBe(201)
    return body.reference.id
  }
  async function rename(id: string, name: string): Promise<void> {
    const account = watched.accountId(vertical)
    const { status, body } = await watched.call('PUT', `/unified/${account}/customer/${id}`, { externalId: id, name })
    expect(status, JSON.stringify(body)).toBe(200)
  }
  /** Writes that follow each other closely can be one change. */
  const logged = (id: string, count: number) =>
    watched.until(
      `${count} changes`,
      async () => (await watched.log(vertical)).filter(({ nativeId }) => nativeId === id).length === count,
    )
  const about = (id: string) => receiver.received.filter(({ event }) => event.data.externalId === id)
  const arrived = (id: string, count: number) =>
    watched.until(`${count} events`, async () => about(id).length >= count && about(id))
  const deliveries = async (id: string, query = '') =>
    (await watched.manage('GET', `${base}/${id}/deliveries${query}`)).body.data as AnyRecord[]

  it('receive what changes, signed, with the record', async () => {
    const endpoint = await create()
    const id = await write(1)
    const [first] = await arrived(id, 1)
    expect(first?.event).toMatchObject({
      type: 'customer.created',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        accountId: watched.accountId(vertical),
        operation: 'created',
        entityType: 'customer',
        externalId: id,
        sourceExternalId: customer(1).externalId,
        origin: 'write',
        record: { externalId: id, name: 'Ada 1' },
      },
    })
    expect(first?.headers['content-type']).toBe('application/json')
    await rename(id, 'Ada Again')
    const [, second] = await arrived(id, 2)
    expect(second?.event).toMatchObject({
      type: 'customer.updated',
      data: { changed: expect.arrayContaining(['/name']), record: { name: 'Ada Again' } },
    })
    await watched.until('both are delivered', async () => (await deliveries(endpoint, '?state=delivered')).length >= 2)
    const [newest] = await deliveries(endpoint)
    expect(newest).toMatchObject({ id: second?.id, type: 'customer.updated', attempts: [{ status: 204 }] })
    expect(receiver.forged).toBe(0)
  })

  it('receive a test event, nothing from before they exist, and only what they ask for', async () => {
    const before = await write(2)
    await watched.until('it is in the log', async () =>
      (await watched.log(vertical)).some(({ nativeId }) => nativeId === before),
    )
    const endpoint = await create({ events: ['customer.updated'], data: 'thin' })
    const { status, body } = await watched.manage('POST', `${base}/${endpoint}/test`)
    expect(status).toBe(202)
    await watched.until('the test event', async () => receiver.received.some(({ id }) => id === body.id))
    await rename(before, 'Renamed')
    const [only] = await arrived(before, 1)
    expect(only?.event.type).toBe('customer.updated')
    expect(only?.event.data).not.toHaveProperty('record')
    expect(receiver.received.map(({ event }) => event.type)).toEqual(['endpoint.test', 'customer.updated'])
  })

  it('try again with the same id and body, and keep the order of a record', async () => {
    const endpoint = await create()
    const refused = new Map<string, number>()
    receiver.respond = ({ id }, response) => {
      const times = refused.get(id) ?? 0
      refused.set(id, times + 1)
      if (times === 0) response.writeHead(500).end('not now')
      else if (times === 1) response.writeHead(302, { location: receiver.url }).end()
      else response.writeHead(200).end()
    }
    const id = await write(3)
    await logged(id, 1)
    await rename(id, 'Second')
    await logged(id, 2)
    await rename(id, 'Third')
    const all = await arrived(id, 9)
    const ids = [...new Set(all.map((one) => one.id))]
    expect(all.map((one) => one.id)).toEqual(ids.flatMap((one) => [one, one, one]))
    for (const one of ids) expect(new Set(all.filter((other) => other.id === one).map(({ body }) => body)).size).toBe(1)
    const names = ids.map((one) => all.find((other) => other.id === one)?.event.data.record.name)
    expect(names).toEqual(['Ada 3', 'Second', 'Third'])
    await watched.until('all are delivered', async () => (await deliveries(endpoint, '?state=waiting')).length === 0)
    const first = (await deliveries(endpoint)).find((one) => one.id === ids[0])
    expect(first?.attempts).toMatchObject([{ status: 500, response: 'not now' }, { status: 302 }, { status: 200 }])
  })

  it('resend one delivery with its id and body, and replay with new ids', async () => {
    const endpoint = await create()
    const id = await write(4)
    const [first] = await arrived(id, 1)
    await watched.until('it is delivered', async () => (await deliveries(endpoint, '?state=delivered')).length === 1)
    expect((await watched.manage('POST', `${base}/${endpoint}/deliveries/${first?.id}/resend`)).status).toBe(202)
    const [, again] = await arrived(id, 2)
    expect([again?.id, again?.body]).toEqual([first?.id, first?.body])
    const from = first?.event.data.sequence
    const replayed = await watched.manage('POST', `${base}/${endpoint}/replay`, {
      accountId: watched.accountId(vertical),
      from,
    })
    expect([replayed.status, replayed.body]).toEqual([200, { logs: 1 }])
    const [, , third] = await arrived(id, 3)
    expect(third?.id).not.toBe(first?.id)
    expect(third?.event.data).toEqual(first?.event.data)
  })

  it('sign with both secrets after a rotation', async () => {
    const endpoint = await create()
    const [old] = receiver.secrets
    const { status, body } = await watched.manage('POST', `${base}/${endpoint}/rotate`)
    expect(status).toBe(200)
    const id = await write(5)
    receiver.secrets = [old as string]
    const [first] = await arrived(id, 1)
    expect(first?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    receiver.secrets = [body.secret]
    await rename(id, 'With the new secret')
    await arrived(id, 2)
    expect(receiver.forged).toBe(0)
    expect(JSON.stringify((await watched.manage('GET', `${base}/${endpoint}`)).body)).not.toContain('whsec_')
  })

  it('are disabled by 410, and receive what they missed when they are enabled', async () => {
    const endpoint = await create()
    receiver.respond = (_, response) => void response.writeHead(410).end()
    const id = await write(6)
    const { body } = await watched.until('it is disabled', async () => {
      const found = await watched.manage('GET', `${base}/${endpoint}`)
      return found.body.state === 'disabled' && found
    })
    expect(body.stateReason).toContain('410')
    await rename(id, 'Meanwhile')
    receiver.respond = (_, response) => void response.writeHead(200).end()
    expect((await watched.manage('POST', `${base}/${endpoint}/enable`)).status).toBe(200)
    const events = await arrived(id, 3)
    expect(events.map(({ event }) => event.data.record.name)).toEqual(['Ada 6', 'Ada 6', 'Meanwhile'])
  })

  it('skip what a newer event of the record has replaced, if they coalesce', async () => {
    const endpoint = await create({ coalesce: true })
    expect((await watched.manage('POST', `${base}/${endpoint}/disable`)).status).toBe(200)
    const id = await write(7)
    await logged(id, 1)
    for (const [n, name] of ['Second', 'Third'].entries()) {
      await rename(id, name)
      await logged(id, n + 2)
    }
    expect((await watched.manage('POST', `${base}/${endpoint}/enable`)).status).toBe(200)
    await arrived(id, 1)
    await watched.until('nothing waits', async () => (await deliveries(endpoint, '?state=waiting')).length === 0)
    expect(about(id).map(({ event }) => [event.type, event.data.operation, event.data.record.name])).toEqual([
      ['customer.created', 'created', 'Third'],
    ])
  })

  it('receive what happens to accounts, in order', async () => {
    await create({ events: ['account.*'] })
    const account = watched.accountId(vertical)
    for (const action of ['disable', 'enable', 'disable', 'enable'])
      expect((await watched.manage('POST', `/accounts/${account}/${action}`)).status).toBe(200)
    await watched.until('four events', async () => receiver.received.length >= 4)
    expect(receiver.received.map(({ event }) => [event.type, event.data.accountId])).toEqual(
      ['disabled', 'recovered', 'disabled', 'recovered'].map((state) => [`account.${state}`, account]),
    )
  })

  it('say since when they fail and how many deliveries have failed, until one succeeds', async () => {
    const endpoint = await create()
    const shown = async () => (await watched.manage('GET', `${base}/${endpoint}`)).body
    expect(await shown()).toMatchObject({ failing: false, failed: 0 })
    receiver.respond = (_, response) => void response.writeHead(500).end()
    const { body: test } = await watched.manage('POST', `${base}/${endpoint}/test`)
    const path = `${base}/${endpoint}/deliveries/${test.id}`
    await watched.until('it has failed', async () => {
      await watched.manage('POST', `${path}/resend`)
      return (await watched.manage('GET', path)).body.attempts.length >= 10
    })
    await watched.until('it has ended', async () => (await deliveries(endpoint, '?state=failed')).length === 1)
    expect(await shown()).toMatchObject({ failing: true, failingSince: expect.stringMatching(/Z$/), failed: 1 })
    receiver.respond = (_, response) => void response.writeHead(204).end()
    await watched.manage('POST', `${path}/resend`)
    await watched.until('it is delivered', async () => (await deliveries(endpoint, '?state=delivered')).length === 1)
    const after = await shown()
    expect(after).toMatchObject({ failing: false, failed: 0, lastSuccessAt: expect.stringMatching(/Z$/) })
    expect(after).not.toHaveProperty('failingSince')
  })

  it('lose a setting that is changed to an empty value', async () => {
    const accounts = [watched.accountId(vertical)]
    const endpoint = await create({ accounts, perSecond: 100, description: 'The shop', coalesce: true })
    const change = async (settings: object) => {
      const { status, body } = await watched.manage('PATCH', `${base}/${endpoint}`, settings)
      expect(status, JSON.stringify(body)).toBe(200)
      return body
    }
    expect(await change({ events: ['customer.*'] })).toMatchObject({
      accounts,
      perSecond: 100,
      description: 'The shop',
      events: ['customer.*'],
    })
    const without = await change({ accounts: [], perSecond: 0, description: '', coalesce: false })
    for (const name of ['accounts', 'perSecond', 'description']) expect(without).not.toHaveProperty(name)
    expect(without).toMatchObject({ coalesce: false, events: ['customer.*'] })
    await arrived(await write(8), 1) // of an account that is not listed any more
  })

  it('are refused with the field that is wrong', async () => {
    const wrong: [object, string][] = [
      [{ url: 'ftp://example.com' }, '/url'],
      [{ url: 'https://user:secret@example.com/' }, '/url'],
      [{ url: 'http://example.com/' }, '/url'],
      [{ events: ['product.exploded'] }, '/events/0'],
      [{ accounts: ['missing'] }, '/accounts/0'],
      [{ concurrency: 0 }, '/concurrency'],
    ]
    for (const [settings, pointer] of wrong) {
      const { status, body } = await watched.manage('POST', base, { url: receiver.url, events: ['*'], ...settings })
      expect([status, body.errors?.[0]?.pointer], JSON.stringify(body)).toEqual([422, pointer])
      expect(JSON.stringify(body)).not.toContain('secret@')
    }
    expect((await watched.manage('GET', `${base}/none`)).body.code).toBe('resource_not_found')
  })
})
