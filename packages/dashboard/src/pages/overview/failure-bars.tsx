import { Link } from 'wouter'
import { withQuery } from '../../api.ts'
import { count, percent, unbroken } from '../../format.ts'
import { sum } from '../../sum.ts'
import type { PlatformSeries } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'

/** Platforms by number of errors, most first. */
export function FailureBars({
  platforms,
  nameOf,
}: {
  platforms: readonly PlatformSeries[]
  nameOf(id: string): string
}) {
  const { page } = useWorkspace()
  const rows = platforms
    .map(({ platform, requests, errors }) => ({ platform, requests: sum(requests), errors: sum(errors) }))
    .filter(({ requests }) => requests > 0)
    .sort((left, right) => right.errors - left.errors || right.requests - left.requests)
    .slice(0, 6)
  const longest = Math.max(1, ...rows.map(({ requests }) => requests))
  return (
    <div className="plot">
      <div className="plot-caption">
        <h2>Errors by platform</h2>
        <p className="section-about">
          {rows.some(({ errors }) => errors > 0) ? 'Requests with a 4xx or 5xx response.' : 'No errors in this period.'}
        </p>
      </div>
      <ul className="bars">
        {rows.map(({ platform, requests, errors }) => (
          <li key={platform}>
            <Link
              href={withQuery(page('activity'), { platform, status: errors > 0 ? 'error' : undefined })}
              className="bars-name"
            >
              {unbroken(nameOf(platform))}
            </Link>
            <span className="bars-track" aria-hidden>
              <span className="bars-fill bar-requests" style={{ width: `${(requests / longest) * 100}%` }}>
                {errors > 0 ? (
                  <span className="bars-fill bar-errors" style={{ width: `${(errors / requests) * 100}%` }} />
                ) : null}
              </span>
            </span>
            <span className="number bars-figure">
              {count(errors)} <span className="faint">of {count(requests)}</span>
            </span>
            <span className="number bars-share soft">{percent(errors / requests)}</span>
          </li>
        ))}
      </ul>
      {rows.length === 0 ? <p className="faint">No requests in this period.</p> : null}
    </div>
  )
}
