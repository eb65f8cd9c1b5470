import { type Ref, useId } from 'react'
import './code-area.css'

interface CodeAreaProps {
  label: string
  value: string
  onChange(text: string): void
  /** Lines with findings. */
  marks: ReadonlyMap<number, 'error' | 'warning'>
  area: Ref<HTMLTextAreaElement>
  describedBy?: string
}

/** A text area that grows with its text, with line numbers. */
export function CodeArea({ label, value, onChange, marks, area, describedBy }: CodeAreaProps) {
  const id = useId()
  const count = value.split('\n').length
  return (
    <div className="code-area">
      <label htmlFor={id} className="unseen">
        {label}
      </label>
      <div className="code-area-lines" aria-hidden>
        {Array.from({ length: count }, (_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line is its number
          <span key={index} data-mark={marks.get(index + 1)}>
            {index + 1}
          </span>
        ))}
      </div>
      <textarea
        ref={area}
        id={id}
        rows={count}
        value={value}
        wrap="off"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        aria-invalid={[...marks.values()].includes('error') || undefined}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

/** Puts the cursor on a line and selects it. */
export function selectLine(area: HTMLTextAreaElement | null, line: number): void {
  if (!area) return
  const before = area.value.split('\n').slice(0, line - 1)
  const start = before.reduce((length, text) => length + text.length + 1, 0)
  const end = area.value.indexOf('\n', start)
  area.focus()
  area.setSelectionRange(start, end === -1 ? area.value.length : end)
  const frame = area.parentElement
  if (frame) frame.scrollTop = Math.max(0, (line - 4) * 18)
}
