// Rows of lists that took a call of their own. While the platform lists a row unchanged, its completed row is used
// again, so that a later walk costs only the calls for pages and changed rows.
import { createHash } from 'node:crypto'
import type { EntityType } from '../../contract/entity.ts'
import type { Account } from '../../store/store.ts'

/** A listed row: its id, and the version that its adapter derives from it. */
export interface RowVersion {
  id: string
  version: string
}
type Owner = { account: Pick<Account, 'id' | 'settings'> }

/** In the process, or asked for by a thread. */
export interface CompletedRows {
  /** For each version its row, undefined if it is not known. */
  completedRows(owner: Owner, type: EntityType, versions: readonly RowVersion[]): Promise<unknown[]>
  keepCompleted(owner: Owner, type: EntityType, rows: readonly (RowVersion & { row: unknown })[]): Promise<void>
}

/** For all accounts. A contact of Zoho with its persons and addresses has about 3000 characters. */
const maxCharacters = 32 * 1024 * 1024
/** A platform that changes a row without changing what it lists for it is noticed after this time. */
const maxAgeMs = 7 * 86_400_000

export function createCompletedRows(limit = maxCharacters, ageMs = maxAgeMs) {
  /** The row as JSON, the least recently used first. */
  const entries = new Map<string, { version: string; until: number; json: string }>()
  let characters = 0

  const keyOf = ({ account }: Owner, type: EntityType, id: string): string => JSON.stringify([account.id, type, id])
  /** The settings decide which business the row belongs to. */
  const hashOf = ({ account }: Owner, version: string): string =>
    createHash('sha256').update(JSON.stringify(account.settings)).update(version).digest('base64')

  function remove(key: string): void {
    characters -= entries.get(key)?.json.length ?? 0
    entries.delete(key)
  }
  return {
    async completedRows(owner, type, versions) {
      return versions.map(({ id, version }) => {
        const key = keyOf(owner, type, id)
        const entry = entries.get(key)
        if (!entry || entry.version !== hashOf(owner, version)) return undefined
        entries.delete(key)
        if (entry.until > performance.now()) entries.set(key, entry)
        else characters -= entry.json.length
        return entries.has(key) ? (JSON.parse(entry.json) as unknown) : undefined
      })
    },
    async keepCompleted(owner, type, rows) {
      for (const { id, version, row } of rows) {
        const key = keyOf(owner, type, id)
        const json = JSON.stringify(row)
        remove(key)
        entries.set(key, { version: hashOf(owner, version), until: performance.now() + ageMs, json })
        characters += json.length
      }
      for (const key of entries.keys()) {
        if (characters <= limit) break
        remove(key)
      }
    },
    forget(accountId: string) {
      const prefix = `${JSON.stringify([accountId]).slice(0, -1)},`
      for (const key of entries.keys()) if (key.startsWith(prefix)) remove(key)
    },
  } satisfies CompletedRows & { forget(accountId: string): void }
}
