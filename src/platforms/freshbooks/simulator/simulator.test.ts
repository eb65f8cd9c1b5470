// The simulator's wire format, compared with the vendor's documentation. sdk.test.ts compares it with the vendor's SDK.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, type Sandbox } from '../../../sandbox/sandbox.ts'
import type { Tenant } from '../../../sandbox/simulator.ts'
import { createFreshbooksSimulator } from './simulator.ts'

const platform = 'freshbooks'
const base = '/accounting/account/LJArJ4/users/clients'
// biome-ignore lint/suspicious/noExplicitAny: responses of many shapes
type Answer = any
let sandbox: Sandbox
let tenant: Tenant
beforeAll(async () => {
  sandbox = await createSandbox({ simulators: { [platform]: createFreshbooksSimulator }, size: 'full', strict: false })
  tenant = sandbox.simulator(platform).tenants[0]!
})
afterAll(() => sandbox.close())

async function ask(method: string, path: string, body?: unknown, token = tenant.credentials.accessToken) {
  const response = await fetch(`${sandbox.origin(platform)}${path}`, {
    method,
    redirect: 'manual',
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: (text.startsWith('{') ? JSON.parse(text) : undefined) as Answer,
  }
}
const list = async (query = '') => (await ask('GET', `${base}?${query}`)).body.response.result
const errnoOf = async (reply: ReturnType<typeof ask>) => {
  const { status, body } = await reply
  return [status, body.response.errors[0].errno, body.response.errors[0].field]
}

describe('lists', () => {
  it('contain 15 rows by default and at most 100, are empty past their end, and begin at 0 as well as at 1', async () => {
    const { clients, ...numbers } = await list()
    expect([clients.length, numbers]).toEqual([15, { page: 1, pages: 32, per_page: 15, total: 469 }])
    expect((await list('per_page=500')).clients).toHaveLength(100)
    expect((await list('page=99')).clients).toEqual([])
    expect((await list('page=0')).clients).toEqual(clients)
    expect(await errnoOf(ask('GET', `${base}?page=-1`))).toEqual([422, 1014, 'page'])
    expect(await errnoOf(ask('GET', `${base}?per_page=x`))).toEqual([422, 1013, 'per_page'])
  })
  it('omit deleted clients, and return one state on request', async () => {
    const counts = await Promise.all(
      ['', '0', '1', '2'].map(async (state) => (await list(state && `search[vis_state]=${state}`)).total as number),
    )
    expect(counts[0]).toBe(counts[1]! + counts[3]!)
    expect(counts[2]).toBeGreaterThan(20)
  })
  it('are searched by substring, by exact email, and by date', async () => {
    expect(
      (await list('search%5Borganization_like%5D=zo%C3%AB')).clients.every(({ organization }: Answer) =>
        organization.includes('Zoë'),
      ),
    ).toBe(true)
    expect((await list('search[email]=unknown@example.com')).total).toBe(0)
    expect((await list('search[updated_min]=2999-01-01')).total).toBe(0)
    expect(await errnoOf(ask('GET', `${base}?search[updated_min]=2026-01-01T00:00:00Z`))).toEqual([
      422,
      1033,
      'updated_min',
    ])
  })
  it('contain difficult data: other scripts, several currencies, addresses of four lines, clients without a name', async () => {
    const rows: Answer[] = (
      await Promise.all([1, 2, 3, 4, 5].map((page) => list(`per_page=100&page=${page}`)))
    ).flatMap(({ clients }) => clients)
    expect(new Set(rows.map(({ currency_code: code }) => code)).size).toBeGreaterThan(4)
    for (const keep of [
      (row: Answer) => /[\u3040-\u9fff\u0400-\u04ff]/.test(row.fname + row.lname),
      (row: Answer) => /\n/.test(row.p_street) && /\n/.test(row.p_street2),
      (row: Answer) => !row.fname && !row.lname && !row.organization,
      (row: Answer) => row.vis_state === 2,
      (row: Answer) => row.note === null,
    ])
      expect(rows.filter(keep).length).toBeGreaterThan(5)
  })
})

describe('clients', () => {
  it('are created active, without an organization if none is given, and with times in two zones', async () => {
    const { status, body } = await ask('POST', base, {
      client: { fname: 'Ada', lname: 'Lovelace', vis_state: 2, unknown: 1 },
    })
    const { client } = body.response.result
    expect(status).toBe(200)
    expect(client).toMatchObject({
      organization: '',
      vis_state: 0,
      note: null,
      p_street: '',
      currency_code: 'USD',
      userid: client.id,
    })
    const hours = (Date.parse(`${client.signup_date}Z`) - Date.parse(`${client.updated}Z`)) / 3_600_000
    expect([4, 5]).toContain(hours)
    expect(client).not.toHaveProperty('unknown')
  })
  it('need a name', async () => {
    expect(await errnoOf(ask('POST', base, { client: { p_city: 'X' } }))).toEqual([422, 1001, 'organization'])
    expect(await errnoOf(ask('POST', base, {}))).toEqual([422, 1001, 'client'])
    expect(await errnoOf(ask('POST', base, '{'))).toEqual([400, 1005, ''])
  })
  it('accept either a state or data, and silently ignore the rest', async () => {
    const { id } = (await ask('POST', base, { client: { organization: 'Phases', p_street2: 'Unit 5' } })).body.response
      .result.client
    const change = async (client: object) =>
      (await ask('PUT', `${base}/${id}`, { client })).body.response.result?.client
    expect(await change({ vis_state: 0, organization: 'Lost' })).toMatchObject({ vis_state: 0, organization: 'Phases' })
    expect(await change({ p_street2: null, note: null })).toMatchObject({
      p_street2: '',
      note: null,
      organization: 'Phases',
    })
    expect(await change({ vis_state: 1 })).toMatchObject({ vis_state: 1 })
    expect(await errnoOf(ask('PUT', `${base}/${id}`, { client: { organization: 'X' } }))).toEqual([422, 1011, 'userid'])
    expect(await errnoOf(ask('PUT', `${base}/${id}`, { client: { vis_state: 7 } }))).toEqual([422, 1004, 'vis_state'])
    expect(await errnoOf(ask('GET', `${base}/1`))).toEqual([404, 1012, 'userid'])
  })
})

describe('access', () => {
  it('rejects an unknown token with the error of the called service', async () => {
    expect(await errnoOf(ask('GET', base, undefined, 'x'))).toEqual([401, 1003, ''])
    expect((await ask('GET', '/auth/api/v1/users/me', undefined, 'x')).body).toMatchObject({ error: 'unauthenticated' })
    expect(await errnoOf(ask('GET', '/accounting/account/zDmNq/users/clients'))).toEqual([403, 1003, ''])
  })
  it('returns the businesses of the user who consented', async () => {
    const { response } = (await ask('GET', '/auth/api/v1/users/me')).body
    expect(response.business_memberships[0].business).toMatchObject({
      account_id: 'LJArJ4',
      business_uuid: expect.any(String),
    })
  })
  it('issues a code after consent, tokens for the code once, and new tokens for a refresh token once', async () => {
    const { clientId, clientSecret } = tenant.credentials as Record<string, string>
    const redirect = 'https://app.example/callback'
    const asked = {
      client_id: clientId!,
      response_type: 'code',
      redirect_uri: redirect,
      scope: 'user:clients:read',
      state: 'S1',
    }
    expect((await ask('GET', `/oauth/authorize?${new URLSearchParams(asked)}`)).text).toContain(
      'Harbor Books &amp; Co.',
    )
    expect(
      (await ask('GET', `/oauth/authorize?${new URLSearchParams({ ...asked, redirect_uri: `${redirect}?a=1` })}`))
        .status,
    ).toBe(400)
    const { status, headers } = await ask(
      'POST',
      '/oauth/authorize',
      new URLSearchParams({ ...asked, tenant: 'LJArJ4', decision: 'approve' }).toString(),
    )
    const back = new URL(headers.get('location')!)
    expect([status, back.searchParams.get('state')]).toEqual([302, 'S1'])
    const token = (fields: object) =>
      ask('POST', '/auth/oauth/token', {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uri: redirect,
        ...fields,
      })
    const exchange = { grant_type: 'authorization_code', code: back.searchParams.get('code') }
    const { body } = await token(exchange)
    expect(body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 43_200,
      scope: 'user:clients:read',
      created_at: expect.any(Number),
    })
    expect((await token(exchange)).body.error).toBe('invalid_grant')
    expect((await ask('GET', base, undefined, body.access_token)).status).toBe(200)
    expect((await ask('POST', base, { client: { organization: 'X' } }, body.access_token)).status).toBe(403)
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    expect((await token(refresh)).body.refresh_token).not.toBe(body.refresh_token)
    expect((await token(refresh)).body.error).toBe('invalid_grant')
    expect((await token({ ...refresh, client_secret: 'x' })).body.error).toBe('invalid_client')
  })
})
