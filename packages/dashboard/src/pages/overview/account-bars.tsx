import { Link } from 'wouter'
import { withQuery } from '../../api.ts'
import { LinkButton } from '../../components/button.tsx'
import { count, plural, unbroken } from '../../format.ts'
import { usePlatforms } from '../../platforms.ts'
import type { AccountState, Overview } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'

const states: readonly { state: AccountState; label: string }[] = [
  { state: 'active', label: 'Active' },
  { state: 'reconnect_required', label: 'Reconnect required' },
  { state: 'disabled', label: 'Disabled' },
]

export function AccountBars({ accounts }: { accounts: Overview['accounts'] }) {
  const { page } = useWorkspace()
  const platforms = usePlatforms()
  const rows = [...Map.groupBy(accounts, ({ platform }) => platform)]
    .map(([platform, parts]) => ({ platform, parts, total: parts.reduce((sum, part) => sum + part.accounts, 0) }))
    .sort((left, right) => right.total - left.total || left.platform.localeCompare(right.platform))
  const longest = Math.max(1, ...rows.map(({ total }) => total))
  const attention = accounts
    .filter(({ state }) => state === 'reconnect_required')
    .reduce((sum, part) => sum + part.accounts, 0)
  return (
    <section className="section section-plot">
      <div className="plot">
        <div className="spread">
          <div>
            <h2>Accounts by platform</h2>
            <p className="section-about">
              {attention === 0 ? 'All accounts are authorized.' : `${plural(attention, 'account')} to reconnect.`}
            </p>
          </div>
          <LinkButton small href={page('accounts')}>
            All accounts
          </LinkButton>
        </div>
        <ul className="plot-legend" aria-hidden>
          {states.map(({ state, label }) => (
            <li key={state}>
              <span className={`plot-dot account-${state}`} />
              {label}
            </li>
          ))}
        </ul>
        <ul className="bars bars-columns">
          {rows.map(({ platform, parts, total }) => (
            <li key={platform}>
              <Link href={withQuery(page('accounts'), { platform })} className="bars-name">
                {unbroken(platforms.data?.find((one) => one.platform === platform)?.name ?? platform)}
              </Link>
              <span
                className="bars-track"
                role="img"
                aria-label={parts
                  .map(({ state, accounts: some }) => `${some} ${state.replaceAll('_', ' ')}`)
                  .join(', ')}
              >
                {states.map(({ state }) => {
                  const some = parts.find((part) => part.state === state)?.accounts ?? 0
                  return some > 0 ? (
                    <span
                      key={state}
                      className={`bars-fill account-${state}`}
                      style={{ width: `${(some / longest) * 100}%` }}
                    />
                  ) : null
                })}
              </span>
              <span className="number bars-figure">{count(total)}</span>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
