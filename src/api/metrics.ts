import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { Connector } from '../contract/connector.ts'
import { daysToReview } from '../contract/review.ts'
import type { AttemptOutcome, DeliveryOutcome } from '../deliveries/deliverer.ts'
import type { NativeCallEvent, ReadAheadOutcome } from '../engine/options.ts'
import type { FeedSizes } from '../store/changes.ts'
import type { WebhookSizes } from '../store/deliveries.ts'
import type { ShedReason } from './admission.ts'
import { createHistogram } from './histogram.ts'

export interface Metrics {
  registry: Registry
  request(method: string, route: string, status: number, seconds: number): void
  nativeCall(event: NativeCallEvent): void
  /** Once a minute: all change feeds. */
  feeds(sizes: FeedSizes): void
  /** A webhook of a platform. */
  hook(platform: string, outcome: string): void
  webhookAttempt(outcome: AttemptOutcome, durationMs: number): void
  webhookEnded(outcome: DeliveryOutcome): void
  /** Once a minute: all outgoing webhooks. */
  webhooks(sizes: WebhookSizes): void
  /** What became of a page that was read ahead. */
  readAhead(outcome: ReadAheadOutcome): void
  /** Activity that could not be stored. */
  activityDropped(entries: number): void
  /** A gauge that is read whenever the metrics are. */
  watch(name: string, help: string, look: () => number): void
  /** How long the service may be used without an upgrade. */
  reviews(connectors: readonly Connector[]): void
  /** A request was refused: its expected wait was too long, or memory was at risk. */
  shed(reason: ShedReason): void
  /** Of the interrupted writes of an account: how many were settled, and how many could not be. */
  swept(result: { settled: number; failed: number }): void
  /** What the journal has open. */
  openWrites(count: { inFlight: number; unknown: number }): void
}

const seconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const shares = [0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1]

/** Read from the engine when the metrics are read. */
export interface Observed {
  waiting(): number
  readThreads(): { threads: number; reads: number }
}
export function createMetrics(observed: () => Observed): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const histogram = (name: string, help: string, labelNames: string[], buckets = seconds) =>
    createHistogram({ name, help, labelNames, buckets, registry })
  const counter = (name: string, help: string, labelNames: string[] = []) =>
    new Counter({ name, help, labelNames, registers })

  const requests = histogram('unified_request_seconds', 'Time to answer a request', ['method', 'route', 'status'])
  const calls = histogram('unified_native_call_seconds', 'Time of a call to a platform', ['platform', 'kind', 'status'])
  const waits = histogram('unified_pacing_wait_seconds', "Time a call waited for a slot within its platform's limit", [
    'platform',
  ])
  const used = histogram(
    'unified_pacing_utilization_ratio',
    "Share of its account's limit that was used when a call left, over all instances",
    ['platform'],
    shares,
  )
  const throttled = counter('unified_native_throttled_total', 'Calls that a platform throttled; should stay zero', [
    'platform',
  ])
  const background = counter('unified_change_calls_total', 'Calls to a platform that the change feed made', [
    'platform',
  ])
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const feedGauges: Readonly<Partial<Record<keyof FeedSizes, Gauge>>> = {
    feeds: gauge('unified_change_feeds', 'Accounts whose changes are watched'),
    due: gauge('unified_change_feeds_due', 'Of those, the ones that are due and that no instance works on'),
    records: gauge('unified_change_index_records', 'Records in the index of the change feed'),
    log: gauge('unified_change_log_records', 'Changes that are stored'),
    hints: gauge('unified_change_hints', 'Records that wait to be read again'),
  }
  const lag = gauge(
    'unified_change_lag_seconds',
    'Age of the time up to which the watched entity that is furthest behind is complete',
  )
  const attempts = histogram(
    'unified_webhook_attempt_seconds',
    'Time of an attempt to deliver an event: delivered, retried later, or failed for good',
    ['outcome'],
  )
  const deliveries = counter(
    'unified_webhook_deliveries_total',
    'Deliveries that ended: delivered, failed after the last attempt, or superseded by a newer event of the record',
    ['outcome'],
  )
  const waiting = gauge('unified_webhook_waiting', 'Deliveries that wait for an attempt')
  const oldest = gauge('unified_webhook_oldest_waiting_seconds', 'Age of the oldest of them')
  const endpoints = new Gauge({
    name: 'unified_webhook_endpoints',
    help: 'Webhook endpoints by state: active, failing (active, and the last attempt failed) or disabled',
    labelNames: ['state'],
    registers,
  })
  const ahead = counter(
    'unified_read_ahead_total',
    'Pages read before their request: used by it, unused, or failed and read again by the request',
    ['outcome'],
  )
  const hooks = counter(
    'unified_hooks_received_total',
    'Webhooks of platforms: accepted, ignored, challenge, unknown (no such URL), refused (signature), unreadable, or failed (not stored)',
    ['platform', 'outcome'],
  )
  const settled = counter('unified_sweep_settled_total', 'Abandoned writes that a sweep finished')
  const failed = counter('unified_sweep_failed_total', 'Abandoned writes that a sweep could not finish yet')
  const dropped = counter(
    'unified_activity_dropped_total',
    'Requests that are missing from the activity: the buffer was full or the database did not take them',
  )
  const shed = counter(
    'unified_shed_total',
    'Requests refused because their expected wait was too long (wait) or memory was at risk (memory)',
    ['reason'],
  )
  const open = new Gauge({
    name: 'unified_journal_open',
    help: 'Writes under way or in doubt, over all instances, as of the last sweep',
    labelNames: ['state'],
    registers,
  })
  const watched = (name: string, help: string, look: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(look())
      },
    })
  watched('unified_pacing_waiting', 'Calls that wait for a slot now', () => observed().waiting())
  watched('unified_read_threads', 'Threads that read pages now', () => observed().readThreads().threads)
  watched('unified_thread_reads', 'Pages handed to threads since the start', () => observed().readThreads().reads)
  return {
    registry,
    watch: watched,
    reviews(connectors) {
      const days = new Gauge({
        name: 'unified_platform_api_review_days',
        help: "Days until the version of a platform's API must be reviewed; upgrade the service before 0",
        labelNames: ['platform'],
        registers,
        collect() {
          for (const connector of connectors) days.set({ platform: connector.id }, daysToReview(connector.apiVersion))
        },
      })
    },
    request: (method, route, status, time) => requests([method, route, String(status)], time),
    feeds(sizes) {
      for (const [name, one] of Object.entries(feedGauges)) one.set(sizes[name as keyof FeedSizes])
      lag.set(sizes.lagMs / 1000)
    },
    webhookAttempt: (outcome, durationMs) => attempts([outcome], durationMs / 1000),
    webhookEnded: (outcome) => deliveries.inc({ outcome }),
    webhooks(sizes) {
      waiting.set(sizes.waiting)
      oldest.set(sizes.oldestMs / 1000)
      for (const [state, count] of Object.entries(sizes.endpoints)) endpoints.set({ state }, count)
    },
    nativeCall({ platform, kind, status, durationMs, waitedMs, used: share, background: fromFeed }) {
      calls([platform, kind, status === undefined ? 'none' : String(status)], durationMs / 1000)
      if (kind !== 'token') waits([platform], waitedMs / 1000)
      if (share !== undefined) used([platform], share)
      if (status === 429) throttled.inc({ platform })
      if (fromFeed) background.inc({ platform })
    },
    hook: (platform, outcome) => hooks.inc({ platform, outcome }),
    readAhead: (outcome) => ahead.inc({ outcome }),
    activityDropped: (entries) => dropped.inc(entries),
    shed: (reason) => shed.inc({ reason }),
    swept(result) {
      settled.inc(result.settled)
      failed.inc(result.failed)
    },
    openWrites({ inFlight, unknown }) {
      open.set({ state: 'in_flight' }, inFlight)
      open.set({ state: 'unknown' }, unknown)
    },
  }
}
