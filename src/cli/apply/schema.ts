// The contents of a configuration file: the settings of the management API, where most are optional.
import { type Static, type TProperties, Type } from 'typebox'
import { branding } from '../../contract/manage/branding.ts'
import { credentialSettings } from '../../contract/manage/credentials.ts'
import { mappedEntityType, mappingDirection, mappingName, mappingRules } from '../../contract/manage/mappings.ts'
import { platformAppSettings } from '../../contract/manage/platform-apps.ts'
import { entityWatch } from '../../contract/manage/watches.ts'
import { endpointSettings, endpoint as shownEndpoint } from '../../contract/manage/webhooks.ts'
import { workspaceName, workspaceSettings } from '../../contract/manage/workspaces.ts'
import { byEntityType, byName, flag, listOf, object, optional, partial, text } from '../../contract/schema.ts'

const some = text({ minLength: 1 })
/** One of several of a kind: with an id where its name is not enough. */
const entry = <P extends TProperties>(settings: P) => object({ id: optional(some), ...settings })

const credential = entry(credentialSettings.properties)
const secretSource = object({ env: optional(some), file: optional(some) })
const platformApp = object({ ...platformAppSettings, clientSecret: secretSource })
const endpoint = entry({ ...endpointSettings, state: optional(shownEndpoint.properties.state) })
const watch = object({ watched: optional(flag()), ...entityWatch.properties })
const watched = object(byEntityType(watch))
const use = { entityType: mappedEntityType, direction: mappingDirection }
const mapping = { name: mappingName, ...use, rules: mappingRules }
const mappingDefault = { ...use, mapping: some }
const platform = optional(some)
const account = object({
  watches: optional(watched),
  mappings: optional(listOf(entry(mapping))),
  mappingDefaults: optional(listOf(object(mappingDefault))),
})
const workspace = entry({
  name: workspaceName,
  settings: optional(partial(workspaceSettings)),
  branding: optional(branding),
  platformApps: optional(byName(platformApp)),
  mappings: optional(listOf(entry({ ...mapping, platform }))),
  mappingDefaults: optional(listOf(object({ ...mappingDefault, platform }))),
  watches: optional(object({ keepRecords: optional(flag()), entities: optional(watched) })),
  webhookEndpoints: optional(listOf(endpoint)),
  apiKeys: optional(listOf(credential)),
  accessIds: optional(listOf(credential)),
  accounts: optional(byName(account)),
})
export const configuration = object({
  version: Type.Integer({ minimum: 1, maximum: 1 }),
  workspaces: listOf(workspace),
})

export type Configuration = Static<typeof configuration>
export type WorkspaceConfiguration = Static<typeof workspace>
export type AccountConfiguration = Static<typeof account>
export type CredentialConfiguration = Static<typeof credential>
export type EndpointConfiguration = Static<typeof endpoint>
export type MappingConfiguration = NonNullable<WorkspaceConfiguration['mappings']>[number]
export type DefaultConfiguration = NonNullable<WorkspaceConfiguration['mappingDefaults']>[number]
export type WatchConfiguration = Static<typeof watch>
export type SecretSource = Static<typeof secretSource>
