// What Zoho Books has and Zoho Inventory does not: contact numbers, a preference of the organization. The other
// peculiarities are in ../zoho/zoho.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { Tenant } from '../../sandbox/simulator.ts'
import { createZohoSimulator } from '../zoho/simulator/simulator.ts'
import { zohoBooks } from './connector.ts'
import { books } from './simulator/simulator.ts'

const platform = zohoBooks.id
const path = `/unified/${platform}-accounting/customer`
let harness: Harness
const start = (assignsNumbers: boolean) => async () => {
  const simulator = createZohoSimulator({ ...books, assignsNumbers })
  harness = await createHarness({
    connectors: { [platform]: zohoBooks },
    simulators: { [platform]: simulator },
    platform,
  })
}
const stop = () => harness.close()

async function numberOf(id: string): Promise<string | undefined> {
  const { credentials } = harness.tenants[0] as Tenant
  const response = await fetch(`${harness.sandbox.origin(platform)}/books/v3/contacts/${id}?organization_id=10229182`, {
    headers: { authorization: `Zoho-oauthtoken ${credentials.accessToken}` },
  })
  return ((await response.json()) as { contact: { contact_number?: string } }).contact.contact_number
}
const create = (record: object) => harness.call('POST', path, record, { prefer: 'wait=60' })
/** The ids of the contacts that the creates have added. */
async function added(run: () => Promise<void>): Promise<string[]> {
  const { customer } = harness.tenants[0]!.records
  const before = customer!.ids()
  await run()
  return customer!.ids().filter((id) => !before.includes(id))
}

describe('an organization with contact numbers', () => {
  beforeAll(start(true))
  afterAll(stop)
  it('stores the reference as the number, although numbers are assigned automatically, and an update does not change it', async () => {
    const { data } = (await create({ externalId: 'B-1', name: 'Numbered' })).body
    const number = await numberOf(data.externalId)
    expect(number).toMatch(/^ur[A-Za-z0-9]{14}$/)
    expect(data.currencyCode).toBe('USD')
    await harness.call('PUT', `${path}/${data.externalId}`, { ...data, notes: 'Changed' }, { prefer: 'wait=60' })
    expect(await numberOf(data.externalId)).toBe(number)
  })
  it('identifies the contact of a lost response by its number', async () => {
    const ids = await added(async () => {
      harness.sandbox.fault(platform, { kind: 'reset_after', method: 'POST', times: 1 })
      expect((await create({ externalId: 'B-2', name: 'Lost' })).status).toBe(201)
    })
    expect(ids).toHaveLength(1)
    expect(await numberOf(ids[0]!)).toMatch(/^ur/)
  })
  it('does not accept an identical contact with another number', async () => {
    const record = { name: 'Twin', firstName: 'Ada' }
    await create({ externalId: 'B-3', ...record })
    harness.sandbox.fault(platform, { kind: 'reset_before', method: 'POST', times: 1 })
    const { status, body } = await create({ externalId: 'B-4', ...record })
    expect([status, body.errors?.[0].pointer]).toEqual([422, '/name'])
  })
})

describe('an organization without contact numbers', () => {
  beforeAll(start(false))
  afterAll(stop)
  it('ignores the number, and the contact of a lost response is identified by all its fields', async () => {
    const ids = await added(async () => {
      harness.sandbox.fault(platform, { kind: 'reset_after', method: 'POST', times: 1 })
      const address = { line1: '1', city: 'Bonn' }
      const { status, body } = await create({ externalId: 'B-5', name: 'Unnumbered', address })
      expect([status, body.data.address]).toEqual([201, address])
    })
    expect(ids).toHaveLength(1)
    expect(await numberOf(ids[0]!)).toBeUndefined()
  })
})
