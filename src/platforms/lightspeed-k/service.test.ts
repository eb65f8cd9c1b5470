// Tests through the whole service: refunds, and scopes that only add to what can be read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { AnyRecord } from '../../conformance/subject.ts'
import { lightspeedK } from './connector.ts'
import { createLightspeedKSimulator } from './simulator/simulator.ts'

let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    connectors: { 'lightspeed-k': lightspeedK },
    simulators: { 'lightspeed-k': createLightspeedKSimulator },
    platform: 'lightspeed-k',
  })
})
afterAll(() => harness?.close())

const unified = (path: string, account = 'lightspeed-k-restaurant') =>
  harness.call('GET', `/unified/${account}/${path}`, undefined, { prefer: 'wait=60' })

describe('a refund', () => {
  it('is left out of the list with a warning, and is not found by id', async () => {
    const ids: string[] = []
    const warnings: AnyRecord[] = []
    for (let query = 'pageSize=3'; query; ) {
      const { status, body } = await unified(`order?${query}`)
      expect(status, JSON.stringify(body)).toBe(200)
      ids.push(...body.data.map(({ externalId }: AnyRecord) => externalId))
      warnings.push(...(body.warnings ?? []))
      query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
    }
    expect(ids.toSorted()).toEqual(harness.tenants[0]!.records.order!.ids().toSorted())
    const refunds = warnings.filter(({ code }) => code === 'refund_left_out')
    expect(refunds).toEqual([
      { code: 'refund_left_out', id: expect.any(String), message: expect.stringContaining('This is a refund') },
    ])
    const single = await unified(`order/${encodeURIComponent(refunds[0]!.id)}`)
    expect(single).toMatchObject({ status: 404, body: { code: 'record_not_found' } })
    expect(single.body.detail).toContain('refund')
  })
})

describe('an account without a scope that only adds to what can be read', () => {
  it.each([
    ['financial-api orders-api', 'order', '/lineItems/*/productExternalId', 'items'],
    ['items', 'product', undefined, 'orders-api'],
  ])('with %s has a warning on every page of %s', async (scope, entity, pointer, missing) => {
    const { credentials, settings } = harness.tenants[0]!
    const id = `lacks-${missing}`
    const made = await harness.manage('POST', '/accounts?test=false', {
      id,
      platform: 'lightspeed-k',
      vertical: 'restaurant',
      auth: 'oauth2',
      credentials: { ...credentials, scope },
      settings,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { body } = await unified(`${entity}?pageSize=2`, id)
    expect(body.data).toHaveLength(2)
    expect(body.warnings.filter(({ code }: AnyRecord) => code === 'scope_missing')).toEqual([
      {
        code: 'scope_missing',
        ...(pointer && { pointer }),
        message: expect.stringContaining(`Connect the account again with ${missing}.`),
      },
    ])
  })
})
