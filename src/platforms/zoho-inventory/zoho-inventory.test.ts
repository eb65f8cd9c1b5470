// What Zoho Inventory does not have: a filter for customers, contact numbers, possibly page_context. The other
// peculiarities are in ../zoho/zoho.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { CreateSimulator } from '../../sandbox/simulator.ts'
import { createZohoSimulator } from '../zoho/simulator/simulator.ts'
import { zohoInventory } from './connector.ts'
import { createZohoInventorySimulator, inventory } from './simulator/simulator.ts'

const platform = zohoInventory.id
const path = `/unified/${platform}-accounting/customer`
let vendors = 0
/** As in the documentation: a list without page_context. */
const silent: CreateSimulator = (options) => {
  const inventory = createZohoInventorySimulator(options)
  return {
    ...inventory,
    async handle(request) {
      const response = await inventory.handle(request)
      const { page_context, ...body } = response.body as {
        page_context?: object
        contacts?: { contact_type: string }[]
      }
      vendors += body.contacts?.filter(({ contact_type }) => contact_type === 'vendor').length ?? 0
      return { ...response, body }
    },
  }
}
let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    connectors: { [platform]: zohoInventory },
    simulators: { [platform]: silent },
    platform,
    size: 'full',
  })
})
afterAll(() => harness.close())

it('ends the list with an empty page if there is no page_context, and skips vendors', async () => {
  const served: string[] = []
  for (let query = '?pageSize=50'; query; ) {
    const { body } = await harness.call('GET', path + query, undefined, { prefer: 'wait=60' })
    served.push(...body.data.map(({ externalId }: { externalId: string }) => externalId))
    query = body.pagination.cursor ? `?cursor=${body.pagination.cursor}` : ''
  }
  expect(served.toSorted()).toEqual(harness.tenants[0]!.records.customer!.ids().toSorted())
  expect(vendors).toBeGreaterThan(0)
})
it('rejects a create without a currency before anything is sent; an update without one does not change it', async () => {
  const record = { externalId: 'I-1', name: 'Currency matters' }
  const refused = await harness.call('POST', path, record, { prefer: 'wait=60' })
  expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
    422,
    'target_requires',
    '/currencyCode',
  ])
  const { data } = (await harness.call('POST', path, { ...record, currencyCode: 'KWD' }, { prefer: 'wait=60' })).body
  const updated = await harness.call(
    'PUT',
    `${path}/${data.externalId}`,
    { ...record, notes: 'N' },
    { prefer: 'wait=60' },
  )
  expect(updated.body.data).toEqual({ ...data, notes: 'N' })
})

it('creates two contacts for two keys with equal content, also when responses are lost', async () => {
  const tolerant = await createHarness({
    connectors: { [platform]: zohoInventory },
    simulators: { [platform]: createZohoSimulator({ ...inventory, allowsDuplicates: true }) },
    platform,
  })
  try {
    const { customer } = tolerant.tenants[0]!.records
    const before = customer!.ids()
    const created: string[] = []
    for (const [n, kind] of (['reset_after', 'reset_before', 'reset_after'] as const).entries()) {
      tolerant.sandbox.fault(platform, { kind, method: 'POST', times: 1 })
      const record = { externalId: `T-${n}`, name: 'Twin', firstName: 'Ada', currencyCode: 'EUR' }
      const { status, body } = await tolerant.call('POST', path, record, { prefer: 'wait=60' })
      expect([kind, status]).toEqual([kind, 201])
      created.push(body.data.externalId)
    }
    expect(
      customer!
        .ids()
        .filter((id) => !before.includes(id))
        .toSorted(),
    ).toEqual(created.toSorted())
    expect(new Set(created).size).toBe(3)
  } finally {
    await tolerant.close()
  }
})
