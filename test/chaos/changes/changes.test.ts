// A short run of chaos on the change feed, for every `npm test`. The long one: npm run chaos -- changes.
import { expect, inject, it } from 'vitest'
import { freshDatabase } from '../../postgres.ts'
import { storeKinds } from '../../store-on.ts'
import { reportFeed } from './report.ts'
import { runFeedChaos } from './run.ts'

it.each(storeKinds)(
  'a copy that follows the feed is complete while calls fail and the process ends, on %s',
  async (kind) => {
    const isPostgres = kind === 'postgres'
    const result = await runFeedChaos({
      changes: 150,
      perSecond: 40,
      instances: 1,
      // With PostgreSQL, a feed waits half a minute for the lease of a process that was killed.
      kills: isPostgres ? 0 : 1,
      restarts: isPostgres ? 1 : 0,
      writes: 5,
      interruptions: 1,
      walkHours: 1,
      seed: 20261117,
      platforms: ['square'],
      entities: ['product', 'customer'],
      calmStart: true,
      databaseUrl: isPostgres ? await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) : undefined,
    })
    expect(result.violations, reportFeed(result)).toEqual([])
    expect(result.kills + result.restarts).toBe(1)
    expect(result.counts.deletes).toBeGreaterThan(0)
    expect(result.made.written).toBeGreaterThan(0)
  },
  600_000,
)
