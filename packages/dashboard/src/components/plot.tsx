// A chart, with the same figures in a table for screen readers.
import { Suspense } from 'react'
import { chunk } from '../load-chunk.ts'
import { Button } from './button.tsx'
import { Guard } from './guard.tsx'
import type { Series } from './plot-canvas.tsx'
import './plot.css'

const PlotCanvas = chunk(() => import('./plot-canvas.tsx'))((canvas) => canvas.default)
const height = 180

export interface PlotProps {
  question: string
  summary?: string
  unit: string
  /** Milliseconds since 1970, one per point. */
  times: readonly number[]
  series: readonly Series[]
  bars?: boolean
  empty?: string
  /** Upper end of the scale, if it is fixed (1 = the whole limit). */
  top?: number
  format?(value: number): string
}

export function Plot({ question, summary, unit, times, series, bars = false, empty, top, format = String }: PlotProps) {
  const nothing = series.every(({ values }) => values.every((value) => !value))
  return (
    <figure className="plot">
      <figcaption className="plot-caption">
        <div className="plot-title">
          <h2>{question}</h2>
          <span className="plot-unit">{unit}</span>
        </div>
        {summary ? <p className="section-about">{summary}</p> : null}
      </figcaption>
      <ul className="plot-legend" aria-hidden>
        {series.map(({ name, color }) => (
          <li key={name}>
            <span className="plot-dot" style={{ background: `var(--${color})` }} />
            {name}
          </li>
        ))}
      </ul>
      {nothing && empty ? (
        <div className="plot-empty" style={{ height }}>
          {empty}
        </div>
      ) : (
        <Guard fallback={(_, retry) => <NotDrawn retry={retry} />}>
          <Suspense fallback={<div style={{ height }} />}>
            <PlotCanvas times={times} series={series} bars={bars} height={height} top={top} format={format} />
          </Suspense>
        </Guard>
      )}
      <PlotTable question={question} unit={unit} times={times} series={series} format={format} />
    </figure>
  )
}

const NotDrawn = ({ retry }: { retry(): void }) => (
  <div className="plot-empty" style={{ height }}>
    The chart could not be loaded.
    <Button small onClick={retry}>
      Try again
    </Button>
  </div>
)

function PlotTable({
  question,
  unit,
  times,
  series,
  format,
}: Pick<PlotProps, 'question' | 'unit' | 'times' | 'series'> & { format(value: number): string }) {
  return (
    // A table cannot be narrower than its words, so it is wrapped.
    <div className="unseen">
      <table>
        <caption>
          {question} ({unit})
        </caption>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.map((time, index) => (
            <tr key={time}>
              <th scope="row">{new Date(time).toISOString().slice(0, 16).replace('T', ' ')}</th>
              {series.map(({ name, values }) => (
                <td key={name}>{format(values[index] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
