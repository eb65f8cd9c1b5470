// Limits sign-in attempts per minute by address and by user. A browser that has signed in before has its own limit, so
// that password guessing, even from many addresses, does not lock the user out.

import { createHmac, type KeyObject, randomBytes } from 'node:crypto'
import { sameText } from '../../accounts/secrets.ts'
import { BoundedMap } from '../../base/bounded-map.ts'
import type { Vault } from '../../store/vault.ts'
import { tooOften } from '../throttle.ts'

const attemptsPerMinute = 10
const windowMs = 60_000
const remembered = 10_000
/** A nonce and a signature, and nothing else. */
const deviceForm = /^([\w-]{16})\.([\w-]{43})$/

export interface Attempts {
  /** Throws after too many attempts. */
  begin(address: string, user: string, device?: string): { succeeded(): void }
  /** A cookie value that proves that the user has signed in with this browser. */
  deviceFor(user: string): string
}

export function createAttempts(vault: Vault): Attempts {
  const recent = new BoundedMap<string, number[]>(remembered)
  const keys = () => vault.derive('device of a user')
  const sign = (key: KeyObject, user: string, nonce: string) =>
    // As JSON: joined texts could be those of another user.
    createHmac('sha256', key)
      .update(JSON.stringify([nonce, user]))
      .digest('base64url')

  /** The nonce of a device of this user, by which its attempts are counted: the cookie may have other spellings. */
  const nonceOf = (user: string, device: string | undefined): string | undefined => {
    const [, nonce = '', signature = ''] = deviceForm.exec(device ?? '') ?? []
    return nonce !== '' && keys().some((key) => sameText(sign(key, user, nonce), signature)) ? nonce : undefined
  }
  function count(who: string): void {
    const now = Date.now()
    const known = (recent.get(who) ?? []).filter((at) => at > now - windowMs)
    if (known.length >= attemptsPerMinute)
      throw tooOften('Too many sign-in attempts.', (known[0] as number) + windowMs - now)
    recent.set(who, [...known, now])
  }
  return {
    begin(address, user, device) {
      const nonce = nonceOf(user, device)
      const counted = nonce === undefined ? [`address ${address}`, `user ${user}`] : [`device ${nonce}`]
      for (const who of counted) count(who)
      return { succeeded: () => counted.forEach((who) => void recent.delete(who)) }
    },
    deviceFor(user) {
      const nonce = randomBytes(12).toString('base64url')
      return `${nonce}.${sign(keys()[0] as KeyObject, user, nonce)}`
    },
  }
}
