// The period of a list: one of the usual ones until now, or from one time to another. In the URL: `period`, or `since`
// and `until`.
import { useState } from 'react'
import type { Query } from '../use-query.ts'
import { Select } from './field.tsx'
import './period.css'

const periods = [
  { value: '', label: 'All time', minutes: 0 },
  { value: '15m', label: 'Last 15 minutes', minutes: 15 },
  { value: '1h', label: 'Last hour', minutes: 60 },
  { value: '24h', label: 'Last 24 hours', minutes: 1440 },
  { value: '7d', label: 'Last 7 days', minutes: 10_080 },
  { value: '30d', label: 'Last 30 days', minutes: 43_200 },
] as const
const range = 'range'

/** `since` and `until` for the API. Rounded to the minute, so that the same query keeps the same path. */
export function timesOf(query: Query): { since?: string; until?: string } {
  const minutes = periods.find(({ value }) => value === query.get('period'))?.minutes
  if (minutes) return { since: new Date((Math.floor(Date.now() / 60_000) - minutes) * 60_000).toISOString() }
  return { since: query.get('since') || undefined, until: query.get('until') || undefined }
}

/** For an input of the type datetime-local, which has no time zone. */
const localText = (instant: string) => {
  const time = Date.parse(instant)
  if (Number.isNaN(time)) return ''
  return new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
const instantOf = (local: string) => (local === '' ? undefined : new Date(local).toISOString())

export function PeriodFilter({ query }: { query: Query }) {
  const [open, setOpen] = useState(false)
  const custom = open || query.get('since') !== '' || query.get('until') !== ''
  return (
    <>
      <Select
        bare
        label="Period"
        value={custom ? range : query.get('period')}
        choices={[...periods.map(({ value, label }) => ({ value, label })), { value: range, label: 'From … to …' }]}
        onChange={(value) => {
          setOpen(value === range)
          query.set({ period: value === range ? undefined : value, since: undefined, until: undefined })
        }}
      />
      {custom ? (
        <>
          <Time label="From" name="since" query={query} />
          <Time label="To" name="until" query={query} />
        </>
      ) : null}
    </>
  )
}

function Time({ label, name, query }: { label: string; name: 'since' | 'until'; query: Query }) {
  return (
    <label className="period-time">
      <span>{label}</span>
      <input
        type="datetime-local"
        className="input"
        value={localText(query.get(name))}
        onChange={(event) => query.set({ [name]: instantOf(event.target.value) }, 'replace')}
      />
    </label>
  )
}
