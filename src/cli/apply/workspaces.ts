// The plan of a whole file: workspace by workspace, what others refer to first.
import { CommandFailure, exitCodes, type Manage } from '../command.ts'
import { allOf, ManageFailure } from '../manage.ts'
import { type Mappings, planDefaults, planMappings } from './mappings.ts'
import { extra, NotDone, type Place, type Planning, pointerTo } from './plan.ts'
import type { AccountConfiguration, WatchConfiguration, WorkspaceConfiguration } from './schema.ts'
import {
  planAccountWatches,
  planBranding,
  planCredentials,
  planEndpoints,
  planPlatformApps,
  planWatches,
  planWorkspaceSettings,
} from './sections.ts'

export interface Workspace {
  id: string
  name: string
}
export const workspacePath = (id: string) => `/workspaces/${encodeURIComponent(id)}`

/** A key knows one workspace. */
export const readWorkspaces = async (manage: Manage, byKey: boolean): Promise<Workspace[]> =>
  byKey ? [await manage.call<Workspace>('GET', workspacePath('current'))] : allOf<Workspace>(manage, '/workspaces')

export async function planFile(
  planning: Planning,
  { byKey, only }: { byKey: boolean; only?: string | undefined },
): Promise<void> {
  const { manage, file, faults, steps } = planning
  const found = await readWorkspaces(manage, byKey)
  const taken = new Set(file.content.workspaces.flatMap(({ id }) => id ?? []))
  const matching = ({ id, name }: WorkspaceConfiguration) =>
    found.filter((one) => (id === undefined ? one.name === name && !taken.has(one.id) : one.id === id))
  const isChosen = (declared: WorkspaceConfiguration) =>
    only === undefined || declared.name === only || [declared, ...matching(declared)].some(({ id }) => id === only)
  const chosen = [...file.content.workspaces.entries()].filter(([, declared]) => isChosen(declared))
  if (chosen.length === 0 && only !== undefined)
    throw new CommandFailure(exitCodes.usage, `the file has no workspace "${only}": correct --workspace`)
  for (const [index, declared] of chosen) {
    const pointer = pointerTo('/workspaces', index)
    const matches = matching(declared)
    const fault =
      matches.length > 1 ? `is the name of several (${matches.map(({ id }) => id).join(', ')}). Add an id` : ''
    const refused =
      matches.length === 0 && byKey
        ? `is not the workspace of the API key, which is ${found[0]?.name} (${found[0]?.id}). Use an admin token or a user`
        : matches.length === 0 && declared.id !== undefined
          ? 'has an id that does not exist. Remove id to create the workspace'
          : fault
    if (refused) faults.push({ pointer, message: refused })
    else await planWorkspace(planning, declared, pointer, matches[0])
  }
  const declaredIds = new Set(file.content.workspaces.flatMap(matching).map(({ id }) => id))
  if (only === undefined)
    for (const { id, name } of found)
      if (!declaredIds.has(id)) steps.push(extra({ workspace: name, kind: 'workspace', name, id }, false))
}

async function planWorkspace(
  planning: Planning,
  declared: WorkspaceConfiguration,
  pointer: string,
  found: Workspace | undefined,
): Promise<void> {
  const { manage, steps } = planning
  const { name } = declared
  let id = found?.id
  const place: Place = {
    workspace: name,
    pointer,
    exists: found !== undefined,
    path() {
      if (id === undefined) throw new NotDone(`the workspace ${name} was not created`)
      return workspacePath(id)
    },
  }
  const step = { workspace: name, kind: 'workspace', name, pointer, id }
  if (!found)
    steps.push({
      ...step,
      action: 'create',
      changes: [],
      run: async () => {
        const made = await manage.call<Workspace>('POST', '/workspaces?unique=true', { name })
        id = made.id
        return { id }
      },
    })
  else if (found.name === name) steps.push({ ...step, action: 'unchanged', changes: [] })
  else
    steps.push({
      ...step,
      action: 'change',
      changes: [{ field: 'name', before: found.name, after: name }],
      run: async () => void (await manage.call('PATCH', place.path(), { name })),
    })
  const { settings, branding, platformApps, mappings, mappingDefaults, watches } = declared
  const accounts = Object.entries(declared.accounts ?? {})
  if (settings) await planWorkspaceSettings(planning, place, settings)
  if (branding) await planBranding(planning, place, branding)
  if (platformApps) await planPlatformApps(planning, place, platformApps)
  const hasDefaults = mappingDefaults || accounts.some(([, own]) => own.mappingDefaults)
  const known = mappings || hasDefaults ? await planMappings(planning, place, mappings) : []
  if (mappingDefaults) await planDefaults(planning, place, mappingDefaults, known)
  if (watches) await planWatches(planning, place, watches)
  for (const [accountId, own] of accounts) await planAccount(planning, place, accountId, own, known)
  if (declared.webhookEndpoints) await planEndpoints(planning, place, declared.webhookEndpoints)
  for (const section of ['apiKeys', 'accessIds'] as const)
    if (declared[section]) await planCredentials(planning, place, section, declared[section])
}

/** Accounts are connected by people, so one in the file must exist. */
async function planAccount(
  planning: Planning,
  workspace: Place,
  accountId: string,
  { mappings, mappingDefaults, watches }: AccountConfiguration,
  shared: Mappings,
): Promise<void> {
  const { manage, faults } = planning
  const pointer = pointerTo(workspace.pointer, 'accounts', accountId)
  const path = () => `${workspace.path()}/accounts/${encodeURIComponent(accountId)}`
  const account = workspace.exists ? await existingAccount(manage, path()) : undefined
  if (!account) {
    faults.push({
      pointer,
      message: `is not an account of ${workspace.workspace}. Connect it first (unirec accounts connect), or correct the id`,
    })
    return
  }
  const place = { ...workspace, pointer, path }
  const owner = { accountId, platform: account.platform }
  const own = mappings || mappingDefaults ? await planMappings(planning, place, mappings, owner) : []
  if (mappingDefaults) await planDefaults(planning, place, mappingDefaults, [...own, ...shared], owner)
  if (watches) await planAccountWatches(planning, place, accountId, watches as Record<string, WatchConfiguration>)
}

async function existingAccount(manage: Manage, path: string): Promise<{ platform: string } | undefined> {
  try {
    return await manage.call<{ platform: string }>('GET', path)
  } catch (error) {
    if (error instanceof ManageFailure && error.status === 404) return undefined
    throw error
  }
}
