import type { ReactNode } from 'react'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { ApiError } from '../../api.ts'
import { Content, Failure, Notice, Skeleton } from '../../components/feedback.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Facts, Page, Section } from '../../components/page.tsx'
import { Tag } from '../../components/state.tsx'
import { count } from '../../format.ts'
import type { WebhookEndpoint } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useWorkspace } from '../../workspace.tsx'
import { Deliveries } from './deliveries.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { EndpointState, isInTrouble, nameOf, Trouble } from './endpoint-state.tsx'
import './webhooks.css'

export default function EndpointPage() {
  const { page } = useWorkspace()
  const { endpointId = '' } = useParams()
  const loaded = useManage('getWebhookEndpoint', { path: { endpointId } }, { every: 3_000 })
  const [failure, setFailure] = useState<ApiError>()
  const [sent, setSent] = useState(0)
  const endpoint = loaded.data
  return (
    <Page
      title={endpoint ? nameOf(endpoint) : 'Endpoint'}
      state={endpoint ? <EndpointState endpoint={endpoint} /> : ''}
      about={<Identifier value={endpointId} length={40} />}
      parent={{ label: 'Webhooks', href: page('webhooks') }}
      actions={
        endpoint ? (
          <EndpointActions
            endpoint={endpoint}
            loaded={loaded}
            onFailure={setFailure}
            onSent={() => setSent((before) => before + 1)}
          />
        ) : null
      }
    >
      {failure ? <Failure error={failure} /> : null}
      <Content of={loaded} shape={<Skeleton height={220} />}>
        {(found) => (
          <div className="stack">
            {isInTrouble(found) || found.state === 'disabled' ? (
              <Notice
                tone={found.failing ? 'broken' : found.state === 'disabled' ? 'info' : 'attention'}
                alert={false}
                title={found.state === 'disabled' ? 'No events are sent' : undefined}
              >
                <p>
                  <Trouble endpoint={found} />
                </p>
              </Notice>
            ) : null}
            <Settings endpoint={found} />
          </div>
        )}
      </Content>
      {endpoint ? <Deliveries endpoint={endpoint} sent={sent} onChanged={loaded.refresh} /> : null}
    </Page>
  )
}

function Settings({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { url, events, accounts, data, format, coalesce, concurrency, perSecond } = endpoint
  const { lastSuccessAt, failingSince, waiting, failed, createdAt, previousSecretUntil } = endpoint
  return (
    <Section>
      <div className="stack">
        <Facts
          facts={[
            ['URL', <Identifier key="url" value={url} length={100} label="Copy URL" wraps />, 'row'],
            ['Waiting', count(waiting)],
            ['Failed', count(failed)],
            ['Last success', lastSuccessAt ? <Moment key="success" at={lastSuccessAt} /> : 'Never'],
            failingSince !== undefined && ['Failing since', <Moment key="failing" at={failingSince} />],
            ['Created', <Moment key="created" at={createdAt} />],
            previousSecretUntil !== undefined && [
              'Previous secret expires',
              <Moment key="secret" at={previousSecretUntil} />,
            ],
          ]}
        />
        <Facts
          facts={[
            [
              'Events',
              <Tags key="events" of={events.map((event) => (event === '*' ? 'All events' : event))} />,
              'wide',
            ],
            ['Accounts', accounts ? <Accounts key="accounts" ids={accounts} /> : 'All accounts', 'wide'],
            ['Data', data === 'thin' ? 'Thin: IDs only' : 'Full: with the record'],
            ['Format', format === 'cloudevents' ? 'CloudEvents 1.0' : 'Standard'],
            ['Events of a record', coalesce ? 'Combined' : 'All sent'],
            ['Concurrent requests', String(concurrency)],
            ['Requests per second', perSecond === undefined ? 'No limit' : `At most ${perSecond}`],
          ]}
        />
      </div>
    </Section>
  )
}

const Tags = ({ of }: { of: readonly ReactNode[] }) => (
  <span className="webhook-tags">
    {of.map((content, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the list is replaced as a whole
      <Tag key={index}>{content}</Tag>
    ))}
  </span>
)

function Accounts({ ids }: { ids: readonly string[] }) {
  const { page } = useWorkspace()
  return (
    <span className="webhook-tags">
      {ids.map((id) => (
        <Link key={id} href={page('accounts', id)}>
          {id}
        </Link>
      ))}
    </span>
  )
}
