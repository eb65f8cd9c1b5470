// Figures of a workspace and of an account over time.

import { Type } from 'typebox'
import { listOf, named, number, object, optional, text, time, whole } from '../schema.ts'
import { activityEntry } from './activity.ts'

const series = (description: string) => listOf(number(), description)
const platformSeries = named('PlatformSeries', {
  platform: text(),
  requests: series('Requests'),
  errors: series('Requests with a 4xx or 5xx response'),
  nativeCalls: series('Calls to the platform'),
  throttled: series('Throttled calls to the platform'),
  utilization: series("Largest share of an account's rate limit in use, 0 to 1"),
  waitP50Ms: series('Queue time that half of the requests did not exceed'),
  waitP95Ms: series('Queue time that 95% of the requests did not exceed'),
  waitMaxMs: series('Longest queue time of a request'),
})
const totals = (description: string) =>
  object(
    {
      requests: whole(),
      refused: whole('Requests with a 4xx response'),
      failed: whole('Requests with a 5xx response'),
      averageMs: number('Average duration of a request'),
      waitP50Ms: number('Queue time that half of the requests did not exceed'),
      waitP95Ms: number('Queue time that 95% of the requests did not exceed'),
    },
    { description },
  )
export const overview = named('Overview', {
  since: time(),
  until: time(),
  step: whole('Minutes per point'),
  at: series('Unix time in seconds of the start of each point; shared by all series'),
  requests: series('Requests, without those of the dashboard and the management API'),
  refused: series('Requests with a 4xx response'),
  failed: series('Requests with a 5xx response'),
  averageMs: series('Average duration of a request'),
  waitP50Ms: series('Queue time that half of the requests did not exceed'),
  waitP95Ms: series('Queue time that 95% of the requests did not exceed'),
  waitMaxMs: series('Longest queue time of a request'),
  platforms: listOf(platformSeries),
  waitingNow: whole('Platform calls of this instance that are in the queue now'),
  accounts: listOf(object({ platform: text(), state: text(), accounts: whole() })),
  recentFailures: listOf(activityEntry, 'Without those of the dashboard and the management API'),
  total: totals('The whole period'),
  before: totals('The period of the same length before this one'),
})
export const usage = named('AccountUsage', {
  days: listOf(
    object({
      day: Type.String({ format: 'date', description: 'In UTC' }),
      requests: whole('Requests, without those of the dashboard and the management API'),
      refused: whole('Requests with a 4xx response'),
      failed: whole('Requests with a 5xx response'),
      nativeCalls: whole('Calls to the platform'),
      throttled: whole('Throttled calls to the platform'),
      utilization: number('Largest share of the rate limit in use, 0 to 1'),
      waitP50Ms: number('Queue time that half of the requests did not exceed'),
      waitP95Ms: number('Queue time that 95% of the requests did not exceed'),
    }),
    'The last 30 days, oldest first',
  ),
  lastRequest: optional(activityEntry),
  lastError: optional(activityEntry),
})
