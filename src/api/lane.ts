// A queue of requests: a fixed number is in progress at once, the others wait their turn in order of arrival.
// docs/decisions/0006-admission-by-expected-wait.md derives the rule and its constants.

export interface LaneOptions<Item> {
  /** Requests in progress at once, not counting those that wait for something outside this process. */
  concurrency: number
  /** The longest wait, in milliseconds. 0: nothing is ever refused. */
  maxWaitMs: number
  start(item: Item): void
  /** Instead of `start`, for a request that would wait too long. */
  refuse(item: Item, waitMs: number): void
  now?: () => number
  /** Runs a function after the events that are already due. */
  later?: (run: () => void) => void
}
export interface Lane<Item> extends Outside {
  /** Starts the request, now or in its turn, or refuses it. */
  enter(item: Item): void
  /** The work on a request that was started is done. */
  leave(): void
  queued(): number
}
/** Time spent waiting for a platform is not load: it makes room for the next request. */
export interface Outside {
  outside(): void
  inside(): void
}
interface Waiting<Item> {
  item: Item
  since: number
}
/** The estimate follows the rate of the last half second. */
const memoryMs = 500
const sampleMs = 50

export function createLane<Item>({
  concurrency,
  maxWaitMs,
  start,
  refuse,
  now = () => performance.now(),
  later = setImmediate,
}: LaneOptions<Item>): Lane<Item> {
  const queue = createFifo<Waiting<Item>>()
  let working = 0
  let scheduled = false
  // State of the current queue: since when, whether it has refused anything, and how many it starts per millisecond.
  let formedAt = 0
  let overloaded = false
  let perMs: number | undefined
  let sampledAt = 0
  let started = 0

  function form(at: number): void {
    formedAt = at
    overloaded = false
    perMs = undefined
    sampledAt = at
    started = 0
  }
  function sample(at: number): void {
    const elapsed = at - sampledAt
    if (elapsed < sampleMs) return
    const current = started / elapsed
    perMs = perMs === undefined ? current : perMs + (current - perMs) * (1 - Math.exp(-elapsed / memoryMs))
    started = 0
    sampledAt = at
  }
  /** How long one more request would wait. A queue younger than the longest wait is a burst, and a burst is served. */
  function expectedWait(at: number): number {
    sample(at)
    if (perMs === undefined || at - formedAt < maxWaitMs) return 0
    return (queue.length() + working) / perMs
  }
  /** How long requests take from their start, by Little's law. */
  const inProgressMs = () => (perMs ? working / perMs : 0)
  function run(item: Item): void {
    working++
    start(item)
  }
  function pump(): void {
    scheduled = false
    const at = now()
    while (working < concurrency) {
      const waiting = queue.shift()
      if (!waiting) return
      // Under overload the rate can fall below what was expected: a request that would be done too late is refused in
      // favor of one that is not.
      if (overloaded && at - waiting.since + inProgressMs() > maxWaitMs) refuse(waiting.item, at - waiting.since)
      else {
        started++
        run(waiting.item)
      }
    }
    if (queue.length() > 0) sample(at)
  }
  function schedule(): void {
    if (scheduled || queue.length() === 0 || working >= concurrency) return
    scheduled = true
    later(pump)
  }

  return {
    enter(item) {
      if (queue.length() === 0 && working < concurrency) return run(item)
      const at = now()
      if (queue.length() === 0) form(at)
      else if (maxWaitMs > 0) {
        const waitMs = expectedWait(at)
        if (waitMs > maxWaitMs) {
          overloaded = true
          return refuse(item, waitMs)
        }
      }
      queue.push({ item, since: at })
      schedule()
    },
    leave() {
      working--
      schedule()
    },
    outside() {
      working--
      schedule()
    },
    inside() {
      working++
    },
    queued: queue.length,
  }
}

interface Fifo<Item> {
  push(item: Item): void
  shift(): Item | undefined
  length(): number
}
/** `Array.shift` copies long arrays; this does not. */
function createFifo<Item>(): Fifo<Item> {
  let items: (Item | undefined)[] = []
  let head = 0
  return {
    push: (item) => void items.push(item),
    shift() {
      if (head === items.length) return undefined
      const item = items[head]
      items[head++] = undefined
      if (head > 1024 && head * 2 > items.length) {
        items = items.slice(head)
        head = 0
      }
      return item
    },
    length: () => items.length - head,
  }
}
