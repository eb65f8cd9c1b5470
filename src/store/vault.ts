// Seals what must not be readable in a database file or a backup: AES-256-GCM, the key's id in front, bound to what it belongs to.
import { createCipheriv, createDecipheriv, createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import { drawRandom } from './random.ts'

export interface Vault {
  /** `about` names the place (table, row): a sealed value moved elsewhere does not open. */
  seal(plain: string, about: string): string
  open(sealed: string, about: string): string
  /** True when it was sealed under a key that is no longer the newest. */
  outdated(sealed: string): boolean
  /** A key for another purpose (cursors, tokens), the same on every instance. The newest first, then older ones that are still accepted. */
  derive(purpose: string): readonly KeyObject[]
}

/** Keys of 32 bytes, newest first. */
export function createVault(keys: readonly Buffer[]): Vault {
  if (keys.length === 0 || keys.some((key) => key.length !== 32)) throw new Error('an encryption key has 32 bytes')
  const named = keys.map((key) => ({
    id: createHash('sha256').update('unified-records key id').update(key).digest('base64url').slice(0, 8),
    key: createSecretKey(key),
  }))
  const newest = named[0] as (typeof named)[number]
  return {
    seal(plain, about) {
      const nonce = drawRandom(12)
      const cipher = createCipheriv('aes-256-gcm', newest.key, nonce).setAAD(Buffer.from(about))
      const body = Buffer.concat([nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${newest.id}.${body.toString('base64url')}`
    },
    open(sealed, about) {
      const dot = sealed.indexOf('.')
      const entry = named.find(({ id }) => id === sealed.slice(0, dot))
      if (!entry) throw new Error('sealed under a key that is not configured')
      const body = Buffer.from(sealed.slice(dot + 1), 'base64url')
      const decipher = createDecipheriv('aes-256-gcm', entry.key, body.subarray(0, 12)).setAAD(Buffer.from(about))
      decipher.setAuthTag(body.subarray(-16))
      return Buffer.concat([decipher.update(body.subarray(12, -16)), decipher.final()]).toString('utf8')
    },
    outdated: (sealed) => !sealed.startsWith(`${newest.id}.`),
    derive: (purpose) =>
      keys.map((key) => createSecretKey(Buffer.from(hkdfSync('sha256', key, '', `unified-records ${purpose}`, 32)))),
  }
}
