// Sessions of people.
import { flag, named, optional, text, time } from '../schema.ts'

export const publicUrl = text('URL for callers: PUBLIC_URL, or the address that the service listens on')
export const csrf = text('Send it as x-csrf-token with every request except GET')
export const startedSession = named('StartedSession', {
  token: optional(text('Absent with `cookie`')),
  user: text(),
  expiresAt: time(),
  publicUrl,
  csrf: optional(csrf),
})
export const userField = text({ minLength: 1, maxLength: 200 })
export const passwordField = text({ minLength: 1, maxLength: 1000 })
export const listedSession = named('Session', {
  id: text(),
  user: text(),
  current: flag('The session of this request'),
  startedAt: optional(time()),
  lastUsedAt: optional(text('To the minute')),
  expiresAt: time(),
  address: optional(text('IP address of the last use')),
  browser: optional(text('User-Agent of the sign-in')),
})
