import { segment } from '../../api.ts'
import { Moment } from '../../components/moment.tsx'
import { Facts, Section } from '../../components/page.tsx'
import { RequestCode } from '../../components/request-code.tsx'
import { count, rate, readable, unbroken } from '../../format.ts'
import { usePlatforms } from '../../platforms.ts'
import { type Account, type EntityType, entityTypes } from '../../types.ts'
import { Support } from '../platforms/support.tsx'
import { RecentActivity } from './account-activity.tsx'
import { AccountUsage } from './account-usage.tsx'
import { useConnectable } from './connectable.ts'
import type { TabProps } from './tab-props.ts'

function DailyCalls({ limit, used, resetsAt }: NonNullable<Account['dailyLimit']>) {
  return (
    <>
      {limit === undefined ? `${count(used)}, limit unknown` : `${count(used)} of ${count(limit)}`}
      {resetsAt ? (
        <>
          ; the oldest expire <Moment at={resetsAt} />
        </>
      ) : null}
    </>
  )
}

export function AccountSummary({ account }: TabProps) {
  const platforms = usePlatforms()
  const platform = platforms.data?.find((one) => one.platform === account.platform)
  const method = useConnectable()
    .data?.find((one) => one.platform === account.platform)
    ?.auth.find(({ kind }) => kind === account.auth)
  const offers = platform?.entities[account.vertical] ?? {}
  const first = entityTypes.find((entity) => offers[entity]?.read) ?? (entityTypes[0] as EntityType)
  return (
    <div className="stack">
      <Section>
        <Facts
          facts={[
            ['Platform', unbroken(platform?.name ?? account.platform)],
            ['Vertical', readable(account.vertical)],
            ['Authentication', account.auth === 'oauth2' ? 'OAuth' : (method?.title ?? '–')],
            ['Rate limit', platform ? rate(platform) : '–'],
            account.dailyLimit && ['Calls in 24 hours', <DailyCalls key="daily" {...account.dailyLimit} />],
            ['Connected', <Moment key="connected" at={account.createdAt} />],
            ['Updated', <Moment key="changed" at={account.updatedAt} />],
          ]}
        />
      </Section>
      <AccountUsage account={account} />
      <Section title="Supported operations" about="What this platform supports for each entity type of this vertical.">
        <ul className="account-offers">
          {entityTypes
            .filter((entity) => offers[entity])
            .map((entity) => (
              <li key={entity}>
                {readable(entity)} <Support support={offers[entity]} words />
              </li>
            ))}
        </ul>
      </Section>
      <Section title="Try it" about="Read the first two records with an API key of this workspace.">
        <RequestCode request={{ method: 'GET', path: `/unified/${segment(account.id)}/${first}?pageSize=2` }} />
      </Section>
      <RecentActivity account={account} />
    </div>
  )
}
