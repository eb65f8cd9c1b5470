// The report as one page: bars in SVG, without external files.
import type { Finding, SpeedReport } from './rounds.ts'

const inHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const [left, width, height] = [190, 400, 26]

function plot(bars: NonNullable<Finding['bars']>): string {
  const most = Math.max(...bars.map(({ value }) => value))
  const lines = bars.map(({ label, value, unit }, index) => {
    const length = Math.max(1, (value / most) * width)
    const y = index * height
    return `<text x="${left - 10}" y="${y + 17}" text-anchor="end">${inHtml(label)}</text><rect class="${index === 0 ? 'ours' : 'theirs'}" x="${left}" y="${y + 4}" width="${length.toFixed(1)}" height="18" rx="2"/><text x="${left + length + 8}" y="${y + 17}">${value >= 100 ? value.toFixed(0) : value.toFixed(2)} ${inHtml(unit)}</text>`
  })
  return `<svg role="img" aria-label="${inHtml(bars.map(({ label, value, unit }) => `${label}: ${value.toFixed(2)} ${unit}`).join(', '))}" viewBox="0 0 ${left + width + 150} ${bars.length * height}">${lines.join('')}</svg>`
}

function section({ title, target, reached, ratio, figures, bars }: Finding): string {
  const verdict = target
    ? `<p class="${reached ? 'reached' : 'missed'}">${reached ? 'reached' : 'not reached'}: target ${inHtml(target)}</p>`
    : ''
  const share = ratio
    ? `<p class="ratio">${ratio.median.toFixed(2)} <small>${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)} over ${ratio.values.length} rounds</small></p>`
    : ''
  const list = Object.entries(figures).map(
    ([label, text]) => `<tr><th scope="row">${inHtml(label)}</th><td>${inHtml(text)}</td></tr>`,
  )
  return `<section><h2>${inHtml(title)}</h2>${share}${verdict}${bars ? plot(bars) : ''}${list.length > 0 ? `<table>${list.join('')}</table>` : ''}</section>`
}

export const reportPage = ({
  at,
  machine,
  node,
  rounds,
  findings,
}: SpeedReport): string => `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Speed</title>
<style>:root{color-scheme:light dark;--ours:light-dark(#2456d6,#7ea2ff);--theirs:light-dark(#a9b0bd,#5b6272)}body{font:15px/1.5 system-ui;max-width:52rem;margin:2rem auto;padding:0 1rem}section{border-top:1px solid light-dark(#ddd,#333);padding:1rem 0}h2{font-size:1rem;margin:0}.ratio{font-size:1.6rem;margin:.25rem 0;font-variant-numeric:tabular-nums}small{font-size:.8rem;opacity:.7}.reached::before{content:"✓ "}.missed::before{content:"✗ "}.missed{font-weight:600}svg{width:100%;font:13px system-ui}text{fill:currentColor}.ours{fill:var(--ours)}.theirs{fill:var(--theirs)}table{font-variant-numeric:tabular-nums}th{text-align:left;font-weight:400;padding-right:1rem}</style>
<h1>Speed</h1><p>${inHtml(at)}, ${inHtml(machine)}, Node ${inHtml(node)}; medians of ${rounds} interleaved rounds.</p>${findings.map(section).join('\n')}</html>
`
