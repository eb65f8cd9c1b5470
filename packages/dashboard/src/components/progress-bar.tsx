import './progress-bar.css'

/** Of a known total. The text next to it has the numbers for eyes. */
export function ProgressBar({ label, value, total }: { label: string; value: number; total: number }) {
  const share = total === 0 ? 1 : Math.min(1, value / total)
  return (
    <div
      className="progress-bar"
      role="progressbar"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={total}
    >
      <span style={{ width: `${share * 100}%` }} />
    </div>
  )
}
