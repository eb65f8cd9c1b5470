// Webhooks that the service registers at the platform itself, from the watch to the change, and back.
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createLoop } from '../../src/jobs/job.ts'
import { createHookWork } from '../../src/platform-webhooks/registrar.ts'
import { createWatched, type Watched } from '../changes/watched.ts'
import { storeKindsFor } from '../store-on.ts'
import { type HookedPlatform, hookedPlatform, registered } from './platform-with-webhooks.ts'

/** Nothing but a webhook finds a change in time. */
const rarely = { pollSeconds: 86_400, walkHours: 168 }
const vertical = 'restaurant'

describe.each(storeKindsFor('hooks/keeper'))('webhooks that are registered by the service on %s', (kind) => {
  let watched: Watched
  let platform: HookedPlatform
  afterEach(() => watched?.close())
  async function open(instances = 1): Promise<void> {
    platform = hookedPlatform(registered)
    watched = await createWatched(kind, { ...platform, instances })
  }
  const setWatch = (method = 'PUT') =>
    watched.manage(
      method,
      `/accounts/${watched.accountId(vertical)}/watches/customer`,
      method === 'PUT' ? rarely : undefined,
    )
  const hook = async () => (await watched.manage('GET', `/accounts/${watched.accountId(vertical)}/hook`)).body
  const check = async () => (await watched.manage('POST', `/accounts/${watched.accountId(vertical)}/hook/check`)).body
  async function watch(): Promise<void> {
    expect((await setWatch()).status).toBe(200)
    await watched.polled(vertical, 'customer')
    await watched.until('the hook is active', async () => (await hook()).state === 'active')
  }
  const customers = () => {
    const records = watched.tenants.find((tenant) => tenant.vertical === vertical)?.records.customer
    if (!records) throw new Error('there are no customers')
    return records
  }
  const changed = (id: string, operation = 'updated') =>
    watched.until(`${id} is ${operation}`, async () =>
      (await watched.log(vertical)).find((row) => row.nativeId === id && row.operation === operation),
    )
  const urls = () => [...platform.subscriptions.values()].map(({ url }) => url)

  it('report changes as soon as an entity is watched, and are removed with the watch', async () => {
    await open()
    expect(await hook()).toMatchObject({ state: 'waiting', automatic: true, scope: 'account' })
    await watch()
    expect(urls()).toEqual([(await hook()).url])
    const [id] = customers().ids() as [string]
    customers().touch(id)
    expect(await changed(id)).toMatchObject({ origin: 'hint' })
    expect((await hook()).lastReceivedAt).toBeDefined()
    expect((await setWatch('DELETE')).status).toBe(204)
    await watched.until('it is removed', async () => platform.subscriptions.size === 0)
    await watched.until('the row is gone', async () => (await hook()).url === undefined)
  })

  const instances = kind === 'postgres' ? 2 : 1
  it(`are registered once by ${instances} instances, and received by all of them`, async () => {
    await open(instances)
    await watch()
    expect(urls()).toEqual([(await hook()).url])
    for (const id of customers().ids().slice(0, 6)) {
      customers().touch(id)
      await changed(id)
    }
  })

  it('are registered once if the process dies before it has stored that', async () => {
    await open()
    const { hooks } = watched.service.store
    const { change } = hooks
    let dies = 1
    hooks.change = async (fence, changes) => {
      if (changes.registration && dies-- > 0) throw new Error('the process died')
      return change(fence, changes)
    }
    await watch()
    expect(dies).toBeLessThan(1)
    expect(platform.subscriptions.size).toBe(1)
  })

  it('are registered again when the platform has dropped them, and what was missed is found', async () => {
    await open()
    await watch()
    platform.subscriptions.clear()
    const [id] = customers().ids() as [string]
    customers().touch(id)
    expect(await check()).toMatchObject({ state: 'active' })
    expect(urls()).toEqual([(await hook()).url])
    expect(await changed(id)).toMatchObject({ origin: 'poll' })
  })

  it('follow a public URL that changes', async () => {
    await open()
    await watch()
    const [before] = urls()
    const service = await watched.restart()
    expect(service.url()).not.toBe(watched.url)
    await watched.until('the new URL', async () => urls().some((url) => url.startsWith(service.url())))
    expect(urls()).not.toContain(before)
    expect(platform.subscriptions.size).toBe(1)
  })

  it('lost by the platform leave the change to a walk', async () => {
    await open()
    await watch()
    watched.sandbox.fault('square', { kind: 'webhook_lost' })
    const [id] = customers().ids() as [string]
    customers().touch(id)
    await watched.walkNow(vertical, 'customer')
    expect(await changed(id)).toMatchObject({ origin: 'walk' })
  })

  it('late, twice and in another order report the last state', async () => {
    await open()
    await watch()
    const [first, second] = customers().ids() as [string, string]
    watched.sandbox.fault('square', { kind: 'webhook_reordered', times: 1, delayMs: 200 })
    watched.sandbox.fault('square', { kind: 'webhook_twice', times: 1, delayMs: 50 })
    for (const id of [first, second]) customers().touch(id)
    await changed(first)
    await changed(second)
    await watched.until('no hint waits', async () => {
      const waiting = await watched.service.store.changes.waitingHints(watched.accountId(vertical))
      return (waiting.customer ?? 0) === 0
    })
    const log = await watched.log(vertical)
    expect(log.filter(({ nativeId }) => nativeId === first || nativeId === second)).toHaveLength(2)
  })

  it('pause while the account must be reconnected, and are removed with the account', async () => {
    await open()
    await watch()
    const id = watched.accountId(vertical)
    const { accounts } = watched.service.store
    await accounts.update(id, { state: 'reconnect_required', stateReason: 'revoked' })
    await check()
    expect(await hook()).toMatchObject({ state: 'paused', error: 'revoked' })
    expect(platform.subscriptions.size).toBe(1)
    await accounts.update(id, { state: 'active' })
    await watched.until('it is active again', async () => (await hook()).state === 'active')
    expect((await watched.manage('DELETE', `/accounts/${id}`)).status).toBe(204)
    expect(platform.subscriptions.size).toBe(0)
  })

  it('do not keep an account from being deleted when the platform is down', async () => {
    await open()
    await watch()
    watched.sandbox.fault('square', { kind: 'unavailable' })
    expect((await watched.manage('DELETE', `/accounts/${watched.accountId(vertical)}`)).status).toBe(204)
    expect(await watched.service.store.accounts.get(watched.accountId(vertical))).toBeUndefined()
    expect((await fetch(urls()[0] as string, { method: 'POST', body: '{}' })).status).toBe(404)
  })

  it('show why they cannot be registered, and try again', async () => {
    await open()
    watched.sandbox.fault('square', { kind: 'error_before', path: '/test-hooks' })
    await setWatch()
    await watched.until('it fails', async () => (await hook()).state === 'failing')
    expect((await hook()).error).toMatch(/Square/)
    watched.sandbox.clearFaults('square')
    await watched.until('it is active', async () => (await hook()).state === 'active')
    expect((await hook()).error).toBeUndefined()
  })

  it('cost one read when very many are about one record', async () => {
    await open()
    await watch()
    const [id] = customers().ids() as [string]
    const { changes } = watched.service.store
    // The worker gets the feed when all of them have arrived.
    const feed = await watched.until('the feed', () => changes.takeFeed(watched.accountId(vertical), 'test', 240_000))
    watched.sandbox.clearCalls('square')
    for (let index = 0; index < 200; index++) {
      customers().touch(id)
      await turn() // the simulator tells once of what changes in one turn
    }
    await watched.until('all have arrived', async () => watched.sandbox.webhooks('square').length === 200)
    await changes.releaseFeed(feed, { dueInMs: 0 })
    await changed(id)
    await watched.until('no hint waits', async () => {
      const waiting = await watched.service.store.changes.waitingHints(watched.accountId(vertical))
      return (waiting.customer ?? 0) === 0
    })
    const reads = watched.sandbox.calls('square').filter(({ path }) => path.includes(id))
    expect(reads).toHaveLength(1)
  })
})

it('are removed a week after the account was disabled', async () => {
  const platform = hookedPlatform(registered)
  const watched = await createWatched('sqlite', platform)
  const id = watched.accountId(vertical)
  const check = async () => (await watched.manage('POST', `/accounts/${id}/hook/check`)).body
  await watched.watchOne(vertical, 'customer', rarely)
  await watched.until('it is active', async () => (await check()).state === 'active')
  expect((await watched.manage('POST', `/accounts/${id}/disable`)).status).toBe(200)
  expect(await check()).toMatchObject({ state: 'paused' })
  expect(platform.subscriptions.size).toBe(1)
  const { accounts } = watched.service.store
  const { get } = accounts
  const weekAgo = new Date(Date.now() - 8 * 86_400_000).toISOString()
  accounts.get = async (accountId) => {
    const account = await get(accountId)
    return account && { ...account, updatedAt: weekAgo }
  }
  expect((await check()).url).toBeUndefined()
  expect(platform.subscriptions.size).toBe(0)
  await watched.close()
})

it('are not registered where platforms cannot reach the service', async () => {
  const platform = hookedPlatform(registered)
  const watched = await createWatched('sqlite', platform)
  const { store } = watched.service
  const { engine } = watched.service
  const keeper = createLoop(
    {
      name: 'webhooks of platforms',
      does: '',
      everyMs: 3_600_000,
      atOnce: 1,
      ...createHookWork({
        store,
        engine,
        connectors: platform.connectors,
        scale: 1,
        baseUrl: () => 'http://records.example.com',
        isSandboxed: () => false,
        onError: () => {},
      }),
    },
    { instance: 'another', scale: 1, onError: () => {}, onLost: () => {} },
  )
  const { id: accountId, workspaceId } = await watched.accountOf(vertical)
  const { id } = await store.hooks.ensure({ workspaceId, platform: 'square', accountId }, { id: 'x', secrets: [] })
  await store.changes.settings.setAccount({ id: accountId, workspaceId }, 'customer', rarely)
  await keeper.run(id)
  expect(await store.hooks.find(id)).toMatchObject({
    state: 'unavailable',
    error: expect.stringContaining('PUBLIC_URL'),
  })
  await watched.close()
})
