// One endpoint: reads its logs into deliveries, makes the attempts, and stores what came of them. One process at a time
// works on an endpoint, by a lease with a fence number.
import { LostEndpoint } from '../store/lost-endpoint.ts'
import type { Store } from '../store/store.ts'
import type { Delivery, HeldEndpoint, Settled } from '../store/webhooks.ts'
import type { createLogReader } from './read-logs.ts'
import { coalesced } from './read-logs.ts'
import { type SendOptions, type Sent, send } from './send.ts'

const leaseMs = 30_000
/** An attempt begins only if this much of the lease is left. */
const marginMs = 5_000
const accountsAtOnce = 50
const deliveriesAtOnce = 100
/** With more than this, the logs are not read on. */
const mostWaiting = 10_000
/** An endpoint without work is held for a while: the next event needs no other process to notice it. */
const lingerMs = 10_000
const idleMs = 3_600_000
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

export interface DelivererOptions extends Pick<SendOptions, 'transport' | 'sandbox' | 'now'> {
  store: Pick<Store, 'webhooks'>
  logs: ReturnType<typeof createLogReader>
  holder: string
  scale: number
  stop(): boolean
  onError(error: unknown, endpointId: string): void
  onAttempt?(outcome: 'delivered' | 'retried' | 'failed', durationMs: number): void
}
export interface Deliverer {
  /** Takes the endpoint, works until there is nothing to do, and gives it back. */
  work(endpointId: string): Promise<void>
  /** There may be news for endpoints that are held. */
  wake(): void
}

export function createDeliverer(options: DelivererOptions): Deliverer {
  const { store, logs, holder, scale, now } = options
  const { webhooks } = store
  const wakers = new Set<() => void>()

  async function deliver(endpoint: HeldEndpoint, lease: Lease): Promise<{ dueInMs: number; restMs?: number }> {
    const bell = createBell()
    wakers.add(bell.ring)
    const busy = new Map<string, number>() // subjects, and places of what is under way or not stored yet
    let underWay = 0
    let ended: Settled[] = []
    let queue: Delivery[] = []
    let mayHaveNews = true
    let mayBeDue = true
    let idleSince = performance.now()
    let earliestAt = 0 // of the next attempt, where the endpoint limits its rate
    let failures = endpoint.failures
    let hasTried = false
    const mayGoOn = () => lease.isHeld() && !options.stop()

    function begin(delivery: Delivery): void {
      underWay++
      busy.set(delivery.subject, delivery.place)
      if (endpoint.perSecond !== undefined)
        earliestAt = Math.max(earliestAt, performance.now()) + seconds / endpoint.perSecond
      void send({ ...options, check: lease.check }, endpoint, delivery)
        .then((sent) => {
          if (!lease.isHeld() && sent.attempt.status === undefined) return // perhaps it was not sent at all
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
      const health = await webhooks.settle(endpoint, batch)
      const places = new Set(batch.map(({ place }) => place))
      for (const [subject, place] of busy) if (places.has(place)) busy.delete(subject)
      mayBeDue = true
      for (const { outcome, log } of batch)
        if (outcome === 'failed')
          await tell('delivery.failed', { attempts: log.length, error: log.at(-1)?.error, status: log.at(-1)?.status })
      const isGone = batch.some(({ log }) => log.at(-1)?.status === 410)
      const isHopeless = health.failingForMs > hopelessMs * scale
      if (isGone || isHopeless) {
        const reason = isGone ? 'The receiver returned 410 Gone.' : 'No attempt has succeeded for 24 hours.'
        await webhooks.disable(endpoint.workspaceId, endpoint.id, reason)
        await tell('endpoint.disabled', { reason })
        return false
      }
      if (health.failures >= mostFailures && health.failures - batch.length < mostFailures)
        await tell('endpoint.failing', { failures: health.failures })
      failures = health.failures
      hasTried = true
      return true
    }
    const tell = (type: string, data: object) =>
      webhooks.events.append({
        workspaceId: endpoint.workspaceId,
        type,
        subject: `endpoint ${endpoint.id}`,
        data: { endpointId: endpoint.id, url: endpoint.url, ...data },
      })
    async function readNews(): Promise<void> {
      mayHaveNews = false
      if ((await webhooks.waiting(endpoint.id)).count >= mostWaiting) return
      const accounts = await webhooks.news(endpoint, accountsAtOnce)
      for (const accountId of accounts) {
        if (!mayGoOn()) return
        const read = await logs.read(endpoint, accountId, now())
        let { deliveries } = read
        let superseded: number[] = []
        if (endpoint.coalesce && deliveries.length > 0) {
          const subjects = [...new Set(deliveries.map(({ subject }) => subject))]
          const untried = await webhooks.untried(endpoint.id, subjects)
          const places = new Set([...busy.values(), ...queue.map(({ place }) => place)])
          const free = untried.filter(({ place }) => !places.has(place))
          ;({ deliveries, superseded } = coalesced(deliveries, free))
        }
        await webhooks.enqueue(endpoint, read.position, deliveries, superseded)
        if (deliveries.length > 0) mayBeDue = true
      }
      if (accounts.length > 0) mayHaveNews = true
    }
    async function findDue(): Promise<void> {
      const rows = await webhooks.dueDeliveries(endpoint.id, deliveriesAtOnce + busy.size)
      queue = rows.filter(({ subject }) => !busy.has(subject))
      mayBeDue = false
    }

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
        if (mayHaveNews) await readNews()
        if (queue.length === 0 && mayBeDue) await findDue()
        const most = failures >= mostFailures ? 1 : endpoint.concurrency
        while (queue.length > 0 && underWay < most && performance.now() >= earliestAt && mayGoOn())
          begin(queue.shift() as Delivery)
        if (underWay > 0 || queue.length > 0 || ended.length > 0) idleSince = performance.now()
        if (mayHaveNews || ended.length > 0 || (queue.length === 0 && mayBeDue)) continue
        const { nextInMs = idleMs } = busy.size > 0 ? {} : await webhooks.waiting(endpoint.id)
        const lingerLeft = idleSince + lingerMs - performance.now()
        if (underWay === 0 && queue.length === 0 && lingerLeft <= 0) return { dueInMs: Math.min(idleMs, nextInMs) }
        const waitMs =
          queue.length > 0 && underWay < most ? earliestAt - performance.now() : Math.min(lingerMs, nextInMs)
        const rang = await bell.next(Math.max(1, waitMs))
        if (rang) mayHaveNews = true
        else mayBeDue = true
      }
    } finally {
      wakers.delete(bell.ring)
    }
  }

  return {
    wake() {
      for (const ring of wakers) ring()
    },
    async work(endpointId) {
      const asked = performance.now()
      const endpoint = await webhooks.take(endpointId, holder, leaseMs)
      if (!endpoint) return
      const lease = createLease(asked + leaseMs)
      const renewal = setInterval(() => {
        const again = performance.now()
        // A renewal that fails says nothing: the lease ends by itself.
        webhooks.renew(endpoint, leaseMs).then(
          (held) => lease.extend(held ? again + leaseMs : 0),
          () => {},
        )
      }, leaseMs / 3)
      try {
        await webhooks.release(endpoint, await deliver(endpoint, lease))
      } catch (error) {
        if (error instanceof LostEndpoint) return
        options.onError(error, endpointId)
        const rest = firstRestMs * scale
        await webhooks.release(endpoint, { dueInMs: rest, restMs: rest }).catch(() => {})
      } finally {
        clearInterval(renewal)
        lease.extend(0)
      }
    },
  }
}

interface Lease {
  isHeld(): boolean
  /** Throws unless enough of the lease is left. */
  check(): void
  extend(until: number): void
}
function createLease(until: number): Lease {
  const isHeld = () => performance.now() < until - marginMs
  return {
    isHeld,
    check() {
      if (!isHeld()) throw Object.assign(new Error('the lease of the endpoint has ended'), { code: 'LEASE_ENDED' })
    },
    extend(later) {
      until = later
    },
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
    /** True if it rang; false after that time. */
    async next(milliseconds: number): Promise<boolean> {
      if (!rang)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(() => resume?.(), milliseconds)
          resume = () => {
            clearTimeout(timer)
            resume = undefined
            resolve()
          }
        })
      const result = rang
      rang = false
      return result
    },
  }
}

const longestRetryAfterMs = 86_400_000
function settledBy({ place, log }: Delivery, { attempt, retryAfterMs = 0 }: Sent, scale: number): Settled {
  const attempts = [...log, attempt]
  const { status = 0 } = attempt
  if (status >= 200 && status < 300) return { place, log: attempts, outcome: 'delivered' }
  const wait = schedule[attempts.length]
  if (wait === undefined) return { place, log: attempts, outcome: 'failed' }
  const jittered = wait * (0.9 + Math.random() * 0.2) * scale
  const retryInMs = Math.max(jittered, Math.min(retryAfterMs, longestRetryAfterMs))
  return { place, log: attempts, outcome: { retryInMs } }
}
