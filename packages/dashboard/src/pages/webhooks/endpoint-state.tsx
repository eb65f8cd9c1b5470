import { Link } from 'wouter'
import { Notice } from '../../components/feedback.tsx'
import { Moment } from '../../components/moment.tsx'
import { State, Tag } from '../../components/state.tsx'
import { middle, plural } from '../../format.ts'
import type { WebhookEndpoint } from '../../types.ts'
import { useWorkspace } from '../../workspace.tsx'
import './webhooks.css'

const longestName = 56
/** The URL without its scheme, unless there is a description. */
export const nameOf = ({ description, url }: WebhookEndpoint): string =>
  description ?? middle(url.replace(/^https?:\/\//, ''), longestName)

/** Needs somebody: it does not receive events, or has missed some. */
export const isInTrouble = ({ failing, failed }: WebhookEndpoint): boolean => failing || failed > 0

export function EndpointState({ endpoint: { state, failing } }: { endpoint: WebhookEndpoint }) {
  if (state === 'disabled') return <State tone="idle">Disabled</State>
  return failing ? <State tone="broken">Failing</State> : <State tone="ok">Active</State>
}

const shownEvents = 3
export const Events = ({ events }: { events: readonly string[] }) => (
  <span className="webhook-tags" title={events.join('\n')}>
    {events.slice(0, shownEvents).map((event) => (
      <Tag key={event}>{event === '*' ? 'All events' : event}</Tag>
    ))}
    {events.length > shownEvents ? <span className="small faint">and {events.length - shownEvents} more</span> : null}
  </span>
)

/** What is wrong with an endpoint, in one sentence. */
export function Trouble({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { state, stateReason, failingSince, waiting, failed } = endpoint
  const waits = waiting > 0 ? ` ${plural(waiting, 'delivery waits', 'deliveries wait')}.` : ''
  if (state === 'disabled')
    return (
      <>
        It is disabled. {stateReason}
        {waits} Enable it to send what it has missed.
      </>
    )
  if (failingSince)
    return (
      <>
        Attempts are failing. First failure: <Moment at={failingSince} />.{waits}
      </>
    )
  return (
    <>
      {plural(failed, 'delivery has', 'deliveries have')} failed for good. Resend {failed === 1 ? 'it' : 'them'} once
      the receiver works.
    </>
  )
}

/** For pages that show several endpoints. */
const shownTroubles = 5
export function TroubleNotice({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const { page } = useWorkspace()
  const troubled = endpoints.filter(isInTrouble)
  if (troubled.length === 0) return null
  return (
    <Notice
      tone={troubled.some(({ failing }) => failing) ? 'broken' : 'attention'}
      title={
        troubled.length === 1
          ? 'A webhook endpoint needs your attention'
          : `${troubled.length} webhook endpoints need your attention`
      }
    >
      <ul className="webhook-troubles">
        {troubled.slice(0, shownTroubles).map((endpoint) => (
          <li key={endpoint.id}>
            <Link href={page('webhooks', endpoint.id)} className="inline-link" title={endpoint.url}>
              {nameOf(endpoint)}
            </Link>
            {': '}
            <Trouble endpoint={endpoint} />
          </li>
        ))}
        {troubled.length > shownTroubles ? (
          <li>
            <Link href={page('webhooks')} className="inline-link">
              {troubled.length - shownTroubles} more
            </Link>
          </li>
        ) : null}
      </ul>
    </Notice>
  )
}
