// kill -9 of the service and its sandbox amid POSTs: what the simulators acknowledged is there after the next start.
// `npm run chaos -- sandbox` is the long version.
import { expect, it } from 'vitest'
import { runSandboxKills } from '../chaos/sandbox-kills.ts'

const rounds = 2
const writes = 60

it(`${writes} parallel POSTs, kill -9 of the group, another start and the same POSTs: each record once`, async () => {
  const result = await runSandboxKills({ rounds, writes, seed: 7 })
  expect(result.violations).toEqual([])
  expect(result.rounds.map(({ simulators, lists }) => ({ simulators, lists }))).toEqual(
    Array.from({ length: rounds }, () => ({ simulators: writes, lists: writes })),
  )
  for (const { created, repeated } of result.rounds) {
    expect(created).toBeGreaterThan(0)
    expect(repeated).toBe(created)
  }
})
