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
})
