// How often a watched entity is read, in words and as choices of a form.
import type { Intervals } from '../../types.ts'

export type IntervalName = 'pollSeconds' | 'walkHours'

const usual: Readonly<Record<IntervalName, readonly number[]>> = {
  pollSeconds: [30, 60, 120, 300, 600, 900, 1_800, 3_600, 21_600, 86_400],
  walkHours: [1, 2, 4, 6, 12, 24, 48, 72, 168],
}
const seconds: Readonly<Record<IntervalName, number>> = { pollSeconds: 1, walkHours: 3_600 }
const daySeconds = 86_400
const second = ['second', 'sec', 1] as const
const units = [['day', 'days', daySeconds], ['hour', 'hours', 3_600], ['minute', 'min', 60], second] as const

/** By default, with and without polls. */
export const standardOf = (name: IntervalName, mode: 'poll' | 'walk'): number =>
  name === 'pollSeconds' ? 300 : mode === 'poll' ? 24 : 1

/** "every minute", "every 5 min", "every 24 hours", "every 2 days". */
export function every(name: IntervalName, value: number): string {
  const length = value * seconds[name]
  const [one, many, size] =
    units.find(([, , unit]) => length % unit === 0 && (unit < daySeconds || length > unit)) ?? second
  return length === size ? `every ${one}` : `every ${length / size} ${many}`
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** The first choice has no value. A value that was set through the API may be none of the usual ones. */
export function intervalChoices(
  name: IntervalName,
  current: number | undefined,
  inherited: string,
): { value: string; label: string }[] {
  const values = current === undefined ? usual[name] : [...new Set([...usual[name], current])]
  return [
    { value: '', label: inherited },
    ...values
      .toSorted((left, right) => left - right)
      .map((value) => ({ value: String(value), label: capital(every(name, value)) })),
  ]
}

export const withInterval = (intervals: Intervals, name: IntervalName, text: string): Intervals => {
  const { [name]: _, ...rest } = intervals
  return text === '' ? rest : { ...rest, [name]: Number(text) }
}
