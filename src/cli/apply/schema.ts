// What a configuration file can have. The names are those of the management API.
import { type Static, Type } from 'typebox'
import { entityTypes } from '../../contract/entity.ts'
import { oneOf } from '../../contract/field.ts'
import { scopes } from '../../contract/scopes.ts'

const closed = { additionalProperties: false }
const text = Type.String({ minLength: 1 })
const texts = Type.Array(text)
const optional = Type.Optional
const entityType = oneOf(entityTypes, 'Entity type')
const direction = oneOf(['read', 'write'], 'Direction')

const credential = Type.Object(
  {
    id: optional(text),
    name: text,
    scopes: optional(Type.Array(oneOf(scopes, 'Scope'), { minItems: 1 })),
    accounts: optional(texts),
    entities: optional(Type.Array(entityType)),
    hiddenFields: optional(texts),
    expiresAt: optional(Type.String({ format: 'date-time' })),
  },
  closed,
)
const secretSource = Type.Object({ env: optional(text), file: optional(text) }, closed)
const platformApp = Type.Object(
  {
    clientId: text,
    clientSecret: secretSource,
    settings: optional(Type.Record(Type.String(), Type.String())),
  },
  closed,
)
const endpoint = Type.Object(
  {
    id: optional(text),
    url: text,
    description: optional(Type.String()),
    events: Type.Array(text, { minItems: 1 }),
    accounts: optional(texts),
    data: optional(oneOf(['full', 'thin'], 'Data')),
    format: optional(oneOf(['standard', 'cloudevents'], 'Format')),
    coalesce: optional(Type.Boolean()),
    concurrency: optional(Type.Integer({ minimum: 1, maximum: 32 })),
    perSecond: optional(Type.Integer({ minimum: 0, maximum: 1000 })),
    state: optional(oneOf(['active', 'disabled'], 'State')),
  },
  closed,
)
const watch = Type.Object(
  {
    watched: optional(Type.Boolean()),
    pollSeconds: optional(Type.Integer({ minimum: 30, maximum: 86_400 })),
    walkHours: optional(Type.Integer({ minimum: 1, maximum: 168 })),
  },
  closed,
)
const watched = Type.Object(Object.fromEntries(entityTypes.map((name) => [name, optional(watch)])), closed)
const rule = Type.Object(
  {
    from: optional(Type.String()),
    value: optional(Type.Unknown()),
    default: optional(Type.Unknown()),
    lookup: optional(Type.Record(Type.String(), Type.Unknown())),
    type: optional(Type.String()),
    to: optional(Type.String()),
  },
  closed,
)
const ofAccount = {
  mapping: { id: optional(text), name: text, entityType, direction, rules: Type.Record(Type.String(), rule) },
  mappingDefault: { entityType, direction, mapping: text },
}
const platform = optional(text)
const account = Type.Object(
  {
    watches: optional(watched),
    mappings: optional(Type.Array(Type.Object(ofAccount.mapping, closed))),
    mappingDefaults: optional(Type.Array(Type.Object(ofAccount.mappingDefault, closed))),
  },
  closed,
)
const workspace = Type.Object(
  {
    id: optional(text),
    name: text,
    settings: optional(
      Type.Object({ returnUrls: optional(texts), activityDays: optional(Type.Integer({ minimum: 1 })) }, closed),
    ),
    branding: optional(
      Type.Object(
        {
          name: optional(text),
          logo: optional(text),
          color: optional(text),
          privacyUrl: optional(text),
          purpose: optional(text),
        },
        closed,
      ),
    ),
    platformApps: optional(Type.Record(Type.String(), platformApp)),
    mappings: optional(Type.Array(Type.Object({ ...ofAccount.mapping, platform }, closed))),
    mappingDefaults: optional(Type.Array(Type.Object({ ...ofAccount.mappingDefault, platform }, closed))),
    watches: optional(Type.Object({ keepRecords: optional(Type.Boolean()), entities: optional(watched) }, closed)),
    webhookEndpoints: optional(Type.Array(endpoint)),
    apiKeys: optional(Type.Array(credential)),
    accessIds: optional(Type.Array(credential)),
    accounts: optional(Type.Record(Type.String(), account)),
  },
  closed,
)
export const configuration = Type.Object(
  { version: Type.Integer({ minimum: 1, maximum: 1 }), workspaces: Type.Array(workspace) },
  closed,
)

export type Configuration = Static<typeof configuration>
export type WorkspaceConfiguration = Static<typeof workspace>
export type AccountConfiguration = Static<typeof account>
export type CredentialConfiguration = Static<typeof credential>
export type EndpointConfiguration = Static<typeof endpoint>
export type MappingConfiguration = NonNullable<WorkspaceConfiguration['mappings']>[number]
export type DefaultConfiguration = NonNullable<WorkspaceConfiguration['mappingDefaults']>[number]
export type WatchConfiguration = Static<typeof watch>
export type SecretSource = Static<typeof secretSource>
