// The operator's own applications on OAuth platforms.
import { Type } from 'typebox'
import { flag, listOf, named, optional, text, time } from '../schema.ts'

const appSettings = Type.Record(text({ maxLength: 100 }), text({ maxLength: 2000 }), {
  description:
    'Settings shared by all accounts of this application, such as hosts or a region; connect forms do not ask for them',
})
export const platformAppSettings = {
  clientId: text({ minLength: 1, maxLength: 1000 }),
  clientSecret: text({ minLength: 1, maxLength: 4000 }),
  settings: optional(appSettings),
}
export const platformApp = named('PlatformApp', {
  platform: text(),
  name: text(),
  configured: flag('Whether a client id and secret are stored'),
  clientId: optional(text('The stored client id; the secret is never shown')),
  redirectUri: text('Register this URL on the platform'),
  scopes: listOf(text(), 'Requested scopes; some platforms require you to register them'),
  settings: appSettings,
  updatedAt: optional(time()),
})
