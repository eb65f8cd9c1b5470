// The sections of a workspace: how each is read, compared and changed by the management API.

import { readFileSync } from 'node:fs'
import { toInstant } from '../../contract/instant.ts'
import { endpointSettings as endpointSchema } from '../../contract/manage/webhooks.ts'
import { workspaceSettings } from '../../contract/manage/workspaces.ts'
import { withDefaults } from '../../contract/schema.ts'
import { defaultScopes } from '../../contract/scopes.ts'
import { urlFault } from '../../deliveries/endpoint-faults.ts'
import type { WorkspaceSettings } from '../../store/store.ts'
import { allOf } from '../manage.ts'
import { didYouMean } from '../parse.ts'
import {
  type Change,
  changesBetween,
  defined,
  extra,
  type Made,
  type Place,
  type Planning,
  planCollection,
  planSettings,
  pointerTo,
  type Step,
  settingsIn,
  sorted,
} from './plan.ts'
import type {
  CredentialConfiguration,
  EndpointConfiguration,
  SecretSource,
  WatchConfiguration,
  WorkspaceConfiguration,
} from './schema.ts'

type Api = Planning['manage']
const listed = async <T>(manage: Api, place: Place, rest: string): Promise<T[]> =>
  place.exists ? allOf<T>(manage, `${place.path()}/${rest}`) : []
const readOf = async <T>(manage: Api, place: Place, rest: string, absent: T): Promise<T> =>
  place.exists ? manage.call<T>('GET', `${place.path()}/${rest}`) : absent

export interface Credential extends CredentialConfiguration {
  id: string
  revokedAt?: string
}
const credentialSettings = ({
  name,
  scopes,
  accounts,
  entities,
  hiddenFields,
  expiresAt,
}: CredentialConfiguration) => ({
  name,
  scopes: sorted(scopes ?? defaultScopes),
  accounts: sorted(accounts),
  entities: sorted(entities),
  hiddenFields: sorted(hiddenFields),
  expiresAt: expiresAt && new Date(toInstant(expiresAt) ?? expiresAt).toISOString(),
})
export const credentialKinds = {
  apiKeys: { kind: 'API key', path: 'api-keys' },
  accessIds: { kind: 'access id', path: 'access-ids' },
} as const

export const readCredentials = async (
  manage: Api,
  place: Place,
  section: keyof typeof credentialKinds,
): Promise<Credential[]> =>
  (await listed<Credential>(manage, place, credentialKinds[section].path)).filter(({ revokedAt }) => !revokedAt)

export async function planCredentials(
  planning: Planning,
  place: Place,
  section: keyof typeof credentialKinds,
  declared: readonly CredentialConfiguration[],
): Promise<void> {
  const { manage } = planning
  const { kind, path } = credentialKinds[section]
  const found = await readCredentials(manage, place, section)
  planCollection(planning, place, {
    kind,
    entries: declared.map((entry, index) => ({
      id: entry.id,
      name: entry.name,
      pointer: pointerTo(place.pointer, section, index),
      settings: credentialSettings(entry),
      initial: { name: entry.name },
    })),
    found: found.map((one) => ({ id: one.id, name: one.name, settings: credentialSettings(one) })),
    async create({ settings }) {
      const made = await manage.call<Made & { key?: string }>('POST', `${place.path()}/${path}?unique=true`, settings)
      return { id: made.id, secret: made.key ?? made.secret }
    },
    change: (id, { settings }) => manage.call('PUT', `${place.path()}/${path}/${encodeURIComponent(id)}`, settings),
    remove: (id) => manage.call('DELETE', `${place.path()}/${path}/${encodeURIComponent(id)}`),
  })
}

export interface Endpoint extends EndpointConfiguration {
  id: string
}
/** An empty value is how the API removes a setting. */
const endpointSettings = (endpoint: Partial<EndpointConfiguration>) => {
  const all = withDefaults(endpointSchema, endpoint)
  return { ...all, events: sorted(all.events), accounts: sorted(all.accounts) }
}
export const readEndpoints = (manage: Api, place: Place) => listed<Endpoint>(manage, place, 'webhook-endpoints')

export async function planEndpoints(
  planning: Planning,
  place: Place,
  declared: readonly EndpointConfiguration[],
): Promise<void> {
  const { manage } = planning
  const kind = 'webhook endpoint'
  const found = await readEndpoints(manage, place)
  const pathOf = (id: string) => `${place.path()}/webhook-endpoints/${encodeURIComponent(id)}`
  const setState = (id: string, state: string) =>
    manage.call('POST', `${pathOf(id)}/${state === 'active' ? 'enable' : 'disable'}`)
  /** The state is compared only where the file has one: an endpoint that fails for long is disabled by the service. */
  const hasState = (id: string | undefined, url: string) =>
    declared.some((one) => (one.id === undefined ? one.url === url : one.id === id) && one.state !== undefined)
  const ids = planCollection(planning, place, {
    kind,
    entries: declared.map((entry, index) => ({
      id: entry.id,
      name: entry.url,
      pointer: pointerTo(place.pointer, 'webhookEndpoints', index),
      settings: { ...endpointSettings(entry), ...(entry.state ? { state: entry.state } : {}) },
      initial: { ...endpointSettings({ url: entry.url, events: [] }), state: entry.state },
    })),
    found: found.map((one) => ({
      id: one.id,
      name: one.url,
      settings: { ...endpointSettings(one), ...(hasState(one.id, one.url) ? { state: one.state } : {}) },
    })),
    async create({ settings: { state: _, ...settings } }) {
      const made = await manage.call<Made>('POST', `${place.path()}/webhook-endpoints?unique=true`, settings)
      return { id: made.id, secret: made.secret }
    },
    async change(id, _, changes) {
      const { state, ...settings } = Object.fromEntries(wholeFields(changes))
      if (Object.keys(settings).length > 0) await manage.call('PATCH', pathOf(id), settings)
      if (state !== undefined) await setState(id, state as string)
    },
    remove: (id) => manage.call('DELETE', pathOf(id)),
  })
  // A URL that the service has already accepted is left to it.
  for (const [index, { url }] of declared.entries()) {
    const pointer = pointerTo(place.pointer, 'webhookEndpoints', index)
    const isSent = ({ action, changes }: Step) => action === 'create' || changes.some(({ field }) => field === 'url')
    const fault = urlFault(url, { sandbox: true, egress: planning.egress })
    if (fault && planning.steps.some((step) => step.pointer === pointer && isSent(step)))
      planning.faults.push({
        pointer: pointerTo(pointer, 'url'),
        message: `${fault} of the service and of this command`,
      })
  }
  // A step of its own: if it fails, the secret of the new endpoint is not lost.
  for (const [index, { url, state }] of declared.entries()) {
    const pointer = pointerTo(place.pointer, 'webhookEndpoints', index)
    const isNew = planning.steps.some((step) => step.pointer === pointer && step.action === 'create')
    if (isNew && state === 'disabled')
      planSettings(planning, place, { kind, name: url, pointer }, [{ state: 'active' }, { state }], () =>
        setState((ids[index] as () => string)(), state),
      )
  }
}
const wholeFields = (changes: readonly Change[]) => changes.map(({ field, after }) => [field, after] as const)

/** Without what the service adds to them. */
export const readSettings = async (manage: Api, place: Place): Promise<WorkspaceSettings> =>
  settingsIn(
    workspaceSettings,
    await readOf<WorkspaceSettings>(manage, place, 'settings', { returnUrls: [] }),
  ) as WorkspaceSettings
export async function planWorkspaceSettings(
  planning: Planning,
  place: Place,
  { returnUrls = [], ...declared }: NonNullable<WorkspaceConfiguration['settings']>,
): Promise<void> {
  const after = { ...declared, returnUrls }
  const step = { kind: 'settings', name: '', pointer: pointerTo(place.pointer, 'settings') }
  planSettings(planning, place, step, [await readSettings(planning.manage, place), after], () =>
    planning.manage.call('PUT', `${place.path()}/settings`, after),
  )
}

type Branding = NonNullable<WorkspaceConfiguration['branding']>
export const readBranding = (manage: Api, place: Place) => readOf<Branding>(manage, place, 'branding', {})
const imageTypes = { png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', webp: 'image/webp' } as const

export async function planBranding(planning: Planning, place: Place, declared: Branding): Promise<void> {
  const pointer = pointerTo(place.pointer, 'branding')
  const after = { ...declared }
  if (declared.logo !== undefined && !declared.logo.startsWith('data:'))
    try {
      const type = imageTypes[declared.logo.split('.').at(-1)?.toLowerCase() as keyof typeof imageTypes]
      if (type === undefined) throw new Error('must be a PNG, JPEG or WebP file, or a data URL')
      after.logo = `data:${type};base64,${readFileSync(planning.file.pathOf(declared.logo)).toString('base64')}`
    } catch (error) {
      planning.faults.push({ pointer: pointerTo(pointer, 'logo'), message: (error as Error).message })
    }
  const before = await readBranding(planning.manage, place)
  planSettings(planning, place, { kind: 'branding', name: '', pointer }, [before, after], () =>
    planning.manage.call('PUT', `${place.path()}/branding`, after),
  )
}

export interface PlatformApp {
  platform: string
  configured: boolean
  clientId?: string
  settings: Record<string, string>
}
/** A new workspace has none of them. */
export async function readPlatformApps(manage: Api, place: Place): Promise<PlatformApp[]> {
  if (place.exists) return (await manage.call<{ data: PlatformApp[] }>('GET', `${place.path()}/platform-apps`)).data
  const { data } = await manage.call<{ data: { platform: string; auth: { kind: string }[] }[] }>('GET', '/platforms')
  return data.flatMap(({ platform, auth }) =>
    auth.some(({ kind }) => kind === 'oauth2') ? [{ platform, configured: false, settings: {} }] : [],
  )
}

const shownSource = ({ env, file }: SecretSource) =>
  env === undefined ? `file ${file}` : `environment variable ${env}`

/** The stored secret cannot be read, so it is sent only when something else changes, or on request. */
export async function planPlatformApps(
  planning: Planning,
  place: Place,
  declared: NonNullable<WorkspaceConfiguration['platformApps']>,
): Promise<void> {
  const { manage, steps, faults, prune, rotateSecrets, onlyPlans } = planning
  const { workspace } = place
  const found = await readPlatformApps(manage, place)
  const kind = 'platform app'
  const pathOf = (platform: string) => `${place.path()}/platform-apps/${encodeURIComponent(platform)}`
  for (const [platform, { clientId, clientSecret, settings = {} }] of Object.entries(declared)) {
    const pointer = pointerTo(place.pointer, 'platformApps', platform)
    const before = found.find((one) => one.platform === platform)
    if (!before) {
      const names = found.map((one) => one.platform)
      const near = didYouMean(platform, names)
      faults.push({ pointer, message: `is no platform with OAuth${near || `. Platforms are ${names.join(', ')}`}` })
      continue
    }
    const step = { workspace, kind, name: platform, pointer }
    const stored = before.configured ? { clientId: before.clientId, settings: before.settings } : undefined
    const changes = changesBetween(stored ?? { settings: {} }, { clientId, settings })
    if (stored && changes.length === 0 && !rotateSecrets) {
      steps.push({ ...step, action: 'unchanged', changes, note: 'secret: not compared (--rotate-secrets sends it)' })
      continue
    }
    const secret = planning.readSecret(clientSecret)
    const missing = `${shownSource(clientSecret)} ${clientSecret.file ? 'is empty or cannot be read' : 'is not set'}`
    if (secret === undefined && !onlyPlans)
      faults.push({ pointer: pointerTo(pointer, 'clientSecret'), message: `is missing: ${missing}` })
    steps.push({
      ...step,
      action: stored ? 'change' : 'create',
      changes,
      note: `secret: ${secret === undefined ? missing : `from ${shownSource(clientSecret)}`}`,
      run: async () => void (await manage.call('PUT', pathOf(platform), { clientId, clientSecret: secret, settings })),
    })
  }
  for (const { platform, configured } of found)
    if (configured && declared[platform] === undefined)
      steps.push(extra({ workspace, kind, name: platform }, prune, () => manage.call('DELETE', pathOf(platform))))
}

export interface WorkspaceWatches {
  entities: Record<string, WatchConfiguration>
  keepRecords: boolean
}
export const readWatches = (manage: Api, place: Place) =>
  readOf<WorkspaceWatches>(manage, place, 'watches', { entities: {}, keepRecords: true })

/** What a watch in the file sets; undefined: not watched. */
const intervalsOf = ({ watched = true, pollSeconds, walkHours }: WatchConfiguration) =>
  watched ? { pollSeconds, walkHours } : undefined

/** One request replaces all of them, so what is not in the file is sent as it is. */
export async function planWatches(
  planning: Planning,
  place: Place,
  { keepRecords = true, entities: declared = {} }: NonNullable<WorkspaceConfiguration['watches']>,
): Promise<void> {
  const { steps, prune, manage } = planning
  const found = await readWatches(manage, place)
  const extras = Object.keys(found.entities).filter((entityType) => !(entityType in declared))
  const watches = Object.entries(declared as Record<string, WatchConfiguration>).flatMap(([entityType, watch]) => {
    const intervals = intervalsOf(watch)
    return intervals ? [[entityType, defined(intervals)] as const] : []
  })
  const kept = prune ? [] : extras.map((entityType) => [entityType, found.entities[entityType] as object] as const)
  const after = { entities: Object.fromEntries([...kept, ...watches]), keepRecords }
  const step = { kind: 'watches', name: '', pointer: pointerTo(place.pointer, 'watches') }
  planSettings(planning, place, step, [found, after], () => manage.call('PUT', `${place.path()}/watches`, after))
  if (!prune) for (const name of extras) steps.push(extra({ workspace: place.workspace, kind: 'watch', name }, prune))
}

interface AccountWatch {
  watched: boolean
  setBy?: string
  own?: WatchConfiguration
}
export const readAccountWatches = async (manage: Api, place: Place) =>
  (await readOf<{ entities: Record<string, AccountWatch> }>(manage, place, 'watches', { entities: {} })).entities
/** As the file has it; undefined: the account follows its workspace. */
export const ownWatch = ({ setBy, own }: AccountWatch): WatchConfiguration | undefined =>
  setBy === 'account' ? (own ? { watched: true, ...own } : { watched: false }) : undefined

export async function planAccountWatches(
  planning: Planning,
  place: Place,
  account: string,
  declared: Readonly<Record<string, WatchConfiguration>>,
): Promise<void> {
  const { manage, steps, faults, prune } = planning
  const { workspace } = place
  const found = await readAccountWatches(manage, place)
  const kind = 'watch'
  const pathOf = (entityType: string) => `${place.path()}/watches/${entityType}`
  for (const [entityType, watch] of Object.entries(declared)) {
    const pointer = pointerTo(place.pointer, 'watches', entityType)
    const current = found[entityType]
    if (!current) {
      faults.push({ pointer, message: `is not offered by ${account}. It offers ${Object.keys(found).join(', ')}` })
      continue
    }
    const intervals = intervalsOf(watch)
    const after = intervals ? { watched: true, ...defined(intervals) } : { watched: false }
    const step = { kind, name: `${account} ${entityType}`, pointer }
    planSettings(planning, place, step, [ownWatch(current), after], () =>
      intervals ? manage.call('PUT', pathOf(entityType), intervals) : manage.call('DELETE', pathOf(entityType)),
    )
  }
  for (const [entityType, current] of Object.entries(found))
    if (ownWatch(current) && declared[entityType] === undefined)
      steps.push(
        extra({ workspace, kind, name: `${account} ${entityType}` }, prune, () =>
          manage.call('DELETE', `${pathOf(entityType)}?reset=true`),
        ),
      )
}
