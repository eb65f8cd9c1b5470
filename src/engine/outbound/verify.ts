// Tests credentials and settings with real calls before anything is stored. The calls take the same path as all others
// (pacing, egress guard, trace);
// only the account is not in the store, or has other settings there.

import { createHash } from 'node:crypto'
import { BoundedMap } from '../../base/bounded-map.ts'
import type { Connector } from '../../contract/connector.ts'
import { entityTypes } from '../../contract/entity.ts'
import { Problem, sentence } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import type { Account } from '../../store/store.ts'
import { keptNames, viewOf } from '../account-view.ts'
import { createFacts } from '../facts.ts'
import type { EngineOptions, EngineStore, RequestContext } from '../options.ts'
import type { Cursors } from '../read/cursor.ts'
import { createReading, type Reading } from '../read/list.ts'
import { canBeRefused, discoverOf, settingViolations } from '../settings.ts'
import { adapterOf, allowed } from '../support.ts'
import type { Target } from '../target.ts'
import { createChannel, slotOf, tooMany } from './channel.ts'
import { type AccountSource, createCredentials } from './credentials.ts'
import { refusalOf } from './refusal.ts'
import { withoutFailures } from './renewal-failing.ts'
import { createOutbound } from './retry.ts'

type TargetOf = (account: Account, entityType: string) => Target

/**
 * What a test consists of. A connection that was just authorized needs no renewal; one that is stored untested needs
 * only the settings that the platform reports.
 */
export interface Test {
  discover: boolean
  renew: boolean // proves what only a renewal uses: refresh token, client id and secret
  read: boolean
}
export const tests = {
  full: { discover: true, renew: true, read: true },
  authorized: { discover: true, renew: false, read: true },
  discovery: { discover: true, renew: false, read: false },
  none: { discover: false, renew: false, read: false },
} as const satisfies Record<string, Test>

export interface Verified {
  /** As they are now: a test may have renewed the token, and the old one may no longer work. */
  credentials: Record<string, string>
  /** The given ones, and those that the platform reported. */
  settings: Record<string, string>
  /** Called when both are stored. */
  stored(): void
}

export function createVerify(options: EngineOptions, targetOf: TargetOf, cursors: Cursors) {
  const { store, connectors } = options
  const renewals = createRenewals()

  /** The outbound channel over other accounts than the stored ones, with their own tokens and facts. */
  function chainOver(accounts: AccountSource) {
    const credentials = createCredentials(options, accounts)
    const channel = createChannel(options, credentials)
    const quiet: typeof channel = {
      ...channel,
      renew: async (operation) => credentials.renewable(operation.account) && channel.renew(operation),
      lost: async () => undefined as never, // the refusal itself is the result
    }
    return {
      credentials,
      reading: createReading({
        outbound: createOutbound(quiet, options.paceScale),
        facts: createFacts(120_000 * options.paceScale),
        cursors,
      }),
    }
  }

  async function run(
    draft: Account,
    accounts: AccountSource,
    context: RequestContext,
    { discover, renew, read }: Test,
    changed?: readonly string[],
  ): Promise<Account> {
    const connector = connectors[draft.platform] as Connector
    const { credentials, reading } = chainOver(accounts)
    const current = async (): Promise<Account> => (await accounts.get(draft.id)) ?? draft
    const isRenewed = ({ credentials: { accessToken } }: Account) => accessToken !== draft.credentials.accessToken
    try {
      const report = discover ? discoverOf(connector, draft.auth) : undefined
      if (report) {
        const discovered = await reading.through(targetOf(draft, firstOf(connector, draft)), context, report)
        await keepDiscovered(accounts, connector, draft, discovered)
        await countForBusiness(options.pacer, connector, draft, await current(), context)
      }
      const account = await current()
      const errors = settingViolations(connector, account.auth, account.settings)
      if (errors.length > 0)
        throw new Problem('validation_failed', 'The account cannot be connected like this.', { errors })
      if (read) await readAny(reading, targetOf, current, connector, context)
      // Last: a refresh token may work only once, and nothing that could still fail comes after it.
      const proven = await current()
      return renew && credentials.renewable(proven) && !isRenewed(proven)
        ? await credentials.renewed(proven, context)
        : proven
    } catch (error) {
      throw refusalOf(error, { account: await current(), connector, changed })
    }
  }

  return {
    /** New credentials, of an account that does not exist yet or keeps its old ones until these are stored. */
    async credentials(draft: Account, context: RequestContext, test: Test): Promise<Verified> {
      const renewal = renewals.of(draft)
      const { credentials, settings } = await run(renewal.draft, renewal.accounts, context, test)
      return { credentials: withoutFailures(credentials), settings, stored: renewal.forget }
    },
    /**
     * One call for a stored account, whatever its state says: an authorization that was lost may be good again, and then
     * the account is in service again.
     */
    async lost(account: Account, context: RequestContext): Promise<void> {
      const accounts = withSettings(store, account.settings)
      const { reading } = chainOver(accounts)
      const current = async (): Promise<Account> => (await accounts.get(account.id)) ?? account
      await readAny(reading, targetOf, current, connectors[account.platform] as Connector, context)
      await store.accounts.update(account.id, { state: 'active' })
    },
    /** New settings for an account with its current credentials. */
    async settings(account: Account, settings: Record<string, string>, context: RequestContext): Promise<void> {
      const names = new Set([...Object.keys(account.settings), ...Object.keys(settings)])
      const connector = connectors[account.platform] as Connector
      const changed = [...names].filter(
        (name) => account.settings[name] !== settings[name] && canBeRefused(connector, name),
      )
      const draft: Account = { ...account, settings, state: 'active' }
      await run(draft, withSettings(store, settings), context, tests.authorized, changed)
    },
  }
}

/**
 * Settings that the platform reports are stored as such, unless others were given. What a token response also has (the
 * scopes) describes the credentials, and replaces what was known.
 */
async function keepDiscovered(
  accounts: AccountSource,
  connector: Connector,
  draft: Account,
  discovered: Readonly<Record<string, string>>,
): Promise<void> {
  const described = new Set(
    keptNames(connector).filter((name) => !Object.hasOwn(connector.settings?.properties ?? {}, name)),
  )
  const [facts, settings] = [true, false].map((isFact) =>
    Object.fromEntries(Object.entries(discovered).filter(([name]) => described.has(name) === isFact)),
  )
  await accounts.update(draft.id, { settings: { ...settings, ...draft.settings } })
  const now = (await accounts.get(draft.id)) ?? draft
  if (Object.entries(facts!).some(([name, value]) => now.credentials[name] !== value))
    await accounts.update(draft.id, { credentials: { ...now.credentials, ...facts } }, now.revision)
}

/**
 * The calls of a discovery are made before the business is known. The platform counts them for it, so they take slots
 * of its windows as well.
 */
async function countForBusiness(
  pacer: EngineOptions['pacer'],
  connector: Connector,
  before: Account,
  after: Account,
  context: RequestContext,
): Promise<void> {
  const limits = slotOf(connector, after)
  if (limits.owner === slotOf(connector, before).owner) return
  for (let call = 0; call < (context.nativeCalls ?? 0); call++) {
    const paced = {}
    const taken = await pacer.take({ ...limits, caller: context.caller, maxWaitMs: context.maxWaitMs, call: paced })
    if ('wouldWaitMs' in taken) throw tooMany({ connector }, taken)
    pacer.sent(limits, paced)
    pacer.responded(limits, paced)
    pacer.release(limits, paced)
  }
}

const firstOf = (connector: Connector, { vertical }: Account): string =>
  entityTypes.find((type) => adapterOf(connector, vertical, type)) as string

/** One record of the first entity that can be read: a missing scope does not make the credentials invalid. */
export async function readAny(
  reading: Reading,
  targetOf: TargetOf,
  current: () => Promise<Account>,
  connector: Connector,
  context: RequestContext,
): Promise<void> {
  let refused: unknown
  for (const type of entityTypes) {
    const account = await current()
    const adapter = adapterOf(connector, account.vertical, type)
    if (!adapter || !allowed(adapter, viewOf(account, connector), 'read')) continue
    try {
      const before = context.nativeCalls ?? 0
      await reading.through(targetOf(account, type), context, (call) => adapter.list.page(call, { size: 1 }))
      // Fixed records, such as the payment methods of some platforms, prove nothing.
      if ((context.nativeCalls ?? 0) > before) return
    } catch (error) {
      if (!isMissingPermission(error, connector)) throw error
      refused ??= error
    }
  }
  throw refused ?? nothingReadable(connector)
}
function isMissingPermission(error: unknown, { ambiguous401 }: Connector): boolean {
  const failure = error instanceof Problem && error.cause instanceof NativeFailure ? error.cause : undefined
  return (
    failure !== undefined &&
    (['forbidden', 'not_found'].includes(failure.error.kind) || (ambiguous401 === true && failure.status === 401))
  )
}
function nothingReadable({ id, name }: Connector): Problem {
  const cause = new NativeFailure({ kind: 'forbidden', message: 'the granted scopes allow no entity to be read' })
  return new Problem(
    'forbidden',
    sentence(`${name} does not allow this account to read anything: ${cause.error.message}`),
    {
      downstream: { platform: id },
      cause,
    },
  )
}

/** The stored account with other settings. Its tokens are renewed in the store; its state stays as it is. */
function withSettings({ accounts }: EngineStore, settings: Record<string, string>): AccountSource {
  const asTested = (account: Account | undefined): Account | undefined =>
    account && { ...account, settings, state: 'active' }
  return {
    get: async (id) => asTested(await accounts.get(id)),
    update: async (id, { credentials }, ifRevision) =>
      asTested(credentials ? await accounts.update(id, { credentials }, ifRevision) : await accounts.get(id)),
  }
}

const rememberedMs = 3_600_000
const mostRemembered = 1000

/**
 * Tokens that tests have renewed and that are not stored yet. A refresh token may work only once: a caller that sends
 * the same one again after a failed test continues with its successor.
 */
function createRenewals() {
  const remembered = new BoundedMap<string, { tokens: Record<string, string>; until: number }>(mostRemembered)
  return {
    of(given: Account) {
      const { refreshToken } = given.credentials
      const key =
        refreshToken &&
        createHash('sha256').update(`${given.workspaceId} ${given.platform} ${refreshToken}`).digest('base64')
      const renewal = key ? remembered.get(key) : undefined
      const tokens = renewal && renewal.until > performance.now() ? renewal.tokens : {}
      let held: Account = { ...given, credentials: { ...given.credentials, ...tokens } }
      const draft = held
      const accounts: AccountSource = {
        get: async () => held,
        async update(_, change) {
          held = { ...held, ...change, revision: held.revision + 1 } as Account
          if (key && change.credentials && held.credentials.accessToken !== draft.credentials.accessToken)
            remember(key, held.credentials)
          return held
        },
      }
      return { draft, accounts, forget: () => void (key && remembered.delete(key)) }
    },
  }
  function remember(key: string, { accessToken, refreshToken, expiresAt }: Account['credentials']): void {
    const tokens = Object.entries({ accessToken, refreshToken, expiresAt }).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    )
    remembered.set(key, { tokens: Object.fromEntries(tokens), until: performance.now() + rememberedMs })
  }
}
