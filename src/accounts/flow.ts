// The flows of a link: OAuth through the platform, or entered keys. One attempt at a time, one account per link.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector } from '../contract/connector.ts'
import type { Vertical } from '../contract/entity.ts'
import { Problem, type Violation } from '../contract/errors.ts'
import { serviceProblem } from '../engine/failures.ts'
import { fits, type OAuth, oauthOf, readRedirect, usesPkce } from '../engine/outbound/authorize.ts'
import type { Account, ConnectLink, PlatformApp } from '../store/store.ts'
import type { Vault } from '../store/vault.ts'
import { complete, explain, type Grant } from './completion.ts'
import { type Asker, type ConnectParts, contextOf } from './connect.ts'
import { sealState } from './oauth-state.ts'
import { createId } from './secrets.ts'
import { usedTypes } from './used-types.ts'
import type { Message, Word } from './words/words.ts'

/** The state of an attempt, sealed in the store. */
export interface AttemptData {
  browser: string
  platform: string
  vertical: Vertical
  settings: Record<string, string>
  codeVerifier?: string
  credentials?: Record<string, string> // while a question is open
  questions?: Violation[]
  failure?: Message
}
export type Outcome =
  | { state: 'connected'; accountId: string }
  | { state: 'choosing' }
  | { state: 'failed'; message: Message; errors: Violation[] }

/** The person on the page. */
export interface Visitor extends Asker {
  browser: string
  address: string
}
export interface FlowOptions extends ConnectParts {
  vault: Vault
  redirectUri: () => string
  onError(error: unknown): void
}
export const dataOf = (link: ConnectLink): AttemptData | undefined => link.attempt.data as AttemptData | undefined

/** A new account is not stored then. */
class LinkEnded extends Error {}
const failed = (word: Word): Outcome => ({ state: 'failed', message: { word }, errors: [] })
const linkEnded = failed('linkEnded')

const entryOf = (link: ConnectLink, accountId: string, { address, requestId }: Visitor) => ({
  scope: link.workspaceId,
  actor: `connect link ${link.id}`,
  address,
  action: link.accountId === undefined ? 'connectAccount' : 'reconnectAccount',
  object: { id: accountId },
  outcome: 'ok',
  requestId,
})

export function createFlow({ vault, redirectUri, onError, ...parts }: FlowOptions) {
  const { store, engine, connectors } = parts

  const draftOf = async (
    link: ConnectLink,
    { platform, vertical, settings }: Pick<Grant, 'platform' | 'vertical' | 'settings'>,
    app: PlatformApp,
  ): Promise<Account> => ({
    id: `probe ${link.id}`,
    workspaceId: link.workspaceId,
    platform,
    vertical,
    name: '',
    state: 'active',
    settings,
    auth: 'oauth2',
    credentials: { clientId: app.clientId, clientSecret: app.clientSecret, redirectUri: redirectUri() },
    testOnly: (await store.workspaces.get(link.workspaceId))?.isTest,
    revision: 0,
    createdAt: '',
    updatedAt: '',
  })
  async function appOf(link: ConnectLink, connector: Connector): Promise<PlatformApp> {
    const app = await store.platformApps.get(link.workspaceId, connector.id)
    if (!app)
      throw new Problem(
        'forbidden',
        `${connector.name} cannot be authorized: no application is configured for it. Ask the sender of the link to add one under Connect in the dashboard.`,
      )
    return app
  }

  /** Runs an attempt and stores its outcome for other requests of the same attempt. */
  async function work(
    link: ConnectLink,
    attemptId: string,
    data: AttemptData,
    auth: string,
    run: () => Promise<Grant>,
    visitor: Visitor,
  ): Promise<Outcome> {
    const connector = connectors[data.platform] as Connector
    let granted: Grant | undefined
    try {
      granted = await run()
      const { browser, platform, vertical } = data
      let settled = false
      // The account, the state of the link and the audit entry are one transaction.
      const transaction: FlowOptions['transaction'] = (change) =>
        store.transaction(async (inner) => {
          const account = await change(inner)
          settled = await inner.connectLinks.settle(link, attemptId, {
            state: 'connected',
            accountId: account.id,
            data: { browser, platform, vertical, settings: {} },
          })
          if (!settled && link.accountId === undefined) throw new LinkEnded()
          await inner.audit.append(entryOf(link, account.id, visitor))
          return account
        })
      const accountId = await complete({ ...parts, transaction }, link, granted, visitor)
      return settled ? { state: 'connected', accountId } : linkEnded
    } catch (error) {
      if (error instanceof LinkEnded) return linkEnded
      const problem = serviceProblem(error)
      if (problem.status >= 500 && problem.code === 'internal_error') onError(error)
      const { message, errors } = explain(problem, connector, auth)
      // Only a choice is missing. The authorization code works only once, so its credentials are kept until the
      // customer chooses.
      const questions = errors.filter(
        ({ pointer }) =>
          pointer.startsWith('/settings/') && granted?.settings[pointer.slice('/settings/'.length)] === undefined,
      )
      if (granted && auth === 'oauth2' && problem.code === 'validation_failed' && questions.length > 0) {
        const { credentials, settings } = granted
        await store.connectLinks.settle(link, attemptId, {
          state: 'choosing',
          data: { ...data, credentials, settings, questions },
        })
        return { state: 'choosing' }
      }
      await store.connectLinks.settle(link, attemptId, {
        state: 'failed',
        data: {
          browser: data.browser,
          platform: data.platform,
          vertical: data.vertical,
          settings: {},
          failure: message,
        },
      })
      return { state: 'failed', message, errors }
    }
  }

  /** The outcome of the same attempt in another request, so that a second click does not report a false failure. */
  async function outcomeElsewhere(link: ConnectLink, attemptId: string): Promise<Outcome> {
    const deadline = Date.now() + 60_000
    let now: ConnectLink | undefined = link
    do {
      now = await store.connectLinks.get(link)
      if (now?.attempt.id !== attemptId) return failed('replaced')
      if (now.attempt.state === 'connected') return { state: 'connected', accountId: now.connectedAccountId as string }
      if (now.attempt.state === 'choosing') return { state: 'choosing' }
      if (now.attempt.state !== 'working') break
      await sleep(100)
    } while (Date.now() < deadline)
    return { state: 'failed', message: dataOf(now)?.failure ?? { word: 'notCompleted' }, errors: [] }
  }

  return {
    appOf,
    outcomeElsewhere,

    /** The platform's authorization page. */
    async authorizeUrl(
      link: ConnectLink,
      token: string,
      target: Pick<Grant, 'platform' | 'vertical' | 'settings'>,
      browser: string,
    ): Promise<string | 'busy'> {
      const connector = connectors[target.platform] as Connector
      const draft = await draftOf(link, target, await appOf(link, connector))
      const attemptId = createId('try')
      const codeVerifier = usesPkce(oauthOf(connector) as OAuth) ? randomBytes(32).toString('base64url') : undefined
      const state = sealState(vault, { workspaceId: link.workspaceId, linkId: link.id, attemptId, token })
      const url = engine.authorizeUrl(
        draft,
        {
          ...draft.credentials,
          clientSecret: undefined,
          state,
          codeVerifier,
        },
        await usedTypes(store, link.workspaceId),
      )
      const data: AttemptData = { ...target, browser, codeVerifier }
      return (await store.connectLinks.begin(link, attemptId, data)) ? url : 'busy'
    },

    /** The origin of the authorization page, without starting an attempt. */
    async authorizeOrigin(
      link: ConnectLink,
      target: Pick<Grant, 'platform' | 'vertical' | 'settings'>,
    ): Promise<string> {
      const draft = await draftOf(link, target, await appOf(link, connectors[target.platform] as Connector))
      return new URL(
        engine.authorizeUrl(
          draft,
          { clientId: draft.credentials.clientId, state: 's', redirectUri: redirectUri() },
          new Set(),
        ),
      ).origin
    },

    /** The platform redirected the customer back with a code. */
    async returned(link: ConnectLink, data: AttemptData, query: URLSearchParams, visitor: Visitor): Promise<Outcome> {
      const attemptId = link.attempt.id
      if (!(await store.connectLinks.take(link, attemptId, 'waiting'))) return outcomeElsewhere(link, attemptId)
      const { platform, vertical, settings: asked, codeVerifier } = data
      const run = async (): Promise<Grant> => {
        const connector = connectors[platform] as Connector
        const app = await appOf(link, connector)
        const redirect = readRedirect(connector, query, asked, app.clientSecret)
        const settings = { ...asked, ...redirect.settings }
        const draft = await draftOf(link, { platform, vertical, settings }, app)
        const values = { ...redirect.values, code: query.get('code') ?? undefined, codeVerifier }
        const tokens = await engine.credentials.exchange(draft, connector, values, contextOf(visitor))
        checkKept(connector, tokens, settings)
        return {
          platform,
          vertical,
          auth: 'oauth2',
          settings,
          credentials: { ...draft.credentials, ...redirect.values, ...tokens },
        }
      }
      return work(link, attemptId, data, 'oauth2', run, visitor)
    },

    /** The customer or the platform declined. */
    async declined(link: ConnectLink, data: AttemptData, failure: Message): Promise<void> {
      const { browser, platform, vertical } = data
      if (await store.connectLinks.take(link, link.attempt.id, 'waiting'))
        await store.connectLinks.settle(link, link.attempt.id, {
          state: 'failed',
          data: { browser, platform, vertical, settings: {}, failure },
        })
    },

    async typed(link: ConnectLink, grant: Grant, visitor: Visitor): Promise<Outcome> {
      const { browser } = visitor
      const attemptId = createId('try')
      const data: AttemptData = { browser, platform: grant.platform, vertical: grant.vertical, settings: {} }
      if (
        !(await store.connectLinks.begin(link, attemptId, data)) ||
        !(await store.connectLinks.take(link, attemptId, 'waiting'))
      ) {
        const now = await store.connectLinks.get(link)
        // A double click: the first one counts.
        if (now && dataOf(now)?.browser === browser) return outcomeElsewhere(now, now.attempt.id)
        return failed('inOtherBrowser')
      }
      return work(link, attemptId, data, grant.auth, async () => grant, visitor)
    },

    async chosen(
      link: ConnectLink,
      data: AttemptData,
      settings: Record<string, string>,
      visitor: Visitor,
    ): Promise<Outcome> {
      const attemptId = link.attempt.id
      if (!(await store.connectLinks.take(link, attemptId, 'choosing'))) return outcomeElsewhere(link, attemptId)
      const { platform, vertical, credentials = {} } = data
      return work(
        link,
        attemptId,
        data,
        'oauth2',
        async () => ({ platform, vertical, auth: 'oauth2', credentials, settings: { ...data.settings, ...settings } }),
        visitor,
      )
    },
  }
}

/** Trusts hosts, regions and businesses in a token response only if the connector lists them and they match the redirect. */
function checkKept(connector: Connector, tokens: Record<string, string>, settings: Record<string, string>): void {
  for (const name of Object.keys((oauthOf(connector) as OAuth).answer.keep ?? {})) {
    const value = tokens[name]
    if (value === undefined || connector.settings?.properties[name] === undefined) continue
    if (!fits(connector, name, value) || (settings[name] !== undefined && settings[name] !== value))
      throw new Problem(
        'forbidden',
        `${connector.name} returned a different business or region than the one requested. Sign in there as the business that the link is for, and try again.`,
      )
  }
}
