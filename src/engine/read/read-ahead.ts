// Reads the next page of a walk while its caller works on the current one. See docs/decisions/0018-read-ahead.md.
import { BoundedMap } from '../../base/bounded-map.ts'
import type { Account, MappingOverlay } from '../../store/store.ts'
import type { EngineOptions, ReadAheadOutcome, RequestContext } from '../options.ts'
import { longestAheadMs, slotOf } from '../outbound/channel.ts'
import { outside } from '../outbound/outside.ts'
import type { Target } from '../target.ts'
import type { ListAnswer, Reading } from './list.ts'
import type { ListQuery } from './page.ts'

/** Pages of all accounts that are being read ahead. An account has at most one. */
const maxUnderWay = 16
/** Pages that were read ahead, and their bytes. */
const maxPages = 1_000
const maxBytes = 32 * 1024 * 1024
const maxPageBytes = 4 * 1024 * 1024
/** After a page could not be read ahead, its account waits this long. */
const restMs = 10_000

type AheadContext = RequestContext & Required<Pick<RequestContext, 'ahead'>>
interface AheadPage {
  cursor: string
  account: Account
  updatedAfter: string | undefined
  search: string | undefined
  context: AheadContext
  beganAt: number
  answer: Promise<ListAnswer | undefined> // undefined: it could not be read
  bytes: number // 0 while it is being read
  expiry: NodeJS.Timeout
}
export interface ReadAhead extends Pick<Reading, 'list'> {
  /** The account was changed or written to: its pages may be out of date. */
  forget(accountId: string): void
  close(): void
}

/** `read` reads a page, in the process or in a thread. */
export function createReadAhead(
  read: Reading['list'],
  { pacer, observeTaken, countReadAhead }: Pick<EngineOptions, 'pacer' | 'observeTaken' | 'countReadAhead'>,
): ReadAhead {
  /** By their cursors, the oldest first. A cursor contains all that identifies a request but the state of the account. */
  const pages = new Map<string, AheadPage>() // not a BoundedMap: each one that goes is counted
  const underWay = new Set<string>() // accounts
  const restUntil = new BoundedMap<string, number>(maxPages)
  let bytes = 0
  let closed = false

  function remove(page: AheadPage): void {
    pages.delete(page.cursor)
    clearTimeout(page.expiry)
    bytes -= page.bytes
  }
  function drop(page: AheadPage): void {
    remove(page)
    countUnlessIdle(page, 'unused')
  }
  /** A page that made no call was not read ahead. */
  function countUnlessIdle({ context }: AheadPage, outcome: ReadAheadOutcome): void {
    if (context.nativeCalls) countReadAhead?.(outcome)
  }

  async function readPage(
    target: Target,
    query: ListQuery,
    mapping: MappingOverlay | undefined,
    context: AheadContext,
    calls: number,
  ): Promise<ListAnswer | undefined> {
    const { id } = target.account
    try {
      if (!(await pacer.allowsBackground(slotOf(target.connector, target.account), calls))) return undefined
      const { body, cursor } = await read(target, query, mapping, context)
      return { body: Buffer.from(body), cursor }
    } catch {
      // The request for the page reads it again, and reports what is wrong.
      restUntil.set(id, performance.now() + restMs)
      return undefined
    } finally {
      underWay.delete(id)
    }
  }
  function begin(
    target: Target,
    query: ListQuery & { cursor: string },
    mapping: MappingOverlay | undefined,
    { requestId, caller }: RequestContext,
    calls: number,
  ): void {
    const { account } = target
    const context: AheadContext = { requestId: `ahead of ${requestId}`, caller, maxWaitMs: 0, ahead: { calls: [] } }
    underWay.add(account.id)
    const page: AheadPage = {
      cursor: query.cursor,
      account,
      updatedAfter: query.updatedAfter,
      search: query.search?.text,
      context,
      beganAt: performance.now(),
      answer: readPage(target, query, mapping, context, calls),
      bytes: 0,
      expiry: setTimeout(() => drop(page), longestAheadMs).unref(),
    }
    pages.set(page.cursor, page)
    void page.answer.then((answer) => store(page, answer))
  }
  function store(page: AheadPage, answer: ListAnswer | undefined): void {
    if (pages.get(page.cursor) !== page) return // a request took it, or it was dropped
    if (!answer) {
      remove(page)
      countUnlessIdle(page, 'failed')
      return
    }
    page.bytes = answer.body.length
    bytes += page.bytes
    if (page.bytes > maxPageBytes) drop(page)
    for (const oldest of pages.values()) {
      if (bytes <= maxBytes) break
      if (oldest.bytes > 0) drop(oldest)
    }
  }
  /**
   * What `last` tells about the next page: how long it takes, and how large it is. A page that needs second calls could
   * end between them, and its calls would be made again.
   */
  function isWorthwhile(
    { account, adapter }: Target,
    answer: ListAnswer,
    last: RequestContext,
    caller: RequestContext,
  ): boolean {
    return (
      !closed &&
      !adapter.list.complete &&
      !caller.signal?.aborted &&
      pages.size < maxPages &&
      underWay.size < maxUnderWay &&
      !underWay.has(account.id) &&
      (restUntil.get(account.id) ?? 0) <= performance.now() &&
      (last.platformMs ?? 0) < longestAheadMs &&
      answer.body.length <= maxPageBytes
    )
  }

  /** The page that was read ahead for this request. The next request with the cursor reads it again. */
  function take({ account }: Target, { cursor = '', updatedAfter, search }: ListQuery): AheadPage | undefined {
    const page = pages.get(cursor)
    if (!page) return undefined
    const isCurrent =
      page.account.revision === account.revision &&
      page.updatedAfter === updatedAfter &&
      page.search === search?.text &&
      performance.now() - page.beganAt < longestAheadMs
    if (isCurrent) remove(page)
    else drop(page)
    return isCurrent ? page : undefined
  }
  /** Its calls belong to the request, also those that are still under way. */
  async function handOver(page: AheadPage, { requestId }: RequestContext): Promise<ListAnswer | undefined> {
    const { context } = page
    context.requestId = requestId
    for (const call of context.ahead.calls.splice(0)) observeTaken?.({ ...call, requestId })
    const answer = await page.answer
    countUnlessIdle(page, answer ? 'used' : 'failed')
    return answer
  }

  return {
    async list(target, query, mapping, context) {
      const page = query.cursor === undefined ? undefined : take(target, query)
      const ahead = page && (await outside(context, () => handOver(page, context)))
      const answer = ahead ?? (await read(target, query, mapping, context))
      const last = page && ahead ? page.context : context
      if (query.cursor !== undefined && answer.cursor !== undefined && isWorthwhile(target, answer, last, context))
        begin(target, { ...query, cursor: answer.cursor }, mapping, context, last.nativeCalls ?? 1)
      return answer
    },
    forget(accountId) {
      for (const page of pages.values()) if (page.account.id === accountId) drop(page)
    },
    close() {
      closed = true
      for (const page of pages.values()) drop(page)
    },
  }
}
