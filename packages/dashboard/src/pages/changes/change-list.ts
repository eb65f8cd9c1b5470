// The list of latest changes, newest first, as pages come in.
import type { Answer } from '../../manage.ts'
import type { Change } from '../../types.ts'

export interface ChangeList {
  changes: Change[] | undefined
  /** Where the next page of older changes starts. */
  older: string | undefined
  /** What came while the page was open. */
  fresh: ReadonlySet<number>
}
export const noChanges: ChangeList = { changes: undefined, older: undefined, fresh: new Set() }

/** The list stays short while the page is open; older changes can be loaded. */
const most = 200

/** `isFollowing`: the page has only what is newer than the list. */
export function merged(
  before: ChangeList,
  { data, next }: Answer<'listLatestChanges'>,
  isFollowing: boolean,
): ChangeList {
  const known = before.changes ?? []
  if (isFollowing && data.length === 0) return before
  const fresh = isFollowing ? new Set(data.map(({ sequence }) => sequence)) : before.fresh
  // With more new changes than a page holds, some in between are missing: the list begins again with the newest.
  if (!isFollowing || next !== undefined) return { changes: data, older: next, fresh }
  const all = [...data, ...known]
  const changes = all.slice(0, Math.max(most, known.length))
  return { changes, older: changes.length < all.length ? String(changes.at(-1)?.sequence) : before.older, fresh }
}
