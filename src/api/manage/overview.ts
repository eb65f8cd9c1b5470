// The overview of a workspace: time series for charts, accounts by state, recent failures.

import { existingAccount, missingIn } from '../../accounts/lookup.ts'
import { Problem } from '../../contract/errors.ts'
import { overview, usage } from '../../contract/manage/overview.ts'
import type { Engine } from '../../engine/engine.ts'
import type { ActivitySum, Store, Summed } from '../../store/store.ts'
import { waitPercentile } from '../../store/wait-buckets.ts'
import { instant, type Query } from '../query.ts'
import type { ShowActivity } from './activity.ts'
import { defineRoute, type ManageRoute } from './route.ts'

const minuteMs = 60_000
const maxPoints = 1500
/** Allowed widths of a point, in minutes. */
const widths = [1, 5, 15, 60, 360, 1440]

function spanOf(query: Query): { since: number; until: number; step: number } {
  const until = Date.parse(instant(query, 'until') ?? new Date().toISOString())
  const since = Date.parse(instant(query, 'since') ?? new Date(until - 24 * 60 * minuteMs).toISOString())
  if (since >= until)
    throw new Problem('invalid_parameter', 'since must be before until. Send an earlier since, or a later until.')
  const minutes = (until - since) / minuteMs
  const fitting = widths.find((width) => minutes / width <= 300) ?? (widths.at(-1) as number)
  const step = query.step === undefined ? fitting : Number(query.step)
  if (!widths.includes(step))
    throw new Problem('invalid_parameter', `step must be one of ${widths.join(', ')} minutes.`)
  if (minutes / step > maxPoints)
    throw new Problem('invalid_parameter', `The result would have more than ${maxPoints} points. Use a larger step.`)
  return { since, until, step }
}

const nothing: Summed = {
  requests: 0,
  refused: 0,
  failed: 0,
  nativeCalls: 0,
  throttled: 0,
  waitMs: 0,
  waitMaxMs: 0,
  totalMs: 0,
  usedMax: 0,
  waits: [],
}

function add(left: Summed, right: Summed): Summed {
  const sum = { ...left, waits: right.waits.map((value, index) => value + (left.waits[index] ?? 0)) }
  for (const name of Object.keys(nothing) as (keyof Summed)[]) {
    if (name === 'waits') continue
    sum[name] =
      name === 'waitMaxMs' || name === 'usedMax' ? Math.max(left[name], right[name]) : left[name] + right[name]
  }
  return sum
}
const share = (sum: number, of: number) => (of === 0 ? 0 : Math.round((sum / of) * 10) / 10)

const waitOf = ({ waits, waitMaxMs }: Summed, part: number) => waitPercentile(waits, part, waitMaxMs)

/** Includes points without requests: a gap in a chart would look like an outage. */
function toSeries(
  sums: readonly ActivitySum[],
  { since, until, step }: { since: number; until: number; step: number },
) {
  const width = step * minuteMs
  const first = since - (since % width)
  const at = Array.from({ length: Math.ceil((until - first) / width) }, (_, index) => first + index * width)
  const pick = (points: readonly Summed[]) => ({
    all: points,
    waitP50Ms: points.map((point) => waitOf(point, 0.5)),
    waitP95Ms: points.map((point) => waitOf(point, 0.95)),
    waitMaxMs: points.map(({ waitMaxMs }) => waitMaxMs),
  })
  const byTime = Map.groupBy(sums, (sum) => sum.at)
  const total = pick(at.map((time) => (byTime.get(time) ?? []).reduce<Summed>(add, nothing)))
  const platforms = [...Map.groupBy(sums, ({ platform }) => platform)]
    .filter(([platform]) => platform !== '')
    .map(([platform, rows]) => {
      const known = new Map(rows.map((row) => [row.at, row]))
      const { all, ...waits } = pick(at.map((time) => known.get(time) ?? nothing))
      return {
        platform,
        requests: all.map(({ requests }) => requests),
        errors: all.map(({ refused, failed }) => refused + failed),
        nativeCalls: all.map(({ nativeCalls }) => nativeCalls),
        throttled: all.map(({ throttled }) => throttled),
        utilization: all.map(({ usedMax }) => Math.round(usedMax * 1000) / 1000),
        ...waits,
      }
    })
  return {
    at: at.map((time) => time / 1000),
    requests: total.all.map(({ requests }) => requests),
    refused: total.all.map(({ refused }) => refused),
    failed: total.all.map(({ failed }) => failed),
    averageMs: total.all.map(({ totalMs, requests }) => share(totalMs, requests)),
    waitP50Ms: total.waitP50Ms,
    waitP95Ms: total.waitP95Ms,
    waitMaxMs: total.waitMaxMs,
    platforms,
  }
}

function totalsOf(sums: readonly ActivitySum[]) {
  const all = sums.reduce<Summed>(add, nothing)
  const { requests, refused, failed, totalMs } = all
  return {
    requests,
    refused,
    failed,
    averageMs: share(totalMs, requests),
    waitP50Ms: waitOf(all, 0.5),
    waitP95Ms: waitOf(all, 0.95),
  }
}

const dayMs = 1440 * minuteMs

export function overviewRoutes(store: Store, engine: Engine, show: ShowActivity): ManageRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/workspaces/{workspaceId}/overview',
      operationId: 'getOverview',
      role: 'viewer',
      summary: 'Requests, errors, queue times, and rate-limit use over time, accounts by state, and recent failures',
      tag: 'Activity',
      query: {
        since: 'Start of the period; by default a day ago',
        until: 'End of the period; by default now',
        step: `Minutes per point: ${widths.join(', ')}; by default chosen to fit the period`,
      },
      answer: overview,
      handle: async ({ parameters, query }) => {
        const workspaceId = parameters.workspaceId as string
        const span = spanOf(query)
        if (!(await store.workspaces.get(workspaceId))) throw missingIn('workspaceId', 'workspace', '/workspaces')
        const earlier = { ...span, since: 2 * span.since - span.until, until: span.since }
        const [sums, before, accounts, failures] = await Promise.all([
          store.activity.sums(workspaceId, span),
          store.activity.sums(workspaceId, earlier),
          store.accounts.counts(workspaceId),
          store.activity.list(workspaceId, { outcome: 'error', own: false }, { limit: 10 }),
        ])
        return {
          since: new Date(span.since).toISOString(),
          until: new Date(span.until).toISOString(),
          step: span.step,
          ...toSeries(sums, span),
          waitingNow: engine.waiting(),
          accounts,
          recentFailures: await show(failures.data),
          total: totalsOf(sums),
          before: totalsOf(before),
        }
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/workspaces/{workspaceId}/accounts/{accountId}/usage',
      operationId: 'getAccountUsage',
      role: 'viewer',
      summary:
        'Requests, errors, queue times, and rate-limit use of an account by day, its last request, and its last error',
      tag: 'Activity',
      answer: usage,
      handle: async ({ parameters }) => {
        const { id: accountId, workspaceId } = await existingAccount(store, parameters)
        const last = async (filter: object) =>
          (
            await show(
              (
                await store.activity.list(workspaceId, { accountId, own: false, ...filter }, { limit: 1 })
              ).data,
            )
          )[0]
        const [days, lastRequest, lastError] = await Promise.all([
          store.activity.accountDays(workspaceId, accountId),
          last({}),
          last({ outcome: 'error' }),
        ])
        const known = new Map(days.map((day) => [day.at, day]))
        const today = Date.now() - (Date.now() % dayMs)
        const shown = Array.from({ length: 30 }, (_, index) => {
          const at = today - (29 - index) * dayMs
          const sum = known.get(at) ?? nothing
          const { requests, refused, failed, nativeCalls, throttled, usedMax } = sum
          return {
            day: new Date(at).toISOString().slice(0, 10),
            requests,
            refused,
            failed,
            nativeCalls,
            throttled,
            utilization: Math.round(usedMax * 1000) / 1000,
            waitP50Ms: waitOf(sum, 0.5),
            waitP95Ms: waitOf(sum, 0.95),
          }
        })
        return { days: shown, lastRequest, lastError }
      },
    }),
  ]
}
