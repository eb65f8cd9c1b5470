// Links that are used once: to join a workspace, or to set a new password. The service sends no mail: the person who
// creates a link passes it on. Its secret is in the fragment of the URL, which browsers send to no server.

import type { FastifyRequest } from 'fastify'
import { existingWorkspace, missing, missingIn } from '../../accounts/lookup.ts'
import {
  createId,
  createSecret,
  hashPassword,
  hashSecret,
  isUserName,
  maxPasswordLength,
  minPasswordLength,
  passwordRule,
  userNameRule,
  verifyPassword,
} from '../../accounts/secrets.ts'
import { Problem } from '../../contract/errors.ts'
import { oneOf } from '../../contract/field.ts'
import {
  defaultDays,
  invitationDays,
  invitationToken,
  invitationUrl,
  shownInvitation,
} from '../../contract/manage/invitations.ts'
import { role } from '../../contract/manage/people.ts'
import { startedSession } from '../../contract/manage/sessions.ts'
import { roles } from '../../contract/roles.ts'
import { flag, named, object, optional, pageSchema, text, time } from '../../contract/schema.ts'
import type { Invitation, Store } from '../../store/store.ts'
import { addressOf } from '../throttle.ts'
import { cookieOf } from './cookies.ts'
import { missingUser } from './people.ts'
import { defineRoute, type ManageRoute, pageOf, pageQuery } from './route.ts'
import { deviceCookie, type SignIn } from './sign-in.ts'

const dayMs = 24 * 3600 * 1000
const path = '/workspaces/{workspaceId}/invitations'
const tag = 'People'

export const endedInvitation = () =>
  missing('link', 'It was used or revoked, or has expired. Ask the person who sent it for a new one.')

/** A role that someone has is never lowered by a link. */
export async function join(store: Store, user: string, { workspaceId, role: given }: Invitation): Promise<void> {
  if (workspaceId === undefined || given === undefined) throw endedInvitation()
  const held = await store.members.get(workspaceId, user)
  if (held && roles.indexOf(held.role) >= roles.indexOf(given)) return
  await store.members.put(workspaceId, { user, role: given })
}

export function invitationRoutes(store: Store, dashboardUrl: (request: FastifyRequest) => string): ManageRoute[] {
  const show = ({ workspaceId: _, user: __, ...rest }: Invitation) => rest
  const link = (of: { request: FastifyRequest; days?: number | undefined }) => {
    const secret = createSecret('urinv')
    return {
      stored: {
        id: createId('uin'),
        tokenHash: hashSecret(secret),
        createdBy: of.request.operator?.user ?? 'admin token',
        expiresAt: new Date(Date.now() + (of.days ?? defaultDays) * dayMs).toISOString(),
      },
      url: `${dashboardUrl(of.request)}/dashboard/invitation#${secret}`,
    }
  }
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: 'listInvitations',
      scope: 'people',
      role: 'admin',
      summary: 'List invitations that can still be used',
      tag,
      query: pageQuery,
      answer: pageSchema(named('Invitation', shownInvitation)),
      handle: async ({ parameters, query }) => {
        const { id } = await existingWorkspace(store, parameters.workspaceId)
        const { data, next } = await store.invitations.list(id, pageOf(query))
        return { data: data.map(show), next }
      },
    }),
    defineRoute({
      method: 'POST',
      path,
      operationId: 'createInvitation',
      scope: 'people',
      role: 'admin',
      summary: 'Invite a person into the workspace; the link is shown once',
      tag,
      body: object({
        name: text('Name or email address', { minLength: 1, maxLength: 200 }),
        role,
        days: invitationDays,
      }),
      answer: named('InvitationWithLink', { ...shownInvitation, url: invitationUrl }),
      status: 201,
      handle: ({ parameters, body, request, recorded }) =>
        recorded(async (inner) => {
          const { id: workspaceId } = await existingWorkspace(inner, parameters.workspaceId)
          const made = link({ request, days: body.days })
          const { name, role: given } = body
          const created = await inner.invitations.create({ ...made.stored, name, workspaceId, role: given })
          return { ...show(created), url: made.url }
        }),
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{invitationId}`,
      operationId: 'revokeInvitation',
      scope: 'people',
      role: 'admin',
      summary: 'Revoke an invitation; its link stops working immediately',
      tag,
      handle: ({ parameters, recorded }) =>
        recorded(async (inner) => {
          const { id } = await existingWorkspace(inner, parameters.workspaceId)
          if (!(await inner.invitations.delete(parameters.invitationId as string, id)))
            throw missingIn('invitationId', 'invitation', path)
        }),
    }),
    defineRoute({
      // Not for admins of a workspace: the user may have more rights elsewhere.
      method: 'POST',
      path: '/users/{user}/reset-link',
      operationId: 'createResetLink',
      summary: 'Create a link with which a user sets a new password; it is shown once and works for a day',
      tag,
      answer: object({ id: text(), expiresAt: time(), url: invitationUrl }),
      status: 201,
      handle: ({ parameters, request, recorded }) =>
        recorded(async (inner) => {
          const user = parameters.user as string
          if (!(await inner.users.get(user))) throw missingUser()
          const made = link({ request, days: 1 })
          const { id, expiresAt } = await inner.invitations.create({ ...made.stored, name: user, user })
          return { id, expiresAt, url: made.url }
        }),
    }),
  ]
}

/** For the holder of a link, who has no credential yet. */
export function acceptRoutes(store: Store, signIn: SignIn): ManageRoute[] {
  const byToken = async (secret: string) => {
    const found = await store.invitations.byToken(hashSecret(secret))
    if (!found) throw endedInvitation()
    return found
  }
  const invalid = (pointer: string, message: string) =>
    new Problem('validation_failed', 'The body is not valid.', { errors: [{ pointer, message }] })

  /** An existing user proves the name with its password. */
  async function provenOrNew(name: string, password: string, request: FastifyRequest) {
    const known = await store.users.get(name)
    if (!known) {
      if (!isUserName(name)) throw invalid('/user', `must be ${userNameRule}`)
      return { isNew: true, passwordHash: await hashPassword(password) }
    }
    const attempt = signIn.attempts.begin(addressOf(request), name, cookieOf(request, deviceCookie))
    if (known.passwordHash === '' || !(await verifyPassword(password, known.passwordHash)))
      throw invalid(
        '/user',
        'is taken, and the password is not the one of this user. Choose another name, or correct the password',
      )
    attempt.succeeded()
    return { isNew: false, passwordHash: known.passwordHash }
  }
  return [
    defineRoute({
      method: 'POST',
      path: '/invitations/read',
      operationId: 'readInvitation',
      unrecorded: true,
      problems: ['resource_not_found'],
      open: true,
      summary: 'Read what a link is for. POST, so that its secret is in no address',
      tag,
      body: object({ token: invitationToken }),
      answer: object({
        for: oneOf(['join', 'password'], 'What the link is for'),
        name: text(),
        workspace: optional(text('Name of the workspace')),
        role: optional(role),
        createdBy: text(),
        expiresAt: time(),
      }),
      handle: async ({ body }) => {
        const { name, workspaceId, role: given, createdBy, expiresAt } = await byToken(body.token)
        const workspace = workspaceId === undefined ? undefined : await store.workspaces.get(workspaceId)
        const what = workspace ? { for: 'join', workspace: workspace.name, role: given } : { for: 'password' }
        return { ...what, name, createdBy, expiresAt }
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/invitations/accept',
      operationId: 'acceptInvitation',
      problems: ['resource_not_found'],
      open: true,
      summary:
        'Use a link: join the workspace as a new user or, with the right password, as an existing one; or set a new password. Starts a session',
      tag,
      body: object({
        token: invitationToken,
        user: optional(text('To join a workspace', { minLength: 1, maxLength: 200 })),
        password: text(passwordRule, { minLength: minPasswordLength, maxLength: maxPasswordLength }),
        cookie: optional(flag()),
      }),
      answer: startedSession,
      status: 201,
      handle: async ({ body, request, reply, recorded }) => {
        const { password, cookie } = body
        const invitation = await byToken(body.token)
        const name = invitation.user ?? body.user
        if (name === undefined) throw invalid('/user', 'is missing: choose a user name')
        const { isNew, passwordHash } = invitation.user
          ? { isNew: false, passwordHash: await hashPassword(password) }
          : await provenOrNew(name, password, request)
        const session = signIn.open(name, request)
        request.operator = { user: name }
        await recorded(async (inner) => {
          if (!(await inner.invitations.delete(invitation.id))) throw endedInvitation()
          if (isNew && !(await inner.users.create({ name, passwordHash, isAdmin: false })))
            throw invalid('/user', 'is taken; choose another name')
          if (invitation.user) await inner.users.resetPassword({ name, passwordHash })
          else await join(inner, name, invitation)
          await inner.sessions.create(session.stored)
          return { id: invitation.id, role: invitation.role }
        })
        return session.answer(reply, cookie === true)
      },
    }),
  ]
}
