// unirec migrate, after its arguments are parsed.
import { createInterface } from 'node:readline/promises'
import type { EntityType } from '../../contract/entity.ts'
import { expectLater } from '../account-argument.ts'
import { CommandFailure, exitCodes, type Invocation, type Output, type Progress } from '../command.ts'
import { managed } from '../connect.ts'
import { inline } from '../printable.ts'
import { grouped } from '../progress.ts'
import type { Fitting } from './fit.ts'
import { type Linked, linkable, linkEntity } from './link.ts'
import { createLocations } from './location.ts'
import { type Migration, moveEntity, type Outcome } from './move.ts'
import { openNotebook } from './notebook.ts'
import type { MigrateOptions } from './options.ts'
import { planMigration } from './plan.ts'
import { noteBefore, reconcile } from './reconcile.ts'
import { type EntityReport, isComplete, placeOf, type Report } from './report.ts'
import { openReportFolder } from './report-folder.ts'
import { type Route, routeOf } from './route.ts'
import { createSelection } from './selection.ts'
import { openSide } from './side.ts'
import { planLines, pluralOf, reportLines } from './words.ts'

type Context = Pick<Invocation, 'output' | 'signal' | 'connect'>

export async function migrate(options: MigrateOptions, { output, signal, connect }: Context): Promise<number> {
  const connection = await connect()
  const { client } = connection
  let told = 0
  const patience = {
    totalMs: options.patienceMs,
    signal,
    onWait: (error: Error) => {
      if (Date.now() - told < 5000) return
      told = Date.now()
      output.note(`waiting: ${error.message}`)
    },
  }
  const [from, to] = await Promise.all([
    openSide(client, options.from, patience),
    openSide(client, options.to, patience),
  ])
  // The progress line also shows the target's rate limit.
  let shown: Progress | undefined
  connection.watch(({ path, waitedMs, rateLimit }) => {
    if (path.includes(`/${encodeURIComponent(options.to)}/`))
      shown?.advance(0, { platform: to.place.name, waitedMs, ...rateLimit })
  })
  const route = routeOf(from.place, to.place, options.entities)
  if (route.entities.length === 0)
    throw new CommandFailure(
      exitCodes.usage,
      `nothing of ${from.place.name} can go to ${to.place.name}:\n${route.notMoved.map(({ entity, reason }) => `  ${pluralOf(entity)}: ${reason}`).join('\n')}`,
    )
  const fitting: Fitting = {
    vertical: to.place.vertical,
    prefix: options.prefix,
    locationFor: createLocations(options.to, options.location, to.check),
    defaults: options.defaults,
    check: to.check,
  }
  const selection = createSelection(from.place, options)
  if (options.plan) {
    const progress = output.progress('plan')
    if (route.entities.every((entity) => selection.updatedAfter(entity) === undefined))
      expectLater(progress, recordsOf(route.entities.map(from.indexed)))
    const notebook = openNotebook(':memory:', 'plan')
    const plan = await planMigration({
      from,
      to,
      route,
      selection,
      fitting,
      notebook,
      count: (records) => progress.advance(records),
    })
    progress.end('')
    output.line(output.json ? JSON.stringify(plan) : planLines(plan).map(inline).join('\n'))
    return exitCodes.ok
  }
  await confirm(options, route, from.place.name, to.place.name)
  const linked: Linked[] = []
  if (options.link)
    for (const entity of linkable(from, to, route))
      linked.push(await linkEntity(from, to, managed(connection), entity, options.prefix))
  const folder = openReportFolder(options.report)
  const owner = JSON.stringify([options.from, options.to, options.prefix, options.location, options.defaults])
  const notebook = openNotebook(folder.notebook, owner)
  const migration: Migration = {
    from,
    to,
    notebook,
    selection,
    fitting,
    update: options.update,
    resendUnknown: options.resendUnknown,
    signal,
  }
  try {
    const startedAt = notebook.meta('startedAt') ?? new Date().toISOString()
    notebook.setMeta('startedAt', startedAt)
    await readTarget(migration, route.entities, output)
    const notAsked = new Map<EntityType, number>()
    for (const entity of route.entities) {
      shown = output.progress(pluralOf(entity))
      if (selection.updatedAfter(entity) === undefined) expectLater(shown, from.indexed(entity))
      notAsked.set(entity, await move(migration, entity, shown))
    }
    shown = undefined
    const entities: EntityReport[] = []
    for (const entity of route.entities) {
      const total = notebook.countRecords(entity) + (notAsked.get(entity) ?? 0)
      const progress = output.progress(`compare ${pluralOf(entity)}`, { total })
      entities.push(await reconcile(migration, entity, folder.onDifference, (records) => progress.advance(records)))
      progress.end(`compared ${pluralOf(entity)}`)
    }
    const report: Report = {
      kind: 'migration',
      from: placeOf(from.place),
      to: placeOf(to.place),
      startedAt,
      endedAt: new Date().toISOString(),
      complete: isComplete(entities),
      entities,
      notMoved: route.notMoved,
      notes: [...linked.map(linkedWords), ...notesOf(migration)],
    }
    const page = folder.finish(report)
    output.line(
      output.json ? JSON.stringify(report) : [...reportLines(report), `Report: ${page}`].map(inline).join('\n'),
    )
    return report.complete ? exitCodes.ok : exitCodes.failed
  } finally {
    notebook.close()
  }
}

/** Known only if it is known of all. */
async function recordsOf(counts: readonly Promise<number | undefined>[]): Promise<number | undefined> {
  const all = await Promise.all(counts)
  return all.reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0)
}

const outcomeWords: readonly (readonly [Outcome, string])[] = [
  ['written', 'written'],
  ['updated', 'updated'],
  ['replayed', 'there already'],
  ['known', 'done before'],
  ['left_out', 'left out'],
  ['refused', 'refused'],
  ['outdated', 'outdated'],
  ['uncertain', 'uncertain'],
  ['not_asked', 'not asked for'],
]

async function readTarget(migration: Migration, entities: readonly EntityType[], output: Output): Promise<void> {
  const { to, notebook } = migration
  const missing = entities.filter((entity) => !notebook.meta(`before ${entity}`))
  if (missing.length === 0) return
  const progress = output.progress(`read ${to.place.name}`)
  expectLater(progress, recordsOf(missing.map(to.indexed)))
  let read = 0
  await noteBefore(migration, missing, (records) => {
    read += records
    progress.advance(records)
  })
  progress.end(`${inline(to.place.name)} has ${grouped(read)} records before the migration`)
}

/** The number of records that were not asked for. */
async function move(migration: Migration, entity: EntityType, progress: Progress): Promise<number> {
  const counts = new Map<Outcome, number>()
  await moveEntity(migration, entity, (outcome) => {
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
    progress.advance(1)
  })
  const words = outcomeWords.flatMap(([outcome, word]) =>
    counts.has(outcome) ? [`${grouped(counts.get(outcome) as number)} ${word}`] : [],
  )
  progress.end(`${pluralOf(entity)}: ${words.join(', ') || 'none'}`)
  return counts.get('not_asked') ?? 0
}

async function confirm(
  { yes, from, to }: MigrateOptions,
  { entities }: Route,
  source: string,
  target: string,
): Promise<void> {
  // Without a terminal there is no one to ask: a script runs without confirmation.
  if (yes || !process.stdin.isTTY || !process.stderr.isTTY) return
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(
    `Write ${entities.map(pluralOf).join(', ')} of ${inline(source)} (${from}) to ${inline(target)} (${to})? --plan says what will happen. [y/N] `,
  )
  terminal.close()
  if (!/^y(es)?$/i.test(answer.trim())) throw new CommandFailure(exitCodes.interrupted, 'nothing was written')
}

const linkedWords = ({ entity, linked, notFound }: Linked) =>
  `Of the ${pluralOf(entity)}, ${grouped(linked)} were found at the target and linked${notFound > 0 ? `; ${grouped(notFound)} have no counterpart there, or several` : ''}.`

function notesOf({ notebook, selection, to }: Migration): string[] {
  return [
    ...(selection.ordersSince ? [`Only orders since ${selection.ordersSince} were asked for.`] : []),
    ...(selection.orderStates ? [`Only orders that are ${selection.orderStates.join(' or ')} were asked for.`] : []),
    ...(notebook.meta('begunLate')
      ? [
          `The notebook of the first run is lost: what was at ${to.place.name} before cannot be told from what a repeated write would have left. Look at the records that look like a moved one.`,
        ]
      : []),
  ]
}
