import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import type { CreateSimulator } from '../../src/sandbox/simulator.ts'
import { freshDatabase } from '../postgres.ts'
import { openServiceHere, type ServiceHere } from '../service-here.ts'

const paceScale = 0.01
let sandbox: Sandbox
const instances: ServiceHere[] = []
beforeAll(async () => {
  sandbox = await createSandbox({
    simulators: { [platform]: simulators[platform] as CreateSimulator },
    size: 'small',
    paceScale,
  })
  const environment = {
    SANDBOX_URL: sandbox.url,
    PACE_SCALE: String(paceScale),
    DATABASE_URL: await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  }
  for (let index = 0; index < 3; index++) instances.push(await openServiceHere(environment))
})
afterAll(async () => {
  await Promise.all(instances.map((instance) => instance.stop()))
  await sandbox?.close()
})

interface Reply {
  status: number
  body: { data: unknown; reference: { id: string }; warnings?: unknown }
}

const [platform, vertical] = ['woocommerce', 'retail_pos'] as const
const record = { name: 'Ada Lovelace', firstName: 'Ada', lastName: 'Lovelace', email: 'ada@example.com' }
it('200 parallel POSTs of one key on 3 instances with one lost platform response write one record and return 200 equal responses', async () => {
  const ids = () =>
    sandbox
      .simulator(platform)
      .tenants.filter((tenant) => tenant.vertical === vertical)
      .flatMap(({ records }) => records.customer?.ids() ?? [])
  const before = ids()
  sandbox.fault(platform, { kind: 'reset_after', method: 'POST', times: 1 })
  const { apiKey } = (instances[0] as ServiceHere).sandboxFile()
  // On a busy machine an instance may shed a request, which the caller then sends again.
  const post = async (index: number): Promise<Reply> => {
    for (;;) {
      const response = await fetch(`${instances[index % 3]?.url}/unified/sandbox-${platform}-${vertical}/customer`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', prefer: 'wait=60' },
        body: JSON.stringify({ externalId: 'ONE-KEY', ...record }),
      })
      const body = (await response.json()) as Reply['body']
      if (response.status !== 503) return { status: response.status, body }
      await sleep(Number(response.headers.get('retry-after') ?? 1) * 1000)
    }
  }
  const replies = await Promise.all(Array.from({ length: 200 }, (_, index) => post(index)))

  expect(replies.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([
    ...Array(199).fill(200),
    201,
  ])
  const responses = new Set(
    replies.map(({ body }) => JSON.stringify({ data: body.data, id: body.reference.id, warnings: body.warnings })),
  )
  expect(responses.size).toBe(1)
  expect(ids().filter((id) => !before.includes(id))).toEqual([replies[0]?.body.reference.id])
  expect(sandbox.faults(platform)).toEqual([])
})
