// Is a response what the connector needs? A gateway's page, an empty object or a proxy's message with status 200 is
// not: it is a lost response.
import type { Connector, NativeRequest, Shape, ShapeKind, ShapeMembers } from '../../contract/connector.ts'
import { stepsOf } from '../../contract/pointer.ts'

interface Row {
  method: string
  segments: readonly string[]
  operation: string | undefined
  literals: number
  shape: Shape
}
const rowsOf = new WeakMap<Connector, readonly Row[]>()

function tableOf(connector: Connector): readonly Row[] {
  let rows = rowsOf.get(connector)
  if (!rows) {
    rows = Object.entries(connector.shapes ?? {}).map(([key, shape]) => {
      const [, method = '', path = '', operation] = /^([A-Z]+) ([^#]+)(?:#(.+))?$/.exec(key) ?? []
      const segments = path.split('/')
      const literals = segments.filter((segment) => !segment.includes('{')).length
      return { method, segments, operation, literals, shape }
    })
    rowsOf.set(connector, rows)
  }
  return rows
}
const fits = (pattern: string, segment: string | undefined) =>
  segment !== undefined && segment !== '' && (pattern === segment || isBetween(pattern, segment))
/** `{id}`, or `{id}.json`: the text around the braces is as it is. */
function isBetween(pattern: string, segment: string): boolean {
  const [before, after] = [pattern.indexOf('{'), pattern.lastIndexOf('}')]
  if (before < 0 || after < before) return false
  const [start, end] = [pattern.slice(0, before), pattern.slice(after + 1)]
  return segment.length > start.length + end.length && segment.startsWith(start) && segment.endsWith(end)
}

/** The name of the operation in a GraphQL document, or of the table in a query language. */
function operationOf({ body, query }: NativeRequest): string | undefined {
  const document = (body as { query?: unknown } | undefined)?.query ?? query?.query
  if (typeof document !== 'string') return undefined
  return (/\b(?:query|mutation)\s+(\w+)/.exec(document) ?? /\bfrom\s+(\w+)/i.exec(document))?.[1]
}

/** The most exact row of the connector's table; undefined when it has none for this call. */
export function shapeOf(connector: Connector, request: NativeRequest): Shape | undefined {
  const segments = (request.path.split('?')[0] as string).split('/')
  const operation = operationOf(request)
  let best: Row | undefined
  for (const row of tableOf(connector)) {
    if (row.method !== request.method || row.segments.length !== segments.length) continue
    if (row.operation !== undefined && row.operation !== operation) continue
    if (!row.segments.every((pattern, n) => pattern === segments[n] || fits(pattern, segments[n]))) continue
    const score = row.literals + (row.operation === undefined ? 0 : 1)
    if (!best || score > best.literals + (best.operation === undefined ? 0 : 1)) best = row
  }
  return best?.shape
}

const kinds: Readonly<Record<ShapeKind, (value: unknown) => boolean>> = {
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  id: (value) => (typeof value === 'string' ? value !== '' : typeof value === 'number' && Number.isFinite(value)),
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  position: (value) => typeof value === 'string',
}

/** The fault of a response, in words; undefined when it has the shape. The body of a 204 is undefined. */
export function misshapen(
  shape: Shape,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): string | undefined {
  if (shape === 'anything') return undefined
  if (shape === 'nothing') return body === undefined ? undefined : 'it has a body'
  const problems = (Array.isArray(shape) ? shape : [shape]).map((members) => problemWith(members, body, headers))
  return problems.includes(undefined) ? undefined : problems[0]
}
/** A member of a shape, prepared once: the check runs for every response. */
interface Check {
  pointer: string
  header: string | undefined
  steps: readonly string[]
  optional: boolean
  kind: ShapeKind
}
const checksOf = new WeakMap<ShapeMembers, readonly Check[]>()

function prepared(members: ShapeMembers): readonly Check[] {
  let checks = checksOf.get(members)
  if (!checks) {
    checks = Object.entries(members).map(([pointer, declared]) => {
      const header = /^header (.+)/.exec(pointer)?.[1]
      return {
        pointer,
        header,
        steps: header === undefined ? stepsOf(pointer) : [header],
        optional: declared.endsWith('?'),
        kind: declared.replace('?', '') as ShapeKind,
      }
    })
    checksOf.set(members, checks)
  }
  return checks
}

function problemWith(
  members: ShapeMembers,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): string | undefined {
  let found = 0
  for (const { pointer, header, steps, optional, kind } of prepared(members)) {
    const state = stateOf(header === undefined ? body : headers, steps, 0, kinds[kind])
    if (state === 'wrong') return `${pointer || 'its body'} is not of the kind "${kind}"`
    if (state === 'right') found++
    else if (!optional) return `it has no ${pointer || 'body'}`
  }
  // A stranger's object has none of the members, and others.
  if (found === 0 && !isEmpty(members, body)) return 'it has none of the expected members'
  return undefined
}
/**
 * True for a page without any member, at a position that the platform named as the next one. A platform may send that,
 * and so may anything between it and this service.
 */
export function isBarePage(shape: Shape | undefined, request: NativeRequest, body: unknown): boolean {
  if (shape === undefined || typeof shape === 'string') return false
  return [shape].flat().some((members) => isEmpty(members, body) && hasPosition(members, request))
}
function hasPosition(members: ShapeMembers, { query, body }: NativeRequest): boolean {
  return prepared(members).some(
    ({ kind, steps }) =>
      kind === 'position' &&
      [query, body].some((sent) => stateOf(sent, steps, 0, (value) => kinds.string(value) && value !== '') === 'right'),
  )
}
/** How a platform leaves out everything: `{}`, or no body at all in the place of a list. */
function isEmpty(members: object, body: unknown): boolean {
  if (Object.keys(members).some((pointer) => pointer.startsWith('/*'))) return body === undefined
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
}

/** An element of an array that lacks the member counts as wrong, not as absent. */
function stateOf(
  value: unknown,
  steps: readonly string[],
  at: number,
  isKind: (value: unknown) => boolean,
): 'absent' | 'wrong' | 'right' {
  const step = steps[at]
  if (step === undefined) return value === undefined || value === null ? 'absent' : isKind(value) ? 'right' : 'wrong'
  if (step === '*') {
    if (!Array.isArray(value)) return 'absent'
    for (const element of value) if (stateOf(element, steps, at + 1, isKind) !== 'right') return 'wrong'
    return 'right'
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return 'absent'
  return stateOf((value as Record<string, unknown>)[step], steps, at + 1, isKind)
}
