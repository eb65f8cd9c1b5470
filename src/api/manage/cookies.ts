// Not @fastify/cookie: two functions are all that a session needs, and every cookie is HttpOnly and SameSite=Strict by
// construction.
import type { FastifyRequest } from 'fastify'

export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  for (const part of (request.headers.cookie ?? '').split(';')) {
    const equals = part.indexOf('=')
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim() || undefined
  }
  return undefined
}

/** Not readable by scripts, and not sent with cross-site requests. */
export const cookieText = (
  name: string,
  value: string,
  { seconds, secure, path = '/' }: { seconds: number; secure: boolean; path?: string },
): string => `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
