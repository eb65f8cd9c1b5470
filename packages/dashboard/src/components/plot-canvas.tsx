import { useEffect, useRef, useState } from 'react'
import './valid-language.ts'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'

export interface Series {
  name: string
  /** A name in tokens.css, without the dashes. */
  color: string
  values: readonly (number | null)[]
}
interface CanvasProps {
  times: readonly number[]
  series: readonly Series[]
  bars: boolean
  height: number
  top: number | undefined
  format(value: number): string
}

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
/** The canvas cannot use custom properties, so it is redrawn when the theme changes. */
function useTheme(): string {
  const [theme, setTheme] = useState(() => document.documentElement.dataset.theme ?? '')
  useEffect(() => {
    const watch = new MutationObserver(() => setTheme(document.documentElement.dataset.theme ?? ''))
    watch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => watch.disconnect()
  }, [])
  return theme
}

export default function PlotCanvas({ times, series, bars, height, top, format }: CanvasProps) {
  const frame = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme decides what the tokens hold
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const line = { stroke: token('border'), width: 1 }
    const axis = { stroke: token('text-faint'), font: `11px ${token('font')}`, ticks: { show: false } }
    const filled = series.length < 3
    const plot = new uPlot(
      {
        width: element.clientWidth,
        height,
        padding: [8, 24, 0, 0],
        cursor: { points: { size: 7 }, drag: { setScale: false }, y: false },
        legend: { show: false },
        scales: { y: { range: (_, __, highest) => [0, Math.max(top ?? 0, (highest || 1) * 1.12)] } },
        axes: [
          {
            ...axis,
            grid: { show: false },
            size: 24,
            space: 64,
            values: (_, ticks) => ticks.map((tick, index) => timeLabel(tick, ticks[index - 1])),
          },
          { ...axis, grid: line, size: widthOf, values: (_, ticks) => ticks.map((tick) => format(tick)) },
        ],
        series: [
          {},
          ...series.map(({ name, color }) => ({
            label: name,
            stroke: token(color),
            ...(bars ? asBars(token(color)) : asLine(token(color), filled)),
          })),
        ],
        plugins: [tip(series, format)],
      },
      [times.map((time) => time / 1000), ...series.map(({ values }) => [...values])],
      element,
    )
    const resize = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    resize.observe(element)
    return () => {
      resize.disconnect()
      plot.destroy()
    }
  }, [times, series, bars, height, top, format, theme])
  return <div ref={frame} className="plot-canvas" style={{ height }} aria-hidden />
}

/** Room for the widest label. The font of the context is in device pixels. */
function widthOf({ ctx, axes }: uPlot, labels: string[] | null): number {
  const font = axes[1]?.font
  if (font) ctx.font = Array.isArray(font) ? String(font[0]) : String(font)
  const widest = Math.max(0, ...(labels ?? []).map((label) => ctx.measureText(label).width))
  return Math.max(44, Math.ceil(widest / devicePixelRatio) + 14)
}

/** The date at the start of a day, the time otherwise. */
function timeLabel(second: number, before: number | undefined): string {
  const at = new Date(second * 1000)
  const newDay = before !== undefined && new Date(before * 1000).getDate() !== at.getDate()
  return newDay || (at.getHours() === 0 && at.getMinutes() === 0)
    ? at.toLocaleDateString('en', { day: 'numeric', month: 'short' })
    : at.toLocaleTimeString('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
}

const asLine = (color: string, filled: boolean) => ({
  width: 1.75,
  ...(filled ? { fill: `${color}1f` } : {}),
  points: { show: false },
  spanGaps: true,
})
const asBars = (color: string) => ({
  width: 0,
  fill: color,
  paths: uPlot.paths.bars?.({ size: [0.7, 18], radius: 0.15 }),
  points: { show: false },
})

/** The values under the pointer, as text. */
function tip(series: readonly Series[], format: (value: number) => string): uPlot.Plugin {
  const box = document.createElement('div')
  box.className = 'plot-tip'
  box.hidden = true
  return {
    hooks: {
      init: (plot) => plot.over.append(box),
      setCursor: (plot) => {
        const { idx, left = -1 } = plot.cursor
        box.hidden = left < 0 || idx == null
        if (box.hidden || idx == null) return
        const when = new Date((plot.data[0][idx] ?? 0) * 1000)
        const lines = series.map(({ name }, index) => `${name}: ${format(plot.data[index + 1]?.[idx] ?? 0)}`)
        box.replaceChildren(
          ...[when.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' }), ...lines].map((text) =>
            Object.assign(document.createElement('div'), { textContent: text }),
          ),
        )
        box.style.transform = `translateX(${Math.min(left + 10, Math.max(0, plot.over.clientWidth - box.offsetWidth))}px)`
      },
    },
  }
}
