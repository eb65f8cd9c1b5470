// A cursor is sealed: it opens only for the account, entity and mapping it was made for, on every instance, across
// restarts.
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import { Problem } from '../../contract/errors.ts'
import { drawRandom } from '../../store/random.ts'
import type { Vault } from '../../store/vault.ts'
import type { Target } from '../target.ts'

/**
 * The vendor page that holds the first unserved row, and which row that is: by the ids around it, because rows are
 * added and removed between pages.
 */
export interface Place {
  at?: unknown
  row?: { next: string[]; last: string[] } // the nearest first, in both directions
}
export interface CursorState {
  size: number
  updatedAfter?: string
  mapping?: { id: string; version: number } // that the walk began with; absent: the built-in one
  place: Place
}
export interface CursorScope {
  accountId: string
  entityType: string
  mapping: string // the id of the one that the caller's key names; empty: the default
}
export const cursorScope = ({ account, flavor }: Target, { mappingId }: { mappingId?: string }): CursorScope => ({
  accountId: account.id,
  entityType: flavor.definition.entityType,
  mapping: mappingId ?? '',
})
export interface Cursors {
  seal(state: CursorState, scope: CursorScope): string
  open(cursor: string, scope: CursorScope): CursorState
}
const invalid = () =>
  new Problem(
    'invalid_cursor',
    'The cursor is not one that this service gave out for this account, entity and mapping. Start again without a cursor.',
  )

export function createCursors(vault: Vault): Cursors {
  const keys = vault.derive('cursor')
  const bound = ({ accountId, entityType, mapping }: CursorScope) =>
    Buffer.from(JSON.stringify([accountId, entityType, mapping]))
  return {
    seal(state, scope) {
      const nonce = drawRandom(12)
      const cipher = createCipheriv('aes-256-gcm', keys[0] as KeyObject, nonce).setAAD(bound(scope))
      return Buffer.concat([
        nonce,
        cipher.update(JSON.stringify(state), 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ]).toString('base64url')
    },
    open(cursor, scope) {
      if (!/^[A-Za-z0-9_-]{40,8192}$/.test(cursor)) throw invalid()
      const bytes = Buffer.from(cursor, 'base64url')
      // The last character of base64url may carry unused bits: a cursor that was changed there must not open either.
      if (bytes.toString('base64url') !== cursor) throw invalid()
      for (const key of keys) {
        try {
          const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(bound(scope))
          decipher.setAuthTag(bytes.subarray(-16))
          return JSON.parse(
            Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8'),
          ) as CursorState
        } catch {}
      }
      throw invalid()
    },
  }
}
