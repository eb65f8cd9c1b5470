import { useState } from 'react'
import { middle } from '../format.ts'
import { Check, Copy } from '../lucide/icons.tsx'
import { withTooltip } from './tooltip.tsx'
import './identifier.css'

export function CopyButton({ text, label = 'Copy', word = false }: { text: string; label?: string; word?: boolean }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text).catch(() => copyBySelection(text))
    setCopied(true)
    setTimeout(() => setCopied(false), 1600)
  }
  const Icon = copied ? Check : Copy
  return (
    <button
      type="button"
      className={word ? 'button button-plain button-small' : 'copy'}
      aria-label={word ? undefined : label}
      {...(word ? {} : withTooltip(label))}
      onClick={copy}
    >
      <Icon size={14} aria-hidden />
      {word ? (copied ? 'Copied' : label) : null}
      <span className="unseen" aria-live="polite">
        {copied ? 'Copied' : ''}
      </span>
    </button>
  )
}

/** The clipboard API is available only over https or on localhost. */
function copyBySelection(text: string): void {
  const field = document.createElement('textarea')
  field.value = text
  ;(document.querySelector('dialog[open]') ?? document.body).append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}

/** An ID: monospace, shortened in the middle, copied in full. `wraps`: on several lines where there is no room. */
export function Identifier({
  value,
  length = 22,
  label = 'Copy ID',
  wraps = false,
}: {
  value: string
  length?: number
  label?: string
  wraps?: boolean
}) {
  return (
    <span className={wraps ? 'identifier identifier-wraps' : 'identifier'}>
      <span className="mono" title={value}>
        {middle(value, length)}
      </span>
      <CopyButton text={value} label={label} />
    </span>
  )
}
