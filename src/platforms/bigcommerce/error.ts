import type { NativeError, NativeErrorKind, NativeResponse } from '../../contract/connector.ts'
import { cleanText, errorByStatus } from '../../kit/errors.ts'

type Field = NonNullable<NativeError['fields']>[number]
const kinds: Readonly<Record<number, NativeErrorKind>> = {
  401: 'reconnect', // tokens do not expire and cannot be renewed: the app was uninstalled, or its scopes changed
  409: 'duplicate', // a name or sku that is taken; also a category or brand that does not exist
  501: 'invalid',
  507: 'invalid', // the store's plan allows no more records
}
/** The code of a 403 in BigCommerce's own words. Something in between can send one as well. */
export const missingScope = '403'
const resetMs = ({ headers }: NativeResponse): number | undefined => {
  const value = Number(headers['x-rate-limit-time-reset-ms'])
  return headers['x-rate-limit-time-reset-ms'] && value >= 0 ? value : undefined
}

/** https://developer.bigcommerce.com/docs/start/about/status-codes. V3 returns one object, V2 an array of them. */
export function readError(response: NativeResponse): NativeError | undefined {
  const plain = errorByStatus(response)
  if (!plain) return emptyPageOfAnother(response)
  const early = plain.kind === 'throttled' || response.status === 401
  const v2 = Array.isArray(response.body) ? response.body[0] : undefined
  const title = v2 ? v2.message : response.body?.title
  // A status without BigCommerce's own words comes from something in between.
  if (typeof title !== 'string' && !early) return response.status >= 500 ? plain : undefined
  const kind = kinds[response.status] ?? plain.kind
  if (kind === 'throttled')
    return {
      kind,
      message: 'Too many requests',
      ...(resetMs(response) === undefined ? {} : { retryAfterMs: resetMs(response)! }),
    }
  const fields = v2 ? fieldsOfV2(v2) : fieldsOfV3(response.body?.errors)
  const stated = title ?? plain.message
  const message = fields.length && !v2 ? `${stated} (${fields.map((field) => field.message).join('; ')})` : stated
  return {
    ...plain,
    kind,
    ...(kind === 'forbidden' ? { code: missingScope } : {}),
    message: cleanText(String(message)),
    ...(fields.length ? { fields } : {}),
  }
}
/** An empty list of V2 is a 204. A bare `[]` counts only with the headers that BigCommerce adds to every response. */
function emptyPageOfAnother({ body, headers }: NativeResponse): NativeError | undefined {
  const foreign = Array.isArray(body) && body.length === 0 && !headers['x-rate-limit-requests-left']
  return foreign ? { kind: 'unavailable', message: "returned an empty list without BigCommerce's headers" } : undefined
}

/**
 * Keys are paths with dots; bulk endpoints add the index of the record in front ("0.email"), or nothing
 * (".customer_create").
 */
function fieldsOfV3(errors: unknown): Field[] {
  if (typeof errors !== 'object' || errors === null) return []
  return Object.entries(errors).map(([path, message]) => ({
    native: path.replace(/^\d*\./, ''),
    message: cleanText(`${path.replace(/^\d*\./, '')}: ${String(message)}`),
  }))
}
/** V2 names the field in its message, and a product only by its id. */
function fieldsOfV2({
  message,
  details,
}: {
  message?: string
  details?: { invalid_reason?: string; errors?: unknown[] }
}): Field[] {
  const native = /'([\w.]+)'/.exec(message ?? '')?.[1] ?? (details?.errors?.length ? 'products' : undefined)
  return native ? [{ native, message: cleanText(details?.invalid_reason ?? message ?? native) }] : []
}

/**
 * The quota is shared with the store's other apps: when it is used up, the account pauses until the window ends.
 * https://developer.bigcommerce.com/docs/start/best-practices/api-rate-limits
 */
export function throttle(response: NativeResponse): number {
  return response.headers['x-rate-limit-requests-left'] === '0' ? (resetMs(response) ?? 0) : 0
}
