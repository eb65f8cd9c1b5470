// Afterwards: both sides are read again and compared, record by record. The target's side waits on disk, so memory does
// not grow with it.
import type { EntityType } from '../contract/entity.ts'
import { compare, type Difference } from './compare.ts'
import type { Migration } from './move.ts'
import { fingerprint, nameOf } from './natural-key.ts'
import { createTally, type EntityReport, type Tally } from './report.ts'
import type { SourceRecord } from './shape.ts'

export type OnDifference = Parameters<typeof createTally>[1]
export type Count = (records: number) => void

/** Which records the target holds before anything is written: those are not ours, whatever they look like. */
export async function noteBefore(
  { to, ledger }: Migration,
  entities: readonly EntityType[],
  count: Count,
): Promise<void> {
  for (const entity of entities) {
    if (await ledger.meta(`before ${entity}`)) continue
    for await (const { records } of to.pages(entity)) {
      await ledger.putBefore(
        entity,
        records.map(({ externalId }) => externalId),
      )
      count(records.length)
    }
    await ledger.setMeta(`before ${entity}`, 'complete')
  }
}

export async function reconcile(
  migration: Migration,
  entity: EntityType,
  onDifference: OnDifference,
  count: Count,
): Promise<EntityReport> {
  const { from, to, ledger, shelf, selection } = migration
  const tally = createTally(entity, onDifference)
  shelf.startComparing()
  for await (const { records } of to.pages(entity)) {
    shelf.together(() => {
      for (const record of records) shelf.putTarget(entity, record.externalId, fingerprint(entity, record), record)
    })
    count(records.length)
  }
  for await (const { records, unreadable, refunds } of from.pages(entity, selection.updatedAfter(entity))) {
    for (const { id, message } of unreadable)
      if (shelf.see(entity, id)) tally.missing({ id }, `it could not be read: ${message}`)
    for (const { id, message } of refunds) {
      if (!shelf.see(entity, id)) continue
      tally.report.source++
      tally.leftOut({ id }, message)
    }
    for (const record of records) {
      if (!shelf.see(entity, record.externalId)) continue
      if (!selection.wants(entity, record)) tally.report.notAsked++
      else await judge(migration, entity, record, tally)
    }
    count(records.length)
  }
  for (const { id, fingerprint: print, record } of shelf.unclaimed(entity)) {
    const named = { id, name: nameOf(entity, record) }
    const twin = shelf.twinOf(entity, print)
    const before = await ledger.wasBefore(entity, id)
    if (twin !== undefined && !before) tally.doubled(named, twin)
    else tally.extra(named, before)
    if (twin !== undefined && before) tally.lookalike(named, twin)
  }
  return tally.end()
}

async function judge(
  { to, ledger, shelf }: Migration,
  entity: EntityType,
  source: SourceRecord,
  tally: Tally,
): Promise<void> {
  const { externalId } = source
  const named = { id: externalId, name: nameOf(entity, source) }
  tally.report.source++
  const written = await ledger.acknowledged(entity, externalId)
  const failed = await ledger.failed(entity, externalId)
  if (!written) {
    if (failed?.kind === 'left_out') tally.leftOut(named, failed.reason)
    else tally.missing(named, failed?.reason ?? 'it came to the source after it was read: run the migration again')
    return
  }
  const { targetId } = written
  const target = shelf.target(entity, targetId) ?? (await readMissed(to, shelf, entity, targetId))
  if (!target) {
    await ledger.forget(entity, externalId)
    return tally.missing(named, failed?.reason ?? `it was written as ${targetId} and is no longer there`)
  }
  shelf.claim(entity, targetId)
  const others = (await ledger.sourcesOf(entity, targetId)).filter((other) => other < externalId)
  if (others.length > 0) return tally.missing(named, `the target holds it and ${others.length} more as one record`)
  const differences = compare(entity, source, target, {
    ...written,
    notStored: to.place.entities[entity]?.notStored ?? [],
  })
  const surprising = differences.some(({ explanation }) => explanation === 'unexplained')
  if (failed?.kind === 'outdated' && surprising) {
    tally.outdated(named, failed.reason)
    return tally.matched(named, targetId, differences.filter(isExplained), false)
  }
  tally.matched(named, targetId, differences)
}
const isExplained = ({ explanation }: Difference) => explanation !== 'unexplained'

/** Some lists leave records out that can be read one by one, such as people who left. */
async function readMissed(
  to: Migration['to'],
  shelf: Migration['shelf'],
  entity: EntityType,
  id: string,
): Promise<SourceRecord | undefined> {
  const record = await to.get(entity, id)
  if (record) shelf.putTarget(entity, id, fingerprint(entity, record), record)
  return record
}
