// `npm run chaos -- deliveries safeguards`: the checker must fail with any safeguard off. Minutes, so not part of
// `npm test`.
import { describe, expect, it } from 'vitest'
import type { DeliveryViolationKind } from './checker.ts'
import { type DeliveryChaosOptions, runDeliveryChaos } from './run.ts'
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

describe('the checker fails without this safeguard', () => {
  it.each<[DeliverySafeguard, DeliveryViolationKind, Partial<DeliveryChaosOptions>]>([
    ['order per record', 'older after newer', {}],
    ['deliveries with their position', 'lost', { kills: 6 }],
    ['stored body', 'another body', {}],
  ])(
    '%s',
    async (off, kind, changed) => {
      const script = 'test/chaos/deliveries/unsafe-instance.ts'
      const environment = { SAFEGUARD_OFF: off }
      const found: string[] = []
      for (let seed = 1; seed <= mostRuns; seed++) {
        const { violations } = await runDeliveryChaos({ ...small, ...changed, script, environment, seed })
        found.push(...violations.map((one) => one.kind))
        if (!found.includes(kind)) continue
        console.log(`without "${off}": noticed in run ${seed}: ${[...new Set(found)].join(', ')}`)
        return
      }
      expect.fail(`not noticed in ${mostRuns} runs: ${found.join(', ')}`)
    },
    900_000,
  )
})
