// Changes of an account: an endless iteration that resumes from a cursor, and a copy of lists that is kept current.
import { UnifiedError } from './error.ts'
import type { ChangePage } from './generated/records.ts'
import type { AnyRecord, Changes, ChangesOptions, CopyOptions, EntityChange, EntityName } from './types.ts'
import { sleep } from './waiting.ts'

/** `wait`: seconds to wait for a change. */
export type FetchChanges = (query: { cursor: string | undefined; wait: number }) => Promise<ChangePage>

const defaultWaitSeconds = 30
const notReadySeconds = 10

/** Waits for the end of the first walk. */
async function whenReady(fetch: () => Promise<ChangePage>, signal: AbortSignal | undefined): Promise<ChangePage> {
  for (;;) {
    try {
      return await fetch()
    } catch (error) {
      if (!(error instanceof UnifiedError) || error.code !== 'not_ready') throw error
      await sleep((error.retryAfter ?? notReadySeconds) * 1000, signal)
    }
  }
}

export function createChanges(
  fetchChanges: FetchChanges,
  { cursor: start, signal, wait = defaultWaitSeconds, follow = true, onCursor }: ChangesOptions,
): Changes {
  let cursor = start
  let completeUntil: ChangePage['completeUntil']
  async function* pages(): AsyncGenerator<ChangePage, void, undefined> {
    for (let isBehind = true; ; ) {
      signal?.throwIfAborted()
      const seconds = isBehind || !follow ? 0 : Math.max(1, wait)
      const page = await whenReady(() => fetchChanges({ cursor, wait: seconds }), signal)
      // A page counts when the caller asks for the next one. Until then the cursor leads to the same page.
      if (page.data.length > 0) yield page
      cursor = page.pagination.cursor
      completeUntil = page.completeUntil ?? completeUntil
      await onCursor?.(cursor)
      isBehind = page.pagination.hasMore
      if (!follow && !isBehind) return
    }
  }
  async function* changes(): AsyncGenerator<EntityChange, void, undefined> {
    for await (const { data } of pages())
      for (const change of data as EntityChange[]) {
        signal?.throwIfAborted()
        yield change
      }
  }
  return {
    get cursor() {
      return cursor
    },
    get completeUntil() {
      return completeUntil
    },
    pages,
    [Symbol.asyncIterator]: changes,
  }
}

export interface CopySource {
  fetchChanges: FetchChanges
  list(entityType: EntityName): AsyncIterable<AnyRecord>
}

/** Takes a cursor, reads the lists, then follows the cursor. Starts again if the cursor expires. */
export async function copyRecords(
  { fetchChanges, list }: CopySource,
  entityTypes: readonly EntityName[],
  options: CopyOptions,
): Promise<string> {
  const { signal, onStart, onRecord, onCopied, onChange, onCursor } = options
  async function copy(): Promise<string> {
    // Its changes are so recent that a list may not show them yet: they are applied after the lists.
    const first = await whenReady(() => fetchChanges({ cursor: undefined, wait: 0 }), signal)
    await onStart?.()
    for (const entityType of entityTypes)
      for await (const record of list(entityType)) {
        signal?.throwIfAborted()
        await onRecord(record, entityType)
      }
    await onCopied?.()
    for (const change of first.data as EntityChange[]) await onChange(change)
    const { cursor } = first.pagination
    await onCursor?.(cursor)
    return cursor
  }
  let { cursor } = options
  for (;;) {
    cursor ??= await copy()
    const changes = createChanges(fetchChanges, { ...options, cursor })
    try {
      for await (const change of changes) await onChange(change)
      return changes.cursor as string
    } catch (error) {
      if (!(error instanceof UnifiedError) || error.code !== 'cursor_expired') throw error
      cursor = undefined
    }
  }
}
