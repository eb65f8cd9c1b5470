// The connect form of each platform: authentication methods and settings.

import { verticals } from '../entity.ts'
import { oneOf } from '../field.ts'
import { byName, flag, listOf, named, object, optional, text } from '../schema.ts'

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
export const platform = named('PlatformDescription', {
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
