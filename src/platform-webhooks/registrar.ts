// All hooks of this instance: makes the rows of accounts that are watched, and works on those that are due. Instances
// share the work through the leases of the rows.
import { randomBytes } from 'node:crypto'
import type { Connector, Hooks } from '../contract/connector.ts'
import type { HookOwner, StoredHook } from '../store/platform-webhooks.ts'
import type { Account } from '../store/store.ts'
import { createHookId } from './address.ts'
import { callAbout, createKeep, type KeepOptions, messageOf, mostAttempts } from './registration.ts'
import { isHooked } from './secrets.ts'

const hooksAtOnce = 8
const lookEveryMs = 5_000
const shortestMs = 1_000 // however much the time of the sandbox is scaled
const leaseMs = 120_000
const rowsAtOnce = 200
const firstRetryMs = 5_000
const longestRetryMs = 3_600_000
/** How long the deletion of an account waits for its platform. */
const leaveMs = 5_000

export interface KeeperOptions extends Omit<KeepOptions, 'signal'> {
  connectors: Readonly<Record<string, Connector>>
  instance: string
  onError(error: unknown, what: string): void
}
export interface HookKeeper {
  start(): void
  /** Ends after the calls that are under way. */
  close(): Promise<void>
  /** Registers or checks the hook now, unless another instance does. */
  check(id: string): Promise<void>
  /** Before an account is deleted. Takes a bounded time and never fails. */
  leave(account: Account): Promise<void>
}

/** The row of an owner, which has its own secret where the service makes it. */
export const freshHook = (hooks: Hooks): Pick<StoredHook, 'id' | 'secrets'> => ({
  id: createHookId(),
  secrets: hooks.secret?.from === 'own' ? [{ secret: randomBytes(32).toString('base64url') }] : [],
})

export function createHookKeeper({ connectors, instance, onError, ...options }: KeeperOptions): HookKeeper {
  const { store, engine, scale } = options
  const stopping = new AbortController()
  const { signal } = stopping
  const keep = createKeep({ ...options, signal })
  const running = new Map<string, Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  const hooked = Object.values(connectors).filter(isHooked)
  const withScope = (scope: Hooks['scope']) => hooked.filter(({ hooks }) => hooks.scope === scope).map(({ id }) => id)
  const platforms = { account: withScope('account'), application: withScope('application') }

  async function work(id: string): Promise<void> {
    const hook = await store.hooks.take(id, instance, leaseMs)
    if (!hook) return
    try {
      const next = await keep(hook)
      if (next !== undefined) await store.hooks.release(hook, next)
    } catch (error) {
      if (!signal.aborted) onError(error, `the webhooks of ${hook.platform} for ${hook.accountId ?? hook.workspaceId}`)
      const failures = signal.aborted ? hook.failures : hook.failures + 1
      const dueInMs = Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures, 20)) * scale
      await store.hooks.change(hook, { state: 'failing', error: messageOf(error), failures })
      await store.hooks.release(hook, signal.aborted ? 0 : dueInMs)
    }
  }
  /** One run at a time for a hook in this process. */
  function begin(id: string): Promise<void> {
    const known = running.get(id)
    if (known) return known
    const run = work(id)
      .catch((error: unknown) => onError(error, `the webhook ${id.slice(0, 4)}…`))
      .finally(() => running.delete(id))
    running.set(id, run)
    return run
  }
  async function ensure(owner: HookOwner): Promise<void> {
    const hooks = connectors[owner.platform]?.hooks
    if (hooks) await store.hooks.ensure(owner, freshHook(hooks))
  }
  async function lookOnce(): Promise<void> {
    for (const owner of await store.hooks.unhookedApplications(platforms.application, rowsAtOnce)) await ensure(owner)
    for (const accountId of await store.hooks.unhooked(platforms.account, rowsAtOnce)) {
      const account = await store.accounts.get(accountId)
      if (account) await ensure({ workspaceId: account.workspaceId, platform: account.platform, accountId })
    }
    const free = hooksAtOnce - running.size
    if (free <= 0) return
    for (const id of await store.hooks.due(free + running.size))
      if (running.size < hooksAtOnce && !signal.aborted) void begin(id)
  }
  function look(): void {
    if (signal.aborted || hooked.length === 0) return
    looking ??= lookOnce()
      .catch((error: unknown) => onError(error, 'looking for webhooks of platforms that are due'))
      .finally(() => {
        looking = undefined
      })
  }
  async function unregister(account: Account): Promise<void> {
    const { hooks } = engine.connectorOf(account)
    if (!hooks?.unregister) return
    const { workspaceId, platform, id: accountId } = account
    const known = await store.hooks.get({ workspaceId, platform, accountId })
    // Not released: no instance registers it again before the account is gone.
    const hook = known?.registration && (await store.hooks.take(known.id, instance, leaseMs))
    if (!hook?.registration || hook.failures >= mostAttempts) return
    const { value } = hook.registration
    await callAbout(engine, account, signal, async (call) => hooks.unregister?.(call, value))
    await store.hooks.change(hook, { registration: null, url: null })
  }

  return {
    start() {
      store.hooks
        .wakeMoved(options.baseUrl())
        .catch((error: unknown) => onError(error, 'webhooks that are registered with another URL'))
        .finally(look)
      timer = setInterval(look, Math.max(shortestMs, lookEveryMs * scale))
    },
    async close() {
      clearInterval(timer)
      stopping.abort()
      await Promise.all([looking, ...running.values()])
    },
    async check(id) {
      await store.hooks.wake(id)
      await running.get(id)
      await begin(id)
    },
    async leave(account) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const late = setTimeout(resolve, leaveMs)
      const left = unregister(account).catch((error: unknown) =>
        onError(error, `the webhooks of ${account.id}, which is being deleted, stay registered`),
      )
      await Promise.race([left, promise])
      clearTimeout(late)
    },
  }
}
