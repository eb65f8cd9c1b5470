// Positions that callers hold for the service. A sealed one opens only in the scope it was made for, on every instance,
// across restarts.
import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto'
import type { Problem } from '../../contract/errors.ts'
import { drawRandom } from '../../store/random.ts'

export interface SealedCursors<State, Scope> {
  seal(state: State, scope: Scope): string
  open(cursor: string, scope: Scope): State
}

/** `bound`: what identifies a scope, as JSON. `invalid`: the error for any other cursor. */
export function createSealedCursors<State, Scope>(
  keys: readonly KeyObject[],
  bound: (scope: Scope) => unknown,
  invalid: () => Problem,
): SealedCursors<State, Scope> {
  const dataOf = (scope: Scope) => Buffer.from(JSON.stringify(bound(scope)))
  return {
    seal(state, scope) {
      const nonce = drawRandom(12)
      const cipher = createCipheriv('aes-256-gcm', keys[0] as KeyObject, nonce).setAAD(dataOf(scope))
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
          const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(dataOf(scope))
          decipher.setAuthTag(bytes.subarray(-16))
          return JSON.parse(
            Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8'),
          ) as State
        } catch {}
      }
      throw invalid()
    },
  }
}
