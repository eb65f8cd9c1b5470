// Afterwards: both sides are read again and compared, record by record. The target's side waits on disk, so memory does
// not grow with it.
import type { EntityType } from '../../contract/entity.ts'
import { compare, type Difference } from './compare.ts'
import type { Migration } from './move.ts'
import { fingerprint } from './natural-key.ts'
import { createTally, type EntityReport, type Tally } from './report.ts'
import type { SourceRecord } from './shape.ts'

export type OnDifference = Parameters<typeof createTally>[1]
export type Count = (records: number) => void

/** Which records the target holds before anything is written: those are not ours, whatever they look like. */
export async function noteBefore(
  { to, notebook }: Migration,
  entities: readonly EntityType[],
  count: Count,
): Promise<void> {
  for (const entity of entities) {
    if (notebook.meta(`before ${entity}`)) continue
    for await (const { records } of to.pages(entity)) {
      notebook.together(() => {
        for (const { externalId } of records) notebook.putBefore(entity, externalId)
      })
      count(records.length)
    }
    notebook.setMeta(`before ${entity}`, 'complete')
  }
}

export async function reconcile(
  migration: Migration,
  entity: EntityType,
  onDifference: OnDifference,
  count: Count,
): Promise<EntityReport> {
  const { from, to, notebook, selection } = migration
  const tally = createTally(entity, onDifference)
  notebook.startComparing()
  for await (const { records } of to.pages(entity)) {
    notebook.together(() => {
      for (const record of records) notebook.putTarget(entity, record.externalId, fingerprint(entity, record), record)
    })
    count(records.length)
  }
  for await (const { records, unreadable } of from.pages(entity, selection.updatedAfter(entity))) {
    for (const { id, message } of unreadable)
      if (notebook.see(entity, id)) tally.missing(id, `it could not be read: ${message}`)
    for (const record of records) {
      if (!notebook.see(entity, record.externalId)) continue
      if (!selection.wants(entity, record)) tally.report.notAsked++
      else await judge(migration, entity, record, tally)
    }
    count(records.length)
  }
  for (const { id, fingerprint: print } of notebook.unclaimed(entity)) {
    const twin = notebook.twinOf(entity, print)
    const before = notebook.wasBefore(entity, id)
    if (twin !== undefined && !before) tally.doubled(id, twin)
    else tally.extra(id, before)
    if (twin !== undefined && before) tally.lookalike(id, twin)
  }
  return tally.end()
}

async function judge(
  { to, notebook }: Migration,
  entity: EntityType,
  source: SourceRecord,
  tally: Tally,
): Promise<void> {
  const { externalId } = source
  tally.report.source++
  const written = notebook.acknowledged(entity, externalId)
  const failed = notebook.failed(entity, externalId)
  if (!written) {
    if (failed?.kind === 'left_out') tally.leftOut(externalId, failed.reason)
    else tally.missing(externalId, failed?.reason ?? 'it came to the source after it was read: run the migration again')
    return
  }
  const { targetId } = written
  const target = notebook.target(entity, targetId) ?? (await readMissed(to, notebook, entity, targetId))
  if (!target) {
    notebook.forget(entity, externalId)
    return tally.missing(externalId, failed?.reason ?? `it was written as ${targetId} and is no longer there`)
  }
  notebook.claim(entity, targetId)
  const others = notebook.sourcesOf(entity, targetId).filter((other) => other < externalId)
  if (others.length > 0) return tally.missing(externalId, `the target holds it and ${others.length} more as one record`)
  const differences = compare(entity, source, target, {
    ...written,
    notStored: to.place.entities[entity]?.notStored ?? [],
  })
  const surprising = differences.some(({ explanation }) => explanation === 'unexplained')
  if (failed?.kind === 'outdated' && surprising) {
    tally.outdated(externalId, failed.reason)
    return tally.matched(externalId, targetId, differences.filter(isExplained), false)
  }
  tally.matched(externalId, targetId, differences)
}
const isExplained = ({ explanation }: Difference) => explanation !== 'unexplained'

/** Some lists leave records out that can be read one by one, such as people who left. */
async function readMissed(
  to: Migration['to'],
  notebook: Migration['notebook'],
  entity: EntityType,
  id: string,
): Promise<SourceRecord | undefined> {
  const record = await to.get(entity, id)
  if (record) notebook.putTarget(entity, id, fingerprint(entity, record), record)
  return record
}
