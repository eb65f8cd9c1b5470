import { expect, it } from 'vitest'
import { money, relativeTime } from '../packages/dashboard/src/format.ts'

const now = Date.parse('2026-01-01T00:00:00Z')
const SECOND = 1
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
it.each([
  [HOUR, 'in 1 hr'],
  [HOUR - SECOND, 'in 1 hr'],
  [HOUR - 31 * SECOND, 'in 59 min'],
  [MINUTE - 0.4 * SECOND, 'in 1 min'],
  [31 * SECOND, 'in 31 sec'],
  [DAY - SECOND, 'tomorrow'],
  [23 * HOUR + 29 * MINUTE, 'in 23 hr'],
  [7 * DAY - SECOND, 'next wk'],
  [-4 * SECOND, 'now'],
  [-3 * MINUTE - 20 * SECOND, '3 min ago'],
  [-89 * SECOND, '1 min ago'],
  [-2 * DAY, '2 days ago'],
  [-60 * DAY, '2 mo ago'],
])('an instant %d seconds from now is "%s"', (seconds, expected) => {
  expect(relativeTime(new Date(now + seconds * 1000).toISOString(), now)).toBe(expected)
})

it.each([
  [229.8, 'USD', '229.80 USD'],
  [1200, 'JPY', '1,200 JPY'],
  [0.125, 'EUR', '0.125 EUR'],
  [1.5, 'KWD', '1.500 KWD'],
  [3, undefined, '3'],
  [3.5, 'no code', '3.5 no code'],
])('the amount %d in %s is shown as %s', (amount, currency, expected) => {
  expect(money(amount, currency)).toBe(expected)
})
