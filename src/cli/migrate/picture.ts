// The summary picture: one bar for each entity, as long as its records, in the colors of what became of them.

import { pluralOf } from '../../migrate/plurals.ts'
import type { EntityReport } from '../../migrate/report.ts'
import { grouped } from '../progress.ts'

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Colors are classes, so that the page can give them for light and dark. */
const parts: readonly { name: string; color: string; count(one: EntityReport): number }[] = [
  { name: 'identical', color: 'same', count: ({ identical }) => identical },
  {
    name: 'moved, with differences',
    color: 'moved',
    count: ({ matched, identical, outdated }) => matched - identical - outdated,
  },
  { name: 'outdated', color: 'outdated', count: ({ outdated }) => outdated },
  { name: 'left out by a rule', color: 'left', count: ({ leftOut }) => leftOut },
  { name: 'missing', color: 'missing', count: ({ missing }) => missing },
]
const [labelWidth, barWidth, rowHeight, barHeight] = [130, 560, 44, 24]

export function pictureOf(entities: readonly EntityReport[]): string {
  const most = Math.max(1, ...entities.map(({ source }) => source))
  // A few hundred categories must stay visible beside a million orders.
  const lengthOf = (source: number) =>
    source === 0 ? 0 : Math.max(60, (barWidth * Math.log1p(source)) / Math.log1p(most))
  const rows = entities.map((one, index) => {
    const y = index * rowHeight + 8
    const length = lengthOf(one.source)
    let x = labelWidth
    const bars = parts.flatMap(({ name, color, count }) => {
      const share = one.source === 0 ? 0 : count(one) / one.source
      if (share === 0) return []
      const width = Math.max(3, share * length)
      const bar = `<rect class="${color}" x="${x.toFixed(1)}" y="${y}" width="${width.toFixed(1)}" height="${barHeight}" rx="3"><title>${pluralOf(one.entity)}: ${grouped(count(one))} ${name}</title></rect>`
      x += width
      return [bar]
    })
    const doubled = one.doubled > 0 ? `, ${grouped(one.doubled)} doubled` : ''
    return `<text x="${labelWidth - 12}" y="${y + 17}" text-anchor="end">${pluralOf(one.entity)}</text>${bars.join('')}<text class="count" x="${(x + 10).toFixed(1)}" y="${y + 17}">${grouped(one.matched)} of ${grouped(one.source)}${doubled}</text>`
  })
  const y = entities.length * rowHeight + 20
  const used = parts.filter(({ count }) => entities.some((one) => count(one) > 0))
  const key = used.map(
    ({ name, color }, index) =>
      `<g transform="translate(${index * 172},${y})"><rect class="${color}" width="12" height="12" rx="2"/><text x="18" y="11">${name}</text></g>`,
  )
  const summary = entities
    .map(({ entity, matched, source }) => `${matched} of ${source} ${pluralOf(entity)}`)
    .join(', ')
  return `<svg viewBox="0 0 860 ${y + 24}" role="img" aria-label="${escapeHtml(`At the target: ${summary}`)}" xmlns="http://www.w3.org/2000/svg">${rows.join('')}${key.join('')}</svg>`
}
