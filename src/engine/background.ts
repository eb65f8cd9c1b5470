// Reads that no caller waits for: pages and single records, in the background class of the pacer.
import { Problem } from '../contract/errors.ts'
import type { Facts } from './facts.ts'
import { notExcluded, notFound } from './identity.ts'
import type { RequestContext } from './options.ts'
import type { ClockBounds, PlatformClocks } from './outbound/platform-clock.ts'
import type { CursorState } from './read/cursor.ts'
import { checkFilter, type Reading, unifying } from './read/list.ts'
import { readRow } from './read/read-row.ts'
import type { Target } from './target.ts'
import { checkUsable } from './usable.ts'

/** A position in a list. A walk begins with the place `{}`. */
export type BackgroundPosition = Pick<CursorState, 'size' | 'updatedAfter' | 'gone' | 'place'>
export interface BackgroundPage {
  rows: unknown[]
  gone: string[] // ids of rows or groups that were deleted
  next?: BackgroundPosition // absent at the end of the list
  readBegan: number // on our clock, before the first call; milliseconds since 1970
  readEnded: number
  /**
   * By the first response with a `Date`. `at`: what the platform's clock showed then, cut to seconds. `before`: not later
   * than what it showed when that call left.
   */
  platformDate?: { before: number; at: number }
}
export type BackgroundContext = RequestContext & { background: true }

/**
 * `reading` has facts of its own, `facts`: a caller must not wait for one that is loaded in the background.
 */
export function createBackground(
  reading: Pick<Reading, 'rowsAt' | 'through'>,
  facts: Pick<Facts, 'forget'>,
  clocks: PlatformClocks,
) {
  return {
    async page(target: Target, position: BackgroundPosition, context: BackgroundContext): Promise<BackgroundPage> {
      checkUsable(target, 'read')
      checkFilter(target, position.updatedAfter)
      const size = Math.min(position.size, target.adapter.list.pageLimit)
      const readBegan = Date.now()
      const { rows, gone, next, date } = await reading.rowsAt(target, { ...position, size }, context)
      return {
        rows,
        gone,
        ...(next && { next }),
        readBegan,
        readEnded: Date.now(),
        ...(date && { platformDate: { before: date.date - (date.received - date.sent), at: date.date } }),
      }
    },
    /** Undefined if the platform says that it has no such record. Everything else rejects. */
    async get(target: Target, id: string, context: BackgroundContext): Promise<unknown> {
      checkUsable(target, 'read')
      const { adapter, connector, flavor } = target
      const { get } = adapter
      if (!get)
        throw new Problem(
          'method_not_allowed',
          `${connector.name} cannot read a single ${flavor.definition.entityType}. Read the list instead.`,
        )
      try {
        const row = await reading.through(target, context, (call) => readRow(get, call, id))
        if (row === undefined) throw notFound(target)
        notExcluded(target, row)
        return row
      } catch (error) {
        if (error instanceof Problem && error.code === 'record_not_found') return undefined
        throw error
      }
    },
    /** All rows of a group; none if the native record does not exist. */
    async members(target: Target, group: string, context: BackgroundContext): Promise<unknown[]> {
      checkUsable(target, 'read')
      const { members } = target.adapter
      return members ? reading.through(target, context, (call) => members(call, group)) : []
    },
    /** The unified record of a row, without a mapping. */
    unify: (target: Target) => unifying(target, undefined),
    /** The bounds of the platform's clock; undefined without a `Date` header so far. */
    date: ({ account }: Target): ClockBounds | undefined => clocks.bounds(account.id),
    /** At the start of a poll or a walk: facts of the account are loaded again. */
    forgetFacts: (accountId: string): void => facts.forget(accountId),
  }
}
