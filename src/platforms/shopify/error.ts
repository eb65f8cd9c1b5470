// Errors come in three layers: HTTP, `errors` with status 200, and `userErrors` inside a mutation's response.
// https://shopify.dev/docs/api/usage/response-codes
import type { NativeError, NativeErrorKind, NativeResponse } from '../../contract/connector.ts'
import { errorByStatus } from '../../kit/errors.ts'
import { list, text } from '../../kit/fields.ts'

interface TopError {
  message: string
  extensions?: { code?: string; problems?: { explanation?: string }[] }
}
interface UserError {
  code?: string
  field?: string[] | null
  message: string
}
interface Cost {
  requestedQueryCost?: number
  throttleStatus?: { currentlyAvailable: number; restoreRate: number }
}
const byCode: Readonly<Record<string, NativeErrorKind>> = {
  THROTTLED: 'throttled',
  ACCESS_DENIED: 'forbidden',
  SHOP_INACTIVE: 'forbidden',
  RESOURCE_NOT_FOUND: 'not_found',
  NOT_FOUND: 'not_found',
  INTERNAL_SERVER_ERROR: 'unavailable',
  TIMEOUT: 'unavailable',
  TAKEN: 'duplicate',
  CHANGE_FROM_QUANTITY_STALE: 'stale',
  // The same write is still in progress with this key: a retry a moment later returns its result.
  IDEMPOTENCY_CONCURRENT_REQUEST: 'throttled',
}
/** Frozen for unpaid bills, closed or locked: the token is valid, but the shop is unavailable. */
const shopStatus: Readonly<Record<number, NativeErrorKind>> = { 402: 'forbidden', 404: 'forbidden', 423: 'forbidden' }

/** Points are restored every second; this is the time until the bucket allows a call of the same cost. */
export function waitMs(body: NativeResponse['body']): number | undefined {
  const { requestedQueryCost = 0, throttleStatus }: Cost = body?.extensions?.cost ?? {}
  if (!throttleStatus || !(throttleStatus.restoreRate > 0)) return undefined
  return Math.max(
    0,
    Math.ceil(((requestedQueryCost - throttleStatus.currentlyAvailable) / throttleStatus.restoreRate) * 1000),
  )
}

export function readError(response: NativeResponse): NativeError | undefined {
  const { status, body } = response
  const plain = errorByStatus(response)
  if (plain) {
    // Shopify's own 4xx has `errors`, text or by parameter; one without it comes from something in between.
    if (body?.errors === undefined && status < 500 && status !== 401 && status !== 429) return undefined
    return { ...plain, kind: shopStatus[status] ?? plain.kind, message: text(body?.errors) ?? plain.message }
  }
  const results = Object.values(body?.data ?? {}).filter(
    (part): part is Record<string, unknown> => typeof part === 'object' && part !== null,
  )
  return topError(list<TopError>(body?.errors)[0], response, results) ?? userError(results)
}

function topError(
  top: TopError | undefined,
  { body }: NativeResponse,
  results: Record<string, unknown>[],
): NativeError | undefined {
  if (typeof top?.message !== 'string') return undefined
  const code = top.extensions?.code
  const message = text(top.extensions?.problems?.[0]?.explanation) ?? top.message
  // A mutation with a result has run; an error next to it only means that a part of the result could not be returned.
  if (results.some((result) => 'userErrors' in result || 'orderCancelUserErrors' in result))
    return { kind: 'unavailable', code, message }
  return { kind: kindOf(code, message), code, message, retryAfterMs: waitMs(body) }
}
function kindOf(code: string | undefined, message: string): NativeErrorKind {
  if (/global id/i.test(message)) return 'not_found'
  if (/cursor/i.test(message)) return 'cursor'
  return byCode[code ?? ''] ?? 'invalid'
}

function userError(results: Record<string, unknown>[]): NativeError | undefined {
  const errors = results.flatMap((result) => [
    ...list(result.userErrors as UserError[]),
    ...list(result.orderCancelUserErrors as UserError[]),
  ])
  const first = errors[0]
  if (!first) return undefined
  const fields = errors
    .filter(({ field }) => field?.length)
    .map(({ field, message }) => ({ native: field!.join('.'), message }))
  return {
    kind: byCode[first.code ?? ''] ?? kindBySentence(first.message),
    code: first.code,
    message: first.message,
    ...(fields.length ? { fields } : {}),
  }
}
/** Half of the mutations return no codes. */
function kindBySentence(message: string): NativeErrorKind {
  if (/already been taken/i.test(message)) return 'duplicate'
  return /(does not|doesn't) exist|(can't|cannot|could not) be found|not found/i.test(message) ? 'not_found' : 'invalid'
}
