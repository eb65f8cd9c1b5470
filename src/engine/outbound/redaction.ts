// The part of a native call that people may see. Headers are shown by an allow list, query parameters of the
// frame only if they contain no credential,
// and every secret of the account is removed from texts, in each form that a platform may return it in.
import type { Connector, NativeRequest } from '../../contract/connector.ts'
import type { Account } from '../../store/store.ts'
import type { WireView } from '../options.ts'
import { fill } from './template.ts'
import { textOf, type WireAnswer } from './transport.ts'

const struck = '•••'
const maxBody = 8192
const harmless = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'allow',
  'cache-control',
  'content-length',
  'content-type',
  'date',
  'etag',
  'expires',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'last-modified',
  'prefer',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'retry-after',
  'server',
  'square-version',
  'user-agent',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
])
/** About the connection, not about the call. */
const ofConnection = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade'])
/** Fields that hold a secret on any platform. */
const secretName = '(?:[\\w-]*(?:token|secret|password|passcode|api_?key)|pin(?:_?code)?)'
const secretFields = new RegExp(`("${secretName}"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi')
const secretPattern = new RegExp(`^${secretName}$`, 'i')
export const isSecretName = (name: string): boolean => secretPattern.test(name)
const shortestSecret = 4
export const withoutSecretFields = (json: string): string => json.replace(secretFields, `$1"${struck}"`)

type Strike = (text: string) => string

/** Stored token values (a realm, a data center) and dates are not secrets: connectors see them as settings. */
function secretsOf(account: Account, connector: Connector): string[] {
  const kept = new Set(connector.auth.flatMap((auth) => ('answer' in auth ? Object.keys(auth.answer.keep ?? {}) : [])))
  const plain = Object.entries(account.credentials).flatMap(([name, value]) =>
    kept.has(name) || name === 'expiresAt' || value.length < shortestSecret ? [] : [value],
  )
  return [...new Set(plain.flatMap(formsOf))].sort((left, right) => right.length - left.length)
}
/** As it is, URL-encoded, escaped in JSON, and in Base64. */
function formsOf(secret: string): string[] {
  const encoded = encodeURIComponent(secret)
  const escaped = JSON.stringify(secret).slice(1, -1)
  return [
    ...[secret, encoded, encoded.replace(/%../g, (hex) => hex.toLowerCase()), encoded.replaceAll('%20', '+')],
    ...[escaped, escaped.replaceAll('/', '\\/')],
    ...[0, 1, 2].flatMap((offset) => {
      const inside = base64Inside(Buffer.from(secret), offset)
      return [inside, inside.replaceAll('+', '-').replaceAll('/', '_')]
    }),
  ]
}
/**
 * The characters that encode these bytes alone, wherever they are in a longer text, such as "user:password": `offset`
 * is their position modulo 3.
 */
function base64Inside(bytes: Buffer, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
  return encoded.slice(offset === 0 ? 0 : offset + 1, Math.floor(((offset + bytes.length) * 8) / 6))
}

/** By the credentials object, which is never changed in place: an account id can be reused with other credentials. */
const known = new WeakMap<Account['credentials'], readonly string[]>()

/** Removes the account's secrets from a text. */
export function strikeSecrets(account: Account, connector: Connector): Strike {
  const secrets = known.get(account.credentials) ?? secretsOf(account, connector)
  known.set(account.credentials, secrets)
  return (text) =>
    secrets.reduce((left, secret) => (left.includes(secret) ? left.replaceAll(secret, struck) : left), text)
}

/** Removes the account's secrets from every string in a value, the names of members included. */
export function strikeAll(value: unknown, strike: Strike): unknown {
  if (typeof value === 'string') return strike(value)
  if (Array.isArray(value)) return value.map((entry) => strikeAll(entry, strike))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [strike(name), strikeAll(entry, strike)]))
}

/**
 * A value of the platform for the caller: without the account's secrets and without the values of fields that hold one.
 * The same value if it has none.
 */
export function redacted(value: unknown, strike: Strike): unknown {
  if (typeof value === 'string') return strike(value)
  if (typeof value !== 'object' || value === null) return value
  let changed = false
  const entries = Object.entries(value).map(([name, entry]): [string, unknown] => {
    const left = typeof entry === 'string' && isSecretName(name) ? struck : redacted(entry, strike)
    const leftName = strike(name)
    changed ||= left !== entry || leftName !== name
    return [leftName, left]
  })
  if (!changed) return value
  return Array.isArray(value) ? entries.map(([, entry]) => entry) : Object.fromEntries(entries)
}

/** Headers of a response that a caller may see. The others may set cookies or hold secrets. */
const forCallers = new Set(['content-type', 'content-language', 'link', 'location', 'x-total-count', 'x-wp-total'])
export function headersForCaller(headers: Readonly<Record<string, string>>, strike: Strike): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      harmless.has(name) || forCallers.has(name) ? [[name, strike(value)]] : [],
    ),
  )
}

function headersShown(headers: Readonly<Record<string, string>>, strike: Strike): Record<string, string> {
  const shown: Record<string, string> = {}
  for (const name in headers)
    if (!ofConnection.has(name)) shown[name] = harmless.has(name) ? strike(headers[name] as string) : struck
  return shown
}

/** Truncated after redaction, so that no secret is cut in half. */
function bodyShown(text: string, strike: Strike): string {
  const enough = strike(withoutSecretFields(text.slice(0, maxBody * 2)))
  return enough.length > maxBody || text.length > maxBody * 2 ? `${enough.slice(0, maxBody)}…` : enough
}

function pathShown(request: NativeRequest, connector: Connector, account: Account, strike: Strike): string {
  let query = ''
  for (const name in connector.frame.query)
    query += `&${name}=${fill(connector.frame.query[name] as string, account.settings) ?? struck}`
  for (const name in request.query) {
    const value = request.query[name]
    if (value !== undefined) for (const entry of Array.isArray(value) ? value : [value]) query += `&${name}=${entry}`
  }
  return strike(query === '' ? request.path : `${request.path}?${query.slice(1)}`)
}

interface Exchange {
  account: Account
  connector: Connector
  request: NativeRequest
  kind: 'read' | 'write'
  headers: Readonly<Record<string, string>>
  body?: string | undefined
  answer?: WireAnswer | undefined
}
/**
 * A successful read shows its path only; writes and failures show headers and bodies. Large bodies are truncated
 * immediately, so that queued events do not hold them in memory.
 */
export function wireOf(exchange: Exchange): () => WireView {
  const { kind, body = '', answer } = exchange
  if (kind === 'read' && answer && answer.status < 400) return pathOnly(exchange)
  if (body.length + (answer?.bytes.length ?? 0) < maxBody * 2) return () => wholeExchange(exchange)
  const view = wholeExchange(exchange)
  return () => view
}

const pathOnly =
  ({ account, connector, request }: Exchange) =>
  () => ({ path: pathShown(request, connector, account, strikeSecrets(account, connector)) })

function wholeExchange({ account, connector, request, headers, body, answer }: Exchange): WireView {
  const strike = strikeSecrets(account, connector)
  return {
    path: pathShown(request, connector, account, strike),
    requestHeaders: headersShown(headers, strike),
    responseHeaders: answer ? headersShown(answer.headers, strike) : undefined,
    requestBody: body !== undefined ? bodyShown(body, strike) : undefined,
    responseBody: answer && answer.bytes.length > 0 ? bodyShown(textOf(answer), strike) : undefined,
  }
}
