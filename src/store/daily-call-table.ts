/** Calls of the last day, which all instances count together. `owner` as in `Store.pacing`. */
export interface DailyCallTable {
  /** Adds the calls to the current bucket. */
  add(calls: readonly OwnedCalls[], day: Day): Promise<void>
  /** The totals of those owners that have calls. */
  totals(owners: readonly string[], day: Day): Promise<DailyTotal[]>
  /** Deletes what no day counts any more. */
  forget(day: Day): Promise<void>
}
interface OwnedCalls {
  owner: string
  calls: number
}
export interface DailyTotal extends OwnedCalls {
  resetMs: number // until the oldest calls no longer count
}
/** A call counts until its whole bucket has left the day. */
export interface Day {
  dayMs: number
  bucketMs: number
}
