// Up to which instants of the platform's clock the feed of an entity is complete.
import type { FeedPage } from '../store/changes.ts'
import { isConfirmed, latest } from './step.ts'

export interface CompleteUntil {
  modified?: string | undefined // creates and updates that the platform stamped before; absent where nothing is polled
  all?: string | undefined // everything, deletes included
}

/** The candidate counts once everything that waited when it was noted has been read. */
export function completeUntil({ state, oldestHintAt }: FeedPage['watches'][number]): CompleteUntil {
  const { complete, candidate } = state
  const { modified, all } = latest(complete, candidate && isConfirmed(candidate, oldestHintAt) ? candidate : undefined)
  const timeOf = (time: number | undefined) => (time === undefined ? undefined : new Date(time).toISOString())
  return { modified: timeOf(modified), all: timeOf(all) }
}
