import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { NativeCallEvent } from '../engine/options.ts'

export interface Metrics {
  registry: Registry
  request(method: string, route: string, status: number, seconds: number): void
  nativeCall(event: NativeCallEvent): void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
  const requests = new Histogram({ name: 'unified_request_seconds', help: 'Time to answer a request', labelNames: ['method', 'route', 'status'], buckets, registers: [registry] })
  const calls = new Histogram({
    name: 'unified_native_call_seconds',
    help: 'Time of a call to a platform',
    labelNames: ['platform', 'kind', 'status'],
    buckets,
    registers: [registry],
  })
  const waits = new Histogram({
    name: 'unified_pacing_wait_seconds',
    help: "Time a call waited for a slot within its platform's limit",
    labelNames: ['platform'],
    buckets,
    registers: [registry],
  })
  const throttled = new Counter({
    name: 'unified_native_throttled_total',
    help: 'Calls that a platform refused as too many; should stay zero',
    labelNames: ['platform'],
    registers: [registry],
  })
  return {
    registry,
    request: (method, route, status, seconds) => requests.observe({ method, route, status: String(status) }, seconds),
    nativeCall({ platform, kind, status, durationMs, waitedMs }) {
      calls.observe({ platform, kind, status: status === undefined ? 'none' : String(status) }, durationMs / 1000)
      if (kind !== 'token') waits.observe({ platform }, waitedMs / 1000)
      if (status === 429) throttled.inc({ platform })
    },
  }
}
