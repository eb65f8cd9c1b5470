// One endpoint: reads its logs into deliveries, makes the attempts, and stores what came of them.
import type { Next, Turn } from '../jobs/job.ts'
import { leaseMs } from '../jobs/lease.ts'
import type {
  Delivery,
  EndpointHealth,
  EndpointPosition,
  HeldEndpoint,
  NewDeliveries,
  Settled,
  Verdict,
} from '../store/deliveries.ts'
import { LostLease } from '../store/lost-lease.ts'
import type { Store } from '../store/store.ts'
import { testEvent } from './event-types.ts'
import type { createLogReader } from './read-logs.ts'
import { coalesced } from './read-logs.ts'
import { type SendOptions, type Sent, send } from './send.ts'

const newsAtOnce = 50
/** Read beside each other, and stored in one transaction. */
const logsAtOnce = 10
const deliveriesAtOnce = 100
/** With more than this, the logs are not read on. */
const mostWaiting = 10_000
/** An endpoint without work is held for a while: the next event needs no other process to notice it. */
const lingerMs = 10_000
const idleMs = 3_600_000
/** News that come close together are read together. */
const newsEveryMs = 20
/** While other endpoints wait for their turn, it ends after this time. */
const turnMs = 1_000
/** After this many failures in a row the endpoint rests as a whole. */
const mostFailures = 10
const firstRestMs = 5_000
const longestRestMs = 300_000
const hopelessMs = 86_400_000
const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes
/** The waits before the attempts. */
const schedule = [
  0,
  5 * seconds,
  5 * minutes,
  30 * minutes,
  2 * hours,
  5 * hours,
  10 * hours,
  14 * hours,
  20 * hours,
  24 * hours,
] as const

export type AttemptOutcome = 'delivered' | 'retried' | 'failed'
export type DeliveryOutcome = 'delivered' | 'failed' | 'superseded'

export interface DelivererOptions extends Pick<SendOptions, 'transport' | 'sandbox' | 'now'> {
  store: Pick<Store, 'webhooks'>
  logs: ReturnType<typeof createLogReader>
  scale: number
  onAttempt?(outcome: AttemptOutcome, durationMs: number): void
  onEnded?(outcome: DeliveryOutcome): void
}
export interface Deliverer {
  /** Works until there is nothing to do. */
  work(endpoint: HeldEndpoint, turn: Turn): Promise<Next>
  /** There may be news for endpoints that are held, or also deliveries that were added from outside. */
  wake(what: 'news' | 'everything'): void
}

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { store, logs, scale, now } = options
  const { webhooks } = store
  const wakers = new Set<Deliverer['wake']>()

  async function deliver(endpoint: HeldEndpoint, turn: Turn): Promise<Next> {
    const bell = createBell()
    turn.signal.addEventListener('abort', bell.ring, { once: true })
    const wake: Deliverer['wake'] = (what) => {
      mayHaveNews = true
      if (what === 'everything') {
        mayBeDue = true
        mayBeLost = true
      }
      bell.ring()
    }
    const busy = new Map<string, number>() // subjects, and places of what is under way or not stored yet
    let underWay = 0
    let ended: Settled[] = []
    let queue: Delivery[] = []
    let mayHaveNews = true
    let mayBeDue = true
    let mayBeLost = false // its settings may have changed
    let isFull = false // too much waits: the logs are not read
    let newsAt = 0 // when the logs are read again, at the earliest
    let dueAt = Number.POSITIVE_INFINITY // when a delivery is due again
    let waiting = (await webhooks.waiting(endpoint.id)).count
    const began = performance.now()
    let idleSince = began
    let earliestAt = 0 // of the next attempt, where the endpoint limits its rate
    let failures = endpoint.failures
    let hasTried = false
    let hasEnded = false // by an error: what was not sent is left to the next holder
    const isOver = () => turn.isCrowded() && performance.now() - began > turnMs
    const mayGoOn = () => turn.mayGoOn() && !isOver()
    function check(): void {
      turn.check()
      if (hasEnded) throw new LostLease(`the turn of ${endpoint.id} has ended`)
    }

    function begin(delivery: Delivery): void {
      underWay++
      busy.set(delivery.subject, delivery.place)
      if (endpoint.perSecond !== undefined)
        earliestAt = Math.max(earliestAt, performance.now()) + seconds / endpoint.perSecond
      void send({ ...options, check }, endpoint, delivery)
        .then((sent) => {
          // Perhaps it was not sent at all.
          if ((hasEnded || !turn.isHeld()) && sent.attempt.status === undefined) return
          const settled = settledBy(delivery, sent, scale)
          failures = settled.outcome === 'delivered' ? 0 : failures + 1
          const outcome = typeof settled.outcome === 'string' ? settled.outcome : 'retried'
          options.onAttempt?.(outcome, sent.attempt.durationMs)
          ended.push(settled)
        })
        .finally(() => {
          underWay--
          bell.ring()
        })
    }
    /** False if the endpoint was disabled. */
    async function settle(): Promise<boolean> {
      const batch = ended
      ended = []
      if (batch.length === 0) return true
      const { failures: inARow, disabled } = await webhooks.settle(endpoint, batch, (health) => verdict(batch, health))
      const places = new Set(batch.map(({ place }) => place))
      for (const [subject, place] of busy) if (places.has(place)) busy.delete(subject)
      for (const { outcome } of batch)
        if (typeof outcome === 'string') {
          waiting--
          options.onEnded?.(outcome)
        } else dueAt = Math.min(dueAt, performance.now() + outcome.retryInMs)
      mayBeDue = true
      if (isFull) mayHaveNews = true
      failures = inARow
      hasTried = true
      return disabled === undefined
    }
    /** What the outcomes mean for the endpoint, and what the workspace is told about it. */
    function verdict(batch: readonly Settled[], health: EndpointHealth): Verdict {
      const events = batch.flatMap(({ outcome, log, isTest }) => {
        const { error, status } = log.at(-1) ?? {}
        return outcome === 'failed' && !isTest
          ? [eventOf('delivery.failed', { attempts: log.length, error, status })]
          : []
      })
      const isGone = batch.some(({ log }) => log.at(-1)?.status === 410)
      if (isGone || health.failingForMs > hopelessMs * scale) {
        const reason = isGone ? 'The receiver returned 410 Gone.' : 'No attempt has succeeded for 24 hours.'
        return { events: [...events, eventOf('endpoint.disabled', { reason })], disabled: reason }
      }
      if (health.failures >= mostFailures && health.failures - batch.length < mostFailures)
        events.push(eventOf('endpoint.failing', { failures: health.failures }))
      return { events }
    }
    const eventOf = (type: string, data: object) => ({
      workspaceId: endpoint.workspaceId,
      type,
      subject: `endpoint ${endpoint.id}`,
      data: { endpointId: endpoint.id, url: endpoint.url, ...data },
    })
    async function readLog(from: EndpointPosition): Promise<NewDeliveries> {
      const { position, deliveries } = await logs.read(endpoint, from, now())
      if (!endpoint.coalesce || deliveries.length === 0) return { position, deliveries, superseded: [] }
      const untried = await webhooks.untried(
        endpoint.id,
        deliveries.map(({ subject }) => subject),
      )
      const places = new Set([...busy.values(), ...queue.map(({ place }) => place)])
      const free = untried.filter(({ place }) => !places.has(place))
      return { position, ...coalesced(deliveries, free) }
    }
    async function readNews(): Promise<void> {
      mayHaveNews = false
      newsAt = performance.now() + newsEveryMs
      isFull = waiting >= mostWaiting
      if (isFull) return
      const behind = await webhooks.news(endpoint, newsAtOnce)
      for (let first = 0; first < behind.length && mayGoOn(); first += logsAtOnce) {
        const read = await Promise.all(behind.slice(first, first + logsAtOnce).map(readLog))
        await webhooks.enqueue(endpoint, read)
        for (const { deliveries, superseded } of read) {
          waiting += deliveries.length - superseded.length
          for (const _ of superseded) options.onEnded?.('superseded')
        }
        if (read.some(({ deliveries }) => deliveries.length > 0)) mayBeDue = true
      }
      if (behind.length > 0) {
        mayHaveNews = true
        newsAt = 0
      }
    }
    async function findDue(): Promise<void> {
      const rows = await webhooks.dueDeliveries(endpoint.id, deliveriesAtOnce + busy.size)
      queue = rows.filter(({ subject }) => !busy.has(subject))
      mayBeDue = false
    }

    wakers.add(wake)
    try {
      for (;;) {
        if (!(await settle())) return { dueInMs: 0 }
        if (!mayGoOn()) {
          if (underWay === 0 && ended.length === 0) return { dueInMs: 0 }
          await bell.next(leaseMs)
          continue
        }
        if (failures >= mostFailures && hasTried && underWay === 0) {
          const restMs = Math.min(longestRestMs, firstRestMs * 2 ** Math.min(10, failures - mostFailures)) * scale
          return { dueInMs: restMs, restMs }
        }
        if (mayBeLost) {
          mayBeLost = false
          if (!(await webhooks.renew(endpoint, leaseMs))) throw new LostLease(`${endpoint.id} was changed`)
        }
        if (mayHaveNews && performance.now() >= newsAt) await readNews()
        if (performance.now() >= dueAt) {
          dueAt = Number.POSITIVE_INFINITY
          mayBeDue = true
        }
        if (queue.length === 0 && mayBeDue) await findDue()
        const most = failures >= mostFailures ? 1 : endpoint.concurrency
        while (queue.length > 0 && underWay < most && performance.now() >= earliestAt && mayGoOn())
          begin(queue.shift() as Delivery)
        if (underWay > 0 || queue.length > 0 || ended.length > 0) idleSince = performance.now()
        if (ended.length > 0 || (queue.length === 0 && mayBeDue) || (mayHaveNews && newsAt === 0)) continue
        if (underWay === 0 && queue.length === 0 && !mayHaveNews) {
          const { nextInMs = idleMs } = await webhooks.waiting(endpoint.id)
          const lingerLeft = idleSince + lingerMs - performance.now()
          if (lingerLeft <= 0 || turn.isCrowded()) return { dueInMs: Math.min(idleMs, nextInMs) }
          dueAt = Math.min(dueAt, performance.now() + nextInMs)
        }
        const wakeAt = Math.min(
          performance.now() + lingerMs,
          dueAt,
          mayHaveNews ? newsAt : Number.POSITIVE_INFINITY,
          queue.length > 0 && underWay < most ? earliestAt : Number.POSITIVE_INFINITY,
        )
        await bell.next(Math.max(1, Math.ceil(wakeAt - performance.now())))
      }
    } finally {
      wakers.delete(wake)
      // The next holder could overtake what is under way.
      hasEnded = true
      while (underWay > 0) await bell.next(leaseMs)
    }
  }

  return {
    wake(what) {
      for (const wake of wakers) wake(what)
    },
    work: deliver,
  }
}

/** Wakes the one that waits. A ring before the wait counts. */
function createBell() {
  let rang = false
  let resume: (() => void) | undefined
  return {
    ring() {
      rang = true
      resume?.()
    },
    /** Until it rings, at most for that time. */
    async next(milliseconds: number): Promise<void> {
      if (!rang)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(() => resume?.(), milliseconds)
          resume = () => {
            clearTimeout(timer)
            resume = undefined
            resolve()
          }
        })
      rang = false
    },
  }
}

const longestRetryAfterMs = 86_400_000
function settledBy({ place, id, log, type }: Delivery, { attempt, retryAfterMs = 0 }: Sent, scale: number): Settled {
  const attempts = [...log, attempt]
  const { status = 0 } = attempt
  if (status >= 200 && status < 300) return { place, id, log: attempts, outcome: 'delivered' }
  // The one who asked for a test looks at its result, and can ask for another one.
  const isTest = type === testEvent
  const wait = isTest ? undefined : schedule[attempts.length]
  if (wait === undefined) return { place, id, log: attempts, outcome: 'failed', isTest }
  const jittered = wait * (0.9 + Math.random() * 0.2) * scale
  const retryInMs = Math.max(jittered, Math.min(retryAfterMs, longestRetryAfterMs))
  return { place, id, log: attempts, outcome: { retryInMs } }
}
