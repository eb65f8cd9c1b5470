// Updates replace a record. One update of a record is open at a time: the same content joins it, other content waits
// its turn.
// An update sets what differs from the row it has just read, so one that was interrupted is run again as a whole, once
// none of its calls can still take effect.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, readClock } from '../../base/clock.ts'
import type { EntryKey, JournalEntry, NewEntry } from '../../store/store.ts'
import { viewOf } from '../account-view.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import { outside } from '../outbound/outside.ts'
import { createStages } from '../stages.ts'
import type { Target } from '../target.ts'
import type { Answer, Attempts } from './attempt.ts'
import { contentHash } from './canonical.ts'
import {
  contentErased,
  createHolder,
  effectiveForMs,
  inProgress,
  joinMs,
  leaseOf,
  lookAgainMs,
  retryIn,
  stillEffective,
  takenOver,
} from './journaled.ts'
import { leaseMs } from './lease.ts'
import type { AwaitWrite } from './references.ts'
import { targetLacks } from './requirements.ts'
import { OutcomeUnknown, patienceMs } from './steps.ts'
import { nameOf, type Turns } from './turns.ts'
import { type CheckedUpdate, createUpdateRun, type UpdateContent } from './update-run.ts'

export interface Updates {
  update(target: Target, id: string, update: CheckedUpdate, context: RequestContext): Promise<Answer>
  /** Takes an abandoned update to its end; false when another instance has it. */
  resume(target: Target, key: EntryKey, context: RequestContext): Promise<boolean>
}
export function createUpdates(
  options: EngineOptions,
  attempts: Attempts,
  turns: Turns,
  awaitWrite: AwaitWrite,
): Updates {
  const { journal } = options.store
  const stages = createStages(options)
  const run = createUpdateRun(options, attempts, awaitWrite)
  /** The update of each record that is open in this process. */
  const open = new Map<string, { hash: string; answer: Promise<Answer> }>()

  const entryOf = (key: EntryKey, content: UpdateContent, hash: string): NewEntry => ({
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
    content: UpdateContent,
    hash: string,
    context: RequestContext,
  ): Promise<Answer> {
    const entry = entryOf(key, content, hash)
    let joined: string | undefined
    const beganAt = Date.now()
    for (const deadline = beganAt + joinMs; ; await outside(context, () => sleep(lookAgainMs(beganAt)))) {
      if (joined !== undefined) {
        const joinedEntry = await journal.get(key)
        if (joinedEntry?.writeId === joined && joinedEntry.state === 'done') {
          if (joinedEntry.erasedAt !== undefined) throw contentErased(joinedEntry)
          return joinedEntry.answer as Answer
        }
        if (joinedEntry?.writeId !== joined) joined = undefined
      }
      if (joined === undefined) {
        const granted = readClock()
        const begun = await stages.run(
          context,
          'journal',
          () => journal.begin(entry, leaseMs),
          (result) => (result.begun ? 'begun' : `another update of this record is open: ${result.entry.state}`),
        )
        if (begun.begun) return run({ target, entry, content, granted, context })
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
    content: UpdateContent,
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
    return run({ target, entry: restart, content: next, granted: restarted, context })
  }

  return {
    async update(target, id, content, context) {
      const { adapter, account, connector, flavor } = target
      const lacking = targetLacks(content.record, adapter.update ?? {}, viewOf(account, connector), connector, 'unread')
      if (lacking) throw lacking
      const key = keyOf(account.id, flavor.definition.entityType, id)
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
        const content = taken.record as UpdateContent
        const entry = { ...entryOf(key, content, taken.contentHash), startedAt: taken.startedAt, holder }
        await again(target, taken, entry, content, granted, context)
        return true
      }),
  }
}

/** An update that was begun under a version goes on whatever the version is by now, and replaces the row before it. */
function onwards({ record: content }: JournalEntry, begun: boolean): UpdateContent {
  const { ifVersion, ...rest } = content as UpdateContent
  return { ...rest, ifVersion: begun ? undefined : ifVersion }
}

const keyOf = (accountId: string, entityType: EntryKey['entityType'], id: string): EntryKey => ({
  accountId,
  entityType,
  externalId: id,
  operation: 'update',
})
