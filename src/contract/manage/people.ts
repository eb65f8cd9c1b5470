// The members of a workspace, and the users of the installation.
import { oneOf } from '../field.ts'
import { roles } from '../roles.ts'
import { flag, named, text, time, whole } from '../schema.ts'

export const role = oneOf(
  roles,
  'viewer reads; operator also changes records, accounts and webhooks; admin everything',
  'Role',
)
export const member = named('Member', { user: text(), role, createdAt: time() })
export const user = named('User', {
  name: text(),
  isAdmin: flag('Installation admin: may do everything in every workspace'),
  hasPassword: flag('False: signs in with SSO only'),
  workspaces: whole('In how many workspaces the user has a role'),
  sessions: whole('Open sessions'),
})
