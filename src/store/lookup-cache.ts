// When only one process writes, the lookups of every request are cached. The table methods that change a row clear
// them.
import { BoundedMap } from '../contract/bounded-map.ts'

export type CachedTable = 'accounts' | 'credentials' | 'mappings' | 'mapping_keys' | 'mapping_defaults'

export interface LookupCache {
  /** Wraps a lookup in this table by one key. */
  lookup<T extends object>(
    table: CachedTable,
    find: (key: string) => Promise<T | undefined>,
  ): (key: string) => Promise<T | undefined>
  /**
   * Every change of a cached table goes through here. When it ends, whether it succeeds or fails, the cached rows of
   * these tables are removed.
   */
  changing<T>(tables: Iterable<CachedTable>, change: Promise<T>): Promise<T>
}

/** Other processes write too: nothing is cached. */
export const noLookupCache: LookupCache = { lookup: (_, find) => find, changing: (_, change) => change }

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
