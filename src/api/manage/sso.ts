// Sign-in with SSO. The provider redirects to a page of the dashboard, which removes the code from its address and
// posts it here. The cookie of the attempt is not sent with requests from other sites, so no one can be signed in with
// the attempt of another browser.

import type { FastifyRequest } from 'fastify'
import type { Oidc, OidcAttempt, OidcPerson } from '../../accounts/oidc.ts'
import { hashSecret, isUserName } from '../../accounts/secrets.ts'
import { Problem } from '../../contract/errors.ts'
import { startedSession } from '../../contract/manage/sessions.ts'
import { flag, object, optional, text } from '../../contract/schema.ts'
import type { Invitation, Store } from '../../store/store.ts'
import { cookieOf, cookieText } from './cookies.ts'
import { endedInvitation, join } from './invitations.ts'
import { defineRoute, type ManageRoute } from './route.ts'
import { type SessionOptions, type SignIn, setCookie } from './sign-in.ts'

const attemptCookie = 'unirec_sso'
const attemptSeconds = 600
const path = '/sessions/sso'
const associated = 'attempt to sign in with SSO'
const tag = 'Sessions'

interface Remembered extends OidcAttempt {
  invitation?: string // the hash of its token
  until: number
}

export function ssoRoutes(
  { vault, secure, dashboardUrl }: SessionOptions,
  signIn: SignIn,
  oidc: Oidc | undefined,
): ManageRoute[] {
  const on = (): Oidc => {
    if (!oidc)
      throw new Problem(
        'resource_not_found',
        'SSO is not configured. Set OIDC_ISSUER and OIDC_CLIENT_ID, or use a password.',
      )
    return oidc
  }
  const cookie = (request: FastifyRequest, value: string, seconds: number) =>
    cookieText(attemptCookie, value, { seconds, secure: secure(request), path: `/manage/v1${path}` })

  function remembered(request: FastifyRequest): Remembered {
    try {
      const attempt = JSON.parse(vault.open(cookieOf(request, attemptCookie) ?? '', associated)) as Remembered
      if (attempt.until > Date.now()) return attempt
    } catch {
      // Not one of ours.
    }
    throw new Problem('unauthorized', 'The sign-in took too long, or began in another browser. Start it again.', {
      headers: { 'www-authenticate': 'Bearer realm="unified-records"' },
    })
  }

  /** A user whose name no one else has. An email address alone proves nothing about an existing user. */
  async function create(inner: Store, { name, subject }: OidcPerson): Promise<string> {
    const base = isUserName(name) && name.length <= 190 ? name : `SSO ${subject}`.slice(0, 190)
    for (let number = 1; number < 100; number++) {
      const candidate = number === 1 ? base : `${base} (${number})`
      if (await inner.users.create({ name: candidate, passwordHash: '', isAdmin: false })) return candidate
    }
    throw new Problem('already_exists', `The name ${base} is taken. Ask an installation admin to delete unused users.`)
  }

  async function userFor(inner: Store, person: OidcPerson, invitation: Invitation | undefined): Promise<string> {
    const { domains, workspaceId, role } = on().settings
    const known = await inner.users.byIdentity(person)
    if (!known && !invitation && !(workspaceId && domains.includes(domainOf(person))))
      throw new Problem('forbidden', 'You have no access here yet. Ask an admin for an invitation, and open its link.')
    const user = known ?? (await create(inner, person))
    // Undone with the transaction: another request of this person has just created the user.
    if (!known && !(await inner.users.addIdentity({ ...person, user })))
      throw new Problem('already_exists', 'Another sign-in of yours has just succeeded. Start the sign-in again.')
    if (invitation) {
      if (!(await inner.invitations.delete(invitation.id))) throw endedInvitation()
      await join(inner, user, invitation)
    } else if (!known && workspaceId) {
      if (!(await inner.workspaces.get(workspaceId)))
        throw new Problem(
          'forbidden',
          'OIDC_DEFAULT_WORKSPACE names a workspace that does not exist. Ask an installation admin to correct it.',
        )
      await inner.members.put(workspaceId, { user, role })
    }
    return user
  }

  return [
    defineRoute({
      method: 'GET',
      path: '/sessions/methods',
      operationId: 'getSignInMethods',
      open: true,
      summary: 'How people can sign in',
      tag,
      answer: object({ password: flag(), sso: flag() }),
      handle: async () => ({ password: true, sso: oidc !== undefined }),
    }),
    defineRoute({
      method: 'POST',
      path,
      operationId: 'beginSso',
      unrecorded: true,
      problems: ['resource_not_found'],
      open: true,
      summary: 'Begin a sign-in with SSO: returns the address of the identity provider, for a browser',
      tag,
      body: object({
        invitation: optional(text('Secret of an invitation to use', { minLength: 1, maxLength: 200 })),
      }),
      answer: object({ url: text() }),
      handle: async ({ body, request, reply }) => {
        const redirectUri = `${dashboardUrl(request)}/dashboard/sso`
        const { url, attempt } = await on().begin(redirectUri)
        const until = Date.now() + attemptSeconds * 1000
        const invitation = body.invitation === undefined ? {} : { invitation: hashSecret(body.invitation) }
        const value: Remembered = { ...attempt, ...invitation, until }
        setCookie(reply, cookie(request, vault.seal(JSON.stringify(value), associated), attemptSeconds))
        return { url }
      },
    }),
    defineRoute({
      method: 'POST',
      path: `${path}/callback`,
      operationId: 'finishSso',
      problems: ['resource_not_found', 'already_exists'],
      open: true,
      summary: 'Finish a sign-in with SSO: sets a session cookie',
      tag,
      body: object({
        query: text('Query of the address that the provider redirected to', { maxLength: 8000 }),
      }),
      answer: startedSession,
      status: 201,
      handle: async ({ body, request, reply, recorded }) => {
        const attempt = remembered(request)
        setCookie(reply, cookie(request, '', 0))
        const person = await on().finish(attempt, body.query)
        const { session } = await recorded(async (inner) => {
          const invitation = attempt.invitation ? await inner.invitations.byToken(attempt.invitation) : undefined
          if (attempt.invitation && !invitation?.workspaceId) throw endedInvitation()
          const name = await userFor(inner, person, invitation)
          request.operator = { user: name }
          const opened = signIn.open(name, request)
          await inner.sessions.create(opened.stored)
          return { session: opened, ...(invitation ? { id: invitation.id, role: invitation.role } : {}) }
        })
        return session.answer(reply, true)
      },
    }),
  ]
}

const domainOf = ({ email = '' }: OidcPerson): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()
