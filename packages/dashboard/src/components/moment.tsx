import { useEffect, useState } from 'react'
import { exactTime, relativeTime, shortTime } from '../format.ts'
import { withTooltip } from './tooltip.tsx'
import './moment.css'

/**
 * "3 min ago"; the exact time in UTC and local time on hover and focus. `exact`: "Nov 17, 14:03:22", for lists that are
 * compared with another log.
 */
export function Moment({ at, still = false, exact: shown = false }: { at: string; still?: boolean; exact?: boolean }) {
  const [, tick] = useState(0)
  useEffect(() => {
    const age = Math.abs(Date.now() - Date.parse(at))
    if (still || shown || age > 3_600_000) return
    const timer = setInterval(() => tick((before) => before + 1), age < 60_000 ? 5_000 : 30_000)
    return () => clearInterval(timer)
  }, [at, still, shown])
  const exact = exactTime(at)
  return (
    <time
      dateTime={at}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable without a mouse
      tabIndex={0}
      className="moment"
      {...withTooltip(`${exact.utc}\n${shown ? relativeTime(at) : exact.local}`)}
    >
      {shown ? shortTime(at) : relativeTime(at)}
    </time>
  )
}
