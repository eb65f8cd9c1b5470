// https://doc.toasttab.com/doc/devguide/api_dates_and_timestamps.html
import { toUtc } from '../../kit/time.ts'

/** An offset without a colon, and always a fraction: Toast refuses both "Z" and whole seconds. */
export const toToastDate = (instant: string): string => new Date(instant).toISOString().replace('Z', '+0000')

/** "Never" is the epoch. */
export function fromToastDate(value: unknown): string | undefined {
  const instant = toUtc(value)
  return instant === '1970-01-01T00:00:00.000Z' ? undefined : instant
}

/** A business date is yyyyMMdd, a number or text; the instant is its midnight in UTC, good enough to begin a search at. */
export function fromBusinessDate(value: unknown): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})$/.exec(String(value)) ?? []
  return year === undefined ? undefined : toUtc(`${year}-${month}-${day}T00:00:00Z`)
}
