// Webhooks of platforms at the front door, from the signature to the change in the feed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { HookHint } from '../../src/contract/connector.ts'
import { createHookId, hookUrl } from '../../src/platform-webhooks/address.ts'
import type { StoredHook } from '../../src/store/platform-webhooks.ts'
import type { Store } from '../../src/store/store.ts'
import { createWatched, type Watched } from '../changes/watched.ts'
import { inOrder } from '../in-order.ts'
import { freshDatabase, startPostgres } from '../postgres.ts'
import { storeKindsFor } from '../store-on.ts'
import { hookedPlatform, ofAccount, ofApplication, signed, unsigned } from './platform-with-webhooks.ts'

const secret = 'signature-key-of-the-test'

// Without a secret and without a webhook at first, counted at last.
describe.each(storeKindsFor('hooks/receive'))('webhooks of a platform on %s', inOrder, (kind) => {
  let watched: Watched
  let store: Store
  let hook: StoredHook
  let url: string
  beforeAll(async () => {
    watched = await createWatched(kind, hookedPlatform(ofAccount))
    store = watched.service.store
    // Nothing but a webhook finds a change in time.
    await watched.watchOne('restaurant', 'customer', { pollSeconds: 86_400, walkHours: 720 })
    await watched.polled('restaurant', 'customer')
    const { id: accountId, workspaceId } = await watched.accountOf('restaurant')
    hook = await store.hooks.ensure({ workspaceId, platform: 'square', accountId }, { id: createHookId(), secrets: [] })
    url = hookUrl(watched.url, hook)
  })
  afterAll(() => watched.close())

  async function post(hints: readonly HookHint[], key = secret, to = url): Promise<Response> {
    return fetch(to, { method: 'POST', ...signed(to, hints, key) })
  }
  const customers = () => watched.tenants.find(({ vertical }) => vertical === 'restaurant')?.records.customer
  const hintOf = (id: string): HookHint => ({ entityType: 'customer', id })
  const hintsWaiting = async () => (await store.changes.waitingHints(watched.accountId('restaurant'))).customer ?? 0
  const changed = (id: string) =>
    watched.until('the change', async () => (await watched.log('restaurant')).find((row) => row.nativeId === id))

  it('are refused without a secret, with a wrong signature, and after a changed byte', async () => {
    expect((await post([hintOf('A')])).status).toBe(401)
    await store.hooks.setSecrets(hook.id, [{ secret }])
    expect((await post([hintOf('A')], 'another secret')).status).toBe(401)
    const { body, headers } = signed(url, [hintOf('A')], secret)
    expect((await fetch(url, { method: 'POST', headers, body: body.replace('"A"', '"B"') })).status).toBe(401)
    expect((await fetch(url, { method: 'POST', body })).status).toBe(401)
    await watched.until('the time', async () => (await store.hooks.find(hook.id))?.refusedAt)
    expect((await store.hooks.find(hook.id))?.receivedAt).toBeUndefined()
  })

  it('report a change at once, whatever the type of the body', async () => {
    await store.hooks.setSecrets(hook.id, [{ secret }])
    const [id] = customers()?.ids() ?? []
    customers()?.touch(id as string)
    const response = await post([hintOf(id as string)])
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(await changed(id as string)).toMatchObject({ operation: 'updated', origin: 'hint' })
    expect(await watched.until('the time', async () => (await store.hooks.find(hook.id))?.receivedAt)).toBeDefined()
  })

  it('report a delete that a read proves', async () => {
    await store.hooks.setSecrets(hook.id, [{ secret }])
    const [id] = customers()?.add(1) ?? []
    await post([hintOf(id as string)])
    expect(await changed(id as string)).toMatchObject({ operation: 'created' })
    customers()?.remove?.(id as string)
    expect((await post([{ ...hintOf(id as string), gone: true }])).status).toBe(200)
    await watched.until('the delete', async () =>
      (await watched.log('restaurant')).find((row) => row.nativeId === id && row.operation === 'deleted'),
    )
    const [kept] = customers()?.ids() ?? []
    await post([{ ...hintOf(kept as string), gone: true }])
    await watched.until('the hint', async () => (await hintsWaiting()) === 0)
    expect((await watched.log('restaurant')).filter(({ nativeId }) => nativeId === kept)).not.toContainEqual(
      expect.objectContaining({ operation: 'deleted' }),
    )
  })

  it('are signed with any secret that is still valid', async () => {
    await store.hooks.setSecrets(hook.id, [
      { secret },
      { secret: 'the previous one', until: Date.now() + 60_000 },
      { secret: 'an older one', until: Date.now() - 1 },
    ])
    expect((await post([], 'the previous one')).status).toBe(200)
    expect((await post([], 'an older one')).status).toBe(401)
    expect((await post([])).status).toBe(200)
  })

  it('are 404 at an unknown URL, and 429 after many guesses', async () => {
    const elsewhere = (id: string) => fetch(`${watched.url}/hooks/square/${id}`, { method: 'POST', body: '{}' })
    const { status } = await fetch(`${watched.url}/hooks/xero/${hook.id}`, { method: 'POST', body: '{}' })
    expect(status).toBe(404)
    expect((await elsewhere('short')).status).toBe(404)
    // At once, so that they are within the minute that counts.
    const guesses = await Promise.all(Array.from({ length: 120 }, () => elsewhere(createHookId())))
    expect([...new Set(guesses.map((guess) => guess.status))].sort()).toEqual([404, 429])
    expect((await post([])).status).toBe(200)
    expect((await fetch(url)).status).toBe(405)
  })

  it('are 400 when they cannot be read and 413 above 1 MiB', async () => {
    const body = 'not JSON'
    const { headers } = signed(url, [], secret)
    const sign = async (text: string) => {
      const { createHmac } = await import('node:crypto')
      return createHmac('sha256', secret).update(url).update(text).digest('hex')
    }
    const unreadable = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'x-hook-signature': await sign(body) },
      body,
    })
    expect([unreadable.status, ((await unreadable.json()) as { code: string }).code]).toEqual([
      400,
      'malformed_request',
    ])
    const large = await fetch(url, { method: 'POST', headers, body: 'x'.repeat(1024 * 1024 + 1) })
    expect(large.status).toBe(413)
    expect(await large.text()).toContain('Send a smaller body.')
  })

  it('with an id or a text that cannot be an id cost one read of the list at most', async () => {
    expect((await post([hintOf('\0'), hintOf('\ud800'), hintOf('x'.repeat(2000))])).status).toBe(200)
    expect((await post(Array.from({ length: 5000 }, (_, index) => hintOf(`many-${index}`)))).status).toBe(200)
    expect(await hintsWaiting()).toBeLessThanOrEqual(1)
  })

  it('leave neither their URL nor their secret in logs and responses, and are counted', async () => {
    const output = watched.output()
    expect(output).not.toContain(hook.id)
    expect(output).not.toContain(secret)
    const metrics = await (await fetch(`${watched.url}/metrics`)).text()
    expect(metrics).toMatch(/unified_hooks_received_total\{platform="square",outcome="accepted"\} \d/)
    expect(metrics).toMatch(/unified_hooks_received_total\{platform="square",outcome="refused"\} \d/)
  })
})

describe('webhooks of an application', () => {
  let watched: Watched
  beforeAll(async () => {
    watched = await createWatched('sqlite', hookedPlatform(ofApplication))
    await watched.watch({ customer: { pollSeconds: 86_400, walkHours: 720 } })
    for (const { vertical } of watched.tenants) await watched.walked(vertical, 'customer')
  })
  afterAll(() => watched.close())

  it('reach the accounts of their business, and of this workspace only', async () => {
    const { store, engine } = watched.service
    const [first, second] = await Promise.all(watched.tenants.map(({ vertical }) => watched.accountOf(vertical)))
    if (!first || !second) throw new Error('two tenants are needed')
    const businessOf = (account: typeof first) => engine.view(account).settings.merchantId as string
    expect(businessOf(first)).not.toBe(businessOf(second))
    await store.workspaces.create({ id: 'other', name: 'Other' })
    await store.accounts.create({ ...first, id: 'twin' })
    await store.accounts.create({ ...first, id: 'foreign', workspaceId: 'other' })
    for (const id of ['twin', 'foreign'])
      await store.changes.ensure({ id, workspaceId: id === 'twin' ? first.workspaceId : 'other' }, ['customer'])
    const { id } = await store.hooks.ensure(
      { workspaceId: first.workspaceId, platform: 'square' },
      { id: createHookId(), secrets: [] },
    )
    await store.hooks.setSecrets(id, [{ secret }]) // the row may exist already
    const url = hookUrl(watched.url, { platform: 'square', id })
    const stored: string[] = []
    const { addHints } = store.changes
    store.changes.addHints = async (accountId, hints) => {
      stored.push(...hints.map(({ nativeId }) => `${accountId} ${nativeId}`))
      return addHints(accountId, hints)
    }
    const hints: HookHint[] = [
      { entityType: 'customer', id: 'one', business: businessOf(first) },
      { entityType: 'customer', id: 'two', business: businessOf(second) },
      { entityType: 'customer', id: 'three', business: 'not-connected' },
    ]
    expect((await fetch(url, { method: 'POST', ...signed(url, hints, secret) })).status).toBe(200)
    expect(stored.sort()).toEqual([`${first.id} one`, `${second.id} two`, 'twin one'].sort())
    store.changes.addHints = addHints
    const unknown = signed(url, [{ entityType: 'customer', id: 'x', business: 'not-connected' }], secret)
    expect((await fetch(url, { method: 'POST', ...unknown })).status).toBe(200)
  })
})

it('webhooks of a platform that does not sign are protected by their URL', async () => {
  const watched = await createWatched('sqlite', hookedPlatform(unsigned))
  const { store } = watched.service
  const { id: accountId, workspaceId } = await watched.accountOf('retail_pos')
  const { id } = await store.hooks.ensure(
    { workspaceId, platform: 'square', accountId },
    { id: createHookId(), secrets: [] },
  )
  const response = await fetch(hookUrl(watched.url, { platform: 'square', id }), {
    method: 'POST',
    body: '{"hints":[]}',
  })
  expect(response.status).toBe(200)
  await watched.close()
})

it('webhooks are 503 while the database is away, so that the platform sends them again', async () => {
  const postgres = await startPostgres({ durable: true })
  const watched = await createWatched('postgres', {
    ...hookedPlatform(ofAccount),
    databaseUrl: await freshDatabase(postgres.url),
  })
  const { store } = watched.service
  await watched.watchOne('restaurant', 'customer', { pollSeconds: 86_400, walkHours: 720 })
  await watched.polled('restaurant', 'customer')
  const { id: accountId, workspaceId } = await watched.accountOf('restaurant')
  const { id } = await store.hooks.ensure(
    { workspaceId, platform: 'square', accountId },
    { id: createHookId(), secrets: [] },
  )
  await store.hooks.setSecrets(id, [{ secret }]) // the row may exist already
  const url = hookUrl(watched.url, { platform: 'square', id })
  const customers = watched.tenants.find(({ vertical }) => vertical === 'restaurant')?.records.customer
  const [changed] = customers?.ids() ?? []
  customers?.touch(changed as string)
  const post = () =>
    fetch(url, { method: 'POST', ...signed(url, [{ entityType: 'customer', id: changed as string }], secret) })
  await postgres.halt()
  const refused = await post()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5'])
  await postgres.resume()
  await watched.until('the webhook is accepted', async () => (await post()).status === 200)
  await watched.until('the change', async () => (await watched.log('restaurant')).length > 0)
  await watched.close()
  await postgres.stop()
})
