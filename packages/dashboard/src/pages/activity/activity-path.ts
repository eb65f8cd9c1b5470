import { withQuery } from '../../api.ts'
import type { Query } from '../../use-query.ts'

export const periods = [
  { value: '', label: 'All time', minutes: 0 },
  { value: '15m', label: 'Last 15 minutes', minutes: 15 },
  { value: '1h', label: 'Last hour', minutes: 60 },
  { value: '24h', label: 'Last 24 hours', minutes: 1440 },
  { value: '7d', label: 'Last 7 days', minutes: 10_080 },
] as const

/** Rounded to the minute, so that the same query keeps the same path. */
const startOf = (period: string) => {
  const minutes = periods.find(({ value }) => value === period)?.minutes
  return minutes ? new Date((Math.floor(Date.now() / 60_000) - minutes) * 60_000).toISOString() : undefined
}

export const activityPath = (base: string, query: Query, fixed: Record<string, string> = {}) =>
  withQuery(base, {
    ...Object.fromEntries(
      ['after', 'search', 'status', 'platform', 'entityType', 'accountId', 'record'].map((name) => [
        name,
        query.get(name),
      ]),
    ),
    since: startOf(query.get('period')),
    ...fixed,
  })
