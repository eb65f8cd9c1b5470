// The parts of a native request that the account and its connector add: headers, query parameters, and the body as
// text.
import type { Connector, NativeRequest } from '../../contract/connector.ts'
import type { Account } from '../../store/store.ts'
import { fillAll } from './template.ts'
import type { WireCall } from './transport.ts'

interface Owner {
  account: Account
  connector: Connector
}
export function frameOf(owner: Owner, request: NativeRequest): Pick<WireCall, 'method' | 'path' | 'headers' | 'body'> {
  const { method, path, body } = request
  return {
    method,
    path: path + queryString(queryOf(owner, request)),
    headers: headersOf(owner, request),
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  }
}

const shared = new WeakMap<Account, Readonly<Record<string, string>>>() // accounts are never changed in place

function headersOf({ account, connector }: Owner, request: NativeRequest): Record<string, string> {
  let common = shared.get(account)
  if (!common) {
    common = sharedHeaders(account, connector)
    shared.set(account, common)
  }
  const headers: Record<string, string> = { ...common }
  if (request.body !== undefined) headers['content-type'] = 'application/json'
  for (const name in request.headers) headers[name.toLowerCase()] = request.headers[name] as string
  return headers
}
/** The headers that all calls of an account have. */
function sharedHeaders(account: Account, connector: Connector): Record<string, string> {
  const auth = connector.auth.find(({ kind }) => kind === account.auth)
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...fillAll(connector.frame.headers, { ...account.settings, ...account.credentials }),
  }
  if (auth?.kind === 'basic')
    headers.authorization = `Basic ${Buffer.from(`${account.credentials[auth.user] ?? ''}:${account.credentials[auth.password] ?? ''}`).toString('base64')}`
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

function queryOf({ account, connector }: Owner, { query = {} }: NativeRequest): NonNullable<NativeRequest['query']> {
  return connector.frame.query
    ? { ...fillAll(connector.frame.query, { ...account.settings, ...account.credentials }), ...query }
    : query
}
function queryString(query: NonNullable<NativeRequest['query']>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const entry of Array.isArray(value) ? value : [value]) parameters.append(name, String(entry))
  }
  const text = parameters.toString()
  return text ? `?${text}` : ''
}
