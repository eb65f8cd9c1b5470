// Lines between the highlighted rows of both trees.
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import type { Lit } from './links.ts'

interface Line {
  key: string
  path: string
  faint: boolean
}
interface ConnectorProps {
  frame: RefObject<HTMLDivElement | null>
  left: RefObject<HTMLDivElement | null>
  right: RefObject<HTMLDivElement | null>
  pairs: readonly { from: string; to: string; faint: boolean }[]
  /** Changes when a tree was scrolled or folded. */
  moved: number
}
const mostLines = 24

export function Connector({ frame, left, right, pairs, moved }: ConnectorProps) {
  const [lines, setLines] = useState<Line[]>([])
  const [size, setSize] = useState(0)
  useEffect(() => {
    const observer = new ResizeObserver(() => setSize((before) => before + 1))
    if (frame.current) observer.observe(frame.current)
    return () => observer.disconnect()
  }, [frame])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `moved` and `size` say that the rows stand elsewhere now
  useLayoutEffect(() => {
    const box = frame.current?.getBoundingClientRect()
    if (!box || !left.current || !right.current) return setLines([])
    const [one, other] = [left.current, right.current]
    setLines(
      pairs.slice(0, mostLines).flatMap(({ from, to, faint }) => {
        const [start, end] = [heightOf(one, from), heightOf(other, to)]
        if (start === undefined || end === undefined) return []
        const [x1, x2] = [one.getBoundingClientRect().right - box.left, other.getBoundingClientRect().left - box.left]
        const middle = (x1 + x2) / 2
        const path = `M ${x1} ${start - box.top} C ${middle} ${start - box.top}, ${middle} ${end - box.top}, ${x2} ${end - box.top}`
        return [{ key: `${from} ${to}`, path, faint }]
      }),
    )
  }, [pairs, moved, size, frame, left, right])
  return (
    <svg className="connector" aria-hidden="true">
      {lines.map(({ key, path, faint }) => (
        <path key={key} d={path} className={faint ? 'connector-faint' : undefined} />
      ))}
    </svg>
  )
}

/** The position of a row, clamped to the visible part of its tree. */
function heightOf(tree: HTMLElement, pointer: string): number | undefined {
  const row = rowOf(tree, pointer)
  if (!row) return undefined
  const [outer, inner] = [tree.getBoundingClientRect(), row.getBoundingClientRect()]
  return Math.min(Math.max(inner.top + inner.height / 2, outer.top + 4), outer.bottom - 4)
}
export const rowOf = (tree: HTMLElement | null, pointer: string) =>
  tree?.querySelector<HTMLElement>(`[data-pointer="${CSS.escape(pointer)}"]`) ?? undefined

/**
 * Scrolls the first highlighted row to the height of its counterpart unless it is visible. Scrolls the tree, never the
 * page.
 */
export function reveal(tree: HTMLElement | null, lit: Lit, height: number | undefined): void {
  const pointer = [...lit].find(([, how]) => how === 'main')?.[0] ?? [...lit.keys()][0]
  const row = pointer === undefined ? undefined : rowOf(tree, pointer)
  if (!tree || !row) return
  const visible =
    row.offsetTop >= tree.scrollTop && row.offsetTop + row.offsetHeight <= tree.scrollTop + tree.clientHeight
  if (!visible) tree.scrollTop = row.offsetTop - (height ?? tree.clientHeight / 3)
}
/** The offset of a row from the top of its tree. */
export const heightIn = (tree: HTMLElement | null, pointer: string): number | undefined => {
  const row = rowOf(tree, pointer)
  return row && tree ? row.offsetTop - tree.scrollTop : undefined
}
