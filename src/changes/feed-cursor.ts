// The cursor of a change feed: which entities it covers, since which of their epochs, and up to which change.
import type { EntityType } from '../contract/entity.ts'
import { Problem } from '../contract/errors.ts'
import { createSealedCursors, type SealedCursors } from '../engine/read/sealed-cursor.ts'
import type { Position, Watch } from '../store/changes.ts'
import type { Vault } from '../store/vault.ts'

export interface FeedCursor extends Position {
  epochs: Partial<Record<EntityType, number>>
}
export type FeedCursors = SealedCursors<FeedCursor, { accountId: string }>

const invalid = () =>
  new Problem(
    'invalid_cursor',
    'The cursor is not one that this service gave out for the changes of this account. Start again without a cursor.',
  )

/** In both address forms the same cursor is valid: a mapping changes what a record looks like, not the position. */
export const createFeedCursors = (vault: Vault): FeedCursors =>
  createSealedCursors(vault.derive('feed cursor'), ({ accountId }) => [accountId], invalid)

const reasons = {
  pruned: 'Changes after this cursor are older than the service keeps them.',
  restored: 'The database was restored from a backup, so this cursor belongs to changes that no longer exist.',
  epoch:
    'The account was connected to another business, the entity was stopped and watched again, or the database was restored.',
  stopped: 'An entity of this cursor is no longer watched.',
} as const
export type ExpiryReason = keyof typeof reasons

export const expired = (reason: ExpiryReason, entityTypes: readonly EntityType[] = []): Problem =>
  new Problem(
    'cursor_expired',
    `${reasons[reason]}${entityTypes.length > 0 ? ` Entities: ${entityTypes.join(', ')}.` : ''} Make a new copy: request the changes without a cursor, read the lists, then follow the new cursor.`,
    { extra: { reason, ...(entityTypes.length > 0 ? { entityTypes } : {}) } },
  )

/** Rejects a cursor that no longer covers everything since it was given out. */
export function checkEpochs({ epochs }: FeedCursor, watches: readonly Watch[]): void {
  const entityTypes = Object.keys(epochs) as EntityType[]
  const watched = new Map(watches.map((watch) => [watch.entityType, watch.epoch]))
  const stopped = entityTypes.filter((entityType) => !watched.has(entityType))
  if (stopped.length > 0) throw expired('stopped', stopped)
  const changed = entityTypes.filter((entityType) => watched.get(entityType) !== epochs[entityType])
  if (changed.length > 0) throw expired('epoch', changed)
}
