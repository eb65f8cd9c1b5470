// Creates: never twice, never lost. The caller's externalId is the key; the journal knows what was sent under it.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { readClock } from '../../base/clock.ts'
import type { ReferenceMode } from '../../contract/entity.ts'
import { Problem } from '../../contract/errors.ts'
import type { EntryKey, JournalEntry, NewEntry, WriteGuard } from '../../store/store.ts'
import { DatabaseUnavailable } from '../../store/unavailable.ts'
import { viewOf } from '../account-view.ts'
import type { Writable } from '../custom.ts'
import type { EngineOptions, RequestContext } from '../options.ts'
import { outside } from '../outbound/outside.ts'
import { createStages } from '../stages.ts'
import type { Target } from '../target.ts'
import type { Answer, Attempts } from './attempt.ts'
import { createAwaitWrite } from './await-write.ts'
import { differences } from './canonical.ts'
import { contentOf } from './content.ts'
import { createCreateRun } from './create-run.ts'
import { type DuplicateGuard, guardOf, possibleDuplicate } from './duplicates.ts'
import { contentErased, createHolder, inProgress, joinMs, lookAgainMs, partial } from './journaled.ts'
import { leaseMs } from './lease.ts'
import type { AwaitWrite } from './references.ts'
import { targetLacks } from './requirements.ts'
import type { Turns } from './turns.ts'

export interface Created extends Answer {
  replayed: boolean
}
/** A create whose body was checked, and how to write it. */
export interface CheckedCreate {
  record: Writable
  hash: string // of what the caller sent
  onUnknown: 'report' | 'resend'
  references: ReferenceMode
  exactTotals?: boolean | undefined
  guard?: DuplicateGuard | undefined
}
export interface Creates {
  create(target: Target, write: CheckedCreate, context: RequestContext): Promise<Created>
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
  const awaitWrite = createAwaitWrite(journal, turns)
  const run = createCreateRun(options, attempts, awaitWrite)

  async function create(target: Target, write: CheckedCreate, context: RequestContext): Promise<Created> {
    const { record, hash, onUnknown, references, exactTotals, guard } = write
    const key: EntryKey = keyOf(target, record)
    const entry = {
      ...key,
      writeId: randomUUID(),
      contentHash: hash,
      record,
      references,
      ...(exactTotals ? { exactTotals: true as const } : {}),
      startedAt: new Date().toISOString(),
      holder: createHolder(options),
    }
    const beganAt = Date.now()
    for (const deadline = beganAt + joinMs; ; await outside(context, () => sleep(lookAgainMs(beganAt)))) {
      const granted = readClock()
      const begun = await stages.run(
        context,
        'journal',
        () => begin(entry, guard && guardOf(guard)),
        (result) => (result.begun ? 'begun under this key' : foundNote(result)),
      )
      if (begun.begun) return { ...(await run({ target, entry, record, granted, context })), replayed: false }
      const earlierEntry = begun.entry
      if (begun.isDuplicate) throw possibleDuplicate(earlierEntry)
      if (earlierEntry.state === 'done') {
        const replayed = replay(target, earlierEntry, record, hash)
        await restoreReference(earlierEntry)
        return replayed
      }
      if (earlierEntry.state === 'partial' && !sameContent(target, earlierEntry, record, hash))
        throw partial(target.connector, earlierEntry)
      const takenAt = readClock()
      const taken = await journal.takeOver(key, entry.holder, leaseMs)
      if (taken) {
        stages.say(context, 'journal', 'taken over: the earlier write is finished first')
        // The first write of the key is finished before the new request is looked at.
        const answer = await run({
          target,
          entry: taken,
          record: taken.record as Writable,
          granted: takenAt,
          context,
          resumed: true,
          resendUnknown: onUnknown === 'resend',
        })
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
      const earlierEntry = error instanceof DatabaseUnavailable ? await journal.get(entry).catch(noop) : undefined
      if (earlierEntry?.state !== 'done') throw error
      return { begun: false, entry: earlierEntry }
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

  return {
    create(target, write, context) {
      const { record } = write
      const key = keyOf(target, record)
      return turns.alone(key, context, async () => {
        const view = viewOf(target.account, target.connector)
        const lacking = targetLacks(record, target.adapter.create ?? {}, view, target.connector)
        // A replay gets its response whatever the platform requires by now; only a new write is held to it.
        if (lacking && !(await journal.get(key))) throw lacking
        return create(target, write, context)
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
        await run({ target, entry: taken, record: taken.record as Writable, granted, context, resumed: true })
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
