// What must hold for every answer, whatever was asked.
import type { FuzzCase } from './cases.ts'
import type { ApiDocument, Operation } from './document.ts'
import type { Rendered } from './render.ts'
import type { Answer } from './wire.ts'

const downstream = new Set(['downstream_error', 'downstream_timeout', 'reconnect_required'])
const codeOf = ({ text }: Answer): string => /"code":"(\w+)"/.exec(text)?.[1] ?? ''

/** True of every answer, also to what was not even HTTP. */
export function alwaysWrong(answer: Answer): string | undefined {
  if (answer.status === 500 || codeOf(answer) === 'internal_error')
    return `an error of our own making: ${answer.status} ${answer.text.slice(0, 300)}`
  if (!(answer.headers['x-request-id'] ?? '')) return `${answer.status} without x-request-id`
  return undefined
}

export function wrongWith(
  fuzzCase: Extract<FuzzCase, { operation: string }>,
  operation: Operation,
  rendered: Rendered,
  answer: Answer,
  document: ApiDocument,
): string | undefined {
  const always = alwaysWrong(answer)
  if (always) return always
  if (answer.status >= 500 && !(fuzzCase.kind === 'platform' && downstream.has(codeOf(answer))))
    return `nothing failed, and yet: ${answer.status} ${answer.text.slice(0, 300)}`
  // What the router finds may be another operation than the one that was meant, or none.
  const found = document.find(rendered.method, rendered.path)
  if (rendered.method !== 'HEAD' && !(early.has(answer.status) && codeOf(answer) !== '' && isEarly(answer))) {
    const wrong = document.misdescribed(found, answer)
    if (wrong) return wrong
  }
  if (
    found === operation &&
    answer.status < 300 &&
    operation.body?.type === 'application/json' &&
    rendered.text !== undefined
  )
    return tooKind(operation, rendered)
  return undefined
}

/** Refused before any operation had a say: the document says these once, for all. */
const early = new Set([400, 408, 413, 414, 415, 431])
const isEarly = (answer: Answer) =>
  /^(malformed_request|request_timeout|header_too_large|uri_too_long)$/.test(codeOf(answer))

/** A body that does not satisfy its schema was taken all the same. */
function tooKind(operation: Operation, { text, jsonBody }: Rendered): string | undefined {
  if (!jsonBody || text === '') return undefined // nothing, under the name of JSON, is no body
  let body: unknown
  try {
    body = JSON.parse((text as string).replace(/^\ufeff/, '')) // a byte order mark may stand before it
  } catch {
    return 'a body that is not JSON was taken'
  }
  return operation.takes(body) ? undefined : 'a body that does not satisfy its schema was taken'
}

export function wrongWithPage(answer: Answer): string | undefined {
  const always = alwaysWrong(answer)
  if (always) return always
  const page = /^text\/html/.test(answer.headers['content-type'] ?? '')
  if (answer.status >= 500 && !(answer.status === 503 && answer.text.includes('not built')))
    return `nothing failed, and yet: ${answer.status} ${answer.text.slice(0, 300)}`
  if (page && /<script>alert|<script>$/.test(answer.text)) return 'what was asked for came back as markup'
  return undefined
}
