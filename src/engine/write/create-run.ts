// A create under its journal entry, from the references to the response: for the request that began it, or for one that
// took it over.
import type { Clock } from '../../base/clock.ts'
import { Problem } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { LostEntry } from '../../store/lost-entry.ts'
import { customChanges, type Writable, withoutCustom } from '../custom.ts'
import { problemOf } from '../failures.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import { outside } from '../outbound/outside.ts'
import { createStages, type Stages } from '../stages.ts'
import type { Target } from '../target.ts'
import { type Answer, type Attempt, type Attempts, identityOf, withCustom } from './attempt.ts'
import { createClaims } from './claims.ts'
import { leaseOf, type OpenEntry, partial, retryIn, stillEffective, takenOver } from './journaled.ts'
import { withoutComputed } from './left-out.ts'
import { type AwaitWrite, explainReferences, resolveReferences, summaryOf } from './references.ts'
import { createStepJournal, ownWrite } from './step-journal.ts'
import { OutcomeUnknown } from './steps.ts'
import { refuseOtherTotal } from './totals.ts'

export interface CreateRun {
  target: Target
  entry: OpenEntry
  record: Writable
  granted: Clock // when the lease of the entry was granted
  context: RequestContext
  resumed?: boolean
  resendUnknown?: boolean
}

export function createCreateRun(
  options: EngineOptions,
  attempts: Attempts,
  awaitWrite: AwaitWrite,
): (run: CreateRun) => Promise<Answer> {
  const { store } = options
  const { journal } = store
  const stages = createStages(options)
  const settle = createSettle(options, stages)

  return async ({ target, entry, record, granted, context, resumed = false, resendUnknown = false }) => {
    const log = createStepJournal(journal, entry, resumed)
    const lease = leaseOf(options, stages, entry, granted, context)
    const claims = createClaims(store, entry)
    const attempt = await attempts.begin(target, context, entry.startedAt, {
      identity: identityOf(entry),
      content: entry.contentHash,
      log,
      lease,
      unclaimed: claims.unclaimed,
      resumed,
      resendUnknown,
    })
    const { adapter, connector } = target
    const create = adapter.create as NonNullable<typeof adapter.create>
    const plain = withoutCustom(record)
    try {
      // A write that is taken up again reads its references as its own request said.
      const references = await stages.run(
        context,
        'references',
        () =>
          resolveReferences(store, target.account.id, entry.entityType, plain, {
            mode: entry.references ?? 'auto',
            awaitWrite: (key) => outside(context, () => awaitWrite(key)),
          }),
        summaryOf,
      )
      attempt.references = references
      const resolved = references.record
      const { values } = customChanges(adapter.custom, record.custom, {}, connector)
      if (entry.exactTotals && !attempt.steps.begun()) await refuseOtherTotal(target, attempt.readCall, resolved)
      const send = () => create.run(attempt.steps.call, withoutComputed(resolved, target.flavor.definition) as never)
      const written = await withCustom(target, attempt.steps.call, record.custom, values, send)
      const records = { sent: resolved, asked: plain, custom: record.custom, exactTotals: entry.exactTotals }
      const { stored, ...answer } = await attempts.answer(target, attempt, create, records, written)
      const finished = await stages.run(
        context,
        'journal',
        () => log.finish(answer.id, answer, ownWrite(stored, target, context)),
        (isStored) => (isStored ? `done: its id is ${answer.id}` : 'another instance took it over'),
      )
      if (!finished) throw takenOver()
      return answer
    } catch (error) {
      await log.settled().catch(() => undefined) // what is wrong with the database shows in what comes next
      throw await settle({ target, entry, context }, error, attempt)
    } finally {
      attempt.ending.ended = true
      lease.end()
      await claims.release()
    }
  }
}

type Settle = (
  run: Pick<CreateRun, 'target' | 'entry' | 'context'>,
  error: unknown,
  attempt: Attempt,
) => Promise<Problem>
/** A write that did not succeed leaves its key in one of three states: free again, unknown, or partly written. */
function createSettle(options: EngineOptions, stages: Stages): Settle {
  const { journal } = options.store
  return async ({ target, entry, context }, error, { steps, references }) => {
    if (error instanceof LostEntry) return takenOver(error)
    const unknown = (detail: 'recoverable' | 'final', dueMs?: number) =>
      journal.park(entry, entry.holder, { state: 'unknown', detail, retryInMs: retryIn(options, entry, dueMs) })
    async function inDoubt(doubt: OutcomeUnknown): Promise<Problem> {
      await unknown(doubt.recoverable ? 'recoverable' : 'final', doubt.retryInMs)
      stages.say(context, 'journal', 'recorded as unknown')
      if (doubt.retryInMs !== undefined) return stillEffective(doubt, doubt)
      if (doubt.recoverable && doubt.lost) return problemOf(doubt.lost, target.connector)
      return new Problem('outcome_unknown', doubt.message, {
        headers: { 'retry-after': '30' },
        cause: doubt,
        extra: { externalId: entry.externalId },
        downstream: { platform: target.connector.id },
      })
    }
    if (error instanceof OutcomeUnknown) return inDoubt(error)
    const { connector, adapter } = target
    const problem = explainReferences(
      problemOf(error, connector, adapter.create, { sent: references?.record }),
      references,
      connector,
    )
    if (!steps.begun()) {
      await journal.remove(entry, entry.holder)
      return problem
    }
    if (steps.inDoubt() || !(error instanceof NativeFailure) || error.error.kind === 'reconnect') {
      await unknown('recoverable')
      return problem
    }
    try {
      const undone = await stages.run(context, 'undo', steps.undo, (result) =>
        result.undone ? 'undone' : 'could not be undone',
      )
      if (undone.undone) {
        await journal.remove(entry, entry.holder)
        return problem
      }
      const { nativeId } = undone
      const detail = error.message
      await journal.park(entry, entry.holder, { state: 'partial', detail, nativeId })
      return partial(target.connector, { externalId: entry.externalId, nativeId, detail }, problem)
    } catch (lost) {
      if (lost instanceof LostEntry) return takenOver(lost)
      if (lost instanceof OutcomeUnknown) return inDoubt(lost)
      throw lost
    }
  }
}
