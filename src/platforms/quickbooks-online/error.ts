// Faults have three formats: `Fault` of the accounting service, lowercase `fault` of the gateway, and XML from either,
// even if JSON was requested.
import type { NativeError, NativeErrorKind, NativeResponse } from '../../contract/connector.ts'
import { errorTable } from '../../kit/error-table.ts'
import { cleanText } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'

interface FaultError {
  code?: string
  element?: string
  message?: string
  detail?: string
}
/** https://developer.intuit.com/app/developer/qbo/docs/develop/troubleshooting/error-codes */
const kinds: Readonly<Record<string, NativeErrorKind>> = {
  120: 'reconnect', // the user who consented is no longer an admin of the company
  610: 'not_found',
  2030: 'not_found', // an id that is not a number, or too large
  3001: 'throttled',
  3100: 'reconnect', // the token is for another company, or the application for another environment
  3200: 'token',
  5010: 'stale',
  6190: 'forbidden', // the company's subscription ended: it can be read, not written
  6240: 'duplicate',
}
/** These codes name no element, but can only mean one field of a written customer. */
const elements: Readonly<Record<string, string>> = {
  2210: 'PrimaryEmailAddr',
  2500: 'CurrencyRef',
  6240: 'DisplayName',
}

const read = errorTable({
  anyStatus: true,
  kinds,
  findings: (body) =>
    faultsIn(body).map((fault) => ({
      code: fault.code?.replace(/^0+/, ''),
      message: wordsOf(fault),
      field: fault.element?.replace(/\s/g, '') || elements[fault.code ?? ''],
    })),
})
export const readError = (response: NativeResponse): NativeError | undefined =>
  read(response) ?? unexpectedXml(response)

/** Data in XML cannot be read; the next response to the same request is JSON again. */
const unexpectedXml = ({ body }: NativeResponse): NativeError | undefined =>
  typeof body === 'string' && /^\s*<(\?xml|IntuitResponse)/.test(body)
    ? { kind: 'unavailable', message: 'responded in XML instead of JSON' }
    : undefined

/** The detail is more specific, except for tokens: there it contains the token. */
const wordsOf = ({ code = '', message, detail }: FaultError): string =>
  cleanText((/^0*32\d\d$/.test(code) ? message : detail || message) || 'rejected without a reason')

function faultsIn(body: unknown): FaultError[] {
  if (typeof body === 'string') return faultsInXml(body)
  const { Fault, fault } = (body ?? {}) as {
    Fault?: { Error?: Record<string, unknown>[] }
    fault?: { error?: Record<string, unknown>[] }
  }
  return list(Fault?.Error ?? fault?.error).map((error) => ({
    code: text(error.code),
    element: text(error.element),
    message: text(error.Message ?? error.message),
    detail: text(error.Detail ?? error.detail),
  }))
}

function faultsInXml(xml: string): FaultError[] {
  return [...xml.matchAll(/<Error\b([^>]*)>([\s\S]*?)<\/Error>/g)].map(([, attributes = '', inner = '']) => ({
    code: /\bcode="([^"]*)"/.exec(attributes)?.[1],
    element: /\belement="([^"]*)"/.exec(attributes)?.[1],
    message: unescaped(/<Message>([\s\S]*?)<\/Message>/.exec(inner)?.[1]),
    detail: unescaped(/<Detail>([\s\S]*?)<\/Detail>/.exec(inner)?.[1]),
  }))
}
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const unescaped = (value: string | undefined): string | undefined =>
  text(value?.replace(/&(lt|gt|amp|quot|apos);/g, (_, name: string) => entities[name]!))
