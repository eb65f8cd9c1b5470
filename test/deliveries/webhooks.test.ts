// Outgoing webhooks, from a change at the platform to a verified event at the receiver.
import { describe, expect, it } from 'vitest'
import type { AnyRecord } from '../../src/conformance/subject.ts'
import { storeKindsFor } from '../store-on.ts'
import { base, webhookWorld } from './world.ts'

const vertical = 'restaurant'

describe.each(storeKindsFor('webhooks/webhooks'))('webhook endpoints on %s', (kind) => {
  const world = webhookWorld(kind)
  const { create } = world
  const customer = (number: number) => ({
    externalId: `${kind}-${number}-${world.receiver.url}`,
    name: `Ada ${number}`,
  })
  const write = (number: number) => world.write(customer(number))
  async function rename(id: string, name: string): Promise<void> {
    const account = world.accountId
    const { status, body } = await world.watched.call('PUT', `/unified/${account}/customer/${id}`, {
      externalId: id,
      name,
    })
    expect(status, JSON.stringify(body)).toBe(200)
  }
  /** Writes that follow each other closely can be one change. */
  const logged = (id: string, count: number) =>
    world.watched.until(
      `${count} changes`,
      async () => (await world.watched.log(vertical)).filter(({ nativeId }) => nativeId === id).length === count,
    )
  const about = (id: string) => world.receiver.received.filter(({ event }) => event.data.externalId === id)
  const arrived = (id: string, count: number) =>
    world.watched.until(`${count} events`, async () => about(id).length >= count && about(id))
  const deliveries = async (id: string, query = '') =>
    (await world.watched.manage('GET', `${base}/${id}/deliveries${query}`)).body.data as AnyRecord[]

  it('receive what changes, signed, with the record', async () => {
    const endpoint = await create()
    const id = await write(1)
    const [first] = await arrived(id, 1)
    expect(first?.event).toMatchObject({
      type: 'customer.created',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        accountId: world.accountId,
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
    await world.watched.until(
      'both are delivered',
      async () => (await deliveries(endpoint, '?state=delivered')).length >= 2,
    )
    const [newest] = await deliveries(endpoint)
    expect(newest).toMatchObject({
      id: second?.id,
      type: 'customer.updated',
      accountId: world.accountId,
      entityType: 'customer',
      externalId: id,
      sourceExternalId: customer(1).externalId,
      sequence: second?.event.data.sequence,
      attempts: [{ status: 204 }],
    })
    const account = `accountId=${world.accountId}`
    const filtered: [query: string, ids: (string | undefined)[]][] = [
      ['type=customer.created', [first?.id]],
      ['type=customer.*&state=delivered', [second?.id, first?.id]],
      ['type=order.*', []],
      [`${account}&externalId=${id}`, [second?.id, first?.id]],
      [`${account}&externalId=${id.slice(1)}`, []],
      [`${account}&sequence=${first?.event.data.sequence}`, [first?.id]],
    ]
    for (const [query, ids] of filtered)
      expect([query, (await deliveries(endpoint, `?${query}`)).map((one) => one.id)]).toEqual([query, ids])
    for (const [query, detail] of [
      ['externalId=1', 'externalId needs accountId'],
      ['sequence=1', 'sequence needs accountId'],
      ['type=customers.*', 'did you mean "customer.*"?'],
    ]) {
      const { status, body } = await world.watched.manage('GET', `${base}/${endpoint}/deliveries?${query}`)
      expect([status, body.detail]).toEqual([400, expect.stringContaining(detail as string)])
    }
    expect(world.receiver.forged).toBe(0)
  })

  it('receive a test event, nothing from before they exist, and only what they ask for', async () => {
    const before = await write(2)
    await world.watched.until('it is in the log', async () =>
      (await world.watched.log(vertical)).some(({ nativeId }) => nativeId === before),
    )
    const endpoint = await create({ events: ['customer.updated'], data: 'thin' })
    const { status, body } = await world.watched.manage('POST', `${base}/${endpoint}/test`)
    expect(status).toBe(202)
    await world.watched.until('the test event', async () => world.receiver.received.some(({ id }) => id === body.id))
    await rename(before, 'Renamed')
    const [only] = await arrived(before, 1)
    expect(only?.event.type).toBe('customer.updated')
    expect(only?.event.data).not.toHaveProperty('record')
    expect(world.receiver.received.map(({ event }) => event.type)).toEqual(['endpoint.test', 'customer.updated'])
  })

  it('try again with the same id and body, and keep the order of a record', async () => {
    const endpoint = await create()
    const refused = new Map<string, number>()
    world.receiver.respond = ({ id }, response) => {
      const times = refused.get(id) ?? 0
      refused.set(id, times + 1)
      if (times === 0) response.writeHead(500).end('not now')
      else if (times === 1) response.writeHead(302, { location: world.receiver.url }).end()
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
    await world.watched.until(
      'all are delivered',
      async () => (await deliveries(endpoint, '?state=waiting')).length === 0,
    )
    const first = (await deliveries(endpoint)).find((one) => one.id === ids[0])
    expect(first?.attempts).toMatchObject([{ status: 500, response: 'not now' }, { status: 302 }, { status: 200 }])
  })

  it('resend one delivery with its id and body, and replay with new ids', async () => {
    const endpoint = await create()
    const id = await write(4)
    const [first] = await arrived(id, 1)
    await world.watched.until(
      'it is delivered',
      async () => (await deliveries(endpoint, '?state=delivered')).length === 1,
    )
    expect((await world.watched.manage('POST', `${base}/${endpoint}/deliveries/${first?.id}/resend`)).status).toBe(202)
    const [, again] = await arrived(id, 2)
    expect([again?.id, again?.body]).toEqual([first?.id, first?.body])
    const from = first?.event.data.sequence
    const replayed = await world.watched.manage('POST', `${base}/${endpoint}/replay`, {
      accountId: world.accountId,
      from,
    })
    expect([replayed.status, replayed.body]).toEqual([200, { logs: 1 }])
    for (const [nothing, pointer] of [
      [{ accountId: world.accountId, from: 1e6 }, '/from'],
      [{ since: '2999-01-01T00:00:00Z' }, '/since'],
    ] as const) {
      const refused = await world.watched.manage('POST', `${base}/${endpoint}/replay`, nothing)
      expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([422, pointer])
    }
    const [, , third] = await arrived(id, 3)
    expect(third?.id).not.toBe(first?.id)
    expect(third?.event.data).toEqual(first?.event.data)
  })

  it('sign with both secrets after a rotation', async () => {
    const endpoint = await create()
    const [old] = world.receiver.secrets
    const { status, body } = await world.watched.manage('POST', `${base}/${endpoint}/rotate`)
    expect(status).toBe(200)
    expect(Date.parse(body.previousSecretUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    const shown = (await world.watched.manage('GET', `${base}/${endpoint}`)).body
    expect(shown.previousSecretUntil).toBe(body.previousSecretUntil)
    const id = await write(5)
    world.receiver.secrets = [old as string]
    const [first] = await arrived(id, 1)
    expect(first?.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/)
    world.receiver.secrets = [body.secret]
    await rename(id, 'With the new secret')
    await arrived(id, 2)
    expect(world.receiver.forged).toBe(0)
    expect(JSON.stringify((await world.watched.manage('GET', `${base}/${endpoint}`)).body)).not.toContain('whsec_')
  })

  it('are disabled by 410, and receive what they missed when they are enabled', async () => {
    const endpoint = await create()
    world.receiver.respond = (_, response) => void response.writeHead(410).end()
    const id = await write(6)
    const { body } = await world.watched.until('it is disabled', async () => {
      const found = await world.watched.manage('GET', `${base}/${endpoint}`)
      return found.body.state === 'disabled' && found
    })
    expect(body.stateReason).toContain('410')
    await rename(id, 'Meanwhile')
    world.receiver.respond = (_, response) => void response.writeHead(200).end()
    expect((await world.watched.manage('POST', `${base}/${endpoint}/enable`)).status).toBe(200)
    const events = await arrived(id, 3)
    expect(events.map(({ event }) => event.data.record.name)).toEqual(['Ada 6', 'Ada 6', 'Meanwhile'])
  })

  it('skip what a newer event of the record has replaced, if they coalesce', async () => {
    const endpoint = await create({ coalesce: true })
    expect((await world.watched.manage('POST', `${base}/${endpoint}/disable`)).status).toBe(200)
    const id = await write(7)
    await logged(id, 1)
    for (const [n, name] of ['Second', 'Third'].entries()) {
      await rename(id, name)
      await logged(id, n + 2)
    }
    expect((await world.watched.manage('POST', `${base}/${endpoint}/enable`)).status).toBe(200)
    await arrived(id, 1)
    await world.watched.until('nothing waits', async () => (await deliveries(endpoint, '?state=waiting')).length === 0)
    expect(about(id).map(({ event }) => [event.type, event.data.operation, event.data.record.name])).toEqual([
      ['customer.created', 'created', 'Third'],
    ])
  })

  it('receive what happens to accounts, in order', async () => {
    const endpoint = await create({ events: ['account.*'] })
    const account = world.accountId
    for (const action of ['disable', 'enable', 'disable', 'enable'])
      expect((await world.watched.manage('POST', `/accounts/${account}/${action}`)).status).toBe(200)
    await world.watched.until('four events', async () => world.receiver.received.length >= 4)
    expect(world.receiver.received.map(({ event }) => [event.type, event.data.accountId])).toEqual(
      ['disabled', 'recovered', 'disabled', 'recovered'].map((state) => [`account.${state}`, account]),
    )
    const [newest] = await deliveries(endpoint)
    expect(newest).toMatchObject({ type: 'account.recovered', accountId: account })
    expect(newest).not.toHaveProperty('sequence') // that of the workspace's log is in no feed
  })

  it('say since when they fail and how many deliveries have failed, until one succeeds', async () => {
    const endpoint = await create()
    const shown = async () => (await world.watched.manage('GET', `${base}/${endpoint}`)).body
    expect(await shown()).toMatchObject({ failing: false, failed: 0 })
    world.receiver.respond = (_, response) => void response.writeHead(500).end()
    const { body: test } = await world.watched.manage('POST', `${base}/${endpoint}/test`)
    const path = `${base}/${endpoint}/deliveries/${test.id}`
    await world.watched.until('it has ended', async () => (await deliveries(endpoint, '?state=failed')).length === 1)
    expect((await world.watched.manage('GET', path)).body.attempts).toMatchObject([{ status: 500 }]) // a test is sent once
    expect(await shown()).toMatchObject({ failing: true, failingSince: expect.stringMatching(/Z$/), failed: 1 })
    world.receiver.respond = (_, response) => void response.writeHead(204).end()
    await world.watched.manage('POST', `${path}/resend`)
    await world.watched.until(
      'it is delivered',
      async () => (await deliveries(endpoint, '?state=delivered')).length === 1,
    )
    const after = await shown()
    expect(after).toMatchObject({ failing: false, failed: 0, lastSuccessAt: expect.stringMatching(/Z$/) })
    expect(after).not.toHaveProperty('failingSince')
  })

  it('lose a setting that is changed to an empty value', async () => {
    const accounts = [world.accountId]
    const endpoint = await create({ accounts, perSecond: 100, description: 'The shop', coalesce: true })
    const change = async (settings: object) => {
      const { status, body } = await world.watched.manage('PATCH', `${base}/${endpoint}`, settings)
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
    const wrong: [object, string, string?][] = [
      ...['10.0.0.1', '169.254.169.254', '[fd00::1]', '0xa.1', 'example.com:8443'].map(
        (host): [object, string, string] => [{ url: `https://${host}/hook` }, '/url', 'ALLOWED_HOSTS'],
      ),
      [{ events: ['products.*'] }, '/events/0', 'did you mean "product.*"?'],
      [{ events: ['*', 'changes.lost'] }, '/events/1', 'every endpoint with events of records'],
      [{ events: ['endpoint.test'] }, '/events/0', 'when you ask for a test'],
      [{ url: 'ftp://example.com' }, '/url'],
      [{ url: 'https://user:secret@example.com/' }, '/url'],
      [{ url: 'http://example.com/' }, '/url'],
      [{ events: ['product.exploded'] }, '/events/0'],
      [{ accounts: ['missing'] }, '/accounts/0'],
      [{ concurrency: 0 }, '/concurrency'],
    ]
    for (const [settings, pointer, message = ''] of wrong) {
      const { status, body } = await world.watched.manage('POST', base, {
        url: world.receiver.url,
        events: ['*'],
        ...settings,
      })
      expect([status, body.errors?.[0]?.pointer], JSON.stringify(body)).toEqual([422, pointer])
      expect(body.errors[0].message).toContain(message)
      expect(JSON.stringify(body)).not.toContain('secret@')
    }
    await create({ url: 'https://example.com/hook', events: ['product.*'] })
    expect((await world.watched.manage('GET', `${base}/none`)).body.code).toBe('resource_not_found')
  })
})
