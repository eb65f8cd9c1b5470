// Facts of an account that change seldom (currency, locations, a menu): asked once, kept for minutes, one question at a time.
export interface Facts {
  cached<T>(accountId: string, name: string, load: () => Promise<T>): Promise<T>
  forget(accountId: string): void
}

export function createFacts(ttlMs: number, maxAccounts = 5000, maxFacts = 1000): Facts {
  const accounts = new Map<string, Map<string, { until: number; value: Promise<unknown> }>>()
  return {
    cached<T>(accountId: string, name: string, load: () => Promise<T>): Promise<T> {
      let facts = accounts.get(accountId)
      if (!facts) {
        if (accounts.size >= maxAccounts) accounts.delete(accounts.keys().next().value as string)
        facts = new Map()
        accounts.set(accountId, facts)
      }
      const known = facts.get(name)
      if (known && known.until > performance.now()) return known.value as Promise<T>
      for (const [known, { until }] of facts) if (until <= performance.now()) facts.delete(known)
      if (facts.size >= maxFacts) facts.delete(facts.keys().next().value as string)
      const fact = { until: performance.now() + ttlMs, value: load() as Promise<unknown> }
      facts.set(name, fact)
      fact.value.catch(() => {
        if (accounts.get(accountId)?.get(name) === fact) accounts.get(accountId)?.delete(name)
      })
      return fact.value as Promise<T>
    },
    forget: (accountId) => void accounts.delete(accountId),
  }
}
