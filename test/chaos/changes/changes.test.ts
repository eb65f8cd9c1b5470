// A short run of chaos on the change feed, for every `npm test`. The long one, on both databases: npm run chaos --
// changes.
import { expect, it } from 'vitest'
import { reportFeed } from './report.ts'
import { runFeedChaos } from './run.ts'

it('a copy that follows the feed is complete while calls fail and the process is killed', async () => {
  const result = await runFeedChaos({
    changes: 100,
    perSecond: 40,
    instances: 1,
    kills: 1,
    writes: 5,
    interruptions: 1,
    walkHours: 1,
    seed: 20261117,
    platforms: ['square'],
    entities: ['product', 'customer'],
    calmStart: true,
  })
  expect(result.violations, reportFeed(result)).toEqual([])
  expect(result.kills).toBe(1)
  expect(result.made.remove).toBeGreaterThan(0)
  expect(result.made.written).toBeGreaterThan(0)
}, 600_000)
