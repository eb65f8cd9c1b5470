// unirec diff, after its arguments are parsed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { EntityType } from '../../contract/entity.ts'
import { compareAccounts } from '../../migrate/diff.ts'
import { openNotebook } from '../../migrate/notebook.ts'
import { pluralOf } from '../../migrate/plurals.ts'
import { isComplete, placeOf, type Report } from '../../migrate/report.ts'
import { expectLater } from '../account-argument.ts'
import { CommandFailure, exitCodes, type Invocation } from '../command.ts'
import { inline } from '../printable.ts'
import { openSide } from './client-side.ts'
import { reportLines } from './words.ts'

interface DiffOptions {
  from: string
  to: string
  entity: string
  report?: string
  patienceMs: number
}

export async function diff(
  options: DiffOptions,
  { output, signal, connect }: Pick<Invocation, 'output' | 'signal' | 'connect'>,
): Promise<number> {
  const { client } = await connect()
  const patience = { totalMs: options.patienceMs, signal }
  const [from, to] = await Promise.all([
    openSide(client, options.from, patience),
    openSide(client, options.to, patience),
  ])
  const entity = options.entity as EntityType
  for (const { place } of [from, to])
    if (!place.entities[entity]?.read)
      throw new CommandFailure(exitCodes.usage, `${place.accountId} has no ${pluralOf(entity)} to read`)
  const startedAt = new Date().toISOString()
  const migrated = openMigrated(options)
  const progress = output.progress(`compare ${pluralOf(entity)}`)
  expectLater(
    progress,
    Promise.all([from.indexed(entity), to.indexed(entity)]).then(([one, other]) =>
      one === undefined || other === undefined ? undefined : one + other,
    ),
  )
  const onDifference: Parameters<typeof compareAccounts>[0]['onDifference'] = (difference) => {
    if (output.json) output.line(JSON.stringify(difference))
  }
  const compared = await compareAccounts({
    from,
    to,
    entity,
    migrated,
    onDifference,
    count: (records) => progress.advance(records),
  })
  progress.end(`compared ${pluralOf(entity)}`)
  migrated?.close()
  const report: Report = {
    kind: 'diff',
    from: placeOf(from.place),
    to: placeOf(to.place),
    startedAt,
    endedAt: new Date().toISOString(),
    complete: isComplete([compared]) && compared.extraBefore === 0,
    entities: [compared],
    notMoved: [],
    notes: [],
  }
  output.line(output.json ? JSON.stringify(report) : reportLines(report).map(inline).join('\n'))
  return report.complete ? exitCodes.ok : exitCodes.failed
}

function openMigrated({ report, from, to }: DiffOptions) {
  const file = join(report ?? `migration-${from}-${to}`, 'notebook.sqlite')
  if (existsSync(file)) return openNotebook(file)
  if (report !== undefined)
    throw new CommandFailure(exitCodes.usage, `${file} is not there: no migration was run in that folder`)
  return undefined
}
