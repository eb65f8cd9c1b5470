// Formats numbers, times, and names.
import { entityTypes } from '../../client/src/generated/entity-types.ts'

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' })
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** Rounded: an hour from now is "in 1 hr" and not "in 59 min" a moment later. Without the periods of abbreviations. */
export function relativeTime(instant: string, now = Date.now()): string {
  const seconds = (Date.parse(instant) - now) / 1000
  const size = Math.abs(seconds)
  if (size < 5) return 'now'
  const [unit, length] = steps.find(([, one], index) => {
    const smaller = steps[index + 1]?.[1] ?? 1
    return Math.round(size / smaller) * smaller >= one
  }) ?? ['second', 1]
  return relative.format(Math.sign(seconds) * Math.round(size / length), unit).replace('.', '')
}

const local = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'long' })
/** The exact time in UTC and local time. */
export const exactTime = (instant: string): { utc: string; local: string } => ({
  utc: new Date(instant).toISOString().replace('T', ' ').replace('Z', ' UTC'),
  local: local.format(new Date(instant)),
})

const short = { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const
const thisYear = new Intl.DateTimeFormat('en', { ...short, hourCycle: 'h23' })
const otherYear = new Intl.DateTimeFormat('en', { ...short, year: 'numeric', hourCycle: 'h23' })
/** `Nov 17, 14:03:22` in local time; with the year if it is another one. */
export function shortTime(instant: string): string {
  const date = new Date(instant)
  return (date.getFullYear() === new Date().getFullYear() ? thisYear : otherYear).format(date)
}

const nbsp = '\u{a0}' // no line break between a number and its unit
export function duration(milliseconds: number): string {
  if (milliseconds < 10) return `${Number(milliseconds.toFixed(1))}${nbsp}ms`
  if (milliseconds < 1000) return `${Math.round(milliseconds)}${nbsp}ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)}${nbsp}s`
  return `${Math.floor(milliseconds / 60_000)}${nbsp}min${nbsp}${Math.round((milliseconds % 60_000) / 1000)}${nbsp}s`
}

const whole = new Intl.NumberFormat('en')
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
export const count = (value: number) => whole.format(value)
export const shortCount = (value: number) => (Math.abs(value) < 10_000 ? whole.format(value) : compact.format(value))
export const percent = (share: number) =>
  share > 0 && share < 0.001 ? '< 0.1%' : `${Number((share * 100).toFixed(share < 0.1 ? 1 : 0))}%`
export const plural = (value: number, one: string, many = `${one}s`) => `${count(value)} ${value === 1 ? one : many}`

/** With the digits of the currency: `229.80 USD`, `1,200 JPY`. */
export function money(amount: number, currencyCode?: string): string {
  const digits = (() => {
    try {
      if (currencyCode)
        return new Intl.NumberFormat('en', { style: 'currency', currency: currencyCode }).resolvedOptions()
          .maximumFractionDigits
    } catch {} // not a currency code
    return undefined
  })()
  const text = amount.toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: Math.max(digits ?? 0, 6), // no digit of the platform is lost
  })
  return currencyCode ? `${text} ${currencyCode}` : text
}

/** A name without a line break after one letter and a hyphen, for example in "X-Series". */
export const unbroken = (name: string) => name.replaceAll(/\b(\p{L})-/gu, '$1\u{2011}')

/** Shortens an ID in the middle, because both ends identify it. */
export const middle = (text: string, length = 20) => {
  if (text.length <= length) return text
  const tail = Math.floor((length - 1) / 3)
  return `${text.slice(0, length - 1 - tail)}…${text.slice(-tail)}`
}

const words: Record<string, string> = {
  retail_pos: 'Retail POS',
  restaurant: 'Restaurant',
  accounting: 'Accounting',
  api_key: 'API key',
  oauth2: 'OAuth 2',
}
/** `reconnect_required` -> "Reconnect required". */
export const readable = (name: string) =>
  words[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`.replaceAll(/[_-]/g, ' ')
/** `createApiKey` -> "Create API key", `accountId` -> "Account ID". */
export const actionName = (operationId: string) =>
  readable(operationId.replaceAll(/([A-Z])/g, (upper) => `_${upper.toLowerCase()}`)).replaceAll(
    /\b(api|ids?|mcp)\b/gi,
    (word) => word.toUpperCase().replace('IDS', 'IDs'),
  )
/** `time_entry` -> "time entries". */
export const manyOf = (entityType: string): string =>
  entityTypes[entityType as keyof typeof entityTypes]?.many ?? entityType.replaceAll('_', ' ')
type DailyQuota = { calls?: number | undefined; plans?: Readonly<Record<string, number>> | undefined } | undefined
/** `5,000 calls`, or `Free 1,000, Standard 2,000`: by plan. */
export const daily = (quota: DailyQuota): string => {
  if (!quota) return 'Not limited'
  if (quota.plans === undefined) return `${count(quota.calls ?? 0)} calls`
  return Object.entries(quota.plans)
    .map(([plan, calls]) => `${readable(plan.toLowerCase())} ${count(calls)}`)
    .join(', ')
}
/** `5,000`, or `1,000 to 10,000`: from the smallest plan to the largest. */
export const dailyRange = (quota: DailyQuota): string => {
  if (!quota) return '–'
  const all = Object.values(quota.plans ?? { calls: quota.calls ?? 0 })
  const [least, most] = [Math.min(...all), Math.max(...all)]
  return least === most ? count(most) : `${count(least)} to ${count(most)}`
}
const units: Record<number, string> = { 1: 's', 60: 'min', 3600: 'h', 86400: 'day' }
/** `5 / s, 300 / min, 10 at once`; `100 / min (90 usable)` if the service leaves a part to other integrations. */
export const rate = ({
  rateLimit,
  concurrency,
}: {
  rateLimit: readonly { requests: number; seconds: number; usable?: number | undefined }[]
  concurrency?: number | undefined
}) =>
  [
    ...rateLimit.map(
      ({ requests, usable, seconds }) =>
        `${count(requests)} / ${units[seconds] ?? `${seconds} s`}${usable === undefined ? '' : ` (${count(usable)} usable)`}`,
    ),
    ...(concurrency === undefined ? [] : [`${concurrency} at once`]),
  ].join(', ')

/** Browser and system, from a User-Agent header; tools by their name. */
export function browserName(userAgent: string | undefined): string {
  if (!userAgent) return 'Unknown'
  const browser = /(?<name>Edg|OPR|Firefox|Chrome|Safari)\//.exec(userAgent)?.groups?.name
  const system = /(?<name>Windows|Android|iPhone|iPad|Mac OS X|Linux)/.exec(userAgent)?.groups?.name
  if (!browser) return userAgent.split(/[\s/]/, 1)[0] || 'Unknown'
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' }
  return [browser, system].flatMap((name) => (name ? [names[name] ?? name] : [])).join(' on ')
}
