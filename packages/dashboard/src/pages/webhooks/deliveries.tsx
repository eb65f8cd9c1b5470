import { ChevronRight, RefreshCw, Send } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { GetWebhookDeliveryAnswer, ListWebhookDeliveriesAnswer } from '../../../../client/src/generated/manage.ts'
import { manage, segment, withQuery } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { Json } from '../../components/code.tsx'
import { Content, Empty, Failure, Skeleton } from '../../components/feedback.tsx'
import { Select } from '../../components/field.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Moment } from '../../components/moment.tsx'
import { Facts, Part } from '../../components/page.tsx'
import { HttpStatus, State } from '../../components/state.tsx'
import { Pager, TableShape } from '../../components/table.tsx'
import { say } from '../../components/toast.tsx'
import { duration } from '../../format.ts'
import type { Delivery, WebhookEndpoint } from '../../types.ts'
import { useAction } from '../../use-action.ts'
import { useData } from '../../use-data.ts'
import { useQuery } from '../../use-query.ts'
import { useWorkspace } from '../../workspace.tsx'

interface DeliveriesProps {
  endpoint: WebhookEndpoint
  path: string
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

export function Deliveries({ endpoint, path, sent, onChanged }: DeliveriesProps) {
  const query = useQuery()
  const filter = { state: query.get('state'), after: query.get('after'), limit: 25 }
  const list = useData<ListWebhookDeliveriesAnswer>(withQuery(`${path}/deliveries`, filter), { every: 3_000 })
  const { refresh } = list
  const before = useRef(sent)
  useEffect(() => {
    if (before.current !== sent) void refresh()
    before.current = sent
  }, [sent, refresh])
  return (
    <Part
      title="Deliveries"
      about="Newest first. An event is attempted up to ten times, over three days."
      actions={
        <div className="webhook-filter">
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
      <Content of={list} shape={<TableShape columns={5} rows={4} />}>
        {({ data, next }) =>
          data.length === 0 ? (
            <Empty
              icon={Send}
              title={query.get('state') ? 'No deliveries in this state' : 'No deliveries yet'}
              action={query.get('state') ? <Button onClick={query.clear}>Clear filter</Button> : null}
            >
              {endpoint.state === 'disabled'
                ? 'The endpoint is disabled. Its events wait until you enable it.'
                : 'Events appear here as they are sent. Send a test event to check your receiver.'}
            </Empty>
          ) : (
            <>
              <DeliveryTable
                deliveries={data}
                path={path}
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
  path: string
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
            <th scope="col">Account</th>
            <th scope="col">State</th>
            <th scope="col">Last attempt</th>
            <th scope="col">Next attempt</th>
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

function DeliveryState({ delivery: { state, attempts } }: { delivery: Delivery }) {
  if (state === 'delivered') return <State tone="ok">Delivered</State>
  if (state === 'failed') return <State tone="broken">Failed</State>
  if (state === 'superseded') return <State tone="idle">Replaced</State>
  return attempts.length > 0 ? <State tone="attention">Retrying</State> : <State tone="waiting">Waiting</State>
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

function DeliveryRows({ delivery, path, onChanged }: { delivery: Delivery } & RowsProps) {
  const { page } = useWorkspace()
  const [open, setOpen] = useState(false)
  const { id, type, accountId, attempts, nextAttemptAt, createdAt } = delivery
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
        <td data-label="Account" className="table-wide">
          {accountId ? (
            <Link href={page('accounts', accountId, 'changes')} className="webhook-account">
              {accountId}
            </Link>
          ) : (
            nothing
          )}
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
        <td data-label="Next attempt">{nextAttemptAt ? <Moment at={nextAttemptAt} /> : nothing}</td>
        <td data-label="Created" className="number">
          <Moment at={createdAt} />
        </td>
      </tr>
      {open ? (
        <tr id={id}>
          <td colSpan={6} className="delivery-detail">
            <Detail delivery={delivery} path={`${path}/deliveries/${segment(id)}`} onChanged={onChanged} />
          </td>
        </tr>
      ) : null}
    </>
  )
}

function Detail({ delivery, path, onChanged }: { delivery: Delivery } & RowsProps) {
  const { id, sequence, endedAt, attempts, state } = delivery
  const whole = useData<GetWebhookDeliveryAnswer>(path)
  const resend = useAction(async () => {
    await manage.post(`${path}/resend`)
    await onChanged()
    say('The event is sent again')
  })
  return (
    <div className="stack">
      <div className="spread">
        <Facts
          facts={[
            ['ID', <Identifier key="id" value={id} length={34} />],
            sequence !== undefined && [
              'Sequence',
              <span key="sequence" className="mono">
                {sequence}
              </span>,
            ],
            endedAt !== undefined && ['Ended', <Moment key="ended" at={endedAt} />],
          ]}
        />
        <Button small icon={RefreshCw} busy={resend.busy} onClick={() => void resend.run()}>
          {state === 'waiting' ? 'Send now' : 'Resend'}
        </Button>
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
