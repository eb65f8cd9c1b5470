// Timestamps: the extended form of ISO 8601 with an offset. The service sends them as UTC with milliseconds.
const form = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:Z|([+-])(\d\d):?(\d\d))$/i
/** The same form for JSON Schema. It has no lookahead, and it cannot count the days of a month. */
export const instantPattern =
  '^(\\d{3}[1-9]|\\d{2}[1-9]\\d|\\d[1-9]\\d{2}|[1-9]\\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])[Tt]([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d([.,]\\d+)?)?([Zz]|[+-]([01]\\d|2[0-3]):?[0-5]\\d)$'
export const instantExample = '2026-11-10T18:30:00Z'

/** `YYYY-MM-DDTHH:mm:ss.sssZ`, or undefined for a text that names no instant. Digits after the milliseconds are cut. */
export function toInstant(text: string): string | undefined {
  const match = form.exec(text)
  if (!match) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const offset = { hours: Number(match[9] ?? 0), minutes: Number(match[10] ?? 0) }
  if (year === 0 || hour > 23 || minute > 59 || second > 59 || offset.hours > 23 || offset.minutes > 59)
    return undefined
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  date.setUTCHours(hour, minute, second, Number((match[7] ?? '').slice(0, 3).padEnd(3, '0')))
  const away = (offset.hours * 60 + offset.minutes) * 60_000
  const instant = new Date(date.getTime() - (match[8] === '-' ? -away : away))
  // An offset can move the ends of the calendar to a year that four digits cannot express.
  return instant.getUTCFullYear() < 1 || instant.getUTCFullYear() > 9999 ? undefined : instant.toISOString()
}

/** Why a text is not an instant, and what to send instead. */
export function instantFault(text: string): string {
  const example = `, such as ${instantExample} or 2026-11-10T13:30:00-05:00`
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `is a date without a time: send a timestamp with an offset${example}`
  if (/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d([.,]\d+)?)?$/i.test(text))
    return `is a time without an offset: end it with Z for UTC or with an offset${example}`
  if (/T\d\d:\d\d:60/i.test(text)) return `has a leap second: send second 59${example}`
  return `must be an ISO 8601 timestamp with an offset${example}`
}
