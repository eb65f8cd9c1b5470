import { readable } from '../../format.ts'
import { Check, Minus } from '../../lucide/icons.tsx'
import type { EntitySupport } from '../../platforms.ts'
import './platforms.css'

const operations = ['read', 'write', 'update'] as const

interface SupportProps {
  support: EntitySupport | undefined
  words?: boolean
  /** No platform lets you write them, so the matrix has no place for other letters. */
  readOnly?: boolean
}
/** Read, write, update: as letters in the matrix, as words where there is room. */
export function Support({ support, words = false, readOnly = false }: SupportProps) {
  if (!support)
    return (
      <span className="matrix-none">
        <Minus size={14} aria-hidden />
        <span className="unseen">not supported</span>
      </span>
    )
  return (
    <span className="matrix-cell">
      {operations.map((operation) =>
        support[operation] ? (
          <span key={operation} className="matrix-yes">
            {words ? <Check size={12} aria-hidden /> : null}
            <span aria-hidden={!words}>{words ? readable(operation) : operation.charAt(0).toUpperCase()}</span>
            {words ? null : <span className="unseen">{operation}</span>}
          </span>
        ) : words || readOnly ? null : (
          <span key={operation} className="matrix-no" aria-hidden>
            ·
          </span>
        ),
      )}
    </span>
  )
}
