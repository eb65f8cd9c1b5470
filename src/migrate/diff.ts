// Two accounts compared without writing. The second account is read to disk first, then the first is walked past it:
// memory stays flat on both sides.
import { entities } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'
import { placesOf, valueAt } from '../contract/pointer.ts'
import { compare, type WriteNotes } from './compare.ts'
import type { Acknowledged } from './ledger.ts'
import { fingerprint, nameOf, naturalKeys } from './natural-key.ts'
import { type Notebook, openScratch } from './notebook.ts'
import type { Count, OnDifference } from './reconcile.ts'
import { createTally, type EntityReport } from './report.ts'
import { type SourceRecord, shape } from './shape.ts'
import type { Side } from './side.ts'

export interface Comparison {
  from: Side
  to: Side
  entity: EntityType
  /** What a migration noted: which record became which, and what is known from its write. */
  migrated?: Notebook
  onDifference: OnDifference
  count: Count
}

export async function compareAccounts({
  from,
  to,
  entity,
  migrated,
  onDifference,
  count,
}: Comparison): Promise<EntityReport> {
  const shelf = openScratch()
  const tally = createTally(entity, onDifference)
  try {
    for await (const { records } of to.pages(entity)) {
      shelf.together(() => {
        for (const record of records)
          shelf.putTarget(entity, record.externalId, fingerprint(entity, record), record, naturalKeys(entity, record))
      })
      count(records.length)
    }
    for await (const { records, unreadable } of from.pages(entity)) {
      for (const { id, message } of unreadable)
        if (shelf.see(entity, id)) tally.missing({ id }, `it could not be read: ${message}`)
      for (const record of records) if (shelf.see(entity, record.externalId)) judge(record)
      count(records.length)
    }
    for (const { id, record } of shelf.unclaimed(entity)) tally.extra({ id, name: nameOf(entity, record) }, true)
    return tally.end()
  } finally {
    shelf.close()
  }

  function judge(source: SourceRecord): void {
    tally.report.source++
    const named = { id: source.externalId, name: nameOf(entity, source) }
    const written = migrated?.acknowledged(entity, source.externalId)
    const found = written ? { id: written.targetId } : byNaturalKey(shelf, entity, source)
    if (found.id === undefined) {
      tally.missing(named, found.reason ?? 'no record there has its number, code, address or name')
      return
    }
    const target = shelf.target(entity, found.id)
    if (!target) {
      tally.missing(named, `it was written as ${found.id} and is not in the list`)
      return
    }
    shelf.claim(entity, found.id)
    tally.matched(named, found.id, compare(entity, source, target, toldOf(source, target, written)))
  }

  /** Two systems that never met name the same customer differently: without a migration, references prove nothing. */
  function toldOf(source: SourceRecord, target: SourceRecord, written: Acknowledged | undefined): WriteNotes {
    const notStored = to.place.entities[entity]?.notStored ?? []
    if (written) return { ...written, notStored }
    const { notes } = shape(entity, source, { vertical: to.place.vertical, prefix: '' })
    return { notes, warnings: [], references: bothNamed(entity, source, target), notStored }
  }
}

function bothNamed(entity: EntityType, source: SourceRecord, target: SourceRecord): Record<string, string> {
  const places = Object.keys(entities[entity].references).flatMap((pattern) => placesOf(source, pattern))
  return Object.fromEntries(
    places
      .map(({ pointer }) => [pointer, valueAt(target, pointer)] as const)
      .filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

/** The surest key that one record there has, and only one. */
export function byNaturalKey(
  shelf: Pick<Notebook, 'idsByKey'>,
  entity: EntityType,
  source: SourceRecord,
): { id?: string; reason?: string } {
  let reason: string | undefined
  for (const key of naturalKeys(entity, source)) {
    const ids = shelf.idsByKey(entity, key)
    if (ids.length === 1) return { id: ids[0] as string }
    if (ids.length > 1) reason ??= `several records there have the same ${key.split(' ')[0]}`
  }
  return reason === undefined ? {} : { reason }
}
