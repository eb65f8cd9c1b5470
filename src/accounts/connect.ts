// Connects, reconnects, and changes accounts. New values are tested with real calls and stored only if they work; a
// failure changes nothing.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { followSettings } from '../changes/settings.ts'
import type { Connector } from '../contract/connector.ts'
import { Problem, type Violation } from '../contract/errors.ts'
import { keptNames } from '../engine/account-view.ts'
import type { Engine } from '../engine/engine.ts'
import type { RequestContext } from '../engine/options.ts'
import { businessOf } from '../engine/outbound/business.ts'
import type { Test } from '../engine/outbound/verify.ts'
import { discoverOf, settingViolations } from '../engine/settings.ts'
import { retryWhileUnavailable } from '../engine/while-unavailable.ts'
import type { Account, Store } from '../store/store.ts'
import { credentialNames } from './fields.ts'
import { missingIn, ofWorkspace } from './lookup.ts'
import { newKey } from './mappings.ts'
import { createId } from './secrets.ts'

export interface ConnectParts {
  store: Store
  engine: Engine
  connectors: Readonly<Record<string, Connector>>
  /** Runs the change of the store, by default in a transaction of its own. */
  transaction?(change: (store: Store) => Promise<Account>): Promise<Account>
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
  settings?: Record<string, string> // override those of the account
}

/** The request that started the operation. */
export type Asker = Pick<RequestContext, 'requestId' | 'load'>
export const contextOf = ({ requestId, load }: Asker): RequestContext => ({
  requestId,
  caller: 'management',
  maxWaitMs: 30_000,
  load,
})
const refuse = (errors: Violation[]) =>
  new Problem(
    'validation_failed',
    'The account cannot be connected with these values. Correct the fields in errors and send the request again.',
    { errors },
  )
const exists = (id: string) =>
  new Problem(
    'already_exists',
    `An account with the id ${id} already exists. Choose another id, or send new credentials to POST ${ofWorkspace('/accounts')}/${id}/reconnect.`,
  )
const gone = () =>
  new Problem('unknown_account', 'The account was deleted in the meantime. Connect it again as a new account.')

function authFor(connector: Connector, method: string | undefined, credentials: Record<string, string>): string {
  const kinds = connector.auth.filter(({ kind }) => method === undefined || kind === method)
  if (kinds.length === 0)
    throw refuse([{ pointer: '/auth', message: `must be one of ${connector.auth.map(({ kind }) => kind).join(', ')}` }])
  // The best method that fits the credentials: a refresh token implies OAuth, a single token a personal one.
  const fitting = kinds.filter((auth) => credentialNames(auth).every((field) => credentials[field]))
  const best =
    fitting.find(({ kind }) => kind === 'oauth2' && credentials.refreshToken) ??
    fitting.find(({ kind }) => kind !== 'oauth2') ??
    fitting[0]
  if (best) return best.kind
  const missing = credentialNames(kinds[0] as Connector['auth'][number]).filter((field) => !credentials[field])
  throw refuse(
    missing.map((field) => ({ pointer: `/credentials/${field}`, message: `is required by ${connector.name}` })),
  )
}

/**
 * Settings that the platform can supply may be missing. Invalid settings are rejected before any call, because they can
 * decide where credentials are sent.
 */
function checkSettings(connector: Connector, auth: string, settings: Record<string, string>): { complete: boolean } {
  const errors = settingViolations(connector, auth, settings, { partial: discoverOf(connector, auth) !== undefined })
  if (errors.length > 0) throw refuse(errors)
  return { complete: settingViolations(connector, auth, settings).length === 0 }
}

/** In a test workspace, calls to anything but a test environment would be refused: so is the account. */
function checkEnvironment(engine: Engine, draft: Account): void {
  const fault = engine.testFault(draft)
  if (fault) throw refuse((fault.names[0] ? fault.names : ['']).map((name) => violationAt(name, fault.message)))
}
const violationAt = (name: string, message: string): Violation => ({
  pointer: name === '' ? '/platform' : `/settings/${name}`,
  message,
})

/** Creates an account with its two default mapping keys. */
export async function connectAccount(
  { store, engine, connectors, transaction = store.transaction }: ConnectParts,
  input: NewAccount,
  asker: Asker,
  test: Test,
): Promise<Account> {
  const connector = connectors[input.platform]
  if (!connector)
    throw refuse([{ pointer: '/platform', message: `must be one of ${Object.keys(connectors).join(', ')}` }])
  if (!connector.verticals.includes(input.vertical))
    throw refuse([
      {
        pointer: '/vertical',
        message: `must be one of ${connector.verticals.join(', ')}: these are the verticals of ${connector.name}`,
      },
    ])
  const auth = authFor(connector, input.auth, input.credentials)
  const { complete } = checkSettings(connector, auth, input.settings ?? {})
  const workspace = await store.workspaces.get(input.workspaceId)
  const draft: Account = {
    id: input.id ?? createId('ura'), // assigned before the test, which counts toward the account's rate limit
    workspaceId: input.workspaceId,
    platform: input.platform,
    vertical: input.vertical,
    name: input.name ?? connector.name,
    state: 'active',
    settings: input.settings ?? {},
    auth,
    credentials: input.credentials,
    testOnly: workspace?.isTest,
    revision: 0,
    createdAt: '',
    updatedAt: '',
  }
  checkEnvironment(engine, draft)
  if (await store.accounts.get(draft.id)) throw exists(draft.id)
  const { credentials, settings, stored } = await engine.verify.credentials(
    draft,
    contextOf(asker),
    complete ? test : { ...test, discover: true },
  )
  checkEnvironment(engine, { ...draft, settings })
  const { revision: _, createdAt: __, updatedAt: ___, testOnly: ____, ...fresh } = draft
  const business = businessOf(connector, { ...draft, credentials, settings })
  const created = await retryWhileUnavailable(() =>
    transaction(async (inner) => {
      const account = await inner.accounts.create({ ...fresh, credentials, settings, business })
      if (account === 'exists') throw exists(draft.id)
      for (const direction of ['read', 'write'] as const)
        await inner.mappingKeys.create({ ...newKey(account, direction), isDefault: true })
      await followSettings(inner, engine, account)
      return account
    }),
  )
  stored()
  return created
}

/** Replaces the credentials if the new ones work. The old ones stay active until one statement changes everything. */
export async function reconnectAccount(
  { store, engine, connectors, transaction = store.transaction }: ConnectParts,
  accountId: string,
  input: NewCredentials,
  asker: Asker,
  test: Test,
): Promise<Account> {
  return alone(store, accountId, async (account, stillAlone) => {
    const connector = connectors[account.platform] as Connector
    const auth = authFor(connector, input.auth, input.credentials)
    const given = { ...account.settings, ...input.settings }
    const { complete } = checkSettings(connector, auth, given)
    const draft: Account = { ...account, auth, credentials: input.credentials, settings: given, state: 'active' }
    checkEnvironment(engine, draft)
    const tested = await engine.verify.credentials(
      draft,
      contextOf(asker),
      complete ? test : { ...test, discover: true },
    )
    sameBusiness(connector, account, { ...draft, ...tested })
    checkEnvironment(engine, { ...draft, settings: tested.settings })
    await stillAlone()
    const { credentials, settings, stored } = tested
    const business = businessOf(connector, { ...draft, credentials, settings })
    const change = { credentials, auth, settings, business, state: 'active', stateReason: '' } as const
    const updated = await retryWhileUnavailable(() =>
      transaction(async (inner) => {
        const changed = await inner.accounts.update(account.id, change)
        if (!changed) throw gone()
        await followSettings(inner, engine, changed) // the scopes may be others
        await inner.changes.wake(account.id)
        return changed
      }),
    )
    stored()
    engine.forgetFacts(account.id)
    return updated
  })
}

/** Replaces the settings if they work with the account's credentials. */
export async function changeAccount(
  { store, engine, connectors, transaction = store.transaction }: ConnectParts,
  accountId: string,
  { settings, ...others }: { name?: string; settings?: Record<string, string> },
  asker: Asker,
  test: boolean,
): Promise<Account> {
  const change = async (changes: Parameters<Store['accounts']['update']>[1]) => {
    const updated = await transaction(
      async (inner) => (await inner.accounts.update(accountId, changes)) ?? Promise.reject(gone()),
    )
    engine.forgetFacts(accountId)
    return updated
  }
  if (!settings) return change(others)
  return alone(store, accountId, async (account, stillAlone) => {
    const errors = settingViolations(connectors[account.platform] as Connector, account.auth, settings)
    if (errors.length > 0)
      throw new Problem(
        'validation_failed',
        'The settings are not valid. Correct the fields in errors and send the request again.',
        { errors },
      )
    checkEnvironment(engine, { ...account, settings })
    // Credentials that are known not to work cannot test anything; a reconnect tests the settings as well.
    const same =
      JSON.stringify(Object.entries(settings).sort()) === JSON.stringify(Object.entries(account.settings).sort())
    if (test && !same && account.state !== 'reconnect_required')
      await engine.verify.settings(account, settings, contextOf(asker))
    await stillAlone()
    const business = businessOf(connectors[account.platform] as Connector, { ...account, settings }) ?? ''
    return change({ ...others, settings, business })
  })
}

/** All requests of the account fail until it is enabled again. */
export const disableAccount = (parts: Parts, accountId: string): Promise<Account> =>
  setState(parts, accountId, { state: 'disabled', stateReason: 'disabled by the operator' })
export const enableAccount = (parts: Parts, accountId: string): Promise<Account> =>
  setState(parts, accountId, { state: 'active', stateReason: '' })

async function setState(
  { store, engine, transaction = store.transaction }: Parts,
  accountId: string,
  state: Pick<Account, 'state' | 'stateReason'>,
): Promise<Account> {
  const updated = await transaction(async (inner) => {
    const changed = await inner.accounts.update(accountId, state)
    if (!changed) throw missingIn('accountId', 'account', ofWorkspace('/accounts'))
    await inner.changes.wake(accountId)
    return changed
  })
  engine.forgetFacts(accountId)
  return updated
}
type Parts = Pick<ConnectParts, 'store' | 'engine' | 'transaction'>

/** References and mappings belong to one business. Switching businesses would mix their data. */
function sameBusiness(connector: Connector, before: Account, after: Account): void {
  const supplied = keptNames(connector).filter((name) => name !== 'scope')
  for (const name of [...supplied, ...((connector.settings?.required ?? []) as readonly string[])]) {
    const [old, fresh] = [before, after].map(
      ({ credentials, settings }) => (supplied.includes(name) ? credentials[name] : undefined) ?? settings[name],
    )
    if (old !== undefined && fresh !== undefined && old !== fresh)
      throw new Problem(
        'validation_failed',
        `This account belongs to a different business at ${connector.name}. Sign in there as that business and try again.`,
        {
          errors: [{ pointer: '/credentials', message: `belong to a different business at ${connector.name}` }],
        },
      )
  }
}

const leaseMs = 120_000
const waitMs = 30_000

/** Only one request at a time changes the connection of an account, so that the tested values are the stored ones. */
async function alone<T>(
  store: Store,
  accountId: string,
  work: (account: Account, stillAlone: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const name = `connect ${accountId}`
  const holder = randomUUID()
  const busy = () =>
    new Problem(
      'write_in_progress',
      'Another request is changing the connection of this account. Try again when it has finished.',
    )
  for (const deadline = Date.now() + waitMs; !(await store.leases.acquire(name, holder, leaseMs)); await sleep(50))
    if (Date.now() > deadline) throw busy()
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
