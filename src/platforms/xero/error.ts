// https://developer.xero.com/documentation/api/accounting/responsecodes
import type { NativeError, NativeErrorKind, NativeResponse } from '../../contract/connector.ts'
import { errorByStatus } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'

interface Validated {
  HasValidationErrors?: boolean
  ValidationErrors?: { Message?: string }[]
  StatusAttributeString?: string
  Addresses?: Validated[]
  Phones?: Validated[]
}
interface Finding {
  native: string
  message: string
}

export function readError(response: NativeResponse): NativeError | undefined {
  if (response.status < 400) return refusedElements(response)
  if (isForeign(response)) return undefined
  const plain = errorByStatus(response)!
  const body = response.body ?? {}
  const fields = list<Validated>(body.Elements).flatMap(findingsOf)
  const message =
    fields.map(({ message }) => message).join(' ') ||
    text(body.Detail) ||
    text(body.Message) ||
    text(body.Title) ||
    plain.message
  const code = text(response.headers['x-rate-limit-problem']) ?? text(body.Type) ?? text(body.ErrorNumber)
  return {
    ...plain,
    kind: kindOf(plain.kind, message),
    message,
    ...(code ? { code } : {}),
    ...(fields.length ? { fields } : {}),
  }
}

/**
 * A 4xx of something between the service and Xero. Xero's own is an exception, a problem of its gateway, or the text of
 * a 404; every response of the API reports the remaining calls.
 */
function isForeign({ status, headers, body }: NativeResponse): boolean {
  if (status >= 500 || status === 401 || status === 429) return false
  if (headers['x-minlimit-remaining'] !== undefined) return false
  if (typeof body === 'string') return !/resource you.re looking for cannot be found/i.test(body)
  return body?.ErrorNumber === undefined && text(body?.Title) === undefined
}

/**
 * With `summarizeErrors=false`, and sometimes without it, an error comes with status 200 and the errors inside the
 * element.
 */
function refusedElements({ body }: NativeResponse): NativeError | undefined {
  const refused = list<Validated>(body?.Contacts).filter(
    (element) => element.StatusAttributeString === 'ERROR' || element.HasValidationErrors === true,
  )
  const fields = refused.flatMap(findingsOf)
  if (fields.length === 0) return undefined
  const message = fields.map(({ message }) => message).join(' ')
  return { kind: kindOf('invalid', message), code: 'ValidationException', message, fields }
}

function kindOf(byStatus: NativeErrorKind, message: string): NativeErrorKind {
  if (byStatus === 'invalid' && /already (assigned|exists)/i.test(message)) return 'duplicate'
  // The token is valid, but a scope is missing.
  if (byStatus === 'token' && /AuthorizationUnsuccessful|insufficient_scope/i.test(message)) return 'forbidden'
  // The organization was disconnected from the application.
  if (byStatus === 'forbidden' && /AuthenticationUnsuccessful/i.test(message)) return 'reconnect'
  return byStatus
}

/** Xero has no field names in errors, only in messages. */
const mentions: readonly [RegExp, string][] = [
  [/contact name|^name\b/i, 'Name'],
  [/first ?name/i, 'FirstName'],
  [/last ?name/i, 'LastName'],
  [/e-?mail/i, 'EmailAddress'],
  [/currenc/i, 'DefaultCurrency'],
  [/phone/i, 'Phones'],
  [/address|postal ?code|region|city|country/i, 'Addresses'],
  [/archive|contact ?status/i, 'ContactStatus'],
]
function findingsOf({ ValidationErrors, Addresses, Phones }: Validated): Finding[] {
  const messages = (errors: Validated['ValidationErrors']) => list(errors).flatMap(({ Message }) => text(Message) ?? [])
  return [
    ...messages(ValidationErrors).map((message) => ({
      native: mentions.find(([pattern]) => pattern.test(message))?.[1] ?? 'Contact',
      message,
    })),
    ...list(Addresses).flatMap((address) =>
      messages(address.ValidationErrors).map((message) => ({ native: 'Addresses', message })),
    ),
    ...list(Phones).flatMap((phone) =>
      messages(phone.ValidationErrors).map((message) => ({ native: 'Phones', message })),
    ),
  ]
}
