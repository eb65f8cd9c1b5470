// The platform's own authentication of an account: the current token, refreshed once, however many calls and instances
// need it at the same time.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { BoundedMap } from '../../base/bounded-map.ts'
import type { Auth, Connector, TokenAnswer, TokenCall } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import type { Account } from '../../store/store.ts'
import type { EngineOptions, EngineStore, RequestContext } from '../options.ts'
import { reconnectDetail } from '../reconnect.ts'
import { settingDefaults } from '../settings.ts'
import { retryWhileUnavailable } from '../while-unavailable.ts'
import { businessOf } from './business.ts'
import { addressOf, lacking } from './origin.ts'
import { outside } from './outside.ts'
import { strikeSecrets } from './redaction.ts'
import {
  failingOf,
  failingWords,
  isUsable,
  mustWait,
  type RenewalFailing,
  waitingProblem,
  withFailure,
  withoutFailures,
} from './renewal-failing.ts'
import { fill, fillAll, namesIn, type Values } from './template.ts'
import { type Refusal, readTokens } from './token-answer.ts'
import type { TransportError, WireAnswer } from './transport.ts'

export interface Credentials {
  /** Whether its token is valid as far as we know. */
  isReady(account: Account): boolean
  /** The account with a token that is valid as far as we know. */
  ready(account: Account, context: RequestContext): Promise<Account>
  /** The platform rejected this account's token: returns the account with another one. */
  renewed(account: Account, context: RequestContext): Promise<Account>
  /**
   * False for a token that was recently renewed and rejected again: a renewal does not add a missing scope, and
   * platforms count renewals.
   */
  worthRenewing(account: Account): boolean
  /** Whether the account has what a renewal needs: a login, or a refresh token. */
  renewable(account: Account): boolean
  renewedInVain(account: Account): void
  /** The platform revoked the authorization. */
  lost(account: Account, reason: string): Promise<never>
  /**
   * Exchanges an authorization code or client credentials for tokens; returns the credentials to store. The account may
   * be a draft.
   */
  exchange(
    account: Account,
    connector: Connector,
    values: Values,
    context: RequestContext,
  ): Promise<Record<string, string>>
}
/** Where the accounts are whose tokens are renewed: the store, or an account that is not stored yet. */
export type AccountSource = EngineStore['accounts']

/** Cause of a problem: the token endpoint refused. */
export class TokenRefused extends Error {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.reason)
    this.name = 'TokenRefused'
    this.refusal = refusal
  }
}
type Later = {
  why: string
  status?: number | undefined
  failure?: TransportError | undefined
  timeout: boolean
  askedMs?: number | undefined
}
type Asked = { credentials: Record<string, string> } | { refused: Refusal } | { later: Later }
const spentToken =
  'The response to a token renewal was lost, and the platform does not take its refresh token a second time.'
/** A renewal with one of these may succeed later. */
const passingCodes: ReadonlySet<string> = new Set(['downstream_error', 'downstream_timeout', 'unavailable'])
const secondsUntil = (instant: string) => Math.max(1, Math.ceil((Date.parse(instant) - Date.now()) / 1000))
const leaseMs = 30_000
/** A token this close to its expiry is renewed before it is used. */
const marginMs = 60_000
const inVainMs = 300_000
const maxInVain = 10_000

export function createCredentials(
  options: EngineOptions,
  accounts: AccountSource = options.store.accounts,
): Credentials {
  const { store, connectors } = options
  const underWay = new Map<string, Promise<Account>>()
  const inVain = new BoundedMap<string, { token: string | undefined; until: number }>(maxInVain)

  const authOf = (account: Account): Auth => {
    const connector = connectors[account.platform] as Connector
    return connector.auth.find(({ kind }) => kind === account.auth) ?? (connector.auth[0] as Auth)
  }
  const renewalOf = (auth: Auth): TokenCall | undefined =>
    auth.kind === 'oauth2' ? auth.refresh : auth.kind === 'client_credentials' ? auth.login : undefined

  const renewable = (account: Account): boolean => {
    const auth = authOf(account)
    return renewalOf(auth) !== undefined && (auth.kind !== 'oauth2' || Boolean(account.credentials.refreshToken))
  }

  const reconnect = (account: Account, reason: string, refusal?: Refusal): Problem =>
    reconnectProblem(connectors[account.platform] as Connector, reason, refusal)

  const lost = async (account: Account, reason: string, refusal?: Refusal): Promise<never> => {
    if (account.state === 'active')
      await accounts.update(account.id, { state: 'reconnect_required', stateReason: reason }, account.revision)
    throw reconnect(account, reason, refusal)
  }

  async function renew(account: Account, context: RequestContext): Promise<Account> {
    const used = account.credentials.accessToken
    const name = `token ${account.id}`
    const holder = `${options.instance} ${randomUUID()}`
    const deadline = Date.now() + leaseMs
    while (!(await store.leases.acquire(name, holder, leaseMs))) {
      await sleep(50)
      const current = await accounts.get(account.id)
      if (!current) throw new Problem('unknown_account', 'The account was deleted.')
      if (current.state === 'reconnect_required') throw reconnect(current, current.stateReason ?? '')
      if (current.credentials.accessToken !== used) return current
      if (Date.now() > deadline)
        throw new Problem(
          'downstream_timeout',
          'Another instance is renewing the token of this account and has not finished.',
          { downstream: { platform: account.platform } },
        )
    }
    try {
      const current = await accounts.get(account.id) // another instance may have been faster
      if (!current) throw new Problem('unknown_account', 'The account was deleted.')
      if (current.state === 'reconnect_required') throw reconnect(current, current.stateReason ?? '')
      if (current.credentials.accessToken !== used) return current
      return await renewLocked(current, context)
    } finally {
      // The lease expires by itself; the renewed token is stored in any case.
      await store.leases.release(name, holder).catch(() => undefined)
    }
  }

  async function renewLocked(account: Account, context: RequestContext): Promise<Account> {
    const auth = authOf(account)
    const call = renewalOf(auth)
    if (!call || !renewable(account))
      return lost(account, 'The platform no longer accepts the token, and there is nothing to renew it with.')
    const tokens = await ask(account, call, (auth as { answer: TokenAnswer }).answer, {}, context)
    if ('credentials' in tokens) return retryWhileUnavailable(() => storeTokens(account, tokens.credentials))
    if ('refused' in tokens && tokens.refused.ended) return lost(account, tokens.refused.reason, tokens.refused)
    return failed(account, tokens)
  }

  /** The renewal failed, and the authorization may be good: it is tried again after a pause. */
  async function failed(account: Account, outcome: Exclude<Asked, { credentials: unknown }>): Promise<never> {
    const connector = connectors[account.platform] as Connector
    const refusal = 'refused' in outcome ? outcome.refused : undefined
    const askedMs = 'later' in outcome ? outcome.later.askedMs : undefined
    const credentials = withFailure(account, { askedMs, paceScale: options.paceScale })
    const isNew = failingOf(account) === undefined
    const stored = await accounts
      .update(
        account.id,
        { credentials, ...(isNew ? { event: 'account.renewal_failing' as const } : {}) },
        account.revision,
      )
      .catch(() => undefined) // the failure is what matters
    const why = 'later' in outcome ? outcome.later.why : (refusal?.code ?? refusal?.message ?? '')
    const failing = failingOf(stored ?? { credentials }) as RenewalFailing
    throw new Problem(
      'later' in outcome && outcome.later.timeout ? 'downstream_timeout' : 'downstream_error',
      `${connector.name} did not renew the token: ${why}. ${failingWords(failing)}`,
      {
        headers: { 'retry-after': String(secondsUntil(failing.retryAt)) },
        downstream: {
          platform: account.platform,
          status: refusal?.status ?? ('later' in outcome ? outcome.later.status : undefined),
          code: refusal?.code,
          message: refusal?.message,
        },
        cause: refusal ? new TokenRefused(refusal) : 'later' in outcome ? outcome.later.failure : undefined,
      },
    )
  }

  /** Replaces only the credentials that were renewed: a reconnect may have stored others in the meantime. */
  async function storeTokens(renewed: Account, tokens: Record<string, string>): Promise<Account> {
    const { accessToken, refreshToken } = renewed.credentials
    const connector = connectors[renewed.platform] as Connector
    for (let current = renewed; ; ) {
      const kept = withoutFailures(current.credentials)
      const stored = await accounts.update(
        renewed.id,
        {
          credentials: { ...kept, ...tokens },
          state: 'active',
          business: businessOf(connector, { ...current, credentials: { ...kept, ...tokens } }),
        },
        current.revision,
      )
      if (stored) return stored
      const found = await accounts.get(renewed.id)
      if (!found) throw new Problem('unknown_account', 'The account was deleted.')
      if (found.credentials.accessToken !== accessToken || found.credentials.refreshToken !== refreshToken) return found
      current = found
    }
  }

  async function ask(
    account: Account,
    call: TokenCall,
    answer: TokenAnswer,
    extra: Values,
    context: RequestContext,
    isCode = false, // a code works once: its exchange is not repeated
  ): Promise<Asked> {
    const connector = connectors[account.platform] as Connector
    const given: Values = { ...account.settings, ...account.credentials, ...extra }
    const values: Values = { ...fillAll(settingDefaults(connector), given), ...given }
    const fields = fillAll(call.fields, values)
    const headers: Record<string, string> = {
      accept: 'application/json',
      'content-type': call.encoding === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
      ...fillAll(call.headers, values),
    }
    if (call.basic)
      headers.authorization = `Basic ${Buffer.from(`${encodeURIComponent(values.clientId ?? '')}:${encodeURIComponent(values.clientSecret ?? '')}`).toString('base64')}`
    const path = fill(call.path, values)
    if (path === undefined)
      throw lacking(
        connector,
        namesIn(call.path).filter((name) => !values[name]),
      )
    const body = call.encoding === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields).toString()
    const address = addressOf(connector, account, call.origin ?? 'api', options)
    let wasLost = false
    for (let attempt = 1; ; attempt++) {
      const began = performance.now()
      let response: WireAnswer | undefined
      let failure: TransportError | undefined
      let asked: number | undefined
      try {
        response = await outside(context, () =>
          options.transport.exchange({
            method: 'POST',
            ...address,
            path,
            headers,
            body,
            timeoutMs: options.callTimeoutMs,
          }),
        )
      } catch (error) {
        if (error instanceof Problem) throw error // the address is not allowed
        failure = error as TransportError
      }
      options.observe?.({
        requestId: context.requestId,
        workspaceId: account.workspaceId,
        accountId: account.id,
        platform: account.platform,
        kind: 'token',
        method: 'POST',
        path: call.path,
        ...(response ? { status: response.status } : { error: failure?.message }),
        attempt,
        waitedMs: 0,
        durationMs: performance.now() - began,
      })
      if (response) {
        const verdict = readTokens(
          response,
          answer,
          strikeSecrets({ ...account, credentials: { ...account.credentials, ...defined(extra) } }, connector),
        )
        if ('refused' in verdict && verdict.refused.ended && wasLost)
          return { refused: { ...verdict.refused, reason: spentToken, spent: true } }
        if (!('later' in verdict)) return verdict
        asked = verdict.later.askedMs
      }
      wasLost ||= failure?.sent !== false
      if (isCode && wasLost)
        return {
          refused: {
            reason: 'The response to the authorization code was lost, and a code can be used only once.',
            spent: true,
          },
        }
      // A token server that is too busy is not asked again at once.
      if (attempt >= 3 || response?.status === 429 || asked !== undefined) {
        const why = failure ? failure.message : `status ${response?.status}`
        const status = response?.status
        return { later: { why, status, failure, timeout: failure?.timeout === true, askedMs: asked } }
      }
      await sleep(100 * 2 ** attempt * Math.max(options.paceScale, 0.05))
    }
  }

  function isReady(account: Account): boolean {
    if (!renewalOf(authOf(account))) return true
    const { accessToken, expiresAt } = account.credentials
    return Boolean(accessToken) && (!expiresAt || Date.parse(expiresAt) - marginMs > Date.now())
  }

  return {
    isReady,
    async ready(account, context) {
      if (isReady(account)) return account
      try {
        return await this.renewed(account, context)
      } catch (error) {
        // A token that is close to its end is good until then.
        if (isUsable(account) && error instanceof Problem && passingCodes.has(error.code)) return account
        throw error
      }
    },
    async renewed(account, context) {
      if (mustWait(account)) throw waitingProblem(account, (connectors[account.platform] as Connector).name)
      const key = `${account.id} ${account.credentials.accessToken ?? ''}`
      let pending = underWay.get(key)
      if (!pending) {
        pending = renew(account, context).finally(() => underWay.delete(key))
        underWay.set(key, pending)
      }
      return pending
    },
    worthRenewing({ id, credentials }) {
      const known = inVain.get(id)
      return !known || known.token !== credentials.accessToken || known.until <= performance.now()
    },
    renewable,
    renewedInVain({ id, credentials }) {
      inVain.set(id, { token: credentials.accessToken, until: performance.now() + inVainMs * options.paceScale })
    },
    lost,
    async exchange(account, connector, values, context) {
      const auth = connector.auth.find(({ kind }) => kind === account.auth) as Extract<Auth, { answer: TokenAnswer }>
      const code = auth.kind === 'oauth2' // a single-use code
      const tokens = await ask(account, code ? auth.exchange : auth.login, auth.answer, values, context, code)
      if ('refused' in tokens) throw reconnect(account, tokens.refused.reason, tokens.refused)
      if ('later' in tokens)
        throw new Problem(
          tokens.later.timeout ? 'downstream_timeout' : 'downstream_error',
          `${connector.name} did not return a token: ${tokens.later.why}.`,
          { downstream: { platform: connector.id, status: tokens.later.status }, cause: tokens.later.failure },
        )
      return tokens.credentials
    },
  }
}

function reconnectProblem(connector: Connector, reason: string, refusal?: Refusal): Problem {
  const { status, code, message } = refusal ?? {}
  return new Problem('reconnect_required', reconnectDetail(connector, reason), {
    downstream: {
      platform: connector.id,
      status,
      code: code || undefined,
      message: message || undefined,
    },
    cause: refusal ? new TokenRefused(refusal) : undefined,
  })
}

const defined = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
