// The content of a write in the journal, and the rest of content that was erased.
import { associatedData } from '../sealed-json.ts'
import type { EntryKey } from '../store.ts'

export const journalData = (column: 'record' | 'answer', key: EntryKey): string =>
  associatedData('journal', column, [key.accountId, key.entityType, key.externalId])

/** In the place of the record. No record has a member with this name. */
const mark = '$erasedAt'
export const tombstone = (at: string): object => ({ [mark]: at })
export const erasedAtOf = (record: unknown): string | undefined =>
  (record as Record<string, string | undefined> | null)?.[mark]
