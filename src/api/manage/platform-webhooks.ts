import { existingAccount, existingWorkspace, missing, ofAccount, ofWorkspace } from '../../accounts/lookup.ts'
import type { Connector, Hooks } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { hookSchema, type hookStates, secretBody } from '../../contract/manage/platform-webhooks.ts'
import { pageSchema } from '../../contract/schema.ts'
import { hookUrl } from '../../platform-webhooks/address.ts'
import { freshHook, type HookKeeper } from '../../platform-webhooks/registrar.ts'
import { withSecret } from '../../platform-webhooks/secrets.ts'
import type { HookOwner, StoredHook } from '../../store/platform-webhooks.ts'
import type { Account, Store } from '../../store/store.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'

const isoOf = (milliseconds: number | undefined) =>
  milliseconds === undefined ? undefined : new Date(milliseconds).toISOString()

export interface HookRouteOptions {
  hookKeeper: Pick<HookKeeper, 'check'>
  baseUrl(): string
}

export function hookManagement(
  store: Store,
  connectors: Readonly<Record<string, Connector>>,
  { hookKeeper, baseUrl }: HookRouteOptions,
): ManageRoute[] {
  const tag = 'Platform webhooks'
  const ofPlatforms = ofWorkspace('/hooks')
  const ofOne = ofAccount('/hook')

  function stateOf({ register, verify, secret }: Hooks, hook: StoredHook | undefined): (typeof hookStates)[number] {
    if (!hook) return 'waiting'
    if (register || hook.state === 'failing') return hook.state
    const needsSecret = verify !== undefined && secret?.from !== 'client' && hook.secrets.length === 0
    return needsSecret || hook.receivedAt === undefined ? 'waiting' : 'active'
  }
  function show(connector: Connector, hook: StoredHook | undefined) {
    const { hooks, id: platform, name } = connector
    if (!hooks) return { platform, name, state: 'unsupported', automatic: false, steps: [], reports: {} }
    const url = hook && hookUrl(baseUrl(), hook)
    const isEntered = hooks.secret?.from === 'entered'
    const code = hook?.challenges.findLast((challenge) => challenge.code !== undefined)?.code
    return {
      platform,
      name,
      scope: hooks.scope,
      accountId: hook?.accountId,
      state: stateOf(hooks, hook),
      error: hook?.error,
      url,
      automatic: hooks.register !== undefined,
      steps: (hooks.steps ?? []).map((step) => step.replaceAll('{url}', url ?? '')),
      secret: isEntered
        ? { label: 'Secret', ...hooks.secret?.words, stored: (hook?.secrets.length ?? 0) > 0 }
        : undefined,
      code: hook?.receivedAt === undefined ? code : undefined,
      reports: hooks.reports,
      lastReceivedAt: isoOf(hook?.receivedAt),
      lastRefusedAt: isoOf(hook?.refusedAt),
      lastCheckedAt: isoOf(hook?.checkedAt),
    }
  }
  const connectorOf = ({ platform = '' }: { platform?: string }): Connector => {
    const connector = connectors[platform]
    if (!connector)
      throw missing('platform', `Check platform in the path. Platforms are ${Object.keys(connectors).join(', ')}.`)
    return connector
  }
  const ownerOf = ({ id, workspaceId, platform }: Account, { scope }: Hooks): HookOwner =>
    scope === 'account' ? { workspaceId, platform, accountId: id } : { workspaceId, platform }
  /** A URL that a person enters exists before anything is watched. */
  async function hookOf(owner: HookOwner, hooks: Hooks): Promise<StoredHook | undefined> {
    const known = await store.hooks.get(owner)
    return known || hooks.register ? known : store.hooks.ensure(owner, freshHook(hooks))
  }
  async function ofAccountNow(account: Account) {
    const connector = connectorOf(account)
    const { hooks } = connector
    return show(connector, hooks && (await hookOf(ownerOf(account, hooks), hooks)))
  }
  async function ofPlatform(workspaceId: string, connector: Connector) {
    const { hooks, name } = connector
    if (hooks?.scope === 'account')
      return {
        ...show(connector, undefined),
        state: 'unavailable',
        error: `Webhooks of ${name} are set up for each account. Get them from the account.`,
      }
    return show(connector, hooks && (await hookOf({ workspaceId, platform: connector.id }, hooks)))
  }
  const refuse = (message: string) =>
    new Problem('validation_failed', 'The secret is not stored.', { errors: [{ pointer: '/secret', message }] })
  function mustBeEntered({ hooks, name, id }: Connector, scope: Hooks['scope']): Hooks {
    if (!hooks) throw refuse(`is not needed: the service uses no webhooks of ${name}`)
    if (hooks.secret?.from !== 'entered') throw refuse(`is not needed: no person enters a secret for ${name}`)
    if (hooks.scope !== scope)
      throw refuse(
        scope === 'account'
          ? `belongs to the application: PUT /manage/v1${ofPlatforms}/${id}`
          : `belongs to an account: PUT /manage/v1${ofOne}`,
      )
    return hooks
  }

  return [
    defineRoute({
      method: 'GET',
      path: ofPlatforms,
      operationId: 'listHooks',
      role: 'viewer',
      summary: 'List the URLs that receive webhooks of platforms, and how they are',
      tag,
      query: pageQuery,
      answer: pageSchema(hookSchema),
      handle: async ({ parameters, query }) => {
        const { id } = await existingWorkspace(store, parameters.workspaceId)
        for (const { hooks, id: platform } of Object.values(connectors))
          if (hooks?.scope === 'application') await hookOf({ workspaceId: id, platform }, hooks)
        const { data, next } = await store.hooks.list(id, pageOf(query))
        return { data: data.flatMap((hook) => showKnown(hook) ?? []), next }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${ofPlatforms}/{platform}`,
      operationId: 'getApplicationHook',
      role: 'viewer',
      summary: 'Read the URL that receives webhooks about all accounts on a platform',
      tag,
      answer: hookSchema,
      handle: async ({ parameters }) => {
        const { id } = await existingWorkspace(store, parameters.workspaceId)
        return ofPlatform(id, connectorOf(parameters))
      },
    }),
    defineRoute({
      method: 'PUT',
      path: `${ofPlatforms}/{platform}`,
      operationId: 'setApplicationHookSecret',
      role: 'operator',
      summary: "Store the secret that the platform's console shows; the previous one stays valid for 24 hours",
      tag,
      body: secretBody,
      answer: hookSchema,
      handle: async ({ parameters, body, recorded }) => {
        const { id: workspaceId } = await existingWorkspace(store, parameters.workspaceId)
        const connector = connectorOf(parameters)
        const hooks = mustBeEntered(connector, 'application')
        const hook = await store.hooks.ensure({ workspaceId, platform: connector.id }, freshHook(hooks))
        return show(
          connector,
          await recorded((inner) => inner.hooks.setSecrets(hook.id, withSecret(hook, body.secret))),
        )
      },
    }),
    defineRoute({
      method: 'GET',
      path: ofOne,
      operationId: 'getHook',
      role: 'viewer',
      summary: 'Read how the webhooks that the platform sends about an account are',
      tag,
      answer: hookSchema,
      handle: async ({ parameters }) => ofAccountNow(await existingAccount(store, parameters)),
    }),
    defineRoute({
      method: 'PUT',
      path: ofOne,
      operationId: 'setHookSecret',
      role: 'operator',
      summary: "Store the secret of an account's webhooks; the previous one stays valid for 24 hours",
      tag,
      body: secretBody,
      answer: hookSchema,
      handle: async ({ parameters, body, recorded }) => {
        const account = await existingAccount(store, parameters)
        const connector = connectorOf(account)
        const hooks = mustBeEntered(connector, 'account')
        const hook = await store.hooks.ensure(ownerOf(account, hooks), freshHook(hooks))
        return show(
          connector,
          await recorded((inner) => inner.hooks.setSecrets(hook.id, withSecret(hook, body.secret))),
        )
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${ofOne}/check`,
      operationId: 'checkHook',
      role: 'operator',
      summary: "Check now that the account's webhooks are registered, and register them if they are not",
      tag,
      answer: hookSchema,
      handle: async ({ parameters, started }) => {
        const account = await existingAccount(store, parameters)
        const { hooks } = connectorOf(account)
        const hook = hooks && (await hookOf(ownerOf(account, hooks), hooks))
        await started()
        if (hook) await hookKeeper.check(hook.id)
        return ofAccountNow(account)
      },
    }),
  ]

  function showKnown(hook: StoredHook) {
    const connector = connectors[hook.platform]
    return connector && show(connector, hook)
  }
}
