// An open write that a person settles. Nothing here sends a record: that is left to `resume`, which finds out first what
// the platform has. A person can only say what the platform cannot.
import { readClock } from '../../base/clock.ts'
import { Problem } from '../../contract/errors.ts'
import { NativeFailure } from '../../contract/native-failure.ts'
import type { EntryKey, JournalEntry, OpenWrite } from '../../store/store.ts'
import { type Writable, withoutCustom } from '../custom.ts'
import { problemOf } from '../failures.ts'
import { notExcluded, notFound } from '../identity.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import { readRow } from '../read/read-row.ts'
import { createStages } from '../stages.ts'
import type { Target } from '../target.ts'
import { type Answer, type Attempts, identityOf, memoryLog } from './attempt.ts'
import { createClaims } from './claims.ts'
import { createHolder, effectiveForMs, inProgress, leaseOf, retryIn, takenOver } from './journaled.ts'
import { leaseMs } from './lease.ts'
import { confirmedCall } from './native-calls.ts'
import { resolveReferences } from './references.ts'
import { ownWrite } from './step-journal.ts'
import type { Resume } from './sweep.ts'
import type { Turns } from './turns.ts'

export type Settling = 'resend' | 'written' | 'not_written'
type Settled = Pick<OpenWrite, 'operation' | 'state' | 'detail'>

/** The ways in which a person can settle a write that no instance works on. The sweep takes up what is in flight. */
export function settlingsOf({ operation, state, detail }: Settled): readonly Settling[] {
  if (state === 'in_flight') return []
  if (operation === 'update') return ['resend', 'not_written']
  // The platform can tell what became of a record, unless the write says that it cannot.
  const isFinal = state === 'unknown' && detail === 'final'
  if (operation === 'native') return isFinal ? ['written', 'not_written'] : []
  return isFinal ? ['written', 'not_written'] : ['resend', 'written']
}

export function createSettlement(options: EngineOptions, attempts: Attempts, turns: Turns, resume: Resume) {
  const { store } = options
  const { journal } = store
  const stages = createStages(options)

  function mustAllow(entry: JournalEntry | undefined, writeId: string, how: Settling): asserts entry is JournalEntry {
    if (entry?.writeId !== writeId || entry.state === 'done') throw settledMeanwhile()
    const allowed = settlingsOf({ ...entry, state: entry.state })
    if (allowed.includes(how)) return
    if (allowed.length === 0) throw busy()
    throw new Problem(
      'validation_failed',
      `${refusals[how]} You can ${allowed.map((one) => words[one]).join(', or ')}.`,
    )
  }
  /** The write, held by this operation. */
  async function take(key: EntryKey, writeId: string, how: Settling): Promise<JournalEntry> {
    mustAllow(await journal.get(key), writeId, how)
    const entry = await journal.takeOver(key, createHolder(options), leaseMs)
    if (!entry) throw busy()
    try {
      mustAllow(entry, writeId, how)
      return entry
    } catch (error) {
      await putBack(entry)
      throw error
    }
  }
  const putBack = (entry: JournalEntry) =>
    journal.park(entry, entry.holder, {
      state: entry.state === 'partial' ? 'partial' : 'unknown',
      detail: entry.detail ?? 'recoverable',
      retryInMs: retryIn(options, entry),
    })
  async function mustBeOver(entry: JournalEntry): Promise<void> {
    const steps = await journal.steps(entry, entry.writeId)
    const left = effectiveForMs(options, steps)
    if (left > 0)
      throw inProgress(
        'A call of this write may still take effect at the platform. Try again after the number of seconds in Retry-After.',
        left,
      )
  }

  return {
    /** The content of an open write, its steps, and how long one of its calls may still take effect. */
    async about(key: EntryKey, writeId: string) {
      const entry = await journal.get(key)
      if (entry?.writeId !== writeId || entry.state === 'done') throw settledMeanwhile()
      const steps = await journal.steps(key, writeId)
      return {
        record: key.operation === 'update' ? (entry.record as { record: unknown }).record : entry.record,
        steps: steps.map(({ name, done, ageMs, request }) => ({ name, done, ageMs, ...lineOf(request) })),
        effectiveForMs: Math.max(0, Math.ceil(effectiveForMs(options, steps))),
      }
    },

    /** Takes the write to its end as the sweep does: what the platform has is found first, and only the rest is sent. */
    async resend(target: Pick<Target, 'account'>, key: EntryKey, writeId: string, context: RequestContext) {
      mustAllow(await journal.get(key), writeId, 'resend')
      if (!(await resume(target.account, key, { ...context, settles: true }))) throw busy()
    },

    /** The record with this platform id is what the write made. It must exist, and belong to no other write. */
    written: (target: Target, key: EntryKey, writeId: string, nativeId: string, context: RequestContext) =>
      turns.alone(key, context, async (): Promise<Answer> => {
        const granted = readClock()
        const entry = await take(key, writeId, 'written')
        const lease = leaseOf(options, stages, entry, granted, context)
        const claims = createClaims(store, entry)
        try {
          await mustBeOver(entry)
          const { stored, ...answer } = await read(target, entry, nativeId, context)
          if (!(await claims.claim(nativeId)))
            throw wrongId('is of a record that another write made. Enter the id of the record of this write')
          const own = ownWrite(stored, target, { ...context, settles: true })
          if (!(await journal.done(entry, entry.holder, { writeId, nativeId, answer, ...own }))) throw takenOver()
          return answer
        } catch (error) {
          await putBack(entry)
          throw error
        } finally {
          lease.end()
          await claims.release()
        }
      }),

    /** A native call had its effect. Its key stays used, and its response stays unknown. */
    called: (key: EntryKey, writeId: string, context: RequestContext) =>
      turns.alone(key, context, async (): Promise<void> => {
        const entry = await take(key, writeId, 'written')
        if (!(await journal.done(entry, entry.holder, { writeId, nativeId: '', answer: confirmedCall })))
          throw takenOver()
      }),

    /** Nothing of it is at the platform, or what an update has changed so far stays: its key is free again. */
    notWritten: (key: EntryKey, writeId: string, context: RequestContext) =>
      turns.alone(key, context, async (): Promise<void> => {
        const entry = await take(key, writeId, 'not_written')
        try {
          await mustBeOver(entry)
          const steps = await journal.steps(entry, writeId)
          if (key.operation !== 'update' && steps.some(({ done }) => done))
            throw new Problem(
              'validation_failed',
              'The platform confirmed a part of this write, so it is not unwritten. Settle it with the id of its record.',
            )
          await journal.remove(entry, entry.holder)
        } catch (error) {
          await putBack(entry)
          throw error
        }
      }),
  }

  async function read(target: Target, entry: JournalEntry, nativeId: string, context: RequestContext) {
    const { adapter, connector, account } = target
    const { get, create } = adapter
    if (!get || !create)
      throw new Problem(
        'validation_failed',
        `${connector.name} cannot read a single ${entry.entityType}, so its id cannot be checked. Send the write again instead.`,
      )
    const record = entry.record as Writable
    const plainRecord = withoutCustom(record)
    const attempt = await attempts.begin(target, context, entry.startedAt, {
      identity: identityOf(entry),
      content: entry.contentHash,
      log: memoryLog(),
      resumed: false,
      resendUnknown: false,
    })
    try {
      const row = await readRow(get, attempt.readCall, nativeId)
      if (row === undefined) throw notFound(target)
      notExcluded(target, row)
      // For the comparison with what the platform has. References may have been deleted since.
      const references = { mode: entry.references ?? ('auto' as const), awaitWrite: async () => 'open' as const }
      const sent = await resolveReferences(store, account.id, entry.entityType, plainRecord, references).then(
        (resolved) => resolved.record,
        () => plainRecord,
      )
      const content = { sent, asked: plainRecord, custom: record.custom }
      const answer = await attempts.answer(target, attempt, create, content, { id: nativeId, row })
      const { externalId } = answer.stored as { externalId: string }
      if (externalId !== nativeId) throw wrongId(`names a record with another id. Enter ${externalId}`)
      return answer
    } catch (error) {
      const isMissing =
        (error instanceof NativeFailure && error.error.kind === 'not_found') ||
        (error instanceof Problem && error.code === 'record_not_found')
      if (isMissing) throw wrongId(`names no ${entry.entityType} at ${connector.name}. Check it there`)
      throw problemOf(error, connector)
    } finally {
      attempt.ending.ended = true
    }
  }
}

/** The request line of a request in the journal, which has no credentials. */
function lineOf(request: string): { method: string; path: string } {
  const { method = 'GET', path = '' } = JSON.parse(request) as { method?: string; path?: string }
  return { method, path }
}

const words: Record<Settling, string> = {
  resend: 'send it again',
  written: 'mark it as written',
  not_written: 'mark it as not written',
}
const refusals: Record<Settling, string> = {
  resend: 'The platform cannot tell whether this write had an effect, so it is not sent again.',
  written: 'This write has no record of its own.',
  not_written: 'The platform can tell whether the record exists, so the service has to ask it.',
}
const busy = () => inProgress('An instance is working on this write. Try again in a moment.', 5000)
const settledMeanwhile = () =>
  new Problem(
    'resource_not_found',
    'This write is no longer open: it was settled meanwhile. List the open writes again.',
  )
const wrongId = (message: string) =>
  new Problem('validation_failed', 'The id is not that of the record.', {
    errors: [{ pointer: '/nativeId', message }],
  })
