// Writes: never twice, never lost. The caller's externalId is the key; the journal knows what was sent under it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector, EntityAdapter, NativeRequest } from '../contract/connector.ts'
import type { EntityType } from '../contract/entity.ts'
import { Problem, type Warning } from '../contract/errors.ts'
import { NativeFailure } from '../contract/native-failure.ts'
import type { UnifiedRecord } from '../contract/unified.ts'
import type { Flavor } from '../contract/validation.ts'
import { LostEntry } from '../store/lost-entry.ts'
import type { Account, EntryKey, JournalEntry } from '../store/store.ts'
import { createReadCall, type Ending, viewOf } from './call.ts'
import { contentHash, differences } from './canonical.ts'
import type { Facts } from './facts.ts'
import { problemOf } from './failures.ts'
import { toUnified } from './finish.ts'
import type { EngineOptions, RequestContext } from './options.ts'
import { LostAnswer, type Operation, type Outbound } from './outbound.ts'
import { resolveReferences } from './references.ts'
import { checkTarget, notStored, unexpected } from './requirements.ts'
import { createSteps, OutcomeUnknown, type StepLog } from './steps.ts'

export interface Target {
  account: Account
  connector: Connector
  adapter: EntityAdapter<EntityType>
  flavor: Flavor
}
export interface Answer {
  data: UnifiedRecord
  id: string
  warnings: Warning[]
}
export interface Created extends Answer {
  replayed: boolean
}
export interface Writes {
  create(target: Target, record: UnifiedRecord, hash: string, context: RequestContext, onUnknown: 'report' | 'resend'): Promise<Created>
  update(target: Target, id: string, record: UnifiedRecord, context: RequestContext): Promise<Answer>
  /** Takes an abandoned write to its end; false when somebody else has it. */
  resume(target: Target, key: EntryKey, context: RequestContext): Promise<boolean>
  /** Waits for a write of that key on this or another instance; true when there was one. */
  awaitWrite(key: EntryKey): Promise<boolean>
}
const leaseMs = 15_000
const joinMs = 60_000

export function createWrites(options: EngineOptions, outbound: Outbound, facts: Facts): Writes {
  const { store } = options
  /** Per operation, not per process: an operation that lost its lease must not pass for the one that took over. */
  const createHolder = () => `${options.instance} ${randomUUID()}`
  const running = new Map<string, Promise<unknown>>()
  const nameOf = ({ accountId, entityType, externalId }: EntryKey) => `${accountId} ${entityType} ${externalId}`

  /** One at a time per key in this process; other instances are kept out by the lease. */
  async function alone<T>(key: EntryKey, run: () => Promise<T>): Promise<T> {
    const name = nameOf(key)
    for (let other = running.get(name); other; other = running.get(name)) await other
    const promise = run()
    const quiet = promise.then(noop, noop)
    running.set(name, quiet)
    try {
      return await promise
    } finally {
      if (running.get(name) === quiet) running.delete(name)
    }
  }

  async function create(target: Target, record: UnifiedRecord, hash: string, context: RequestContext, onUnknown: 'report' | 'resend'): Promise<Created> {
    const key: EntryKey = { accountId: target.account.id, entityType: target.flavor.definition.entityType, externalId: record.externalId }
    const entry = { ...key, writeId: randomUUID(), contentHash: hash, record, startedAt: new Date().toISOString(), holder: createHolder() }
    for (const deadline = Date.now() + joinMs; ; await sleep(50)) {
      const begun = await store.journal.begin(entry, leaseMs)
      if (begun.begun) return { ...(await run(target, entry, record, false, context, false)), replayed: false }
      const known = begun.entry
      if (known.state === 'done') return replay(known, record, hash)
      if (known.state === 'partial' && known.contentHash !== hash) throw partial(target.connector, known)
      const taken = await store.journal.takeOver(key, entry.holder, leaseMs)
      if (taken) {
        // What was asked first is brought to its end first, whatever is asked now.
        const answer = await run(target, taken, taken.record as UnifiedRecord, true, context, onUnknown === 'resend')
        if (taken.contentHash !== hash) throw conflict(taken.record, record, answer.id)
        return { ...answer, replayed: false }
      }
      if (Date.now() > deadline) throw new Problem('write_in_progress', 'Another request is writing this key and has not finished yet.', { headers: { 'retry-after': '5' } })
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
    const log: StepLog = {
      load: () => (resumed ? journal.steps(entry, entry.writeId) : Promise.resolve([])),
      sent: (name, request) => journal.stepSent(entry, entry.writeId, name, request, entry.holder),
      done: (name, value) => journal.stepDone(entry, entry.writeId, name, value ?? null),
      forgotten: (name) => journal.stepForgotten(entry, entry.writeId, name),
    }
    const renewal = setInterval(() => void journal.renew(entry, entry.holder, leaseMs).catch(noop), leaseMs / 3)
    const identity = JSON.stringify([target.account.id, entry.entityType, entry.externalId])
    const attempt = await begin(target, context, entry.startedAt, { identity, content: entry.contentHash, log, resumed, resendUnknown })
    try {
      const { record: resolved } = await resolveReferences(store, target.account.id, entry.entityType, record, (accountId, entityType, externalId) =>
        awaitWrite({ accountId, entityType, externalId }),
      )
      const create = target.adapter.create as NonNullable<typeof target.adapter.create>
      const written = await create.run(attempt.steps.call, resolved as never)
      const answer = await answerOf(target, attempt, create, resolved, record, written)
      if (!(await journal.done(entry, entry.holder, { writeId: entry.writeId, nativeId: answer.id, answer })))
        throw new Problem('write_in_progress', 'Another instance took this write over; send the same request again.')
      return answer
    } catch (error) {
      throw await settle(target, entry, error, attempt)
    } finally {
      attempt.ending.ended = true
      clearInterval(renewal)
    }
  }

  /** What becomes of the key when a write did not succeed: free again, unknown, or partly written. */
  async function settle(target: Target, key: EntryKey & { holder: string }, error: unknown, { steps }: Attempt): Promise<Problem> {
    const { journal } = store
    if (error instanceof LostEntry)
      return new Problem('write_in_progress', 'Another instance took this write over; send the same request again.', { headers: { 'retry-after': '1' }, cause: error })
    if (error instanceof OutcomeUnknown) {
      await journal.park(key, key.holder, 'unknown', error.recoverable ? 'recoverable' : 'final')
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
    if (!(error instanceof NativeFailure) || error.error.kind === 'reconnect') {
      await journal.park(key, key.holder, 'unknown', 'recoverable')
      return problem
    }
    const undone = await steps.undo()
    if (undone.undone) {
      await journal.remove(key, key.holder)
      return problem
    }
    await journal.park(key, key.holder, 'partial', problem.detail, undone.nativeId)
    return partial(target.connector, { externalId: key.externalId, nativeId: undone.nativeId, detail: problem.detail }, problem)
  }

  interface Attempt {
    steps: Awaited<ReturnType<typeof createSteps>>
    operation: Operation
    readCall: ReturnType<typeof createReadCall>
    ending: Ending
  }
  async function begin(
    target: Target,
    context: RequestContext,
    now: string,
    write: { identity: string; content: string; log: StepLog; resumed: boolean; resendUnknown: boolean },
  ): Promise<Attempt> {
    const ending: Ending = { ended: false }
    const operation: Operation = { account: target.account, connector: target.connector, context, waitedMs: 0, patient: write.resumed }
    const readCall = createReadCall(operation, outbound, facts, now, ending)
    const send = async (request: NativeRequest) => {
      const patient = operation.patient
      try {
        const response = await outbound.send(operation, request, 'write')
        operation.patient = true
        return response
      } catch (error) {
        operation.patient = patient || error instanceof LostAnswer
        throw error
      }
    }
    const steps = await createSteps({
      log: write.log,
      send,
      readCall,
      identity: write.identity,
      content: write.content,
      ending,
      resendUnknown: write.resendUnknown,
      now: Date.now,
      scale: options.paceScale,
    })
    return { steps, operation, readCall, ending }
  }

  async function answerOf(
    target: Target,
    { readCall }: Attempt,
    write: NonNullable<Target['adapter']['create'] | Target['adapter']['update']>,
    sent: UnifiedRecord,
    asked: UnifiedRecord,
    written: { id: string; row?: unknown },
  ): Promise<Answer> {
    const { adapter, flavor, connector, account } = target
    const row = written.row ?? (await adapter.get?.(readCall, written.id))
    if (row === undefined) throw new Problem('downstream_error', `${connector.name} took the record but does not show it yet.`, { downstream: { platform: connector.id } })
    const warnings: Warning[] = []
    const data = toUnified(adapter, row, flavor, viewOf(account, connector), warnings) ?? ({ ...sent, externalId: written.id } as UnifiedRecord)
    const declared = notStored(asked, write, connector)
    return { data, id: written.id, warnings: [...declared, ...unexpected(sent, data, declared, connector), ...warnings] }
  }

  async function update(target: Target, id: string, record: UnifiedRecord, context: RequestContext): Promise<Answer> {
    const { adapter, account, connector, flavor } = target
    const { entityType } = flavor.definition
    const write = adapter.update as NonNullable<typeof adapter.update>
    const { record: resolved } = await resolveReferences(store, account.id, entityType, record, (accountId, type, externalId) =>
      awaitWrite({ accountId, entityType: type, externalId }),
    )
    for (let round = 1; ; round++) {
      const attempt = await begin(target, context, new Date().toISOString(), {
        identity: JSON.stringify([account.id, entityType, 'put', id]),
        content: contentHash(resolved),
        log: memoryLog(),
        resumed: false,
        resendUnknown: false,
      })
      try {
        const written = await write.run(attempt.steps.call, id, resolved as never)
        return await answerOf(target, attempt, write, resolved, record, written)
      } catch (error) {
        if (error instanceof NativeFailure && error.error.kind === 'stale' && round === 1) continue
        if (error instanceof OutcomeUnknown) throw error.lost ? problemOf(error.lost, connector) : new Problem('outcome_unknown', error.message, { cause: error })
        if (error instanceof NativeFailure && error.error.kind === 'not_found' && !error.error.fields?.length) throw problemOf(error, connector)
        throw problemOf(error, connector, write)
      } finally {
        attempt.ending.ended = true
      }
    }
  }

  async function awaitWrite(key: EntryKey): Promise<boolean> {
    const local = running.get(nameOf(key))
    if (local) {
      // Bounded: two records that name each other as parents must not wait for each other for ever.
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
      const key: EntryKey = { accountId: target.account.id, entityType: target.flavor.definition.entityType, externalId: record.externalId }
      return alone(key, async () => {
        const known = await store.journal.get(key)
        // A replay is answered whatever the platform requires by now; only a new write is checked against it.
        if (!known) checkTarget(record, target.adapter.create ?? {}, viewOf(target.account, target.connector), target.connector)
        return known?.state === 'done' ? replay(known, record, hash) : create(target, record, hash, context, onUnknown)
      })
    },
    update(target, id, record, context) {
      checkTarget(record, target.adapter.update ?? {}, viewOf(target.account, target.connector), target.connector)
      return update(target, id, record, context)
    },
    resume: (target, key, context) =>
      alone(key, async () => {
        const taken = await store.journal.takeOver(key, createHolder(), leaseMs)
        if (!taken) return false
        await run(target, taken, taken.record as UnifiedRecord, true, context, false)
        return true
      }),
    awaitWrite,
  }
}

function noop(): void {}

const conflict = (written: unknown, asked: unknown, id: string) =>
  new Problem('idempotency_conflict', `A record was already written under this externalId with other content. Its platform id is ${id}.`, {
    extra: { id, differences: differences(written, asked) },
  })

const partial = (connector: Connector, entry: { externalId: string; nativeId?: string; detail?: string }, cause?: Problem) =>
  new Problem('partially_written', `${connector.name} took a part of this record and refused the rest: ${entry.detail ?? 'see downstream'}`, {
    extra: { externalId: entry.externalId, ...(entry.nativeId === undefined ? {} : { id: entry.nativeId }) },
    ...(cause?.errors ? { errors: cause.errors } : {}),
    ...(cause?.downstream ? { downstream: cause.downstream } : {}),
    cause,
  })

function memoryLog(): StepLog {
  return { load: async () => [], sent: async () => {}, done: async () => {}, forgotten: async () => {} }
}
