import { type KeyboardEvent, type ReactNode, type Ref, useState } from 'react'
import { ChevronRight } from '../../lucide/icons.tsx'
import { isBelow, parentOf, type TreeRow } from './tree-rows.ts'
import './tree.css'

interface TreeProps {
  label: string
  rows: readonly TreeRow[]
  folded: ReadonlySet<string>
  lit: ReadonlyMap<string, 'main' | 'decides'>
  scroller: Ref<HTMLDivElement>
  onFold(pointer: string, folded: boolean): void
  /** Hovered or focused; undefined when the pointer leaves. */
  onActive(pointer: string | undefined, how: 'hover' | 'focus'): void
  /** Called on Enter: switches to the other tree. */
  onCross(pointer: string): void
  onScroll(): void
  /** A label at the end of a row. */
  mark(row: TreeRow): ReactNode
  isFaint(row: TreeRow): boolean
}

/** A tree is one tab stop; arrow keys move, collapse, and expand. */
export function Tree({
  label,
  rows,
  folded,
  lit,
  scroller,
  onFold,
  onActive,
  onCross,
  onScroll,
  mark,
  isFaint,
}: TreeProps) {
  const [stop, setStop] = useState('')
  const tabbed = rows.some(({ pointer }) => pointer === stop) ? stop : rows[0]?.pointer
  const focus = (row: TreeRow | undefined, from: Element) => {
    if (row)
      from
        .closest('[role=tree]')
        ?.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(row.pointer)}"]`)
        ?.focus()
  }
  const walk = (event: KeyboardEvent, row: TreeRow, index: number) => {
    const open = row.size !== undefined && !folded.has(row.pointer)
    const at = event.currentTarget
    if (event.key === 'ArrowDown') focus(rows[index + 1], at)
    else if (event.key === 'ArrowUp') focus(rows[index - 1], at)
    else if (event.key === 'Home') focus(rows[0], at)
    else if (event.key === 'End') focus(rows.at(-1), at)
    else if (event.key === 'ArrowRight' && row.size !== undefined && !open) onFold(row.pointer, false)
    else if (event.key === 'ArrowRight' && open) focus(rows[index + 1], at)
    else if (event.key === 'ArrowLeft' && open) onFold(row.pointer, true)
    else if (event.key === 'ArrowLeft')
      focus(
        rows.find(({ pointer }) => pointer === parentOf(row.pointer)),
        at,
      )
    else if (event.key === 'Enter') onCross(row.pointer)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={scroller}
      className="tree"
      role="tree"
      aria-label={label}
      onScroll={onScroll}
      onPointerLeave={() => onActive(undefined, 'hover')}
    >
      {rows.map((row, index) => {
        const light = lit.get(row.pointer)
        const open = row.size === undefined ? undefined : !folded.has(row.pointer)
        return (
          <div
            key={row.pointer}
            role="treeitem"
            aria-level={row.depth + 1}
            aria-expanded={open}
            aria-selected={light === 'main'}
            tabIndex={row.pointer === tabbed ? 0 : -1}
            data-pointer={row.pointer}
            data-lit={light}
            className={isFaint(row) ? 'tree-row tree-row-faint' : 'tree-row'}
            style={{ paddingLeft: 8 + row.depth * 14 }}
            // A row that scrolls under an idle mouse is not hovered.
            onPointerMove={(event) =>
              event.pointerType === 'mouse' &&
              (event.movementX !== 0 || event.movementY !== 0) &&
              onActive(row.pointer, 'hover')
            }
            onFocus={() => {
              setStop(row.pointer)
              onActive(row.pointer, 'focus')
            }}
            onClick={() => open !== undefined && onFold(row.pointer, open)}
            onKeyDown={(event) => walk(event, row, index)}
          >
            <ChevronRight
              size={12}
              aria-hidden
              className={open === undefined ? 'tree-turn tree-leaf' : open ? 'tree-turn tree-open' : 'tree-turn'}
            />
            <span className="tree-name">{row.name}</span>
            <Value row={row} open={open} />
            <span className="tree-mark">{mark(row)}</span>
          </div>
        )
      })}
    </div>
  )
}

function Value({ row: { value, size }, open }: { row: TreeRow; open: boolean | undefined }) {
  if (size !== undefined) {
    const text = Array.isArray(value) ? `[${size}]` : open ? '' : `{${size}}`
    return <span className="tree-size">{text}</span>
  }
  if (value === undefined) return <span className="tree-value" />
  const text = JSON.stringify(value)
  return (
    <span
      className={`tree-value tree-${value === null ? 'null' : typeof value}`}
      title={text.length > 36 ? text : undefined}
    >
      {text}
    </span>
  )
}

/** Collapsed by default: containers without any used value. */
export const foldedAtFirst = (rows: readonly TreeRow[], used: readonly string[]): Set<string> =>
  new Set(
    rows
      .filter(({ pointer, size }) => size !== undefined && !used.some((one) => isBelow(one, pointer)))
      .map(({ pointer }) => pointer),
  )
