// QuickBooks' response formats: JSON on request, XML otherwise, and a gateway in front with its own errors.

import { randomUUID } from 'node:crypto'
import { type Fields, isObject, Refusal, readJson } from '../../../sandbox/http.ts'
import type { WireRequest, WireResponse } from '../../../sandbox/simulator.ts'

export interface Fault {
  code: string
  message: string
  detail: string
  element?: string
}

export function bodyOf(request: WireRequest): Fields {
  const body = readJson(request)
  return isObject(body)
    ? body
    : refuse({
        code: '2010',
        message: 'Request has invalid or unsupported property',
        detail: 'The request body is not a JSON object',
      })
}

const faultBody = ({ code, message, detail, element }: Fault, type: string): Fields => ({
  Fault: { Error: [{ Message: message, Detail: detail, code, ...(element !== undefined && { element }) }], type },
})

/** Rejected by the accounting service: always 400; the code identifies the error. */
export function refuse(fault: Fault): never {
  throw new Refusal({ status: 400, body: faultBody(fault, 'ValidationFault') })
}
export const missing = (element: string): never =>
  refuse({
    code: '2020',
    message: 'Required param missing, need to supply the required value for the API',
    detail: `Required parameter ${element} is missing in the request`,
    element,
  })

/** Rejected by the gateway: another envelope, in lowercase. */
export function gatewayFailure(
  status: 401 | 403,
  reason: string,
  errorCode: string,
  detail: string | null,
): WireResponse {
  const message = `message=${reason}; errorCode=${errorCode}; statusCode=${status}`
  return {
    status,
    ...(status === 401 && { headers: { 'www-authenticate': 'Bearer realm="Intuit", error="invalid_token"' } }),
    body: {
      warnings: null,
      intuitObject: null,
      fault: {
        error: [{ message, detail, code: errorCode.replace(/^0+/, ''), element: null }],
        type: status === 401 ? 'AUTHENTICATION' : 'SERVICE',
      },
      report: null,
      queryResponse: null,
      batchItemResponse: [],
      attachableResponse: [],
      syncErrorResponse: null,
      requestId: null,
      time: Date.now(),
      status: null,
    },
  }
}

const xmlHeaders = { 'content-type': 'application/xml;charset=UTF-8' }
/** In XML even for clients that request JSON. */
export const throttled = (seconds?: number): WireResponse => ({
  status: 429,
  headers: { ...xmlHeaders, ...(seconds !== undefined && { 'retry-after': String(seconds) }) },
  body: envelope(
    '<Fault type="SERVICE"><Error code="3001"><Message>message=ThrottleExceeded; errorCode=003001; statusCode=429</Message><Detail>The request limit was reached.  Try again later</Detail></Error></Fault>',
  ),
})
export const broken = (status: number): WireResponse =>
  status === 503
    ? {
        status,
        headers: xmlHeaders,
        body: envelope(
          '<Fault type="SystemFault"><Error code="3"><Message>Service Unavailable</Message></Error></Fault>',
        ),
      }
    : {
        status,
        body: faultBody(
          {
            code: '10000',
            message: 'An application error has occurred while processing your request',
            detail: 'System Failure Error',
          },
          'SystemFault',
        ),
      }

const wantsJson = ({ headers, query }: WireRequest): boolean =>
  /json/.test(headers.accept ?? '') || query.get('format') === 'json'

/** Every response contains the time and a trace id. */
export function finished(request: WireRequest, response: WireResponse, time: string): WireResponse {
  const headers = { intuit_tid: `1-${randomUUID()}`, ...response.headers }
  if (!isObject(response.body) || 'fault' in response.body) return { ...response, headers }
  if (wantsJson(request)) return { ...response, headers, body: { ...response.body, time } }
  return { ...response, headers: { ...headers, ...xmlHeaders }, body: envelope(elements(response.body), time) }
}
const envelope = (inner: string, time?: string): string =>
  `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><IntuitResponse xmlns="http://schema.intuit.com/finance/v3"${time ? ` time="${time}"` : ''}>${inner}</IntuitResponse>`

const attributes = new Set([
  'code',
  'element',
  'type',
  'domain',
  'sparse',
  'startPosition',
  'maxResults',
  'totalCount',
  'name',
])
function elements(object: Fields): string {
  return Object.entries(object)
    .flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((one) => [name, one] as const))
    .map(([name, value]) =>
      isObject(value)
        ? `<${name}${attributesOf(value)}>${contentOf(value)}</${name}>`
        : `<${name}>${escaped(value)}</${name}>`,
    )
    .join('')
}
const attributesOf = (object: Fields): string =>
  Object.entries(object)
    .filter(([name]) => attributes.has(name))
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')
/** A reference is its value with the name as an attribute. */
const contentOf = (object: Fields): string =>
  'value' in object
    ? escaped(object.value)
    : elements(Object.fromEntries(Object.entries(object).filter(([name]) => !attributes.has(name))))
const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (value: unknown): string => String(value).replace(/[&<>"]/g, (mark) => marks[mark]!)
