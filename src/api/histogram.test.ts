import { Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { createHistogram } from './histogram.ts'

it('reads exactly as one of the library does', async () => {
  const [ours, theirs] = [new Registry(), new Registry()]
  const named = {
    name: 'unified_request_seconds',
    help: 'Time to answer a request',
    labelNames: ['method', 'status'],
    buckets: [0.005, 0.1, 2.5],
  }
  const observe = createHistogram({ ...named, registry: ours })
  const library = new Histogram({ ...named, registers: [theirs] })
  for (const [method, status, value] of [
    ['GET', '200', 0.004],
    ['GET', '200', 0.005],
    ['GET', '200', 0.1000001],
    ['POST', '201', 7],
    ['GET', '404', 0],
    ['GET', '200', 2.5],
  ] as const) {
    observe([method, status], value)
    library.observe({ method, status }, value)
  }
  expect(await ours.metrics()).toBe(await theirs.metrics())
})
