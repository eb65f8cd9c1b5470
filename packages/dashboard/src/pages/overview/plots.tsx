import { useMemo } from 'react'
import { Plot } from '../../components/plot.tsx'
import { duration, percent, plural, shortCount } from '../../format.ts'
import { usePlatforms } from '../../platforms.ts'
import { sum } from '../../sum.ts'
import type { Overview, PlatformSeries } from '../../types.ts'
import { FailureBars } from './failure-bars.tsx'

const highest = (values: readonly number[]) => values.reduce((top, value) => Math.max(top, value), 0)
const perPoint = (minutes: number) =>
  minutes < 60 ? `${minutes} min` : minutes === 60 ? 'hour' : minutes === 1440 ? 'day' : `${minutes / 60} h`

export function Plots({ overview }: { overview: Overview }) {
  const platforms = usePlatforms()
  const nameOf = (id: string) => platforms.data?.find(({ platform }) => platform === id)?.name ?? id
  const times = useMemo(() => overview.at.map((second) => second * 1000), [overview])
  // Bars overlap: all requests first, then the errors among them.
  const traffic = useMemo(
    () => [
      { name: 'Successful', color: 'bar-platform', values: overview.requests },
      {
        name: 'Client errors (4xx)',
        color: 'bar-wait',
        values: overview.refused.map((value, index) => value + (overview.failed[index] ?? 0)),
      },
      { name: 'Server errors (5xx)', color: 'broken', values: overview.failed },
    ],
    [overview],
  )
  const waits = useMemo(
    () => [
      { name: 'p95', color: 'bar-wait', values: overview.waitP95Ms },
      { name: 'p50', color: 'line-1', values: overview.waitP50Ms },
    ],
    [overview],
  )
  const busiest = useMemo(
    () =>
      [...overview.platforms]
        .sort(
          (left, right) =>
            highest(right.utilization) - highest(left.utilization) || sum(right.nativeCalls) - sum(left.nativeCalls),
        )
        .slice(0, 3)
        .filter((series) => highest(series.utilization) > 0),
    [overview],
  )
  const limits = busiest.map((series, index) => ({
    name: nameOf(series.platform),
    color: `line-${index + 1}`,
    values: series.utilization, // 0 without calls, so that a single peak has two slopes
  }))
  return (
    <div className="overview-plots">
      <div className="section section-plot">
        <Plot
          question="Requests"
          summary={trafficSummary(overview)}
          unit={`requests per ${perPoint(overview.step)}`}
          times={times}
          series={traffic}
          bars
          format={shortCount}
          empty="No requests in this period."
        />
      </div>
      <div className="section section-plot">
        <Plot
          question="Rate-limit use"
          summary={limitSummary(busiest[0], nameOf)}
          unit="share of the rate limit"
          times={times}
          series={limits}
          top={1}
          format={percent}
          empty="No platform calls in this period."
        />
      </div>
      <div className="section section-plot">
        <Plot
          question="Queue time"
          summary={waitSummary(overview)}
          unit="per request"
          times={times}
          series={waits}
          format={duration}
          empty="No platform call was queued."
        />
      </div>
      <div className="section section-plot">
        <FailureBars platforms={overview.platforms} nameOf={nameOf} />
      </div>
    </div>
  )
}

function limitSummary(busiest: PlatformSeries | undefined, nameOf: (id: string) => string): string {
  if (!busiest) return 'No platform calls.'
  const top = highest(busiest.utilization)
  const throttled = sum(busiest.throttled)
  return `${nameOf(busiest.platform)} peak: ${percent(top)} of an account’s rate limit${throttled > 0 ? `; ${plural(throttled, 'call')} throttled` : ''}.`
}
function trafficSummary({ requests, refused, failed }: Overview): string {
  const [all, bad] = [sum(requests), sum(refused) + sum(failed)]
  if (all === 0) return 'No requests.'
  return bad === 0 ? 'All requests succeeded.' : `${percent(1 - bad / all)} of requests succeeded.`
}
function waitSummary({ waitMaxMs }: Overview): string {
  const longest = highest(waitMaxMs)
  return longest === 0 ? 'No platform call was queued.' : `Longest queue time: ${duration(longest)}.`
}
