import type { NativeError, NativeErrorKind, NativeResponse } from '../../contract/connector.ts'
import { objectIn } from '../../kit/error-table.ts'
import { cleanText, errorByStatus } from '../../kit/errors.ts'

interface WooError {
  code?: string
  message?: string
  data?: { status?: number; params?: Record<string, string> | string[] } | null
}
interface Meaning {
  kind: NativeErrorKind
  native?: string
}
const meanings: Readonly<Record<string, Meaning>> = {
  // An update of an unknown id returns 400, a read returns 404.
  woocommerce_rest_product_invalid_id: { kind: 'not_found' },
  woocommerce_rest_product_variation_invalid_id: { kind: 'not_found' },
  woocommerce_rest_shop_order_invalid_id: { kind: 'not_found' },
  woocommerce_rest_invalid_id: { kind: 'not_found' },
  product_invalid_sku: { kind: 'duplicate', native: 'sku' },
  product_invalid_global_unique_id: { kind: 'duplicate', native: 'global_unique_id' },
  term_exists: { kind: 'duplicate', native: 'categories' },
  woocommerce_product_image_upload_error: { kind: 'invalid', native: 'images' },
  woocommerce_variation_image_upload_error: { kind: 'invalid', native: 'images' },
  'registration-error-email-exists': { kind: 'duplicate', native: 'email' },
  'registration-error-invalid-email': { kind: 'invalid', native: 'email' },
  woocommerce_rest_customer_invalid_email: { kind: 'duplicate', native: 'email' },
  woocommerce_rest_invalid_customer_id: { kind: 'invalid', native: 'customer_id' },
  woocommerce_rest_required_product_reference: { kind: 'invalid', native: 'line_items' },
}
/** https://woocommerce.github.io/woocommerce-rest-api-docs/#errors */
export function readError(response: NativeResponse): NativeError | undefined {
  const plain = errorByStatus(response)
  if (!plain) return emptyPageOfAnother(response)
  const { code, data, message = '' } = objectIn<WooError>(response.body)
  // WordPress takes the status from `data`, so a 4xx without it is not WordPress's own.
  if (typeof code !== 'string' || typeof data?.status !== 'number')
    return response.status >= 500 || early.has(response.status) ? plain : undefined
  if (response.status === 401) return { ...plain, kind: unauthorized(code, message), code, ...refusedKey(message) }
  const meaning = plain.kind === 'unavailable' || plain.kind === 'throttled' ? undefined : meanings[code]
  const fields = meaning?.native ? [{ native: meaning.native, message: cleanText(message) }] : paramsOf(data.params)
  return { ...plain, kind: meaning?.kind ?? plain.kind, code, ...(fields.length ? { fields } : {}) }
}
/** Refused before any work, by the shop or by its host. */
const early = new Set([401, 429])
/**
 * Every list has its total in the headers. A proxy that drops them passes the Link header on; without both, an empty
 * list is not the shop's.
 */
function emptyPageOfAnother({ body, headers }: NativeResponse): NativeError | undefined {
  const foreign =
    Array.isArray(body) && body.length === 0 && !headers['x-wp-total'] && !/\/wp-json\//.test(headers.link ?? '')
  return foreign ? { kind: 'unavailable', message: 'returned an empty list without its total' } : undefined
}
/** In an English shop the message names the wrong half of the key. */
function refusedKey(message: string): Pick<NativeError, 'fields'> {
  const [, half] = /^Consumer (key|secret) is invalid/i.exec(message) ?? []
  return half
    ? {
        fields: [
          { native: half.toLowerCase() === 'key' ? 'consumerKey' : 'consumerSecret', message: cleanText(message) },
        ],
      }
    : {}
}
/**
 * A revoked key and a read-only key have the same code and a message in the shop's language: in all languages the
 * second contains "API". All other 401 responses are missing permissions.
 */
function unauthorized(code: string, message: string): NativeErrorKind {
  if (code !== 'woocommerce_rest_authentication_error') return 'forbidden'
  return /\bAPI\b/.test(message) ? 'forbidden' : 'reconnect'
}
/**
 * A list of missing parameters, or messages by parameter; the message begins with the exact path, as in
 * "line_items[0][quantity] is not of type integer."
 */
function paramsOf(params: Record<string, string> | string[] | undefined): { native: string; message: string }[] {
  if (Array.isArray(params)) return params.map((native) => ({ native, message: 'is missing' }))
  return Object.entries(params ?? {}).map(([name, message]) => ({
    native: /^\w+(\[\w+\])+/.exec(message)?.[0] ?? name,
    message,
  }))
}
