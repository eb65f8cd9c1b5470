// One update under its entry of the journal: for the request that began it, or for one that took it over. It is run once
// more if the row was changed between its read and its write.
import { randomUUID } from 'node:crypto'
import { type Clock, readClock } from '../../base/clock.ts'
import type { ReadCall } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import type { Pointer, ReferenceMode } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { LostEntry } from '../../store/lost-entry.ts'
import type { NewEntry } from '../../store/store.ts'
import { viewOf } from '../account-view.ts'
import { customChanges, type Writable } from '../custom.ts'
import { ownRefusal, problemOf } from '../failures.ts'
import { ignoredExternalId, notExcluded, notFound, throwNamed } from '../identity.ts'
import { compileOverlay } from '../mapping.ts'
import { defaultMapping } from '../mapping-selection.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import { outside } from '../outbound/outside.ts'
import { toUnified } from '../read/normalize.ts'
import { createStages } from '../stages.ts'
import type { Target } from '../target.ts'
import { type Answer, type Attempt, type Attempts, identityOf, withCustom } from './attempt.ts'
import { leaseOf, partial, retryIn, stillEffective, takenOver } from './journaled.ts'
import { leaseMs } from './lease.ts'
import { complete, leavesOut, unmapped } from './left-out.ts'
import { type AwaitWrite, explainReferences, resolveReferences, summaryOf } from './references.ts'
import { targetLacks } from './requirements.ts'
import { createStepJournal, ownWrite, type StepJournal } from './step-journal.ts'
import { OutcomeUnknown } from './steps.ts'

/** An update whose body was checked. */
export interface CheckedUpdate {
  record: Writable
  ifVersion?: string | undefined
  references?: ReferenceMode // by default auto
  exactTotals?: true
  cleared?: readonly Pointer[] // fields that stay unless they are null, and are
}
/** The content of an update in the journal. */
export interface UpdateContent extends CheckedUpdate {
  /** The record before the first call: a row that was left half written does not show it. */
  before?: UnifiedRecord | undefined
}
export interface UpdateRun {
  target: Target
  entry: NewEntry
  content: UpdateContent
  granted: Clock // when the lease of the entry was granted
  context: RequestContext
}
interface Sending extends Pick<UpdateRun, 'target' | 'content' | 'context'> {
  id: string
  attempt: Attempt
  log: StepJournal
  remember(before: UnifiedRecord): Promise<void> // journals the record that an update leaves out parts of
}

export function createUpdateRun(
  options: EngineOptions,
  attempts: Attempts,
  awaitWrite: AwaitWrite,
): (run: UpdateRun) => Promise<Answer> {
  const { journal } = options.store
  const stages = createStages(options)
  const send = createSend(options, attempts, awaitWrite)
  const settle = createSettle(options)

  return async ({ target, entry: begun, content, granted, context }) => {
    let entry = begun
    let since = granted
    let current = content
    for (let round = 1; ; round++) {
      const log = createStepJournal(journal, entry, false)
      const lease = leaseOf(options, stages, entry, since, context)
      const attempt = await attempts.begin(target, context, entry.startedAt, {
        identity: identityOf({ ...entry, externalId: `put ${entry.externalId}` }),
        content: entry.contentHash,
        log,
        lease,
        resumed: false,
        resendUnknown: false,
      })
      try {
        const remember = async (before: UnifiedRecord) => {
          current = { ...current, before }
          entry = { ...entry, record: current }
          if (!(await journal.restart(entry, leaseMs))) throw takenOver()
        }
        return await send({ target, id: entry.externalId, content: current, attempt, log, context, remember })
      } catch (error) {
        await log.settled().catch(() => undefined) // what is wrong with the database shows in what comes next
        const stale = error instanceof NativeFailure && error.error.kind === 'stale' && !attempt.steps.inDoubt()
        if (stale && content.ifVersion === undefined && round === 1) {
          if (!attempt.steps.begun()) current = content
          entry = { ...entry, record: current, writeId: randomUUID() }
          since = readClock()
          if (!(await journal.restart(entry, leaseMs))) throw takenOver(error)
          continue
        }
        throw await settle(target, entry, stale && content.ifVersion !== undefined ? changed(target) : error, attempt)
      } finally {
        attempt.ending.ended = true
        lease.end()
      }
    }
  }
}

/** Reads the row and sends what differs from it, once. */
function createSend(options: EngineOptions, attempts: Attempts, awaitWrite: AwaitWrite) {
  const { store } = options
  const stages = createStages(options)
  return async ({ target, id, content, attempt, log, context, remember }: Sending): Promise<Answer> => {
    const {
      record: { custom, ...rest },
      ifVersion,
      before,
      references: mode = 'auto',
      cleared,
      exactTotals,
    } = content
    const { adapter, account, connector, flavor } = target
    const sent = rest as UnifiedRecord
    const write = adapter.update as NonNullable<typeof adapter.update>
    const current = await currentRow(target, attempt.readCall, id).catch((error) =>
      throwNamed(store, target, id, error),
    )
    if (ifVersion !== undefined && adapter.version?.(current) !== ifVersion) throw changed(target)
    const ignored = await ignoredExternalId(store, target, attempt.readCall, id, sent)
    const view = viewOf(account, connector)
    const held = toUnified(adapter, current, flavor, view, [])
    const mapping = await defaultMapping(store, target, 'read')
    const mappedRecord = mapping && toUnified(adapter, current, flavor, view, [], compileOverlay(mapping, flavor))
    const record = unmapped(sent, mappedRecord, held)
    const lacking = targetLacks(record, write, viewOf(account, connector), connector, held ?? 'unread')
    if (lacking) throw lacking
    const { values, refused } = customChanges(adapter.custom, custom, current, connector)
    if (refused.length > 0) throw ownRefusal('target_refuses', connector, refused)
    attempt.references = await stages.run(
      context,
      'references',
      () =>
        resolveReferences(store, account.id, flavor.definition.entityType, record, {
          mode,
          awaitWrite: (key) => outside(context, () => awaitWrite(key)),
          current: held,
        }),
      summaryOf,
    )
    const resolved = attempt.references.record
    const base = before ?? held
    if (held && !before && leavesOut(resolved, held)) await remember(held)
    const run = () =>
      write.run(attempt.steps.call, current, complete(resolved, held, base, write, flavor.definition, cleared) as never)
    const written = await withCustom(target, attempt.steps.call, custom, values, run)
    const records = { sent: resolved, asked: record, custom, before: base, exactTotals }
    const { stored, ...answer } = await attempts.answer(target, attempt, write, records, written)
    answer.warnings.unshift(...ignored)
    if (!(await log.finish(answer.id, answer, ownWrite(stored, target, context)))) throw takenOver()
    return answer
  }
}

/** The end of an update that did not succeed: refused, or open until its outcome is known. */
function createSettle(options: EngineOptions) {
  const { journal } = options.store
  return async (target: Target, entry: NewEntry, error: unknown, attempt: Attempt): Promise<Problem> => {
    const { connector, adapter } = target
    const { steps, references } = attempt
    if (error instanceof LostEntry) return takenOver(error)
    const missing = error instanceof NativeFailure && error.error.kind === 'not_found' && !error.error.fields?.length
    const refusal = problemOf(error, connector, missing ? undefined : adapter.update, {
      sent: references?.record,
    })
    const problem = explainReferences(refusal, references, connector)
    const refused = error instanceof NativeFailure && !isPassing(error) && !steps.inDoubt()
    if (steps.begun() && !refused) {
      const dueMs = error instanceof OutcomeUnknown ? error.retryInMs : undefined
      const retryInMs = retryIn(options, entry, dueMs)
      await journal.park(entry, entry.holder, { state: 'unknown', detail: 'recoverable', retryInMs })
      if (!(error instanceof OutcomeUnknown)) return problem
      if (error.retryInMs !== undefined) return stillEffective(error, error)
      return error.lost
        ? problemOf(error.lost, connector)
        : new Problem('outcome_unknown', error.message, { headers: { 'retry-after': '30' }, cause: error })
    }
    await journal.remove(entry, entry.holder)
    const { externalId } = entry
    return refused && steps.begun()
      ? partial(connector, { externalId, nativeId: externalId, detail: error.message }, problem)
      : problem
  }
}

/** The platform may do later what it does not do now: the update stays open. */
const isPassing = ({ error: { kind } }: NativeFailure) =>
  kind === 'reconnect' || kind === 'unavailable' || kind === 'throttled'

const changed = ({ adapter, connector: { name } }: Target) =>
  new Problem(
    'precondition_failed',
    adapter.version
      ? `The record at ${name} is no longer the one that If-Match names. Read it again, and apply your change to what it is now.`
      : `${name} has no versions of these records to compare with If-Match. Leave the header out.`,
  )

/** The row that an update starts from. Whatever the platform does not find while it is read, it is this record. */
export async function currentRow(target: Target, call: ReadCall, id: string): Promise<unknown> {
  const { adapter } = target
  const read = adapter.update?.current ?? adapter.get
  try {
    const row = await read?.(call, id)
    if (row !== undefined) {
      notExcluded(target, row)
      return row
    }
  } catch (error) {
    throw error instanceof NativeFailure && error.error.kind === 'not_found' ? notFound(target, error) : error
  }
  throw notFound(target)
}
