// An independent QuickBooks client calls the simulator to verify its wire format.
import nodeQuickbooks, { type QuickBooks as Client, type QuickBooksCallback } from 'node-quickbooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../../sandbox/sandbox.ts'
import type { Tenant } from '../../../sandbox/simulator.ts'
import { createQuickbooksOnlineSimulator } from './simulator.ts'

const platform = 'quickbooks-online'
// Its types declare a default export inside the default export.
const QuickBooks = nodeQuickbooks as unknown as typeof Client
let sandbox: Sandbox
let tenant: Tenant
let client: Client
beforeAll(async () => {
  sandbox = await createSandbox({
    simulators: { [platform]: createQuickbooksOnlineSimulator },
    size: 'full',
    strict: false,
  })
  tenant = sandbox.simulator(platform).tenants[0]!
  QuickBooks.V3_ENDPOINT_BASE_URL = `${sandbox.origin(platform)}/v3/company/`
  QuickBooks.TOKEN_URL = `${sandbox.origin(platform)}/oauth2/v1/tokens/bearer`
  const { clientId, clientSecret, accessToken, refreshToken } = tenant.credentials as Record<string, string>
  client = new QuickBooks(
    clientId!,
    clientSecret!,
    accessToken!,
    false,
    tenant.settings.realmId!,
    true,
    false,
    null,
    '2.0',
    refreshToken,
  )
})
afterAll(() => sandbox.close())

// biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
type Answer = any
const ask = (run: (callback: QuickBooksCallback<Answer>) => void): Promise<Answer> =>
  new Promise((resolve, reject) => run((error, data) => (error ? reject(error) : resolve(data))))
const refused = async (run: (callback: QuickBooksCallback<Answer>) => void) => {
  const error: Answer = await ask(run).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  return [error?.response?.status, error?.response?.data?.Fault?.Error[0].code]
}
const raw = async (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) => {
  const response = await fetch(`${sandbox.origin(platform)}${path}`, {
    redirect: 'manual',
    ...init,
    headers: { authorization: `Bearer ${tenant.credentials.accessToken}`, accept: 'application/json', ...init.headers },
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text.startsWith('{') ? (JSON.parse(text) as Answer) : undefined,
  }
}
const company = () => `/v3/company/${tenant.settings.realmId}`
const query = (statement: string) => raw(`${company()}/query?query=${encodeURIComponent(statement)}`)

describe('node-quickbooks', () => {
  it('finds all customers over several pages, and only active ones by default', async () => {
    const criteria = [
      { field: 'fetchAll', value: true },
      { field: 'limit', value: 100 },
      { field: 'asc', value: 'MetaData.CreateTime' },
    ]
    const idsOf = ({ QueryResponse }: Answer) => QueryResponse.Customer.map(({ Id }: Answer) => Id)
    const active = await ask((done) => client.findCustomers(criteria, done))
    const all = await ask((done) =>
      client.findCustomers([...criteria, { field: 'Active', operator: 'IN', value: [true, false] }], done),
    )
    expect(idsOf(all).toSorted()).toEqual(tenant.records.customer!.ids().toSorted())
    expect(idsOf(active).length).toBeLessThan(idsOf(all).length)
    const { QueryResponse } = await ask((done) => client.findCustomers({ count: true, Active: true }, done))
    expect(QueryResponse).toEqual({ totalCount: idsOf(active).length })
  })
  it('creates once per request id, updates, and is rejected with a stale SyncToken', async () => {
    const newCustomer = () => ({
      DisplayName: "Wiener's & Söhne",
      PrimaryEmailAddr: { Address: 'a@example.com' },
      requestId: 'request-1',
    })
    const made = await ask((done) => client.createCustomer(newCustomer(), done))
    expect(await ask((done) => client.createCustomer(newCustomer(), done))).toEqual(made)
    const found = await ask((done) =>
      client.findCustomers([{ field: 'DisplayName', operator: 'LIKE', value: "%wiener's &%" }], done),
    )
    expect(found.QueryResponse.Customer).toEqual([made])
    const changed = await ask((done) =>
      client.updateCustomer({ Id: made.Id, SyncToken: made.SyncToken, Notes: 'New' }, done),
    )
    expect(changed).toMatchObject({ SyncToken: '1', Notes: 'New', PrimaryEmailAddr: { Address: 'a@example.com' } })
    expect(
      await refused((done) => client.updateCustomer({ Id: made.Id, SyncToken: '0', Notes: 'Newer' }, done)),
    ).toEqual([400, '5010'])
    expect(await refused((done) => client.createCustomer({ DisplayName: "wiener's & söhne" }, done))).toEqual([
      400,
      '6240',
    ])
    const replaced = await ask((done) =>
      client.updateCustomer({ Id: made.Id, SyncToken: '1', sparse: false, DisplayName: made.DisplayName }, done),
    )
    expect([replaced.Notes, replaced.PrimaryEmailAddr, replaced.CurrencyRef.value]).toEqual([
      undefined,
      undefined,
      'USD',
    ])
    expect(await refused((done) => client.getCustomer('999999', done))).toEqual([400, '610'])
  })
  it('renews its tokens, and the old refresh token works for one more day', async () => {
    const old = client.refreshToken
    const first = await ask((done) => client.refreshAccessToken(done))
    expect([first.expires_in, first.refresh_token !== old]).toEqual([3600, true])
    expect(await ask((done) => client.getCustomer('1', done))).toMatchObject({ Id: '1' })
    client.refreshToken = old
    expect((await ask((done) => client.refreshAccessToken(done))).access_token).not.toBe(first.access_token)
  })
})

describe('the query language', () => {
  it.each([
    ['SELECT * FROM Customer WHERE Active = true OR Active = false', '4000'],
    ['SELECT * FROM Customer WHERE NOT Active = true', '4001'],
    ["SELECT * FROM Customer WHERE DisplayName = 'O'Neill'", '4000'],
    ["SELECT * FROM Customer WHERE DisplayName != 'x'", '4000'],
    ['SELECT Id FROM', '4000'],
    ['', '4000'],
    ["SELECT * FROM Customer WHERE Notes = 'x'", '4001'],
    ["SELECT * FROM Customer WHERE MetaData.CreateTime > 'yesterday'", '4001'],
    ['SELECT * FROM Customer ORDERBY Notes', '4001'],
    ['SELECT * FROM Customer STARTPOSITION 0', '4001'],
    ['SELECT * FROM Customer MAXRESULTS 1001', '4001'],
    ['SELECT * FROM Customer MAXRESULTS 10 STARTPOSITION 1', '4000'],
    ['SELECT * FROM Unicorn', '4001'],
  ])('rejects %s', async (statement, code) => {
    const { status, body } = await query(statement)
    expect([status, body.Fault.Error[0].code]).toEqual([400, code])
  })
  it('returns 100 rows by default, the number of rows of the page, and no key if there are none', async () => {
    expect((await query('select * from Customer')).body.QueryResponse).toMatchObject({
      startPosition: 1,
      maxResults: 100,
    })
    const { body } = await query(
      "SELECT * FROM Customer WHERE Active IN (false) AND MetaData.LastUpdatedTime >= '2001-01-01T00:00:00-08:00' ORDER BY Id DESC STARTPOSITION 3 MAXRESULTS 2",
    )
    expect(body.QueryResponse).toMatchObject({
      startPosition: 3,
      maxResults: 2,
      Customer: [{ Active: false }, { Active: false }],
    })
    expect((await query("SELECT * FROM Customer WHERE DisplayName = 'unknown'")).body).toEqual({
      QueryResponse: {},
      time: expect.stringMatching(/-0[78]:00$/),
    })
    expect(
      (
        await raw(`${company()}/query`, {
          method: 'POST',
          body: 'select count(*) from Customer',
          headers: { 'content-type': 'application/text' },
        })
      ).body.QueryResponse.totalCount,
    ).toBeGreaterThan(300)
  })
})

describe('the gateway', () => {
  it('responds in XML unless JSON is requested', async () => {
    const { text, headers } = await raw(`${company()}/customer/1`, { headers: { accept: '*/*' } })
    expect(headers.get('content-type')).toContain('xml')
    expect(text).toMatch(/<IntuitResponse [^>]*time=".*<Customer domain="QBO" sparse="false">.*<Id>1<\/Id>/)
  })
  it('rejects another company and an unknown token in its own envelope', async () => {
    const foreign = await raw('/v3/company/1/customer/1')
    expect([foreign.status, foreign.body.fault.error[0].code]).toEqual([403, '3100'])
    const unknown = await raw(`${company()}/customer/1`, { headers: { authorization: 'Bearer x' } })
    expect([unknown.status, unknown.body.fault.error[0].code, unknown.headers.has('intuit_tid')]).toEqual([
      401,
      '3200',
      true,
    ])
  })
  it('sends the company id with the code when the owner consents', async () => {
    const { clientId, clientSecret } = tenant.credentials as Record<string, string>
    const asked = {
      client_id: clientId!,
      response_type: 'code',
      scope: 'com.intuit.quickbooks.accounting',
      redirect_uri: 'https://app.example/callback',
      state: 'S1',
    }
    expect((await raw(`/connect/oauth2?${new URLSearchParams(asked)}`)).text).toContain('Harbor Books &amp; Co.')
    const form = new URLSearchParams({ ...asked, tenant: tenant.settings.realmId!, decision: 'approve' })
    const { status, headers } = await raw('/connect/oauth2', { method: 'POST', body: form.toString() })
    const back = new URL(headers.get('location')!)
    expect([status, back.searchParams.get('state'), back.searchParams.get('realmId')]).toEqual([
      302,
      'S1',
      tenant.settings.realmId,
    ])
    const exchange = () =>
      raw('/oauth2/v1/tokens/bearer', {
        method: 'POST',
        headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          code: back.searchParams.get('code')!,
          redirect_uri: asked.redirect_uri,
        }).toString(),
      })
    expect((await exchange()).body).toMatchObject({
      token_type: 'bearer',
      expires_in: 3600,
      x_refresh_token_expires_in: expect.any(Number),
    })
    expect((await exchange()).body).toMatchObject({ error: 'invalid_grant' })
  })
})
