// The three statements that every write needs. A database may make those of several writes at once.
import type { EntityType } from '../../contract/entity.ts'
import type { NewHint } from '../changes.ts'
import type { EntryKey, NewEntry } from '../store.ts'

/** `entityType` is the column: an update has a name of its own there. */
export type BegunEntry = Omit<NewEntry, 'record'> & { sealed: string; leaseMs: number }
export type SentStep = EntryKey & { writeId: string; name: string; holder: string; sealed: string }
export interface FinishedEntry extends EntryKey {
  writeId: string
  holder: string
  nativeId: string
  sealed: string | null
  linkedAs: EntityType | null // the entity type of the link from its source id; null for an update
  createdAt: string // of that link
  hint: Pick<NewHint, 'entityType' | 'record' | 'writtenBy'> // where the entity is watched
  settledIn: string | null // the workspace that gets `write.settled`
}
/** Each takes the statement for one write. True when it changed a row. */
type Statement<Item> = (item: Item) => Promise<boolean>
export interface JournalBatches {
  begin(one: Statement<BegunEntry>): Statement<BegunEntry>
  send(one: Statement<SentStep>): Statement<SentStep>
  finish(one: Statement<FinishedEntry>): Statement<FinishedEntry>
}
export const noBatches: JournalBatches = { begin: (one) => one, send: (one) => one, finish: (one) => one }
