// Who may use the management API: the operator's admin token, or a person who logged in. Never a caller's credential.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Problem } from '../../contract/errors.ts'
import type { Store } from '../../store/store.ts'
import { bearerOf, invalidToken } from '../authentication.ts'
import { createSecret, hashSecret, sameText, verifyPassword } from '../secrets.ts'
import { defineRoute, type ManageRoute } from './route.ts'

const lifetimeMs = 12 * 3600 * 1000
const attemptsPerMinute = 10

export function createManageAuthentication(store: Store, adminToken: string | undefined): (request: FastifyRequest) => Promise<void> {
  return async (request) => {
    const token = bearerOf(request)
    if (adminToken && sameText(token, adminToken)) return
    const session = token.startsWith('urses_') ? await store.sessions.get(hashSecret(token)) : undefined
    if (!session || Date.parse(session.expiresAt) <= Date.now()) throw invalidToken('This is not an admin token or a session of the management API.')
  }
}

/** Log-in needs no credential, so it is mounted apart. */
export function loginRoute(store: Store): ManageRoute {
  const attempts = new Map<string, number[]>()
  const throttle = (who: string) => {
    const now = Date.now()
    if (attempts.size > 10_000) attempts.clear()
    const recent = (attempts.get(who) ?? []).filter((at) => at > now - 60_000)
    if (recent.length >= attemptsPerMinute) throw new Problem('too_many_requests', 'Too many log-in attempts; wait a minute.', { headers: { 'retry-after': '60' } })
    attempts.set(who, [...recent, now])
  }
  return defineRoute({
    method: 'POST',
    path: '/sessions',
    operationId: 'logIn',
    summary: 'Log in: a session token for the management API, good for 12 hours',
    tag: 'Sessions',
    body: Type.Object({ user: Type.String({ minLength: 1, maxLength: 200 }), password: Type.String({ minLength: 1, maxLength: 1000 }) }, { additionalProperties: false }),
    answer: Type.Object({ token: Type.String(), expiresAt: Type.String({ format: 'date-time' }) }, { additionalProperties: false }),
    status: 201,
    handle: async ({ body, request }) => {
      throttle(request.ip)
      throttle(`user ${body.user}`)
      const user = await store.users.get(body.user)
      // The same work for an unknown user, so that the time tells nothing.
      const good = await verifyPassword(body.password, user?.passwordHash ?? 'AAAAAAAAAAAAAAAAAAAAAA.AAAA')
      if (!user || !good) throw new Problem('unauthorized', 'The user or the password is not right.', { headers: { 'www-authenticate': 'Bearer realm="unified-records"' } })
      const token = createSecret('urses')
      const expiresAt = new Date(Date.now() + lifetimeMs).toISOString()
      await store.sessions.create({ tokenHash: hashSecret(token), user: user.name, expiresAt })
      return { token, expiresAt }
    },
  })
}

export function logoutRoute(store: Store): ManageRoute {
  return defineRoute({
    method: 'DELETE',
    path: '/sessions',
    operationId: 'logOut',
    summary: 'End the session',
    tag: 'Sessions',
    handle: async ({ request }) => store.sessions.delete(hashSecret(bearerOf(request))),
  })
}
