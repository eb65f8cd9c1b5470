// Peculiarities of Zoho, tested through the whole service with the simulators of both products. The requirements for
// every platform are in their conformance tests.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness, type Reply } from '../../conformance/harness.ts'
import type { CreateSimulator, Tenant, WireRequest, WireResponse } from '../../sandbox/simulator.ts'
import { zohoBooks } from '../zoho-books/connector.ts'
import { createZohoBooksSimulator } from '../zoho-books/simulator/simulator.ts'
import { zohoInventory } from '../zoho-inventory/connector.ts'
import { createZohoInventorySimulator } from '../zoho-inventory/simulator/simulator.ts'

const products = [
  {
    connector: zohoBooks,
    createSimulator: createZohoBooksSimulator,
    base: '/books/v3',
    currencyCode: 'USD',
    other: 'EUR',
  },
  {
    connector: zohoInventory,
    createSimulator: createZohoInventorySimulator,
    base: '/inventory/v1',
    currencyCode: 'EUR',
    other: 'USD',
  },
]
const patient = { prefer: 'wait=60' }
const problem = ({ status, body }: Reply) => [
  status,
  body.code,
  body.errors?.map(({ pointer }: { pointer: string }) => pointer),
]

describe.each(products)('$connector.name', ({ connector, createSimulator, base, currencyCode, other }) => {
  const platform = connector.id
  const path = `/unified/${platform}-accounting/customer`
  let harness: Harness
  /** Intercepts requests to the simulator; undefined lets a request pass. */
  let intercept: (request: WireRequest) => WireResponse | undefined = () => undefined
  const intercepted: CreateSimulator = (options) => {
    const simulator = createSimulator(options)
    return { ...simulator, handle: (request) => intercept(request) ?? simulator.handle(request) }
  }
  const start = (size: 'small' | 'full' = 'small') =>
    createHarness({ connectors: { [platform]: connector }, simulators: { [platform]: intercepted }, platform, size })
  beforeAll(async () => {
    harness = await start()
  })
  afterAll(() => harness.close())
  afterEach(() => {
    intercept = () => undefined
    harness.sandbox.clearFaults(platform)
  })

  let serial = 0
  const fresh = (more: object = {}) => {
    serial += 1
    return { externalId: `Z-${serial}`, name: `Customer ${serial}`, currencyCode, ...more }
  }
  const create = (record: object) => harness.call('POST', path, record, patient)
  const put = (id: string, record: object) => harness.call('PUT', `${path}/${id}`, record, patient)
  /** Calls the simulator directly, as another client of the bookkeeper does. */
  // biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
  async function zoho(method: string, where: string, body?: object): Promise<any> {
    const separator = where.includes('?') ? '&' : '?'
    const organization = platform === 'zoho-books' ? '10229182' : '20071334455'
    const { credentials } = harness.tenants[0] as Tenant
    const response = await fetch(
      `${harness.sandbox.origin(platform)}${base}${where}${separator}organization_id=${organization}`,
      {
        method,
        headers: { authorization: `Zoho-oauthtoken ${credentials.accessToken}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      },
    )
    return response.json()
  }
  const native = async (id: string) => (await zoho('GET', `/contacts/${id}`)).contact
  const ids = () => harness.tenants[0]!.records.customer!.ids()
  const written = () =>
    harness.sandbox
      .calls(platform)
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path: called }) => `${method} ${called.replace(/\d{9,}/, 'id')}`)
  const ofName = async (name: string) =>
    (await zoho('GET', `/contacts?filter_by=Status.All&contact_name=${encodeURIComponent(name)}`)).contacts

  it('determines the organization and the data center when an account is connected', async () => {
    const { body } = await harness.manage('GET', `/accounts/${platform}-accounting`)
    const hosts =
      platform === 'zoho-books'
        ? ['https://accounts.zoho.com', 'https://www.zohoapis.com']
        : ['https://accounts.zoho.eu', 'https://www.zohoapis.eu']
    expect([body.settings.accountsServer, body.settings.apiDomain]).toEqual(hosts)
    expect(body.settings.organizationId).toBe(platform === 'zoho-books' ? '10229182' : '20071334455')
    expect(body.settings.plan).toBe('PROFESSIONAL')
    const { credentials } = harness.tenants[0] as Tenant
    const account = { platform, vertical: 'accounting', credentials }
    expect(
      (await harness.manage('POST', '/accounts', { ...account, settings: { organizationId: '1' } })).body.detail,
    ).toContain('10229199')
    expect(
      problem(
        await harness.manage('POST', '/accounts', {
          ...account,
          settings: { accountsServer: 'https://accounts.zoho.com.example.net' },
        }),
      ),
    ).toEqual([422, 'validation_failed', ['/settings/accountsServer']])
  })

  describe('an inactive customer', () => {
    it('is created in two steps, listed like any other, and becomes active again by an update', async () => {
      harness.sandbox.clearCalls(platform)
      const { status, body } = await create(fresh({ active: false }))
      expect([status, body.data.active, body.warnings]).toEqual([201, false, undefined])
      expect(written()).toEqual([`POST ${base}/contacts`, `POST ${base}/contacts/id/inactive`])
      const listed = await harness.call('GET', `${path}?pageSize=50`, undefined, patient)
      expect(
        listed.body.data.find(({ externalId }: { externalId: string }) => externalId === body.data.externalId),
      ).toEqual(body.data)
      harness.sandbox.clearCalls(platform)
      expect((await put(body.data.externalId, { ...body.data, active: true })).body.data).toEqual({
        ...body.data,
        active: true,
      })
      expect(written()).toEqual([`POST ${base}/contacts/id/active`])
    })
    it('is one record regardless of how its steps are interrupted', async () => {
      for (const kind of ['reset_after', 'error_after', 'reset_before'] as const) {
        for (const skip of [0, 1]) {
          const record = fresh({
            active: false,
            firstName: 'Ada',
            phone: '+1 555',
            address: { line1: 'A\nB', line2: 'C\nD' },
          })
          const before = ids()
          harness.sandbox.fault(platform, { kind, method: 'POST', skip, times: 1 })
          const reply = await create(record)
          harness.sandbox.clearFaults(platform)
          expect([kind, skip, reply.status, reply.body.data?.active]).toEqual([kind, skip, 201, false])
          expect(ids().filter((id) => !before.includes(id))).toEqual([reply.body.data.externalId])
        }
      }
    })
    it('is deleted if Zoho rejects the second step, and the key can be used again', async () => {
      const record = fresh({ active: false })
      const before = ids()
      intercept = ({ path: called }) =>
        called.endsWith('/inactive') ? { status: 400, body: { code: 3001, message: 'Not now.' } } : undefined
      expect(problem(await create(record))).toEqual([422, 'downstream_rejected', undefined])
      expect(ids()).toEqual(before)
      intercept = () => undefined
      expect((await create(record)).status).toBe(201)
    })
  })

  describe('a create with a lost response', () => {
    it('is found even if the search lags and Zoho rejects the second attempt as a duplicate', async () => {
      let sent = 0
      intercept = ({ method, query }) => {
        if (method === 'POST') sent += 1
        return query.has('contact_name') && sent < 2 ? { status: 200, body: { code: 0, contacts: [] } } : undefined
      }
      harness.sandbox.fault(platform, { kind: 'reset_after', method: 'POST', times: 1 })
      const record = fresh({ email: 'lag@example.com' })
      const reply = await create(record)
      expect([reply.status, reply.body.data?.email, sent]).toEqual([201, 'lag@example.com', 2])
      expect(await ofName(record.name)).toHaveLength(1)
    })
    it('is found by the beginning of a name that is longer than the filter accepts', async () => {
      const record = fresh({ name: `${'Ünïcode & Söhne '.repeat(6)}🏬🏬🏬🏬 ${serial}` })
      expect(record.name.length).toBeGreaterThan(100)
      harness.sandbox.fault(platform, { kind: 'reset_after', method: 'POST', times: 1 })
      const before = ids()
      const { status, body } = await create(record)
      expect([status, body.data.name]).toEqual([201, record.name])
      expect(ids().filter((id) => !before.includes(id))).toEqual([body.data.externalId])
    })
    it('is not mistaken for another contact of that name', async () => {
      const first = await create(fresh({ firstName: 'Ada' }))
      harness.sandbox.fault(platform, { kind: 'reset_before', method: 'POST', times: 1 })
      const second = fresh({ name: first.body.data.name, firstName: 'Bob' })
      expect(problem(await create(second))).toEqual([422, 'downstream_rejected', ['/name']])
      expect((await create({ ...second, name: 'Bob of his own' })).status).toBe(201)
    })
  })

  it('rejects a taken name, although an equal contact of another key looks like the one that was sent', async () => {
    const record = fresh({ firstName: 'Ada' })
    const first = await create(record)
    expect(first.status).toBe(201)
    for (const kind of ['reset_before', 'reset_after'] as const) {
      harness.sandbox.fault(platform, { kind, method: 'POST', times: 1 })
      expect(problem(await create({ ...record, externalId: `${record.externalId} ${kind}` }))).toEqual([
        422,
        'downstream_rejected',
        ['/name'],
      ])
    }
  })

  describe('an update', () => {
    const persons = [
      { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com', mobile: '+1 777', designation: 'CFO' },
      { first_name: 'Ada', email: 'ada@example.com', mobile: '+1 555', is_primary_contact: true },
    ]
    const billing_address = {
      attention: 'Desk 4',
      address: '1 Street',
      city: 'Bonn',
      state: 'NRW',
      state_code: 'NW',
      zip: '53111',
      country: 'Germany',
      phone: '+49 1',
      fax: '+49 2',
    }

    it('sends only the differences and preserves other fields: other persons, attention, shipping address', async () => {
      const { contact } = await zoho('POST', '/contacts', {
        contact_name: `By hand ${++serial}`,
        contact_persons: persons,
        billing_address,
        shipping_address: { city: 'Köln' },
      })
      const { data } = (await harness.call('GET', `${path}/${contact.contact_id}`, undefined, patient)).body
      expect(data).toMatchObject({
        firstName: 'Ada',
        phone: '+1 555',
        address: { line1: '1 Street', state: 'NRW', postalCode: '53111' },
      })
      const next = {
        ...data,
        lastName: 'Lovelace',
        phone: '+1 999',
        address: { ...data.address, city: 'Berlin', line2: 'Hof 2' },
      }
      expect((await put(contact.contact_id, next)).body.data).toEqual(next)
      const after = await native(contact.contact_id)
      expect(after.contact_persons).toMatchObject([
        { ...persons[0], contact_person_id: contact.contact_persons[0].contact_person_id, is_primary_contact: false },
        {
          ...persons[1],
          last_name: 'Lovelace',
          phone: '+1 999',
          contact_person_id: contact.contact_persons[1].contact_person_id,
        },
      ])
      expect(after.billing_address).toMatchObject({
        attention: 'Desk 4',
        phone: '+49 1',
        fax: '+49 2',
        city: 'Berlin',
        street2: 'Hof 2',
      })
      expect(after.shipping_address.city).toBe('Köln')
    })
    it('clears omitted fields, including every source of a phone number', async () => {
      const { contact } = await zoho('POST', '/contacts', {
        ...{ contact_name: `By hand ${++serial}`, company_name: 'C', notes: 'N', billing_address },
        contact_persons: [{ ...persons[1], phone: '+1 444' }],
      })
      const { status, body } = await put(contact.contact_id, {
        externalId: contact.contact_id,
        name: contact.contact_name,
      })
      expect([status, body.warnings]).toMatchObject([200, [{ code: 'kept', pointer: '/currencyCode' }]])
      expect(body.data).toEqual({
        externalId: contact.contact_id,
        name: contact.contact_name,
        active: true,
        currencyCode,
      })
      expect((await native(contact.contact_id)).contact_persons).toEqual([])
    })
    it('without differences is not sent', async () => {
      const { data } = (await create(fresh({ firstName: 'Ada', notes: 'N', address: { line1: '1' } }))).body
      harness.sandbox.clearCalls(platform)
      expect((await put(data.externalId, data)).body.data).toEqual(data)
      expect(written()).toEqual([])
    })
    it('has a warning if Zoho does not clear a value', async () => {
      const { data } = (await create(fresh({ notes: 'Sticky' }))).body
      intercept = ({ method }) =>
        method === 'PUT'
          ? { status: 200, body: { code: 0, message: 'Contact has been updated successfully' } }
          : undefined
      const { notes: _, ...cleared } = data
      const reply = await put(data.externalId, cleared)
      expect(reply.body.warnings).toMatchObject([{ code: 'kept', pointer: '/notes' }])
    })
    it('of a vendor is 404, and so is reading one', async () => {
      const { contact } = await zoho('POST', '/contacts', {
        contact_name: `Vendor ${++serial}`,
        contact_type: 'vendor',
      })
      expect((await harness.call('GET', `${path}/${contact.contact_id}`, undefined, patient)).status).toBe(404)
      expect((await put(contact.contact_id, fresh())).status).toBe(404)
    })
  })

  describe('the currency', () => {
    it('is written by its id, which concurrent writes request once', async () => {
      harness.sandbox.clearCalls(platform)
      const replies = await Promise.all(
        [currencyCode, other, other].map((code) => create(fresh({ currencyCode: code }))),
      )
      expect(replies.map(({ body }) => body.data.currencyCode)).toEqual([currencyCode, other, other])
      expect(
        harness.sandbox.calls(platform).filter(({ path: called }) => called.endsWith('/currencies')).length,
      ).toBeLessThanOrEqual(1)
    })
    it('is a 422 with the available ones if the organization does not have it', async () => {
      const reply = await create(fresh({ currencyCode: 'CHF' }))
      expect(problem(reply)).toEqual([422, 'target_refuses', ['/currencyCode']])
      expect(reply.body.errors[0].message).toContain('CAD, EUR, GBP')
    })
    it('can be changed until there are transactions', async () => {
      const { data } = (await create(fresh())).body
      expect((await put(data.externalId, { ...data, currencyCode: other })).body.data.currencyCode).toBe(other)
      const { contacts } = await zoho('GET', '/contacts?contact_type=customer')
      const details = await Promise.all(
        contacts
          .filter((row: { contact_type: string }) => row.contact_type === 'customer')
          .map((row: { contact_id: string }) => native(row.contact_id)),
      )
      const traded = details.find(
        ({ has_transaction, currency_code }) => has_transaction && currency_code === currencyCode,
      )
      expect(
        problem(await put(traded.contact_id, { externalId: 'any', name: traded.contact_name, currencyCode: other })),
      ).toEqual([422, 'target_refuses', ['/currencyCode']])
    })
  })

  it('makes one call per new row besides the list, for at most 50 rows of a page, and scans for modified rows in pages of 200', async () => {
    const full = await start('full')
    try {
      const customers = full.tenants[0]!.records.customer!
      expect(customers.ids().length).toBeGreaterThanOrEqual(450)
      full.sandbox.clearCalls(platform)
      const first = await full.call('GET', `${path}?pageSize=200`, undefined, patient)
      expect(first.body.data.length).toBe(50)
      // Some rows of Zoho Inventory's list are vendors: another page replaces them.
      expect(full.sandbox.calls(platform).length).toBeLessThanOrEqual(53)
      const served: string[] = first.body.data.map(({ externalId }: { externalId: string }) => externalId)
      for (let cursor = first.body.pagination.cursor; cursor; ) {
        const { body } = await full.call('GET', `${path}?cursor=${cursor}`, undefined, patient)
        served.push(...body.data.map(({ externalId }: { externalId: string }) => externalId))
        cursor = body.pagination.cursor
      }
      expect(served.toSorted()).toEqual(customers.ids().toSorted())
      const before = new Date(Date.now() - 1000).toISOString()
      const touched = [customers.ids()[3]!, customers.ids()[300]!]
      for (const id of touched) customers.touch(id)
      full.sandbox.clearCalls(platform)
      // A page ends early where no slot is free at once.
      const modified: string[] = []
      for (let query = `updatedAfter=${before}`; query; ) {
        const { body } = await full.call('GET', `${path}?${query}`, undefined, patient)
        modified.push(...body.data.map(({ externalId }: { externalId: string }) => externalId))
        query = body.pagination.cursor ? `cursor=${body.pagination.cursor}` : ''
      }
      expect(modified.toSorted()).toEqual(touched.toSorted())
      expect(full.sandbox.calls(platform).length).toBeLessThanOrEqual(7)
    } finally {
      await full.close()
    }
  })

  it('reads only changed rows again in a later walk, and returns what Zoho has', async () => {
    const full = await start('full')
    try {
      const customers = full.tenants[0]!.records.customer!
      const walk = async () => {
        full.sandbox.clearCalls(platform)
        const served: { externalId: string; notes?: string }[] = []
        for (let query = '?pageSize=200'; query; ) {
          const { status, body } = await full.call('GET', path + query, undefined, patient)
          expect(status).toBe(200)
          served.push(...body.data)
          query = body.pagination.cursor ? `?cursor=${body.pagination.cursor}` : ''
        }
        const details = full.sandbox.calls(platform).filter(({ path: called }) => /\/contacts\/\d+$/.test(called))
        return {
          served: served.toSorted((left, right) => left.externalId.localeCompare(right.externalId)),
          details: details.map(({ path: called }) => called.split('/').at(-1)),
          calls: full.sandbox.calls(platform).length,
        }
      }
      const first = await walk()
      expect(first.details).toHaveLength(customers.ids().length)
      const second = await walk()
      expect([second.details, second.served]).toEqual([[], first.served])
      expect(second.calls).toBeLessThanOrEqual(9)
      // A row that has just changed may change again within the second: it is read in every walk.
      const id = customers.ids()[7]!
      for (let change = 0; change < 3; change++) {
        customers.touch(id)
        const { details, served } = await walk()
        expect(details).toEqual([id])
        const own = served.find(({ externalId }) => externalId === id)
        expect(own).toEqual((await full.call('GET', `${path}/${id}`, undefined, patient)).body.data)
      }
    } finally {
      await full.close()
    }
  })

  it('treats the rejection of an eleventh access token within ten minutes as temporary: the account stays connected', async () => {
    const busy = await start()
    try {
      const read = async () => {
        ;(busy.tenants[0] as Tenant).expireTokens()
        const { status, body } = await busy.call('GET', `${path}?pageSize=1`, undefined, patient)
        return [status, body.code]
      }
      busy.time.stop() // ten minutes last six seconds here
      // The first of ten was issued when the account was connected.
      for (let renewal = 2; renewal <= 10; renewal++)
        expect([renewal, ...(await read())]).toEqual([renewal, 200, undefined])
      expect(await read()).toEqual([502, 'downstream_error'])
      expect((await busy.manage('GET', `/accounts/${platform}-accounting`)).body.state).toBe('active')
    } finally {
      await busy.close()
    }
  })
})
