import { Repeat2 } from 'lucide-react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Json } from '../../components/code.tsx'
import { Notice } from '../../components/feedback.tsx'
import { Identifier } from '../../components/identifier.tsx'
import { Section } from '../../components/page.tsx'
import { Tag } from '../../components/state.tsx'
import { duration, plural } from '../../format.ts'
import { useWorkspace } from '../../workspace.tsx'
import type { NativeRequest, Plan, Warning, Written } from './answers.ts'
import { AskedStrip } from './asked-strip.tsx'
import { usePlace } from './place.ts'

const recoveries: Record<string, string> = {
  key: 'safe to repeat under the platform’s own key',
  repeat: 'safe to repeat: it sets an absolute value',
  find: 'looked up at the platform when its answer is lost',
  none: 'its outcome cannot be asked for when its answer is lost',
}

/** What a write would send. */
export function Planned({ plan, platformName }: { plan: Plan; platformName: string }) {
  return (
    <Section
      title={plan.steps.length > 0 ? `Would send ${plural(plan.steps.length, 'request')} to ${platformName}` : `Nothing would be sent to ${platformName}`}
      about={plan.expectedWaitMs > 0 ? `The limit leaves no slot just now: the first would wait ${duration(plan.expectedWaitMs)}.` : 'Nothing was sent.'}
    >
      <ol className="stack">
        {plan.steps.map(({ name, request, recovery }, place) => (
          <li key={name} className="stack-small">
            <div className="row">
              <Tag>{`${place + 1} · ${name}`}</Tag>
              <code>{addressOf(request)}</code>
              <span className="small faint">{recoveries[recovery] ?? recovery}</span>
            </div>
            {request.body === undefined ? null : <Json value={request.body} />}
          </li>
        ))}
      </ol>
      {plan.complete ? null : <p className="small faint">Later requests depend on the platform’s answers and cannot be shown.</p>}
      <Warnings warnings={plan.warnings} />
    </Section>
  )
}
const addressOf = ({ method, path, query }: NativeRequest) => {
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== null)
  return `${method} ${path}${given.length > 0 ? `?${given.map(([name, value]) => `${name}=${String(value)}`).join('&')}` : ''}`
}

/** What came of a write. */
export function WrittenOutcome({ written, busy, replay }: { written: Written; busy: boolean; replay: (() => void) | undefined }) {
  const { address } = usePlace()
  const workspace = useWorkspace()
  const { reference, requestId } = written
  return (
    <div className="stack" role="status">
      <Notice
        tone={reference.replayed ? 'info' : 'ok'}
        title={reference.replayed ? 'Replayed: this record was written before' : 'Written'}
        action={
          replay ? (
            <Button small icon={Repeat2} busy={busy} onClick={replay}>
              Replay
            </Button>
          ) : undefined
        }
      >
        {reference.replayed ? <p>The answer came from the journal; nothing was sent to the platform.</p> : null}
        <p className="row">
          {reference.externalId} is <Identifier value={reference.id} length={32} /> at the platform
        </p>
        <p className="row">
          <Link href={address({ view: 'compare', record: reference.id, cursor: '', page: 1 })} className="inline-link">
            Open the record
          </Link>
          <Link href={workspace.page('activity', requestId)} className="inline-link">
            See the request in Activity
          </Link>
        </p>
      </Notice>
      <Warnings warnings={written.warnings} />
      <AskedStrip asked={written} />
    </div>
  )
}

function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null
  return (
    <Notice tone="attention" title={`${plural(warnings.length, 'thing')} to know`}>
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
