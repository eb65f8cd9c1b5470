// What outgoing webhooks do when a process ends in between, and when accounts go away.
import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createWatched, type Watched } from '../changes/watched.ts'
import { storeKinds } from '../store-on.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const vertical = 'restaurant'
const base = '/webhook-endpoints'

describe.each(storeKinds)('webhooks on %s', (kind) => {
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
  const store = () => watched.service.store
  async function write(externalId: string): Promise<string> {
    const path = `/unified/${watched.accountId(vertical)}/customer`
    const { status, body } = await watched.call('POST', path, { externalId, name: 'Ada' })
    expect(status, JSON.stringify(body)).toBe(201)
    return body.reference.id
  }

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
      const key = { accountId: watched.accountId(vertical), entityType: 'customer', externalId } as const
      const begun = {
        ...key,
        writeId: randomUUID(),
        contentHash: 'hash',
        record: { externalId, name: 'Ada' },
        startedAt: new Date().toISOString(),
        holder: 'a process that has ended',
      }
      expect(await journal.begin(begun, 0)).toEqual({ begun: true })
      await watched.until('the event', async () => receiver.received.length > 0)
      expect((await journal.get(key))?.state).toBe('done')
    } finally {
      journal.done = done
    }
    expect(receiver.received.map(({ event }) => [event.type, event.data])).toEqual([
      ['write.settled', { accountId: watched.accountId(vertical), entityType: 'customer', externalId }],
    ])
    await write(`direct-${kind}`) // a caller that gets its response needs no event
    expect(receiver.received).toHaveLength(1)
  })

  it('tell that an endpoint is disabled, even if the process ends right after it', async () => {
    const gone = await create({ events: ['customer.*'] })
    const other = await startReceiver()
    try {
      const { body } = await watched.manage('POST', base, { url: other.url, events: ['endpoint.*'] })
      other.secrets.push(body.secret)
      endpoints.push(body.id)
      receiver.respond = (_, response) => void response.writeHead(410).end()
      const { webhooks } = store()
      const { settle } = webhooks
      webhooks.settle = async (endpoint, ...parameters) => {
        const result = await settle(endpoint, ...parameters)
        if (endpoint.id === gone) throw new Error('the process ends here')
        return result
      }
      try {
        await write(`disabled-${kind}`)
        await watched.until('the event', async () => other.received.length > 0)
      } finally {
        webhooks.settle = settle
      }
      expect(other.received.map(({ event }) => [event.type, event.data.endpointId])).toEqual([
        ['endpoint.disabled', gone],
      ])
      const { body: disabled } = await watched.manage('GET', `${base}/${gone}`)
      expect(disabled.state).toBe('disabled')
      expect(disabled.waiting).toBeGreaterThan(0) // a read after the write can show a second change
    } finally {
      await other.close()
    }
  })

  it('send each event that is not about a record, if they coalesce', async () => {
    const endpoint = await create({ events: ['account.*'], coalesce: true })
    expect((await watched.manage('POST', `${base}/${endpoint}/disable`)).status).toBe(200)
    const account = watched.accountId(vertical)
    for (const action of ['disable', 'enable', 'disable', 'enable'])
      expect((await watched.manage('POST', `/accounts/${account}/${action}`)).status).toBe(200)
    expect((await watched.manage('POST', `${base}/${endpoint}/enable`)).status).toBe(200)
    await watched.until('the last event', async () => receiver.received.at(-1)?.event.type === 'account.recovered')
    await watched.until('nothing waits', async () => {
      const { body } = await watched.manage('GET', `${base}/${endpoint}`)
      return body.waiting === 0
    })
    expect(receiver.received.map(({ event }) => event.type)).toEqual(
      ['disabled', 'recovered', 'disabled', 'recovered'].map((state) => `account.${state}`),
    )
  })

  it('do not wait for another endpoint at the same host that does not respond', async () => {
    const connections = 32
    const [dead, live] = [await create({ concurrency: connections }), await create()]
    const held: (() => void)[] = []
    let givenUp = 0 // attempts at the dead endpoint
    let before: number | undefined // of those, before the live one got its event
    receiver.respond = ({ event }, response) => {
      if (event.data.endpointId === dead) {
        response.once('close', () => void givenUp++)
        held.push(() => response.writeHead(204).end())
      } else {
        before ??= givenUp
        response.writeHead(204).end()
      }
    }
    const sendTest = async (endpoint: string) => {
      const { status, body } = await watched.manage('POST', `${base}/${endpoint}/test`)
      expect(status).toBe(202)
      return `${base}/${endpoint}/deliveries/${body.id}`
    }
    for (let n = 0; n < connections; n++) await sendTest(dead)
    await watched.until('all connections are busy', async () => held.length === connections)
    const sent = await sendTest(live)
    const { body } = await watched.until('the delivery', async () => {
      const found = await watched.manage('GET', sent)
      return found.body.state === 'delivered' && found
    })
    expect(body.attempts).toMatchObject([{ status: 204 }])
    expect(before).toBe(0)
    for (const release of held) release()
  })

  it('are counted in the metrics', async () => {
    const [live, dead] = [await create({ events: ['customer.*'] }), await create({ events: ['customer.*'] })]
    const other = await startReceiver()
    try {
      other.secrets.push(receiver.secrets[1] as string)
      other.respond = (_, response) => void response.writeHead(500).end()
      await watched.manage('PATCH', `${base}/${dead}`, { url: other.url })
      const metric = async (name: string) => {
        const text = await (await fetch(`${watched.url}/metrics`)).text()
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
      await watched.until('the delivery counts', async () => (await delivered()) > deliveredBefore)
      expect(await attempts('delivered')).toBe(attemptsBefore + 1)
      await watched.until('the retry counts', async () => (await attempts('retried')) > retriesBefore)
      await watched.until('one waits', async () => (await metric('unified_webhook_waiting')) === 1)
      expect(await metric('unified_webhook_oldest_waiting_seconds')).toBeGreaterThan(0)
      expect(await metric('unified_webhook_endpoints{state="failing"}')).toBe(1)
      expect((await watched.manage('POST', `${base}/${live}/disable`)).status).toBe(200)
      await watched.until(
        'one is disabled',
        async () => (await metric('unified_webhook_endpoints{state="disabled"}')) === 1,
      )
      const text = await (await fetch(`${watched.url}/metrics`)).text()
      expect(text).not.toContain(new URL(receiver.url).host)
    } finally {
      await other.close()
    }
  })
})
