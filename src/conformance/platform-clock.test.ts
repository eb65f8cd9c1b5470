// The clock of a platform is hours ahead or behind: a lookup by creation time must still find the record of a lost
// response, and a token expires when the platform says so, judged by the platform's clock.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chooseCases } from '../../test/case-choice.ts'
import type { Connector } from '../contract/connector.ts'
import { entityTypes } from '../contract/entity.ts'
import { platformSupport } from '../engine/support.ts'
import { connectors } from '../platforms/registry.ts'
import { simulators } from '../platforms/simulators.ts'
import { createHarness, type Harness } from './harness.ts'
import { createSubject } from './subject.ts'
import { loseResponses } from './write-cases.ts'

const hour = 3_600_000
/** A clock that is behind makes a stock count one of the future, which Square refuses. */
const withoutBehind = new Set(['square'])

describe.each(Object.keys(connectors))('%s', (platform) => {
  const connector = connectors[platform] as Connector
  const support = platformSupport(connector).entities
  // The adapter of an entity is the same in all verticals.
  const written = entityTypes.flatMap((type) => {
    const vertical = connector.verticals.find((candidate) => support[candidate]?.[type]?.write)
    return vertical ? [[vertical, type] as const] : []
  })
  const clocks: [string, number][] = [
    ['ahead', 3 * hour],
    ['behind', -3 * hour],
  ]
  const possible = clocks.filter(([way]) => way === 'ahead' || !withoutBehind.has(platform))
  describe.each(chooseCases(possible, { oneIn: 2, group: () => platform }))('three hours %s', (_, aheadMs) => {
    let harness: Harness
    beforeAll(async () => {
      harness = await createHarness({ connectors, simulators, platform, platformClock: () => Date.now() + aheadMs })
    })
    afterAll(() => harness?.close())
    it('uses one token for many reads', async () => {
      const [vertical, type] = written[0]!
      const read = () => harness.call('GET', `/unified/${harness.accountId(vertical)}/${type}?pageSize=1`)
      expect((await read()).status).toBe(200)
      harness.sandbox.clearCalls(platform)
      expect([(await read()).status, (await read()).status]).toEqual([200, 200])
      // A call without a tenant is one for a token.
      const calls = harness.sandbox.calls(platform)
      expect(calls.filter((call) => call.vertical === undefined)).toEqual([])
      expect(calls.length).toBeGreaterThan(0)
    })
    it.each(written)('%s %s: a lost response leaves exactly one record', (vertical, type) =>
      loseResponses(createSubject(harness, vertical, type), [() => 'reset_after']),
    )
  })
})
