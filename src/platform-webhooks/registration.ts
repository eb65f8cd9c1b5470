// One hook: confirms what the platform sent to check the URL, registers the URL where the platform has an API for it,
// and checks that it is still registered. Every call is made through the engine, before anything is stored: a crash in
// between registers nothing twice, because a registration looks for the URL first.
import { randomUUID } from 'node:crypto'
import { watchesOf } from '../changes/settings.ts'
import type { Hook, HookCall, Hooks, RawHook } from '../contract/connector.ts'
import type { EntityType } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import type { Engine } from '../engine/engine.ts'
import type { Next, Turn } from '../jobs/job.ts'
import { LostLease } from '../store/lost-lease.ts'
import type { HeldHook, HookChange, HookRegistration, StoredChallenge } from '../store/platform-webhooks.ts'
import type { Account, Store } from '../store/store.ts'
import { hookUrl } from './address.ts'
import { clientSecretsOf, validSecrets } from './secrets.ts'

const checkEveryMs = 86_400_000
const pausedMs = 60_000
const unavailableMs = 3_600_000
/** The webhooks of an account that was disabled this long ago are removed. */
const disabledMs = 7 * 86_400_000
/** How long a call waits for a slot: callers go first. */
const maxWaitMs = 30_000
/** After so many attempts, a platform that cannot be told is left as it is. */
export const mostAttempts = 8
const confirmAttempts = 3

export interface KeepOptions {
  store: Store
  engine: Engine
  scale: number
  baseUrl(): string
  /** Platforms in the sandbox can reach a URL that is not public. */
  isSandboxed(account: Account): boolean
}

export const callAbout = <T>(
  engine: Engine,
  account: Account,
  turn: Partial<Pick<Turn, 'signal' | 'check'>>,
  run: (call: HookCall) => Promise<T>,
): Promise<T> => {
  const { signal, check } = turn
  const owned = { ...(signal ? { signal } : {}), ...(check ? { check } : {}) }
  return engine.hooks(
    account,
    { requestId: `hooks_${randomUUID()}`, caller: 'hooks', maxWaitMs, background: true, ...owned },
    run,
  )
}

/** Of one turn. */
export function createKeep({ store, engine, scale, baseUrl, isSandboxed }: KeepOptions, turn: Turn) {
  const calling = <T>(account: Account, run: (call: HookCall) => Promise<T>) => callAbout(engine, account, turn, run)
  const lost = (hook: HeldHook) => new LostLease(`another instance has the webhooks of ${hook.platform}`)

  async function accountOf(hook: HeldHook): Promise<Account | undefined> {
    if (hook.accountId !== undefined) return store.accounts.get(hook.accountId)
    const { data } = await store.accounts.list(
      hook.workspaceId,
      { limit: 1 },
      { platform: hook.platform, state: 'active' },
    )
    return data[0]
  }
  /** How many challenges were confirmed. */
  async function confirm(hook: HeldHook, { confirm: run }: Hooks, account: Account): Promise<number> {
    let confirmed = 0
    if (!run) return confirmed
    for (const challenge of hook.challenges) {
      const request = rawOf(hook, challenge)
      if (!request) continue
      try {
        await calling(account, (call) => run(call, request))
      } catch (error) {
        // It was not real, or is too old by now.
        turn.check()
        if (hook.failures + 1 >= confirmAttempts) await store.hooks.answered(hook, challenge.id)
        throw error
      }
      if (!(await store.hooks.answered(hook, challenge.id, challenge.secret))) throw lost(hook)
      confirmed++
    }
    return confirmed
  }
  const rawOf = (hook: HeldHook, { request }: StoredChallenge): RawHook | undefined =>
    request && {
      url: hook.url ?? hookUrl(baseUrl(), hook),
      headers: request.headers,
      body: Buffer.from(request.body, 'base64'),
    }

  /** What keeps the hook from being registered, for the operator. */
  function obstacle(hook: HeldHook, hooks: Hooks, account: Account, entities: readonly EntityType[]) {
    if (entities.length === 0) return 'The platform sends no webhooks about what is watched of this account.'
    if (!baseUrl().startsWith('https:') && !isSandboxed(account))
      return 'Platforms cannot reach this service. Set PUBLIC_URL to its public https URL.'
    const valid = validSecrets(hooks, hook, clientSecretsOf([account]), Date.now())
    if (hooks.secret?.from === 'client' && valid.length === 0)
      return 'The account has no client secret, with which the platform signs. Connect it with an application.'
    return undefined
  }

  async function register(hook: HeldHook, hooks: Hooks, account: Account, isConfirmed: boolean): Promise<Next> {
    const change = async (changed: HookChange) => {
      if (!(await store.hooks.change(hook, changed))) throw lost(hook)
    }
    const watched = [...(await watchesOf(store, engine, account)).keys()]
    const isOld = Date.now() - Date.parse(account.updatedAt) > disabledMs * scale
    if (watched.length === 0 || (account.state === 'disabled' && isOld)) {
      const { registration } = hook
      if (registration && hook.failures < mostAttempts)
        await calling(account, async (call) => hooks.unregister?.(call, registration.value))
      await store.hooks.remove(hook)
      return { dueInMs: 0 }
    }
    if (account.state !== 'active') {
      await change({ state: 'paused', error: account.stateReason ?? null })
      return { dueInMs: pausedMs * scale }
    }
    const entities = watched.filter((entityType) => hooks.reports[entityType] !== undefined)
    const error = obstacle(hook, hooks, account, entities)
    if (error !== undefined) {
      await change({ state: 'unavailable', error })
      return { dueInMs: unavailableMs * scale }
    }
    const url = hookUrl(baseUrl(), hook)
    const [secret] =
      hooks.secret?.from === 'client' ? clientSecretsOf([account]) : hook.secrets.map((one) => one.secret)
    const wanted: Hook = { url, entities, ...(secret === undefined ? {} : { secret }) }
    // A platform that checks the URL sends nothing before.
    const isUnchecked = hooks.secret?.from === 'received' && hook.secrets.length === 0
    const active: HookChange = { state: isUnchecked ? 'waiting' : 'active', error: null, failures: 0, checked: true }
    const readLists = () =>
      store.changes.addHints(
        account.id,
        watched.map((entityType) => ({ entityType, nativeId: '', origin: 'hint' })),
      )
    const { registration: before } = hook
    const isSame = before && hook.url === url && isEqual(before, { entities, business: account.business })
    if (isSame && (await isRegistered(hooks, account, wanted, before))) {
      await change(active)
      if (isConfirmed) await readLists() // nothing was sent until now
      return { dueInMs: checkEveryMs * scale }
    }
    if (before && !isSame) {
      await calling(account, async (call) => hooks.unregister?.(call, before.value))
      await change({ registration: null })
    }
    const value = await calling(account, async (call) => hooks.register?.(call, wanted))
    const registration = { value: value ?? null, entities, business: account.business }
    await change({ ...active, url, registration })
    // Webhooks were lost in between.
    if (hook.checkedAt !== undefined) await readLists()
    return { dueInMs: checkEveryMs * scale }
  }
  const isRegistered = (hooks: Hooks, account: Account, wanted: Hook, { value }: HookRegistration) =>
    calling(account, async (call) => (await hooks.registered?.(call, wanted, value)) ?? true)

  return async function keep(hook: HeldHook): Promise<Next> {
    const account = await accountOf(hook)
    const hooks = account && engine.connectorOf(account).hooks
    if (!hooks) return { dueInMs: checkEveryMs * scale }
    const confirmed = account.state === 'active' ? await confirm(hook, hooks, account) : 0
    // The secrets that were confirmed are in the row.
    const current = confirmed > 0 ? await store.hooks.find(hook.id) : hook
    if (!current) return { dueInMs: 0 }
    if (hooks.register && hook.accountId !== undefined)
      return register({ ...hook, secrets: current.secrets }, hooks, account, confirmed > 0)
    if (hook.error !== undefined) await store.hooks.change(hook, { error: null, failures: 0, state: 'waiting' })
    return { dueInMs: checkEveryMs * scale }
  }
}

function isEqual(
  before: HookRegistration,
  { entities, business }: Pick<HookRegistration, 'entities' | 'business'>,
): boolean {
  return before.business === business && before.entities.toSorted().join() === entities.toSorted().join()
}

/** Without anything that the platform sent in confidence: problems have no secrets. */
export const messageOf = (error: unknown): string =>
  error instanceof Problem ? error.detail : 'The webhook could not be registered or checked.'
