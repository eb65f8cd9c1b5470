// The latest changes of an account, newest first, for people who look at them. Unlike the feed, it has no cursor to
// keep: a page that starts at the newest change has nothing that a reader could have missed.
import type { EntityType } from '../contract/entity.ts'
import type { Engine } from '../engine/engine.ts'
import type { RequestContext } from '../engine/options.ts'
import type { LogRow } from '../store/changes.ts'
import type { Account, Store } from '../store/store.ts'
import { shownRecord } from './kept-record.ts'
import type { KeptRecord } from './observe.ts'
import { type Change, changeOf, lookEveryMs } from './read-feed.ts'
import { createWaiters } from './waiters.ts'

interface LatestQuery {
  entityTypes: readonly EntityType[]
  since: number // only changes after this sequence
  before?: number | undefined
  limit: number
}
interface LatestOptions {
  waitMs: number // 0: not at all
  signal: AbortSignal // ends the wait
  load?: RequestContext['load']
}
interface LatestChanges {
  data: Change[]
  next?: string | undefined
}

export type LatestReader = ReturnType<typeof createLatestChanges>

export function createLatestChanges({
  store,
  engine,
}: {
  store: Pick<Store, 'changes' | 'links'>
  engine: Pick<Engine, 'target' | 'mappings'>
}) {
  const waiterOf = createWaiters(store.changes)

  /** As a caller with an API key sees it, except that nothing is read at the platform. */
  async function recordOf(account: Account, { entityType, record, nativeId }: LogRow) {
    if (record === undefined) return undefined
    const target = engine.target(account, entityType)
    const shown = shownRecord(target, record as KeptRecord, await engine.mappings.byDefault(target, 'read'), nativeId)
    return shown === 'live' ? undefined : shown
  }

  async function answerOf(account: Account, rows: readonly LogRow[], limit: number): Promise<LatestChanges> {
    const page = rows.slice(0, limit)
    const sourceIds = await store.links.sourceIds(account.id, page)
    const data: Change[] = []
    for (const row of page)
      data.push(changeOf(row, sourceIds.get(`${row.entityType} ${row.nativeId}`), await recordOf(account, row)))
    return { data, ...(rows.length > limit ? { next: String(page.at(-1)?.sequence) } : {}) }
  }

  /** With a wait: returns as soon as there is a change, or with an empty page. */
  return async (account: Account, query: LatestQuery, { waitMs, signal, load }: LatestOptions) => {
    const { limit } = query
    const look = () => store.changes.latest(account.id, { ...query, limit: limit + 1 })
    if (waitMs <= 0) return answerOf(account, await look(), limit)
    const until = performance.now() + waitMs
    const waiter = waiterOf(account.id) // before the first look: what comes after that look wakes it
    try {
      for (;;) {
        const rows = await look()
        const leftMs = until - performance.now()
        if (rows.length > 0 || leftMs <= 0 || signal.aborted) return await answerOf(account, rows, limit)
        load?.outside()
        await waiter.next(Math.min(lookEveryMs, leftMs), signal).finally(() => load?.inside())
      }
    } finally {
      waiter.end()
    }
  }
}
