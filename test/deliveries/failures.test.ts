// What outgoing webhooks do when a process ends in between, and when accounts go away.
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { storeKindsFor } from '../store-on.ts'
import { startReceiver } from './receiver.ts'
import { base, webhookWorld } from './world.ts'

describe.each(storeKindsFor('webhooks/failures'))('webhooks on %s', (kind) => {
  const world = webhookWorld(kind)
  const { create } = world
  const store = () => world.watched.service.store
  const write = (externalId: string) => world.write({ externalId, name: 'Ada' })

  it('tell that a write is settled, even if the process ends right after it', async () => {
    await create({ events: ['write.settled'] })
    const { journal } = store()
    const { done } = journal
    const externalId = `settled-${kind}`
    journal.done = async (...parameters) => {
      await done(...parameters)
      throw new Error('the process ends here')
    }
    try {
      const key = { accountId: world.accountId, entityType: 'customer', externalId } as const
      const begun = {
        ...key,
        writeId: randomUUID(),
        contentHash: 'hash',
        record: { externalId, name: 'Ada' },
        startedAt: new Date().toISOString(),
        holder: 'a process that has ended',
      }
      expect(await journal.begin(begun, 0)).toEqual({ begun: true })
      await world.watched.until('the event', async () => world.receiver.received.length > 0)
      expect((await journal.get(key))?.state).toBe('done')
    } finally {
      journal.done = done
    }
    expect(world.receiver.received.map(({ event }) => [event.type, event.data])).toEqual([
      ['write.settled', { accountId: world.accountId, entityType: 'customer', externalId }],
    ])
    await write(`direct-${kind}`) // a caller that gets its response needs no event
    expect(world.receiver.received).toHaveLength(1)
  })

  it('tell that an endpoint is disabled, even if the process ends right after it', async () => {
    const gone = await create({ events: ['customer.*'] })
    const other = await startReceiver()
    try {
      await create({ events: ['endpoint.*'] }, other)
      world.receiver.respond = (_, response) => void response.writeHead(410).end()
      const { webhooks } = store()
      const { settle } = webhooks
      webhooks.settle = async (endpoint, ...parameters) => {
        const result = await settle(endpoint, ...parameters)
        if (endpoint.id === gone) throw new Error('the process ends here')
        return result
      }
      try {
        await write(`disabled-${kind}`)
        await world.watched.until('the event', async () => other.received.length > 0)
      } finally {
        webhooks.settle = settle
      }
      expect(other.received.map(({ event }) => [event.type, event.data.endpointId])).toEqual([
        ['endpoint.disabled', gone],
      ])
      const { body: disabled } = await world.watched.manage('GET', `${base}/${gone}`)
      expect(disabled.state).toBe('disabled')
      expect(disabled.waiting).toBeGreaterThan(0) // a read after the write can show a second change
    } finally {
      await other.close()
    }
  })

  it('send each event that is not about a record, if they coalesce', async () => {
    const endpoint = await create({ events: ['account.*'], coalesce: true })
    expect((await world.watched.manage('POST', `${base}/${endpoint}/disable`)).status).toBe(200)
    const account = world.accountId
    for (const action of ['disable', 'enable', 'disable', 'enable'])
      expect((await world.watched.manage('POST', `/accounts/${account}/${action}`)).status).toBe(200)
    expect((await world.watched.manage('POST', `${base}/${endpoint}/enable`)).status).toBe(200)
    await world.watched.until(
      'the last event',
      async () => world.receiver.received.at(-1)?.event.type === 'account.recovered',
    )
    await world.watched.until('nothing waits', async () => {
      const { body } = await world.watched.manage('GET', `${base}/${endpoint}`)
      return body.waiting === 0
    })
    expect(world.receiver.received.map(({ event }) => event.type)).toEqual(
      ['disabled', 'recovered', 'disabled', 'recovered'].map((state) => `account.${state}`),
    )
  })

  it('do not wait for another endpoint at the same host that does not respond', async () => {
    const connections = 32
    const [dead, live] = [await create({ concurrency: connections }), await create()]
    const held: (() => void)[] = []
    let givenUp = 0 // attempts at the dead endpoint
    let before: number | undefined // of those, before the live one got its event
    world.receiver.respond = ({ event }, response) => {
      if (event.data.endpointId === dead) {
        response.once('close', () => void givenUp++)
        held.push(() => response.writeHead(204).end())
      } else {
        before ??= givenUp
        response.writeHead(204).end()
      }
    }
    const sendTest = async (endpoint: string) => {
      const { status, body } = await world.watched.manage('POST', `${base}/${endpoint}/test`)
      expect(status).toBe(202)
      return `${base}/${endpoint}/deliveries/${body.id}`
    }
    await Promise.all(Array.from({ length: connections }, () => sendTest(dead)))
    await world.watched.until('all connections are busy', async () => held.length === connections)
    const sent = await sendTest(live)
    const { body } = await world.watched.until('the delivery', async () => {
      const found = await world.watched.manage('GET', sent)
      return found.body.state === 'delivered' && found
    })
    expect(body.attempts).toMatchObject([{ status: 204 }])
    expect(before).toBe(0)
    for (const release of held) release()
  })

  it('end the attempts under way before the new settings of the endpoint apply', async () => {
    const [changed, other] = [await create({ events: ['customer.*'] }), await startReceiver()]
    try {
      await create({ events: ['customer.*'] }, other)
      let underWay = 0
      let most = 0
      let release: (() => void) | undefined
      world.receiver.respond = (_, response) => {
        most = Math.max(most, ++underWay)
        const end = () => {
          underWay--
          response.writeHead(204).end()
        }
        if (release) end()
        else release = end
      }
      const id = await write(`settings-${kind}`)
      await world.watched.until('the first attempt', async () => world.receiver.received.length === 1)
      const { status } = await world.watched.manage('PATCH', `${base}/${changed}`, { description: 'Changed' })
      expect(status).toBe(200)
      const path = `/unified/${world.accountId}/customer/${id}`
      expect((await world.watched.call('PUT', path, { externalId: id, name: 'Grace' })).status).toBe(200)
      await world.watched.until('the second event at the other endpoint', async () => other.received.length === 2)
      expect(world.receiver.received).toHaveLength(1)
      release?.()
      await world.watched.until('the second event', async () =>
        world.receiver.received.some(({ event }) => event.data.record.name === 'Grace'),
      )
      expect(most).toBe(1)
      // The outcome of the first attempt is lost with the endpoint.
      const names = world.receiver.received.map(({ id, event }) => [id, event.data.record.name])
      expect(names).toEqual([names[0], names[0], [expect.any(String), 'Grace']])
    } finally {
      await other.close()
    }
  })

  it('are counted in the metrics', async () => {
    const [live, dead] = [await create({ events: ['customer.*'] }), await create({ events: ['customer.*'] })]
    const other = await startReceiver()
    try {
      other.secrets.push(world.receiver.secrets[1] as string)
      other.respond = (_, response) => void response.writeHead(500).end()
      await world.watched.manage('PATCH', `${base}/${dead}`, { url: other.url })
      const metric = async (name: string) => {
        const text = await (await fetch(`${world.watched.url}/metrics`)).text()
        const line = text.split('\n').find((one) => one.startsWith(`${name} `))
        return line === undefined ? 0 : Number(line.split(' ').at(-1))
      }
      const attempts = (outcome: string) => metric(`unified_webhook_attempt_seconds_count{outcome="${outcome}"}`)
      const delivered = () => metric('unified_webhook_deliveries_total{outcome="delivered"}')
      const [attemptsBefore, retriesBefore, deliveredBefore] = [
        await attempts('delivered'),
        await attempts('retried'),
        await delivered(),
      ]
      await write(`counted-${kind}`)
      await world.watched.until('the delivery counts', async () => (await delivered()) > deliveredBefore)
      expect(await attempts('delivered')).toBe(attemptsBefore + 1)
      await world.watched.until('the retry counts', async () => (await attempts('retried')) > retriesBefore)
      await world.watched.until('one waits', async () => (await metric('unified_webhook_waiting')) === 1)
      expect(await metric('unified_webhook_oldest_waiting_seconds')).toBeGreaterThan(0)
      await world.watched.until(
        'one fails',
        async () => (await metric('unified_webhook_endpoints{state="failing"}')) === 1,
      )
      expect((await world.watched.manage('POST', `${base}/${live}/disable`)).status).toBe(200)
      await world.watched.until(
        'one is disabled',
        async () => (await metric('unified_webhook_endpoints{state="disabled"}')) === 1,
      )
      const text = await (await fetch(`${world.watched.url}/metrics`)).text()
      expect(text).not.toContain(new URL(world.receiver.url).host)
    } finally {
      await other.close()
    }
  })
})
