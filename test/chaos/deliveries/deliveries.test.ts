// A short run of chaos on outgoing webhooks, for every `npm test`. The long one, on both databases: npm run chaos --
// deliveries.
import { expect, it } from 'vitest'
import { reportDeliveries } from './report.ts'
import { runDeliveryChaos } from './run.ts'

it('every change reaches every endpoint while receivers fail and the process is killed', async () => {
  const result = await runDeliveryChaos({
    events: 150,
    records: 12,
    instances: 1,
    kills: 1,
    seed: 20261117,
    platforms: ['square'],
  })
  expect(result.violations, reportDeliveries(result)).toEqual([])
  expect(result.kills).toBe(1)
  for (const { name, wanted, due, counts } of result.endpoints) {
    expect(counts.first).toBeGreaterThanOrEqual(due)
    expect(counts.again).toBeGreaterThan(0)
    if (name === 'coalesce') expect(counts.first).toBeLessThan(wanted)
    else expect(due).toBe(wanted)
  }
}, 600_000)
