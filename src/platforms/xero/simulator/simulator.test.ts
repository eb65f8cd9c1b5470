// Xero's own SDK reads and writes the simulator: an independent check of its wire format.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Contact, XeroClient } from 'xero-node'
import { createState } from '../../../sandbox/collection.ts'
import { createMovableClock } from '../../../sandbox/movable-clock.ts'
import { createSandbox, type Sandbox } from '../../../sandbox/sandbox.ts'
import type { Tenant } from '../../../sandbox/simulator.ts'
import { createXeroSimulator } from './simulator.ts'

let sandbox: Sandbox
let tenant: Tenant
let sdk: XeroClient['accountingApi']
let tenantId: string

const raw = async (
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string } = {},
) => {
  const response = await fetch(sandbox.origin('xero') + path, {
    method,
    headers: { authorization: `Bearer ${tenant.credentials.accessToken}`, ...headers },
    body,
    redirect: 'manual',
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const form = (fields: Record<string, string>) => ({
  headers: {
    authorization: `Basic ${Buffer.from(`${tenant.credentials.clientId}:${tenant.credentials.clientSecret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: new URLSearchParams(fields).toString(),
})
const exchange = async (fields: Record<string, string>) => {
  const { status, text } = await raw('POST', '/connect/token', form(fields))
  return { status, ...(JSON.parse(text) as { access_token?: string; refresh_token?: string; error?: string }) }
}
const page = async (
  number: number,
  {
    archived = true,
    since,
    order = 'ContactID ASC',
    where,
  }: { archived?: boolean; since?: Date; order?: string; where?: string } = {},
) => (await sdk.getContacts(tenantId, since, where, order, undefined, number, archived, undefined, undefined, 100)).body
/** The SDK rejects with a JSON string. */
const refusal = async (call: Promise<unknown>) => {
  const error = await call.then(
    () => undefined,
    (thrown: string) => JSON.parse(thrown),
  )
  return { status: error?.response?.statusCode, body: error?.response?.body }
}

beforeAll(async () => {
  sandbox = await createSandbox({ simulators: { xero: createXeroSimulator }, size: 'full', strict: false })
  tenant = sandbox.simulator('xero').tenants[0]!
  const client = new XeroClient({
    clientId: tenant.credentials.clientId!,
    clientSecret: tenant.credentials.clientSecret!,
  })
  client.setTokenSet({ access_token: tenant.credentials.accessToken })
  sdk = client.accountingApi
  sdk.basePath = `${sandbox.origin('xero')}/api.xro/2.0`
  const [connection] = JSON.parse((await raw('GET', '/connections')).text)
  expect(connection).toMatchObject({ tenantType: 'ORGANISATION', tenantName: 'Kōwhai & Sons Ltd' })
  tenantId = connection.tenantId
})
afterAll(() => sandbox.close())

describe('the SDK', () => {
  it('walks all contacts, including archived ones, and reads dates, addresses and currencies', async () => {
    const contacts: Contact[] = []
    const { pagination } = await page(1)
    for (let number = 1; number <= pagination!.pageCount!; number += 1) contacts.push(...(await page(number)).contacts!)
    expect(contacts.map(({ contactID }) => contactID).sort()).toEqual(tenant.records.customer!.ids().sort())
    expect(pagination).toEqual({ page: 1, pageSize: 100, pageCount: 5, itemCount: 480 })
    expect((await page(6)).contacts).toEqual([])
    expect(
      contacts.every(({ updatedDateUTC }) => updatedDateUTC instanceof Date && updatedDateUTC.getTime() < Date.now()),
    ).toBe(true)
    expect(contacts.every(({ addresses, phones }) => addresses!.length === 2 && phones!.length === 4)).toBe(true)
    expect(new Set(contacts.map(({ contactStatus }) => contactStatus))).toEqual(
      new Set(['ACTIVE', 'ARCHIVED', 'GDPRREQUEST']),
    )
    expect(new Set(contacts.map(({ defaultCurrency }) => defaultCurrency)).size).toBeGreaterThanOrEqual(6)
    expect(contacts.some(({ addresses }) => addresses!.some(({ addressLine4 }) => addressLine4))).toBe(true)
    expect(contacts.some(({ firstName, lastName }) => !firstName && !lastName)).toBe(true)
    expect(contacts.some(({ mergedToContactID }) => mergedToContactID)).toBe(true)
    expect(contacts.some(({ name }) => /[^\u0020-\u024f]/.test(name!))).toBe(true)
    expect((await page(1, { archived: false })).pagination!.itemCount).toBeLessThan(480)
  })
  it('requests contacts modified since a time, to the second', async () => {
    const [id] = tenant.records.customer!.ids() as [string]
    tenant.records.customer!.touch(id)
    const { updatedDateUTC: touched } = (await sdk.getContact(tenantId, id)).body.contacts![0]!
    const found = async (since: Date) => (await page(1, { since })).contacts!.map(({ contactID }) => contactID)
    expect(await found(touched!)).toEqual([id])
    expect(await found(new Date(touched!.getTime() + 1000))).toEqual([])
  })
  it('filters, orders and reads by contact number', async () => {
    const { contacts } = await page(1, { order: 'UpdatedDateUTC DESC' })
    const times = contacts!.map(({ updatedDateUTC }) => updatedDateUTC!.getTime())
    expect(times).toEqual(times.toSorted((left, right) => right - left))
    const numbered = contacts!.find(({ contactNumber }) => contactNumber)!
    expect((await sdk.getContactByContactNumber(tenantId, numbered.contactNumber!)).body.contacts![0]!.contactID).toBe(
      numbered.contactID,
    )
    expect(
      (await page(1, { where: `ContactNumber=="${numbered.contactNumber}"` })).contacts!.map(
        ({ contactID }) => contactID,
      ),
    ).toEqual([numbered.contactID])
    expect(await refusal(page(1, { order: 'Nonsense' }))).toMatchObject({
      status: 400,
      body: { Type: 'QueryParseException' },
    })
    expect((await refusal(sdk.getContact(tenantId, '00000000-0000-4000-8000-000000000000'))).status).toBe(404)
  })
  it('creates, is replayed with the same idempotency key, changes, archives and restores', async () => {
    const contact: Contact = {
      name: 'Ngā Puna',
      contactNumber: 'ext-1',
      phones: [{ phoneType: 'MOBILE' as never, phoneNumber: '1' }],
      contactStatus: Contact.ContactStatusEnum.ARCHIVED,
    }
    const create = () => sdk.createContacts(tenantId, { contacts: [contact] }, true, 'key-1')
    const { contactID: id, ...created } = (await create()).body.contacts![0]!
    expect(created).toMatchObject({ name: 'Ngā Puna', contactStatus: 'ACTIVE', isCustomer: false })
    expect((await create()).body.contacts![0]!.contactID).toBe(id)
    expect((await refusal(sdk.createContacts(tenantId, { contacts: [{ name: 'Other' }] }, true, 'key-1'))).status).toBe(
      400,
    )
    const change = async (changed: Contact) =>
      (await sdk.updateContact(tenantId, id!, { contacts: [changed] })).body.contacts![0]!
    const street = { addressType: 'STREET' as never, addressLine1: '1 Quay St' }
    expect(
      (await change({ emailAddress: 'nga@example.com', addresses: [street] })).phones!.find(
        ({ phoneNumber }) => phoneNumber,
      )?.phoneNumber,
    ).toBe('1')
    expect(await change({ contactStatus: Contact.ContactStatusEnum.ARCHIVED })).toMatchObject({
      contactStatus: 'ARCHIVED',
      emailAddress: 'nga@example.com',
    })
    // The name of an archived contact is available.
    await sdk.createContacts(tenantId, { contacts: [{ name: 'ngā puna' }] }, true)
    expect(
      (await refusal(change({ contactStatus: Contact.ContactStatusEnum.ACTIVE }))).body.Elements[0].ValidationErrors[0]
        .Message,
    ).toContain('unique across all active contacts')
    expect(await change({ contactStatus: Contact.ContactStatusEnum.ACTIVE, name: 'Te Puna' })).toMatchObject({
      contactStatus: 'ACTIVE',
      name: 'Te Puna',
    })
  })
  it('gets validation errors as 400, or per element on request', async () => {
    const contacts: Contact[] = [
      { name: 'Fine' },
      { name: 'Fine' },
      { name: 'Abroad', defaultCurrency: 'CHF' as never },
      { emailAddress: 'a@example.com' },
    ]
    const before = tenant.records.customer!.ids().length
    expect(await refusal(sdk.createContacts(tenantId, { contacts }, true))).toMatchObject({
      status: 400,
      body: {
        Type: 'ValidationException',
        ErrorNumber: 10,
        Elements: [{ Name: 'Abroad' }, { ValidationErrors: [{ Message: 'Contact Name cannot be empty.' }] }],
      },
    })
    expect(tenant.records.customer!.ids()).toHaveLength(before)
    const mixed = (await sdk.createContacts(tenantId, { contacts }, false)).body.contacts!
    expect(mixed.map(({ statusAttributeString }) => statusAttributeString)).toEqual(['OK', 'ERROR', 'ERROR', 'ERROR'])
  })
  it('must send the connected organization', async () => {
    expect(await refusal(sdk.getContacts('11111111-1111-4111-8111-111111111111'))).toMatchObject({
      status: 403,
      body: { Detail: 'AuthenticationUnsuccessful' },
    })
  })
})

describe('the identity service', () => {
  it('requests consent, exchanges the code, and rotates refresh tokens with a grace period of half an hour', async () => {
    const asked = {
      response_type: 'code',
      client_id: tenant.credentials.clientId!,
      redirect_uri: 'http://127.0.0.1/back',
      scope: 'offline_access accounting.contacts.read',
      state: 's1',
    }
    const consent = await raw('GET', `/identity/connect/authorize?${new URLSearchParams(asked)}`)
    expect(consent.text).toContain('Kōwhai &amp; Sons Ltd')
    const agreed = await raw(
      'POST',
      '/identity/connect/authorize',
      form({ ...asked, tenant: 'accounting', decision: 'approve' }),
    )
    const back = new URL(agreed.headers.get('location')!)
    expect(back.searchParams.get('state')).toBe('s1')
    const first = await exchange({
      grant_type: 'authorization_code',
      code: back.searchParams.get('code')!,
      redirect_uri: asked.redirect_uri,
    })
    const second = await exchange({ grant_type: 'refresh_token', refresh_token: first.refresh_token! })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect((await exchange({ grant_type: 'refresh_token', refresh_token: first.refresh_token! })).status).toBe(200)
    const reader = {
      authorization: `Bearer ${second.access_token}`,
      'xero-tenant-id': tenantId,
      'content-type': 'application/json',
      accept: 'application/json',
    }
    expect((await raw('GET', '/api.xro/2.0/Contacts?page=1', { headers: reader })).status).toBe(200)
    const write = await raw('PUT', '/api.xro/2.0/Contacts', { headers: reader, body: '{"Contacts":[{"Name":"x"}]}' })
    expect([write.status, JSON.parse(write.text).Detail]).toEqual([401, 'AuthorizationUnsuccessful'])
    expect(await exchange({ grant_type: 'refresh_token', refresh_token: 'unknown' })).toEqual({
      status: 400,
      error: 'invalid_grant',
    })
  })
  it('needs no organization with the token of a custom connection, and does not list it', async () => {
    const { accessToken: authorized } = tenant.credentials
    const login = form({ grant_type: 'client_credentials', scope: 'accounting.contacts' })
    const { access_token: custom } = JSON.parse((await raw('POST', '/connect/token', login)).text)
    const status = async (token: string | undefined, path: string, headers = {}) =>
      (await raw('GET', path, { headers: { authorization: `Bearer ${token}`, ...headers } })).status
    expect([await status(custom, '/connections'), await status(authorized, '/connections')]).toEqual([403, 200])
    const contacts = '/api.xro/2.0/Contacts'
    expect([await status(custom, contacts), await status(authorized, contacts)]).toEqual([200, 403])
    expect(await status(custom, contacts, { 'xero-tenant-id': tenantId })).toBe(200)
    expect(await status(custom, contacts, { 'xero-tenant-id': crypto.randomUUID() })).toBe(403)
  })
  it('rejects the old refresh token after its grace period', async () => {
    const time = createMovableClock(Date.parse('2026-03-01T00:00:00Z'))
    const simulator = createXeroSimulator({
      size: 'small',
      now: time.now,
      seededAt: time.now(),
      state: createState(),
      origin: 'http://127.0.0.1',
    })
    const { refreshToken = '', clientId = '', clientSecret = '' } = simulator.tenants[0]!.credentials
    const refresh = async () => {
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: refreshToken,
        client_id: clientId,
        client_secret: clientSecret,
      }).toString()
      return (
        await simulator.handle({
          method: 'POST',
          path: '/connect/token',
          query: new URLSearchParams(),
          headers: {},
          body,
        })
      ).status
    }
    const responses = [await refresh()]
    time.skip(29 * 60_000)
    responses.push(await refresh())
    time.skip(2 * 60_000)
    expect([...responses, await refresh()]).toEqual([200, 200, 400])
  })
  it('responds in XML unless JSON is requested', async () => {
    const { text } = await raw('GET', '/api.xro/2.0/Contacts?page=1', {
      headers: { accept: '*/*', 'xero-tenant-id': tenantId },
    })
    expect(text).toMatch(/^<Response>/)
  })
})

it('seeds the same contacts each time', () => {
  const options = {
    size: 'full' as const,
    now: Date.now,
    seededAt: Date.parse('2026-03-01T00:00:00Z'),
    origin: 'http://127.0.0.1',
  }
  const [first, second] = [createState(), createState()]
  createXeroSimulator({ ...options, state: first })
  createXeroSimulator({ ...options, state: second })
  expect(first.collection('contacts').values()).toEqual(second.collection('contacts').values())
})
