import { useParams } from 'wouter'
import { withQuery } from '../../api.ts'
import { LinkButton } from '../../components/button.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { Facts, Page, Part, Section } from '../../components/page.tsx'
import { type Column, Table, TableShape } from '../../components/table.tsx'
import { count, daily, rate, readable } from '../../format.ts'
import { CircleHelp, ExternalLink, Plug } from '../../lucide/icons.tsx'
import { type EntitySupport, type Platform, usePlatforms } from '../../platforms.ts'
import { type EntityType, entityTypes, type Vertical } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'
import { useConnectable } from '../accounts/connectable.ts'
import { PlatformWebhooks } from '../changes/platform-webhooks.tsx'
import { PlatformApp } from './platform-app.tsx'
import { KeySteps } from './registration-steps.tsx'
import { Support } from './support.tsx'
import './platforms.css'

interface Row {
  entity: EntityType
  support: EntitySupport
}
const filterWords = { platform: 'by the platform', service: 'by the service', none: 'not supported' }
const columns: readonly Column<Row>[] = [
  { name: 'Entity', cell: ({ entity }) => <strong>{readable(entity)}</strong> },
  { name: 'Supported operations', cell: ({ support }) => <Support support={support} words /> },
  {
    name: 'Required on writes',
    cell: ({ support }) => (
      <div>
        <Fields
          fields={support.requires}
          none={support.write ? (support.requiresWhen.length > 0 ? '' : 'none') : 'not written'}
        />
        {support.requiresWhen.map(({ pointer, when }) => (
          <div key={pointer + when}>
            <Fields fields={[pointer]} none="" /> <span className="faint">if {when}</span>
          </div>
        ))}
      </div>
    ),
  },
  {
    name: 'Values and lengths',
    cell: ({ support }) => (
      <Fields
        fields={[
          ...Object.entries(support.values).map(([pointer, only]) => `${pointer} (${only.join(', ')})`),
          ...Object.entries(support.longest).map(([pointer, most]) => `${pointer} (at most ${count(most)} characters)`),
        ]}
        none="–"
      />
    ),
  },
  {
    name: 'Not stored',
    wide: true,
    cell: ({ support }) => <Fields fields={support.notStored} none={support.write ? 'none' : '–'} />,
  },
  {
    name: 'updatedAfter',
    cell: ({ support }) => (
      <span className={support.updatedAfter === 'none' ? 'faint' : ''}>
        {filterWords[support.updatedAfter]}
        {support.stampPrecision === 'seconds' ? ', whole seconds' : ''}
      </span>
    ),
  },
  { name: 'Page limit', number: true, cell: ({ support }) => count(support.pageLimit) },
]

export default function PlatformPage() {
  const { platform: id = '' } = useParams()
  const { page } = useWorkspace()
  const platforms = usePlatforms()
  const platform = platforms.data?.find((one) => one.platform === id)
  return (
    <Page
      title={platform?.name ?? id}
      parent={{ label: 'Platforms', href: page('platforms') }}
      about={
        platform ? (
          <a href={platform.docs} target="_blank" rel="noreferrer" className="inline-link">
            {new URL(platform.docs).host} <ExternalLink size={13} aria-hidden />
          </a>
        ) : undefined
      }
      actions={
        platform ? (
          <LinkButton
            needs="operator"
            kind="primary"
            icon={Plug}
            href={withQuery(page('accounts', 'connect'), { platform: id })}
          >
            Connect an account
          </LinkButton>
        ) : undefined
      }
    >
      <Content of={platforms} shape={<TableShape columns={5} rows={5} />}>
        {() =>
          platform ? (
            <Detail platform={platform} />
          ) : (
            <Empty
              icon={CircleHelp}
              title={`Platform “${id}” not found`}
              action={<LinkButton href={page('platforms')}>All platforms</LinkButton>}
            >
              Check the URL for typos.
            </Empty>
          )
        }
      </Content>
    </Page>
  )
}

function Detail({ platform }: { platform: Platform }) {
  const methods = useConnectable().data?.find((one) => one.platform === platform.platform)?.auth ?? []
  const keyMethods = methods.filter(({ credentials }) => credentials.length > 0)
  const usesOAuth = methods.some(({ kind }) => kind === 'oauth2')
  const rowsOf = (vertical: Vertical): Row[] =>
    entityTypes.flatMap((entity) => {
      const support = platform.entities[vertical]?.[entity]
      return support ? [{ entity, support }] : []
    })
  return (
    <div className="stack platform-detail">
      <Section>
        <Facts
          facts={[
            ['ID', <code key="id">{platform.platform}</code>],
            ['Verticals', platform.verticals.map(readable).join(', ')],
            ['Rate limit per account', rate({ rateLimit: platform.rateLimit })],
            ['Calls at once', platform.concurrency ?? 'Not limited'],
            ['Daily quota', daily(platform.dailyQuota)],
          ]}
        />
      </Section>
      <PlatformApp platform={platform.platform} name={platform.name} />
      {keyMethods.map((method) => (
        <Section
          key={method.title}
          title={keyMethods.length > 1 || usesOAuth ? `Connect with ${method.title}` : 'Connect an account'}
          about="The owner of the account finds these credentials on the platform."
        >
          <KeySteps
            method={method}
            connect="Enter them under “Connect an account”, or send the owner a connect link, which asks for them."
          />
        </Section>
      ))}
      <PlatformWebhooks platform={platform.platform} />
      {platform.verticals.map((vertical) => (
        <Part
          key={vertical}
          title={readable(vertical)}
          about="Writes return a warning for each field that is not stored. Writes without a required field fail before anything is sent."
        >
          <Table
            label={`${platform.name}, ${vertical}`}
            columns={columns}
            rows={rowsOf(vertical)}
            rowKey={({ entity }) => entity}
            scrolls
          />
        </Part>
      ))}
    </div>
  )
}

function Fields({ fields, none }: { fields: readonly string[]; none: string }) {
  if (fields.length === 0) return <span className="faint">{none}</span>
  return (
    <span className="platform-fields">
      {fields.map((field) => {
        const [pointer = '', values] = field.split(' (')
        return (
          <code key={field}>
            {pointer.slice(1).replaceAll('/*/', '[].').replaceAll('/', '.')}
            {values ? (
              <span className="faint">
                {' '}
                {/^at most/.test(values) ? '' : '= '}
                {values.slice(0, -1)}
              </span>
            ) : null}
          </code>
        )
      })}
    </span>
  )
}
