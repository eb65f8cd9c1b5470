// A native call of a caller becomes a request to the connector's own origin, or an error. Nothing in it can name another
// host or a credential.
import type { AccountView, Connector, NativeRequest } from '../contract/connector.ts'
import { Problem, type Violation } from '../contract/errors.ts'
import { type NativeCall, nativeCallSchema, nativeHeaders, queryValueRule } from '../contract/native-call.ts'
import { createValidator } from '../contract/validation.ts'

const validator = createValidator(nativeCallSchema)

/** Throws a Problem that names every fault. */
export function nativeRequest(
  input: unknown,
  connector: Connector,
  view: AccountView,
): { request: NativeRequest; externalId: string | undefined } {
  if (!validator.check(input)) throw invalid(perParameter(validator.violations(input)))
  const call = input as NativeCall
  const { method, query, headers, body, externalId } = call
  const path = filled(call.path, view)
  const faults: Violation[] = [
    ...pathFaults(path.text, connector),
    ...path.unknown.map((name) => ({
      pointer: '/path',
      message: `names {${name}}, which is no setting of the account${hint(Object.keys(view.settings))}`,
    })),
    ...Object.keys(query ?? {}).flatMap((name) => queryFaults(name, connector)),
    ...Object.entries(headers ?? {}).flatMap(([name, value]) => headerFaults(name, value, connector)),
    ...bodyFaults(call),
    ...operationFaults(body, connector),
  ]
  if (faults.length > 0) throw invalid(faults)
  const request: NativeRequest = { method, path: path.text }
  if (query) request.query = query
  if (headers) request.headers = headers
  if (body !== undefined) request.body = body
  return { request, externalId }
}

/** A parameter can have several types, and the validator reports each that it does not have. */
function perParameter(violations: readonly Violation[]): Violation[] {
  const byPointer = new Map<string, Violation>()
  for (const violation of violations) {
    const [pointer] = /^\/query\/[^/]*/.exec(violation.pointer) ?? []
    if (pointer === undefined) byPointer.set(violation.pointer, violation)
    else byPointer.set(pointer, { pointer, message: queryValueRule })
  }
  return [...byPointer.values()]
}
const invalid = (errors: Violation[]): Problem => {
  const [first, ...others] = errors
  const more = others.length > 0 ? ` (and ${others.length} more)` : ''
  const detail = `Nothing was sent: ${first?.pointer || 'the body'} ${first?.message}${more}. Correct the fields in errors.`
  return new Problem('validation_failed', detail, { errors })
}
const hint = (names: readonly string[]) => (names.length > 0 ? `; it has ${names.join(', ')}` : '')

/** "{name}" is a setting, as one or a part of one segment. */
function filled(path: string, { settings }: AccountView): { text: string; unknown: string[] } {
  const unknown: string[] = []
  const text = path.replaceAll(/\{(\w{1,64})\}/g, (_, name: string) => {
    const value = Object.hasOwn(settings, name) ? settings[name] : undefined
    if (value) return encodeURIComponent(value)
    unknown.push(name)
    return '0'
  })
  return { text, unknown }
}

/** RFC 3986: pchar without "@", which some parsers read as the end of user data. */
const pathForm = /^(?:[\w\-.~!$&'()*+,;=:/]|%[0-9a-f]{2})*$/i
/** "/", "\", ".", "%" and control characters: a server that decodes them twice would see another path. */
const encodedSeparator = /%(?:2f|5c|2e|25|[01][0-9a-f]|7f)/i
const dotSegment = /^\.{1,2}(?:;.*)?$/

function pathFaults(path: string, connector: Connector): Violation[] {
  const fault = pathFault(path, connector)
  return fault === undefined ? [] : [{ pointer: '/path', message: fault }]
}
function pathFault(path: string, connector: Connector): string | undefined {
  const { name } = connector
  if (/\p{Cc}/u.test(path)) return 'must not contain control characters such as line breaks; remove them'
  if (/^[a-z][a-z\d+.-]*:/i.test(path) || path.startsWith('//'))
    return `must be a path of ${name}'s API, without scheme and host`
  if (!path.startsWith('/')) return 'must begin with a slash'
  if (/[?#]/.test(path)) return 'must not contain "?" or "#"; send query parameters in query'
  if (/[@\\]/.test(path)) return 'must not contain "@" or "\\"; in a segment, "@" is written %40'
  if (!pathForm.test(path)) return 'has a character that a path cannot have; encode it as %XX'
  if (encodedSeparator.test(path))
    return 'must not contain an encoded separator, dot, percent sign or control character; remove it'
  const segments = path.slice(1).split('/')
  if (segments.some((segment) => dotSegment.test(segment))) return 'must not contain the segments "." and ".."'
  if (segments.slice(0, -1).includes('')) return 'must not contain two slashes in a row'
  if (isOfAuthorization(understood(path), connector))
    return `is an address of ${name}'s authorization, which only the service uses`
  return undefined
}

/** The path as a server may read it: decoded, without parameters of segments, and in any case. */
const understood = (path: string): string =>
  path
    .replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .split('/')
    .map((segment) => segment.replace(/;.*$/, '').trim())
    .join('/')
    .replace(/\/+$/, '')
    .toLowerCase()
/** Whether the path begins with these segments; `*` is any one. */
function isBelow(path: string, pattern: string): boolean {
  const [given, wanted] = [path.split('/'), pattern.toLowerCase().split('/')]
  return wanted.every((segment, n) => (segment === '*' ? given[n] !== undefined : segment === given[n]))
}

/** Tokens are issued there, and their responses are secrets. Or it is ended there, and the customer has to connect again. */
function isOfAuthorization(path: string, { auth, authorizationPaths = [] }: Connector): boolean {
  const issuing = auth.flatMap((one) => {
    if (one.kind === 'oauth2') return [one.authorize.path, one.exchange.path, one.refresh?.path ?? '']
    return one.kind === 'client_credentials' ? [one.login.path] : []
  })
  return (
    /\/oauth2?(?![a-z])/.test(path) ||
    issuing.some((one) => understood(one) === path) ||
    authorizationPaths.some((one) => isBelow(path, one))
  )
}

const credentialNames = new Set([
  'access_token',
  'api_key',
  'apikey',
  'auth',
  'authorization',
  'client_id',
  'client_secret',
  'consumer_key',
  'consumer_secret',
  'oauth_token',
  'password',
  'refresh_token',
  'secret',
])
const ofFrame = (names: Readonly<Record<string, unknown>> = {}): Set<string> =>
  new Set(Object.keys(names).map((name) => name.toLowerCase()))

/** Frameworks take another method from these. */
const methodOverrides = ['_method', '_http_method', 'http_method_override', 'x_http_method', 'x_http_method_override']
/** A name as PHP and Rack read it: "_method[]" and " _method" are "_method". */
const plainName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/\[.*$/s, '')
    .replaceAll(/[\s.+-]/g, '_')

function queryFaults(name: string, { frame, native, name: platform }: Connector): Violation[] {
  const pointer = `/query/${escaped(name)}`
  if (name === '' || name.length > 200) return [{ pointer, message: 'must have a name of 1 to 200 characters' }]
  if (credentialNames.has(name.toLowerCase()))
    return [{ pointer, message: 'would be a credential; the service adds those of the account' }]
  if ([...methodOverrides, ...(native?.overrides ?? [])].includes(plainName(name)))
    return [{ pointer, message: 'would change the method or the address of the call; set `method` and `path` instead' }]
  if (ofFrame(frame.query).has(name.toLowerCase()))
    return [{ pointer, message: `is added by the service for ${platform}; remove it` }]
  return []
}
function headerFaults(name: string, value: string, { frame, name: platform }: Connector): Violation[] {
  const pointer = `/headers/${escaped(name)}`
  const lower = name.toLowerCase()
  if (ofFrame(frame.headers).has(lower) || lower === 'authorization')
    return [{ pointer, message: `is added by the service for ${platform}; remove it` }]
  if (lower === 'cookie') return [{ pointer, message: 'is not allowed; remove it' }]
  if (!(nativeHeaders as readonly string[]).includes(lower))
    return [{ pointer, message: `cannot be set; the headers are ${nativeHeaders.join(', ')}` }]
  if (!/^[\x20-\x7e]+$/.test(value) || value.trim() !== value)
    return [{ pointer, message: 'must be printable ASCII, without line breaks and without spaces at its ends' }]
  return []
}
const escaped = (name: string) => name.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')

/** A GraphQL document has the names of its operations as they are, also inside another text. */
function operationFaults(body: unknown, { native, name }: Connector): Violation[] {
  const fields = native?.authorizationFields ?? []
  if (fields.length === 0 || body === undefined) return []
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const found = fields.find((field) => new RegExp(`(?<![\\w])${field}(?![\\w])`).test(text))
  return found === undefined
    ? []
    : [{ pointer: '/body', message: `has ${found}, which changes ${name}'s authorization; only the service does that` }]
}

function bodyFaults({ method, headers = {}, body, externalId }: NativeCall): Violation[] {
  const faults: Violation[] = []
  if (method === 'GET' && body !== undefined) faults.push({ pointer: '/body', message: 'cannot be sent with GET' })
  if (method === 'GET' && externalId !== undefined)
    faults.push({ pointer: '/externalId', message: 'is for calls that write; remove it for GET' })
  if (method !== 'GET' && externalId === undefined)
    faults.push({
      pointer: '/externalId',
      message: `is required for ${method}: a call that may write is journaled under it and sent once`,
    })
  const names = Object.keys(headers).map((name) => name.toLowerCase())
  for (const name of new Set(names.filter((one, index) => names.indexOf(one) !== index)))
    faults.push({ pointer: '/headers', message: `has ${name} twice, in different spellings` })
  return faults
}
