import type { ApiError } from '../../api.ts'
import { Failure } from '../../components/feedback.tsx'
import { Section } from '../../components/page.tsx'
import { State } from '../../components/state.tsx'
import { plural } from '../../format.ts'
import { lineOf, type Parsed } from './json-lines.ts'
import type { Verdict } from './responses.ts'

interface FindingsProps {
  parsed: Parsed
  verdict: Verdict | undefined
  unchecked: ApiError | undefined
  platformName: string
  onJump(line: number): void
}

/** All findings; each one links to its line. */
export function Findings({ parsed, verdict, unchecked, platformName, onJump }: FindingsProps) {
  const errors = parsed.error
    ? [{ pointer: '', message: parsed.error.message, line: parsed.error.line }]
    : (verdict?.errors ?? []).map((one) => ({ ...one, line: lineOf(one.pointer, parsed.lines) }))
  const warnings = parsed.error
    ? []
    : (verdict?.warnings ?? []).map((one) => ({
        pointer: one.pointer ?? '',
        message: one.message,
        line: lineOf(one.pointer ?? '', parsed.lines),
      }))
  const references = parsed.error ? [] : (verdict?.references ?? [])
  const found = [
    ...errors.map((one) => ({ ...one, tone: 'broken' as const })),
    ...warnings.map((one) => ({ ...one, tone: 'attention' as const })),
  ].sort((a, b) => a.line - b.line)
  return (
    <Section title="Validation" actions={<Summary errors={errors.length} checked={Boolean(parsed.error || verdict)} />}>
      <div id="findings" className="findings" aria-live="polite">
        {unchecked ? <Failure error={unchecked} kept="Your input is still here." /> : null}
        {errors.length + warnings.length + references.length === 0 && !unchecked ? (
          <p className="faint">{verdict ? `Valid. ${platformName} stores every field.` : 'Checking…'}</p>
        ) : null}
        {found.map(({ pointer, message, line, tone }) => (
          <button
            key={`${tone} ${pointer} ${message}`}
            type="button"
            className={`finding finding-${tone}`}
            onClick={() => onJump(line)}
          >
            <span className="finding-line number">{line}</span>
            <span>
              {pointer ? <span className="mono">{pointer.slice(1).replaceAll('/', '.')}</span> : null} {message}
            </span>
          </button>
        ))}
        {references.map(({ pointer, sourceId, nativeId }) => (
          <p key={pointer} className="small faint">
            <span className="mono">{pointer.slice(1).replaceAll('/', '.')}</span>: {sourceId} is {nativeId} at{' '}
            {platformName}
          </p>
        ))}
      </div>
    </Section>
  )
}

function Summary({ errors, checked }: { errors: number; checked: boolean }) {
  if (!checked) return <State tone="waiting">Checking</State>
  return errors === 0 ? <State tone="ok">Valid</State> : <State tone="broken">{plural(errors, 'problem')}</State>
}
