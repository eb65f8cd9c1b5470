// The tables of people.
import type { Role } from '../contract/roles.ts'
import { defineTable, named, optional, plain, type TableRow, text } from './define-table.ts'

export interface UserRow {
  name: string
  password_hash: string // empty: signs in at the OpenID provider only
  unprinted_password: string | null // sealed JSON
  is_admin: number // of the installation
}
export const members = defineTable('members', ['user'], {
  user: named('user_name', text),
  role: plain<Role>(),
  createdAt: text,
})
export interface MemberRow extends TableRow<typeof members> {
  workspace_id: string
}
export interface IdentityRow {
  issuer: string
  subject: string
  user_name: string
  created_at: string
}
/** With a workspace: to join it. With a user: to set a new password. */
export const invitations = defineTable('invitations', ['id'], {
  id: text,
  name: text, // of the invited person, for those who read the list
  workspaceId: optional(text),
  role: optional(plain<Role>()),
  user: named('user_name', optional(text)),
  createdBy: text,
  createdAt: text,
  expiresAt: text,
})
export interface InvitationRow extends TableRow<typeof invitations> {
  token_hash: string
}
/** Columns are null in rows from before they existed. */
export const sessions = defineTable('sessions', ['user'], {
  user: named('user_name', text),
  expiresAt: text,
  startedAt: optional(text),
  lastUsedAt: optional(text),
  address: optional(text),
  browser: optional(text),
})
export interface SessionRow extends TableRow<typeof sessions> {
  token_hash: string
  id: string
}
