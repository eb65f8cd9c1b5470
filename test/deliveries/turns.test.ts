// More endpoints than an instance works on at once.
import { afterEach, describe, expect, it } from 'vitest'
import { createDeliveryWork } from '../../src/deliveries/delivery-work.ts'
import { createSecret } from '../../src/deliveries/signature.ts'
import { createEgress } from '../../src/engine/outbound/egress.ts'
import { createTransport } from '../../src/engine/outbound/transport.ts'
import { createLoop } from '../../src/jobs/job.ts'
import { createTestDatabase, storeKinds } from '../store-on.ts'
import { startReceiver } from './receiver.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

describe.each(storeKinds)('endpoints on %s', (kind) => {
  it('take turns, also if all of them always have something to send', async () => {
    const database = await createTestDatabase(kind)
    closing.push(() => database.remove())
    const store = await database.open()
    await store.migrate()
    await store.workspaces.create({ id: 'w', name: 'Workspace' })
    const receiver = await startReceiver()
    closing.push(() => receiver.close())
    const names = ['first', 'second', 'third']
    for (const id of names) {
      const secret = createSecret()
      receiver.secrets.push(secret)
      const settings = { events: ['*'], data: 'full', format: 'standard', coalesce: false, concurrency: 1 } as const
      const url = `${receiver.url}/${id}`
      await store.webhooks.create({ ...settings, events: ['*'], workspaceId: 'w', id, url, secrets: [{ secret }] })
    }
    // Every event that arrives causes the next one.
    const append = () =>
      store.webhooks.events.append({ workspaceId: 'w', type: 'account.connected', subject: 's', data: {} })
    const served = new Set<string>()
    const all = Promise.withResolvers<void>()
    receiver.respond = (_, response) => {
      served.add(response.req.url?.split('/').at(-1) ?? '')
      if (served.size === names.length) all.resolve()
      void append().then(() => response.writeHead(204).end())
    }
    const transport = createTransport({ egress: createEgress({ allowedHosts: [] }) })
    closing.push(() => transport.close())
    const scale = 0.01
    const work = createDeliveryWork({
      store,
      engine: {} as never, // only events of records need it
      transport,
      scale,
      sandbox: true,
    })
    const deliveries = createLoop(
      { name: 'webhook endpoints', does: '', everyMs: 500, atOnce: 1, ...work },
      { instance: 'this test', scale, onError: (error) => all.reject(error), onLost: () => {} },
    )
    deliveries.start()
    closing.push(() => deliveries.close())
    await append()
    await all.promise
    expect([...served].toSorted()).toEqual(names)
  })
})
