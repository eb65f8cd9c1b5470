// A webhook that came in: who sent it, and which records it is about. What it says is a hint, stored before the platform
// gets its response; a read of the record decides.
import { randomUUID } from 'node:crypto'
import { BoundedMap } from '../base/bounded-map.ts'
import { mostHints } from '../changes/hints.ts'
import type { Connector, HookChallenge, HookHint, Hooks, RawHook } from '../contract/connector.ts'
import type { Engine } from '../engine/engine.ts'
import type { NewHint } from '../store/changes.ts'
import { everyOf } from '../store/paging.ts'
import type { StoredHook } from '../store/platform-webhooks.ts'
import type { Account, Store } from '../store/store.ts'
import { hookUrl, isHookId } from './address.ts'
import { clientSecretsOf, validSecrets } from './secrets.ts'

/** Accounts of an application are looked up again after this time. */
const accountsMs = 2_000
/** When a hook last received or refused something is stored at most this often. */
const noteEveryMs = 5_000
const longestId = 1024
const largestChallenge = 64 * 1024

/**
 * unknown: there is no such hook. refused: not signed with a valid secret. unreadable: not a body of the platform.
 * ignored: about nothing that is watched.
 */
export type ReceiveOutcome = 'accepted' | 'ignored' | 'challenge' | 'unknown' | 'refused' | 'unreadable'
export interface Received {
  outcome: ReceiveOutcome
  response?: HookChallenge['response']
}
export interface ReceiverOptions {
  store: Store
  engine: Pick<Engine, 'view'>
  connectors: Readonly<Record<string, Connector>>
  baseUrl(): string
  now?: () => number
}
export interface HookReceiver {
  /** Rejects if the hints cannot be stored: the platform sends the webhook again. */
  receive(platform: string, hookId: string, request: Pick<RawHook, 'headers' | 'body'>): Promise<Received>
}

interface Application {
  at: number
  accounts: Promise<Account[]>
}

export function createHookReceiver({
  store,
  engine,
  connectors,
  baseUrl,
  now = Date.now,
}: ReceiverOptions): HookReceiver {
  const applications = new BoundedMap<string, Application>(1_000)
  const noted = new BoundedMap<string, number>(10_000)

  async function listAccounts({ workspaceId, platform }: StoredHook): Promise<Account[]> {
    const accounts: Account[] = []
    for await (const account of everyOf((query) => store.accounts.list(workspaceId, query, { platform })))
      accounts.push(account)
    return accounts
  }
  /** The accounts that a hook can be about. */
  async function accountsOf(hook: StoredHook): Promise<Account[]> {
    if (hook.accountId !== undefined) {
      const account = await store.accounts.get(hook.accountId)
      return account ? [account] : []
    }
    const key = `${hook.workspaceId} ${hook.platform}`
    const known = applications.get(key)
    if (known && now() - known.at < accountsMs) return known.accounts
    const accounts = listAccounts(hook)
    applications.set(key, { at: now(), accounts })
    accounts.catch(() => applications.delete(key))
    return accounts
  }
  async function isSigned(hooks: Hooks, hook: StoredHook, accounts: readonly Account[], request: RawHook) {
    const app =
      hooks.secret?.from === 'client' && hook.accountId === undefined
        ? await store.platformApps.get(hook.workspaceId, hook.platform)
        : undefined
    const clientSecrets = [...clientSecretsOf(accounts), ...(app ? [app.clientSecret] : [])]
    const valid = validSecrets(hooks, hook, clientSecrets, now())
    if (valid === 'unsigned') return true
    return valid.filter((secret) => succeeds(() => hooks.verify?.(request, secret, now()) === true)).length > 0
  }
  async function takeChallenge(hooks: Hooks, hook: StoredHook, request: RawHook, challenge: HookChallenge) {
    const { code, secret } = challenge
    if (secret !== undefined && !hooks.confirm && hook.secrets.length === 0)
      await store.hooks.setSecrets(hook.id, [{ secret }])
    if (code === undefined && !hooks.confirm) return
    const { headers, body } = request
    await store.hooks.challenged(hook.id, {
      id: randomUUID(),
      code,
      secret,
      ...(hooks.confirm ? { request: { headers: { ...headers }, body: Buffer.from(body).toString('base64') } } : {}),
    })
  }
  /** Undefined if nothing is known of the business. */
  function hintsFor(account: Account, { scope, business }: Hooks, hints: readonly HookHint[]): NewHint[] {
    const own =
      scope === 'account' || business === undefined
        ? hints
        : hints.filter((hint) => hint.business === engine.view(account).settings[business])
    const unique = new Map(own.map((hint) => [`${hint.entityType} ${idOf(hint)}`, toNewHint(hint)]))
    const counts = new Map<string, number>()
    for (const { entityType } of unique.values()) counts.set(entityType, (counts.get(entityType) ?? 0) + 1)
    const few = [...unique.values()].filter(({ entityType }) => (counts.get(entityType) as number) <= mostHints)
    const many = [...counts].filter(([, count]) => count > mostHints)
    return [...few, ...many.map(([entityType]) => toNewHint({ entityType: entityType as HookHint['entityType'] }))]
  }
  /** Not important enough to fail for. */
  function note({ id }: StoredHook, what: 'received' | 'refused'): void {
    const key = `${what} ${id}`
    if (now() - (noted.get(key) ?? -Infinity) < noteEveryMs) return
    noted.set(key, now())
    store.hooks.noted(id, what).catch(() => noted.delete(key))
  }

  return {
    async receive(platform, hookId, { headers, body }) {
      const hooks = connectors[platform]?.hooks
      const hook = hooks && isHookId(hookId) ? await store.hooks.find(hookId) : undefined
      if (!hooks || !hook || hook.platform !== platform) return { outcome: 'unknown' }
      const request: RawHook = { url: hook.url ?? hookUrl(baseUrl(), hook), headers, body }
      if (body.length <= largestChallenge) {
        const challenge = tried(() => hooks.challenge?.(request))
        if (challenge === failed) return { outcome: 'unreadable' }
        if (challenge) {
          await takeChallenge(hooks, hook, request, challenge)
          return { outcome: 'challenge', response: challenge.response }
        }
      }
      const accounts = await accountsOf(hook)
      if (!(await isSigned(hooks, hook, accounts, request))) {
        if (!succeeds(() => hooks.tests?.(request) === true)) note(hook, 'refused')
        return { outcome: 'refused' }
      }
      const hints = tried(() => hooks.read(request))
      if (hints === failed) return { outcome: 'unreadable' }
      let isAny = false
      for (const account of accounts) {
        const own = hintsFor(account, hooks, hints)
        if (own.length === 0) continue
        isAny = true
        await store.changes.addHints(account.id, own)
      }
      note(hook, 'received')
      return { outcome: isAny ? 'accepted' : 'ignored' }
    },
  }
}

const failed = Symbol('failed')
/** What a connector makes of bytes that anyone may have sent. */
function tried<T>(read: () => T): T | typeof failed {
  try {
    return read()
  } catch {
    return failed
  }
}
const succeeds = (check: () => boolean): boolean => tried(check) === true

const isId = (id: unknown): id is string =>
  typeof id === 'string' && id.length <= longestId && !id.includes('\0') && id.isWellFormed()
/** Empty: something in this entity changed. */
const idOf = ({ id }: HookHint): string => (isId(id) ? id : '')
const toNewHint = (hint: HookHint): NewHint => ({
  entityType: hint.entityType,
  nativeId: idOf(hint),
  origin: 'hint',
  ...(hint.gone ? { gone: true } : {}),
  ...(isId(hint.replacedBy) ? { replacedBy: hint.replacedBy } : {}),
})
