// The report as one self-contained page: no script, no font, no external address.

import { pluralOf } from '../../migrate/plurals.ts'
import type { DifferenceGroup, EntityReport, Named, ReasonGroup, Report } from '../../migrate/report.ts'
import { grouped } from '../progress.ts'
import { escapeHtml, pictureOf } from './picture.ts'
import { explanations, leftOutWords } from './words.ts'

const style = `
:root{color-scheme:light dark;--ink:#1d2430;--soft:#5b6675;--paper:#fff;--line:#dfe4ea;--same:#2f7d5b;--moved:#6aa98a;--outdated:#c98a1b;--left:#98a2b3;--missing:#c0392b;--band:#f4f6f8}
@media(prefers-color-scheme:dark){:root{--ink:#e6eaf0;--soft:#9aa6b6;--paper:#14181f;--line:#2c3440;--same:#4db889;--moved:#2f6b52;--outdated:#e0a84a;--left:#677284;--missing:#e8695b;--band:#1b212a}}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif}main{max-width:960px;margin:0 auto;padding:32px 20px 64px}
h1{font-size:26px;margin:0 0 4px}h2{font-size:19px;margin:36px 0 8px}h3{font-size:15px;margin:16px 0 4px}p{margin:6px 0}.soft,small{color:var(--soft)}
.verdict{border-left:6px solid var(--same);background:var(--band);padding:12px 16px;margin:20px 0;font-size:18px}.verdict.bad{border-color:var(--missing)}
svg{width:100%;height:auto;margin:12px 0}svg text{fill:var(--ink);font:14px system-ui,sans-serif}svg .count{fill:var(--soft)}
.same{fill:var(--same)}.moved{fill:var(--moved)}.outdated{fill:var(--outdated)}.left{fill:var(--left)}.missing{fill:var(--missing)}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px;margin:8px 0}th,td{text-align:left;vertical-align:top;padding:6px 10px;border-bottom:1px solid var(--line)}th{color:var(--soft);font-weight:600}
td.number,th.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.bad{color:var(--missing);font-weight:600}code{font:13px ui-monospace,monospace;overflow-wrap:anywhere}summary{cursor:pointer;margin:8px 0}
`
type Cell = string | number
const cell = (value: Cell, tag = 'td', mark = '') => {
  const classes = [typeof value === 'number' ? 'number' : '', mark].filter(Boolean).join(' ')
  return `<${tag}${classes ? ` class="${classes}"` : ''}>${typeof value === 'number' ? grouped(value) : value}</${tag}>`
}
/** A number in a column of trouble is red as soon as it is not 0. */
function tableOf(head: readonly string[], rows: readonly (readonly Cell[])[], trouble: readonly string[] = []): string {
  const numeric = head.map((_, column) => typeof rows[0]?.[column] === 'number')
  const headers = head
    .map((name, column) => `<th scope="col"${numeric[column] ? ' class="number"' : ''}>${name}</th>`)
    .join('')
  const body = rows.map(
    (row) =>
      `<tr>${row.map((value, column) => cell(value, 'td', trouble.includes(head[column] ?? '') && value !== 0 ? 'bad' : '')).join('')}</tr>`,
  )
  return `<div class="wide"><table><thead><tr>${headers}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}
const value = (one: unknown) =>
  one === undefined
    ? '<small>nothing</small>'
    : `<code>${escapeHtml(typeof one === 'string' ? one : JSON.stringify(one)).slice(0, 300)}</code>`

const namedHtml = ({ id, name }: Named) =>
  name === undefined
    ? `<code>${escapeHtml(id)}</code>`
    : `${escapeHtml(name.slice(0, 100))} <small><code>${escapeHtml(id)}</code></small>`

function differenceTable(groups: readonly DifferenceGroup[]): string {
  const rows = groups.map(({ pointer, explanation, message, count, examples: [first] }) => [
    `<code>${escapeHtml(pointer)}</code>`,
    explanation === 'unexplained' ? '<span class="bad">unexplained</span>' : explanations[explanation],
    count,
    value(first?.source),
    value(first?.target),
    `${escapeHtml(message)}<br><small>${escapeHtml([first?.name, first?.sourceId].filter(Boolean).join(' '))} → ${escapeHtml(first?.targetId ?? '')}</small>`,
  ])
  return tableOf(['field', 'why', 'times', 'source, say', 'target, say', 'what it means'], rows)
}
function reasonTable(title: string, groups: readonly ReasonGroup[]): string {
  if (groups.length === 0) return ''
  const rows = groups.map(({ reason, count, examples }) => [
    escapeHtml(reason),
    count,
    examples.map(namedHtml).join(', '),
  ])
  return `<h3>${title}</h3>${tableOf(['reason', 'records', 'such as'], rows)}`
}

function section(one: EntityReport, to: string): string {
  const [own, filled] = [
    one.differences.filter(({ explanation }) => explanation !== 'added'),
    one.differences.filter(({ explanation }) => explanation === 'added'),
  ]
  const title = pluralOf(one.entity)
  const parts = [
    reasonTable('Missing', one.missingReasons),
    reasonTable('Changed at the source since they were written', one.outdatedReasons),
    reasonTable('Left out by a rule', one.leftOutReasons),
    one.doubledIds.length > 0
      ? `<h3>Doubled</h3>${tableOf(
          ['record', 'the same as'],
          one.doubledIds.map((record) => [namedHtml(record), `<code>${escapeHtml(record.sameAs)}</code>`]),
        )}`
      : '',
    own.length > 0 ? `<h3>Differences</h3>${differenceTable(own)}` : '<p>No differences.</p>',
    filled.length > 0
      ? `<details><summary>${filled.length} fields that ${escapeHtml(to)} fills in by itself</summary>${differenceTable(filled)}</details>`
      : '',
    one.lookalikes > 0
      ? `<p>${grouped(one.lookalikes)} records were at ${escapeHtml(to)} before and look like a moved one: decide which to keep. ${one.lookalikeIds.slice(0, 10).map(namedHtml).join(', ')}</p>`
      : '',
    one.extraSince > 0
      ? `<p>${grouped(one.extraSince)} records came to ${escapeHtml(to)} meanwhile, not from here: ${one.extraSinceIds.slice(0, 10).map(namedHtml).join(', ')}</p>`
      : '',
  ]
  return `<h2>${title.charAt(0).toUpperCase()}${title.slice(1)}</h2>${parts.join('')}`
}

export function reportHtml(report: Report): string {
  const { kind, from, to, entities, notMoved, notes, complete } = report
  const title = kind === 'migration' ? `Moved from ${from.name} to ${to.name}` : `${from.name} compared with ${to.name}`
  const sum = (count: (one: EntityReport) => number) => entities.reduce((total, one) => total + count(one), 0)
  const good =
    kind === 'migration'
      ? `Nothing is missing, nothing is doubled, and every difference has its reason.${leftOutWords(entities)}`
      : 'The same on both sides.'
  const bad = `Not complete: ${[
    [sum((one) => one.missing), 'missing'],
    [sum((one) => one.doubled), 'doubled'],
    [sum((one) => one.outdated), 'outdated'],
    [sum((one) => one.unexplained), 'differences without a reason'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, what]) => `${grouped(count as number)} ${what}`)
    .join(', ')}.`
  const columns: [string, (one: EntityReport) => Cell][] = [
    ['', ({ entity }) => pluralOf(entity)],
    ['at source', ({ source }) => source],
    ['at target', ({ matched }) => matched],
    ['identical', ({ identical }) => identical],
    ['left out', ({ leftOut }) => leftOut],
    ['missing', ({ missing }) => missing],
    ['doubled', ({ doubled }) => doubled],
    ['unexplained', ({ unexplained }) => unexplained],
    ...(sum((one) => one.outdated) > 0
      ? [['outdated', ({ outdated }) => outdated] as [string, (one: EntityReport) => Cell]]
      : []),
    ['others', ({ extraBefore, extraSince }) => extraBefore + extraSince],
  ]
  const rows = entities.map((one) => columns.map(([, value]) => value(one)))
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>
<h1>${escapeHtml(title)}</h1>
<p class="soft">${escapeHtml(from.accountId)} → ${escapeHtml(to.accountId)} · ${escapeHtml(report.startedAt.slice(0, 16).replace('T', ' '))} to ${escapeHtml(report.endedAt.slice(0, 16).replace('T', ' '))} UTC</p>
<p class="verdict${complete ? '' : ' bad'}">${complete ? good : bad}</p>
${pictureOf(entities)}
${tableOf(
  columns.map(([name]) => name),
  rows,
  ['missing', 'doubled', 'outdated', 'unexplained'],
)}
${notMoved.map(({ entity, reason }) => `<p>${pluralOf(entity)} stay behind: ${escapeHtml(reason)}.</p>`).join('')}
${notes.map((note) => `<p>${escapeHtml(note)}</p>`).join('')}
${entities.map((one) => section(one, to.name)).join('\n')}
</main></body></html>
`
}
