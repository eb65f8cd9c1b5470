// The lookups of every request are cached. When only one process writes, the table methods that change a row clear
// them; when several do, a version in the database tells whether anything has changed.
import { BoundedMap } from '../base/bounded-map.ts'

export type CachedTable = 'accounts' | 'credentials' | 'mappings' | 'mapping_keys' | 'mapping_defaults'

/**
 * Returns what is committed when it is called. With `since`, a row that another lookup returned: what was committed when
 * that one was called, or later. A request looks up its credential first, and the rest since then.
 */
export type Lookup<T> = (key: string, since?: object) => Promise<T | undefined>

export interface LookupCache {
  /** Wraps a lookup in this table by one key. */
  lookup<T extends object>(table: CachedTable, find: (key: string) => Promise<T | undefined>): Lookup<T>
  /**
   * Every change of a cached table goes through here. When it ends, whether it succeeds or fails, the cached rows of
   * these tables are removed.
   */
  changing<T>(tables: Iterable<CachedTable>, change: Promise<T>): Promise<T>
}

/** Nothing is cached. */
export const noLookupCache: LookupCache = {
  lookup: (_, find) => (key) => find(key),
  changing: (_, change) => change,
}

const maxRows = 10_000

export function createLookupCache(): LookupCache {
  const tables = new Map<CachedTable, { rows: Map<string, object>; changes: number }>()
  function tableOf(name: CachedTable) {
    let table = tables.get(name)
    if (!table) {
      table = { rows: new BoundedMap(maxRows), changes: 0 }
      tables.set(name, table)
    }
    return table
  }
  return {
    lookup<T extends object>(name: CachedTable, find: (key: string) => Promise<T | undefined>) {
      const table = tableOf(name)
      const rows = table.rows as Map<string, T>
      return async (key) => {
        const cached = rows.get(key)
        if (cached) return cached
        const before = table.changes
        const found = await find(key)
        if (!found || before !== table.changes) return found // a change that ended meanwhile may be newer
        rows.set(key, Object.freeze(found))
        return found
      }
    },
    async changing(names, change) {
      try {
        return await change
      } finally {
        for (const name of names) {
          const table = tableOf(name)
          table.changes++
          table.rows.clear()
        }
      }
    },
  }
}

/**
 * Other processes write too. `readVersion` returns a number that every committed change of a cached table has changed;
 * lookups that begin at the same time share it.
 */
export function createVersionedLookupCache(readVersion: () => Promise<number>): LookupCache {
  const tables = new Map<CachedTable, BoundedMap<string, object>>()
  const returned = new WeakSet<object>()
  let version: number | undefined
  async function current(): Promise<number> {
    const found = await readVersion()
    if (found !== version) for (const rows of tables.values()) rows.clear()
    version = found
    return found
  }
  return {
    lookup<T extends object>(name: CachedTable, find: (key: string) => Promise<T | undefined>): Lookup<T> {
      const rows = tables.get(name) ?? new BoundedMap<string, object>(maxRows)
      tables.set(name, rows)
      return async (key, since) => {
        const at = since && returned.has(since) ? version : await current()
        const cached = rows.get(key) as T | undefined
        if (cached) return cached
        const found = await find(key)
        // A newer version may have been read meanwhile, and this row from before.
        if (!found || at !== version) return found
        rows.set(key, Object.freeze(found))
        returned.add(found)
        return found
      }
    },
    changing: (_, change) => change,
  }
}
