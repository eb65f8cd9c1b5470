// Two keys with equal content are two records. A lookup by content must not take the record of another key for its own,
// and two lookups at once must not take the same one.
import { setTimeout as sleep } from 'node:timers/promises'
import type { OpenCreate } from '../../store/store.ts'
import type { EngineStore } from '../options.ts'
import type { OpenEntry } from './journaled.ts'
import { leaseMs } from './lease.ts'
import { idIn, OutcomeUnknown, patienceMs } from './steps.ts'

export interface Claims {
  /**
   * Asked of what a lookup found: true when no other key of the account has the record with this platform id. From then
   * until `release`, no other write of this account and entity can take it.
   */
  unclaimed(nativeId: string): Promise<boolean>
  /** The same of a record that a person has named: what other open writes may find does not matter. */
  claim(nativeId: string): Promise<boolean>
  release(): Promise<void>
}
/** Renewed until `release`. Longer than the lease of a write: a process that lost the claim has lost its write too. */
const claimMs = 4 * leaseMs
const pollMs = 50

export function createClaims(
  { journal, leases, links }: Pick<EngineStore, 'journal' | 'leases' | 'links'>,
  { accountId, entityType, externalId, startedAt, holder }: OpenEntry,
): Claims {
  const name = `claim ${accountId} ${entityType}`
  const acquire = () => leases.acquire(name, holder, claimMs)
  let renewals: NodeJS.Timeout | undefined

  async function others(): Promise<OpenCreate[]> {
    const open = await journal.openCreates(accountId, entityType)
    return open.filter((other) => other.externalId !== externalId)
  }
  /**
   * Writes that may have made a record which nothing names yet: those under way now, and those in doubt that came
   * first. Of two in doubt, the earlier one chooses, whether a process holds it at this moment or not.
   */
  async function ahead(): Promise<string[]> {
    return (await others())
      .filter((other) => other.state === 'in_flight' || (other.state === 'unknown' && isEarlier(other)))
      .map((other) => other.externalId)
  }
  const isEarlier = (other: OpenCreate) =>
    other.startedAt < startedAt || (other.startedAt === startedAt && other.externalId < externalId)

  /** The record that was found was there before this moment, so only the writes that are open now can own it. */
  async function othersSettled(): Promise<void> {
    await journal.recovering({ accountId, entityType, externalId }, holder)
    let waiting = await ahead()
    for (const deadline = performance.now() + patienceMs; waiting.length > 0; await sleep(pollMs)) {
      if (performance.now() > deadline)
        throw new OutcomeUnknown(
          'lookup',
          true,
          'Another write with the same content is not settled yet, so it is unknown which record belongs to which.',
          { retryInMs: 5_000 },
        )
      const open = new Set(await ahead())
      waiting = waiting.filter((other) => open.has(other))
    }
  }
  /** By the link of a finished write, or by a finished step of one that is still open. */
  async function isTaken(nativeId: string): Promise<boolean> {
    for (const other of await others()) {
      const steps = await journal.steps({ accountId, entityType, externalId: other.externalId }, other.writeId)
      if (steps.some(({ done, value }) => done && idIn(value) === nativeId)) return true
    }
    const sources = await links.sourcesOf(accountId, entityType, nativeId)
    return sources.some((sourceId) => sourceId !== externalId)
  }
  async function release(): Promise<void> {
    if (!renewals) return
    clearInterval(renewals)
    renewals = undefined
    await leases.release(name, holder).catch(() => {}) // it ends by itself
  }

  async function claim(nativeId: string): Promise<boolean> {
    while (!(await acquire())) await sleep(2 * pollMs)
    renewals = setInterval(() => void acquire().catch(() => {}), claimMs / 4).unref()
    if (!(await isTaken(nativeId))) return true
    await release()
    return false
  }

  return {
    async unclaimed(nativeId) {
      await release()
      await othersSettled()
      return claim(nativeId)
    },
    claim,
    release,
  }
}
