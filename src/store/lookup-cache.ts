// Where one process alone writes, what the look-ups of every request found is kept until the next change that may concern it.

/** Wraps a look-up by one key. */
export type Keep = <T extends object>(look: (key: string) => Promise<T | undefined>) => (key: string) => Promise<T | undefined>

/** Others write too: everything is asked anew. */
export const keepNothing: Keep = (look) => look

const most = 10_000

export function createKeep(): { keep: Keep; forget(): void } {
  const all: Map<string, object>[] = []
  let writes = 0
  return {
    keep: <T extends object>(look: (key: string) => Promise<T | undefined>) => {
      const kept = new Map<string, T>()
      all.push(kept)
      return async (key) => {
        const known = kept.get(key)
        if (known) return known
        const before = writes
        const found = await look(key)
        if (!found || before !== writes) return found // it may be older than what was written meanwhile
        if (kept.size >= most) kept.clear()
        kept.set(key, Object.freeze(found))
        return found
      }
    },
    forget() {
      writes++
      for (const kept of all) if (kept.size > 0) kept.clear()
    },
  }
}
