// What came of a migration or a comparison. Counts are complete; every list is cut, and differences.ndjson has them
// all.
import type { EntityType } from '../contract/entity.ts'
import type { Difference, Explanation } from './compare.ts'
import type { Place, Route } from './route.ts'

export interface DifferenceGroup {
  pointer: string // a `*` matches any line
  explanation: Explanation
  message: string // of the first
  count: number
  examples: { sourceId: string; name?: string | undefined; targetId: string; source?: unknown; target?: unknown }[]
}
/** A record in a list of the report. */
export interface Named {
  id: string
  name?: string | undefined
}
export interface ReasonGroup {
  reason: string
  count: number
  examples: Named[] // of the source
}
export interface EntityReport {
  entity: EntityType
  source: number // records asked for
  notAsked: number
  matched: number // at the target
  identical: number // without any difference
  leftOut: number
  missing: number
  doubled: number
  outdated: number
  unexplained: number // differences, not records
  extraBefore: number
  extraSince: number
  lookalikes: number // were there before, and look like one that was moved
  differences: DifferenceGroup[]
  leftOutReasons: ReasonGroup[]
  missingReasons: ReasonGroup[]
  outdatedReasons: ReasonGroup[]
  doubledIds: (Named & { sameAs: string })[]
  extraSinceIds: Named[]
  lookalikeIds: (Named & { sameAs: string })[]
}
export interface Report {
  kind: 'migration' | 'diff'
  from: Pick<Place, 'accountId' | 'platform' | 'name' | 'vertical'>
  to: Report['from']
  startedAt: string
  endedAt: string
  complete: boolean
  entities: EntityReport[]
  notMoved: Route['notMoved']
  notes: string[]
}

const mostExamples = 5
const mostIds = 100
const mostReasons = 200

export const placeOf = ({ accountId, platform, name, vertical }: Place): Report['from'] => ({
  accountId,
  platform,
  name,
  vertical,
})
export const isComplete = (entities: readonly EntityReport[]): boolean =>
  entities.every(({ missing, doubled, outdated, unexplained }) => missing + doubled + outdated + unexplained === 0)

/** Counts one entity; the memory it takes depends on the number of fields and reasons, not of records. */
export function createTally(
  entity: EntityType,
  onDifference: (difference: Difference & { entity: EntityType; sourceId: string; targetId: string }) => void,
) {
  const report: EntityReport = {
    entity,
    source: 0,
    notAsked: 0,
    matched: 0,
    identical: 0,
    leftOut: 0,
    missing: 0,
    doubled: 0,
    outdated: 0,
    unexplained: 0,
    extraBefore: 0,
    extraSince: 0,
    lookalikes: 0,
    differences: [],
    leftOutReasons: [],
    missingReasons: [],
    outdatedReasons: [],
    doubledIds: [],
    extraSinceIds: [],
    lookalikeIds: [],
  }
  const groups = new Map<string, DifferenceGroup>()
  function give(list: ReasonGroup[], reason: string, source: Named): void {
    const text = reason.replaceAll(/\/(\d+)(?=\/|\s|$)/g, '/*')
    let group = list.find((one) => one.reason === text)
    if (!group) {
      const full = list.length === mostReasons
      group = full ? (list.at(-1) as ReasonGroup) : { reason: text, count: 0, examples: [] }
      if (!full) list.push(group)
    }
    group.count++
    if (group.examples.length < mostExamples) group.examples.push(source)
  }
  return {
    report,
    matched({ id: sourceId, name }: Named, targetId: string, differences: readonly Difference[], current = true): void {
      report.matched++
      if (current && differences.every(({ explanation }) => explanation === 'added')) report.identical++
      for (const difference of differences) {
        onDifference({ entity, sourceId, targetId, ...difference })
        if (difference.explanation === 'unexplained') report.unexplained++
        const pointer = difference.pointer.replaceAll(/\/\d+(?=\/|$)/g, '/*')
        const key = `${pointer} ${difference.explanation}`
        const group = groups.get(key) ?? {
          pointer,
          explanation: difference.explanation,
          message: difference.message,
          count: 0,
          examples: [],
        }
        groups.set(key, group)
        group.count++
        const { source, target } = difference
        if (group.examples.length < mostExamples)
          group.examples.push({
            sourceId,
            name,
            targetId,
            source,
            target,
          })
      }
    },
    leftOut(source: Named, reason: string): void {
      report.leftOut++
      give(report.leftOutReasons, reason, source)
    },
    missing(source: Named, reason: string): void {
      report.missing++
      give(report.missingReasons, reason, source)
    },
    outdated(source: Named, reason: string): void {
      report.outdated++
      give(report.outdatedReasons, reason, source)
    },
    doubled(record: Named, sameAs: string): void {
      report.doubled++
      if (report.doubledIds.length < mostIds) report.doubledIds.push({ ...record, sameAs })
    },
    lookalike(record: Named, sameAs: string): void {
      report.lookalikes++
      if (report.lookalikeIds.length < mostIds) report.lookalikeIds.push({ ...record, sameAs })
    },
    extra(record: Named, before: boolean): void {
      if (before) report.extraBefore++
      else report.extraSince++
      if (!before && report.extraSinceIds.length < mostIds) report.extraSinceIds.push(record)
    },
    end(): EntityReport {
      report.differences = [...groups.values()].sort((one, other) => rank(one) - rank(other) || other.count - one.count)
      return report
    },
  }
}
export type Tally = ReturnType<typeof createTally>
/** What needs a person comes first, what the target adds by itself comes last. */
const rank = ({ explanation }: DifferenceGroup): number =>
  explanation === 'unexplained' ? 0 : explanation === 'added' ? 2 : 1
