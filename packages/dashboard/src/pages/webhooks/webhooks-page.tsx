import { withQuery } from '../../api.ts'
import { LinkButton } from '../../components/button.tsx'
import { Content, Empty } from '../../components/feedback.tsx'
import { Moment } from '../../components/moment.tsx'
import { Page } from '../../components/page.tsx'
import { type Column, isPartial, Pager, Table, TableShape } from '../../components/table.tsx'
import { count, middle } from '../../format.ts'
import { Bell, Plus, Webhook } from '../../lucide/icons.tsx'
import type { WebhookEndpoint } from '../../types.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { EndpointState, Events, nameOf, TroubleNotice } from './endpoint-state.tsx'
import './webhooks.css'

const columns: Column<WebhookEndpoint>[] = [
  {
    name: 'Endpoint',
    wide: true,
    sort: nameOf,
    cell: (endpoint) => (
      <span className="webhook-name" title={endpoint.url}>
        <span>{nameOf(endpoint)}</span>
        {endpoint.description ? <span className="mono faint">{middle(endpoint.url, 64)}</span> : null}
      </span>
    ),
  },
  { name: 'Events', cell: ({ events }) => <Events events={events} /> },
  {
    name: 'State',
    sort: ({ state }) => state,
    cell: (endpoint) => (
      <span className="webhook-state" title={endpoint.stateReason}>
        <EndpointState endpoint={endpoint} />
        {endpoint.failingSince ? (
          <span className="small faint">
            first failure <Moment at={endpoint.failingSince} />
          </span>
        ) : null}
      </span>
    ),
  },
  {
    name: 'Last success',
    sort: ({ lastSuccessAt }) => lastSuccessAt,
    cell: ({ lastSuccessAt }) => (lastSuccessAt ? <Moment at={lastSuccessAt} /> : <span className="faint">Never</span>),
  },
  { name: 'Waiting', number: true, sort: ({ waiting }) => waiting, cell: ({ waiting }) => count(waiting) },
  { name: 'Failed', number: true, sort: ({ failed }) => failed, cell: ({ failed }) => count(failed) },
]

export default function WebhooksPage() {
  const { page } = useWorkspace()
  const query = useQuery()
  const list = useManage('listWebhookEndpoints', { query: { after: query.get('after'), limit: 50 } }, { every: 10_000 })
  const actions = (
    <>
      <LinkButton needs="operator" icon={Bell} href={withQuery(page('webhooks', 'new'), { preset: 'notifications' })}>
        Notify operators
      </LinkButton>
      <LinkButton needs="operator" kind="primary" icon={Plus} href={page('webhooks', 'new')}>
        Add endpoint
      </LinkButton>
    </>
  )
  return (
    <Page
      title="Webhooks"
      about="The service sends signed events to these URLs when watched records change and when accounts need attention."
      actions={actions}
    >
      <Content of={list} shape={<TableShape columns={6} rows={4} />}>
        {({ data, next }) =>
          data.length === 0 ? (
            <Empty icon={Webhook} title="No webhook endpoints yet" action={actions}>
              Add the URL of your receiver. From then on, every change of a watched record is sent to it, in order, and
              repeated for three days if it does not respond. To try it on your computer, run{' '}
              <code>unirec listen --forward http://localhost:3000/hooks</code>.
            </Empty>
          ) : (
            <div className="stack">
              <TroubleNotice endpoints={data} />
              <Table
                label="Webhook endpoints"
                columns={columns}
                rows={data}
                partial={isPartial(query, next)}
                rowKey={({ id }) => id}
                href={({ id }) => page('webhooks', id)}
              />
              <Pager query={query} shown={data.length} next={next} of="endpoints" />
            </div>
          )
        }
      </Content>
    </Page>
  )
}
