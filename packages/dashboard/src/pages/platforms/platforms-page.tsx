import { Fragment } from 'react'
import { Link } from 'wouter'
import { Content } from '../../components/feedback.tsx'
import { Page } from '../../components/page.tsx'
import { TableShape } from '../../components/table.tsx'
import { dailyRange, rate, readable, unbroken } from '../../format.ts'
import { type Platform, usePlatforms } from '../../platforms.ts'
import { entityTypes, isReadOnly } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'
import { Support } from './support.tsx'
import './platforms.css'

export default function PlatformsPage() {
  const platforms = usePlatforms()
  return (
    <Page
      title="Platforms"
      about="Supported operations by platform. Open a platform for its required fields, fields that are not stored, and rate limits."
    >
      <Content of={platforms} shape={<TableShape columns={9} rows={14} />}>
        {(data) => <Matrix platforms={data} />}
      </Content>
    </Page>
  )
}

const limits = ({ rateLimit, dailyQuota, concurrency }: Platform) =>
  [
    ['rate', rate({ rateLimit: rateLimit.map(({ requests, seconds }) => ({ requests, seconds })) })],
    ['daily', dailyRange(dailyQuota)],
    ['concurrency', concurrency ?? '–'],
  ] as const

function Matrix({ platforms }: { platforms: readonly Platform[] }) {
  const { page } = useWorkspace()
  return (
    <div className="stack-small">
      <ul className="matrix-legend" aria-hidden>
        <li>R read</li>
        <li>W write</li>
        <li>U update</li>
      </ul>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <section className="table-frame matrix-frame" tabIndex={0} aria-label="Support matrix">
        <table className="matrix">
          <caption className="unseen">Supported operations by platform and entity type</caption>
          <thead>
            <tr>
              <th scope="col">Platform</th>
              <th scope="col" className="matrix-limit">
                Rate limit
              </th>
              <th scope="col" className="matrix-limit">
                Daily quota
              </th>
              <th scope="col" className="matrix-limit">
                At once
              </th>
              {entityTypes.map((entity) => (
                <th key={entity} scope="col" className="matrix-entity">
                  {readable(entity)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {platforms.map((platform) => (
              <Fragment key={platform.platform}>
                {platform.verticals.map((vertical) => (
                  <tr key={vertical}>
                    <th scope="row">
                      <Link href={page('platforms', platform.platform)} className="matrix-name">
                        {unbroken(platform.name)}
                      </Link>
                      <span className="small faint">{readable(vertical)}</span>
                    </th>
                    {limits(platform).map(([name, limit]) => (
                      <td key={name} className="small soft matrix-limit">
                        {limit}
                      </td>
                    ))}
                    {entityTypes.map((entity) => (
                      <td key={entity} className="matrix-entity">
                        <Support support={platform.entities[vertical]?.[entity]} readOnly={isReadOnly(entity)} />
                      </td>
                    ))}
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}
