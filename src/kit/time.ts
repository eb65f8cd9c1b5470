// Instants: unified records hold UTC with milliseconds, platforms every format there is. Nothing here reads a clock.
import { unread } from '../contract/unread.ts'
import { number } from './fields.ts'

const isoPattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?))?\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i
const dotNetPattern = /^\/Date\((-?\d+)(?:[+-]\d{4})?\)\/$/ // the offset is only for display: the number is UTC
const mailPattern = /^[a-z]{3}, \d{1,2} [a-z]{3} \d{4} \d{2}:\d{2}(:\d{2})? (GMT|UTC|[+-]\d{4})$/i

/**
 * `YYYY-MM-DDTHH:mm:ss.sssZ` out of ISO 8601 with any offset, `/Date(…)/`, HTTP and mail dates. A time without offset
 * is read in `zone` (an IANA name); without `zone` it is undefined rather than guessed.
 */
export function toUtc(value: unknown, zone?: string): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') return unread(value)
  const string = value.trim()
  if (string === '' || string.startsWith('0000-00-00')) return undefined // how databases write "never"
  const dotNet = dotNetPattern.exec(string)
  if (dotNet) return fromUnixMs(Number(dotNet[1]))
  if (mailPattern.test(string)) return fromUnixMs(Date.parse(string))
  const [, day, time, offset] = isoPattern.exec(string) ?? []
  if (!day) return unread(value)
  const wall = Date.parse(`${day}T${withSeconds(time)}Z`)
  if (Number.isNaN(wall)) return unread(value)
  if (offset) return fromUnixMs(wall - offsetMs(offset))
  return zone === undefined ? unread(value) : fromUnixMs(wallToUnixMs(wall, zone))
}
export function fromUnixMs(milliseconds: unknown): string | undefined {
  const read = number(milliseconds)
  if (read === undefined) return undefined
  return Math.abs(read) <= 8.64e15 ? new Date(read).toISOString() : unread(milliseconds)
}
export function fromUnixSeconds(seconds: unknown): string | undefined {
  const read = number(seconds)
  return read === undefined ? undefined : fromUnixMs(Math.round(read * 1000))
}

export const toUnixMs = (instant: string): number => Date.parse(instant)

/** The wall clock of a zone at an instant, `YYYY-MM-DD HH:mm:ss`: for filters that take local times. */
export const wallTime = (instant: string, zone: string): string =>
  new Date(wallAt(Date.parse(instant), zone)).toISOString().slice(0, 19).replace('T', ' ')

/**
 * How far the clock of a platform may be from ours when a record is looked up by its creation time: the record of a
 * lost response must be found, and a mark or its content tells it from others.
 */
export const clockToleranceMs = 86_400_000

export const addMs = (instant: string, milliseconds: number): string =>
  new Date(Date.parse(instant) + milliseconds).toISOString()

/** Hours with four decimals; undefined when either end is missing. */
export function hoursBetween(start: string | undefined, end: string | undefined): number | undefined {
  const hours = (Date.parse(end ?? '') - Date.parse(start ?? '')) / 3_600_000
  return Number.isNaN(hours) ? undefined : Math.round(hours * 10_000) / 10_000
}
/** Negative, zero or positive: for sorting instants in any ISO form. */
export const compareInstants = (a: string, b: string): number => Date.parse(a) - Date.parse(b)

export const latestOf = (...instants: readonly (string | undefined)[]): string | undefined =>
  instants.reduce(
    (latest, instant) =>
      instant !== undefined && (latest === undefined || compareInstants(instant, latest) > 0) ? instant : latest,
    undefined,
  )

const withSeconds = (time = '00:00'): string => (time.length === 5 ? `${time}:00` : time.replace(',', '.'))
function offsetMs(offset: string): number {
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(offset) ?? []
  return hours === undefined ? 0 : (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}
/**
 * In the repeated hour of an autumn clock change the later instant is taken: a modification time that is too late is
 * served once more, one that is too early would be missed.
 */
function wallToUnixMs(wall: number, zone: string): number {
  const candidates = [-86_400_000, 86_400_000].map((away) => wall - (wallAt(wall + away, zone) - (wall + away)))
  const valid = candidates.filter((instant) => wallAt(instant, zone) === wall)
  return Math.max(...(valid.length ? valid : candidates))
}
function wallAt(instant: number, zone: string): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<string, number>
  const wall = Date.UTC(parts.year!, parts.month! - 1, parts.day!, parts.hour!, parts.minute!, parts.second!)
  return wall + (((instant % 1000) + 1000) % 1000)
}
const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const numeric = 'numeric' as const
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  })
  formats.set(zone, format)
  return format
}
