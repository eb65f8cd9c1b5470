import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Json } from '../../components/code.tsx'
import { Notice } from '../../components/feedback.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Section } from '../../components/page.tsx'
import { Tag } from '../../components/state.tsx'
import { duration, plural } from '../../format.ts'
import { Repeat2 } from '../../lucide/icons.tsx'
import { useWorkspace } from '../../workspace.tsx'
import { RequestStrip } from './request-strip.tsx'
import type { NativeRequest, Plan, Warning, Written } from './responses.ts'
import { useExplorerRoute } from './route.ts'

const recoveries: Record<string, string> = {
  key: 'safe to retry with the platform’s idempotency key',
  repeat: 'safe to retry: sets an absolute value',
  find: 'looked up on the platform if the response is lost',
  none: 'outcome unknown if the response is lost',
}

/** What a write would send. */
export function Planned({ plan, platformName }: { plan: Plan; platformName: string }) {
  return (
    <Section
      title={
        plan.steps.length > 0
          ? `Would send ${plural(plan.steps.length, 'request')} to ${platformName}`
          : `Nothing would be sent to ${platformName}`
      }
      about={
        plan.reference
          ? `A replay: this record was written before. Its platform ID is ${plan.reference.id}.`
          : plan.expectedWaitMs > 0
            ? `Rate limit reached: the first request would wait ${duration(plan.expectedWaitMs)}.`
            : 'Nothing was sent.'
      }
    >
      <ol className="stack">
        {plan.steps.map(({ name, request, recovery }, index) => (
          <li key={name} className="stack-small">
            <div className="row">
              <Tag>{`${index + 1} · ${name}`}</Tag>
              <code>{addressOf(request)}</code>
              <span className="small faint">{recoveries[recovery] ?? recovery}</span>
            </div>
            {request.body === undefined ? null : <Json value={request.body} />}
          </li>
        ))}
      </ol>
      {plan.complete ? null : (
        <p className="small faint">Later requests depend on the platform’s responses and cannot be shown.</p>
      )}
      <Warnings warnings={plan.warnings} />
    </Section>
  )
}
const addressOf = ({ method, path, query }: NativeRequest) => {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return `${method} ${path}${given.length > 0 ? `?${given.map(([name, value]) => `${name}=${String(value)}`).join('&')}` : ''}`
}

/** The result of a write. */
export function WrittenOutcome({
  written,
  busy,
  replay,
}: {
  written: Written
  busy: boolean
  replay: (() => void) | undefined
}) {
  const { address } = useExplorerRoute()
  const workspace = useWorkspace()
  const { reference, requestId } = written
  return (
    <div className="stack" role="status">
      <Notice
        tone={reference.replayed ? 'info' : 'ok'}
        title={reference.replayed ? 'Replayed: this record was written before' : 'Written'}
        action={
          replay ? (
            <Button needs="operator" small icon={Repeat2} busy={busy} onClick={replay}>
              Replay
            </Button>
          ) : undefined
        }
      >
        {reference.replayed ? <p>The response came from the journal. Nothing was sent to the platform.</p> : null}
        <p className="row">
          {reference.externalId === reference.id
            ? 'Platform ID:'
            : `Your ID ${reference.externalId} is the platform ID`}{' '}
          <Identifier value={reference.id} length={32} />
        </p>
        <p className="row">
          <Link href={address({ view: 'compare', record: reference.id, cursor: '', page: 1 })} className="inline-link">
            Open record
          </Link>
          <Link href={workspace.page('activity', requestId)} className="inline-link">
            View request
          </Link>
        </p>
      </Notice>
      <Warnings warnings={written.warnings} />
      <RequestStrip asked={written} />
    </div>
  )
}

function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null
  return (
    <Notice tone="attention" title={plural(warnings.length, 'warning')}>
      <ul className="failure-list">
        {warnings.map(({ pointer, message }) => (
          <li key={`${pointer} ${message}`}>
            {pointer ? <code>{pointer}</code> : null} {message}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
