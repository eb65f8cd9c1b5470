import { useMemo } from 'react'
import { Link } from 'wouter'
import { LinkButton } from '../../components/button.tsx'
import { Content, Skeleton } from '../../components/feedback.tsx'
import { Select } from '../../components/field.tsx'
import { Page, Part } from '../../components/page.tsx'
import type { Overview } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { ActivityTable } from '../activity/activity-table.tsx'
import { useCallers } from '../activity/use-callers.ts'
import { TroubleNotice } from '../webhooks/endpoint-state.tsx'
import { AccountBars } from './account-bars.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Plots } from './plots.tsx'
import './overview.css'

const periods = [
  { value: '1h', label: 'Last hour', minutes: 60, step: 1 },
  { value: '', label: 'Last 24 hours', minutes: 1440, step: 15 },
  { value: '7d', label: 'Last 7 days', minutes: 10_080, step: 60 },
  { value: '30d', label: 'Last 30 days', minutes: 43_200, step: 360 },
] as const

export default function OverviewPage() {
  const query = useQuery()
  const period = periods.find(({ value }) => value === query.get('period')) ?? periods[1]
  const minute = Math.floor(Date.now() / 60_000)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the beginning moves with the minutes, but only when one asks again
  const since = useMemo(() => new Date((minute - period.minutes) * 60_000).toISOString(), [period])
  const overview = useManage('getOverview', { query: { since, step: period.step } }, { every: 15_000 })
  return (
    <Page
      title="Overview"
      actions={
        <Select
          bare
          label="Period"
          value={period.value}
          choices={periods.map(({ value, label }) => ({ value, label }))}
          onChange={(value) => query.set({ period: value })}
        />
      }
    >
      <WebhookTrouble />
      <Content of={overview} shape={<OverviewShape />}>
        {(data) => <Inside overview={data} />}
      </Content>
    </Page>
  )
}

function WebhookTrouble() {
  const { data } = useManage(
    'listWebhookEndpoints',
    { query: { limit: 200 } },
    {
      every: 30_000,
    },
  )
  return data ? <TroubleNotice endpoints={data.data} /> : null
}

function Inside({ overview }: { overview: Overview }) {
  const { page } = useWorkspace()
  const callers = useCallers()
  const quiet =
    overview.accounts.length === 0 ||
    (overview.requests.every((requests) => requests === 0) && overview.recentFailures.length === 0)
  return (
    <div className="overview">
      {quiet ? <FirstSteps /> : null}
      {overview.accounts.length > 0 ? (
        <>
          <Figures overview={overview} />
          <Plots overview={overview} />
          <AccountBars accounts={overview.accounts} />
        </>
      ) : null}
      {overview.recentFailures.length > 0 ? (
        <Part
          title="Recent errors"
          actions={
            <LinkButton small href={`${page('activity')}?status=error`}>
              View all
            </LinkButton>
          }
        >
          <ActivityTable rows={overview.recentFailures.slice(0, 6)} callers={callers} />
        </Part>
      ) : overview.accounts.length > 0 ? (
        <p className="faint">
          No errors. <Link href={page('activity')}>View activity</Link>
        </p>
      ) : null}
    </div>
  )
}

const OverviewShape = () => (
  <div className="overview">
    <Skeleton height={86} />
    <div className="overview-plots">
      {[1, 2, 3, 4].map((index) => (
        <Skeleton key={index} height={276} />
      ))}
    </div>
  </div>
)
