// Which leaves of one JSON value another lacks or holds differently. Elements of arrays are matched by content first,
// so that one line more or less does not change all that follow.
import { canonical } from '../write/canonical.ts'

export interface Leaf {
  pointer: string
  value: unknown
}
const isContainer = (value: unknown): value is Record<string, unknown> | unknown[] =>
  typeof value === 'object' && value !== null
const below = (pointer: string, name: string) => `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Scalars, and containers with nothing in them. */
export function leavesOf(value: unknown, pointer = ''): Leaf[] {
  if (!isContainer(value) || Object.keys(value).length === 0) return [{ pointer, value }]
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, below(pointer, name)))
}

/** Pointers into `base`. An element that is missing as a whole does not report its leaves. */
export function changedLeaves(base: unknown, now: unknown, pointer = ''): string[] {
  if (Array.isArray(base) && Array.isArray(now)) {
    return partners(base, now).flatMap((partner, index) =>
      partner === undefined ? [] : changedLeaves(base[index], now[partner], `${pointer}/${index}`),
    )
  }
  if (isContainer(base) && !Array.isArray(base) && isContainer(now) && Object.keys(base).length > 0)
    return Object.entries(base).flatMap(([name, inner]) =>
      changedLeaves(inner, (now as Record<string, unknown>)[name], below(pointer, name)),
    )
  if (isContainer(base))
    return now === undefined || !isContainer(now) ? leavesOf(base, pointer).map((leaf) => leaf.pointer) : []
  return base === now ? [] : [pointer]
}

/** For each element of `base` the index of its partner in `now`: the same content first, the others in their order. */
function partners(base: readonly unknown[], now: readonly unknown[]): (number | undefined)[] {
  const texts = now.map(canonical)
  const free = new Set(now.keys())
  const found = base.map((element, index) => {
    const text = canonical(element)
    const partner = texts[index] === text && free.has(index) ? index : [...free].find((other) => texts[other] === text)
    if (partner !== undefined) free.delete(partner)
    return partner
  })
  const rest = [...free]
  return found.map((partner) => partner ?? rest.shift())
}
