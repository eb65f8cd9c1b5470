// The summary of a run.

import { blindSpots } from './blind-spots.ts'
import { violationKinds } from './checker.ts'
import type { ChaosResult } from './run.ts'
import { type Site, siteName } from './survey.ts'

const shown = 40

export function report(result: ChaosResult): string {
  const { violations } = result
  const lines = [
    ...table(result),
    '',
    `responses: ${sorted(result.responses)}`,
    ...Object.entries(result.tally).map(([platform, { calls, faults }]) => {
      const hit = Object.values(faults).reduce((sum, count) => sum + count, 0)
      return `${platform}: ${calls} calls, ${hit} faults (${((100 * hit) / Math.max(calls, 1)).toFixed(1)} %): ${sorted(faults)}`
    }),
    `${result.kills} kills, ${result.pauses} pauses, ${result.cuts} cuts from the database, ${result.reconnected} accounts connected again, ${Math.round(result.seconds)} s`,
    ...blindSpots(result).map(
      ({ site, calls, injected, admitted }) =>
        `no recovery: ${siteName(site)} (${calls.join(', ')}): ${injected} ambiguous failures injected, ${admitted} outcomes unknown`,
    ),
    ...(blindSpots(result).length === 0 ? ['no recovery: no platform'] : []),
  ]
  for (const { kind, site, key, detail } of violations.slice(0, shown))
    lines.push(`${kind.toUpperCase()} ${site}${key ? ` ${key}` : ''}: ${detail}`)
  if (violations.length > shown) lines.push(`… and ${violations.length - shown} more`)
  const counts = violationKinds.map((kind) => `${violations.filter((one) => one.kind === kind).length} ${kind}`)
  lines.push(
    `${violations.length === 0 ? 'PASSED' : 'FAILED'}: ${result.outcomes.length} keys, ${result.outcomes.reduce((sum, { updates }) => sum + updates, 0)} updates, ${counts.join(', ')}`,
  )
  return lines.join('\n')
}

function table({ sites, outcomes, violations }: ChaosResult): string[] {
  const rows = sites.map((site) => {
    const own = outcomes.filter(({ write }) => write.site === site)
    const bad = (kind: string) =>
      String(violations.filter((one) => one.kind === kind && one.site === siteName(site)).length)
    const attempts = own.reduce((sum, { attempts: more }) => sum + more, 0)
    return [
      siteName(site),
      recoveries(site),
      String(own.length),
      String(attempts),
      String(own.filter(({ id }) => id !== undefined).length),
      ...violationKinds.map(bad),
    ]
  })
  const all = [['platform, vertical, entity', 'recovery', 'keys', 'posts', 'acknowledged', ...violationKinds], ...rows]
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)))
  return all.map((row) =>
    row.map((cell, column) => (column < 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join('  '),
  )
}

const recoveries = ({ steps }: Site) => [...new Set(steps.map(({ recovery }) => recovery))].join(' ')
const sorted = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
