// `npm run chaos -- deliveries safeguards`: the checker must fail with any safeguard off. Minutes, so not part of
// `npm test`.
import { describe, expect, inject, it } from 'vitest'
import { freshDatabase } from '../../postgres.ts'
import type { DeliveryViolationKind } from './checker.ts'
import { type DeliveryChaosOptions, runDeliveryChaos } from './run.ts'
import { runDeliveryStandstill } from './standstill.ts'
import type { DeliverySafeguard } from './unsafe-instance.ts'

/** The checker must notice after this many runs at most. */
const mostRuns = 5
const small: DeliveryChaosOptions = {
  events: 1500,
  records: 60,
  instances: 1,
  kills: 0,
  seed: 1,
  platforms: ['square'],
  patienceMs: 20_000,
}
const unsafe = (off: DeliverySafeguard) => ({
  script: 'test/chaos/deliveries/unsafe-instance.ts',
  environment: { SAFEGUARD_OFF: off },
})
const standstill = async (options: { script?: string; environment?: Record<string, string> }) =>
  runDeliveryStandstill({
    ...options,
    databaseUrl: await freshDatabase(inject('postgresUrl'), inject('postgresTemplate')),
  })

describe('the checker fails without this safeguard', () => {
  it.each<[DeliverySafeguard, DeliveryViolationKind, Partial<DeliveryChaosOptions>]>([
    ['order per record', 'older after newer', {}],
    ['deliveries with their position', 'lost', { kills: 6 }],
    ['stored body', 'another body', {}],
  ])(
    '%s',
    async (off, kind, changed) => {
      const found: string[] = []
      for (let seed = 1; seed <= mostRuns; seed++) {
        const { violations } = await runDeliveryChaos({ ...small, ...changed, ...unsafe(off), seed })
        found.push(...violations.map((one) => one.kind))
        if (!found.includes(kind)) continue
        console.log(`without "${off}": noticed in run ${seed}: ${[...new Set(found)].join(', ')}`)
        return
      }
      expect.fail(`not noticed in ${mostRuns} runs: ${found.join(', ')}`)
    },
    900_000,
  )

  it('lease', async () => {
    const kinds = (await standstill(unsafe('lease'))).map(({ kind }) => kind)
    expect(kinds).toContain('older after newer')
  }, 300_000)
})

it('nothing is wrong with all safeguards: a process that stands still', async () => {
  expect(await standstill({})).toEqual([])
}, 300_000)
