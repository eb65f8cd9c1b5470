// What all endpoints share: identifiers and dates.
import type { NativeRequest, NativeResponse, WriteCall } from '../../contract/connector.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { text } from '../../kit/fields.ts'
import { exponentOf, fromDecimal } from '../../kit/money.ts'
import { toUtc } from '../../kit/time.ts'

/** Anything other than a GUID gets 400 "malformed", and an external identifier would find a record with another id. */
export const isGuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

/**
 * Toast has no idempotency keys. Instead a record has an external identifier, unique per kind, by which it can be read.
 */
export const externalIdOf = ({ account, reference }: WriteCall): string =>
  `${account.settings.namingAuthority}:${reference}`

interface UniqueStep<T> {
  request: NativeRequest
  read(response: NativeResponse): T
  find(): Promise<T | undefined>
  lagSeconds: number
}
/**
 * A create that is found by its external identifier. If the first call was only slow, the second is rejected as a
 * duplicate, with a code that Toast does not publish: so after any rejection the service checks whether the record
 * exists.
 */
export async function writeUnique<T>(
  call: WriteCall,
  name: string,
  { request, read, find, lagSeconds }: UniqueStep<T>,
): Promise<T> {
  try {
    return await call.write(name, { request, read, recovery: { find, lagSeconds } })
  } catch (error) {
    const refused = error instanceof NativeFailure && (error.error.kind === 'invalid' || error.error.kind === 'stale')
    const found = refused ? await find() : undefined
    if (found === undefined) throw error
    return found
  }
}

// Dates: https://doc.toasttab.com/doc/devguide/api_dates_and_timestamps.html
/** An offset without a colon, and always a fraction: Toast rejects both "Z" and whole seconds. */
export const toToastDate = (instant: string): string => new Date(instant).toISOString().replace('Z', '+0000')

/** The epoch means "never". */
export function fromToastDate(value: unknown): string | undefined {
  const instant = toUtc(value)
  return instant === '1970-01-01T00:00:00.000Z' ? undefined : instant
}

/**
 * A business date is yyyyMMdd, a number or string; the result is midnight UTC, which is precise enough to begin a
 * search.
 */
export function fromBusinessDate(value: unknown): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(String(value)) ?? []
  return year === undefined ? undefined : toUtc(`${year}-${month}-${day}T00:00:00Z`)
}
/** The same as a date: 20261110 is 2026-11-10. */
export const toDay = (value: unknown): string | undefined => fromBusinessDate(text(value))?.slice(0, 10)

/** An amount in minor units. */
export function minorOf(amount: unknown, currency: string | undefined): number | undefined {
  const value = fromDecimal(amount)
  return value === undefined ? undefined : Number(value.toFixed(exponentOf(currency)).replace('.', ''))
}
export const sum = (amounts: readonly (number | undefined)[]): number =>
  amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0)
