import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { count, duration, percent, shortCount } from '../../format.ts'
import { sum } from '../../sum.ts'
import type { Overview } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'

/** Key figures of the period. */
export function Figures({ overview }: { overview: Overview }) {
  const { page } = useWorkspace()
  const requests = sum(overview.requests)
  const failed = sum(overview.failed)
  const refused = sum(overview.refused)
  const spent = overview.requests.reduce((total, value, index) => total + value * (overview.averageMs[index] ?? 0), 0)
  const { total } = overview
  const { before } = overview
  const attention = sum(
    overview.accounts.filter(({ state }) => state === 'reconnect_required').map(({ accounts }) => accounts),
  )
  return (
    <dl className="figures">
      <Figure
        label="Requests"
        value={shortCount(requests)}
        change={changeOf(requests, before.requests)}
        about={requests === 0 ? 'none in this period' : `${count(refused)} client errors (4xx)`}
        href={page('activity')}
      />
      <Figure
        label="Server errors"
        value={shortCount(failed)}
        change={changeOf(failed, before.failed)}
        about={requests === 0 ? 'none in this period' : `${percent(failed / Math.max(1, requests))} of requests (5xx)`}
        href={`${page('activity')}?status=5xx`}
        alarming={failed > 0}
      />
      <Figure
        label="Average response"
        value={requests === 0 ? '–' : duration(spent / requests)}
        change={requests === 0 ? undefined : changeOf(spent / requests, before.averageMs)}
        about="includes queue and platform time"
      />
      <Figure
        label="Queue time"
        value={requests === 0 ? '–' : `${duration(total.waitP50Ms)} / ${duration(total.waitP95Ms)}`}
        change={requests === 0 ? undefined : changeOf(total.waitP95Ms, before.waitP95Ms)}
        about={
          overview.waitingNow === 0
            ? 'p50 / p95; no call queued now'
            : `p50 / p95; ${count(overview.waitingNow)} queued now`
        }
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

/** "+12%" compared with the period before; nothing if it has too little to compare with. */
function changeOf(now: number, before: number): string | undefined {
  if (before === 0) return undefined
  const share = (now - before) / before
  if (Math.abs(share) < 0.005) return '±0%'
  return share >= 10 ? undefined : `${share > 0 ? '+' : '−'}${Math.round(Math.abs(share) * 100)}%`
}

function Figure({
  label,
  value,
  change,
  about,
  href,
  alarming,
}: {
  label: string
  value: string
  /** Compared with the period before. */
  change?: string | undefined
  about: ReactNode
  href?: string
  alarming?: boolean
}) {
  return (
    <div className="figure">
      <dt>{href ? <Link href={href}>{label}</Link> : label}</dt>
      <dd>
        <span className="figure-value">
          {value}
          {change ? (
            <span className="figure-change" title="Compared with the period before">
              {change}
            </span>
          ) : null}
        </span>
        <span className={alarming ? 'figure-about figure-alarming' : 'figure-about'}>{about}</span>
      </dd>
    </div>
  )
}
