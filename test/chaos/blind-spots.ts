// If a platform offers no way to find out the outcome, every ambiguous failure must be reported as unknown, and nothing
// else.
import type { Outcome } from './caller.ts'
import type { Violation } from './checker.ts'
import { ambiguousKinds } from './faults.ts'
import type { Tally } from './sandbox-process.ts'
import { type Site, siteName } from './survey.ts'

export interface BlindSpot {
  site: Site
  calls: string[]
  injected: number // failures after which only the platform knows the outcome
  admitted: number // keys with the response outcome_unknown
}

export function blindSpots({
  sites,
  outcomes,
  tally,
}: {
  sites: readonly Site[]
  outcomes: readonly Outcome[]
  tally: Tally
}): BlindSpot[] {
  return sites.flatMap((site) => {
    const calls = site.steps.filter(({ recovery }) => recovery === 'none').map(({ call }) => call)
    if (calls.length === 0) return []
    const injected = ambiguousWrites(tally[site.platform]?.faultyWrites ?? {}, calls)
    return [
      {
        site,
        calls,
        injected,
        admitted: outcomes.filter(({ write, unknown }) => write.site === site && unknown > 0).length,
      },
    ]
  })
}

const ambiguousWrites = (faultyWrites: Readonly<Record<string, number>>, calls: readonly string[]): number =>
  Object.entries(faultyWrites)
    .filter(([name]) =>
      calls.some((call) => name.startsWith(`${call} `) && ambiguousKinds.has(name.slice(call.length + 1) as never)),
    )
    .reduce((sum, [, count]) => sum + count, 0)

/** A kill interrupts calls as well. Then there may be more unknown outcomes than failures, never fewer. */
export const unadmitted = (spots: readonly BlindSpot[], kills: number): Violation[] =>
  spots
    .filter(({ injected, admitted }) => admitted < injected || (kills === 0 && admitted !== injected))
    .map(({ site, injected, admitted }) => ({
      kind: 'wrong response',
      site: siteName(site),
      detail: `${injected} ambiguous failures were injected, ${admitted} outcomes are unknown`,
    }))
