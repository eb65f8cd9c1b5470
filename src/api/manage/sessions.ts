// Authentication for the management API: the operator's admin token, a user session, or a credential of a workspace.
import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  createSecret,
  hashPassword,
  hashSecret,
  maxPasswordLength,
  minPasswordLength,
  sameText,
  verifyPassword,
} from '../../accounts/secrets.ts'
import { Problem } from '../../contract/errors.ts'
import type { Credential, Store } from '../../store/store.ts'
import type { Vault } from '../../store/vault.ts'
import { type Authenticate, bearerOf, invalidToken } from '../authentication.ts'
import { addressOf } from '../throttle.ts'
import { cookieOf, cookieText } from './cookies.ts'
import { defineRoute, type ManageRoute } from './route.ts'
import { createAttempts } from './sign-in-attempts.ts'
import { enterWorkspace } from './workspace-callers.ts'

const lifetimeMs = 12 * 3600 * 1000
const deviceLifetimeSeconds = 365 * 24 * 3600
const sessionCookie = 'unirec_session'
const deviceCookie = 'unirec_device'

/** The signed-in user, or a caller's credential; neither with the admin token. */
export interface Operator {
  credential?: Credential
  user?: string
  token?: string
  expiresAt?: string
}
declare module 'fastify' {
  interface FastifyRequest {
    operator?: Operator
  }
}
export interface SessionOptions {
  vault: Vault
  /** Whether browsers reach the service over https, so that the cookie can require it. */
  secure(request: FastifyRequest): boolean
  baseUrl(): string
}

/** Readable by pages that can read our responses, not by other sites that can only make a browser send its cookies. */
const csrfOf = (token: string) => createHmac('sha256', token).update('csrf').digest('base64url')

export function createManageAuthentication(
  store: Store,
  adminToken: string | undefined,
  { byKey, byToken }: { byKey: Authenticate; byToken: Authenticate },
): (request: FastifyRequest) => Promise<void> {
  const sessionOf = async (token: string) =>
    token.startsWith('urses_') ? store.sessions.get(hashSecret(token)) : undefined
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
    const session = await sessionOf(token)
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
  }
}

const user = Type.String({ minLength: 1, maxLength: 200 })
const password = Type.String({ minLength: 1, maxLength: 1000 })
const time = Type.String({ format: 'date-time' })
const publicUrl = Type.String({
  description: 'URL for callers: PUBLIC_URL, or the address that the service listens on',
})
const csrf = Type.String({ description: 'Send it as x-csrf-token with every request except GET' })

/** Mounted separately, because sign-in requires no credential. */
export function loginRoute(store: Store, { vault, secure, baseUrl }: SessionOptions): ManageRoute {
  const attempts = createAttempts(vault)
  return defineRoute({
    method: 'POST',
    path: '/sessions',
    operationId: 'logIn',
    summary:
      'Sign in: returns a session token for the management API, valid for 12 hours; with `cookie`, sets a session cookie instead',
    tag: 'Sessions',
    body: Type.Object({ user, password, cookie: Type.Optional(Type.Boolean()) }, { additionalProperties: false }),
    answer: Type.Object(
      {
        token: Type.Optional(Type.String({ description: 'Absent with `cookie`' })),
        user: Type.String(),
        expiresAt: time,
        publicUrl,
        csrf: Type.Optional(csrf),
      },
      { additionalProperties: false },
    ),
    status: 201,
    handle: async ({ body, request, reply, recorded }) => {
      const attempt = attempts.begin(addressOf(request), body.user, cookieOf(request, deviceCookie))
      const known = await store.users.get(body.user)
      // The same work for an unknown user, so that timing reveals nothing.
      const good = await verifyPassword(body.password, known?.passwordHash ?? 'AAAAAAAAAAAAAAAAAAAAAA.AAAA')
      if (!known || !good)
        throw new Problem('unauthorized', 'The user name or password is incorrect.', {
          headers: { 'www-authenticate': 'Bearer realm="unified-records"' },
        })
      attempt.succeeded()
      const token = createSecret('urses')
      const expiresAt = new Date(Date.now() + lifetimeMs).toISOString()
      const session = { tokenHash: hashSecret(token), user: known.name, expiresAt }
      await recorded((inner) => inner.sessions.create(session))
      const shown = { user: known.name, expiresAt, publicUrl: baseUrl() }
      if (!body.cookie) return { token, ...shown }
      setCookie(reply, cookieText(sessionCookie, token, { seconds: lifetimeMs / 1000, secure: secure(request) }))
      setCookie(
        reply,
        cookieText(deviceCookie, attempts.deviceFor(known.name), {
          seconds: deviceLifetimeSeconds,
          secure: secure(request),
          path: '/manage/v1/sessions',
        }),
      )
      return { ...shown, csrf: csrfOf(token) }
    },
  })
}

/** A header that can occur several times. */
function setCookie(reply: FastifyReply, text: string): void {
  reply.header('set-cookie', text)
}

export function sessionRoutes(store: Store, { vault, secure, baseUrl }: SessionOptions): ManageRoute[] {
  const attempts = createAttempts(vault)
  const sessionOf = ({ operator }: FastifyRequest) => {
    const { user: name, token, expiresAt } = operator ?? {}
    if (name === undefined || token === undefined)
      throw new Problem(
        'forbidden',
        'This requires a user session; the admin token has no user. Sign in with POST /manage/v1/sessions.',
      )
    return { name, token, expiresAt }
  }
  return [
    defineRoute({
      method: 'GET',
      path: '/sessions/current',
      operationId: 'getSession',
      summary: 'Read the current session',
      tag: 'Sessions',
      answer: Type.Object({ user: Type.String(), expiresAt: time, publicUrl, csrf }, { additionalProperties: false }),
      handle: async ({ request }) => {
        const { name, token, expiresAt } = sessionOf(request)
        return { user: name, expiresAt, publicUrl: baseUrl(), csrf: csrfOf(token) }
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: '/sessions',
      operationId: 'logOut',
      summary: 'Sign out: end the session',
      tag: 'Sessions',
      handle: async ({ request, reply, recorded }) => {
        const token = request.operator?.token
        if (token) await recorded((inner) => inner.sessions.delete(hashSecret(token)))
        setCookie(reply, cookieText(sessionCookie, '', { seconds: 0, secure: secure(request) }))
      },
    }),
    defineRoute({
      method: 'PUT',
      path: '/users/current/password',
      operationId: 'changePassword',
      summary: 'Change the password of the current user; ends all other sessions of the user',
      tag: 'Sessions',
      body: Type.Object(
        {
          currentPassword: password,
          newPassword: Type.String({ minLength: minPasswordLength, maxLength: maxPasswordLength }),
        },
        { additionalProperties: false },
      ),
      handle: async ({ request, body, recorded }) => {
        const { name, token } = sessionOf(request)
        const attempt = attempts.begin(addressOf(request), name)
        const known = await store.users.get(name)
        if (!known || !(await verifyPassword(body.currentPassword, known.passwordHash)))
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
