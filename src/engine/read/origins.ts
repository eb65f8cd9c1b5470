// Which parts of the platform's responses a row was made of. The objects of a response are marked before an adapter gets
// them. A copy of an object with the spread syntax has its mark, too, so rows that adapters put together still tell.
import type { NativeRequest, ReadCall } from '../../contract/connector.ts'
import { madeOf } from '../../contract/made-of.ts'

/** A part of a response. */
export interface NativePart {
  method: string
  path: string
  pointer: string // in the body of the response; empty: all of it
  value: unknown
}
/** `value` is what the platform sent. No adapter gets it, so it stays as it came. */
interface Origin {
  request: NativeRequest
  pointer: string
  value: unknown
}
const origin = Symbol('origin')

/** A call object whose responses are marked. */
export const marking = (call: ReadCall): ReadCall => ({
  ...call,
  async read(request) {
    const response = await call.read(request)
    return { ...response, body: marked({ ...request }, response.body, '') }
  },
})

/** `request` is an object of its own for every call: it tells two responses to the same request apart. */
function marked(request: NativeRequest, value: unknown, pointer: string): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((entry, index) => marked(request, entry, `${pointer}/${index}`))
  const entries = Object.entries(value).map(([name, entry]): [string, unknown] => [
    name,
    marked(request, entry, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  ])
  return Object.assign(Object.fromEntries(entries), { [origin]: { request, pointer, value } satisfies Origin })
}

/** The parts of responses that a row consists of, the main one first. None is inside another one. */
export function partsOf(row: unknown): NativePart[] {
  const found: Origin[] = []
  const seen = new Set<object>()
  function visit(value: unknown, around: Origin | undefined): void {
    if (typeof value !== 'object' || value === null || seen.has(value)) return
    seen.add(value)
    const ownOrigin = (value as { [origin]?: Origin })[origin]
    const isInside = ownOrigin && around && (ownOrigin === around || contains(around, ownOrigin))
    if (ownOrigin && !isInside) found.push(ownOrigin)
    const nearest = isInside ? around : (ownOrigin ?? around)
    for (const inner of Object.values(value)) visit(inner, nearest)
    visit((value as { [madeOf]?: unknown })[madeOf], nearest)
  }
  visit(row, undefined)
  const parts = [...new Set(found)]
  return parts
    .filter((one) => !parts.some((other) => other !== one && contains(other, one)))
    .map(({ request: { method, path }, pointer, value }) => ({ method, path, pointer, value }))
}
const contains = (outer: Origin, inner: Origin) =>
  outer.request === inner.request && inner.pointer.startsWith(`${outer.pointer}/`)
