// The steps of a create, in the journal. An answer is kept at the end of the turn in which it came, unless the write itself is done by then: nothing is left to be known of its steps.
import type { JournalEntry, Store } from '../store/store.ts'
import { insist } from './insist.ts'
import type { StepLog } from './steps.ts'

type Entry = Pick<JournalEntry, 'accountId' | 'entityType' | 'externalId' | 'writeId' | 'holder'>

export interface StepJournal extends StepLog {
  /** The write is done: true when that is kept, and no answer of a step is kept any more. */
  finish(nativeId: string, answer: unknown): Promise<boolean>
  /** Before anything else becomes of the write. */
  settled(): Promise<void>
}

export function createStepJournal(journal: Store['journal'], entry: Entry, resumed: boolean): StepJournal {
  let due: (() => Promise<void>) | undefined
  let keeping: Promise<void> = Promise.resolve()

  function keep(): void {
    if (!due) return
    keeping = due()
    keeping.catch(() => {}) // told to whoever comes next
    due = undefined
  }
  async function settled(): Promise<void> {
    keep()
    await keeping
  }
  return {
    load: () => (resumed ? journal.steps(entry, entry.writeId) : Promise.resolve([])),
    async sent(name, request) {
      await settled()
      await journal.stepSent(entry, entry.writeId, name, request, entry.holder)
    },
    async done(name, value) {
      await settled()
      due = () => insist(() => journal.stepDone(entry, entry.writeId, name, value ?? null))
      setImmediate(keep)
    },
    async forgotten(name) {
      await settled()
      await insist(() => journal.stepForgotten(entry, entry.writeId, name))
    },
    async finish(nativeId, answer) {
      due = undefined
      await keeping
      return insist(() => journal.done(entry, entry.holder, { writeId: entry.writeId, nativeId, answer }))
    },
    settled,
  }
}
