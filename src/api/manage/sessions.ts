// Authentication for the management API: the operator's admin token, a user session, or a credential of a workspace.

import type { FastifyRequest } from 'fastify'
import { missingIn } from '../../accounts/lookup.ts'
import {
  hashPassword,
  hashSecret,
  maxPasswordLength,
  minPasswordLength,
  sameText,
  verifyPassword,
} from '../../accounts/secrets.ts'
import { BoundedMap } from '../../base/bounded-map.ts'
import { Problem } from '../../contract/errors.ts'
import { role } from '../../contract/manage/people.ts'
import {
  csrf,
  listedSession,
  passwordField,
  publicUrl,
  startedSession,
  userField,
} from '../../contract/manage/sessions.ts'
import type { Standing } from '../../contract/roles.ts'
import { byName, flag, listOf, object, optional, text, time, whole } from '../../contract/schema.ts'
import type { Credential, Session, Store } from '../../store/store.ts'
import { type Authenticate, bearerOf, invalidToken } from '../authentication.ts'
import { truth } from '../query.ts'
import { checkRole } from '../scope.ts'
import { addressOf } from '../throttle.ts'
import { cookieOf, cookieText } from './cookies.ts'
import { defineRoute, type ManageRoute } from './route.ts'
import { csrfOf, deviceCookie, type SessionOptions, type SignIn, sessionCookie, setCookie } from './sign-in.ts'
import { enterWorkspace } from './workspace-callers.ts'

/** The signed-in user, or a caller's credential; neither with the admin token. */
export interface Operator extends Partial<Session & Standing> {
  credential?: Credential
  token?: string
}
declare module 'fastify' {
  interface FastifyRequest {
    operator?: Operator
  }
}
export function createManageAuthentication(
  store: Store,
  adminToken: string | undefined,
  { byKey, byToken }: { byKey: Authenticate; byToken: Authenticate },
): (request: FastifyRequest) => Promise<void> {
  const touched = new BoundedMap<string, number>(10_000)
  /** To the minute. */
  function touch(id: string, address: string): void {
    const now = Date.now()
    if (now - (touched.get(id) ?? 0) < 60_000) return
    touched.set(id, now)
    store.sessions.touch(id, address).catch(() => touched.delete(id))
  }
  const sessionOf = async (token: string, { params }: FastifyRequest) =>
    token.startsWith('urses_')
      ? store.sessions.get(hashSecret(token), (params as { workspaceId?: string }).workspaceId)
      : undefined
  return async (request) => {
    const cookie = request.headers.authorization === undefined ? cookieOf(request, sessionCookie) : undefined
    const token = cookie ?? bearerOf(request)
    if (cookie === undefined && adminToken && sameText(token, adminToken)) {
      request.operator = {}
      return
    }
    if (cookie === undefined && /^ur[kt]_/.test(token)) {
      enterWorkspace(request, await (token.startsWith('urk_') ? byKey : byToken)(request))
      return
    }
    const session = await sessionOf(token, request)
    if (!session)
      throw invalidToken(
        'The token is not an admin token, a session of the management API or an API key. Send one of them, or sign in with POST /manage/v1/sessions.',
      )
    if (
      cookie !== undefined &&
      request.method !== 'GET' &&
      request.method !== 'HEAD' &&
      !sameText(String(request.headers['x-csrf-token'] ?? ''), csrfOf(token))
    )
      throw new Problem(
        'forbidden',
        'A request with a session cookie must include its x-csrf-token header. GET /manage/v1/sessions/current returns it as csrf.',
      )
    request.operator = { ...session, token }
    checkRole(request, session)
    touch(session.id, request.ip)
  }
}
/** Takes as long as the hash of a user. */
const unknownHash = 'AAAAAAAAAAAAAAAAAAAAAA.AAAA'

/** Mounted separately, because sign-in requires no credential. */
export function loginRoute(store: Store, signIn: SignIn): ManageRoute {
  const { attempts } = signIn
  return defineRoute({
    method: 'POST',
    path: '/sessions',
    operationId: 'logIn',
    open: true,
    summary:
      'Sign in: returns a session token for the management API, valid for 12 hours; with `cookie`, sets a session cookie instead',
    tag: 'Sessions',
    body: object({ user: userField, password: passwordField, cookie: optional(flag()) }),
    answer: startedSession,
    status: 201,
    handle: async ({ body, request, reply, recorded }) => {
      const attempt = attempts.begin(addressOf(request), body.user, cookieOf(request, deviceCookie))
      const known = await store.users.get(body.user)
      // The same work for an unknown user, so that timing reveals nothing.
      const good = await verifyPassword(body.password, known?.passwordHash || unknownHash)
      if (!known || !good)
        throw new Problem('unauthorized', 'The user name or password is incorrect.', {
          headers: { 'www-authenticate': 'Bearer realm="unified-records"' },
        })
      attempt.succeeded()
      const session = signIn.open(known.name, request)
      await recorded((inner) => inner.sessions.create(session.stored))
      return session.answer(reply, body.cookie === true)
    },
  })
}

export function sessionRoutes(store: Store, { secure, baseUrl }: SessionOptions, { attempts }: SignIn): ManageRoute[] {
  const sessionOf = ({ operator }: FastifyRequest) => {
    const { user: name, token, expiresAt, isAdmin = false } = operator ?? {}
    if (name === undefined || token === undefined)
      throw new Problem(
        'forbidden',
        'This requires a user session; the admin token has no user. Sign in with POST /manage/v1/sessions.',
      )
    return { name, token, expiresAt, isAdmin }
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/sessions/current',
      operationId: 'getSession',
      role: 'person',
      summary: 'Read the current session, and what its user may do',
      tag: 'Sessions',
      answer: object({
        user: text(),
        expiresAt: time(),
        publicUrl,
        csrf,
        isAdmin: flag('Installation admin: may do everything in every workspace'),
        hasPassword: flag(),
        roles: byName(role, 'Role by workspace id'),
      }),
      handle: async ({ request }) => {
        const { name, token, expiresAt, isAdmin } = sessionOf(request)
        const [held, known] = await Promise.all([store.members.rolesOf(name), store.users.get(name)])
        return {
          user: name,
          expiresAt,
          publicUrl: baseUrl(),
          csrf: csrfOf(token),
          isAdmin,
          hasPassword: known?.passwordHash !== '',
          roles: Object.fromEntries(held.map((one) => [one.workspaceId, one.role])),
        }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/sessions',
      operationId: 'logOut',
      role: 'person',
      summary: 'Sign out: end the session',
      tag: 'Sessions',
      handle: async ({ request, reply, recorded }) => {
        const token = request.operator?.token
        if (token) await recorded((inner) => inner.sessions.delete(hashSecret(token)))
        setCookie(reply, cookieText(sessionCookie, '', { seconds: 0, secure: secure(request) }))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/sessions',
      operationId: 'listSessions',
      role: 'person',
      summary: 'List your open sessions, last used first; with `all`, those of all users',
      tag: 'Sessions',
      query: { all: '`true`: of all users, for installation admins' },
      answer: object({ data: listOf(listedSession) }),
      handle: async ({ query, request: { operator } }) => {
        const all = truth(query, 'all', operator?.user === undefined)
        if (all && operator?.isAdmin === false)
          throw new Problem('forbidden', 'Only an installation admin sees the sessions of others. Leave out all.', {
            extra: { requiredRole: 'installation' },
          })
        const sessions = await store.sessions.list(all ? undefined : operator?.user)
        return { data: sessions.map((one) => ({ ...one, current: one.id === operator?.id })) }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/sessions/others',
      operationId: 'endOtherSessions',
      role: 'person',
      summary: 'End all your sessions except this one',
      tag: 'Sessions',
      answer: object({ ended: whole() }),
      handle: async ({ request, recorded }) => {
        const { name, token } = sessionOf(request)
        return recorded(async (inner) => ({ ended: await inner.sessions.deleteOthers(name, hashSecret(token)) }))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/sessions/{sessionId}',
      operationId: 'endSession',
      role: 'person',
      summary: 'End one of your sessions; an installation admin can end every session',
      tag: 'Sessions',
      handle: async ({ parameters, request: { operator }, recorded }) => {
        const owner = operator?.isAdmin === false ? operator.user : undefined
        await recorded(async (inner) => {
          if (!(await inner.sessions.end(parameters.sessionId as string, owner)))
            throw missingIn('sessionId', 'session', '/sessions')
        })
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/users/current/password',
      operationId: 'changePassword',
      role: 'person',
      summary: 'Change the password of the current user; ends all other sessions of the user',
      tag: 'Sessions',
      body: object({
        currentPassword: passwordField,
        newPassword: text({ minLength: minPasswordLength, maxLength: maxPasswordLength }),
      }),
      handle: async ({ request, body, recorded }) => {
        const { name, token } = sessionOf(request)
        const attempt = attempts.begin(addressOf(request), name)
        const known = await store.users.get(name)
        if (!known || !(await verifyPassword(body.currentPassword, known.passwordHash || unknownHash)))
          throw new Problem('validation_failed', 'The current password is incorrect.', {
            errors: [{ pointer: '/currentPassword', message: 'is incorrect' }],
          })
        attempt.succeeded()
        const passwordHash = await hashPassword(body.newPassword)
        await recorded(async (inner) => {
          await inner.users.put({ name, passwordHash })
          await inner.sessions.deleteOthers(name, hashSecret(token))
        })
      },
    }),
  ]
}
