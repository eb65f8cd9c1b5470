import type { ReactNode } from 'react'
import type { ApiError } from '../api.ts'
import type { Icon } from '../lucide/icon.tsx'
import { CircleAlert, CircleCheck, CircleX, Info, LoaderCircle } from '../lucide/icons.tsx'
import type { Loaded } from '../use-data.ts'
import { Button } from './button.tsx'
import { Identifier } from './identifier.tsx'
import './feedback.css'

/** Shown for an empty list: what it is for, and the action to start with. */
export function Empty({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon: Icon
  title: string
  children: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="empty">
      <span className="empty-icon">
        <Icon size={20} aria-hidden />
      </span>
      <h2>{title}</h2>
      <div className="empty-text">{children}</div>
      {action ? <div className="row">{action}</div> : null}
    </div>
  )
}

const noticeIcons = { info: Info, ok: CircleCheck, attention: CircleAlert, broken: CircleX }
interface NoticeProps {
  tone?: keyof typeof noticeIcons
  title?: string | undefined
  children?: ReactNode
  action?: ReactNode
  /** Announced by screen readers as soon as it appears; by default only what is broken. */
  alert?: boolean
}
export function Notice({ tone = 'info', title, children, action, alert = tone === 'broken' }: NoticeProps) {
  const Icon = noticeIcons[tone]
  return (
    <div className={`notice notice-${tone}`} role={alert ? 'alert' : undefined}>
      <Icon size={16} aria-hidden />
      <div className="notice-text">
        {title ? <strong>{title}</strong> : null}
        {children ? <div>{children}</div> : null}
      </div>
      {action ? <div className="notice-action">{action}</div> : null}
    </div>
  )
}

const remedies: Record<string, string> = {
  unreachable: 'Check that the service is running and reachable from this computer.',
  unauthorized: 'Sign in again to return to this page.',
  too_many_requests: 'Wait a moment, then try again.',
  unavailable: 'Try again in a few seconds.',
  internal_error: 'Try again. If it keeps failing, send the request ID to your operator.',
  validation_failed: 'Fix the fields listed above and try again.',
  resource_not_found: 'It may have been deleted, or it belongs to another workspace.',
  page_error: 'Reload the page and try again.',
}
interface FailureProps {
  error: ApiError
  kept?: string | undefined
  retry?: (() => void) | undefined
  /** The retry is in progress. */
  busy?: boolean
  /** Overrides the title of the error. */
  title?: string
  /** Replaces the list of violations, without those shown at a field. */
  sentences?: readonly string[]
}
/** Shows what happened, what was kept, what to do next, and the request ID. An outage looks different from an error. */
export function Failure({ error, kept, retry, busy, title, sentences }: FailureProps) {
  const remedy = sentences ? undefined : remedies[error.code]
  const listed = error.errors.filter(({ pointer }) => pointer !== '')
  return (
    <Notice
      alert
      tone={error.outage ? 'attention' : 'broken'}
      title={error.status === 503 ? 'The service is busy' : (title ?? error.title)}
      action={
        retry ? (
          <Button small busy={busy} onClick={retry}>
            Try again
          </Button>
        ) : undefined
      }
    >
      {error.detail ? <p>{error.detail}</p> : null}
      {(sentences ?? listed).length > 0 ? (
        <ul className="failure-list">
          {sentences?.map((text) => <li key={text}>{text}</li>) ??
            listed.map(({ pointer, message }) => (
              <li key={pointer + message}>
                <code>{pointer}</code> {message}
              </li>
            ))}
        </ul>
      ) : null}
      {kept || remedy ? <p>{[kept, remedy].filter(Boolean).join(' ')}</p> : null}
      {error.requestId ? (
        <p className="row small">
          Request <Identifier value={error.requestId} length={30} label="Copy request ID" />
        </p>
      ) : null}
    </Notice>
  )
}

/** Placeholder lines while content loads. */
export function Skeleton({ lines = 3, height }: { lines?: number; height?: number }) {
  if (height) return <div className="skeleton" style={{ height }} aria-hidden />
  return (
    <div className="skeleton-lines" aria-hidden>
      {Array.from({ length: lines }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <div key={index} className="skeleton skeleton-line" style={{ width: `${92 - ((index * 17) % 40)}%` }} />
      ))}
    </div>
  )
}

const Retrying = () => (
  <div className="retrying" role="status">
    <LoaderCircle size={16} aria-hidden className="turning" />
    The service is busy or unreachable. Trying again…
  </div>
)

/**
 * A placeholder while loading, the error if it fails, otherwise the content. Old content stays while new content loads.
 */
export function Content<T>({
  of,
  shape,
  children,
}: {
  of: Loaded<T>
  shape?: ReactNode
  children(data: T): ReactNode
}) {
  if (of.data !== undefined) return <div className={of.stale ? 'stale' : undefined}>{children(of.data)}</div>
  if (of.error)
    return <Failure error={of.error} kept="Nothing was changed." retry={() => void of.refresh()} busy={of.loading} />
  return (
    <div aria-busy="true">
      <span className="unseen">Loading…</span>
      {of.retrying ? <Retrying /> : null}
      {shape ?? <Skeleton lines={4} />}
    </div>
  )
}
