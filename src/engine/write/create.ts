// Writes: never twice, never lost. The caller's externalId is the key; the journal knows what was sent under it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector } from '../../contract/connector.ts'
import { Problem } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import type { UnifiedRecord } from '../../contract/unified.ts'
import { LostEntry } from '../../store/lost-entry.ts'
import type { EntryKey, JournalEntry } from '../../store/store.ts'
import { DatabaseUnavailable } from '../../store/unavailable.ts'
import { viewOf } from '../call.ts'
import { problemOf } from '../failures.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import { outside } from '../outbound/outside.ts'
import { createStages } from '../stages.ts'
import type { Target } from '../target.ts'
import { type Answer, type Attempt, type Attempts, identityOf } from './attempt.ts'
import { differences } from './canonical.ts'
import { resolveReferences, saidOf } from './references.ts'
import { targetLacks } from './requirements.ts'
import { createStepJournal } from './step-journal.ts'
import { OutcomeUnknown } from './steps.ts'

export interface Created extends Answer {
  replayed: boolean
}
export interface Writes {
  create(
    target: Target,
    record: UnifiedRecord,
    hash: string,
    context: RequestContext,
    onUnknown: 'report' | 'resend',
  ): Promise<Created>
  /** Takes an abandoned write to its end; false when somebody else has it. */
  resume(target: Target, key: EntryKey, context: RequestContext): Promise<boolean>
  /** Waits for a write of that key on this or another instance; true when there was one. */
  awaitWrite(key: EntryKey): Promise<boolean>
  /** Resolves when none is under way here, with or without its caller. */
  idle(): Promise<void>
  underWay(): number
}
const leaseMs = 15_000
const joinMs = 60_000

export function createWrites(options: EngineOptions, attempts: Attempts): Writes {
  const { store } = options
  const stages = createStages(options)
  /** Per operation, not per process: an operation that lost its lease must not pass for the one that took over. */
  const createHolder = () => `${options.instance} ${randomUUID()}`
  const running = new Map<string, Promise<unknown>>()
  const nameOf = ({ accountId, entityType, externalId }: EntryKey) => `${accountId} ${entityType} ${externalId}`

  /** One at a time per key in this process; other instances are kept out by the lease. */
  async function alone<T>(key: EntryKey, context: RequestContext, run: () => Promise<T>): Promise<T> {
    const name = nameOf(key)
    for (let other = running.get(name); other; other = running.get(name)) {
      const before = other
      await outside(context, () => before)
    }
    const promise = run()
    const quiet = promise.then(noop, noop)
    running.set(name, quiet)
    try {
      return await promise
    } finally {
      if (running.get(name) === quiet) running.delete(name)
    }
  }

  async function create(
    target: Target,
    record: UnifiedRecord,
    hash: string,
    context: RequestContext,
    onUnknown: 'report' | 'resend',
  ): Promise<Created> {
    const key: EntryKey = {
      accountId: target.account.id,
      entityType: target.flavor.definition.entityType,
      externalId: record.externalId,
    }
    const entry = {
      ...key,
      writeId: randomUUID(),
      contentHash: hash,
      record,
      startedAt: new Date().toISOString(),
      holder: createHolder(),
    }
    for (const deadline = Date.now() + joinMs; ; await outside(context, () => sleep(50))) {
      const begun = await stages.run(
        context,
        'journal',
        () => begin(entry),
        (result) => (result.begun ? 'begun under this key' : `the key is there already: ${result.entry.state}`),
      )
      if (begun.begun) return { ...(await run(target, entry, record, false, context, false)), replayed: false }
      const known = begun.entry
      if (known.state === 'done') return replay(known, record, hash)
      if (known.state === 'partial' && known.contentHash !== hash) throw partial(target.connector, known)
      const taken = await store.journal.takeOver(key, entry.holder, leaseMs)
      if (taken) {
        stages.say(context, 'journal', 'taken over: the earlier write is finished first')
        // The first write of the key is finished before the new request is looked at.
        const answer = await run(target, taken, taken.record as UnifiedRecord, true, context, onUnknown === 'resend')
        if (taken.contentHash !== hash) throw conflict(taken.record, record, answer.id)
        return { ...answer, replayed: false }
      }
      if (Date.now() > deadline)
        throw new Problem('write_in_progress', 'Another request is writing this key and has not finished yet.', {
          headers: { 'retry-after': '5' },
        })
    }
  }

  /** A database that takes nothing can still tell what was done before. */
  async function begin(entry: Parameters<typeof store.journal.begin>[0]): ReturnType<typeof store.journal.begin> {
    try {
      return await store.journal.begin(entry, leaseMs)
    } catch (error) {
      const known = error instanceof DatabaseUnavailable ? await store.journal.get(entry).catch(noop) : undefined
      if (known?.state !== 'done') throw error
      return { begun: false, entry: known }
    }
  }

  function replay(entry: JournalEntry, record: UnifiedRecord, hash: string): Created {
    if (entry.contentHash !== hash) throw conflict(entry.record, record, entry.nativeId as string)
    return { ...(entry.answer as Answer), replayed: true }
  }

  async function run(
    target: Target,
    entry: Pick<JournalEntry, keyof EntryKey | 'writeId' | 'startedAt' | 'contentHash' | 'holder'>,
    record: UnifiedRecord,
    resumed: boolean,
    context: RequestContext,
    resendUnknown: boolean,
  ): Promise<Answer> {
    const { journal } = store
    const log = createStepJournal(journal, entry, resumed)
    const identity = identityOf(entry)
    const attempt = await attempts.begin(target, context, entry.startedAt, {
      identity,
      content: entry.contentHash,
      log,
      resumed,
      resendUnknown,
    })
    const renewal = setInterval(() => void journal.renew(entry, entry.holder, leaseMs).catch(noop), leaseMs / 3)
    try {
      const { record: resolved } = await stages.run(
        context,
        'references',
        () =>
          resolveReferences(store, target.account.id, entry.entityType, record, (accountId, entityType, externalId) =>
            outside(context, () => awaitWrite({ accountId, entityType, externalId })),
          ),
        saidOf,
      )
      const create = target.adapter.create as NonNullable<typeof target.adapter.create>
      const written = await create.run(attempt.steps.call, resolved as never)
      const answer = await attempts.answer(target, attempt, create, resolved, record, written)
      if (
        !(await stages.run(
          context,
          'journal',
          () => log.finish(answer.id, answer),
          (kept) => (kept ? `done: its id is ${answer.id}` : 'another instance took it over'),
        ))
      )
        throw new Problem('write_in_progress', 'Another instance took this write over; send the same request again.')
      return answer
    } catch (error) {
      await log.settled().catch(noop) // what is wrong with the database shows in what comes next
      throw await settle(target, entry, error, attempt, context)
    } finally {
      attempt.ending.ended = true
      clearInterval(renewal)
    }
  }

  /** What becomes of the key when a write did not succeed: free again, unknown, or partly written. */
  async function settle(
    target: Target,
    key: EntryKey & { holder: string },
    error: unknown,
    { steps }: Attempt,
    context: RequestContext,
  ): Promise<Problem> {
    const { journal } = store
    if (error instanceof LostEntry)
      return new Problem('write_in_progress', 'Another instance took this write over; send the same request again.', {
        headers: { 'retry-after': '1' },
        cause: error,
      })
    if (error instanceof OutcomeUnknown) {
      await journal.park(key, key.holder, 'unknown', error.recoverable ? 'recoverable' : 'final')
      stages.say(context, 'journal', 'kept as unknown')
      if (error.recoverable && error.lost) return problemOf(error.lost, target.connector)
      return new Problem('outcome_unknown', error.message, {
        headers: { 'retry-after': '30' },
        cause: error,
        extra: { externalId: key.externalId },
        downstream: { platform: target.connector.id },
      })
    }
    const problem = problemOf(error, target.connector, target.adapter.create)
    if (!steps.begun()) {
      await journal.remove(key, key.holder)
      return problem
    }
    if (steps.inDoubt() || !(error instanceof NativeFailure) || error.error.kind === 'reconnect') {
      await journal.park(key, key.holder, 'unknown', 'recoverable')
      return problem
    }
    const undone = await stages.run(context, 'undo', steps.undo, (result) =>
      result.undone ? 'taken back' : 'could not be taken back',
    )
    if (undone.undone) {
      await journal.remove(key, key.holder)
      return problem
    }
    await journal.park(key, key.holder, 'partial', problem.detail, undone.nativeId)
    return partial(
      target.connector,
      { externalId: key.externalId, nativeId: undone.nativeId, detail: problem.detail },
      problem,
    )
  }

  async function awaitWrite(key: EntryKey): Promise<boolean> {
    const local = running.get(nameOf(key))
    if (local) {
      // Bounded: two records that name each other as parents must not wait for each other forever.
      await Promise.race([local, sleep(leaseMs, undefined, { ref: false })])
      return true
    }
    const deadline = Date.now() + leaseMs
    let entry = await store.journal.get(key)
    const found = entry !== undefined
    while (entry?.state === 'in_flight' && Date.now() < deadline) {
      await sleep(50)
      entry = await store.journal.get(key)
    }
    return found
  }

  return {
    create(target, record, hash, context, onUnknown) {
      const key: EntryKey = {
        accountId: target.account.id,
        entityType: target.flavor.definition.entityType,
        externalId: record.externalId,
      }
      return alone(key, context, async () => {
        const lacking = targetLacks(
          record,
          target.adapter.create ?? {},
          viewOf(target.account, target.connector),
          target.connector,
        )
        // A replay is answered whatever the platform requires by now; only a new write is held to it.
        if (lacking && !(await store.journal.get(key))) throw lacking
        return create(target, record, hash, context, onUnknown)
      })
    },
    resume: (target, key, context) =>
      alone(key, context, async () => {
        const taken = await store.journal.takeOver(key, createHolder(), leaseMs)
        if (!taken) return false
        await run(target, taken, taken.record as UnifiedRecord, true, context, false)
        return true
      }),
    awaitWrite,
    async idle() {
      while (running.size > 0) await Promise.all(running.values())
    },
    underWay: () => running.size,
  }
}

function noop(): undefined {}

const conflict = (written: unknown, asked: unknown, id: string) =>
  new Problem(
    'idempotency_conflict',
    `A record was already written under this externalId with other content. Its platform id is ${id}.`,
    {
      extra: { id, differences: differences(written, asked) },
    },
  )

const partial = (
  connector: Connector,
  entry: { externalId: string; nativeId?: string; detail?: string },
  cause?: Problem,
) =>
  new Problem(
    'partially_written',
    `${connector.name} took a part of this record and refused the rest: ${entry.detail ?? 'see downstream'}`,
    {
      extra: { externalId: entry.externalId, ...(entry.nativeId === undefined ? {} : { id: entry.nativeId }) },
      ...(cause?.errors ? { errors: cause.errors } : {}),
      ...(cause?.downstream ? { downstream: cause.downstream } : {}),
      cause,
    },
  )
