import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { withQuery } from '../../api.ts'
import { Button, LinkButton } from '../../components/button.tsx'
import { Chip } from '../../components/chip.tsx'
import { Json } from '../../components/code.tsx'
import { Content, Empty, Failure, Skeleton } from '../../components/feedback.tsx'
import { Select } from '../../components/field.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Facts, Part } from '../../components/page.tsx'
import { HttpStatus, State } from '../../components/state.tsx'
import { Pager, TableShape } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import { duration, readable } from '../../format.ts'
import { ChevronRight, RefreshCw, Send } from '../../lucide/icons.tsx'
import type { Delivery, WebhookEndpoint } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useManage } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'
import { otherGroups, recordGroups } from './events.ts'

interface DeliveriesProps {
  endpoint: WebhookEndpoint
  /** Changes when there are new deliveries. */
  sent: number
  /** A delivery was sent again. */
  onChanged(): Promise<void>
}
const states = [
  { value: '', label: 'Any state' },
  { value: 'waiting', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
  { value: 'superseded', label: 'Replaced' },
] as const

const types = [
  { value: '', label: 'Any event' },
  ...[...recordGroups, ...otherGroups].map(({ name, label }) => ({ value: `${name}.*`, label })),
  { value: 'changes.lost', label: 'Lost changes' },
  { value: 'endpoint.test', label: 'Test events' },
]
/** Of the list: in the URL. */
const filters = ['state', 'type', 'accountId', 'externalId', 'after'] as const

export function Deliveries({ endpoint, sent, onChanged }: DeliveriesProps) {
  const query = useQuery()
  const filter = { ...Object.fromEntries(filters.map((name) => [name, query.get(name)])), limit: 25 }
  const list = useManage(
    'listWebhookDeliveries',
    { path: { endpointId: endpoint.id }, query: filter },
    { every: 3_000 },
  )
  const { refresh } = list
  const before = useRef(sent)
  useEffect(() => {
    if (before.current !== sent) void refresh()
    before.current = sent
  }, [sent, refresh])
  return (
    <Part
      title="Deliveries"
      about="Newest first. An event is attempted up to ten times, over three days; a test event once."
      actions={
        <div className="webhook-filters">
          <Select
            bare
            label="Event"
            value={query.get('type')}
            choices={types}
            onChange={(value) => query.set({ type: value })}
          />
          <Select
            bare
            label="State"
            value={query.get('state')}
            choices={states}
            onChange={(value) => query.set({ state: value })}
          />
        </div>
      }
    >
      {query.get('externalId') ? (
        <div>
          <Chip
            label="Record"
            value={query.get('externalId')}
            onRemove={() => query.set({ accountId: undefined, externalId: undefined })}
          />
        </div>
      ) : null}
      <Content of={list} shape={<TableShape columns={5} rows={4} />}>
        {({ data, next }) =>
          data.length === 0 ? (
            <Empty
              icon={Send}
              title={query.filtered ? 'No deliveries match this filter' : 'No deliveries yet'}
              action={query.filtered ? <Button onClick={query.clear}>Clear filter</Button> : null}
            >
              {endpoint.state === 'disabled'
                ? 'The endpoint is disabled. Its events wait until you enable it.'
                : 'Events appear here as they are sent. Send a test event to check your receiver.'}
            </Empty>
          ) : (
            <>
              <DeliveryTable
                deliveries={data}
                endpointId={endpoint.id}
                onChanged={async () => {
                  await Promise.all([refresh(), onChanged()])
                }}
              />
              <Pager query={query} shown={data.length} next={next} of="deliveries" />
            </>
          )
        }
      </Content>
    </Part>
  )
}

interface RowsProps {
  endpointId: string
  onChanged(): Promise<void>
}

function DeliveryTable({ deliveries, ...rest }: { deliveries: readonly Delivery[] } & RowsProps) {
  return (
    <section className="table-frame">
      <table className="table delivery-table">
        <caption className="unseen">Deliveries, newest first</caption>
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Record</th>
            <th scope="col">State</th>
            <th scope="col">Last attempt</th>
            <th scope="col" className="number">
              Created
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <DeliveryRows key={delivery.id} delivery={delivery} {...rest} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

function DeliveryState({ delivery: { state, attempts, nextAttemptAt } }: { delivery: Delivery }) {
  const isLater = nextAttemptAt !== undefined && Date.parse(nextAttemptAt) > Date.now()
  if (state === 'delivered') return <State tone="ok">Delivered</State>
  if (state === 'failed') return <State tone="broken">Failed</State>
  if (state === 'superseded') return <State tone="idle">Replaced</State>
  return (
    <span className="webhook-state">
      {attempts.length > 0 ? <State tone="attention">Retrying</State> : <State tone="waiting">Waiting</State>}
      {isLater ? (
        <span className="small faint">
          next attempt <Moment at={nextAttemptAt} />
        </span>
      ) : null}
    </span>
  )
}
const nothing = <span className="faint">–</span>

function Outcome({ attempt: { status, error } }: { attempt: Delivery['attempts'][number] }) {
  return status === undefined ? (
    <span className="webhook-outcome" title={error}>
      <State tone="broken">No response</State>
    </span>
  ) : (
    <HttpStatus status={status} />
  )
}

/** The record of the event, or at least its account. */
function About({ delivery: { externalId, accountId, sequence } }: { delivery: Delivery }) {
  const { page } = useWorkspace()
  if (!accountId) return nothing
  return (
    <span className="delivery-record">
      {externalId === undefined ? null : <Identifier value={externalId} length={26} />}
      <span className="small faint">
        <Link href={page('accounts', accountId, 'changes')} className="webhook-account">
          {accountId}
        </Link>
        {sequence === undefined ? null : `, sequence ${sequence}`}
      </span>
    </span>
  )
}

function DeliveryRows({ delivery, endpointId, onChanged }: { delivery: Delivery } & RowsProps) {
  const [open, setOpen] = useState(false)
  const { id, type, attempts, createdAt } = delivery
  const last = attempts.at(-1)
  return (
    <>
      <tr className={open ? 'table-linked delivery-open' : 'table-linked'}>
        <td>
          <button
            type="button"
            className="table-link delivery-toggle"
            aria-expanded={open}
            aria-controls={open ? id : undefined}
            onClick={() => setOpen(!open)}
          >
            <ChevronRight size={14} aria-hidden className="delivery-arrow" />
            {type}
            <span className="unseen">{id}</span>
          </button>
        </td>
        <td data-label="Record" className="table-wide">
          <About delivery={delivery} />
        </td>
        <td data-label="State">
          <DeliveryState delivery={delivery} />
        </td>
        <td data-label="Last attempt">
          {last ? (
            <span className="row webhook-attempt">
              <Outcome attempt={last} />
              <span className="small faint">
                {duration(last.durationMs)}
                {attempts.length > 1 ? `, attempt ${attempts.length}` : ''}
              </span>
            </span>
          ) : (
            nothing
          )}
        </td>
        <td data-label="Created" className="number">
          <Moment at={createdAt} />
        </td>
      </tr>
      {open ? (
        <tr id={id}>
          <td colSpan={5} className="delivery-detail">
            <Detail delivery={delivery} endpointId={endpointId} onChanged={onChanged} />
          </td>
        </tr>
      ) : null}
    </>
  )
}

function Detail({ delivery, endpointId, onChanged }: { delivery: Delivery } & RowsProps) {
  const { call, page } = useWorkspace()
  const query = useQuery()
  const { id, accountId, entityType, externalId, sourceExternalId, sequence, endedAt, attempts, state } = delivery
  const path = { endpointId, deliveryId: id }
  const whole = useManage('getWebhookDelivery', { path })
  const resend = useAction(async () => {
    await call('resendWebhookDelivery', { path })
    await onChanged()
    say('The event is sent again')
  })
  return (
    <div className="stack">
      <div className="spread">
        <Facts
          facts={[
            ['ID', <Identifier key="id" value={id} length={34} />],
            externalId !== undefined && [
              readable(entityType ?? 'record'),
              <Identifier key="record" value={externalId} length={28} />,
            ],
            sourceExternalId !== undefined && [
              'Your ID',
              <Identifier key="source" value={sourceExternalId} length={28} />,
            ],
            sequence !== undefined && [
              'Sequence',
              <span key="sequence" className="mono">
                {sequence}
              </span>,
            ],
            endedAt !== undefined && ['Ended', <Moment key="ended" at={endedAt} />],
          ]}
        />
        <div className="row">
          {accountId !== undefined && entityType !== undefined && sequence !== undefined ? (
            <>
              {query.get('externalId') === externalId ? null : (
                <Button small onClick={() => query.set({ accountId, externalId })}>
                  Deliveries of this record
                </Button>
              )}
              <LinkButton small href={withQuery(page('explorer', accountId, entityType), { record: externalId })}>
                Open in explorer
              </LinkButton>
            </>
          ) : null}
          <Button needs="operator" small icon={RefreshCw} busy={resend.busy} onClick={() => void resend.run()}>
            {state === 'waiting' ? 'Send now' : 'Resend'}
          </Button>
        </div>
      </div>
      {resend.error ? <Failure error={resend.error} /> : null}
      <Attempts attempts={attempts} />
      <div className="stack-small">
        <h3>Body</h3>
        <Content of={whole} shape={<Skeleton height={160} />}>
          {({ body }) => <Json value={parsed(body)} />}
        </Content>
      </div>
    </div>
  )
}

function Attempts({ attempts }: { attempts: Delivery['attempts'] }) {
  return (
    <div className="stack-small">
      <h3>Attempts</h3>
      {attempts.length === 0 ? (
        <p className="soft">None yet.</p>
      ) : (
        <ol className="attempts">
          {attempts.map((attempt, index) => (
            <li key={attempt.at + String(index)}>
              <Outcome attempt={attempt} />
              <Moment at={attempt.at} />
              <span className="soft number">{duration(attempt.durationMs)}</span>
              {attempt.response || attempt.error ? (
                <code className="attempt-response">{attempt.response ?? attempt.error}</code>
              ) : (
                <span className="faint">Empty response</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
