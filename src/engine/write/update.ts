// Updates replace a record. One update of a record is open at a time: the same content joins it, other content waits
// its turn.
// An update sets what differs from the row it has just read, so one that was interrupted is run again as a whole, once
// none of its calls can still take effect.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadCall } from '../../contract/connector.ts'
import type { UnifiedRecord } from '../../contract/entities/index.ts'
import type { ReferenceMode } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { LostEntry } from '../../store/lost-entry.ts'
import type { EntryKey, JournalEntry, NewEntry } from '../../store/store.ts'
import { viewOf } from '../account-view.ts'
import { customChanges, type Writable } from '../custom.ts'
import { ownRefusal, problemOf } from '../failures.ts'
import { ignoredExternalId, notFound, notRefund, throwNamed } from '../identity.ts'
import { compileOverlay } from '../mapping.ts'
import { defaultMapping } from '../mapping-selection.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import { outside } from '../outbound/outside.ts'
import { toUnified } from '../read/normalize.ts'
import { createStages } from '../stages.ts'
import type { Target } from '../target.ts'
import { type Answer, type Attempt, type Attempts, identityOf, withCustom } from './attempt.ts'
import { contentHash } from './canonical.ts'
import {
  contentErased,
  createHolder,
  effectiveForMs,
  inProgress,
  joinMs,
  leaseOf,
  lookAgainMs,
  partial,
  retryIn,
  stillEffective,
  takenOver,
} from './journaled.ts'
import { type Clock, leaseMs, readClock } from './lease.ts'
import { complete, leavesOut, unmapped } from './left-out.ts'
import { type AwaitWrite, explainReferences, resolveReferences, summaryOf } from './references.ts'
import { targetLacks } from './requirements.ts'
import { createStepJournal, ownWrite, type StepJournal } from './step-journal.ts'
import { OutcomeUnknown, patienceMs } from './steps.ts'
import { nameOf, type Turns } from './turns.ts'

export interface Updates {
  update(target: Target, id: string, update: CheckedUpdate, context: RequestContext): Promise<Answer>
  /** Takes an abandoned update to its end; false when another instance has it. */
  resume(target: Target, key: EntryKey, context: RequestContext): Promise<boolean>
}
/** An update whose body was checked. */
export interface CheckedUpdate {
  record: Writable
  ifVersion?: string | undefined
  references?: ReferenceMode // by default auto
}
/** The content of an update in the journal. */
interface Content extends CheckedUpdate {
  /** The record before the first call: a row that was left half written does not show it. */
  before?: UnifiedRecord | undefined
}
export function createUpdates(
  options: EngineOptions,
  attempts: Attempts,
  turns: Turns,
  awaitWrite: AwaitWrite,
): Updates {
  const { store } = options
  const { journal } = store
  const stages = createStages(options)
  /** The update of each record that is open in this process. */
  const open = new Map<string, { hash: string; answer: Promise<Answer> }>()

  const entryOf = (key: EntryKey, content: Content, hash: string): NewEntry => ({
    ...key,
    writeId: randomUUID(),
    contentHash: hash,
    record: content,
    startedAt: new Date().toISOString(),
    holder: createHolder(options),
  })

  /**
   * Begins when no other update of the record is open; or returns the response of the one with the same content that
   * was.
   */
  async function inTurn(
    target: Target,
    key: EntryKey,
    content: Content,
    hash: string,
    context: RequestContext,
  ): Promise<Answer> {
    const entry = entryOf(key, content, hash)
    let joined: string | undefined
    const asked = Date.now()
    for (const deadline = asked + joinMs; ; await outside(context, () => sleep(lookAgainMs(asked)))) {
      if (joined !== undefined) {
        const known = await journal.get(key)
        if (known?.writeId === joined && known.state === 'done') {
          if (known.erasedAt !== undefined) throw contentErased(known)
          return known.answer as Answer
        }
        if (known?.writeId !== joined) joined = undefined
      }
      if (joined === undefined) {
        const granted = readClock()
        const begun = await stages.run(
          context,
          'journal',
          () => journal.begin(entry, leaseMs),
          (result) => (result.begun ? 'begun' : `another update of this record is open: ${result.entry.state}`),
        )
        if (begun.begun) return run(target, entry, content, granted, context)
        if (begun.entry.contentHash === hash) joined = begun.entry.writeId
      }
      const granted = readClock()
      const taken = await journal.takeOver(key, entry.holder, leaseMs)
      if (taken) return again(target, taken, entry, content, granted, context)
      if (Date.now() > deadline)
        throw inProgress(
          'Another request is updating this record and has not finished yet. Send the same request again.',
          5000,
        )
    }
  }

  /** In the place of an update that was interrupted, when none of its calls can still take effect. */
  async function again(
    target: Target,
    interrupted: JournalEntry,
    entry: NewEntry,
    content: Content,
    granted: Clock,
    context: RequestContext,
  ): Promise<Answer> {
    stages.say(context, 'journal', 'taken over: an earlier update of this record was interrupted')
    const steps = await journal.steps(interrupted, interrupted.writeId)
    const left = effectiveForMs(options, steps)
    const unfinished = new OutcomeUnknown(
      'update',
      true,
      'An earlier update of this record was interrupted, and a call of it may still take effect at the platform.',
      { retryInMs: left },
    )
    if (left > patienceMs) {
      const retryInMs = retryIn(options, interrupted, left)
      await journal.park(interrupted, entry.holder, { state: 'unknown', detail: 'recoverable', retryInMs })
      throw stillEffective(unfinished, unfinished)
    }
    const lease = leaseOf(options, stages, { ...interrupted, holder: entry.holder }, granted, context)
    try {
      if (left > 0) await outside(context, () => sleep(left))
    } finally {
      lease.end()
    }
    const restarted = readClock()
    const next = interrupted.contentHash === entry.contentHash ? onwards(interrupted, steps.length > 0) : content
    const restart = { ...entry, record: next }
    if (!(await journal.restart(restart, leaseMs))) throw takenOver()
    return run(target, restart, next, restarted, context)
  }

  async function run(
    target: Target,
    begun: NewEntry,
    content: Content,
    granted: Clock,
    context: RequestContext,
  ): Promise<Answer> {
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
        return await attempted(target, entry, current, attempt, log, context, async (before) => {
          current = { ...current, before }
          entry = { ...entry, record: current }
          if (!(await journal.restart(entry, leaseMs))) throw takenOver()
        })
      } catch (error) {
        await log.settled().catch(noop) // what is wrong with the database shows in what comes next
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

  async function attempted(
    target: Target,
    entry: NewEntry,
    { record: { custom, ...rest }, ifVersion, before, references: mode = 'auto' }: Content,
    attempt: Attempt,
    log: StepJournal,
    context: RequestContext,
    remember: (before: UnifiedRecord) => Promise<void>,
  ): Promise<Answer> {
    const { adapter, account, connector, flavor } = target
    const sent = rest as UnifiedRecord
    const write = adapter.update as NonNullable<typeof adapter.update>
    const id = entry.externalId
    const current = await currentRow(target, attempt.readCall, id).catch((error) =>
      throwNamed(store, target, id, error),
    )
    if (ifVersion !== undefined && adapter.version?.(current) !== ifVersion) throw changed(target)
    const ignored = await ignoredExternalId(store, target, attempt.readCall, id, sent)
    const view = viewOf(account, connector)
    const held = toUnified(adapter, current, flavor, view, [])
    const mapping = await defaultMapping(store, target, 'read')
    const shown = mapping && toUnified(adapter, current, flavor, view, [], compileOverlay(mapping, flavor))
    const record = unmapped(sent, shown, held)
    const lacking = targetLacks(record, write, viewOf(account, connector), connector, held ?? 'unread')
    if (lacking) throw lacking
    const { values, refused } = customChanges(adapter.custom, custom, current, connector)
    if (refused.length > 0) throw ownRefusal('target_refuses', connector, refused)
    attempt.references = await stages.run(
      context,
      'references',
      () =>
        resolveReferences(store, account.id, entry.entityType, record, {
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
      write.run(attempt.steps.call, current, complete(resolved, held, base, write, target.flavor.definition) as never)
    const written = await withCustom(target, attempt.steps.call, custom, values, run)
    const asked = { sent: resolved, asked: record, custom, before: base }
    const { stored, ...answer } = await attempts.answer(target, attempt, write, asked, written)
    answer.warnings.unshift(...ignored)
    if (!(await log.finish(answer.id, answer, ownWrite(stored, target, context)))) throw takenOver()
    return answer
  }

  /** The end of an update that did not succeed: refused, or open until its outcome is known. */
  async function settle(target: Target, entry: NewEntry, error: unknown, attempt: Attempt): Promise<Problem> {
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

  return {
    async update(target, id, { record, ifVersion, references }, context) {
      const { adapter, account, connector, flavor } = target
      const lacking = targetLacks(record, adapter.update ?? {}, viewOf(account, connector), connector, 'unread')
      if (lacking) throw lacking
      const key = keyOf(account.id, flavor.definition.entityType, id)
      const content = { record, ifVersion, references }
      const hash = contentHash(content)
      const name = nameOf(key)
      const same = open.get(name)
      if (same?.hash === hash) return outside(context, () => same.answer)
      return turns.alone(key, context, () => {
        const answer = inTurn(target, key, content, hash, context)
        const entry = { hash, answer }
        open.set(name, entry)
        const close = () => {
          if (open.get(name) === entry) open.delete(name)
        }
        answer.then(close, close)
        return answer
      })
    },
    resume: (target, key, context) =>
      turns.alone(key, context, async () => {
        const granted = readClock()
        const holder = createHolder(options)
        const taken = await journal.takeOver(key, holder, leaseMs)
        if (!taken) return false
        const content = taken.record as Content
        const entry = { ...entryOf(key, content, taken.contentHash), startedAt: taken.startedAt, holder }
        await again(target, taken, entry, content, granted, context)
        return true
      }),
  }
}

function noop(): void {}

/** The platform may do later what it does not do now: the update stays open. */
const isPassing = ({ error: { kind } }: NativeFailure) =>
  kind === 'reconnect' || kind === 'unavailable' || kind === 'throttled'

/** An update that was begun under a version goes on whatever the version is by now, and replaces the row before it. */
function onwards({ record: content }: JournalEntry, begun: boolean): Content {
  const { ifVersion, ...rest } = content as Content
  return { ...rest, ifVersion: begun ? undefined : ifVersion }
}

const keyOf = (accountId: string, entityType: EntryKey['entityType'], id: string): EntryKey => ({
  accountId,
  entityType,
  externalId: id,
  operation: 'update',
})

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
      notRefund(target, row)
      return row
    }
  } catch (error) {
    throw error instanceof NativeFailure && error.error.kind === 'not_found' ? notFound(target, error) : error
  }
  throw notFound(target)
}
