// People who sign in to the management API: users, their roles, sessions and invitations.

import type { Static } from 'typebox'
import type { member, user } from '../contract/manage/people.ts'
import type { Role, Standing } from '../contract/roles.ts'
import type { Page, PageQuery } from './page.ts'

export interface User {
  name: string
  passwordHash: string // empty: signs in at the OpenID provider only
}
export type ListedUser = Static<typeof user>
/** Who a person is at an OpenID provider. An email address can be given to another person; a subject cannot. */
export interface Identity {
  issuer: string
  subject: string
}
/** `last`: there would be no installation admin any more. */
export type UserChange = 'done' | 'missing' | 'last'

export interface Users {
  /** Creates an installation admin, or sets the password of a user. */
  put(user: User): Promise<void>
  /** False when the name is taken. */
  create(user: User & { isAdmin: boolean }): Promise<boolean>
  /**
   * False when there is any user already, created by this or another instance. `password` is stored, sealed, until it
   * has been printed.
   */
  createFirst(user: User & { password?: string }): Promise<boolean>
  /**
   * Hands the stored password of the first user to `print`, on one instance at a time, and removes it when `print`
   * resolves.
   */
  printFirst(print: (login: { name: string; password: string }) => Promise<void>): Promise<void>
  get(name: string): Promise<(User & { isAdmin: boolean }) | undefined>
  list(): Promise<ListedUser[]>
  count(): Promise<number>
  /** Sets the password and ends all sessions of the user. False when there is no such user. */
  resetPassword(user: User): Promise<boolean>
  setAdmin(name: string, isAdmin: boolean): Promise<UserChange>
  /** With roles, identities, sessions and links for a new password. */
  delete(name: string): Promise<UserChange>
  byIdentity(identity: Identity): Promise<string | undefined>
  /** False when the identity belongs to a user already. */
  addIdentity(identity: Identity & { user: string }): Promise<boolean>
}

export type Member = Static<typeof member>
export interface Members {
  list(workspaceId: string, query: PageQuery): Promise<Page<Member>>
  get(workspaceId: string, user: string): Promise<Member | undefined>
  put(workspaceId: string, member: Pick<Member, 'user' | 'role'>): Promise<void>
  delete(workspaceId: string, user: string): Promise<boolean>
  rolesOf(user: string): Promise<{ workspaceId: string; role: Role }[]>
}

/** A link that is used once: to join a workspace, or to set a new password. Only a hash of its token is stored. */
export interface Invitation {
  id: string
  name: string
  createdBy: string
  createdAt: string
  expiresAt: string
  workspaceId?: string // with `role`: to join it
  role?: Role
  user?: string // whose password is set
}
export interface Invitations {
  create(invitation: Omit<Invitation, 'createdAt'> & { tokenHash: string }): Promise<Invitation>
  /** Those of a workspace that can still be used. */
  list(workspaceId: string, query: PageQuery): Promise<Page<Invitation>>
  byToken(tokenHash: string): Promise<Invitation | undefined>
  /** Uses it up, or revokes it. False when it was used or revoked already. */
  delete(id: string, workspaceId?: string): Promise<boolean>
}

export interface Session {
  id: string
  user: string
  expiresAt: string
  startedAt?: string
  lastUsedAt?: string
  address?: string
  browser?: string
}
export interface Sessions {
  create(session: Pick<Session, 'user' | 'expiresAt' | 'address' | 'browser'> & { tokenHash: string }): Promise<void>
  /** With what its user may do in the workspace, as of now. Undefined: it has ended. */
  get(tokenHash: string, workspaceId?: string): Promise<(Session & Standing) | undefined>
  /** Newest first; of one user, or of all. */
  list(user?: string): Promise<Session[]>
  /** Records that it was used. */
  touch(id: string, address: string): Promise<void>
  delete(tokenHash: string): Promise<void>
  /** Ends a session of one user, or of any. False when it has ended. */
  end(id: string, user?: string): Promise<boolean>
  /** Ends all sessions of the user except one. Returns how many. */
  deleteOthers(user: string, keptTokenHash: string): Promise<number>
}
