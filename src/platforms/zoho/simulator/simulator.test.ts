// The simulators, used by a client that is written only from Zoho's documentation.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMovableClock } from '../../../sandbox/movable-clock.ts'
import { createSandbox, type Sandbox } from '../../../sandbox/sandbox.ts'
import { books } from '../../zoho-books/simulator/simulator.ts'
import { createZohoSimulator } from './simulator.ts'

const platform = 'zoho-books'
const api = '/books/v3'
const organization = 'organization_id=10229182'
const clock = createMovableClock()
let sandbox: Sandbox
let credentials: Readonly<Record<string, string>>
beforeAll(async () => {
  sandbox = await createSandbox({
    simulators: { [platform]: createZohoSimulator({ ...books, assignsNumbers: true }) },
    size: 'full',
    strict: false,
    now: clock.now,
  })
  credentials = { ...sandbox.simulator(platform).tenants[0]!.credentials }
})
afterAll(() => sandbox.close())

async function ask(
  method: string,
  path: string,
  {
    token = credentials.accessToken,
    body,
    form,
  }: { token?: string; body?: object; form?: Record<string, string> } = {},
) {
  const response = await fetch(sandbox.origin(platform) + path, {
    method,
    redirect: 'manual',
    headers: { authorization: `Zoho-oauthtoken ${token}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(form && { body: new URLSearchParams(form) }),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: the tests read responses of every shape
  const read: any = text.startsWith('{') ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body: read }
}
const contacts = (query: string) => ask('GET', `${api}/contacts?${organization}&${query}`)
const code = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [status, body.code]

describe('the API', () => {
  it('requires its own scheme, a valid token, an organization of the user, a scope and an existing path', async () => {
    const bearer = await fetch(`${sandbox.origin(platform)}${api}/contacts?${organization}`, {
      headers: { authorization: `Bearer ${credentials.accessToken}` },
    })
    expect(bearer.status).toBe(401)
    expect(code(await ask('GET', `${api}/contacts?${organization}`, { token: 'wrong' }))).toEqual([401, 14])
    expect(code(await ask('GET', `${api}/contacts`))).toEqual([401, 6041])
    expect(code(await ask('GET', `${api}/contacts?organization_id=1`))).toEqual([401, 6041])
    expect(code(await ask('GET', `${api}/nothing?${organization}`))).toEqual([404, 5])
    expect(code(await ask('PATCH', `${api}/contacts?${organization}`))).toEqual([405, 37])
    expect(code(await ask('GET', `${api}/contacts/999?${organization}`))).toEqual([404, 1002])
    expect(code(await ask('GET', `${api}/contacts/abc?${organization}`))).toEqual([400, 2])
  })
  it('lists only active contacts by default, in pages of at most 200, and returns the sort order', async () => {
    const { body } = await contacts('per_page=500')
    expect(body.contacts).toHaveLength(200)
    expect(body.page_context).toEqual({
      page: 1,
      per_page: 200,
      has_more_page: true,
      applied_filter: 'Status.Active',
      sort_column: 'contact_name',
      sort_order: 'A',
    })
    expect(new Set(body.contacts.map(({ status }: { status: string }) => status))).toEqual(new Set(['active']))
    expect(Object.keys(body.contacts[0])).not.toContain('notes')
    const inactive = await contacts('filter_by=Status.Inactive&contact_type=customer')
    expect(inactive.body.contacts.length).toBeGreaterThan(40)
    expect(code(await contacts('sort_column=notes'))).toEqual([400, 2])
    expect(code(await contacts(`search_text=${'x'.repeat(101)}`))).toEqual([400, 15])
    // Not a filter, so it is ignored.
    expect((await contacts('contact_number=CUS-00001')).body.contacts).toHaveLength(200)
  })
  it('has contacts in several currencies, with and without names, in other scripts and with addresses of four lines', async () => {
    const rows = await Promise.all(
      [1, 2, 3].map(
        async (page) => (await contacts(`filter_by=Status.All&contact_type=customer&page=${page}`)).body.contacts,
      ),
    )
    const all = rows.flat() as Record<string, string>[]
    expect(all.length).toBeGreaterThanOrEqual(450)
    expect(new Set(all.map(({ currency_code }) => currency_code)).size).toBeGreaterThanOrEqual(5)
    expect(all.filter(({ first_name }) => first_name === '').length).toBeGreaterThan(20)
    expect(
      all.filter(({ contact_name = '' }) => /\p{Script=Han}|\p{Script=Cyrillic}/u.test(contact_name)).length,
    ).toBeGreaterThan(10)
    const [typed] = (await contacts('address_contains=hinterhof')).body.contacts
    const { body } = await ask('GET', `${api}/contacts/${typed.contact_id}?${organization}`)
    expect(body.contact.billing_address.address.split('\n')).toHaveLength(4)
    expect(body.contact.created_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-0[78]00$/)
  })
  it('rejects a duplicate name, assigns numbers itself, and deletes persons that an update omits', async () => {
    const url = `${api}/contacts?${organization}`
    const made = await ask('POST', url, {
      body: {
        contact_name: 'Once',
        contact_number: 'MINE-1',
        status: 'inactive',
        contact_persons: [{ first_name: 'A' }, { first_name: 'B' }],
      },
    })
    const { contact } = made.body
    expect([made.status, made.body.message, contact.status]).toEqual([201, 'The contact has been created', 'active'])
    expect(contact.contact_number).toMatch(/^CUS-/)
    expect(contact.primary_contact_id).toBe(contact.contact_persons[0].contact_person_id)
    expect(code(await ask('POST', url, { body: { contact_name: 'ONCE' } }))).toEqual([400, 3062])
    expect(code(await ask('POST', url, { body: {} }))).toEqual([400, 2])
    expect(code(await ask('POST', url, { body: { contact_name: 'x'.repeat(201) } }))).toEqual([400, 15])
    expect(code(await ask('POST', url, { body: { contact_name: 'C', currency_id: '1' } }))).toEqual([400, 2])
    const single = `${api}/contacts/${contact.contact_id}?${organization}`
    expect(code(await ask('PUT', single, { body: { notes: 'no name' } }))).toEqual([400, 2])
    const changed = await ask('PUT', single, {
      body: {
        contact_name: 'Once',
        contact_persons: [{ contact_person_id: contact.contact_persons[1].contact_person_id, phone: '1' }],
      },
    })
    expect(changed.body.contact.contact_persons).toMatchObject([
      { first_name: 'B', phone: '1', is_primary_contact: true },
    ])
    expect(code(await ask('DELETE', single))).toEqual([200, 0])
    expect(code(await ask('GET', single))).toEqual([404, 1002])
  })
})

describe('tokens', () => {
  const client = () => ({ client_id: credentials.clientId!, client_secret: credentials.clientSecret! })
  const token = (form: Record<string, string>) => ask('POST', '/oauth/v2/token', { form: { ...client(), ...form } })

  it('are issued after consent, with the data center in the redirect, and only with the granted scopes', async () => {
    const redirect_uri = 'https://service.example/callback'
    const wish = {
      response_type: 'code',
      client_id: credentials.clientId!,
      scope: 'ZohoBooks.contacts.READ',
      redirect_uri,
      access_type: 'offline',
      state: 's',
    }
    expect((await ask('GET', `/oauth/v2/auth?${new URLSearchParams(wish)}`)).body).toContain('Zillium Harbor Inc')
    const { headers } = await ask('POST', '/oauth/v2/auth', {
      form: { ...wish, tenant: 'accounting', decision: 'approve' },
    })
    const back = new URL(headers.get('location')!)
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      state: 's',
      location: 'us',
      'accounts-server': 'https://accounts.zoho.com',
    })
    const exchange = { grant_type: 'authorization_code', code: back.searchParams.get('code')!, redirect_uri }
    const { body } = await token(exchange)
    expect(body).toMatchObject({
      api_domain: 'https://www.zohoapis.com',
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^1000\./),
    })
    expect((await token(exchange)).body).toEqual({ error: 'invalid_code' })
    expect(code(await ask('GET', `${api}/contacts?${organization}`, { token: body.access_token }))).toEqual([200, 0])
    expect(
      code(
        await ask('POST', `${api}/contacts?${organization}`, {
          token: body.access_token,
          body: { contact_name: 'No' },
        }),
      ),
    ).toEqual([401, 57])
  })
  it('are limited to ten in ten minutes; every error has status 200', async () => {
    const renew = async () =>
      (await token({ grant_type: 'refresh_token', refresh_token: credentials.refreshToken! })).body
    for (let count = 1; count <= 10; count++)
      expect(Object.keys(await renew())).toEqual(['access_token', 'api_domain', 'token_type', 'expires_in'])
    const { status, body } = await token({ grant_type: 'refresh_token', refresh_token: credentials.refreshToken! })
    expect([status, body.error, body.status]).toEqual([200, 'Access Denied', 'failure'])
    clock.skip(600_001)
    expect((await renew()).access_token).toMatch(/^1000\./)
    expect((await ask('POST', '/oauth/v2/token', { form: { ...client(), client_secret: 'x' } })).body).toEqual({
      error: 'invalid_client',
    })
    clock.skip(3_600_000)
    expect(code(await ask('GET', `${api}/contacts?${organization}`))).toEqual([401, 57])
  })
})
