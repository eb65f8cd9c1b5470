// kill -9 during many writes: afterwards every record exists exactly once on the platform. `npm run chaos` is the long
// version.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, inject, it } from 'vitest'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { freshDatabase } from '../postgres.ts'
import { openServiceApart, openServiceHere, type ServiceHere } from '../service-here.ts'
import { until, untilCleared } from '../until.ts'

const count = 60
const acknowledged = 12 // at the kill
let sandbox: Sandbox
let service: ServiceHere
afterEach(async () => {
  await service?.stop()
  await sandbox?.close()
})

it.each(['sqlite', 'postgres'])(
  `${count} parallel POSTs, kill -9, restart and retry write each record once (%s)`,
  async (kind) => {
    sandbox = await createSandbox({
      simulators: { square: simulators.square as (typeof simulators)[string] },
      size: 'small',
      paceScale: 0.005,
      strict: false,
    })
    const environment = {
      SANDBOX_URL: sandbox.url,
      PACE_SCALE: '0.005',
      SHED_WAIT_MS: '0', // on a busy machine that many writes at once wait for more than a second
      DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-kill-')),
      DATABASE_URL: kind === 'postgres' ? await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) : '',
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    }
    const customers = sandbox.simulator('square').tenants[0]?.records.customer
    const before = customers?.ids().length ?? 0
    service = await openServiceApart(environment)
    const { apiKey } = service.sandboxFile()
    const post = async (number: number) => {
      const response = await fetch(`${service.url}/unified/sandbox-square-restaurant/customer`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', prefer: 'wait=60' },
        body: JSON.stringify({ externalId: `K-${number}`, name: `Customer ${number}` }),
      })
      return { status: response.status, body: (await response.json()) as { reference?: { id: string }; code?: string } }
    }
    // The others are at the platform, or on their way, when the service is killed.
    const path = '/v2/customers'
    sandbox.fault('square', { kind: 'stall', method: 'POST', path, skip: acknowledged, delayMs: untilCleared })
    const numbers = Array.from({ length: count }, (_, number) => number)
    let created = 0
    const first = numbers.map((number) =>
      post(number).then(
        ({ status }) => {
          if (status === 201) created++
        },
        () => {}, // cut off
      ),
    )
    await Promise.all([
      until('a record without a response', () => (customers?.ids().length ?? 0) > before + acknowledged),
      until('the acknowledged ones', () => created === acknowledged),
    ])
    await service.stop()
    await Promise.all(first)
    sandbox.clearFaults()
    expect(created).toBe(acknowledged)
    service = await openServiceHere(environment)
    const pending = new Set(numbers)
    const ids = new Map<number, string>()
    for (let round = 0; pending.size > 0 && round < 30; round++) {
      for (const [number, reply] of await Promise.all(
        [...pending].map(async (number) => [number, await post(number)] as const),
      )) {
        if (reply.status > 201) continue
        pending.delete(number)
        ids.set(number, reply.body.reference?.id as string)
      }
    }
    expect([...pending]).toEqual([])
    expect(new Set(ids.values()).size).toBe(count)
    expect(customers?.ids().length).toBe(before + count)
  },
)
