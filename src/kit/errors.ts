// Common parts of `readError`, and ways to raise or absorb a NativeFailure.
import type { NativeError, NativeErrorKind, NativeResponse } from '../contract/connector.ts'
import { NativeFailure } from '../contract/native-failure.ts'

/** The response, or undefined if the platform reports that the record does not exist. */
export async function ifFound<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise
  } catch (error) {
    if (error instanceof NativeFailure && error.error.kind === 'not_found') return undefined
    throw error
  }
}

/**
 * For `run`: a value that the platform is known not to take (another currency, an unknown product), 422
 * `target_refuses`. `native` goes through the entity's `fields`; a JSON pointer is used as it is.
 */
export const refusal = (native: string, message: string): NativeFailure =>
  new NativeFailure({ kind: 'invalid', code: 'target_refuses', message, fields: [{ native, message }] })
/** The same for something that is missing (a location where the account has several), 422 `target_requires`. */
export const requirement = (native: string, message: string): NativeFailure =>
  new NativeFailure({ kind: 'invalid', code: 'target_requires', message, fields: [{ native, message }] })

export function errorKindByStatus(status: number): NativeErrorKind | undefined {
  if (status < 400) return undefined
  if (status >= 500 || status === 408) return 'unavailable'
  return kinds[status] ?? 'invalid'
}
const kinds: Readonly<Record<number, NativeErrorKind>> = {
  401: 'token',
  403: 'forbidden',
  404: 'not_found',
  409: 'stale',
  410: 'not_found',
  412: 'stale',
  429: 'throttled',
}

/**
 * The error by status alone, with a readable message whatever the body is; undefined below 400. A connector overrides
 * it with what it knows: `{ ...error, kind, code, message }`.
 */
export function errorByStatus(response: NativeResponse): NativeError | undefined {
  const kind = errorKindByStatus(response.status)
  if (!kind) return undefined
  const wait = retryAfterMs(response.headers)
  return { kind, message: readableMessage(response), retryAfterMs: wait }
}

/**
 * Retry-After as milliseconds: seconds, or an HTTP date, which is relative to the response's own Date header, since a
 * connector has no clock.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after']?.trim()
  if (!value) return undefined
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000)
  const wait = Date.parse(value) - Date.parse(headers.date ?? '')
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

/** A short line from any response body: text, an HTML page of a proxy, or JSON with its message under a usual name. */
function readableMessage({ status, body }: Pick<NativeResponse, 'status' | 'body'>): string {
  const found =
    typeof body === 'string'
      ? body
      : (body?.message ?? body?.error_description ?? body?.detail ?? body?.error?.message ?? body?.error ?? body?.title)
  return (typeof found === 'string' ? cleanText(found) : '') || `HTTP ${status}`
}
/** Tags, scripts and runs of white space removed, cut at 200 characters. */
export function cleanText(value: string): string {
  const plain = value
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain
}
