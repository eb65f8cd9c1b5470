// Writes the records of one entity to the target, page by page. Exactly once comes from the idempotency key, so this
// may be killed and run again at any moment.
import { createHash } from 'node:crypto'
import { entities } from '../contract/entities/index.ts'
import type { EntityType } from '../contract/entity.ts'
import { type Failure, isFailure, isRefusal, isTemporary, reasonOf } from './failure.ts'
import { type Fitted, type Fitting, fitRecord, withoutRefused } from './fit.ts'
import { inParallel } from './in-parallel.ts'
import type { Acknowledged, Ledger } from './ledger.ts'
import type { Shelf } from './notebook.ts'
import type { Selection } from './selection.ts'
import type { SourceRecord } from './shape.ts'
import type { Side } from './side.ts'

export interface Migration {
  from: Side
  to: Side
  ledger: Ledger
  shelf: Shelf
  selection: Selection
  fitting: Fitting
  update: boolean // records that changed at the source are replaced at the target
  resendUnknown: boolean
  signal: AbortSignal
}
export type Outcome =
  | 'written'
  | 'replayed'
  | 'known'
  | 'updated'
  | 'left_out'
  | 'refused'
  | 'outdated'
  | 'uncertain'
  | 'postponed'
  | 'not_asked'
export type OnOutcome = (outcome: Outcome) => void

/** Errors of the account or the service, not of the record: every following record would fail as well. */
const stops = new Set([
  'unauthorized',
  'forbidden',
  'insufficient_scope',
  'unknown_account',
  'account_disabled',
  'reconnect_required',
  'entity_not_offered',
  'method_not_allowed',
])

export async function moveEntity(migration: Migration, entity: EntityType, onOutcome: OnOutcome): Promise<void> {
  const nested = Object.values(entities[entity].references).includes(entity)
  // A category can come before its parent: records that wait for another one are tried again until a whole pass makes
  // no progress.
  for (let patient = nested; ; ) {
    let [postponed, moved] = [0, 0]
    await walk(migration, entity, patient, (outcome) => {
      if (outcome === 'postponed') postponed++
      else if (outcome === 'written' || outcome === 'replayed') moved++
      if (outcome !== 'postponed') onOutcome(outcome)
    })
    if (postponed === 0) return
    patient = moved > 0
  }
}

async function walk(migration: Migration, entity: EntityType, patient: boolean, onOutcome: OnOutcome): Promise<void> {
  const { from, selection, signal } = migration
  for await (const { records } of from.pages(entity, selection.updatedAfter(entity))) {
    await inParallel(records, async (record) => {
      signal.throwIfAborted()
      onOutcome(selection.wants(entity, record) ? await moveRecord(migration, entity, record, patient) : 'not_asked')
    })
  }
}

async function moveRecord(
  migration: Migration,
  entity: EntityType,
  source: SourceRecord,
  patient: boolean,
): Promise<Outcome> {
  const { ledger, fitting } = migration
  const sourceHash = createHash('sha256').update(JSON.stringify(source)).digest('base64url')
  const known = await ledger.acknowledged(entity, source.externalId)
  // What it names may have come since.
  if (known?.sourceHash === sourceHash && !known.notes.some(({ kind }) => kind === 'reference')) return 'known'
  const fitted = await fitRecord(entity, source, fitting)
  if (patient && fitted.notes.some(({ kind }) => kind === 'reference')) return 'postponed'
  if (fitted.obstacles.length > 0) {
    const lost = fitted.notes.filter(
      ({ kind, pointer }) => kind === 'reference' && fitted.obstacles.some((one) => one.pointer === pointer),
    )
    const reasons = [
      ...fitted.obstacles.map(({ pointer, message }) => `${pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')} ${message}`),
      ...lost.map(({ message }) => message.replace(/ \(.*\)/, '')),
    ]
    await ledger.fail(entity, source.externalId, 'left_out', [...new Set(reasons)].join('; '))
    return 'left_out'
  }
  return write(migration, entity, source.externalId, sourceHash, fitted)
}

async function write(
  migration: Migration,
  entity: EntityType,
  sourceId: string,
  sourceHash: string,
  fitted: Fitted,
): Promise<Outcome> {
  const { to, ledger } = migration
  const { notes, references } = fitted
  const acknowledge: Acknowledge = (targetId, more) =>
    ledger.acknowledge(entity, sourceId, {
      targetId,
      sourceHash,
      notes,
      references: { ...references },
      warnings: [],
      ...more,
    })
  try {
    const { id, replayed, warnings } = await to.create(
      entity,
      fitted.body,
      migration.resendUnknown ? 'resend' : undefined,
    )
    await acknowledge(id, { warnings: [...warnings] })
    return replayed ? 'replayed' : 'written'
  } catch (error) {
    if (!isFailure(error) || isTemporary(error) || stops.has(error.code)) throw error
    const lesser = isRefusal(error)
      ? withoutRefused(entity, fitted, error.errors)
      : await writtenWithout(migration, entity, fitted, error)
    if (lesser) return write(migration, entity, sourceId, sourceHash, lesser)
    if (error.code === 'idempotency_conflict')
      return await settleConflict(migration, entity, sourceId, fitted, error, acknowledge)
    // Under a hash that nothing has: it is compared, and tried again next time.
    if (error.id !== undefined) await acknowledge(error.id, { sourceHash: '' })
    await ledger.fail(entity, sourceId, error.code === 'outcome_unknown' ? 'uncertain' : 'refused', reasonOf(error))
    return error.code === 'outcome_unknown' ? 'uncertain' : 'refused'
  }
}
type Acknowledge = (targetId: string, more: Partial<Acknowledged>) => void | Promise<void>

/**
 * An earlier run without a notebook left fields out because the platform rejected them. The platform rejects them
 * again, and only then it is the same record.
 */
async function writtenWithout(
  { to }: Migration,
  entity: EntityType,
  fitted: Fitted,
  conflict: Failure,
): Promise<Fitted | undefined> {
  const differences = conflict.code === 'idempotency_conflict' ? (conflict.differences ?? []) : []
  if (differences.length === 0 || differences.some(({ written }) => written !== undefined)) return undefined
  const refused = await to.steps(entity, fitted.body).then(
    () => [],
    (error: unknown) => (isFailure(error) && isRefusal(error) ? error.errors : []),
  )
  const lesser = withoutRefused(entity, fitted, refused)
  return lesser && differences.every(({ pointer }) => refused.some((one) => one.pointer === pointer))
    ? lesser
    : undefined
}

/** It was written in an earlier run and has changed at the source since. */
async function settleConflict(
  { to, ledger, update }: Migration,
  entity: EntityType,
  sourceId: string,
  { body }: Fitted,
  conflict: Failure,
  acknowledge: Acknowledge,
): Promise<Outcome> {
  const id = conflict.id as string
  const changed = (conflict.differences ?? []).map(
    ({ pointer, written, asked }) =>
      `${pointer} ${JSON.stringify(written) ?? 'nothing'} → ${JSON.stringify(asked) ?? 'nothing'}`,
  )
  if (update && to.place.entities[entity]?.update) {
    try {
      const { warnings } = await to.update(entity, id, { ...body, externalId: id })
      await acknowledge(id, { warnings: [...warnings] })
      return 'updated'
    } catch (error) {
      if (!isFailure(error) || isTemporary(error) || stops.has(error.code)) throw error
      changed.push(`the update was refused: ${reasonOf(error)}`)
    }
  }
  await acknowledge(id, { sourceHash: '' })
  await ledger.fail(entity, sourceId, 'outdated', changed.join('; '))
  return 'outdated'
}
