import { useMemo } from 'react'
import { Link } from 'wouter'
import { Moment } from '../../components/moment.tsx'
import { Facts, Section } from '../../components/page.tsx'
import { Plot } from '../../components/plot.tsx'
import { HttpStatus } from '../../components/state.tsx'
import { count, duration, percent, plural, shortCount } from '../../format.ts'
import { sum } from '../../sum.ts'
import type { Account, AccountUsage as Usage } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'

/** The last 30 days of an account, by day in UTC. */
export function AccountUsage({ account }: { account: Account }) {
  const { data } = useManage('getAccountUsage', { path: { accountId: account.id } })
  if (!data) return null
  return (
    <>
      <LastRequests usage={data} />
      <Plots usage={data} />
    </>
  )
}

function LastRequests({ usage: { lastRequest, lastError, days } }: { usage: Usage }) {
  const requests = sum(days.map((day) => day.requests))
  const failures = sum(days.map((day) => day.refused + day.failed))
  return (
    <Section title="Last 30 days">
      <Facts
        facts={[
          ['Requests', <span key="requests">{count(requests)}</span>],
          ['Errors', requests === 0 ? '0' : `${count(failures)} (${percent(failures / requests)})`],
          ['Last request', lastRequest ? <Request key="request" of={lastRequest} /> : 'None yet', 'wide'],
          ['Last error', lastError ? <Request key="error" of={lastError} /> : 'None', 'wide'],
        ]}
      />
    </Section>
  )
}

function Request({ of }: { of: NonNullable<Usage['lastRequest']> }) {
  const { page } = useWorkspace()
  return (
    <span className="row">
      <HttpStatus status={of.status} />
      <Link href={page('activity', of.requestId)} className="inline-link">
        {of.errorCode ?? `${of.method} ${of.entityType || of.operation}`}
      </Link>
      <Moment at={of.at} />
    </span>
  )
}

function Plots({ usage: { days } }: { usage: Usage }) {
  const times = useMemo(() => days.map(({ day }) => Date.parse(day)), [days])
  // Bars overlap: all requests first, then the errors among them.
  const traffic = useMemo(
    () => [
      { name: 'Successful', color: 'bar-platform', values: days.map(({ requests }) => requests) },
      { name: 'Client errors (4xx)', color: 'bar-wait', values: days.map(({ refused, failed }) => refused + failed) },
      { name: 'Server errors (5xx)', color: 'broken', values: days.map(({ failed }) => failed) },
    ],
    [days],
  )
  const waits = useMemo(
    () => [
      { name: 'p95', color: 'bar-wait', values: days.map(({ waitP95Ms }) => waitP95Ms) },
      { name: 'p50', color: 'line-1', values: days.map(({ waitP50Ms }) => waitP50Ms) },
    ],
    [days],
  )
  const quota = useMemo(
    () => [
      {
        name: 'Highest use',
        color: 'line-1',
        values: days.map(({ nativeCalls, utilization }) => (nativeCalls ? utilization : null)),
      },
    ],
    [days],
  )
  const throttled = sum(days.map((day) => day.throttled))
  const calls = sum(days.map((day) => day.nativeCalls))
  return (
    <div className="account-plots">
      <div className="section section-plot">
        <Plot
          question="Requests"
          unit="per day"
          times={times}
          series={traffic}
          bars
          format={shortCount}
          empty="No requests in 30 days."
        />
      </div>
      <div className="section section-plot">
        <Plot
          question="Queue time"
          unit="per request"
          times={times}
          series={waits}
          format={duration}
          empty="No platform call was queued."
        />
      </div>
      <div className="section section-plot">
        <Plot
          question="Rate-limit use"
          summary={`${plural(calls, 'platform call')}${throttled > 0 ? `, ${count(throttled)} throttled` : ''}.`}
          unit="highest per day"
          times={times}
          series={quota}
          bars
          top={1}
          format={percent}
          empty="No platform calls in 30 days."
        />
      </div>
    </div>
  )
}
