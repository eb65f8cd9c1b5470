// A short run of the chaos suite, for every `npm test`. The long one: npm run chaos.
import { expect, it } from 'vitest'
import { report } from './report.ts'
import { faultsOf, runChaos } from './run.ts'

it('writes each record once and completely, and never mixes two updates, while calls fail and the process is killed, with every kind of recovery', async () => {
  const result = await runChaos({
    writes: 80,
    updates: 30,
    instances: 1,
    kills: 2,
    seed: 20261110,
    platforms: ['square', 'clover', 'toast', 'woocommerce'],
  })
  expect(result.violations, report(result)).toEqual([])
  expect(result.kills).toBe(2)
  expect(result.outcomes.length).toBeGreaterThanOrEqual(80)
  expect(result.outcomes.reduce((sum, { updates }) => sum + updates, 0)).toBeGreaterThanOrEqual(30)
  for (const [platform, { faults }] of Object.entries(result.tally)) {
    const planned = faultsOf(platform).map(({ kind }) => kind)
    expect(Object.keys(faults).toSorted(), platform).toEqual([...new Set(planned)].toSorted())
  }
  const recoveries = new Set(result.sites.flatMap(({ steps }) => steps.map(({ recovery }) => recovery)))
  expect(recoveries).toEqual(new Set(['key', 'repeat', 'find']))
})
