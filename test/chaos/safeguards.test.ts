// A checker that never fails proves nothing: it must fail with a safeguard off. The other safeguards are in
// safeguards.long.ts.
import { expect, it } from 'vitest'
import { blindSpots } from './blind-spots.ts'
import { report } from './report.ts'
import { type ChaosOptions, runChaos } from './run.ts'
import type { Site } from './survey.ts'
import type { Safeguard } from './unsafe-instance.ts'

const storm: ChaosOptions = {
  writes: 30,
  instances: 1,
  kills: 1,
  seed: 7,
  platforms: ['woocommerce'],
  script: 'test/chaos/unsafe-instance.ts',
  callers: 20,
  faults: [
    { kind: 'reset_after', probability: 0.3 },
    { kind: 'error_after', probability: 0.3 },
  ],
}

it('the checker fails without this safeguard: journal', async () => {
  const result = await runChaos({ ...storm, environment: { SAFEGUARD_OFF: 'journal' satisfies Safeguard } })
  const kinds = new Set(result.violations.map(({ kind }) => kind))
  expect([...kinds], report(result)).toEqual(expect.arrayContaining(['duplicated', 'wrong response']))
})

it('if a platform offers no way to find out, every ambiguous failure is outcome_unknown, and nothing else is', async () => {
  const blind = (site: Site): Site => ({ ...site, steps: site.steps.map((step) => ({ ...step, recovery: 'none' })) })
  const { faults: _, ...all } = storm
  const result = await runChaos({
    ...all,
    writes: 120,
    kills: 0,
    platforms: ['quickbooks-online'],
    environment: { SAFEGUARD_OFF: 'all recovery' },
    seen: blind,
  })
  expect(result.violations, report(result)).toEqual([])
  const [spot] = blindSpots(result)
  expect(spot?.injected).toBeGreaterThan(5)
  expect(spot?.admitted).toBe(spot?.injected)
})
