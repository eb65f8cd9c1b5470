// A watched account and a receiver of webhooks, for every test of a file.
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { createWatched, type Watched } from '../changes/watched.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export const base = '/webhook-endpoints'
const vertical = 'restaurant'

export interface World {
  readonly watched: Watched
  readonly receiver: Receiver
  readonly accountId: string
  /** The id of an endpoint, which is deleted after the test. */
  create(settings?: object, to?: Receiver): Promise<string>
  /** Creates a customer through the service and returns its id at the platform. */
  write(customer: { externalId: string; name: string }): Promise<string>
}

/** Call it in a `describe`. */
export function webhookWorld(kind: Store['kind']): World {
  let watched: Watched
  let receiver: Receiver
  const endpoints: string[] = []
  beforeAll(async () => {
    watched = await createWatched(kind, { platform: 'square' })
    await watched.watchOne(vertical, 'customer', {})
    await watched.walked(vertical, 'customer')
  })
  afterAll(() => watched.close())
  beforeEach(async () => {
    receiver = await startReceiver()
  })
  afterEach(async () => {
    for (const id of endpoints.splice(0)) await watched.manage('DELETE', `${base}/${id}`)
    await receiver.close()
  })
  return {
    get watched() {
      return watched
    },
    get receiver() {
      return receiver
    },
    get accountId() {
      return watched.accountId(vertical)
    },
    async create(settings = {}, to = receiver) {
      const { status, body } = await watched.manage('POST', base, { url: to.url, events: ['*'], ...settings })
      expect(status, JSON.stringify(body)).toBe(201)
      to.secrets.push(body.secret)
      endpoints.push(body.id)
      return body.id
    },
    async write(customer) {
      const path = `/unified/${watched.accountId(vertical)}/customer`
      const { status, body } = await watched.call('POST', path, customer)
      expect(status, JSON.stringify(body)).toBe(201)
      return body.reference.id
    },
  }
}
