import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, inject, it } from 'vitest'
import { freshDatabase } from '../postgres.ts'
import { createClient, type Reply } from './caller.ts'
import { type Instances, startInstances } from './instances.ts'
import { createRandom } from './random.ts'
import { type SandboxProcess, startSandbox } from './sandbox-process.ts'

let sandbox: SandboxProcess
let instances: Instances
afterEach(async () => {
  await instances?.stop()
  await sandbox?.stop()
})

it.each([
  ['square', 'restaurant', { name: 'Ada Lovelace' }],
  [
    'woocommerce',
    'retail_pos',
    { name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' },
  ],
] as const)(
  '200 parallel POSTs of one key on 3 instances with one lost platform response write one record and return 200 equal responses (%s)',
  async (platform, vertical, record) => {
    const paceScale = 0.01
    sandbox = await startSandbox({ seed: 1, platforms: [platform], paceScale })
    instances = await startInstances({
      count: 3,
      sandboxUrl: sandbox.url,
      paceScale,
      databaseUrl: await freshDatabase(inject('postgresUrl')),
    })
    const before = await sandbox.ids(platform, vertical, 'customer')
    await sandbox.inject([platform], [{ kind: 'reset_after', method: 'POST', times: 1 }])
    const client = createClient(instances)
    const random = createRandom(1)
    const body = { externalId: 'ONE-KEY', ...record }
    // On a busy machine an instance may shed a request, which the caller then sends again.
    const post = async (): Promise<Reply> => {
      for (;;) {
        const reply = await client.call('POST', `sandbox-${platform}-${vertical}/customer`, body, random)
        if (reply.status !== 503) return reply
        await sleep(Math.max(100, reply.retryAfterMs))
      }
    }
    const replies = await Promise.all(Array.from({ length: 200 }, post))

    expect(replies.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
      ...Array(199).fill(200),
      201,
    ])
    const responses = new Set(
      replies.map((reply) =>
        JSON.stringify({ data: reply.body.data, id: reply.body.reference.id, warnings: reply.body.warnings }),
      ),
    )
    expect(responses.size).toBe(1)
    const added = (await sandbox.ids(platform, vertical, 'customer')).filter((id) => !before.includes(id))
    expect(added).toEqual([replies[0]?.body.reference.id])
  },
  120_000,
)
