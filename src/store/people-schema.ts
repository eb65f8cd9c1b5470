// The tables of people, for Kysely.
import type { Role } from '../contract/roles.ts'

export interface UserRow {
  name: string
  password_hash: string // empty: signs in at the OpenID provider only
  unprinted_password: string | null // sealed JSON
  is_admin: number // of the installation
}
export interface MemberRow {
  workspace_id: string
  user_name: string
  role: Role
  created_at: string
}
export interface IdentityRow {
  issuer: string
  subject: string
  user_name: string
  created_at: string
}
/** With a workspace: to join it. With a user: to set a new password. */
export interface InvitationRow {
  id: string
  token_hash: string
  name: string // of the invited person, for those who read the list
  workspace_id: string | null
  role: Role | null
  user_name: string | null
  created_by: string
  created_at: string
  expires_at: string
}
/** Columns are null in rows from before they existed. */
export interface SessionRow {
  token_hash: string
  user_name: string
  expires_at: string
  id: string
  started_at: string | null
  last_used_at: string | null
  address: string | null
  browser: string | null
}
