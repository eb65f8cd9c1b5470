import type { NativeError, NativeResponse } from '../../contract/connector.ts'
import { cleanText, errorByStatus } from '../../kit/errors.ts'

interface Errors {
  global?: unknown
  fields?: Record<string, unknown>
}
/**
 * Errors are `{ error, message }` or `{ errors: { global, fields } }`; the second is not in the vendor's files.
 * Retry-After is an HTTP date: https://x-series-api.lightspeedhq.com/docs/rate_limiting
 */
export function readError(response: NativeResponse): NativeError | undefined {
  const plain = errorByStatus(response)
  if (!plain || !isOwn(response)) return undefined
  const errors: Errors = response.body?.errors ?? {}
  const fields = Object.entries(errors.fields ?? {}).flatMap(([native, messages]) =>
    textsOf(messages).map((message) => ({ native, message })),
  )
  const message = [...textsOf(errors.global), ...fields.map((field) => `${field.native}: ${field.message}`)].join('; ')
  return {
    ...plain,
    kind: kindOf(plain, message),
    ...(message && { message: cleanText(message) }),
    ...(fields.length && { fields }),
  }
}
/**
 * A 4xx in another format comes from something in between, unless it was refused before any work. The format of a 422
 * is not documented.
 */
function isOwn({ status, body }: NativeResponse): boolean {
  if (status >= 500 || status === 401 || status === 429) return true
  if (typeof body !== 'object' || body === null) return false
  return status === 422 || typeof body.error === 'string' || (typeof body.errors === 'object' && body.errors !== null)
}
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string')

/** There are no versions that could be stale: a conflict is a value that another record has. */
function kindOf({ kind }: NativeError, message: string): NativeError['kind'] {
  if (kind === 'stale') return 'duplicate'
  return kind === 'invalid' && /already|unique|taken|in use/i.test(message) ? 'duplicate' : kind
}
