import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHarness, type Harness } from '../../conformance/harness.ts'
import { runUpdate } from '../../conformance/run-update.ts'
import { conformance } from '../../conformance/suite.ts'
import type { AccountView, NativeRequest } from '../../contract/connector.ts'
import type { Customer } from '../../contract/entities/customer.ts'
import { targetViolations } from '../../engine/write/requirements.ts'
import { fakeCallFor } from '../fake-call.ts'
import { discover } from './account.ts'
import { xero } from './connector.ts'
import { customer } from './customer.ts'
import { type NativeContact, readPhone } from './customer-row.ts'
import { changeOf } from './customer-write.ts'
import { readError } from './error.ts'
import { createXeroSimulator } from './simulator/simulator.ts'

conformance(xero, createXeroSimulator)

const account: AccountView = { id: 'a', vertical: 'accounting', settings: { tenantId: 't' } }
const id = '8138a266-fb42-49b2-a104-014b7045753d'
const contact: NativeContact = {
  ContactID: id,
  ContactStatus: 'ACTIVE',
  Name: 'Harbor Coffee Supply',
  EmailAddress: '',
  Addresses: [
    { AddressType: 'POBOX', AddressLine1: 'PO Box 88', City: 'Portland', Region: '', PostalCode: '', Country: '' },
    {
      AddressType: 'STREET',
      AddressLine1: 'c/o Dock',
      AddressLine2: '14 Dock Rd',
      AddressLine3: 'Unit 5',
      AddressLine4: 'Level 4',
      City: 'Portland',
      AttentionTo: 'Nadia',
    },
  ],
  Phones: [
    { PhoneType: 'FAX', PhoneNumber: '999' },
    { PhoneType: 'MOBILE', PhoneNumber: '201-7790', PhoneAreaCode: '555', PhoneCountryCode: '1' },
    { PhoneType: 'DDI', PhoneNumber: '7' },
  ],
  UpdatedDateUTC: '/Date(1503348544227+0000)/',
}
const unified = (row: NativeContact = contact, view = account, warn = (_: string) => {}): Customer =>
  customer.toUnified(row, { account: view, warn })
const fakeCall = fakeCallFor(account)
const bodies = (sent: NativeRequest[]) =>
  sent.filter(({ body }) => body).map(({ body }) => (body as { Contacts: NativeContact[] }).Contacts[0])

describe('a contact', () => {
  it('has the street address, or the postal one if it is empty or the account is configured so', () => {
    expect(unified().address).toEqual({ line1: 'c/o Dock', line2: '14 Dock Rd, Unit 5, Level 4', city: 'Portland' })
    expect(unified({ ...contact, Addresses: contact.Addresses!.slice(0, 1) }).address).toEqual({
      line1: 'PO Box 88',
      city: 'Portland',
    })
    expect(unified(contact, { ...account, settings: { addressType: 'POBOX' } }).address?.line1).toBe('PO Box 88')
  })
  it('has the first phone with a number, never the fax', () => {
    expect(unified().phone).toBe('+1 555 201-7790')
    expect(readPhone({ PhoneNumber: '', PhoneAreaCode: '09' })).toBeUndefined()
    expect(readPhone({ PhoneNumber: '5', PhoneCountryCode: '0064' })).toBe('+64 5')
  })
  it('is inactive if it is archived or has a GDPR request, and has a warning if its status is unknown', () => {
    expect(
      ['ACTIVE', 'ARCHIVED', 'GDPRREQUEST'].map((ContactStatus) => unified({ ...contact, ContactStatus }).active),
    ).toEqual([true, false, false])
    const warned: string[] = []
    expect(
      unified({ ...contact, ContactStatus: 'NEW' }, account, (pointer) => warned.push(pointer)).active,
    ).toBeUndefined()
    expect(warned).toEqual(['/active'])
  })
  it('without a name uses its other fields', () => {
    expect(unified({ ContactID: id, ContactNumber: 'ext-7' }).name).toBe('ext-7')
  })
  it('gets no request if it is written as it was read', async () => {
    expect(changeOf(unified(), account, contact)).toEqual({})
    const { call, sent } = fakeCall(() => ({ Contacts: [contact] }))
    await runUpdate(customer, call, id, unified())
    expect(sent.map(({ method }) => method)).toEqual(['GET'])
  })
  it('retains its lines and its addressee if only the city changes', () => {
    const record = unified()
    expect(changeOf({ ...record, address: { ...record.address, city: 'Salem' } }, account, contact).Addresses).toEqual([
      { ...contact.Addresses![1], City: 'Salem', Region: '', PostalCode: '', Country: '' },
    ])
  })
  it('loses every candidate number and address if the record has none', () => {
    const { phone: _, address: __, ...bare } = unified()
    const change = changeOf(bare, account, contact)
    expect(change.Phones?.map(({ PhoneType, PhoneNumber }) => [PhoneType, PhoneNumber])).toEqual([
      ['MOBILE', ''],
      ['DDI', ''],
    ])
    expect(change.Addresses?.map(({ AddressType, AddressLine1 }) => [AddressType, AddressLine1])).toEqual([
      ['STREET', ''],
      ['POBOX', ''],
    ])
    expect(unified({ ...contact, ...change })).toEqual({ ...bare, phone: undefined, address: undefined })
  })
  it('is created with our reference and key, found by that reference, and archived in a second step', async () => {
    const { call, sent, steps } = fakeCall(() => ({
      Contacts: [{ ...contact, ContactNumber: 'reference0123456' }],
    }))
    await customer.create!.run(call, { externalId: 'x', name: 'New', active: false })
    expect(sent.map(({ method, query, headers }) => [method, query, headers])).toEqual([
      ['PUT', { summarizeErrors: true }, { 'idempotency-key': 'key-contact' }],
      ['POST', undefined, undefined],
    ])
    expect(bodies(sent)).toEqual([
      { ContactNumber: 'reference0123456', Name: 'New' },
      { ContactID: id, ContactStatus: 'ARCHIVED' },
    ])
    const [{ find }, archiving] = steps.map(({ recovery }) => recovery) as [{ find(): Promise<{ id: string }> }, string]
    expect([(await find()).id, sent.at(-1)?.path, archiving]).toEqual([
      id,
      '/api.xro/2.0/Contacts/reference0123456',
      'repeat',
    ])
    const other = fakeCall(() => ({ Contacts: [contact] }))
    await customer.create!.run(other.call, { externalId: 'x', name: 'New' })
    // Another contact is not ours.
    expect(await (other.steps[0]!.recovery as { find(): Promise<unknown> }).find()).toBeUndefined()
  })
  it('is restored together with its new name, because the old one may be taken', async () => {
    const { call, sent } = fakeCall(() => ({ Contacts: [{ ...contact, ContactStatus: 'ARCHIVED' }] }))
    await runUpdate(customer, call, id, { ...unified(), name: 'Harbor', active: true })
    expect(bodies(sent)).toEqual([{ ContactID: id, ContactStatus: 'ACTIVE', Name: 'Harbor' }])
  })
  it('is not requested with an invalid id: a path accepts contact numbers too', async () => {
    const { call, sent } = fakeCall(() => ({ Contacts: [contact] }))
    expect(await customer.get!(call, 'ext-10042')).toBeUndefined()
    expect(sent).toEqual([])
  })
  it('is checked for values that Xero cannot store', () => {
    const record = {
      externalId: 'x',
      name: 'n'.repeat(256),
      email: 'jürgen@example.com',
      phone: '1'.repeat(51),
      address: { line1: 'l'.repeat(501) },
    }
    expect(targetViolations(record, customer.create!, account).map(({ pointer }) => pointer)).toEqual([
      '/name',
      '/phone',
      '/address/line1',
      '/email',
    ])
  })
})

describe('a list', () => {
  it('starts the filter one second earlier, in whole seconds', async () => {
    const { call, sent } = fakeCall(() => ({ Contacts: [] }))
    await customer.list.page(call, { size: 50, updatedAfter: '2026-03-01T00:00:00.999Z' })
    expect(sent[0]).toMatchObject({
      query: { page: 1, pageSize: 50, includeArchived: true, order: 'ContactID ASC' },
      headers: { 'if-modified-since': '2026-02-28T23:59:59Z' },
    })
    expect(customer.list.modifiedAt!(contact)).toBe('2017-08-21T20:49:04.227Z')
  })
  it('goes on after a full page that does not report the number of pages', async () => {
    for (const pagination of [undefined, {}]) {
      const { call } = fakeCall(() => ({ Contacts: [contact], ...(pagination && { pagination }) }))
      expect((await customer.list.page(call, { size: 1 })).next).toEqual({ page: 2, seen: [id] })
      expect((await customer.list.page(call, { size: 2 })).next).toBeUndefined()
    }
  })
  it('omits rows that new ones pushed into the next page', async () => {
    const row = (ContactID: string) => ({ ContactID })
    const pages: Record<string, NativeContact[]> = { 1: ['a', 'b'].map(row), 2: ['b', 'c'].map(row) }
    const { call } = fakeCall(({ query }) => ({
      Contacts: pages[String(query?.page)],
      pagination: { page: query?.page, pageCount: 3 },
    }))
    const first = await customer.list.page(call, { size: 2 })
    const second = await customer.list.page(call, { size: 2 }, first.next)
    expect([...first.rows, ...second.rows].map(({ ContactID }) => ContactID)).toEqual(['a', 'b', 'c'])
  })
})

describe('an error', () => {
  const error = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    readError({ status, headers, body })
  const element = (...messages: string[]) => ({
    HasValidationErrors: true,
    ValidationErrors: messages.map((Message) => ({ Message })),
  })
  const taken =
    'The contact name Buzz Lightyear is already assigned to another contact. The contact name must be unique across all active contacts.'
  it('inside a 400 is read from its elements', () => {
    const exception = (...elements: object[]) => ({
      ErrorNumber: 10,
      Type: 'ValidationException',
      Message: 'A validation exception occurred',
      Elements: elements,
    })
    expect(error(400, exception(element(taken)))).toEqual({
      kind: 'duplicate',
      code: 'ValidationException',
      message: taken,
      fields: [{ native: 'Name', message: taken }],
    })
    const fields = error(
      400,
      exception({ ...element('Email address must be valid.'), Addresses: [element('PostalCode is wrong')] }),
    )?.fields
    expect(fields?.map(({ native }) => native)).toEqual(['EmailAddress', 'Addresses'])
  })
  it('inside a 200 is also an error', () => {
    expect(
      error(200, {
        Contacts: [
          { Name: 'x', StatusAttributeString: 'ERROR', ...element('Organisation is not subscribed to currency CHF') },
        ],
      }),
    ).toMatchObject({
      kind: 'invalid',
      fields: [{ native: 'DefaultCurrency' }],
    })
    expect(error(200, { Contacts: [{ Name: 'x', HasValidationErrors: false }] })).toBeUndefined()
  })
  it('of the gateway distinguishes an expired token, a missing scope and a disconnected organization', () => {
    const kindOf = (status: number, Detail?: string) => error(status, { Title: 'x', Status: status, Detail })?.kind
    expect([
      kindOf(401, 'TokenExpired: token expired'),
      kindOf(401, 'AuthorizationUnsuccessful'),
      kindOf(403, 'AuthenticationUnsuccessful'),
      kindOf(403),
    ]).toEqual(['token', 'forbidden', 'reconnect', 'forbidden'])
  })
  it('that is not in a format of Xero says nothing, unless it reports the remaining calls', () => {
    const missing = "The resource you're looking for cannot be found"
    expect(
      [
        error(403, { Message: 'Request blocked' }),
        error(400, {}),
        error(404, null),
        error(404, '<html>404 Not Found</html>'),
        error(404, missing),
        error(404, '', { 'x-minlimit-remaining': '59' }),
        error(400, { ErrorNumber: 14, Type: 'PostDataInvalidException', Message: 'Invalid Json data' }),
      ].map((found) => found?.kind),
    ).toEqual([undefined, undefined, undefined, undefined, 'not_found', 'not_found', 'invalid'])
  })
  it('of too many calls contains the exceeded limit and the wait', () => {
    const waits = { 'x-rate-limit-problem': 'day', 'retry-after': '7200' }
    expect(error(429, null, waits)).toMatchObject({ kind: 'throttled', code: 'day', retryAfterMs: 7_200_000 })
    expect([
      xero.throttle!({ status: 200, headers: { 'x-minlimit-remaining': '0' }, body: {} }),
      xero.throttle!({ status: 200, headers: {}, body: {} }),
    ]).toEqual([1000, 0])
  })
})

describe('the organization', () => {
  const connected = (...ids: string[]) =>
    ids.map((tenantId) => ({ tenantId, tenantType: 'ORGANISATION', tenantName: `Name of ${tenantId}` }))
  const found = (rows: object[], tenantId?: string) =>
    discover({ ...fakeCall(() => rows).call, account: { ...account, settings: tenantId ? { tenantId } : {} } })
  it('is the only one the token covers', async () => {
    expect(await found([{ tenantId: 'p', tenantType: 'PRACTICE' }, ...connected('a')])).toEqual({ tenantId: 'a' })
    expect(await found(connected('a', 'b'), 'b')).toEqual({})
  })
  it('is never guessed among several', async () => {
    await expect(found(connected('a', 'b'))).rejects.toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '/settings/tenantId', message: expect.stringContaining('b (Name of b)') }],
    })
    await expect(found(connected('a'), 'b')).rejects.toThrow('cannot be connected')
    await expect(found([])).rejects.toMatchObject({ errors: [{ message: expect.stringContaining('no organization') }] })
  })
})

describe('through the service', () => {
  let harness: Harness
  beforeAll(async () => {
    harness = await createHarness({ connectors: { xero }, simulators: { xero: createXeroSimulator }, platform: 'xero' })
  })
  afterAll(() => harness.close())
  const path = '/unified/xero-accounting/customer'
  const call = (method: string, at: string, body?: unknown) => harness.call(method, at, body, { prefer: 'wait=60' })

  it('a native call cannot end the connection', async () => {
    const native = { method: 'DELETE', path: '/connections/7', externalId: 'END' }
    const { status, body } = await call('POST', `/unified/${harness.accountId('accounting')}/native`, native)
    expect([status, body.errors]).toMatchObject([422, [{ pointer: '/path' }]])
  })

  it('returns 422 on /name for a taken name, and writes the corrected record with the same key', async () => {
    expect((await call('POST', path, { externalId: 'one', name: 'Ngā Puna' })).status).toBe(201)
    const refused = await call('POST', path, { externalId: 'two', name: 'ngā puna' })
    expect([refused.status, refused.body.code, refused.body.errors[0].pointer]).toEqual([
      422,
      'downstream_rejected',
      '/name',
    ])
    expect((await call('POST', path, { externalId: 'two', name: 'Te Puna' })).status).toBe(201)
  })
  it('returns 422 on /currencyCode for a currency that the organization does not use', async () => {
    const refused = await call('POST', path, { externalId: 'francs', name: 'Genève', currencyCode: 'CHF' })
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/currencyCode'])
  })
  it('applies the same change again later instead of replaying a response', async () => {
    const { data } = (await call('POST', path, { externalId: 'again', name: 'Again', phone: '1' })).body
    for (const phone of ['2', '3', '2'])
      expect((await call('PUT', `${path}/${data.externalId}`, { ...data, phone })).body.data.phone).toBe(phone)
    expect((await call('PUT', `${path}/${data.externalId}`, { ...data, active: false })).body.data.active).toBe(false)
    expect((await call('GET', `${path}/${data.externalId}`)).body.data.active).toBe(false)
    expect((await call('PUT', `${path}/${data.externalId}`, { ...data, active: true })).body.data).toEqual(data)
  })
  it('repeats a refresh with a lost response with the old token, within its grace period', async () => {
    harness.tenants[0]!.expireTokens()
    harness.sandbox.fault('xero', { kind: 'reset_after', path: '/connect/token', times: 1 })
    expect((await call('GET', path)).status).toBe(200)
    expect(harness.sandbox.calls('xero').filter(({ path }) => path === '/connect/token')).toHaveLength(2)
  })
  it('needs neither consent nor a refresh token nor an organization for a custom connection', async () => {
    harness.sandbox.clearCalls('xero')
    const { clientId, clientSecret } = harness.tenants[0]!.credentials
    const connected = await harness.manage('POST', '/accounts', {
      id: 'custom',
      platform: 'xero',
      vertical: 'accounting',
      credentials: { clientId, clientSecret },
    })
    expect([connected.status, connected.body.auth]).toEqual([201, 'client_credentials'])
    expect(connected.body.settings).toEqual({})
    expect((await call('GET', '/unified/custom/customer?pageSize=1')).body.data).toHaveLength(1)
    const retested = await harness.manage('PATCH', '/accounts/custom', { settings: { addressType: 'POBOX' } })
    expect([retested.status, retested.body.settings]).toEqual([200, { addressType: 'POBOX' }])
    expect(harness.sandbox.calls('xero').filter(({ path }) => path === '/connections')).toEqual([])
  })
})
