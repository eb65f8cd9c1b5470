// How plans and results read on a terminal.

import type { Explanation } from '../../migrate/compare.ts'
import type { MigrationPlan } from '../../migrate/plan.ts'
import { pluralOf } from '../../migrate/plurals.ts'
import type { EntityReport, Report } from '../../migrate/report.ts'
import { grouped } from '../progress.ts'

export const explanations: Readonly<Record<Explanation, string>> = {
  unexplained: 'unexplained',
  not_stored: 'not stored',
  derived: 'held differently',
  state_rule: 'state rule',
  requirement: 'requirement',
  reference: 'reference not carried over',
  location: 'location',
  flavor: 'no such field',
  default: 'default used',
  added: 'filled in',
}

export function duration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Columns side by side; numbers to the right. */
function table(rows: readonly (readonly (string | number)[])[]): string[] {
  const texts = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? grouped(cell) : cell)))
  const widths = (texts[0] ?? []).map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)))
  return texts.map((row, index) =>
    row
      .map((cell, column) =>
        typeof rows[Math.max(1, index)]?.[column] === 'number'
          ? cell.padStart(widths[column] as number)
          : cell.padEnd(widths[column] as number),
      )
      .join('  ')
      .trimEnd(),
  )
}

const planWords = {
  ...explanations,
  left_out: 'LEFT OUT',
  refused: 'REFUSED in a dry run',
  unreadable: 'UNREADABLE',
} as const

export function planLines({ from, to, entities, notMoved, seconds }: MigrationPlan): string[] {
  const head = ['', 'at source', 'to write', 'left out', 'at target', 'calls each', 'about']
  const rows = entities.map(({ entity, source, toWrite, leftOut, atTarget, callsPerRecord, seconds: took }) => [
    pluralOf(entity),
    source,
    toWrite,
    leftOut,
    atTarget,
    callsPerRecord,
    duration(took),
  ])
  const fields = entities.flatMap(({ entity, fields: list }) =>
    list.map(
      ({ pointer, what, message, records }) =>
        `  ${pluralOf(entity)}: ${planWords[what]}${pointer ? ` ${pointer}` : ''} (${grouped(records)}) ${message}`,
    ),
  )
  return [
    `${from.name} (${from.accountId}) → ${to.name} (${to.accountId})`,
    '',
    ...table([head, ...rows]),
    ...(notMoved.length > 0
      ? ['', 'Stays behind:', ...notMoved.map(({ entity, reason }) => `  ${pluralOf(entity)}: ${reason}`)]
      : []),
    ...(fields.length > 0 ? ['', 'What will not be the same (number of records):', ...fields] : []),
    '',
    `About ${duration(seconds)} at the limits of both platforms.`,
  ]
}

/** Complete is not everything: a person must review what the target cannot take. */
export function leftOutWords(entities: readonly EntityReport[]): string {
  const left = entities
    .filter(({ leftOut }) => leftOut > 0)
    .map(({ entity, leftOut, source }) => `${grouped(leftOut)} of ${grouped(source)} ${pluralOf(entity)}`)
  return left.length === 0 ? '' : ` Left out, by rules of the target: ${left.join(', ')}.`
}

export function reportLines({ kind, entities, notMoved, notes, complete }: Report): string[] {
  const head = [
    '',
    'at source',
    'at target',
    'identical',
    'left out',
    'missing',
    'doubled',
    'outdated',
    'unexplained',
    'extra',
  ]
  const rows = entities.map((one) => [
    pluralOf(one.entity),
    one.source,
    one.matched,
    one.identical,
    one.leftOut,
    one.missing,
    one.doubled,
    one.outdated,
    one.unexplained,
    one.extraBefore + one.extraSince,
  ])
  const reasons = entities.flatMap(({ entity, missingReasons, leftOutReasons, outdatedReasons }) => [
    ...missingReasons.map(({ reason, count }) => `  ${pluralOf(entity)}: missing (${grouped(count)}) ${reason}`),
    ...outdatedReasons.map(({ reason, count }) => `  ${pluralOf(entity)}: outdated (${grouped(count)}) ${reason}`),
    ...leftOutReasons.map(({ reason, count }) => `  ${pluralOf(entity)}: left out (${grouped(count)}) ${reason}`),
  ])
  const differences = entities.flatMap(({ entity, differences: groups }) =>
    groups
      .filter(({ explanation }) => explanation !== 'added')
      .map(
        ({ pointer, explanation, message, count }) =>
          `  ${pluralOf(entity)}: ${explanations[explanation]} ${pointer} (${grouped(count)}) ${message}`,
      ),
  )
  const verdict =
    kind === 'diff'
      ? complete
        ? 'The same.'
        : 'They differ.'
      : complete
        ? `Nothing is missing, doubled or unexplained.${leftOutWords(entities)}`
        : 'Not complete: see above.'
  return [
    ...table([head, ...rows]),
    ...notMoved.map(({ entity, reason }) => `${pluralOf(entity)} stay behind: ${reason}`),
    ...(reasons.length > 0 ? ['', 'Not there:', ...reasons] : []),
    ...(differences.length > 0 ? ['', 'Differences:', ...differences] : []),
    ...(notes.length > 0 ? ['', ...notes] : []),
    '',
    verdict,
  ]
}
