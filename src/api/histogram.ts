// A histogram for what happens on every request: one look into a map and two additions, where the library checks and
// hashes the labels each time. It is read like any other.
import type { Metric, Registry } from 'prom-client'

interface Series {
  labels: Record<string, string>
  counts: number[] // of each bucket, without those below it; the last is beyond all
  sum: number
}
export interface HistogramOptions {
  name: string
  help: string
  labelNames: readonly string[]
  buckets: readonly number[]
  registry: Registry
}

/** The values of the labels in the order of their names, then what is observed. */
export type Observe = (labels: readonly string[], value: number) => void

export function createHistogram({ name, help, labelNames, buckets, registry }: HistogramOptions): Observe {
  const all = new Map<string, Series>()
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    aggregator: 'sum',
    values: [...all.values()].flatMap(valuesOf),
  })
  const valuesOf = ({ labels, counts, sum }: Series) => {
    let below = 0
    const cumulated = counts.map((count, place) => {
      below += count
      return { metricName: `${name}_bucket`, labels: { le: buckets[place] ?? '+Inf', ...labels }, value: below }
    })
    return [
      ...cumulated,
      { metricName: `${name}_sum`, labels, value: sum },
      { metricName: `${name}_count`, labels, value: below },
    ]
  }
  registry.registerMetric({ name, get, reset: () => all.clear() } as unknown as Metric)
  return (labels, value) => {
    const key = labels.join('\0')
    let series = all.get(key)
    if (!series) {
      series = {
        labels: Object.fromEntries(labelNames.map((label, place) => [label, labels[place] ?? ''])),
        counts: Array(buckets.length + 1).fill(0),
        sum: 0,
      }
      all.set(key, series)
    }
    let place = 0
    while (place < buckets.length && value > (buckets[place] as number)) place++
    series.counts[place] = (series.counts[place] as number) + 1
    series.sum += value
  }
}
