// A short run of chaos on outgoing webhooks, for every `npm test`. The long one: npm run chaos -- deliveries.
import { expect, inject, it } from 'vitest'
import { freshDatabase } from '../../postgres.ts'
import { storeKinds } from '../../store-on.ts'
import { reportDeliveries } from './report.ts'
import { runDeliveryChaos } from './run.ts'

it.each(storeKinds)(
  'every change reaches every endpoint while receivers fail and the process ends, on %s',
  async (kind) => {
    const isPostgres = kind === 'postgres'
    const result = await runDeliveryChaos({
      events: 250,
      records: 12,
      instances: 1,
      // With PostgreSQL, an endpoint waits half a minute for the lease of a process that was killed.
      kills: isPostgres ? 0 : 1,
      restarts: isPostgres ? 1 : 0,
      seed: 20261117,
      platforms: ['square'],
      databaseUrl: isPostgres ? await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')) : undefined,
    })
    expect(result.violations, reportDeliveries(result)).toEqual([])
    expect(result.kills + result.restarts).toBe(1)
    for (const { name, wanted, due, counts } of result.endpoints) {
      expect(counts.first).toBeGreaterThanOrEqual(due)
      expect(counts.again).toBeGreaterThan(0)
      if (name === 'coalesce') expect(counts.first).toBeLessThan(wanted)
      else expect(due).toBe(wanted)
    }
  },
  600_000,
)
