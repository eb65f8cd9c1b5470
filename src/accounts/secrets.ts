// Secrets of callers: shown once, stored only as hashes. They are long and random, so one SHA-256 is enough; passwords
// of people get scrypt.
import { createHmac, hash, type KeyObject, randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Vault } from '../store/vault.ts'

const random = (bytes: number) => randomBytes(bytes).toString('base64url').replaceAll(/[-_]/g, 'x')
export const createId = (prefix: string) => `${prefix}_${random(12)}`
export const createSecret = (prefix: string) => `${prefix}_${random(32)}`
export const hashSecret = (secret: string) => hash('sha256', secret, 'base64url')
/** Takes the same time wherever the texts differ; only their length can be measured. */
export function sameText(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Passwords of people who sign in to the management API. */
export const [minPasswordLength, maxPasswordLength] = [10, 1000]
export const isPassword = (text: string) => text.length >= minPasswordLength && text.length <= maxPasswordLength
export const passwordRule = `${minPasswordLength} to ${maxPasswordLength} characters`
export const isUserName = (text: string) => /^[^\p{C}]{1,200}$/u.test(text) && text.trim() === text
export const userNameRule = '1 to 200 characters, without control characters and without spaces at its ends'
export const createPassword = () => randomBytes(12).toString('base64url')

const derive = promisify(scrypt) as (password: string, salt: Buffer, length: number) => Promise<Buffer>
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return `${salt.toString('base64url')}.${(await derive(password, salt, 32)).toString('base64url')}`
}
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [salt, expected] = hash.split('.')
  return sameText(
    (await derive(password, Buffer.from(salt ?? '', 'base64url'), 32)).toString('base64url'),
    expected ?? '',
  )
}

export interface TokenClaims {
  accessId: string
  generation: number
  expiresAt: number // seconds
}
/**
 * Access tokens are signed, not stored: a token carries the generation of its secret, so a rotation invalidates all
 * earlier tokens.
 */
export function createTokenIssuer(vault: Vault) {
  const keys = vault.derive('access token')
  const sign = (payload: string, key: KeyObject) => createHmac('sha256', key).update(payload).digest('base64url')
  return {
    issue(claims: TokenClaims): string {
      const payload = Buffer.from(JSON.stringify([claims.accessId, claims.generation, claims.expiresAt])).toString(
        'base64url',
      )
      return `urt_${payload}.${sign(payload, keys[0] as KeyObject)}`
    },
    verify(token: string): TokenClaims | undefined {
      const match = /^urt_([\w-]{1,400})\.([\w-]{43})$/.exec(token)
      if (!match) return undefined
      const [, payload, signature] = match as unknown as [string, string, string]
      if (!keys.some((key) => sameText(sign(payload, key), signature))) return undefined
      const [accessId, generation, expiresAt] = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as [
        string,
        number,
        number,
      ]
      return { accessId, generation, expiresAt }
    },
  }
}
export type TokenIssuer = ReturnType<typeof createTokenIssuer>
