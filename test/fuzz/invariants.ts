// What must hold for every response.
import type { FuzzCase } from './cases.ts'
import type { ApiDocument, Operation } from './document.ts'
import type { Rendered } from './render.ts'
import type { WireResponse } from './wire.ts'

const downstream = new Set(['downstream_error', 'downstream_timeout', 'reconnect_required'])
const codeOf = ({ text }: WireResponse): string => /"code":"(\w+)"/.exec(text)?.[1] ?? ''

/** Holds for every response, also to invalid HTTP. */
export function alwaysWrong(response: WireResponse): string | undefined {
  if (response.status === 500 || codeOf(response) === 'internal_error')
    return `an internal error: ${response.status} ${response.text.slice(0, 300)}`
  if (!(response.headers['x-request-id'] ?? '')) return `${response.status} without x-request-id`
  return undefined
}

export function wrongWith(
  fuzzCase: Extract<FuzzCase, { operation: string }>,
  operation: Operation,
  rendered: Rendered,
  response: WireResponse,
  document: ApiDocument,
): string | undefined {
  const always = alwaysWrong(response)
  if (always) return always
  if (response.status >= 500 && !(fuzzCase.kind === 'platform' && downstream.has(codeOf(response))))
    return `an error without a cause: ${response.status} ${response.text.slice(0, 300)}`
  // The router may find another operation than the intended one, or none.
  const found = document.find(rendered.method, rendered.path)
  if (rendered.method !== 'HEAD' && !(early.has(response.status) && codeOf(response) !== '' && isEarly(response))) {
    const wrong = document.misdescribed(found, response, rendered.selected)
    if (wrong) return wrong
  }
  if (
    found === operation &&
    response.status < 300 &&
    operation.body?.type === 'application/json' &&
    rendered.text !== undefined
  )
    return tooKind(operation, rendered)
  return undefined
}

/** Rejected before any operation: the document describes these once for all. */
const early = new Set([400, 408, 413, 414, 415, 431])
const isEarly = (response: WireResponse) =>
  /^(malformed_request|request_timeout|header_too_large|uri_too_long)$/.test(codeOf(response))

/** In records, an empty text is an absent field, whatever type the field has. A required one is then missing. */
const withoutEmpty = (value: unknown): unknown =>
  typeof value !== 'object' || value === null
    ? value
    : Array.isArray(value)
      ? value.map(withoutEmpty)
      : Object.fromEntries(
          Object.entries(value).flatMap(([name, inner]) => (inner === '' ? [] : [[name, withoutEmpty(inner)]])),
        )

/** A body that does not satisfy its schema was accepted. */
function tooKind(operation: Operation, { text, jsonBody }: Rendered): string | undefined {
  if (!jsonBody || text === '') return undefined // an empty JSON body is no body
  let body: unknown
  try {
    body = JSON.parse((text as string).replace(/^\ufeff/, '')) // a byte order mark may precede it
  } catch {
    return 'a body that is not JSON was accepted'
  }
  if (operation.takes(body) || operation.takes(withoutEmpty(body))) return undefined
  return 'a body that does not satisfy its schema was accepted'
}

export function wrongWithPage(response: WireResponse): string | undefined {
  const always = alwaysWrong(response)
  if (always) return always
  const page = /^text\/html/.test(response.headers['content-type'] ?? '')
  if (response.status >= 500 && !(response.status === 503 && response.text.includes('not built')))
    return `an error without a cause: ${response.status} ${response.text.slice(0, 300)}`
  if (page && /<script>alert|<script>$/.test(response.text)) return 'input was returned as markup'
  return undefined
}
