// Whether this instance can serve requests: the database responds and can store something. A database that can only be
// read, as with a full disk, is found by a write that failed, or by a small write at most every few seconds.
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../contract/errors.ts'
import type { Store } from '../store/store.ts'
import { cannotStore, DatabaseUnavailable } from '../store/unavailable.ts'

/** Between two probes, and after the last request that failed, so that the state does not flap. */
const probeEveryMs = 5_000
/** A write can wait for others for longer than a health check does. */
const patienceMs = 1_000

export interface Readiness {
  /** Rejects with the reason if the instance is not ready. */
  check(): Promise<void>
  /** The error of a request. */
  observe(error: unknown): void
}

export function createReadiness(store: Pick<Store, 'ping' | 'probe'>, now = () => performance.now()): Readiness {
  let reason: string | undefined
  let cause: unknown
  let nextProbe = now()
  let probing: Promise<void> | undefined

  function fail(error: unknown): void {
    const fault = error instanceof DatabaseUnavailable ? error.fault : undefined
    reason = fault ? cannotStore(fault) : 'The database does not accept writes.'
    cause = error
    nextProbe = now() + probeEveryMs
  }
  async function probe(): Promise<void> {
    const due = now() + probeEveryMs
    nextProbe = due
    try {
      await store.probe()
      if (nextProbe === due) reason = undefined // no request has failed meanwhile
    } catch (error) {
      fail(error)
    } finally {
      probing = undefined
    }
  }
  return {
    async check() {
      try {
        await store.ping()
      } catch (error) {
        throw notReady('The database does not respond.', error)
      }
      if (now() >= nextProbe) probing ??= probe()
      if (probing) await Promise.race([probing, sleep(patienceMs, undefined, { ref: false })])
      if (reason) throw notReady(reason, cause)
    },
    observe(error) {
      const failure = error instanceof Problem ? error.cause : error
      if (failure instanceof DatabaseUnavailable && failure.fault) fail(failure)
    },
  }
}

/** Wraps the cause: a health check that fails is not a request that failed. */
const notReady = (detail: string, cause: unknown) =>
  new Problem('unavailable', detail, { headers: { 'retry-after': '5' }, cause: new Error(detail, { cause }) })
