// Native calls of callers. A call that may write is one journaled step that is sent once: its response is stored for
// replays, and where it is lost nothing can tell what happened, so the outcome stays unknown.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, readClock } from '../../base/clock.ts'
import type { Connector, NativeRequest } from '../../contract/connector.ts'
import type { EntityType } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import { LostEntry } from '../../store/lost-entry.ts'
import type { Account, EntryKey, JournalEntry } from '../../store/store.ts'
import { problemOf } from '../failures.ts'
import { type NativeAnswer, nativeAnswer } from '../native-answer.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import { outside } from '../outbound/outside.ts'
import { type Outbound, RefusedCall } from '../outbound/retry.ts'
import { createStages } from '../stages.ts'
import { type Attempts, identityOf } from './attempt.ts'
import { contentHash } from './canonical.ts'
import {
  contentErased,
  createHolder,
  inProgress,
  joinMs,
  leaseOf,
  lookAgainMs,
  type OpenEntry,
  retryIn,
  takenOver,
} from './journaled.ts'
import { leaseMs } from './lease.ts'
import { createStepJournal } from './step-journal.ts'
import { OutcomeUnknown } from './steps.ts'
import type { Turns } from './turns.ts'

export interface Called {
  answer: NativeAnswer
  replayed: boolean
}
interface Owner {
  account: Account
  connector: Connector
}
export interface NativeCalls {
  read(owner: Owner, request: NativeRequest, context: RequestContext): Promise<NativeAnswer>
  write(owner: Owner, externalId: string, request: NativeRequest, context: RequestContext): Promise<Called>
  /** Settles a call that was interrupted: its response if it is stored, else unknown. Nothing is sent. */
  resume(owner: Owner, key: EntryKey, context: RequestContext): Promise<boolean>
}
const stepName = 'call'
/** Instead of an answer: a person has confirmed that the call had its effect. */
export const confirmedCall = { confirmed: true }
const isConfirmed = (answer: object): boolean => 'confirmed' in answer

export function createNativeCalls(
  options: EngineOptions,
  outbound: Outbound,
  attempts: Attempts,
  turns: Turns,
): NativeCalls {
  const { journal } = options.store
  const stages = createStages(options)

  async function write(owner: Owner, key: EntryKey, request: NativeRequest, context: RequestContext): Promise<Called> {
    const entry = {
      ...key,
      writeId: randomUUID(),
      contentHash: contentHash(request),
      record: request,
      startedAt: new Date().toISOString(),
      holder: createHolder(options),
    }
    const beganAt = Date.now()
    for (const deadline = beganAt + joinMs; ; await outside(context, () => sleep(lookAgainMs(beganAt)))) {
      const granted = readClock()
      const begun = await stages.run(
        context,
        'journal',
        () => journal.begin(entry, leaseMs),
        (result) => (result.begun ? 'begun under this key' : `the key is there already: ${result.entry.state}`),
      )
      if (begun.begun) return { answer: await run(owner, entry, request, granted, false, context), replayed: false }
      const earlierEntry = begun.entry
      if (earlierEntry.contentHash !== entry.contentHash) throw conflict(earlierEntry)
      if (earlierEntry.state === 'done') {
        if (earlierEntry.erasedAt !== undefined) throw contentErased(earlierEntry)
        if (isConfirmed(earlierEntry.answer as object)) throw confirmed(earlierEntry, owner.connector)
        return { answer: earlierEntry.answer as NativeAnswer, replayed: true }
      }
      const takenAt = readClock()
      const taken = await journal.takeOver(key, entry.holder, leaseMs)
      if (taken) return { answer: await run(owner, taken, request, takenAt, true, context), replayed: false }
      if (Date.now() > deadline)
        throw inProgress('Another request makes this call and has not finished yet. Send the same request again.', 5000)
    }
  }

  async function run(
    { account, connector }: Owner,
    entry: OpenEntry,
    request: NativeRequest,
    granted: Clock,
    resumed: boolean,
    context: RequestContext,
  ): Promise<NativeAnswer> {
    const log = createStepJournal(journal, entry, resumed)
    const lease = leaseOf(options, stages, entry, granted, context)
    const attempt = await attempts.begin({ account, connector }, context, entry.startedAt, {
      identity: identityOf(entry),
      content: entry.contentHash,
      log,
      lease,
      resumed,
      resendUnknown: false,
      send: outbound.sendRaw,
    })
    try {
      // The call is journaled as sent before it leaves, so one that was interrupted before that was never sent.
      const answer = await attempt.steps.call.write<NativeAnswer>(stepName, {
        request,
        read: (response) => nativeAnswer({ ...response, body: String(response.body) }, account, connector),
        recovery: 'none',
      })
      if (!(await log.finish('', answer, { record: undefined, writtenBy: undefined, settledIn: undefined })))
        throw takenOver()
      return answer
    } catch (error) {
      await log.settled().catch(noop) // what is wrong with the database shows in what comes next
      if (error instanceof RefusedCall && !attempt.steps.begun()) {
        await journal.remove(entry, entry.holder)
        return nativeAnswer(error.response, account, connector)
      }
      throw await settle({ account, connector }, entry, error, attempt.steps.begun())
    } finally {
      attempt.ending.ended = true
      lease.end()
    }
  }

  async function settle({ connector }: Owner, entry: OpenEntry, error: unknown, begun: boolean): Promise<Problem> {
    if (error instanceof LostEntry) return takenOver(error)
    if (!begun) {
      await journal.remove(entry, entry.holder)
      return problemOf(error, connector)
    }
    const isFinal = error instanceof OutcomeUnknown
    const detail = isFinal ? 'final' : 'recoverable'
    await journal.park(entry, entry.holder, { state: 'unknown', detail, retryInMs: retryIn(options, entry) })
    if (!isFinal) return problemOf(error, connector)
    const { lost } = error
    return new Problem(
      'outcome_unknown',
      `The call ${lost ? `was sent to ${connector.name}, and its response was lost: ${lost.message.replace(/\.$/, '')}` : `may have been sent to ${connector.name}, and its response is not known`}. It is not sent again under this externalId. Check at the platform whether it had an effect; to make the call again, use another externalId.`,
      {
        cause: error,
        extra: { externalId: entry.externalId },
        downstream: { platform: connector.id, status: lost?.status, message: lost?.message },
      },
    )
  }

  const confirmed = ({ externalId }: JournalEntry, { name }: Connector) =>
    new Problem(
      'outcome_unknown',
      `The call had its effect at ${name}, as an operator has confirmed, and its response was lost. It is not sent again. Read the result at the platform.`,
      { extra: { externalId } },
    )
  const conflict = ({ externalId }: JournalEntry) =>
    new Problem(
      'idempotency_conflict',
      'Another native call was already made under this externalId. Send the same method, path, query, headers and body to get its response, or use another externalId.',
      { extra: { externalId } },
    )

  return {
    async read({ account, connector }, request, context) {
      const operation = { account, connector, context, patient: false }
      try {
        const response = await outbound.sendRaw(operation, request, 'read')
        return nativeAnswer(response, operation.account, connector)
      } catch (error) {
        throw problemOf(error, connector)
      }
    },
    write(owner, externalId, request, context) {
      const key = keyOf(owner.account.id, externalId)
      return turns.alone(key, context, () => write(owner, key, request, context))
    },
    resume: (owner, key, context) =>
      turns.alone(key, context, async () => {
        const granted = readClock()
        const taken = await journal.takeOver(key, createHolder(options), leaseMs)
        if (!taken) return false
        const steps = await journal.steps(key, taken.writeId)
        // Never sent: the caller sends it with the next request.
        if (steps.length === 0) await journal.remove(key, taken.holder)
        else await run(owner, taken, taken.record as NativeRequest, granted, true, context)
        return true
      }),
  }
}

function noop(): void {}

const keyOf = (accountId: string, externalId: string): EntryKey => ({
  accountId,
  entityType: 'native' as EntityType, // not read: see `operation`
  externalId,
  operation: 'native',
})
