// A short run of the chaos suite, for every `npm test`. The long one: npm run chaos.
import { expect, it } from 'vitest'
import { report } from './report.ts'
import { runChaos } from './run.ts'

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
  expect(result.tally.square?.faults).toMatchObject({ foreign_before: expect.any(Number) })
  const recoveries = new Set(result.sites.flatMap(({ steps }) => steps.map(({ recovery }) => recovery)))
  expect(recoveries).toEqual(new Set(['key', 'repeat', 'find']))
  const totals = Object.values(result.tally).map(
    ({ calls, faults }) => [calls, Object.values(faults).reduce((sum, count) => sum + count, 0)] as const,
  )
  const calls = totals.reduce((sum, [count]) => sum + count, 0)
  expect(totals.reduce((sum, [, faults]) => sum + faults, 0) / calls).toBeGreaterThan(0.12)
})
