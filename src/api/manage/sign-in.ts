// Starting a session: after a password, an invitation or a sign-in at the OpenID provider.

import { createHmac } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createSecret, hashSecret } from '../../accounts/secrets.ts'
import type { Sessions } from '../../store/store.ts'
import type { Vault } from '../../store/vault.ts'
import { cookieText } from './cookies.ts'
import { createAttempts } from './sign-in-attempts.ts'

const lifetimeMs = 12 * 3600 * 1000
const deviceLifetimeSeconds = 365 * 24 * 3600
export const sessionCookie = 'unirec_session'
export const deviceCookie = 'unirec_device'

export interface SessionOptions {
  vault: Vault
  /** Whether browsers reach the service over https, so that the cookie can require it. */
  secure(request: FastifyRequest): boolean
  baseUrl(): string
  /** The origin of the dashboard, as the browser of this request reaches it. */
  dashboardUrl(request: FastifyRequest): string
}

/** Readable by pages that can read our responses, not by other sites that can only make a browser send its cookies. */
export const csrfOf = (token: string) => createHmac('sha256', token).update('csrf').digest('base64url')

/** A header that can occur several times. */
export function setCookie(reply: FastifyReply, text: string): void {
  reply.header('set-cookie', text)
}

export interface OpenedSession {
  stored: Parameters<Sessions['create']>[0]
  /** Once it is stored. With `cookie`, the token is in a cookie that scripts cannot read. */
  answer(reply: FastifyReply, cookie: boolean): object
}

export function createSignIn({ vault, secure, baseUrl }: SessionOptions) {
  const attempts = createAttempts(vault)
  return {
    attempts,
    open(user: string, request: FastifyRequest): OpenedSession {
      const token = createSecret('urses')
      const expiresAt = new Date(Date.now() + lifetimeMs).toISOString()
      const browser = request.headers['user-agent']?.slice(0, 300)
      return {
        stored: {
          tokenHash: hashSecret(token),
          user,
          expiresAt,
          address: request.ip,
          ...(browser === undefined ? {} : { browser }),
        },
        answer(reply, cookie) {
          const shown = { user, expiresAt, publicUrl: baseUrl() }
          if (!cookie) return { token, ...shown }
          setCookie(reply, cookieText(sessionCookie, token, { seconds: lifetimeMs / 1000, secure: secure(request) }))
          setCookie(
            reply,
            cookieText(deviceCookie, attempts.deviceFor(user), {
              seconds: deviceLifetimeSeconds,
              secure: secure(request),
              path: '/manage/v1/sessions',
            }),
          )
          return { ...shown, csrf: csrfOf(token) }
        },
      }
    },
  }
}
export type SignIn = ReturnType<typeof createSignIn>
