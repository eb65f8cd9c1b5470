// A list that returns one page when awaited and all records when iterated.
import type { List, Page } from './types.ts'

export type FetchPage<T> = (cursor: string | undefined, signal: AbortSignal | undefined) => Promise<Page<T>>

export function createList<T>(fetchPage: FetchPage<T>, signal: AbortSignal | undefined): List<T> {
  let first: Promise<Page<T>> | undefined
  /** Sends no request before it is awaited or iterated. */
  const firstPage = () => {
    first ??= fetchPage(undefined, signal)
    return first
  }

  async function* pages(): AsyncGenerator<Page<T>, void, undefined> {
    signal?.throwIfAborted()
    const ahead = new AbortController()
    const follow = () => ahead.abort(signal?.reason)
    signal?.addEventListener('abort', follow, { once: true })
    try {
      for (let next: Promise<Page<T>> | undefined = firstPage(); next; ) {
        const page: Page<T> = await next
        const { cursor } = page.pagination
        next = cursor === undefined ? undefined : fetchPage(cursor, ahead.signal)
        next?.catch(() => {}) // reported when the page is used
        yield page
        signal?.throwIfAborted()
      }
    } finally {
      signal?.removeEventListener('abort', follow)
      ahead.abort() // cancels the next page when the iteration ends early
    }
  }
  async function* records(): AsyncGenerator<T, void, undefined> {
    for await (const { data } of pages())
      for (const record of data) {
        yield record
        signal?.throwIfAborted()
      }
  }

  return {
    // biome-ignore lint/suspicious/noThenProperty: awaiting the list is how one page is asked for
    then: (...handlers) => firstPage().then(...handlers),
    catch: (handler) => firstPage().catch(handler),
    finally: (handler) => firstPage().finally(handler),
    [Symbol.toStringTag]: 'List',
    [Symbol.asyncIterator]: records,
    pages,
  }
}
