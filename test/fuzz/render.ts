// Converts a case to the bytes that are sent.
import { gzipSync } from 'node:zlib'
import type { CredentialName, FuzzCase, Twist } from './cases.ts'
import type { Operation } from './document.ts'
import { RawJson } from './hostile.ts'
import type { Sending } from './wire.ts'

/** Values that only a running service has. */
export interface Surroundings {
  /** `{{name}}` in paths, queries and bodies. */
  value(name: string, account: number, operation: Operation): string | undefined
  authorization(name: CredentialName, operation: Operation | undefined): string | undefined
}
export interface Rendered {
  method: string
  path: string // without its query
  sending: Sending
  text?: string // of the body, where it is text
  jsonBody: boolean // its content type
  selected: boolean // its records have selected fields
}
export type PlannedCase = Extract<FuzzCase, { operation: string }>
type Of<Name extends Twist['twist']> = Extract<Twist, { twist: Name }>

/** Longer than any request on a busy machine. */
export const patienceMs = 60_000

export function render(fuzzCase: PlannedCase, operation: Operation, surroundings: Surroundings): Rendered {
  const { account, query, twists } = fuzzCase
  const all = <Name extends Twist['twist']>(name: Name) =>
    twists.filter((twist): twist is Of<Name> => twist.twist === name)
  const last = <Name extends Twist['twist']>(name: Name) => all(name).at(-1)
  const fill = (text: string, encode: (text: string) => string = (same) => same) =>
    text.replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => {
      const value = surroundings.value(name, account, operation)
      return value === undefined ? whole : encode(value)
    })
  const method = last('method')?.method ?? operation.method
  let number = 0
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const twist = all('segment').find(({ at }) => at % countOf(operation.path) === number)
    number++
    return twist ? twist.text : fill(`{{${name}}}`, encodeURIComponent)
  })
  const parameters = Object.entries(query).map(([name, value]) => `${name}=${fill(String(value), encodeURIComponent)}`)
  for (const { at, text } of all('parameter')) {
    const known = operation.parameters.filter((parameter) => parameter.in === 'query')
    const name = known[at % Math.max(1, known.length)]?.name ?? 'unknown'
    parameters.push(`${name}=${text}`)
  }
  const search = [...parameters, ...all('query').map(({ text }) => text)].join('&')
  const headers: [string, string][] = [
    ['host', 'fuzz.example'],
    ['x-forwarded-for', nextAddress()],
  ]
  const authorization = surroundings.authorization(last('credential')?.name ?? 'right', operation)
  if (authorization !== undefined) headers.push(['authorization', authorization])
  headers.push(...all('header').map(({ header }) => header))
  const { bytes, text } = last('no body')
    ? { bytes: undefined, text: undefined }
    : bodyOf(fuzzCase, operation, fill, last('encoding')?.name)
  const typeTwist = last('content type')
  const type = typeTwist ? typeTwist.type : operation.body?.type
  if (bytes && type !== undefined) headers.push(['content-type', type])
  if (last('encoding')?.name === 'gzip' && bytes) headers.push(['content-encoding', 'gzip'])
  const chunks = last('chunks')
  if (bytes && !chunks) headers.push(['content-length', String(bytes.length)])
  if (bytes && chunks) headers.push(['transfer-encoding', 'chunked'])
  const head = Buffer.from(
    `${method} ${path}${search ? `?${search}` : ''} HTTP/1.1\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    'latin1',
  )
  const parts = !bytes ? [head] : chunks ? [head, ...chunked(bytes, chunks.count)] : [Buffer.concat([head, bytes])]
  return {
    method,
    path,
    text,
    selected: /(^|&)fields=/.test(search),
    jsonBody: /^application\/json(; charset=utf-8)?$/i.test(type ?? '') && !last('encoding'),
    sending: { parts, pauseMs: chunks?.pauseMs ?? 0, responses: 1, timeoutMs: patienceMs, head: method === 'HEAD' },
  }
}
/** Wrong secrets are counted by address. From one address, nearly all requests would be rejected. */
let address = 0
export const nextAddress = () => `10.${(++address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`
const countOf = (path: string) => Math.max(1, path.match(/\{/g)?.length ?? 0)

function bodyOf(
  { body, twists }: PlannedCase,
  operation: Operation,
  fill: (text: string) => string,
  encoding: string | undefined,
): { bytes?: Buffer; text?: string } {
  const whole = twists.findLast((twist): twist is Of<'body'> => twist.twist === 'body')
  if (body === undefined && !whole) return {}
  const text = whole
    ? typeof whole.text === 'string'
      ? whole.text
      : whole.text.text
    : textOf(operation, twists.reduce(bend, body), fill)
  switch (encoding) {
    case 'utf-16':
      return { bytes: Buffer.from(text, 'utf16le') }
    case 'latin-1':
      return { bytes: Buffer.from(text, 'latin1') }
    case 'byte order mark':
      return { bytes: Buffer.from(`\ufeff${text}`) }
    case 'broken utf-8':
      return {
        bytes: Buffer.concat([
          Buffer.from(text.slice(0, -1)),
          Buffer.from([0xc3, 0x28, 0xff]),
          Buffer.from(text.slice(-1)),
        ]),
      }
    case 'gzip':
      return { bytes: gzipSync(text) }
    default:
      return { bytes: Buffer.from(text), text }
  }
}
function textOf(operation: Operation, body: unknown, fill: (text: string) => string): string {
  if (operation.body?.type === 'application/x-www-form-urlencoded') {
    const entries = Object.entries((body ?? {}) as Record<string, unknown>).map(
      ([name, value]) => `${name}=${encodeURIComponent(value instanceof RawJson ? value.text : fill(String(value)))}`,
    )
    return entries.join('&')
  }
  return typeof body === 'string' && operation.body?.type !== 'application/json' ? body : fill(toText(body))
}

/** JSON.stringify with support for raw pieces. */
export function toText(value: unknown): string {
  if (value instanceof RawJson) return value.text
  if (Array.isArray(value)) return `[${value.map(toText).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).filter(([, entry]) => entry !== undefined)
    return `{${entries.map(([name, entry]) => `${JSON.stringify(name)}:${toText(entry)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

function bend(body: unknown, twist: Twist): unknown {
  if (twist.twist === 'node') return replaceNode(body, twist.at, twist.value)
  if (twist.twist === 'extra' && typeof body === 'object' && body !== null && !(body instanceof RawJson)) {
    const bent = { ...body }
    // An assignment to __proto__ would not create a field.
    Object.defineProperty(bent, twist.name, {
      value: twist.value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
    return bent
  }
  return body
}

/** Replaces the node number `at` (modulo the number of nodes, including the root). */
export function replaceNode(root: unknown, at: number, value: RawJson | 'removed'): unknown {
  let remaining = at % countNodes(root)
  const visit = (node: unknown): unknown => {
    if (remaining-- === 0) return value === 'removed' ? undefined : value
    if (Array.isArray(node)) return node.map(visit)
    if (typeof node === 'object' && node !== null && !(node instanceof RawJson))
      return Object.fromEntries(Object.entries(node).map(([name, entry]) => [name, visit(entry)]))
    return node
  }
  return visit(root)
}
function countNodes(node: unknown): number {
  if (typeof node !== 'object' || node === null || node instanceof RawJson) return 1
  return Object.values(node).reduce((sum: number, entry) => sum + countNodes(entry), 1)
}

function chunked(bytes: Buffer, count: number): Buffer[] {
  const size = Math.max(1, Math.ceil(bytes.length / count))
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    const piece = bytes.subarray(at, at + size)
    parts.push(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]))
  }
  return [...parts, Buffer.from('0\r\n\r\n')]
}
