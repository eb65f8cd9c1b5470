import { duration } from '../format.ts'
import './time-split.css'

export interface Split {
  totalMs: number
  waitMs: number
  platformMs: number
}
/** Concurrent platform calls can exceed the total. Then the parts are scaled in proportion. */
const shares = ({ totalMs, waitMs, platformMs }: Split) => {
  const whole = Math.max(totalMs, waitMs + platformMs, 0.001)
  return {
    wait: waitMs / whole,
    platform: platformMs / whole,
    service: Math.max(0, whole - waitMs - platformMs) / whole,
  }
}

/** Total time as a small bar: queue, platform, service. `longest` gives the rows of a list the same scale. */
export function TimeSplit({ split, longest }: { split: Split; longest?: number }) {
  const { wait, platform, service } = shares(split)
  const own = Math.max(0, split.totalMs - split.waitMs - split.platformMs)
  const words = `${duration(split.totalMs)}: queue ${duration(split.waitMs)}, platform ${duration(split.platformMs)}, service ${duration(own)}`
  // A square-root scale keeps both milliseconds and seconds visible.
  const length = longest ? Math.max(0.03, Math.sqrt(split.totalMs / longest)) : 1
  return (
    <span className="split" title={words}>
      <span className="split-track" aria-hidden>
        <span className="split-bar" style={{ width: `${length * 100}%` }}>
          <span className="split-wait" style={{ flexGrow: wait }} />
          <span className="split-platform" style={{ flexGrow: platform }} />
          <span className="split-service" style={{ flexGrow: service }} />
        </span>
      </span>
      <span className="number split-total">{duration(split.totalMs)}</span>
    </span>
  )
}

/** The same as text, with a color legend. */
export function TimeLegend({ split }: { split: Split }) {
  const parts = [
    ['wait', 'Queue', split.waitMs],
    ['platform', 'Platform', split.platformMs],
    ['service', 'Service', Math.max(0, split.totalMs - split.waitMs - split.platformMs)],
  ] as const
  return (
    <ul className="split-legend">
      {parts.map(([kind, label, milliseconds]) => (
        <li key={kind}>
          <span className={`split-dot split-${kind}`} aria-hidden />
          {label} <span className="number soft">{duration(milliseconds)}</span>
        </li>
      ))}
    </ul>
  )
}
