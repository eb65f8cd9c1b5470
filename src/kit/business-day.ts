// The business day of a location: a day of its own calendar that begins at an hour of its own.
import type { TProperties } from 'typebox'
import { Type } from 'typebox'
import type { AccountView } from '../contract/connector.ts'
import { wallTime } from './time.ts'

/** "04:00" -> milliseconds. */
const startForm = /^([01]?\d|2[0-3]):([0-5]\d)$/
function startMs(text: string | undefined): number {
  const [, hours, minutes] = startForm.exec(text?.trim() ?? '') ?? []
  return hours === undefined ? 0 : (Number(hours) * 60 + Number(minutes)) * 60_000
}

/** When the day begins, for platforms that do not tell. */
export const businessDayStartSetting = {
  businessDayStart: Type.Optional(
    Type.String({
      title: 'Start of the business day',
      description:
        'When a business day begins, such as 04:00. Sales after midnight and before it belong to the day before. Midnight by default.',
      pattern: startForm.source,
      local: true,
    }),
  ),
} satisfies TProperties
/** Where the locations are, for platforms that do not tell. */
export const timezoneSetting = {
  timezone: Type.Optional(
    Type.String({
      title: 'Time zone',
      description: 'The time zone of the locations, such as America/New_York. Business dates are left out without it.',
      local: true,
    }),
  ),
} satisfies TProperties

/** The day that an instant counts for, `YYYY-MM-DD`; undefined without a zone. */
export function businessDateOf(
  instant: string | undefined,
  zone: string | undefined,
  { businessDayStart }: AccountView['settings'],
): string | undefined {
  if (instant === undefined || !zone) return undefined
  const wall = Date.parse(`${wallTime(instant, zone).replace(' ', 'T')}Z`)
  return new Date(wall - startMs(businessDayStart)).toISOString().slice(0, 10)
}
/** Zones that exist: to find that out takes longer than to read a whole record. */
const existing = new Set<string>()
/** The zone of the account, as a platform told it or a person entered it; undefined for one that does not exist. */
export function zoneOf({ timezone }: AccountView['settings']): string | undefined {
  const zone = timezone?.trim()
  if (!zone) return undefined
  if (existing.has(zone)) return zone
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    existing.add(zone)
    return zone
  } catch {
    return undefined
  }
}
