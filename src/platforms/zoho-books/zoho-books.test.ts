// What Zoho Books has and Zoho Inventory does not: contact numbers. The other peculiarities are in
// ../zoho/zoho.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import type { CreateSimulator, Tenant } from '../../sandbox/simulator.ts'
import { zohoBooks } from './connector.ts'
import { createZohoBooksSimulator } from './simulator/simulator.ts'

const platform = zohoBooks.id
const path = `/unified/${platform}-accounting/customer`
let numbered = true
/** An organization may have no contact numbers. */
const simulator: CreateSimulator = (options) => {
  const books = createZohoBooksSimulator(options)
  return {
    ...books,
    async handle(request) {
      const response = await books.handle(request)
      const { contact } = (response.body ?? {}) as { contact?: object }
      return numbered || !contact
        ? response
        : { ...response, body: { ...(response.body as object), contact: { ...contact, contact_number: '' } } }
    },
  }
}
let harness: Harness
beforeAll(async () => {
  harness = await createHarness({
    connectors: { [platform]: zohoBooks },
    simulators: { [platform]: simulator },
    platform,
  })
})
afterAll(() => harness.close())

async function numberOf(id: string): Promise<string> {
  const { credentials } = harness.tenants[0] as Tenant
  const response = await fetch(`${harness.sandbox.origin(platform)}/books/v3/contacts/${id}?organization_id=10229182`, {
    headers: { authorization: `Zoho-oauthtoken ${credentials.accessToken}` },
  })
  return ((await response.json()) as { contact: { contact_number: string } }).contact.contact_number
}
const create = (record: object) => harness.call('POST', path, record, { prefer: 'wait=60' })

it('uses the reference as the contact number, although numbers are assigned automatically, and an update does not change it', async () => {
  const { data } = (await create({ externalId: 'B-1', name: 'Numbered' })).body
  const number = await numberOf(data.externalId)
  expect(number).toMatch(/^ur[A-Za-z0-9]{14}$/)
  expect(data.currencyCode).toBe('USD')
  await harness.call('PUT', `${path}/${data.externalId}`, { ...data, notes: 'Changed' }, { prefer: 'wait=60' })
  expect(await numberOf(data.externalId)).toBe(number)
})
it('does not accept an identical contact with another number', async () => {
  const record = { name: 'Twin', firstName: 'Ada' }
  await create({ externalId: 'B-2', ...record })
  harness.sandbox.fault(platform, { kind: 'reset_before', method: 'POST', times: 1 })
  const { status, body } = await create({ externalId: 'B-3', ...record })
  expect([status, body.errors?.[0].pointer]).toEqual([422, '/name'])
})
it('identifies a contact by all its fields if an organization has no numbers', async () => {
  numbered = false
  const before = harness.tenants[0]!.records.customer!.ids()
  harness.sandbox.fault(platform, { kind: 'reset_after', method: 'POST', times: 1 })
  const { status, body } = await create({
    externalId: 'B-4',
    name: 'Unnumbered',
    address: { line1: '1', city: 'Bonn' },
  })
  numbered = true
  expect(status).toBe(201)
  expect(harness.tenants[0]!.records.customer!.ids().filter((id) => !before.includes(id))).toEqual([
    body.data.externalId,
  ])
})
