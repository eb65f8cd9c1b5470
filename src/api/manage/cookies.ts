// Not @fastify/cookie: two functions are all that is needed, and every cookie is HttpOnly and SameSite by construction.
import type { FastifyRequest } from 'fastify'

export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim() || undefined
  }
  return undefined
}

interface CookieOptions {
  seconds?: number // by default until the browser is closed
  secure: boolean
  path?: string
  /** Sent when another site links or redirects here. By default not. */
  lax?: boolean
}
/** Not readable by scripts, and not sent with other cross-site requests. */
export function cookieText(name: string, value: string, { seconds, secure, path = '/', lax }: CookieOptions): string {
  const age = seconds === undefined ? '' : `; Max-Age=${seconds}`
  return `${name}=${value}; Path=${path}${age}; HttpOnly; SameSite=${lax ? 'Lax' : 'Strict'}${secure ? '; Secure' : ''}`
}
