// Facts of an account that rarely change (currency, locations, a menu): loaded once, cached for minutes, one load at a
// time.
import { BoundedMap } from '../base/bounded-map.ts'

/** A value, and how long it stays valid; at most as long as every fact. */
export interface Fact<T> {
  value: T
  leftMs: number
}
/**
 * The load ended without a result that says anything about the fact: the thread that ran it has ended. The next caller
 * loads it.
 */
export class LoadAborted extends Error {}

export interface Facts {
  cached<T>(accountId: string, name: string, load: () => Promise<T>): Promise<T>
  /**
   * Like `cached`, for a load that says how long its value stays valid: the cache of a thread takes its facts from the
   * one of the process.
   */
  take<T>(accountId: string, name: string, load: () => Promise<Fact<T>>): Promise<Fact<T>>
  forget(accountId: string): void
}

interface Entry {
  until: number
  value: Promise<unknown>
}

export function createFacts(ttlMs: number, maxAccounts = 5000, maxFacts = 1000): Facts {
  const accounts = new BoundedMap<string, Map<string, Entry>>(maxAccounts)

  function begin<T>(accountId: string, name: string, load: () => Promise<Fact<T>>): Entry {
    let facts = accounts.get(accountId)
    if (!facts) {
      facts = new BoundedMap(maxFacts)
      accounts.set(accountId, facts)
    }
    for (const [factName, { until }] of facts) if (until <= performance.now()) facts.delete(factName)
    const entry: Entry = {
      until: performance.now() + ttlMs,
      value: load().then(({ value, leftMs }) => {
        entry.until = Math.min(entry.until, performance.now() + leftMs)
        return value
      }),
    }
    facts.set(name, entry)
    entry.value.catch(() => {
      if (accounts.get(accountId)?.get(name) === entry) accounts.get(accountId)?.delete(name)
    })
    return entry
  }
  const factOf = async <T>({ until, value }: Entry): Promise<Fact<T>> => ({
    value: (await value) as T,
    leftMs: until - performance.now(),
  })

  const facts: Facts = {
    async cached<T>(accountId: string, name: string, load: () => Promise<T>): Promise<T> {
      return (await facts.take(accountId, name, async () => ({ value: await load(), leftMs: Infinity }))).value
    },
    async take(accountId, name, load) {
      for (;;) {
        const fact = accounts.get(accountId)?.get(name)
        if (!fact || fact.until <= performance.now()) return factOf(begin(accountId, name, load))
        try {
          return await factOf(fact)
        } catch (error) {
          if (!(error instanceof LoadAborted)) throw error
        }
      }
    },
    forget: (accountId) => void accounts.delete(accountId),
  }
  return facts
}
