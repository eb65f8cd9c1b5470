import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { count, duration, percent, shortCount } from '../../format.ts'
import type { Overview } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Key figures of the period. */
export function Figures({ overview }: { overview: Overview }) {
  const { page } = useWorkspace()
  const requests = sum(overview.requests)
  const failed = sum(overview.failed)
  const refused = sum(overview.refused)
  const spent = overview.requests.reduce((total, value, index) => total + value * (overview.averageMs[index] ?? 0), 0)
  const attention = sum(
    overview.accounts.filter(({ state }) => state === 'reconnect_required').map(({ accounts }) => accounts),
  )
  return (
    <dl className="figures">
      <Figure
        label="Requests"
        value={shortCount(requests)}
        about={requests === 0 ? 'none in this period' : `${count(refused)} client errors (4xx)`}
        href={page('activity')}
      />
      <Figure
        label="Errors"
        value={shortCount(failed)}
        about={requests === 0 ? 'none in this period' : `${percent(failed / Math.max(1, requests))} of requests (5xx)`}
        href={`${page('activity')}?status=5xx`}
        alarming={failed > 0}
      />
      <Figure
        label="Average response"
        value={requests === 0 ? '–' : duration(spent / requests)}
        about="includes queue and platform time"
      />
      <Figure
        label="Queued now"
        value={count(overview.waitingNow)}
        about={overview.waitingNow === 0 ? 'no platform calls queued' : 'platform calls queued'}
      />
      <Figure
        label="Accounts"
        value={shortCount(sum(overview.accounts.map(({ accounts }) => accounts)))}
        about={attention === 0 ? 'all authorized' : `${count(attention)} to reconnect`}
        href={attention === 0 ? page('accounts') : `${page('accounts')}?state=reconnect_required`}
        alarming={attention > 0}
      />
    </dl>
  )
}

function Figure({
  label,
  value,
  about,
  href,
  alarming,
}: {
  label: string
  value: string
  about: ReactNode
  href?: string
  alarming?: boolean
}) {
  return (
    <div className="figure">
      <dt>{href ? <Link href={href}>{label}</Link> : label}</dt>
      <dd>
        <span className="figure-value">{value}</span>
        <span className={alarming ? 'figure-about figure-alarming' : 'figure-about'}>{about}</span>
      </dd>
    </div>
  )
}
