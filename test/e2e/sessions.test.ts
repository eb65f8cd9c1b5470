// Dashboard users: cookie login, protection against other sites, passwords, and pages.
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { hashPassword } from '../../src/accounts/secrets.ts'
import { createHarness, type Harness } from '../../src/conformance/harness.ts'
import { connectors } from '../../src/platforms/registry.ts'
import { simulators } from '../../src/platforms/simulators.ts'

let harness: Harness
let token: string
const password = 'a long enough password'

beforeAll(async () => {
  harness = await createHarness({ connectors, simulators, platform: 'square' })
  await harness.service.store.users.put({ name: 'ada', passwordHash: await hashPassword(password) })
  token = (await logIn({})).body.token
})
afterAll(() => harness.close())

interface Call {
  method?: string
  body?: unknown
  headers?: Record<string, string>
}
async function call(path: string, { method = 'GET', body, headers = {} }: Call = {}, { url } = harness) {
  const response = await fetch(url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    body: /json/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text,
  }
}
const logIn = (body: object, headers: Record<string, string> = {}) =>
  call('/manage/v1/sessions', { method: 'POST', body: { user: 'ada', password, ...body }, headers })
const cookiesOf = (headers: Headers) => headers.getSetCookie().map((text) => text.split(';')[0] as string)
async function browser() {
  const { headers, body } = await logIn({ cookie: true })
  return { cookie: cookiesOf(headers).join('; '), csrf: body.csrf as string }
}

it('a cookie login returns no token and sets a cookie that scripts and other sites cannot use', async () => {
  const { status, headers, body } = await logIn({ cookie: true })
  expect([status, Object.keys(body).sort()]).toEqual([201, ['csrf', 'expiresAt', 'publicUrl', 'user']])
  const session = headers.getSetCookie().find((text) => text.startsWith('unirec_session=')) as string
  for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/', 'Max-Age=43200']) expect(session).toContain(part)
  const current = await call('/manage/v1/sessions/current', { headers: { cookie: cookiesOf(headers).join('; ') } })
  expect(current.body).toEqual({ ...body, isAdmin: true, hasPassword: true, roles: {} })
  expect((await call('/manage/v1/sessions/current')).status).toBe(401)
})

it('a change with a cookie requires the CSRF token of that session', async () => {
  const [one, other] = [await browser(), await browser()]
  const create = (headers: Record<string, string>) =>
    call('/manage/v1/workspaces', { method: 'POST', body: { name: 'Made by cookie' }, headers })
  const refused = await create({ cookie: one.cookie })
  expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
  expect((await create({ cookie: one.cookie, 'x-csrf-token': other.csrf })).status).toBe(403)
  expect((await create({ cookie: one.cookie, 'x-csrf-token': one.csrf })).status).toBe(201)
  expect((await call('/manage/v1/workspaces', { headers: { cookie: one.cookie } })).status).toBe(200)
})

it('a logout ends the session and clears the cookie', async () => {
  const { cookie, csrf } = await browser()
  const out = await call('/manage/v1/sessions', { method: 'DELETE', headers: { cookie, 'x-csrf-token': csrf } })
  expect([out.status, out.headers.getSetCookie()[0]]).toEqual([204, expect.stringContaining('Max-Age=0')])
  expect((await call('/manage/v1/sessions/current', { headers: { cookie } })).status).toBe(401)
})

it('a token needs no CSRF token, and an ended session is rejected', async () => {
  const { body } = await logIn({})
  const headers = { authorization: `Bearer ${body.token}` }
  expect((await call('/manage/v1/workspaces', { method: 'POST', body: { name: 'By token' }, headers })).status).toBe(
    201,
  )
  await call('/manage/v1/sessions', { method: 'DELETE', headers })
  expect((await call('/manage/v1/workspaces', { headers })).status).toBe(401)
})

it('a new password ends the other sessions and keeps this one', async () => {
  await harness.service.store.users.put({ name: 'bob', passwordHash: await hashPassword('first password') })
  const log = (word: string) => logIn({ user: 'bob', password: word, cookie: true })
  const [mine, other] = [await log('first password'), await log('first password')]
  const [cookie, otherCookie] = [mine, other].map(({ headers }) => cookiesOf(headers).join('; ')) as [string, string]
  const change = (body: object) =>
    call('/manage/v1/users/current/password', {
      method: 'PUT',
      body,
      headers: { cookie, 'x-csrf-token': mine.body.csrf },
    })
  expect((await change({ currentPassword: 'wrong', newPassword: 'second password' })).body.code).toBe(
    'validation_failed',
  )
  expect((await change({ currentPassword: 'first password', newPassword: 'short' })).status).toBe(422)
  expect((await change({ currentPassword: 'first password', newPassword: 'second password' })).status).toBe(204)
  const current = (headers: Record<string, string>) => call('/manage/v1/sessions/current', { headers })
  expect([(await current({ cookie })).status, (await current({ cookie: otherCookie })).status]).toEqual([200, 401])
  expect([(await log('first password')).status, (await log('second password')).status]).toEqual([401, 201])
})

it('guesses are limited, and do not lock out a browser that has logged in before', async () => {
  const own = await createHarness({ connectors, simulators, platform: 'square' }) // which then refuses this address
  onTestFinished(own.close)
  await own.service.store.users.put({ name: 'eve', passwordHash: await hashPassword(password) })
  const logInAsEve = (word: string, headers: Record<string, string> = {}) =>
    call('/manage/v1/sessions', { method: 'POST', body: { user: 'eve', password: word, cookie: true }, headers }, own)
  const known = cookiesOf((await logInAsEve(password)).headers).join('; ')
  const instances = own.services.length // each is counted separately
  const guesses: number[] = []
  const refused = () =>
    guesses.length >= 2 * instances && guesses.slice(-2 * instances).every((status) => status === 429)
  while (!refused() && guesses.length < 100) guesses.push((await logInAsEve(`guess ${guesses.length}`)).status)
  const tried = guesses.filter((status) => status === 401).length
  expect([guesses.at(-1), tried >= 10, tried <= 10 * instances]).toEqual([429, true, true])
  expect((await logInAsEve(password)).status).toBe(429)
  expect((await logInAsEve(password, { cookie: known })).status).toBe(201)
})

it('guesses with a device count once, however its cookie is spelled, and only for the user that it is of', async () => {
  const own = await createHarness({ connectors, simulators, platform: 'square' })
  onTestFinished(own.close)
  for (const name of ['eve', 'x eve'])
    await own.service.store.users.put({ name, passwordHash: await hashPassword(password) })
  const logIn = (user: string, word: string, cookie?: string) =>
    call(
      '/manage/v1/sessions',
      { method: 'POST', body: { user, password: word, cookie: true }, headers: cookie ? { cookie } : {} },
      own,
    )
  const deviceOf = async (user: string) => {
    const cookies = cookiesOf((await logIn(user, password)).headers)
    return cookies.find((cookie) => /device/.test(cookie)) as string
  }
  const known = await deviceOf('eve')
  const other = await deviceOf('x eve')
  const statuses: number[] = []
  for (let guess = 0; guess < 40 * own.services.length; guess++)
    statuses.push((await logIn('eve', `guess ${guess}`, `${known}.${guess}`)).status)
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(10 * own.services.length)
  // The device of "x eve" with its nonce cut at the space would be signed for "eve".
  const [name, value = ''] = other.split('=')
  const [nonce, signature] = value.split('.')
  expect((await logIn('eve', password, `${name}=${encodeURIComponent(`${nonce} x`)}.${signature}`)).status).toBe(429)
})

it.each(['text/csv', 'application/x-ndjson'])(
  'an import of references with the character U+0000 is 400 and names the line (%s)',
  async (type) => {
    const { body: listed } = await harness.manage('GET', '/accounts?platform=square&limit=1')
    const { id: accountId, workspaceId } = listed.data[0]
    const response = await fetch(
      `${harness.url}/manage/v1/workspaces/${workspaceId}/accounts/${accountId}/references/import`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': type },
        body: 'entityType,sourceId,nativeId\ncustomer,A\0,B\n',
      },
    )
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ code: 'malformed_request', detail: expect.stringContaining('Line 2') }),
    ])
  },
)

it('an import of references is accepted at once, counts its lines, names the bad ones, and is listed', async () => {
  const { body: listed } = await harness.manage('GET', '/accounts?search=square&state=active&platform=square&limit=1')
  expect(listed.data).toHaveLength(1)
  const { id: accountId, workspaceId } = listed.data[0]
  const { store } = harness.service
  const lines = Array.from({ length: 450 }, (_, index) => `customer,"CRM-${index}",NATIVE-${index}`)
  const csv = ['\u{feff}entity type,Source Id,native_id', ...lines, 'customer,,X', 'planet,P,Q'].join('\r\n')
  const response = await fetch(
    `${harness.url}/manage/v1/workspaces/${workspaceId}/accounts/${accountId}/references/import`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: csv,
    },
  )
  const started = (await response.json()) as { id: string; total: number }
  expect([response.status, started.total]).toEqual([202, 452])
  const path = `/accounts/${accountId}/references/imports`
  await expect.poll(async () => (await harness.manage('GET', `${path}/${started.id}`)).body.state).not.toBe('running')
  const { body: done } = await harness.manage('GET', `${path}/${started.id}`)
  expect(done).toMatchObject({ state: 'done', position: 452, linked: 450, failed: 2 })
  expect(done.errors.map(({ line }: { line: number }) => line)).toEqual([452, 453])
  expect((await harness.manage('GET', path)).body.data.map(({ id }: { id: string }) => id)).toEqual([started.id])
  expect(await store.links.get(accountId, 'customer', 'CRM-449')).toMatchObject({
    nativeId: 'NATIVE-449',
    origin: 'linked',
  })
  const found = await harness.manage('GET', `/accounts/${accountId}/references?search=NATIVE-44`)
  expect(found.body.data).toHaveLength(11)
})

it('fault injection requires a sandbox of the service', async () => {
  expect((await call('/manage/v1/sandbox/faults', { headers: { authorization: `Bearer ${token}` } })).status).toBe(404)
})

it('the dashboard has a strict content security policy, or a message that it is not built', async () => {
  const { status, headers, body } = await call('/dashboard/accounts/some-account')
  expect([200, 503]).toContain(status)
  expect(headers.get('content-security-policy')).toContain("default-src 'self'")
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(String(body)).toContain('<!doctype html>')
  for (const path of [
    '/dashboard/..%2f..%2f..%2fpackage.json',
    '/dashboard/assets/..%2findex.html',
    '/dashboard/assets/none.js',
  ])
    expect((await call(path)).status).toBe(404)
})
