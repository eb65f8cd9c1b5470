// unirec migrate, after its arguments are parsed.
import { createInterface } from 'node:readline/promises'
import type { EntityType } from '../../contract/entity.ts'
import type { Fitting } from '../../migrate/fit.ts'
import type { LinkRecord } from '../../migrate/link.ts'
import { createLocations, UnknownLocation } from '../../migrate/location.ts'
import type { Outcome } from '../../migrate/move.ts'
import { openNotebook } from '../../migrate/notebook.ts'
import { planMigration } from '../../migrate/plan.ts'
import { pluralOf } from '../../migrate/plurals.ts'
import { type Route, routeOf } from '../../migrate/route.ts'
import { runMigration } from '../../migrate/run.ts'
import { createSelection } from '../../migrate/selection.ts'
import { expectLater } from '../account-argument.ts'
import { CommandFailure, exitCodes, type Invocation, type Progress } from '../command.ts'
import { managed } from '../connect.ts'
import { inline } from '../printable.ts'
import { grouped } from '../progress.ts'
import { openSide } from './client-side.ts'
import type { MigrateOptions } from './options.ts'
import { openReportFolder } from './report-folder.ts'
import { planLines, reportLines } from './words.ts'

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
  const locationFor = createLocations(options.to, options.location, to.check)
  const fitting: Fitting = {
    vertical: to.place.vertical,
    prefix: options.prefix,
    locationFor: (source) =>
      locationFor(source).catch((error: unknown) => {
        if (!(error instanceof UnknownLocation)) throw error
        throw new CommandFailure(exitCodes.usage, `--location ${options.location}: ${error.message}`)
      }),
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
  const link: LinkRecord | undefined = options.link
    ? (reference) => managed(connection).call('linkReference', { path: { accountId: options.to }, body: reference })
    : undefined
  const folder = openReportFolder(options.report)
  const owner = JSON.stringify([options.from, options.to, options.prefix, options.location, options.defaults])
  const notebook = openNotebook(folder.notebook, owner)
  const { update, resendUnknown } = options
  const notAsked = new Map<EntityType, number>()
  try {
    const report = await runMigration(
      { from, to, ledger: notebook, shelf: notebook, selection, fitting, update, resendUnknown, signal },
      route,
      {
        noting(entities) {
          const progress = output.progress(`read ${to.place.name}`)
          expectLater(progress, recordsOf(entities.map(to.indexed)))
          let read = 0
          return {
            on(records) {
              read += records
              progress.advance(records)
            },
            end: () => progress.end(`${inline(to.place.name)} has ${grouped(read)} records before the migration`),
          }
        },
        moving(entity) {
          const progress = output.progress(pluralOf(entity))
          shown = progress
          if (selection.updatedAfter(entity) === undefined) expectLater(progress, from.indexed(entity))
          const counts = new Map<Outcome, number>()
          return {
            on(outcome) {
              counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
              progress.advance(1)
            },
            end() {
              shown = undefined
              notAsked.set(entity, counts.get('not_asked') ?? 0)
              progress.end(`${pluralOf(entity)}: ${outcomesOf(counts) || 'none'}`)
            },
          }
        },
        comparing(entity) {
          const total = notebook.countRecords(entity) + (notAsked.get(entity) ?? 0)
          const progress = output.progress(`compare ${pluralOf(entity)}`, { total })
          return {
            on: (records) => progress.advance(records),
            end: () => progress.end(`compared ${pluralOf(entity)}`),
          }
        },
        onDifference: folder.onDifference,
      },
      link,
    )
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

const outcomesOf = (counts: ReadonlyMap<Outcome, number>): string =>
  outcomeWords
    .flatMap(([outcome, word]) => (counts.has(outcome) ? [`${grouped(counts.get(outcome) as number)} ${word}`] : []))
    .join(', ')

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
