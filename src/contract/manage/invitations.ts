// Links that are used once: to join a workspace, or to set a new password.
import { optional, text, time, whole } from '../schema.ts'
import { role } from './people.ts'

export const defaultDays = 7
export const shownInvitation = {
  id: text(),
  name: text('Who is invited'),
  role,
  createdBy: text(),
  createdAt: time(),
  expiresAt: time(),
}
export const invitationUrl = text('Pass it on to the person; shown once, works once')
export const invitationDays = optional(
  whole(`How long the link works; ${defaultDays} days by default`, { minimum: 1, maximum: 30 }),
)
export const invitationToken = text('What follows # in the link', { minLength: 1, maxLength: 200 })
