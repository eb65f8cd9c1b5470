// Encrypts what must not be readable in a database file or a backup: AES-256-GCM, with the id of the key in front and
// the row as associated data.
import { createCipheriv, createDecipheriv, createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { drawRandom } from './random.ts'

export interface Vault {
  /** `associatedData` names table, column and row: a sealed value that is moved elsewhere cannot be opened. */
  seal(plain: string, associatedData: string): string
  open(sealed: string, associatedData: string): string
  /** True if it was not sealed with the newest key. */
  outdated(sealed: string): boolean
  /**
   * Keys for another purpose (cursors, tokens), the same on every instance: the newest first, then older ones that are
   * still accepted.
   */
  derive(purpose: string): readonly KeyObject[]
}

/** No configured key has the id that a sealed value names. */
export class UnknownKey extends Error {}

/** Keys of 32 bytes, newest first. */
export function createVault(keys: readonly Buffer[]): Vault {
  if (keys.length === 0 || keys.some((key) => key.length !== 32)) throw new Error('an encryption key has 32 bytes')
  const named = keys.map((key) => ({
    id: createHash('sha256').update('unified-records key id').update(key).digest('base64url').slice(0, 8),
    key: createSecretKey(key),
  }))
  const newest = named[0] as (typeof named)[number]
  return {
    seal(plain, associatedData) {
      const nonce = drawRandom(12)
      const cipher = createCipheriv('aes-256-gcm', newest.key, nonce).setAAD(Buffer.from(associatedData))
      const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${newest.id}.${body.toString('base64url')}`
    },
    open(sealed, associatedData) {
      const dot = sealed.indexOf('.')
      const entry = named.find(({ id }) => id === sealed.slice(0, dot))
      if (!entry)
        throw new UnknownKey('sealed with a key that is not configured: set ENCRYPTION_KEY (or the key file) to it')
      const body = Buffer.from(sealed.slice(dot + 1), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', entry.key, body.subarray(0, 12)).setAAD(
        Buffer.from(associatedData),
      )
      decipher.setAuthTag(body.subarray(-16))
      return Buffer.concat([decipher.update(body.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
    outdated: (sealed) => !sealed.startsWith(`${newest.id}.`),
    derive: (purpose) =>
      keys.map((key) => createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `unified-records ${purpose}`, 32)))),
  }
}
