// A whole run: what the target has is noted, every entity is written, and both sides are compared. It can be stopped
// at any moment and run again.
import type { EntityType } from '../contract/entity.ts'
import { type Linked, type LinkRecord, linkable, linkEntity } from './link.ts'
import { type Migration, moveEntity, type OnOutcome } from './move.ts'
import { pluralOf } from './plurals.ts'
import { type Count, noteBefore, type OnDifference, reconcile } from './reconcile.ts'
import { type EntityReport, isComplete, placeOf, type Report } from './report.ts'
import type { Route } from './route.ts'

export interface Stage<T> {
  on: T
  end(): void
}
/** What follows the run. */
export interface Watcher {
  /** What the target has of these before the first write. */
  noting(entities: readonly EntityType[]): Stage<Count>
  moving(entity: EntityType): Stage<OnOutcome>
  comparing(entity: EntityType): Stage<Count>
  onDifference: OnDifference
}

export async function runMigration(
  migration: Migration,
  route: Route,
  { noting, moving, comparing, onDifference }: Watcher,
  link?: LinkRecord,
): Promise<Report> {
  const { from, to, ledger, fitting } = migration
  const linked: Linked[] = []
  if (link)
    for (const entity of linkable(from, to, route))
      linked.push(await linkEntity(from, to, link, entity, fitting.prefix))
  const startedAt = (await ledger.meta('startedAt')) ?? new Date().toISOString()
  await ledger.setMeta('startedAt', startedAt)
  const unknown: EntityType[] = []
  for (const entity of route.entities) if (!(await ledger.meta(`before ${entity}`))) unknown.push(entity)
  if (unknown.length > 0) {
    const stage = noting(unknown)
    await noteBefore(migration, unknown, stage.on)
    stage.end()
  }
  for (const entity of route.entities) {
    const stage = moving(entity)
    await moveEntity(migration, entity, stage.on)
    stage.end()
  }
  const entities: EntityReport[] = []
  for (const entity of route.entities) {
    const stage = comparing(entity)
    entities.push(await reconcile(migration, entity, onDifference, stage.on))
    stage.end()
  }
  return {
    kind: 'migration',
    from: placeOf(from.place),
    to: placeOf(to.place),
    startedAt,
    endedAt: new Date().toISOString(),
    complete: isComplete(entities),
    entities,
    notMoved: route.notMoved,
    notes: [...linked.map(linkedWords), ...(await notesOf(migration))],
  }
}

const linkedWords = ({ entity, linked, notFound }: Linked) =>
  `Of the ${pluralOf(entity)}, ${linked} were found at the target and linked${notFound > 0 ? `; ${notFound} have no counterpart there, or several` : ''}.`

async function notesOf({ ledger, selection, to }: Migration): Promise<string[]> {
  return [
    ...(selection.ordersSince ? [`Only orders since ${selection.ordersSince} were asked for.`] : []),
    ...(selection.orderStates ? [`Only orders that are ${selection.orderStates.join(' or ')} were asked for.`] : []),
    ...((await ledger.meta('begunLate'))
      ? [
          `Some records had been written before this migration began, by an earlier one or one whose notes are lost. What was at ${to.place.name} before cannot be told from what a repeated write would have left: look at the records that look like a moved one.`,
        ]
      : []),
  ]
}
