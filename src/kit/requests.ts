// Builders of native requests.
import type { NativeRequest } from '../contract/connector.ts'
import { NativeFailure } from '../contract/native-failure.ts'

type Query = NativeRequest['query']
type More = Partial<Pick<NativeRequest, 'query' | 'headers' | 'origin' | 'lane'>>

export const get = (path: string, query?: Query, more: More = {}): NativeRequest => ({
  method: 'GET',
  path,
  query,
  ...more,
})
export const post = (path: string, body?: unknown, more: More = {}): NativeRequest => withBody('POST', path, body, more)
export const put = (path: string, body?: unknown, more: More = {}): NativeRequest => withBody('PUT', path, body, more)
export const patch = (path: string, body?: unknown, more: More = {}): NativeRequest =>
  withBody('PATCH', path, body, more)
export const del = (path: string, query?: Query, more: More = {}): NativeRequest => ({
  method: 'DELETE',
  path,
  query,
  ...more,
})

/** path`/v2/orders/${id}`: an id stays one segment of the path, whatever it contains. */
export function path(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return parts.reduce((whole, part, n) => whole + segment(values[n - 1]!) + part)
}
function segment(value: string | number): string {
  // "." and ".." are resolved away even when percent-encoded, and an empty id turns a record's address into the list's:
  // no record has such an id.
  // Neither does half of a surrogate pair, which cannot be encoded.
  if (/^\.{0,2}$/.test(String(value)) || !String(value).isWellFormed())
    throw new NativeFailure({ kind: 'not_found', message: 'No record has this id' })
  return encodeURIComponent(value)
}

/** A body as application/x-www-form-urlencoded; absent values are left out. */
export function postForm(
  to: string,
  fields: Readonly<Record<string, string | number | boolean | undefined>>,
  more: More = {},
): NativeRequest {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) form.append(name, String(value))
  return {
    method: 'POST',
    path: to,
    body: form.toString(),
    ...more,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...more.headers },
  }
}
export const graphql = (
  to: string,
  document: string,
  variables: Readonly<Record<string, unknown>> = {},
  more: More = {},
): NativeRequest => post(to, { query: document, variables }, more)

const withBody = (method: NativeRequest['method'], to: string, body: unknown, more: More): NativeRequest => ({
  method,
  path: to,
  body,
  ...more,
})
