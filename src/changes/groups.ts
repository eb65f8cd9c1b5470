// Rows that belong to one native record, such as the variants of a product: read together, so that one that is gone
// leaves in the same transaction as those that came.
import type { ReadRow } from './observe.ts'
import type { Step } from './step.ts'

export interface Members {
  rows: ReadRow[]
  removed: string[] // native ids
}
/** The rows with all rows of their groups, and the members that a successful read did not have. */
export async function membersOf(step: Step, rows: readonly ReadRow[]): Promise<Members> {
  const { reader, watch, changes } = step
  if (!reader.groups) return { rows: [...rows], removed: [] }
  const found: Members = { rows: rows.filter(({ group }) => group === undefined), removed: [] }
  for (const [group, listed] of Map.groupBy(
    rows.filter((row) => row.group !== undefined),
    (row) => row.group as string,
  )) {
    const known = await changes.group(watch, group)
    const listedIds = new Set(listed.map(({ nativeId }) => nativeId))
    // The page has the whole group, as far as the index knows it.
    if (known.every(({ nativeId }) => listedIds.has(nativeId))) {
      found.rows.push(...listed)
      continue
    }
    const { rows: members, removed } = await readGroup(step, group)
    found.rows.push(...(members.length > 0 ? members : listed))
    found.removed.push(...removed)
  }
  return found
}

/** No rows: the native record was not found, which proves nothing here. */
export async function readGroup(step: Step, group: string): Promise<Members> {
  const { reader, watch, changes } = step
  const rows = await reader.members(group)
  if (rows.length === 0) return { rows, removed: [] }
  const ids = new Set(rows.map(({ nativeId }) => nativeId))
  const known = await changes.group(watch, group)
  return { rows, removed: known.map(({ nativeId }) => nativeId).filter((id) => !ids.has(id)) }
}
