// The cursor of a list. It opens only for the account, entity and mapping it was made for.
import { Problem } from '../../contract/errors.ts'
import type { Vault } from '../../store/vault.ts'
import type { Target } from '../target.ts'
import { createSealedCursors, type SealedCursors } from './sealed-cursor.ts'

/**
 * The vendor page that holds the first unserved row, and which row that is: by the ids around it, because rows are
 * added and removed between pages.
 */
export interface ListPosition {
  at?: unknown
  // Where the platform counts the rows of the list: how many there are, and how many the pages before this one had.
  count?: { before: number; total: number }
  row?: { next: string[]; last: string[] } // the nearest first, in both directions
}
export interface CursorState {
  size: number
  updatedAfter?: string
  search?: SearchState
  gone?: true // its pages name what was deleted since `updatedAfter`
  mapping?: { id: string; version: number } // that the walk began with; absent: the built-in one
  native?: true // its pages have the native parts of each record
  fields?: readonly string[] // of each record; absent: all
  place: ListPosition
}
/** The records that the text is an id of come first. */
export interface SearchState {
  text: string
  ids: string[] // platform ids; they are left out of what the platform finds
  served: number // of the ids
}
export interface CursorScope {
  accountId: string
  entityType: string
  mapping: string // the id of the one that the caller's key names; empty: the default
}
export const cursorScope = ({ account, flavor }: Target, { mappingId }: { mappingId?: string }): CursorScope => ({
  accountId: account.id,
  entityType: flavor.definition.entityType,
  mapping: mappingId ?? '',
})
export type Cursors = SealedCursors<CursorState, CursorScope>
const invalid = () =>
  new Problem(
    'invalid_cursor',
    'The cursor is not one that this service gave out for this account, entity and mapping. Start again without a cursor.',
  )

export const createCursors = (vault: Vault): Cursors =>
  createSealedCursors(
    vault.derive('cursor'),
    ({ accountId, entityType, mapping }) => [accountId, entityType, mapping],
    invalid,
  )
