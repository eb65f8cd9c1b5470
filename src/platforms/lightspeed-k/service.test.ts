// Tests through the whole service: refunds.
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

const unified = (path: string) =>
  harness.call('GET', `/unified/lightspeed-k-restaurant/${path}`, undefined, { prefer: 'wait=60' })

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
