// Counts what is limited per minute: wrong secrets, and the requests of a credential. Bounded: the oldest count is
// dropped first.

import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { BoundedMap } from '../base/bounded-map.ts'
import { Problem } from '../contract/errors.ts'
import type { Authenticate } from './authentication.ts'

export interface Throttle {
  /** Milliseconds until this name may try again; 0: now. */
  waitMs(name: string): number
  /** `weight` times; once by default. */
  count(name: string, weight?: number): void
  size(): number
}
export interface ThrottleOptions {
  limit: number
  windowMs?: number
  maxNames?: number
  now?: () => number
}

export function createThrottle({
  limit,
  windowMs = 60_000,
  maxNames = 10_000,
  now = () => performance.now(),
}: ThrottleOptions): Throttle {
  const counted = new BoundedMap<string, { count: number; until: number }>(maxNames)
  const current = (name: string) => {
    const entry = counted.get(name)
    return entry && entry.until > now() ? entry : undefined
  }
  return {
    waitMs(name) {
      const entry = current(name)
      return entry && entry.count >= limit ? entry.until - now() : 0
    },
    count(name, weight = 1) {
      const entry = current(name)
      if (entry) {
        entry.count += weight
        return
      }
      counted.set(name, { count: weight, until: now() + windowMs })
    },
    size: () => counted.size,
  }
}

/** A host usually has a whole /64 of IPv6, which counts as one address. */
export function addressOf({ ip }: FastifyRequest): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (mapped) return mapped[1] as string
  if (!isIPv6(ip)) return ip
  const [head = '', tail] = ip.replace(/%.*$/, '').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

export const tooOften = (detail: string, waitMs: number) =>
  new Problem('too_many_requests', detail, {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1000))) },
  })

export interface GuessLimit {
  /**
   * After a wrong secret: counts it, and returns the problem to send instead of the usual one after too many. A right
   * secret is never refused for what others at the same address tried: it has 256 random bits.
   */
  failed(client: string, address: string): Problem | undefined
}

export function createGuessLimit({
  perClient = 20,
  perAddress = 100,
  now,
}: Pick<ThrottleOptions, 'now'> & { perClient?: number; perAddress?: number } = {}): GuessLimit {
  const clients = createThrottle({ limit: perClient, now })
  const addresses = createThrottle({ limit: perAddress, now })
  return {
    failed(client, address) {
      const name = `${address} ${client.slice(0, 100)}`
      const waitMs = Math.max(clients.waitMs(name), addresses.waitMs(address))
      clients.count(name)
      addresses.count(address)
      return waitMs > 0 ? tooOften('Too many attempts with wrong credentials.', waitMs) : undefined
    },
  }
}

/** Wrong API keys are counted like wrong passwords. A request without a key does not count. */
export function withGuessLimit(authenticate: Authenticate, guesses: GuessLimit): Authenticate {
  return async (request) => {
    const header = request.headers.authorization
    if (header === undefined) return authenticate(request)
    const client = /^Bearer +([\w-]{1,100})/i.exec(header)?.[1] ?? ''
    const address = addressOf(request)
    try {
      return await authenticate(request)
    } catch (error) {
      if (error instanceof Problem && error.code === 'unauthorized') throw guesses.failed(client, address) ?? error
      throw error
    }
  }
}
