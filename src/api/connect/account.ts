// Connects, reconnects and changes accounts. Whatever is new is tested with real calls first and stored when it works; what fails leaves no trace.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector } from '../../contract/connector.ts'
import { Problem, type Violation } from '../../contract/errors.ts'
import type { Engine } from '../../engine/engine.ts'
import type { RequestContext } from '../../engine/options.ts'
import type { Test } from '../../engine/outbound/verify.ts'
import { settingViolations } from '../../engine/settings.ts'
import { retryWhileUnavailable } from '../../engine/while-unavailable.ts'
import type { Account, Store } from '../../store/store.ts'
import { createId } from '../secrets.ts'
import { credentialNames } from './fields.ts'

export interface ConnectParts {
  store: Store
  engine: Engine
  connectors: Readonly<Record<string, Connector>>
}
export interface NewAccount {
  id?: string
  workspaceId: string
  platform: string
  vertical: Account['vertical']
  name?: string
  auth?: string
  settings?: Record<string, string>
  credentials: Record<string, string>
}
export interface NewCredentials {
  auth?: string
  credentials: Record<string, string>
  settings?: Record<string, string> // over those that the account has
}

/** The request that asked for it. */
export type Asker = Pick<RequestContext, 'requestId' | 'load'>
export const contextOf = ({ requestId, load }: Asker): RequestContext => ({ requestId, caller: 'management', maxWaitMs: 30_000, ...(load ? { load } : {}) })
const refuse = (errors: Violation[]) => new Problem('validation_failed', 'The account cannot be connected like this.', { errors })
const exists = (id: string) => new Problem('already_exists', `There is an account with the id ${id} already.`)
const gone = () => new Problem('unknown_account', 'The account was deleted.')

function authFor(connector: Connector, wanted: string | undefined, credentials: Record<string, string>): string {
  const kinds = connector.auth.filter(({ kind }) => wanted === undefined || kind === wanted)
  if (kinds.length === 0) throw refuse([{ pointer: '/auth', message: `must be one of ${connector.auth.map(({ kind }) => kind).join(', ')}` }])
  // The richest way that the credentials fit: a refresh token speaks for OAuth, a bare token for a personal one.
  const fitting = kinds.filter((auth) => credentialNames(auth).every((field) => credentials[field]))
  const best = fitting.find(({ kind }) => kind === 'oauth2' && credentials.refreshToken) ?? fitting.find(({ kind }) => kind !== 'oauth2') ?? fitting[0]
  if (best) return best.kind
  const missing = credentialNames(kinds[0] as Connector['auth'][number]).filter((field) => !credentials[field])
  throw refuse(missing.map((field) => ({ pointer: `/credentials/${field}`, message: `is required by ${connector.name}` })))
}

/** Settings that the platform can supply may be missing. Invalid settings are rejected before any call, because they can decide where credentials are sent. */
function checkSettings(connector: Connector, settings: Record<string, string>): { complete: boolean } {
  const errors = settingViolations(connector, settings, { partial: connector.discover !== undefined })
  if (errors.length > 0) throw refuse(errors)
  return { complete: settingViolations(connector, settings).length === 0 }
}

/** Makes an account with its two default mapping keys. */
export async function connectAccount({ store, engine, connectors }: ConnectParts, wanted: NewAccount, asker: Asker, test: Test): Promise<Account> {
  const connector = connectors[wanted.platform]
  if (!connector) throw refuse([{ pointer: '/platform', message: `must be one of ${Object.keys(connectors).join(', ')}` }])
  if (!connector.verticals.includes(wanted.vertical)) throw refuse([{ pointer: '/vertical', message: `${connector.name} serves ${connector.verticals.join(', ')}` }])
  const auth = authFor(connector, wanted.auth, wanted.credentials)
  const { complete } = checkSettings(connector, wanted.settings ?? {})
  const draft: Account = {
    id: wanted.id ?? createId('ura'), // its own from the start: the test counts toward its rate limit
    workspaceId: wanted.workspaceId,
    platform: wanted.platform,
    vertical: wanted.vertical,
    name: wanted.name ?? connector.name,
    state: 'active',
    settings: wanted.settings ?? {},
    auth,
    credentials: wanted.credentials,
    revision: 0,
    createdAt: '',
    updatedAt: '',
  }
  if (await store.accounts.get(draft.id)) throw exists(draft.id)
  const { credentials, settings, stored } = await engine.verify.credentials(draft, contextOf(asker), complete ? test : { ...test, discover: true })
  const { revision: _, createdAt: __, updatedAt: ___, ...fresh } = draft
  const created = await retryWhileUnavailable(() => store.accounts.create({ ...fresh, credentials, settings }))
  if (created === 'exists') throw exists(draft.id)
  try {
    for (const direction of ['read', 'write'] as const)
      await store.mappingKeys.create({ key: createId(direction === 'read' ? 'urmr' : 'urmw'), workspaceId: created.workspaceId, accountId: created.id, direction, isDefault: true })
  } catch (error) {
    await store.accounts.delete(created.id)
    throw error
  }
  stored()
  return created
}

/** Replaces the credentials when the new ones work. Until then the old ones stay in use; then all of it changes in one statement. */
export async function reconnectAccount({ store, engine, connectors }: ConnectParts, accountId: string, wanted: NewCredentials, asker: Asker, test: Test): Promise<Account> {
  return alone(store, accountId, async (account, stillAlone) => {
    const connector = connectors[account.platform] as Connector
    const auth = authFor(connector, wanted.auth, wanted.credentials)
    const given = { ...account.settings, ...wanted.settings }
    const { complete } = checkSettings(connector, given)
    const draft: Account = { ...account, auth, credentials: wanted.credentials, settings: given, state: 'active' }
    const tested = await engine.verify.credentials(draft, contextOf(asker), complete ? test : { ...test, discover: true })
    sameBusiness(connector, account, { ...draft, ...tested })
    await stillAlone()
    const { credentials, settings, stored } = tested
    const updated = await retryWhileUnavailable(() => store.accounts.update(account.id, { credentials, auth, settings, state: 'active', stateReason: '' }))
    if (!updated) throw gone()
    stored()
    engine.forgetFacts(account.id)
    return updated
  })
}

/** Replaces the settings when they work with the credentials that the account has. */
export async function changeAccount(
  { store, engine, connectors }: ConnectParts,
  accountId: string,
  { settings, ...others }: { name?: string; settings?: Record<string, string> },
  asker: Asker,
  test: boolean,
): Promise<Account> {
  const change = async (changes: Parameters<Store['accounts']['update']>[1]) => {
    const updated = await store.accounts.update(accountId, changes)
    if (!updated) throw gone()
    engine.forgetFacts(accountId)
    return updated
  }
  if (!settings) return change(others)
  return alone(store, accountId, async (account, stillAlone) => {
    const errors = settingViolations(connectors[account.platform] as Connector, settings)
    if (errors.length > 0) throw new Problem('validation_failed', 'The settings are not valid.', { errors })
    // Credentials that are known not to work cannot test anything; a reconnect tests the settings as well.
    const same = JSON.stringify(Object.entries(settings).sort()) === JSON.stringify(Object.entries(account.settings).sort())
    if (test && !same && account.state !== 'reconnect_required') await engine.verify.settings(account, settings, contextOf(asker))
    await stillAlone()
    return change({ ...others, settings })
  })
}

/** References and mappings belong to one business: another one behind the same account would mix two sets of books. */
function sameBusiness(connector: Connector, before: Account, after: Account): void {
  const told = connector.auth.flatMap((auth) => ('answer' in auth ? Object.keys(auth.answer.keep ?? {}) : [])).filter((name) => name !== 'scope')
  for (const name of [...told, ...((connector.settings?.required ?? []) as readonly string[])]) {
    const [old, fresh] = [before, after].map(({ credentials, settings }) => (told.includes(name) ? credentials[name] : undefined) ?? settings[name])
    if (old !== undefined && fresh !== undefined && old !== fresh)
      throw new Problem(
        'validation_failed',
        `This is another business at ${connector.name} than the one that the account belongs to. Log in there as the first one, and try again.`,
        {
          errors: [{ pointer: '/credentials', message: `belong to another business at ${connector.name}` }],
        },
      )
  }
}

const leaseMs = 120_000
const waitMs = 30_000

/** One request at a time changes how an account is connected: what one has tested, another must not change before it is stored. */
async function alone<T>(store: Store, accountId: string, work: (account: Account, stillAlone: () => Promise<void>) => Promise<T>): Promise<T> {
  const name = `connect ${accountId}`
  const holder = randomUUID()
  const busy = () => new Problem('write_in_progress', 'Another request is changing the connection of this account. Send this one again when that one has ended.')
  for (const deadline = Date.now() + waitMs; !(await store.leases.acquire(name, holder, leaseMs)); await sleep(50)) if (Date.now() > deadline) throw busy()
  try {
    const account = await store.accounts.get(accountId)
    if (!account) throw gone()
    return await work(account, async () => {
      if (!(await store.leases.acquire(name, holder, leaseMs))) throw busy()
    })
  } finally {
    await store.leases.release(name, holder).catch(() => undefined) // it expires by itself
  }
}
