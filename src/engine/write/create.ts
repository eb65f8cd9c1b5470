// Creates: never twice, never lost. The caller's externalId is the key; the journal knows what was sent under it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReferenceMode } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import { LostEntry } from '../../store/lost-entry.ts'
import type { EntryKey, JournalEntry, NewEntry, WriteGuard } from '../../store/store.ts'
import { DatabaseUnavailable } from '../../store/unavailable.ts'
import { viewOf } from '../account-view.ts'
import { customChanges, type Writable, withoutCustom } from '../custom.ts'
import { problemOf } from '../failures.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import { outside } from '../outbound/outside.ts'
import { createStages } from '../stages.ts'
import type { Target } from '../target.ts'
import { type Answer, type Attempt, type Attempts, identityOf, withCustom } from './attempt.ts'
import { differences } from './canonical.ts'
import { createClaims } from './claims.ts'
import { contentOf } from './content.ts'
import { type DuplicateGuard, guardOf, possibleDuplicate } from './duplicates.ts'
import {
  contentErased,
  createHolder,
  inProgress,
  joinMs,
  leaseOf,
  lookAgainMs,
  type OpenEntry,
  partial,
  retryIn,
  stillEffective,
  takenOver,
} from './journaled.ts'
import { type Clock, leaseMs, readClock } from './lease.ts'
import { type AwaitWrite, explainReferences, resolveReferences, summaryOf } from './references.ts'
import { targetLacks } from './requirements.ts'
import { createStepJournal, ownWrite } from './step-journal.ts'
import { OutcomeUnknown } from './steps.ts'
import type { Turns } from './turns.ts'

export interface Created extends Answer {
  replayed: boolean
}
export interface Creates {
  create(
    target: Target,
    record: Writable,
    hash: string,
    context: RequestContext,
    onUnknown: 'report' | 'resend',
    references: ReferenceMode,
    guard?: DuplicateGuard,
  ): Promise<Created>
  /**
   * What a create would get without writing: the response of an earlier write of its key, or a problem. Undefined if it
   * would write.
   */
  settled(target: Target, record: Writable, hash: string): Promise<Created | undefined>
  /** Throws what a create with this guard would get for content that another key has. */
  refuseDuplicate(target: Target, record: Writable, guard: DuplicateGuard): Promise<void>
  /** Takes an abandoned write to its end; false when another instance has it. */
  resume(target: Target, key: EntryKey, context: RequestContext): Promise<boolean>
  /** Waits for a write of that key on this or another instance. */
  awaitWrite: AwaitWrite
}

export function createCreates(options: EngineOptions, attempts: Attempts, turns: Turns): Creates {
  const { store } = options
  const { journal } = store
  const stages = createStages(options)

  async function create(
    target: Target,
    record: Writable,
    hash: string,
    context: RequestContext,
    onUnknown: 'report' | 'resend',
    references: ReferenceMode,
    guard: DuplicateGuard | undefined,
  ): Promise<Created> {
    const key: EntryKey = keyOf(target, record)
    const entry = {
      ...key,
      writeId: randomUUID(),
      contentHash: hash,
      record,
      references,
      startedAt: new Date().toISOString(),
      holder: createHolder(options),
    }
    const asked = Date.now()
    for (const deadline = asked + joinMs; ; await outside(context, () => sleep(lookAgainMs(asked)))) {
      const granted = readClock()
      const begun = await stages.run(
        context,
        'journal',
        () => begin(entry, guard && guardOf(guard)),
        (result) => (result.begun ? 'begun under this key' : foundNote(result)),
      )
      if (begun.begun) return { ...(await run(target, entry, record, granted, false, context, false)), replayed: false }
      const known = begun.entry
      if (begun.isDuplicate) throw possibleDuplicate(known)
      if (known.state === 'done') {
        const replayed = replay(target, known, record, hash)
        await restoreReference(known)
        return replayed
      }
      if (known.state === 'partial' && !sameContent(target, known, record, hash)) throw partial(target.connector, known)
      const takenAt = readClock()
      const taken = await journal.takeOver(key, entry.holder, leaseMs)
      if (taken) {
        stages.say(context, 'journal', 'taken over: the earlier write is finished first')
        // The first write of the key is finished before the new request is looked at.
        const resend = onUnknown === 'resend'
        const answer = await run(target, taken, taken.record as Writable, takenAt, true, context, resend)
        if (!sameContent(target, taken, record, hash)) throw conflict(taken.record, record, answer.id)
        // Its row may have been journaled a while ago.
        return { ...answer, version: undefined, replayed: false }
      }
      if (Date.now() > deadline)
        throw inProgress(
          'Another request is writing this key and has not finished yet. Send the same request again.',
          5000,
        )
    }
  }

  /** A database that accepts no write can still say what was done before. */
  async function begin(entry: NewEntry, guard: WriteGuard | undefined): ReturnType<typeof journal.begin> {
    try {
      return await journal.begin(entry, leaseMs, guard)
    } catch (error) {
      const known = error instanceof DatabaseUnavailable ? await journal.get(entry).catch(noop) : undefined
      if (known?.state !== 'done') throw error
      return { begun: false, entry: known }
    }
  }

  function replay(target: Target, entry: JournalEntry, record: Writable, hash: string): Created {
    if (!sameContent(target, entry, record, hash)) throw conflict(entry.record, record, entry.nativeId as string)
    if (entry.erasedAt !== undefined) throw contentErased(entry)
    return { ...(entry.answer as Answer), version: undefined, replayed: true }
  }
  /** An operator can delete the reference of a write. A replay says that the record is written, so it is restored. */
  async function restoreReference({ accountId, entityType, externalId, nativeId }: JournalEntry): Promise<void> {
    if (await store.links.get(accountId, entityType, externalId)) return
    await store.links.restore({ accountId, entityType, sourceId: externalId, nativeId: nativeId as string })
  }

  async function run(
    target: Target,
    entry: OpenEntry,
    record: Writable,
    granted: Clock,
    resumed: boolean,
    context: RequestContext,
    resendUnknown: boolean,
  ): Promise<Answer> {
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
      const run = () => create.run(attempt.steps.call, resolved as never)
      const written = await withCustom(target, attempt.steps.call, record.custom, values, run)
      const asked = { sent: resolved, asked: plain, custom: record.custom }
      const { stored, ...answer } = await attempts.answer(target, attempt, create, asked, written)
      const finished = await stages.run(
        context,
        'journal',
        () => log.finish(answer.id, answer, ownWrite(stored, target, context)),
        (isStored) => (isStored ? `done: its id is ${answer.id}` : 'another instance took it over'),
      )
      if (!finished) throw takenOver()
      return answer
    } catch (error) {
      await log.settled().catch(noop) // what is wrong with the database shows in what comes next
      throw await settle(target, entry, error, attempt, context)
    } finally {
      attempt.ending.ended = true
      lease.end()
      await claims.release()
    }
  }

  /** What becomes of the key when a write did not succeed: free again, unknown, or partly written. */
  async function settle(
    target: Target,
    entry: OpenEntry,
    error: unknown,
    { steps, references }: Attempt,
    context: RequestContext,
  ): Promise<Problem> {
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

  async function awaitWrite(key: EntryKey): Promise<'none' | 'open' | 'done'> {
    // Bounded: two records that name each other as parents must not wait for each other forever.
    const deadline = Date.now() + leaseMs
    const local = turns.running(key)
    if (local) await Promise.race([local, sleep(leaseMs, undefined, { ref: false })])
    for (;;) {
      const entry = await journal.get(key)
      if (!entry) return 'none'
      if (entry.state === 'done') return 'done'
      if (entry.state !== 'in_flight' || Date.now() >= deadline) return 'open'
      await sleep(50)
    }
  }

  return {
    create(target, record, hash, context, onUnknown, references, guard) {
      const key = keyOf(target, record)
      return turns.alone(key, context, async () => {
        const view = viewOf(target.account, target.connector)
        const lacking = targetLacks(record, target.adapter.create ?? {}, view, target.connector)
        // A replay gets its response whatever the platform requires by now; only a new write is held to it.
        if (lacking && !(await journal.get(key))) throw lacking
        return create(target, record, hash, context, onUnknown, references, guard)
      })
    },
    async settled(target, record, hash) {
      const entry = await journal.get(keyOf(target, record))
      if (!entry) return undefined
      if (entry.state === 'done') return replay(target, entry, record, hash)
      if (entry.state !== 'partial')
        throw inProgress(
          'A write of this key is not finished. Send the request without dryRun: it waits for that write or finishes it first.',
          5000,
        )
      if (!sameContent(target, entry, record, hash)) throw partial(target.connector, entry)
      return undefined
    },
    async refuseDuplicate(target, record, guard) {
      const first = await journal.duplicateOf(keyOf(target, record), guardOf(guard))
      if (first) throw possibleDuplicate(first)
    },
    resume: (target, key, context) =>
      turns.alone(key, context, async () => {
        const granted = readClock()
        const taken = await journal.takeOver(key, createHolder(options), leaseMs)
        if (!taken) return false
        await run(target, taken, taken.record as Writable, granted, true, context, false)
        return true
      }),
    awaitWrite,
  }
}

const keyOf = ({ account, flavor }: Target, { externalId }: Writable): EntryKey => ({
  accountId: account.id,
  entityType: flavor.definition.entityType,
  externalId,
})

const foundNote = ({ entry, isDuplicate }: { entry: JournalEntry; isDuplicate?: true | undefined }): string =>
  isDuplicate ? `the same content is ${entry.state} under another key` : `the key is there already: ${entry.state}`

function noop(): undefined {}

/** A record that was journaled in another spelling has another hash, and the same content. */
const sameContent = ({ flavor }: Target, entry: JournalEntry, record: Writable, hash: string): boolean =>
  entry.contentHash === hash ||
  (entry.erasedAt === undefined && differences(contentOf(entry.record, flavor.write.schema), record).length === 0)

const conflict = (written: unknown, asked: unknown, id: string) =>
  new Problem(
    'idempotency_conflict',
    `A record was already written under this externalId with other content. Its platform id is ${id}: PUT to it to change that record, or use another externalId for another record.`,
    {
      // Nothing to compare with: the content was erased.
      extra: { id, differences: written === undefined ? [] : differences(written, asked) },
    },
  )
