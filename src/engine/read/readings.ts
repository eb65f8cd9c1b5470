// The ways to read the rows of an account, and which of them a list of a caller takes.
import { createFacts } from '../facts.ts'
import type { EngineOptions } from '../options.ts'
import type { Channel } from '../outbound/channel.ts'
import type { Outbound } from '../outbound/retry.ts'
import { createCompletedRows } from './completed-rows.ts'
import type { Cursors } from './cursor.ts'
import { createReading, type Reading } from './list.ts'
import { createReadAhead } from './read-ahead.ts'
import type { CreateReaders } from './readers.ts'

export type Readings = ReturnType<typeof createReadings>

export function createReadings(
  options: EngineOptions,
  { channel, outbound, cursors }: { channel: Channel; outbound: Outbound; cursors: Cursors },
  createReaders?: CreateReaders,
) {
  const newFacts = () => createFacts(120_000 * options.paceScale)
  const facts = { request: newFacts(), background: newFacts(), marked: newFacts() }
  const completed = createCompletedRows()
  const shared = { outbound, cursors, now: options.now }
  const request = createReading({ ...shared, facts: facts.request, completed })
  const readings = {
    /** In the process, for a request that waits. */
    request,
    /** For the change feed and webhooks. A caller must not wait for a fact that is loaded in the background. */
    background: createReading({ ...shared, facts: facts.background, completed }),
    /** Rows tell which responses they were made of. Neither a thread nor the cache of completed rows keeps the marks. */
    marked: createReading({ ...shared, facts: facts.marked, marks: true }),
    /** Like `request`, in threads where the service has some. */
    threads: createReaders?.({ ...channel, ...completed }, request, facts.request),
  }
  const { marked, threads } = readings
  const listOnce: Reading['list'] = (target, query, ...rest) =>
    (query.native ? marked : (threads ?? request)).list(target, query, ...rest)
  const ahead = options.readAhead === false ? undefined : createReadAhead(listOnce, options)

  return {
    ...readings,
    facts,
    list: ahead?.list ?? listOnce,
    /** The account was written to: pages that were read ahead may be out of date. */
    forgetPages: (accountId: string): void => ahead?.forget(accountId),
    /** The account was changed: whatever is kept of it may be. */
    forget(accountId: string): void {
      for (const one of Object.values(facts)) one.forget(accountId)
      completed.forget(accountId)
      threads?.forgetFacts(accountId)
      ahead?.forget(accountId)
    },
    readThreads: () => threads?.status() ?? { threads: 0, reads: 0 },
    /** The shutdown begins: no walk goes on here. */
    stopReadingAhead: () => ahead?.close(),
    close: async () => threads?.close(),
  }
}
