import { useEffect, useState } from 'react'
import { exactTime, relativeTime } from '../format.ts'
import { withTooltip } from './tooltip.tsx'
import './moment.css'

/** "3 min ago"; the exact time in UTC and local time on hover and focus. */
export function Moment({ at, still = false }: { at: string; still?: boolean }) {
  const [, tick] = useState(0)
  useEffect(() => {
    const age = Math.abs(Date.now() - Date.parse(at))
    if (still || age > 3_600_000) return
    const timer = setInterval(() => tick((before) => before + 1), age < 60_000 ? 5_000 : 30_000)
    return () => clearInterval(timer)
  }, [at, still])
  const exact = exactTime(at)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the exact time must be reachable without a mouse
    <time dateTime={at} tabIndex={0} className="moment" {...withTooltip(`${exact.utc}\n${exact.local}`)}>
      {relativeTime(at)}
    </time>
  )
}
