// The steps of a create, in the journal. An answer is kept at the end of the turn in which it came, unless the write itself is done by then: nothing is left to be known of its steps.
import type { EntryKey, JournalEntry, Store } from '../../store/store.ts'
import { retryWhileUnavailable } from '../while-unavailable.ts'
import type { StepLog } from './steps.ts'

type Entry = Pick<JournalEntry, 'accountId' | 'entityType' | 'externalId' | 'writeId' | 'holder'>

export interface StepJournal extends StepLog {
  /** The write is done: true when that is kept, and no answer of a step is kept any more. */
  finish(nativeId: string, answer: unknown): Promise<boolean>
  /** Before anything else becomes of the write. */
  settled(): Promise<void>
}

export function createStepJournal(
  journal: Store['journal'],
  { accountId, entityType, externalId, writeId, holder }: Entry,
  resumed: boolean,
): StepJournal {
  const key: EntryKey = { accountId, entityType, externalId }
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
      due = () => retryWhileUnavailable(() => journal.stepDone(key, writeId, name, value ?? null))
      setImmediate(keep)
    },
    async forgotten(name) {
      await settled()
      await retryWhileUnavailable(() => journal.stepForgotten(key, writeId, name))
    },
    async finish(nativeId, answer) {
      due = undefined
      await keeping
      return retryWhileUnavailable(() => journal.done(key, holder, { writeId, nativeId, answer }))
    },
    settled,
  }
}
