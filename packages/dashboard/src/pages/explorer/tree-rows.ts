// A JSON value as the rows of a tree: one for each value, and the containers around them.
export interface TreeRow {
  pointer: string
  name: string
  depth: number
  value: unknown
  /** How many values a container has; absent for plain values. */
  size?: number
}
const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
const escaped = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')
export const parentOf = (pointer: string) => pointer.slice(0, pointer.lastIndexOf('/'))
export const isBelow = (pointer: string, ancestor: string) => pointer === ancestor || pointer.startsWith(`${ancestor}/`)

export function rowsOf(value: unknown, pointer = '', depth = 0): TreeRow[] {
  if (!isContainer(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = `${pointer}/${escaped(name)}`
    const size = isContainer(inner) ? Object.keys(inner).length : 0
    const row: TreeRow = { pointer: at, name, depth, value: inner, size: size > 0 ? size : undefined }
    return size > 0 ? [row, ...rowsOf(inner, at, depth + 1)] : [row]
  })
}

/** Rows that no folded container hides. */
export function visibleRows(rows: readonly TreeRow[], folded: ReadonlySet<string>): TreeRow[] {
  const visible: TreeRow[] = []
  let hiddenBelow: string | undefined
  for (const row of rows) {
    if (hiddenBelow !== undefined && row.pointer.startsWith(`${hiddenBelow}/`)) continue
    hiddenBelow = folded.has(row.pointer) ? row.pointer : undefined
    visible.push(row)
  }
  return visible
}

/** The row itself, or the folded container that hides it. */
export function shownAt(pointer: string, visible: ReadonlySet<string>): string | undefined {
  for (let at = pointer; at !== ''; at = parentOf(at)) if (visible.has(at)) return at
  return undefined
}
