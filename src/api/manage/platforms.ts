// The connect form of each platform: authentication methods and settings, with the platform's own labels.

import { credentialFields, isUsual, questionsOf, scopesOf, settingFields } from '../../accounts/fields.ts'
import type { Connector } from '../../contract/connector.ts'
import { verticals } from '../../contract/entity.ts'
import { oneOf } from '../../contract/field.ts'
import { byName, flag, listOf, named, object, optional, text } from '../../contract/manage/schema.ts'
import { defineRoute, type ManageRoute } from './route.ts'

const field = named('PlatformField', {
  name: text(),
  label: text('Label that the platform uses'),
  help: optional(text('Where to find it')),
  secret: flag(),
  optional: flag(),
  pattern: optional(text('Regular expression')),
  options: optional(listOf(text(), 'Allowed values')),
  default: optional(text('Default value; {name} refers to another setting')),
  reference: optional(oneOf(['location'], 'The value is the id of such a record of the account')),
})
const registration = named(
  'AppRegistration',
  {
    console: object({ name: text(), url: text() }),
    application: optional(text('Type of application to choose')),
    redirect: text('Where the redirect URL is entered'),
    redirectRule: optional(text('What the platform requires of the redirect URL')),
    permissions: optional(text('What to grant there; if absent, the scopes of the request are enough')),
  },
  { description: 'Where to register an application for OAuth' },
)
const method = named('AuthMethod', {
  kind: oneOf(['oauth2', 'client_credentials', 'static', 'basic'], '`auth` of an account'),
  title: text(),
  credentials: listOf(field, 'Empty for oauth2: the platform issues them'),
  scopes: listOf(text()),
  registration: optional(registration),
  asked: listOf(text(), 'Settings required before the first call; the others are optional or come from the platform'),
})
const platform = named('PlatformDescription', {
  platform: text(),
  name: text(),
  docs: text(),
  verticals: listOf(oneOf(verticals, 'Vertical', 'Vertical')),
  auth: listOf(method),
  settings: listOf(field),
  regions: listOf(
    object({
      label: text(),
      settings: byName(text()),
      test: optional(flag('A test environment: its businesses are not real')),
      usual: optional(flag('Applies to accounts without these settings')),
    }),
    'Regions and test environments of the platform; each one sets the settings that it names',
  ),
})

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
      answer: object({ data: listOf(platform) }),
      handle: async () => ({ data: Object.values(connectors).map(describe) }),
    }),
  ]
}
