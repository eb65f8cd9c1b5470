// How operators set up webhooks of platforms whose URL and secret a person enters, and what challenges come to.
import { afterEach, expect, it } from 'vitest'
import type { HookHint, Hooks } from '../../src/contract/connector.ts'
import { NativeFailure } from '../../src/contract/native-failure.ts'
import { createWatched, type Watched } from '../changes/watched.ts'
import { hookedPlatform, ofAccount, ofApplication, registered, signed } from './platform-with-webhooks.ts'

let watched: Watched
afterEach(() => watched.close())
async function open(hooks: Hooks): Promise<void> {
  watched = await createWatched('sqlite', hookedPlatform(hooks))
}
const ofTheAccount = () => `/accounts/${watched.accountId('restaurant')}/hook`
const post = async (url: string, secret: string, hints: HookHint[] = []) =>
  (await fetch(url, { method: 'POST', ...signed(url, hints, secret) })).status

it('an application has one URL, whose secret a person stores; the previous one stays valid', async () => {
  await open(ofApplication)
  const { status, body } = await watched.manage('GET', '/hooks/square')
  expect([status, body]).toMatchObject([
    200,
    {
      scope: 'application',
      state: 'waiting',
      automatic: false,
      secret: { label: 'Signature key', stored: false },
      steps: [`Enter ${body.url} in the console.`],
      reports: { customer: ['created', 'updated', 'deleted'] },
    },
  ])
  expect(body.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/hooks\/square\/[\w-]{32}$/)
  expect((await watched.manage('GET', ofTheAccount())).body).toMatchObject({ url: body.url })
  expect(await post(body.url, 'first-secret')).toBe(401)
  expect((await watched.manage('PUT', '/hooks/square', { secret: 'first-secret' })).body.secret.stored).toBe(true)
  expect(await post(body.url, 'first-secret')).toBe(200)
  const replaced = await watched.manage('PUT', '/hooks/square', { secret: 'second-secret' })
  expect(JSON.stringify(replaced.body)).not.toMatch(/(first|second)-secret/)
  expect([await post(body.url, 'first-secret'), await post(body.url, 'second-secret')]).toEqual([200, 200])
  watched.advance(25 * 3_600_000)
  expect([await post(body.url, 'first-secret'), await post(body.url, 'second-secret')]).toEqual([401, 200])
  const { data: all } = (await watched.manage('GET', '/hooks')).body
  const data = all.filter(({ platform }: { platform: string }) => platform === 'square')
  expect(data).toMatchObject([{ platform: 'square', url: body.url, state: 'active' }])
  expect(data[0].lastRefusedAt).toBeDefined()
  const { workspaceId } = await watched.accountOf('restaurant')
  const action = 'setApplicationHookSecret'
  const { data: audit } = await watched.service.store.audit.list(workspaceId, { action }, { limit: 10 })
  expect(audit).toHaveLength(2)
  expect(JSON.stringify(audit)).not.toMatch(/(first|second)-secret/)
})

it('a secret that no person enters is rejected with what to do instead', async () => {
  await open(ofApplication)
  const refused = await watched.manage('PUT', ofTheAccount(), { secret: 'signature-key' })
  expect([refused.status, refused.body.errors]).toMatchObject([422, [{ pointer: '/secret' }]])
  expect(refused.body.errors[0].message).toContain('/hooks/square')
  for (const secret of ['', 'x', 'x'.repeat(7)]) {
    const short = await watched.manage('PUT', '/hooks/square', { secret })
    expect([short.status, short.body.errors]).toMatchObject([422, [{ pointer: '/secret' }]])
  }
  expect((await watched.manage('PUT', '/hooks/nothing', { secret: 'signature-key' })).status).toBe(404)
  await watched.close()
  await open(registered)
  expect((await watched.manage('PUT', ofTheAccount(), { secret: 'signature-key' })).body.errors[0].message).toContain(
    'no person',
  )
  expect((await watched.manage('GET', '/hooks/square')).body).toMatchObject({ state: 'unavailable', automatic: true })
})

it('an account has its own URL and secret where the platform works so', async () => {
  await open(ofAccount)
  const { url } = (await watched.manage('GET', ofTheAccount())).body
  expect((await watched.manage('PUT', ofTheAccount(), { secret: 'of the account' })).status).toBe(200)
  expect(await post(url, 'of the account')).toBe(200)
  const other = (await watched.manage('GET', `/accounts/${watched.accountId('retail_pos')}/hook`)).body.url
  expect(other).not.toBe(url)
  expect(await post(other, 'of the account')).toBe(401)
})

it('a code that the platform sends is shown until webhooks arrive', async () => {
  await open({
    ...ofApplication,
    challenge: ({ headers }) =>
      headers['x-code'] ? { code: headers['x-code'], response: { status: 204 } } : undefined,
  })
  const { url } = (await watched.manage('GET', '/hooks/square')).body
  for (const code of ['one', 'two'])
    expect((await fetch(url, { method: 'POST', headers: { 'x-code': code } })).status).toBe(204)
  expect((await watched.manage('GET', '/hooks/square')).body.code).toBe('two')
  await watched.manage('PUT', '/hooks/square', { secret: 'signature-key' })
  expect(await post(url, 'signature-key')).toBe(200)
  await watched.until('no code', async () => (await watched.manage('GET', '/hooks/square')).body.code === undefined)
})

it('secrets that the platform sends count once they are confirmed at the platform', async () => {
  const confirmed: string[] = []
  await open({
    ...ofAccount,
    secret: { from: 'received' },
    challenge: ({ headers }) => (headers['x-verifier'] ? { secret: headers['x-verifier'] } : undefined),
    async confirm(call, { headers }) {
      await call.read({ method: 'GET', path: '/test-hooks' })
      if (headers['x-verifier'] === 'forged')
        throw new NativeFailure({ kind: 'invalid', message: 'not a verifier' }, 400)
      confirmed.push(headers['x-verifier'] as string)
    },
  })
  const { url } = (await watched.manage('GET', ofTheAccount())).body
  const send = async (verifier: string) =>
    (await fetch(url, { method: 'POST', headers: { 'x-verifier': verifier } })).status
  // One for every kind of event.
  expect(await Promise.all(['one', 'two', 'three'].map(send))).toEqual([200, 200, 200])
  for (const secret of ['one', 'two', 'three'])
    await watched.until('it counts', async () => (await post(url, secret)) === 200)
  expect(confirmed.sort()).toEqual(['one', 'three', 'two'])
  expect(await send('forged')).toBe(200)
  await watched.until('it fails', async () => (await watched.manage('GET', ofTheAccount())).body.state === 'failing')
  expect(await post(url, 'forged')).toBe(401)
  await watched.until('it is dropped', async () => {
    const { state } = (await watched.manage('POST', `${ofTheAccount()}/check`)).body
    return state !== 'failing'
  })
  expect(await post(url, 'forged')).toBe(401)
  expect(await post(url, 'one')).toBe(200)
})

it('webhooks of a platform that checks the URL are active once it is confirmed, and what was missed is read', async () => {
  const secrets: unknown[] = []
  await open({
    ...registered,
    secret: { from: 'received' },
    async registered(call, hook, registration) {
      secrets.push(hook.secret)
      return registered.registered?.(call, hook, registration) ?? false
    },
    challenge: ({ headers }) => (headers['x-verifier'] ? { secret: headers['x-verifier'] } : undefined),
    confirm: async (call) => void (await call.read({ method: 'GET', path: '/test-hooks' })),
  })
  await watched.watchOne('restaurant', 'customer', { pollSeconds: 86_400, walkHours: 168 })
  await watched.until('a poll', async () => (await watched.watchOf('restaurant', 'customer')).state.lastPollAt)
  const hook = async () => (await watched.manage('GET', ofTheAccount())).body
  await watched.until('it is registered', async () => (await hook()).lastCheckedAt)
  expect((await hook()).state).toBe('waiting')
  const customers = watched.tenants.find(({ vertical }) => vertical === 'restaurant')?.records.customer
  const [id] = customers?.ids() ?? []
  customers?.touch(id as string)
  await fetch((await hook()).url, { method: 'POST', headers: { 'x-verifier': 'verifier' } })
  await watched.until('it is active', async () => (await hook()).state === 'active')
  expect(secrets).toEqual(['verifier'])
  await watched.until('the change', async () =>
    (await watched.log('restaurant')).some(({ nativeId, origin }) => nativeId === id && origin === 'poll'),
  )
})

it('webhooks of an application are signed with its client secret, or with that of an account', async () => {
  await open({ ...ofApplication, secret: { from: 'client' } })
  const { store } = watched.service
  const { url } = (await watched.manage('GET', '/hooks/square')).body
  const account = await watched.accountOf('restaurant')
  await store.accounts.update(account.id, { credentials: { ...account.credentials, clientSecret: 'of the account' } })
  expect(await post(url, 'of the account')).toBe(200)
  expect(await post(url, 'of the application')).toBe(401)
  const app = { clientId: 'id', clientSecret: 'of the application' }
  expect((await watched.manage('PUT', '/platform-apps/square', app)).status).toBe(200)
  expect(await post(url, 'of the application')).toBe(200)
})

it('webhooks are listed in pages', async () => {
  await open(registered)
  const listed: string[] = []
  for (let after = ''; ; ) {
    const { status, body } = await watched.manage('GET', `/hooks?limit=2${after}`)
    expect(status).toBe(200)
    expect(body.data.length).toBeLessThanOrEqual(2)
    listed.push(...body.data.map(({ platform }: { platform: string }) => platform))
    if (body.next === undefined) break
    after = `&after=${encodeURIComponent(body.next)}`
  }
  expect(listed.sort()).toEqual(['clover', 'quickbooks-online', 'toast', 'xero'])
})
