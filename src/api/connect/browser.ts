// The browser that opened a link, identified by a cookie, so that no other browser can continue its flow.
import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hashSecret, sameText } from '../../accounts/secrets.ts'
import type { Vault } from '../../store/vault.ts'
import { cookieOf, cookieText } from '../manage/cookies.ts'

const cookie = 'unified_connect'
const lifetimeSeconds = 7 * 86_400

export interface Browser {
  hash: string // stored with an attempt
  formToken: string // proves that a form came from one of our pages in this browser
}

export function createBrowsers(vault: Vault, secure: () => boolean) {
  const keys = vault.derive('connect form')
  const tokenFor = (id: string) =>
    createHmac('sha256', keys[0] as KeyObject)
      .update(id)
      .digest('base64url')
  const browserOf = (request: FastifyRequest): Browser | undefined => {
    const id = cookieOf(request, cookie)
    return id && /^[\w-]{22}$/.test(id) ? { hash: hashSecret(id), formToken: tokenFor(id) } : undefined
  }
  return {
    known: browserOf,
    greet(request: FastifyRequest, reply: FastifyReply): Browser {
      const met = browserOf(request)
      if (met) return met
      const id = randomBytes(16).toString('base64url')
      // Lax: the platform redirects back from another site, and that request must include the cookie.
      const options = { seconds: lifetimeSeconds, secure: secure(), path: '/connect', lax: true }
      reply.header('set-cookie', cookieText(cookie, id, options))
      return { hash: hashSecret(id), formToken: tokenFor(id) }
    },
    isOurs: (browser: Browser, formToken: string | null) => sameText(browser.formToken, formToken ?? ''),
  }
}

export type Browsers = ReturnType<typeof createBrowsers>
