import type { FastifyRequest } from 'fastify'
import { warningsOf } from '../../accounts/business.ts'
import {
  changeAccount,
  connectAccount,
  disableAccount,
  enableAccount,
  reconnectAccount,
} from '../../accounts/connect.ts'
import { existingAccount, existingWorkspace } from '../../accounts/lookup.ts'
import type { Connector } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { account, accountChange, accountStates, accountTexts, newAccount } from '../../contract/manage/accounts.ts'
import { flag, object, optional, pageSchema, text } from '../../contract/schema.ts'
import type { Engine } from '../../engine/engine.ts'
import { failingOf } from '../../engine/outbound/renewal-failing.ts'
import { tests } from '../../engine/outbound/verify.ts'
import { isTest } from '../../engine/settings.ts'
import type { HookKeeper } from '../../platform-webhooks/registrar.ts'
import type { Account, Store } from '../../store/store.ts'
import { loadOf } from '../admission.ts'
import { platformProblems } from '../openapi-problems.ts'
import { type Query, truth } from '../query.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery, type Recorded } from './route.ts'

const askerOf = (request: FastifyRequest) => ({ requestId: request.id, ...loadOf(request) })

export function accountRoutes(
  store: Store,
  engine: Engine,
  connectors: Readonly<Record<string, Connector>>,
  { hookKeeper }: { hookKeeper: Pick<HookKeeper, 'leave'> },
): ManageRoute[] {
  const tag = 'Accounts'
  const base = '/workspaces/{workspaceId}/accounts'
  const owned = (parameters: Record<string, string>) => existingAccount(store, parameters)
  const partsWith = (transaction: Recorded) => ({ store, engine, connectors, transaction })
  const inTest = ({ platform, settings }: Pick<Account, 'platform' | 'settings'>) =>
    connectors[platform] !== undefined && isTest(connectors[platform], settings)
  /** Without its credentials. */
  const showAccount = ({ credentials, business: _, revision: __, testOnly: ___, stateReason, ...shown }: Account) => {
    const failing = shown.state === 'active' ? failingOf({ credentials }) : undefined
    return {
      ...shown,
      test: inTest(shown) || undefined,
      stateReason: stateReason || undefined,
      renewal: failing && { failingSince: failing.since, retryAt: failing.retryAt },
    }
  }
  const showOne = async (shown: Account) => {
    const warnings = await warningsOf(store, shown)
    return {
      ...showAccount(shown),
      dailyLimit: connectors[shown.platform] && (await engine.dailyLimit(shown)),
      warnings: warnings.length > 0 ? warnings : undefined,
    }
  }
  const testQuery = {
    test: '`true` by default: tests credentials and settings with a call to the platform and stores them only if it succeeds. `false` stores them untested',
  }
  const testFor = (query: Query) => (truth(query, 'test', true) ? tests.full : tests.none)
  return [
    defineRoute({
      method: 'GET',
      path: base,
      operationId: 'listAccounts',
      role: 'viewer',
      scope: 'accounts:read',
      summary: 'List connected accounts',
      tag,
      query: {
        ...pageQuery,
        search: 'Accounts with this text in their id or name',
        platform: 'Accounts of this platform',
        state: `Accounts in this state: ${accountStates.join(', ')}`,
      },
      answer: pageSchema(account),
      handle: async ({ parameters, query: { search, platform, ...query }, request }) => {
        const state = accountStates.find((known) => known === query.state)
        if (query.state !== undefined && !state)
          throw new Problem('invalid_parameter', `state must be one of ${accountStates.join(', ')}.`)
        const filter = {
          search: search || undefined,
          platform: platform || undefined,
          state,
          ids: request.operator?.credential?.accounts,
        }
        const { data, next } = await store.accounts.list(parameters.workspaceId as string, pageOf(query), filter)
        return { data: data.map(showAccount), next }
      },
    }),
    defineRoute({
      method: 'POST',
      path: base,
      operationId: 'connectAccount',
      role: 'operator',
      problems: ['already_exists', ...platformProblems],
      summary: 'Connect an account; the platform must accept its credentials and settings',
      tag,
      query: testQuery,
      body: newAccount,
      answer: account,
      status: 201,
      handle: async ({ parameters, query, body, request, recorded }) => {
        const test = testFor(query)
        const { id: workspaceId } = await existingWorkspace(store, parameters.workspaceId)
        return showOne(await connectAccount(partsWith(recorded), { ...body, workspaceId }, askerOf(request), test))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/{accountId}`,
      operationId: 'getAccount',
      role: 'viewer',
      scope: 'accounts:read',
      summary: 'Read a connected account',
      tag,
      answer: account,
      handle: async ({ parameters }) => showOne(await owned(parameters)),
    }),
    defineRoute({
      method: 'PATCH',
      path: `${base}/{accountId}`,
      operationId: 'changeAccount',
      role: 'operator',
      problems: ['write_in_progress', ...platformProblems],
      summary: "Change the name or settings; new settings must work with the account's credentials",
      tag,
      query: testQuery,
      body: accountChange,
      answer: account,
      handle: async ({ parameters, query, body, request, recorded }) => {
        const test = truth(query, 'test', true)
        return showOne(
          await changeAccount(partsWith(recorded), (await owned(parameters)).id, body, askerOf(request), test),
        )
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/{accountId}`,
      operationId: 'deleteAccount',
      role: 'operator',
      summary: 'Delete an account with its references, mappings, and journal',
      tag,
      handle: async ({ parameters, recorded }) => {
        const found = await owned(parameters)
        const { id } = found
        await hookKeeper.leave(found) // while there are credentials
        await recorded((inner) => inner.accounts.delete(id))
        engine.forgetFacts(id)
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/{accountId}/test`,
      operationId: 'testAccount',
      role: 'operator',
      summary: 'Test the connection with one call to the platform',
      tag,
      answer: object({ ok: flag(), code: optional(text()), detail: optional(text()) }),
      handle: async ({ parameters, request }) => {
        const result = await engine.test(await owned(parameters), {
          ...askerOf(request),
          caller: 'management',
          maxWaitMs: 10_000,
        })
        return result.ok ? { ok: true } : { ok: false, code: result.problem.code, detail: result.problem.detail }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/{accountId}/disable`,
      operationId: 'disableAccount',
      role: 'operator',
      summary: 'Disable an account; all its requests fail until it is enabled again',
      tag,
      answer: account,
      handle: async ({ parameters, recorded }) =>
        showOne(await disableAccount(partsWith(recorded), (await owned(parameters)).id)),
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/{accountId}/enable`,
      operationId: 'enableAccount',
      role: 'operator',
      summary: 'Enable a disabled account',
      tag,
      answer: account,
      handle: async ({ parameters, recorded }) =>
        showOne(await enableAccount(partsWith(recorded), (await owned(parameters)).id)),
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/{accountId}/reconnect`,
      operationId: 'reconnectAccount',
      role: 'operator',
      problems: ['write_in_progress', ...platformProblems],
      summary: 'Replace the credentials with new ones that the platform accepts; keeps references and mappings',
      tag,
      query: testQuery,
      body: object({ credentials: accountTexts('Credentials of the platform'), auth: optional(text()) }),
      answer: account,
      handle: async ({ parameters, query, body, request, recorded }) => {
        const test = testFor(query)
        return showOne(
          await reconnectAccount(partsWith(recorded), (await owned(parameters)).id, body, askerOf(request), test),
        )
      },
    }),
  ]
}
