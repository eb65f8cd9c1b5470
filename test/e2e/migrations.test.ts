// A migration that is planned and run through the management API, is interrupted, and continues in another process.
// The result is counted in the simulators' own stores.
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, inject, it } from 'vitest'
import type { EntityType } from '../../src/contract/entity.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { freshDatabase } from '../postgres.ts'
import { openServiceApart, openServiceHere, type ServiceHere } from '../service-here.ts'
import { until as eventually } from '../until.ts'

const moved = ['category', 'product', 'customer'] as const
const [from, to] = ['sandbox-clover-restaurant', 'sandbox-square-restaurant']
const adminToken = randomBytes(24).toString('hex')

let sandbox: Sandbox
let service: ServiceHere | undefined
afterEach(async () => {
  await service?.stop()
  await sandbox?.close()
})

const recordsOf = (platform: string, entity: EntityType): number =>
  sandbox
    .simulator(platform)
    .tenants.find(({ vertical }) => vertical === 'restaurant')
    ?.records[entity]?.ids().length ?? 0
const countsOf = (platform: string) => Object.fromEntries(moved.map((entity) => [entity, recordsOf(platform, entity)]))

async function manage(method: string, path: string, body?: object) {
  const response = await fetch(`${service?.manageUrl}/manage/v1/workspaces/sandbox/migrations${path}`, {
    method,
    headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}
const until = (id: string, state: string) =>
  eventually(state, async () => {
    const { body } = await manage('GET', `/${id}`)
    if (body.state === 'failed') throw new Error(body.error)
    return body.state === state && body
  })

describe.each([
  ['sqlite', 'killed'],
  ['postgres', 'stopped'],
] as const)('a migration on %s', (kind, ending) => {
  it(`is planned, ${ending} while it writes, continued by the next process, and reported`, async () => {
    sandbox = await createSandbox({
      simulators: { clover: simulators.clover!, square: simulators.square! },
      size: 'small',
      paceScale: 0.005,
      strict: false,
    })
    const database: Record<string, string> =
      kind === 'postgres'
        ? { DATABASE_URL: await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) }
        : {}
    const environment = {
      ...database,
      SANDBOX_URL: sandbox.url,
      PACE_SCALE: '0.005',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'unified-records-migrations-')),
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ADMIN_TOKEN: adminToken,
    }
    const [source, before] = [countsOf('clover'), countsOf('square')]
    service = await (ending === 'killed' ? openServiceApart : openServiceHere)(environment)

    expect((await manage('POST', '', { from, to: from })).body.errors).toMatchObject([{ pointer: '/to' }])
    expect((await manage('POST', '', { from, to: 'elsewhere' })).status).toBe(404)
    const { status, body: made } = await manage('POST', '', { from, to, entities: moved })
    expect(status, JSON.stringify(made)).toBe(202)
    const { plan } = await until(made.id, 'planned')
    expect(
      Object.fromEntries(plan.entities.map((one: { entity: string; toWrite: number }) => [one.entity, one.toWrite])),
    ).toEqual(source)
    expect(countsOf('square'), 'a plan writes nothing').toEqual(before)

    // It cannot get any further than the customers.
    sandbox.fault('square', { kind: 'unavailable', method: 'POST', path: '/v2/customers' })
    expect((await manage('POST', `/${made.id}/run`, {})).status).toBe(202)
    const written = () => recordsOf('square', 'product') === before.product! + source.product!
    await eventually('all products', written)
    expect((await manage('DELETE', `/${made.id}`)).status).toBe(409)
    await service.stop()
    expect(recordsOf('square', 'customer'), 'it was interrupted').toBe(before.customer)
    sandbox.clearFaults()

    service = await openServiceHere(environment)
    const { report, progress } = await until(made.id, 'done')
    expect(report.complete, JSON.stringify(report)).toBe(true)
    for (const entity of moved)
      expect(report.entities.find((one: { entity: string }) => one.entity === entity)).toMatchObject({
        source: source[entity],
        matched: source[entity],
        missing: 0,
        doubled: 0,
        extraBefore: before[entity],
        extraSince: 0,
      })
    expect(report.entities[1].differences[0].examples[0].name, 'records have names').toEqual(expect.any(String))
    expect(countsOf('square')).toEqual(
      Object.fromEntries(moved.map((entity) => [entity, before[entity]! + source[entity]!])),
    )
    // What the first process acknowledged was not sent again.
    expect(progress.outcomes.category).toEqual({ known: source.category })

    // Run again, it finds everything done; stopped, it waits to be run.
    await manage('POST', `/${made.id}/run`, {})
    const again = await until(made.id, 'done')
    expect(again.progress.outcomes.customer).toEqual({ known: source.customer })
    expect((await manage('POST', `/${made.id}/stop`)).status).toBe(409)
    expect((await manage('GET', '')).body.data).toMatchObject([
      { id: made.id, state: 'done', from: { accountId: from, platform: 'clover' }, progress: { complete: true } },
    ])
    expect((await manage('DELETE', `/${made.id}`)).status).toBe(204)
    expect((await manage('GET', `/${made.id}`)).status).toBe(404)
  })
})
