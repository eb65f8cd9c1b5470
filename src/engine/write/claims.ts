// Two keys with equal content are two records. A lookup by content must not take the record of another key for its own, and two lookups at once must not take the same one.
import { setTimeout as sleep } from 'node:timers/promises'
import type { EntryKey } from '../../store/store.ts'
import type { EngineStore } from '../options.ts'
import type { OpenEntry } from './journaled.ts'

export interface Claims {
  /** True when no other key of the account has the record with this platform id. From the first call until `release`, no other write of this account and entity can ask. */
  unclaimed(nativeId: string): Promise<boolean>
  release(): Promise<void>
}
/** Longer than a write takes from its lookup to its end. The lease of a crashed process ends by itself. */
const claimMs = 60_000

export function createClaims({ leases, links }: Pick<EngineStore, 'leases' | 'links'>, entry: OpenEntry): Claims {
  const { accountId, entityType, externalId, holder }: EntryKey & { holder: string } = entry
  const name = `claim ${accountId} ${entityType}`
  let asked = false
  return {
    async unclaimed(nativeId) {
      asked = true
      while (!(await leases.acquire(name, holder, claimMs))) await sleep(100)
      const others = await links.sourcesOf(accountId, entityType, nativeId)
      return others.every((sourceId) => sourceId === externalId)
    },
    async release() {
      if (asked) await leases.release(name, holder).catch(() => {}) // it ends by itself
    },
  }
}
