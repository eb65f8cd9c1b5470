// The connect form of each platform: authentication methods and settings, with the platform's own labels.
import { Type } from 'typebox'
import { credentialFields, isUsual, questionsOf, scopesOf, settingFields } from '../../accounts/fields.ts'
import type { Connector } from '../../contract/connector.ts'
import { verticals } from '../../contract/entity.ts'
import { oneOf } from '../../contract/field.ts'
import { defineRoute, type ManageRoute } from './route.ts'

const field = Type.Object(
  {
    name: Type.String(),
    label: Type.String({ description: 'Label that the platform uses' }),
    help: Type.Optional(Type.String({ description: 'Where to find it' })),
    secret: Type.Boolean(),
    optional: Type.Boolean(),
    pattern: Type.Optional(Type.String({ description: 'Regular expression' })),
    options: Type.Optional(Type.Array(Type.String(), { description: 'Allowed values' })),
    default: Type.Optional(Type.String({ description: 'Default value; {name} refers to another setting' })),
    reference: Type.Optional(oneOf(['location'], 'The value is the id of such a record of the account')),
  },
  { title: 'PlatformField', additionalProperties: false },
)
const registration = Type.Object(
  {
    console: Type.Object({ name: Type.String(), url: Type.String() }, { additionalProperties: false }),
    application: Type.Optional(Type.String({ description: 'Type of application to choose' })),
    redirect: Type.String({ description: 'Where the redirect URL is entered' }),
    redirectRule: Type.Optional(Type.String({ description: 'What the platform requires of the redirect URL' })),
    permissions: Type.Optional(
      Type.String({ description: 'What to grant there; if absent, the scopes of the request are enough' }),
    ),
  },
  { title: 'AppRegistration', additionalProperties: false, description: 'Where to register an application for OAuth' },
)
const method = Type.Object(
  {
    kind: oneOf(['oauth2', 'client_credentials', 'static', 'basic'], '`auth` of an account'),
    title: Type.String(),
    credentials: Type.Array(field, { description: 'Empty for oauth2: the platform issues them' }),
    scopes: Type.Array(Type.String()),
    registration: Type.Optional(registration),
    asked: Type.Array(Type.String(), {
      description: 'Settings required before the first call; the others are optional or come from the platform',
    }),
  },
  { title: 'AuthMethod', additionalProperties: false },
)
const platform = Type.Object(
  {
    platform: Type.String(),
    name: Type.String(),
    docs: Type.String(),
    verticals: Type.Array(oneOf(verticals, 'Vertical', 'Vertical')),
    auth: Type.Array(method),
    settings: Type.Array(field),
    regions: Type.Array(
      Type.Object(
        {
          label: Type.String(),
          settings: Type.Record(Type.String(), Type.String()),
          test: Type.Optional(Type.Boolean({ description: 'A test environment: its businesses are not real' })),
          usual: Type.Optional(Type.Boolean({ description: 'Applies to accounts without these settings' })),
        },
        { additionalProperties: false },
      ),
      {
        description: 'Regions and test environments of the platform; each one sets the settings that it names',
      },
    ),
  },
  { title: 'PlatformDescription', additionalProperties: false },
)

export function platformRoutes(connectors: Readonly<Record<string, Connector>>): ManageRoute[] {
  const describe = (connector: Connector) => ({
    platform: connector.id,
    name: connector.name,
    docs: connector.docs,
    verticals: [...connector.verticals],
    auth: connector.auth.map((auth) => {
      const { regions, usualRegion, required } = questionsOf(connector, auth, {})
      const regional = usualRegion === undefined ? regions.flatMap(({ settings }) => Object.keys(settings)) : []
      return {
        kind: auth.kind,
        title: auth.title ?? (auth.kind === 'oauth2' ? 'Authorization' : auth.kind),
        credentials: credentialFields(auth),
        scopes: scopesOf(connector, auth, {}),
        registration: auth.kind === 'oauth2' ? auth.registration : undefined,
        asked: [...new Set([...regional, ...required.map(({ name }) => name)])],
      }
    }),
    settings: settingFields(connector),
    regions: (connector.regions ?? []).map((region) => ({
      ...region,
      ...(isUsual(connector, region.settings) && { usual: true }),
    })),
  })
  return [
    defineRoute({
      method: 'GET',
      path: '/platforms',
      operationId: 'describePlatforms',
      role: 'person',
      summary: 'List authentication methods and settings of every platform, with labels for forms',
      tag: 'Accounts',
      answer: Type.Object({ data: Type.Array(platform) }, { additionalProperties: false }),
      handle: async () => ({ data: Object.values(connectors).map(describe) }),
    }),
  ]
}
