// The steps of a write, in the journal. What a step returned is stored at the end of the turn in which it came, unless
// the write itself is done by then: its steps are no longer needed.
import type { EntryKey, JournalEntry, Store } from '../../store/store.ts'
import type { RequestContext } from '../options.ts'
import type { Target } from '../target.ts'
import { retryWhileUnavailable } from '../while-unavailable.ts'
import type { StepLog } from './steps.ts'

type Entry = Pick<JournalEntry, keyof EntryKey | 'writeId' | 'holder'>

/**
 * What the change feed is told about a write: the stored record, and the credential of its caller where it is known.
 * `settledIn` is the workspace that gets an event because no caller gets the response.
 */
export interface OwnWrite {
  record: unknown
  writtenBy: string | undefined
  settledIn: string | undefined
}
export const ownWrite = (record: unknown, { account }: Target, { writer, settles }: RequestContext): OwnWrite => ({
  record,
  writtenBy: writer,
  settledIn: settles ? account.workspaceId : undefined,
})
export interface StepJournal extends StepLog {
  /** The write is done: true when that is stored, and the steps are gone. False when another holder has it. */
  finish(nativeId: string, answer: unknown, own: OwnWrite): Promise<boolean>
  /** Before anything else becomes of the write. */
  settled(): Promise<void>
}

export function createStepJournal(
  journal: Store['journal'],
  { accountId, entityType, externalId, operation, writeId, holder }: Entry,
  resumed: boolean,
): StepJournal {
  const key: EntryKey = { accountId, entityType, externalId, operation }
  let due: (() => Promise<void>) | undefined
  let keeping: Promise<void> = Promise.resolve()

  function keep(): void {
    if (!due) return
    keeping = due()
    keeping.catch(() => {}) // reported to the next caller
    due = undefined
  }
  async function settled(): Promise<void> {
    keep()
    await keeping
  }
  return {
    load: () => (resumed ? journal.steps(key, writeId) : Promise.resolve([])),
    async sent(name, request) {
      await settled()
      await journal.stepSent(key, writeId, name, request, holder)
    },
    async done(name, value) {
      await settled()
      due = () => retryWhileUnavailable(() => journal.stepDone(key, writeId, name, value ?? null, holder))
      setImmediate(keep)
    },
    async forgotten(name) {
      await settled()
      await retryWhileUnavailable(() => journal.stepForgotten(key, writeId, name, holder))
    },
    async finish(nativeId, answer, own) {
      due = undefined
      await keeping
      return retryWhileUnavailable(() => journal.done(key, holder, { writeId, nativeId, answer, ...own }))
    },
    settled,
  }
}
