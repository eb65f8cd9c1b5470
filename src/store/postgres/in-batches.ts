// Calls that come while others are under way are made together: one statement, one round trip, one commit.
import { DatabaseUnavailable } from '../unavailable.ts'

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}
export interface Batches<Item, Result> {
  /** A call that finds no other one waiting does this. */
  one(item: Item): Promise<Result>
  /** The same for several items, in their order. All of them happen, or none. */
  many(items: readonly Item[]): Promise<Result[]>
}
const mostItems = 100
/** More than one, so that a statement that waits for a lock does not stop the others. */
const mostUnderWay = 3

/**
 * A call that finds nothing under way is not delayed. One item that the database refuses does not fail the others: they
 * are then made one by one.
 */
export function inBatches<Item, Result>({ one, many }: Batches<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = []
  let underWay = 0
  let scheduled = false

  const single = ({ item, resolve, reject }: Waiting<Item, Result>) => one(item).then(resolve, reject)
  async function run(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    if (batch.length === 1) return single(batch[0] as Waiting<Item, Result>)
    try {
      const results = await many(batch.map(({ item }) => item))
      for (const [n, { resolve }] of batch.entries()) resolve(results[n] as Result)
    } catch (error) {
      if (error instanceof DatabaseUnavailable) for (const { reject } of batch) reject(error)
      else for (const each of batch) await single(each)
    }
  }
  function start(): void {
    scheduled = false
    while (waiting.length > 0 && underWay < mostUnderWay) {
      const batch = waiting.slice(0, mostItems)
      waiting = waiting.slice(mostItems)
      underWay++
      void run(batch).finally(() => {
        underWay--
        start()
      })
    }
  }
  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      // At the end of the event-loop turn: requests that arrive together share a statement.
      if (!scheduled) setImmediate(start)
      scheduled = true
    })
}
