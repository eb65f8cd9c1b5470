// Writes what a service has as a configuration file. Applied to the same service, it changes nothing.

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { credentialSettings } from '../../contract/manage/credentials.ts'
import { endpointSettings } from '../../contract/manage/webhooks.ts'
import { CommandFailure, exitCodes, type Invocation, type Manage } from '../command.ts'
import { managed } from '../connect.ts'
import { textIn } from '../flag-values.ts'
import { allOf } from '../manage.ts'
import { unwritable } from '../replace-file.ts'
import { builtIn, type Mapping, readDefaults, readMappings } from './mappings.ts'
import { defined, type Place, settingsIn } from './plan.ts'
import type { AccountConfiguration, Configuration, WorkspaceConfiguration } from './schema.ts'
import {
  ownWatch,
  readAccountWatches,
  readBranding,
  readCredentials,
  readEndpoints,
  readPlatformApps,
  readSettings,
  readWatches,
} from './sections.ts'
import { readWorkspaces, type Workspace, workspacePath } from './workspaces.ts'

const heading = `# Made by unirec export. Change it, then run: unirec apply --plan
# Secrets are not part of it: set the environment variables that it names.
`

export async function runExport({ flags, output, connect }: Invocation): Promise<number> {
  const file = textIn(flags.out)
  if (file !== undefined && existsSync(file)) throw existing(file)
  const connection = await connect()
  const manage = managed(connection)
  const all = await readWorkspaces(manage, connection.byKey === true)
  const chosen = all.filter(
    ({ id, name }) => flags.workspace === undefined || [id, name].includes(flags.workspace as string),
  )
  if (chosen.length === 0)
    throw new CommandFailure(exitCodes.usage, 'there is no such workspace: unirec workspaces list shows them')
  const workspaces: WorkspaceConfiguration[] = []
  for (const workspace of chosen) workspaces.push(await workspaceOf(manage, workspace, all))
  nameSecrets(workspaces, chosen)
  const content: Configuration = { version: 1, workspaces }
  const text = heading + stringify(content, { lineWidth: 120 })
  if (file === undefined) await output.data(text)
  else {
    await writeFile(file, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? existing(file) : unwritable(file, error)
    })
    output.note(`wrote ${file}`)
  }
  return exitCodes.ok
}
const existing = (file: string) =>
  new CommandFailure(exitCodes.failed, `${file} is there already; it is not overwritten. Name another file with --out`)

const variable = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')

/** Each app has a variable of its own: with the workspace where several have an app of the platform. */
function nameSecrets(workspaces: readonly WorkspaceConfiguration[], chosen: readonly Workspace[]): void {
  const names = chosen.map(({ name }) => variable(name))
  const isUsable = (name: string) => name !== '' && names.indexOf(name) === names.lastIndexOf(name)
  for (const [index, { platformApps = {} }] of workspaces.entries())
    for (const [platform, app] of Object.entries(platformApps)) {
      const isShared = workspaces.filter((one) => one.platformApps?.[platform]).length > 1
      const name = names[index] as string
      const workspace = isUsable(name) ? name : variable((chosen[index] as Workspace).id)
      app.clientSecret = { env: `${variable(platform)}_CLIENT_SECRET${isShared ? `_${workspace}` : ''}` }
    }
}

/** An id only where the name is not enough: names are the same in every environment. */
function named<T extends { id: string }>(list: readonly T[], nameOf: (one: T) => unknown) {
  const names = list.map((one) => JSON.stringify(nameOf(one)))
  return list.map((one, index) => ({
    ...one,
    id: names.indexOf(names[index] as string) === names.lastIndexOf(names[index] as string) ? undefined : one.id,
  }))
}
const listIn = <T>(list: readonly T[]): T[] | undefined => (list.length > 0 ? [...list] : undefined)
const membersIn = <T>(entries: readonly (readonly [string, T])[]): Record<string, T> | undefined =>
  entries.length > 0 ? Object.fromEntries(entries) : undefined

async function workspaceOf(
  manage: Manage,
  { id, name }: Workspace,
  all: readonly Workspace[],
): Promise<WorkspaceConfiguration> {
  const place: Place = { workspace: name, pointer: '', exists: true, path: () => workspacePath(id) }
  const [settings, branding, apps, watches, endpoints] = [
    await readSettings(manage, place),
    await readBranding(manage, place),
    await readPlatformApps(manage, place),
    await readWatches(manage, place),
    await readEndpoints(manage, place),
  ]
  const shared = await readMappings(manage, place)
  const accounts: [string, AccountConfiguration][] = []
  for (const account of await allOf<{ id: string }>(manage, `${place.path()}/accounts`)) {
    const own = await accountOf(manage, place, account.id, shared)
    if (own) accounts.push([account.id, own])
  }
  return defined({
    id: all.filter((one) => one.name === name).length > 1 ? id : undefined,
    name,
    settings: defined(settings),
    branding: Object.keys(branding).length > 0 ? branding : undefined,
    platformApps: membersIn(
      apps.flatMap(({ platform, configured, clientId = '', settings }) =>
        configured
          ? [
              [
                platform,
                defined({
                  clientId,
                  clientSecret: {}, // see nameSecrets
                  settings: membersIn(Object.entries(settings)),
                }),
              ] as const,
            ]
          : [],
      ),
    ),
    ...(await mappingsOf(manage, place)),
    watches: defined({ keepRecords: watches.keepRecords ? undefined : false, entities: watches.entities }),
    webhookEndpoints: listIn(named(endpoints, ({ url }) => url).map((one) => settingsIn(endpointSettings, one))),
    apiKeys: await credentialsOf(manage, place, 'apiKeys'),
    accessIds: await credentialsOf(manage, place, 'accessIds'),
    accounts: membersIn(accounts),
  }) as WorkspaceConfiguration
}

async function credentialsOf(manage: Manage, place: Place, section: 'apiKeys' | 'accessIds') {
  const found = named(await readCredentials(manage, place, section), ({ name }) => name)
  return listIn(found.map((one) => settingsIn(credentialSettings.properties, one)))
}

/** Of the workspace, or of an account: what it has of its own. `shared` are the mappings that an account inherits. */
async function mappingsOf(manage: Manage, place: Place, shared?: readonly Mapping[]) {
  const found = await readMappings(manage, place)
  const nameOf = ({ name, entityType, direction, platform }: Mapping) => [name, entityType, direction, platform]
  const mappings = named(found, nameOf).map(({ id, name, entityType, direction, platform, rules }) =>
    defined({ id, name, entityType, direction, platform, rules }),
  )
  const nameable = [...found, ...(shared ?? [])]
  const defaults = (await readDefaults(manage, place))
    .filter(({ setBy }) => !shared || setBy === 'account')
    .map(({ entityType, direction, platform, name, mappingId }) => {
      const isAmbiguous = nameable.filter((one) => one.name === name).length > 1
      return defined({ entityType, direction, platform, mapping: (isAmbiguous ? mappingId : name) ?? builtIn })
    })
  return { mappings: listIn(mappings), mappingDefaults: listIn(defaults) }
}

async function accountOf(
  manage: Manage,
  workspace: Place,
  id: string,
  shared: readonly Mapping[],
): Promise<AccountConfiguration | undefined> {
  const place = { ...workspace, path: () => `${workspace.path()}/accounts/${encodeURIComponent(id)}` }
  const watches = Object.entries(await readAccountWatches(manage, place)).flatMap(([entityType, watch]) => {
    const own = ownWatch(watch)
    return own ? [[entityType, own] as const] : []
  })
  const own = defined({
    watches: membersIn(watches),
    ...(await mappingsOf(manage, place, shared)),
  })
  return Object.keys(own).length > 0 ? (own as AccountConfiguration) : undefined
}
