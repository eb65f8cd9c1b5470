import type { ReactNode } from 'react'
import { CopyButton } from './identifier.tsx'
import './code.css'

/** Text to copy. */
export function Code({ text, label = 'Copy', action }: { text: string; label?: string; action?: ReactNode }) {
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
      <div className="code-actions">
        {action}
        <CopyButton text={text} label={label} />
      </div>
    </div>
  )
}

const tokens = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g
/** JSON with syntax colors. */
export function Json({ value, limit = 40_000 }: { value: unknown; limit?: number }) {
  const whole = typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
  const text = whole.length > limit ? whole.slice(0, limit) : whole
  const parts: ReactNode[] = []
  let from = 0
  for (const match of typeof value === 'string' ? [] : text.matchAll(tokens)) {
    parts.push(text.slice(from, match.index))
    const kind = match[2] ? 'json-name' : match[1] ? 'json-text' : 'json-value'
    parts.push(
      <span key={match.index} className={kind}>
        {match[1] ?? match[0]}
      </span>,
      match[2] ?? '',
    )
    from = match.index + match[0].length
  }
  parts.push(text.slice(from))
  return (
    <div className="code">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard */}
      <pre className="json" tabIndex={0}>
        <code>{parts}</code>
        {whole.length > limit ? '\n…' : ''}
      </pre>
      <div className="code-actions">
        <CopyButton text={whole} label="Copy JSON" />
      </div>
    </div>
  )
}
