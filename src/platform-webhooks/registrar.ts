// Hooks as a job: makes the rows of accounts that are watched, and works on those that are due. Instances share the work
// through the leases of the rows.
import { randomBytes } from 'node:crypto'
import type { Connector, Hooks } from '../contract/connector.ts'
import type { Engine } from '../engine/engine.ts'
import type { Work } from '../jobs/job.ts'
import { LostLease } from '../store/lost-lease.ts'
import type { HeldHook, HookOwner, StoredHook } from '../store/platform-webhooks.ts'
import type { Account, Store } from '../store/store.ts'
import { createHookId } from './address.ts'
import { callAbout, createKeep, type KeepOptions, messageOf, mostAttempts } from './registration.ts'
import { isHooked } from './secrets.ts'

const rowsAtOnce = 200
const firstRetryMs = 5_000
const longestRetryMs = 3_600_000
/** How long the deletion of an account waits for its platform. */
const leaveMs = 5_000
/** How long no instance registers the webhooks of an account that is being deleted. */
const leavingMs = 120_000

export interface HookWorkOptions extends KeepOptions {
  connectors: Readonly<Record<string, Connector>>
  onError(error: unknown, what: string): void
}
/** What the management API asks of it. */
export interface HookKeeper {
  /** Registers or checks the hook now, unless another instance does. */
  check(id: string): Promise<void>
  /** Before an account is deleted. Takes a bounded time and never fails. */
  leave(account: Account): Promise<void>
}
interface KeeperOptions extends Pick<HookWorkOptions, 'onError'> {
  store: Store
  engine: Engine
  instance: string
  /** A turn of the job. */
  run(id: string): Promise<void>
}

/** The row of an owner, which has its own secret where the service makes it. */
export const freshHook = (hooks: Hooks): Pick<StoredHook, 'id' | 'secrets'> => ({
  id: createHookId(),
  secrets: hooks.secret?.from === 'own' ? [{ secret: randomBytes(32).toString('base64url') }] : [],
})

export function createHookWork({ connectors, onError, ...options }: HookWorkOptions): Work<HeldHook> {
  const { store, scale } = options
  const hooked = Object.values(connectors).filter(isHooked)
  const withScope = (scope: Hooks['scope']) => hooked.filter(({ hooks }) => hooks.scope === scope).map(({ id }) => id)
  const platforms = { account: withScope('account'), application: withScope('application') }

  async function ensure(owner: HookOwner): Promise<void> {
    const hooks = connectors[owner.platform]?.hooks
    if (hooks) await store.hooks.ensure(owner, freshHook(hooks))
  }
  return {
    async due(limit) {
      if (hooked.length === 0) return []
      for (const owner of await store.hooks.unhookedApplications(platforms.application, rowsAtOnce)) await ensure(owner)
      for (const accountId of await store.hooks.unhooked(platforms.account, rowsAtOnce)) {
        const account = await store.accounts.get(accountId)
        if (account) await ensure({ workspaceId: account.workspaceId, platform: account.platform, accountId })
      }
      return store.hooks.due(limit)
    },
    take: (id, { holder, leaseMs }) => store.hooks.take(id, holder, leaseMs),
    renew: (hook, leaseMs) => store.hooks.renew(hook, leaseMs),
    async work(hook, turn) {
      try {
        return await createKeep(options, turn)(hook)
      } catch (error) {
        turn.check()
        if (error instanceof LostLease) throw error
        if (turn.signal.aborted) return { dueInMs: 0 }
        onError(error, `the webhooks of ${hook.platform} for ${hook.accountId ?? hook.workspaceId}`)
        const failures = hook.failures + 1
        await store.hooks.change(hook, { state: 'failing', error: messageOf(error), failures })
        return { dueInMs: Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures, 20)) * scale }
      }
    },
    release: (hook, { dueInMs }) => store.hooks.release(hook, dueInMs),
    about: (id) => `the webhook ${id.slice(0, 4)}…`, // the whole id is the secret part of a URL
    prepare: () => store.hooks.wakeMoved(options.baseUrl()),
  }
}

export function createHookKeeper({ store, engine, instance, run, onError }: KeeperOptions): HookKeeper {
  async function unregister(account: Account): Promise<void> {
    const { hooks } = engine.connectorOf(account)
    if (!hooks?.unregister) return
    const { workspaceId, platform, id: accountId } = account
    const known = await store.hooks.get({ workspaceId, platform, accountId })
    // Not released: no instance registers it again before the account is gone.
    const hook = known?.registration && (await store.hooks.take(known.id, instance, leavingMs))
    if (!hook?.registration || hook.failures >= mostAttempts) return
    const { value } = hook.registration
    await callAbout(engine, account, {}, async (call) => hooks.unregister?.(call, value))
    await store.hooks.change(hook, { registration: null, url: null })
  }

  return {
    async check(id) {
      await store.hooks.wake(id)
      await run(id)
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
