// People: invitations, roles, links for a new password, SSO, sessions and workspaces.
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { hashPassword } from '../../src/accounts/secrets.ts'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { checkIdentityProvider } from '../../src/users.ts'
import { type OidcIssuer, openIssuer } from '../oidc-issuer.ts'

let issuer: OidcIssuer
let harness: Harness
let workspaceId: string
let boss: Person // an installation admin
const password = 'a long enough password'
/** The origin that a stranger's page sends: a sign-in never leads there. */
const foreign = 'https://dashboard.example.com'
const everywhere: string[] = [] // secrets that must be in no log

interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: responses of many routes
  body: any
  cookies: string
}
async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await fetch(`${harness.url}/manage/v1${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] as string)
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text), cookies: cookies.join('; ') }
}
type Person = (method: string, path: string, body?: unknown) => Promise<Reply>
const person =
  (token: string): Person =>
  (method, path, body) =>
    call(method, path, body, { authorization: `Bearer ${token}`, 'user-agent': 'Test browser' })
async function signIn(user: string, word = password, browser = 'Test browser'): Promise<Person> {
  const { status, body } = await call('POST', '/sessions', { user, password: word }, { 'user-agent': browser })
  expect(status).toBe(201)
  return person(body.token)
}
const tokenIn = (url: string) => new URL(url).hash.slice(1)
async function invite(role: string, into = workspaceId): Promise<string> {
  const { status, body } = await boss('POST', `/workspaces/${into}/invitations`, { name: 'Someone', role })
  expect(status).toBe(201)
  const token = tokenIn(body.url)
  everywhere.push(token)
  return token
}
async function join(user: string, role: string, into = workspaceId): Promise<Person> {
  const { status, body } = await call('POST', '/invitations/accept', {
    token: await invite(role, into),
    user,
    password,
  })
  expect(status).toBe(201)
  return person(body.token)
}

beforeAll(async () => {
  issuer = await openIssuer()
  harness = await createHarness({
    connectors,
    simulators,
    platform: 'square',
    oidc: {
      issuer: issuer.url,
      ...issuer.client,
      domains: ['partner.example.com'],
      workspaceId: 'partners',
      role: 'viewer',
    },
  })
  issuer.serve(harness.url)
  const { store } = harness.service
  await store.users.put({ name: 'boss', passwordHash: await hashPassword(password) })
  await store.workspaces.create({ id: 'partners', name: 'Partners' })
  boss = await signIn('boss')
  workspaceId = (await boss('GET', '/workspaces')).body.data.find(
    ({ name }: { name: string }) => name === 'Conformance',
  ).id
})
afterAll(async () => {
  await harness.close()
  await issuer.close()
})
afterEach(() => {
  for (const secret of everywhere) expect(harness.output()).not.toContain(secret)
})

it('a person joins by an invitation, once, with its role; changes of the role take effect at once', async () => {
  const token = await invite('viewer')
  expect((await call('POST', '/invitations/read', { token })).body).toMatchObject({
    for: 'join',
    workspace: 'Conformance',
    role: 'viewer',
    createdBy: 'boss',
  })
  const accept = (more: object) => call('POST', '/invitations/accept', { token, user: 'vera', password, ...more })
  expect((await accept({ password: 'short' })).body.errors[0].pointer).toBe('/password')
  expect((await accept({ user: 'boss', password: 'a wrong password' })).body.errors[0].pointer).toBe('/user')
  const both = await Promise.all([accept({}), accept({ user: 'vera too' })])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 404])
  const { body } = both.find(({ status }) => status === 201) as Reply
  const vera = person(body.token)
  const base = `/workspaces/${workspaceId}`
  const create = () => vera('POST', `${base}/connect-links`, { platforms: ['square'] })
  expect((await vera('GET', `${base}/accounts`)).status).toBe(200)
  expect((await vera('GET', '/workspaces')).body.data.map(({ id }: { id: string }) => id)).toEqual([workspaceId])
  expect(await create()).toMatchObject({ status: 403, body: { code: 'forbidden', requiredRole: 'operator' } })
  expect((await boss('PUT', `${base}/members/${body.user}`, { role: 'operator' })).status).toBe(200)
  expect((await create()).status).toBe(201)
  expect((await vera('GET', '/sessions/current')).body).toMatchObject({
    isAdmin: false,
    roles: { [workspaceId]: 'operator' },
  })
  expect((await boss('DELETE', `${base}/members/${body.user}`)).status).toBe(204)
  expect((await create()).status).toBe(404)
  const { data } = (await boss('GET', `/audit?scope=${workspaceId}`)).body
  expect(data.map(({ actor, action, object }: never) => [actor, action, (object as { role?: string }).role])).toEqual(
    expect.arrayContaining([
      ['boss', 'createInvitation', 'viewer'],
      ['boss', 'setMember', 'operator'],
    ]),
  )
})

it('an existing user joins with the right password, and a lower role does not replace a higher one', async () => {
  const otto = await join('otto', 'admin')
  const { id: other } = (await boss('POST', '/workspaces', { name: 'Other' })).body
  await join('otto', 'viewer', other)
  await join('otto', 'viewer')
  expect((await otto('GET', '/sessions/current')).body.roles).toEqual({ [workspaceId]: 'admin', [other]: 'viewer' })
  // An admin of one workspace can neither invite into another one nor reset passwords, which are for all of them.
  expect((await otto('POST', `/workspaces/${other}/invitations`, { name: 'x', role: 'viewer' })).status).toBe(403)
  expect((await otto('POST', '/users/boss/reset-link')).status).toBe(403)
})

it('an invitation ends when it is revoked or expires', async () => {
  const token = await invite('viewer')
  const { data } = (await boss('GET', `/workspaces/${workspaceId}/invitations`)).body
  for (const { id } of data) await boss('DELETE', `/workspaces/${workspaceId}/invitations/${id}`)
  expect((await call('POST', '/invitations/accept', { token, user: 'late', password })).status).toBe(404)
  const { store } = harness.service
  const expiresAt = new Date(Date.now() - 1000).toISOString()
  const { hashSecret } = await import('../../src/accounts/secrets.ts')
  await store.invitations.create({
    id: 'over',
    tokenHash: hashSecret('over'),
    name: 'x',
    workspaceId,
    role: 'admin',
    createdBy: 'boss',
    expiresAt,
  })
  expect((await call('POST', '/invitations/accept', { token: 'over', user: 'late', password })).status).toBe(404)
  expect(await store.users.get('late')).toBeUndefined()
})

it('a link for a new password sets it once and ends all sessions', async () => {
  const rita = await join('rita', 'viewer')
  const { body } = await boss('POST', '/users/rita/reset-link')
  const token = tokenIn(body.url)
  everywhere.push(token)
  expect((await call('POST', '/invitations/read', { token })).body).toMatchObject({ for: 'password', name: 'rita' })
  const reset = () => call('POST', '/invitations/accept', { token, password: 'a new long password' })
  expect((await reset()).status).toBe(201)
  expect((await reset()).status).toBe(404)
  expect((await rita('GET', '/sessions/current')).status).toBe(401)
  await signIn('rita', 'a new long password')
  expect((await call('POST', '/sessions', { user: 'rita', password })).status).toBe(401)
})

it('sessions are listed with address and browser, and ended one by one or all others', async () => {
  const [one] = [await join('sam', 'viewer'), await signIn('sam', password, 'Old browser'), await signIn('sam')]
  const listed = async () => (await one('GET', '/sessions')).body.data
  expect(await listed()).toHaveLength(3)
  const old = (await listed()).find(({ browser }: { browser: string }) => browser === 'Old browser')
  expect(old).toMatchObject({ user: 'sam', current: false, address: expect.stringMatching(/127\.0\.0\.1|::1/) })
  const stranger = await join('sven', 'admin')
  expect((await stranger('DELETE', `/sessions/${old.id}`)).status).toBe(404)
  expect((await stranger('GET', '/sessions?all=true')).status).toBe(403)
  expect((await one('DELETE', `/sessions/${old.id}`)).status).toBe(204)
  expect((await one('DELETE', '/sessions/others')).body).toEqual({ ended: 1 })
  expect(await listed()).toMatchObject([{ current: true }])
  const { data } = (await boss('GET', '/sessions?all=true')).body
  const mine = data.find(({ user }: { user: string }) => user === 'sam')
  expect((await boss('DELETE', `/sessions/${mine.id}`)).status).toBe(204)
  expect((await one('GET', '/sessions')).status).toBe(401)
})

it('a workspace is renamed, and deleted with its name and without open writes; its audit log stays', async () => {
  const { id } = (await boss('POST', '/workspaces', { name: 'Short-lived' })).body
  const wanda = await join('wanda', 'admin', id)
  expect((await wanda('PATCH', `/workspaces/${id}`, { name: 'Renamed' })).body).toMatchObject({ id, name: 'Renamed' })
  const { vertical, credentials, settings } = harness.tenants[0] as Harness['tenants'][number]
  const account = { id: 'short-lived', platform: 'square', vertical, credentials, settings }
  expect((await wanda('POST', `/workspaces/${id}/accounts`, account)).status).toBe(201)
  await wanda('POST', `/workspaces/${id}/webhook-endpoints`, { url: 'https://hooks.example.com/', events: ['*'] })
  const { key } = (await wanda('POST', `/workspaces/${id}/api-keys`, { name: 'k' })).body
  const read = () =>
    fetch(`${harness.url}/unified/short-lived/product`, { headers: { authorization: `Bearer ${key}` } })
  expect((await read()).status).toBe(200)
  expect((await wanda('DELETE', `/workspaces/${id}?name=Short-lived`)).body.code).toBe('invalid_parameter')
  await harness.service.store.journal.begin(
    {
      accountId: 'short-lived',
      entityType: 'product',
      externalId: 'open',
      writeId: 'open',
      contentHash: 'hash',
      record: {},
      startedAt: new Date().toISOString(),
      holder: 'other',
    },
    600_000,
  )
  const remove = (more = '') => wanda('DELETE', `/workspaces/${id}?name=Renamed${more}`)
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'resource_in_use' } })
  expect((await remove('&force=true')).status).toBe(204)
  expect((await read()).status).toBe(401)
  expect((await wanda('GET', `/workspaces/${id}`)).status).toBe(404)
  expect((await boss('GET', `/audit?scope=${id}`)).body.data[0]).toMatchObject({
    actor: 'wanda',
    action: 'deleteWorkspace',
  })
})

it('the last installation admin stays', async () => {
  expect((await boss('GET', '/users')).body.data.filter(({ isAdmin }: never) => isAdmin)).toMatchObject([
    { name: 'boss' },
  ])
  for (const [method, body] of [['DELETE'], ['PATCH', { isAdmin: false }]] as const)
    expect(await boss(method, '/users/boss', body)).toMatchObject({ status: 409, body: { code: 'resource_in_use' } })
  const next = await join('next', 'viewer')
  expect((await next('GET', '/users')).status).toBe(403)
  expect((await boss('PATCH', '/users/next', { isAdmin: true })).status).toBe(204)
  expect((await next('GET', '/users')).status).toBe(200)
  expect((await next('PATCH', '/users/next', { isAdmin: false })).status).toBe(204)
  expect((await next('GET', '/users')).status).toBe(403)
  expect((await boss('DELETE', '/users/next')).status).toBe(204)
  expect((await next('GET', '/sessions/current')).status).toBe(401)
})

/** Until the provider has sent the browser back. */
async function toProvider(email: string, body: object = {}) {
  const begun = await call('POST', '/sessions/sso', body, { origin: foreign })
  expect(begun.status).toBe(200)
  const query = await issuer.signIn(begun.body.url, email)
  everywhere.push(new URLSearchParams(query).get('code') as string)
  return { cookie: begun.cookies, query, url: new URL(begun.body.url) }
}
const finish = ({ cookie, query }: { cookie: string; query: string }) =>
  call('POST', '/sessions/sso/callback', { query }, { cookie })
const current = ({ cookies }: Reply) => call('GET', '/sessions/current', undefined, { cookie: cookies })

it('SSO: the first sign-in needs an invitation; later ones find the person by issuer and subject', async () => {
  expect((await call('GET', '/sessions/methods')).body).toEqual({ password: true, sso: true })
  const uninvited = await finish(await toProvider('olga@example.com'))
  expect(uninvited).toMatchObject({ status: 403, body: { code: 'forbidden' }, cookies: 'unirec_sso=' })
  const begun = await toProvider('olga@example.com', { invitation: await invite('operator') })
  expect(Object.fromEntries(begun.url.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    redirect_uri: `${harness.url}/dashboard/sso`,
    nonce: expect.any(String),
    state: expect.any(String),
  })
  const joined = await finish(begun)
  expect(joined.status).toBe(201)
  expect((await current(joined)).body).toMatchObject({
    user: 'olga@example.com',
    hasPassword: false,
    roles: { [workspaceId]: 'operator' },
  })
  expect((await finish(begun)).status).toBe(401) // the code and the cookie work once
  const again = await finish(await toProvider('olga@example.com'))
  expect((await current(again)).body.user).toBe('olga@example.com')
  expect((await call('POST', '/sessions', { user: 'olga@example.com', password: 'no password at all' })).status).toBe(
    401,
  )
})

it('SSO: a verified address of an allowed domain needs no invitation, and never takes over a user of that name', async () => {
  await join('pat@partner.example.com', 'admin')
  const pat = await finish(await toProvider('pat@partner.example.com'))
  expect((await current(pat)).body).toMatchObject({
    user: 'pat@partner.example.com (2)',
    roles: { partners: 'viewer' },
  })
  const { body } = await finish(await toProvider('unverified@partner.example.com'))
  expect(body.code).toBe('forbidden')
})

it('SSO: another browser, state, or answer is refused', async () => {
  const [mine, other] = [await toProvider('eve@partner.example.com'), await toProvider('eve@partner.example.com')]
  for (const attempt of [
    { ...mine, cookie: '' },
    { ...mine, cookie: other.cookie },
    { ...mine, query: mine.query.replace(/state=[^&]+/, 'state=x') },
    { ...mine, query: mine.query.replace(/code=[^&]+/, 'code=x') },
    { ...mine, query: `?error=access_denied&state=${new URLSearchParams(mine.query).get('state')}` },
  ])
    expect((await finish(attempt)).status).toBe(401)
  expect((await finish(mine)).status).toBe(201)
})

it('SSO: what unirec doctor checks names the fault of the provider, and only the issuer may be private', async () => {
  const settings = { issuer: issuer.url, clientId: 'c', domains: [], role: 'viewer' as const }
  const check = (oidc: typeof settings) => checkIdentityProvider({ oidc } as never)
  expect(await check(settings)).toBeUndefined()
  expect(await check({ ...settings, issuer: `${issuer.url}/other` })).toBeTypeOf('string')
  const { createOidc } = await import('../../src/accounts/oidc.ts')
  const asked: { origin: string; sandbox?: boolean }[] = []
  const metadata = { issuer: 'https://id.example.com', authorization_endpoint: 'https://id.example.com/auth' }
  const oidc = createOidc(
    { ...settings, issuer: 'https://id.example.com' },
    {
      async exchange({ origin, sandbox = false, path }) {
        asked.push({ origin, sandbox })
        if (path === '/token') throw new Error('not allowed')
        const body = JSON.stringify({ ...metadata, token_endpoint: 'https://10.0.0.1/token' })
        return { status: 200, headers: { 'content-type': 'application/json' }, bytes: new TextEncoder().encode(body) }
      },
    },
  )
  const { attempt } = await oidc.begin('https://d.example.com/dashboard/sso')
  const query = `?code=x&state=${attempt.state}&iss=https%3A%2F%2Fid.example.com`
  await expect(oidc.finish(attempt, query)).rejects.toMatchObject({ code: 'unauthorized' })
  expect(asked).toEqual([
    { origin: 'https://id.example.com', sandbox: true },
    { origin: 'https://10.0.0.1', sandbox: false },
  ])
})

it('the audit log has who came how, and nothing of what strangers only looked at', async () => {
  await join('vic', 'viewer')
  expect((await boss('POST', '/users/vic/reset-link')).status).toBe(201)
  expect((await finish(await toProvider('vivian@partner.example.com'))).status).toBe(201)
  const { data } = (await boss('GET', '/audit?limit=500')).body
  const entries = data.map(({ actor, action }: { actor: string; action: string }) => `${actor} ${action}`)
  expect(entries).toEqual(
    expect.arrayContaining(['vivian@partner.example.com finishSso', 'vic acceptInvitation', 'boss createResetLink']),
  )
  expect(entries.filter((entry: string) => /beginSso|readInvitation/.test(entry))).toEqual([])
})
