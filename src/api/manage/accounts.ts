import { Type } from 'typebox'
import type { Connector } from '../../contract/connector.ts'
import { verticals } from '../../contract/entity.ts'
import { Problem, type Violation } from '../../contract/errors.ts'
import { oneOf } from '../../contract/field.ts'
import { createValidator } from '../../contract/validation.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Account, Store } from '../../store/store.ts'
import { credentialNames } from '../connect/fields.ts'
import { platformProblems } from '../openapi-problems.ts'
import { createId } from '../secrets.ts'
import { defineRoute, type ManageRoute, missing, pageOf, pageQuery, pageSchema } from './route.ts'

const texts = (description: string) => Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 20_000 }), { description })
const accountId = Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$', description: 'Letters, digits, dot, dash and underscore' })
const states = ['active', 'disabled', 'reconnect_required'] as const
const account = Type.Object(
  {
    id: Type.String(),
    workspaceId: Type.String(),
    platform: Type.String(),
    vertical: oneOf(verticals, 'Which flavor of the entities this account has'),
    name: Type.String(),
    state: oneOf(states, 'Whether calls go through'),
    stateReason: Type.Optional(Type.String()),
    auth: Type.String({ description: "Which of the platform's ways to authenticate" }),
    settings: texts('Tenant values and defaults'),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { additionalProperties: false },
)
const creation = Type.Object(
  {
    id: Type.Optional(accountId),
    platform: Type.String(),
    vertical: oneOf(verticals, 'Which flavor of the entities this account has'),
    name: Type.Optional(Type.String({ maxLength: 200 })),
    auth: Type.Optional(Type.String({ description: "Which of the platform's ways to authenticate; the first that the credentials fit, unless told" })),
    settings: Type.Optional(texts('Tenant values and defaults')),
    credentials: texts("The platform's own credentials; kept encrypted, never shown again"),
  },
  { additionalProperties: false },
)
const change = Type.Object({ name: Type.Optional(Type.String({ maxLength: 200 })), settings: Type.Optional(texts('Replaces all settings')) }, { additionalProperties: false })

/** Never with its credentials. */
const showAccount = ({ credentials: _, revision: __, stateReason, ...shown }: Account) => ({ ...shown, ...(stateReason ? { stateReason } : {}) })

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

function authFor(connector: Connector, wanted: string | undefined, credentials: Record<string, string>): { auth: string } | { errors: Violation[] } {
  const kinds = connector.auth.filter(({ kind }) => wanted === undefined || kind === wanted)
  if (kinds.length === 0) return { errors: [{ pointer: '/auth', message: `must be one of ${connector.auth.map(({ kind }) => kind).join(', ')}` }] }
  // The richest way that the credentials fit: a refresh token speaks for OAuth, a bare token for a personal one.
  const fitting = kinds.filter((auth) => credentialNames(auth).every((field) => credentials[field]))
  const best = fitting.find(({ kind }) => kind === 'oauth2' && credentials.refreshToken) ?? fitting.find(({ kind }) => kind !== 'oauth2') ?? fitting[0]
  if (best) return { auth: best.kind }
  return {
    errors: credentialNames(kinds[0] as Connector['auth'][number])
      .filter((field) => !credentials[field])
      .map((field) => ({ pointer: `/credentials/${field}`, message: `is required by ${connector.name}` })),
  }
}

export function settingViolations(connector: Connector, settings: Record<string, string>): Violation[] {
  if (!connector.settings) return Object.keys(settings).map((name) => ({ pointer: `/settings/${name}`, message: `is not a setting of ${connector.name}` }))
  return createValidator({ ...connector.settings, additionalProperties: false })
    .violations(settings)
    .map(({ pointer, message }) => ({ pointer: `/settings${pointer}`, message: message === 'is not a field of this entity' ? `is not a setting of ${connector.name}` : message }))
}

/** Makes a connected account with its two default mapping keys. With `prove`, only when a call to the platform succeeds. */
export async function connectAccount(
  store: Store,
  engine: Engine,
  connectors: Readonly<Record<string, Connector>>,
  wanted: NewAccount,
  requestId: string,
  { prove = false } = {},
): Promise<Account> {
  const connector = connectors[wanted.platform]
  const refuse = (errors: Violation[]) => new Problem('validation_failed', 'The account cannot be connected like this.', { errors })
  if (!connector) throw refuse([{ pointer: '/platform', message: `must be one of ${Object.keys(connectors).join(', ')}` }])
  if (!connector.verticals.includes(wanted.vertical)) throw refuse([{ pointer: '/vertical', message: `${connector.name} serves ${connector.verticals.join(', ')}` }])
  const chosen = authFor(connector, wanted.auth, wanted.credentials)
  if ('errors' in chosen) throw refuse(chosen.errors)
  const given = wanted.settings ?? {}
  const draft: Account = {
    id: wanted.id ?? createId('ura'),
    workspaceId: wanted.workspaceId,
    platform: wanted.platform,
    vertical: wanted.vertical,
    name: wanted.name ?? connector.name,
    state: 'active',
    settings: given,
    auth: chosen.auth,
    credentials: wanted.credentials,
    revision: 0,
    createdAt: '',
    updatedAt: '',
  }
  // What is missing the platform may tell; a wrong one is refused before anything is called: it may decide where the credentials go.
  const unsettled = settingViolations(connector, given).filter(({ message }) => message !== 'is required' || !connector.discover)
  if (unsettled.length > 0) throw refuse(unsettled)
  const { revision: _, createdAt: __, updatedAt: ___, ...fresh } = draft
  const created = await store.accounts.create(fresh)
  if (created === 'exists') throw new Problem('already_exists', `There is an account with the id ${draft.id} already.`)
  try {
    const discovered = connector.discover ? await engine.discover(created, { requestId, caller: 'management', maxWaitMs: 30_000 }) : {}
    const settings = { ...discovered, ...given }
    const errors = settingViolations(connector, settings)
    if (errors.length > 0) throw refuse(errors)
    for (const direction of ['read', 'write'] as const)
      await store.mappingKeys.create({ key: createId(direction === 'read' ? 'urmr' : 'urmw'), workspaceId: created.workspaceId, accountId: created.id, direction, isDefault: true })
    const connected = Object.keys(discovered).length > 0 ? ((await store.accounts.update(created.id, { settings })) ?? created) : created
    const proof = prove ? await engine.test(connected, { requestId, caller: 'management', maxWaitMs: 30_000 }) : undefined
    if (proof?.ok === false) throw proof.problem
    return connected
  } catch (error) {
    await store.accounts.delete(created.id)
    throw error
  }
}

export function accountRoutes(store: Store, engine: Engine, connectors: Readonly<Record<string, Connector>>): ManageRoute[] {
  const tag = 'Accounts'
  const base = '/workspaces/{workspaceId}/accounts'
  const owned = ownedAccount(store)
  const patch = async (id: string, changes: Parameters<Store['accounts']['update']>[1]) => {
    const updated = await store.accounts.update(id, changes)
    if (!updated) throw missing('account')
    engine.forgetFacts(id)
    return showAccount(updated)
  }
  return [
    defineRoute({
      method: 'GET',
      path: base,
      operationId: 'listAccounts',
      summary: 'List connected accounts',
      tag,
      query: { ...pageQuery, search: 'Only those with this in their id or name', platform: 'Only of this platform', state: `Only in this state: ${states.join(', ')}` },
      answer: pageSchema(account),
      handle: async ({ parameters, query: { search, platform, ...query } }) => {
        const state = states.find((known) => known === query.state)
        if (query.state !== undefined && !state) throw new Problem('invalid_parameter', `state must be one of ${states.join(', ')}.`)
        const filter = { ...(search ? { search } : {}), ...(platform ? { platform } : {}), ...(state ? { state } : {}) }
        const { data, next } = await store.accounts.list(parameters.workspaceId as string, pageOf(query), filter)
        return { data: data.map(showAccount), ...(next ? { next } : {}) }
      },
    }),
    defineRoute({
      method: 'POST',
      path: base,
      operationId: 'connectAccount',
      problems: ['already_exists', ...platformProblems],
      summary: 'Connect an account with credentials and settings',
      tag,
      body: creation,
      answer: account,
      status: 201,
      handle: async ({ parameters, body, request }) => {
        if (!(await store.workspaces.get(parameters.workspaceId as string))) throw missing('workspace')
        return showAccount(await connectAccount(store, engine, connectors, { ...body, workspaceId: parameters.workspaceId as string }, request.id))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${base}/{accountId}`,
      operationId: 'getAccount',
      summary: 'Read a connected account',
      tag,
      answer: account,
      handle: async ({ parameters }) => showAccount(await owned(parameters)),
    }),
    defineRoute({
      method: 'PATCH',
      path: `${base}/{accountId}`,
      operationId: 'changeAccount',
      summary: 'Change name or settings',
      tag,
      body: change,
      answer: account,
      handle: async ({ parameters, body }) => {
        const { id, platform } = await owned(parameters)
        const errors = body.settings ? settingViolations(connectors[platform] as Connector, body.settings) : []
        if (errors.length > 0) throw new Problem('validation_failed', 'The settings are not valid.', { errors })
        return patch(id, body)
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${base}/{accountId}`,
      operationId: 'deleteAccount',
      summary: 'Delete the account with its references, mappings and journal',
      tag,
      handle: async ({ parameters }) => void (await store.accounts.delete((await owned(parameters)).id)),
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/{accountId}/test`,
      operationId: 'testAccount',
      summary: 'Make one cheap call to the platform',
      tag,
      answer: Type.Object({ ok: Type.Boolean(), code: Type.Optional(Type.String()), detail: Type.Optional(Type.String()) }, { additionalProperties: false }),
      handle: async ({ parameters, request }) => {
        const result = await engine.test(await owned(parameters), { requestId: request.id, caller: 'management', maxWaitMs: 10_000 })
        return result.ok ? { ok: true } : { ok: false, code: result.problem.code, detail: result.problem.detail }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/{accountId}/disable`,
      operationId: 'disableAccount',
      summary: 'Refuse all calls until it is enabled again',
      tag,
      answer: account,
      handle: async ({ parameters }) => patch((await owned(parameters)).id, { state: 'disabled', stateReason: 'disabled by the operator' }),
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/{accountId}/enable`,
      operationId: 'enableAccount',
      summary: 'Let calls through again',
      tag,
      answer: account,
      handle: async ({ parameters }) => patch((await owned(parameters)).id, { state: 'active', stateReason: '' }),
    }),
    defineRoute({
      method: 'POST',
      path: `${base}/{accountId}/reconnect`,
      operationId: 'reconnectAccount',
      summary: 'Replace the credentials; references and mappings stay',
      tag,
      body: Type.Object({ credentials: texts("The platform's own credentials"), auth: Type.Optional(Type.String()) }, { additionalProperties: false }),
      answer: account,
      handle: async ({ parameters, body }) => {
        const { id, platform } = await owned(parameters)
        const chosen = authFor(connectors[platform] as Connector, body.auth, body.credentials)
        if ('errors' in chosen) throw new Problem('validation_failed', 'The account cannot be connected like this.', { errors: chosen.errors })
        return patch(id, { credentials: body.credentials, auth: chosen.auth, state: 'active', stateReason: '' })
      },
    }),
  ]
}

export const ownedAccount =
  (store: Store) =>
  async (parameters: Record<string, string>): Promise<Account> => {
    const found = await store.accounts.get(parameters.accountId as string)
    if (found?.workspaceId !== parameters.workspaceId) throw missing('account')
    return found as Account
  }
