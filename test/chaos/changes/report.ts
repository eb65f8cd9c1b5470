// The summary of a run.
import type { FeedChaosResult } from './run.ts'
import { violationKinds } from './truth.ts'

/** Of each kind. */
const shown = 10

export function reportFeed(result: FeedChaosResult): string {
  const { made, counts, violations, tally } = result
  const sums = Object.values(tally)
  const calls = sums.reduce((sum, one) => sum + one.calls, 0)
  const faults = sums.flatMap((one) => Object.values(one.faults)).reduce((sum, count) => sum + count, 0)
  const lines = [
    `${result.places} entities of ${result.accounts} accounts on ${sums.length} platforms`,
    `changes behind the API: ${made.add} created, ${made.touch} touched, ${made.remove} removed; ${made.written} writes through the API`,
    `${calls} native calls, ${((100 * faults) / Math.max(1, calls)).toFixed(1)} % faults`,
    `${result.kills} kills, ${result.pauses} pauses, ${result.cuts} cuts from the database, ${result.disabled} accounts disabled, ${result.reconnected} connected again`,
    `${counts.changes} changes reported (${counts.deletes} deletes, ${counts.unchanged} without a difference) on ${counts.pages} pages; readers started again ${counts.restarts} times; ${counts.verified} states compared with the platform; ${Math.round(result.seconds)} s`,
  ]
  for (const kind of violationKinds) {
    const own = violations.filter((one) => one.kind === kind)
    for (const { site, detail } of own.slice(0, shown)) lines.push(`${kind.toUpperCase()} ${site}: ${detail}`)
    if (own.length > shown) lines.push(`… and ${own.length - shown} more ${kind}`)
  }
  const found = violationKinds.map((kind) => `${violations.filter((one) => one.kind === kind).length} ${kind}`)
  lines.push(`${violations.length === 0 ? 'PASSED' : 'FAILED'}: ${found.join(', ')}`)
  return lines.join('\n')
}
