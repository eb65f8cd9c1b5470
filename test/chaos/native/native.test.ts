// A short run of chaos on native writes, for every `npm test`. The long one: npm run chaos -- native.
import { expect, it } from 'vitest'
import { runNativeChaos } from './run.ts'

it('no native write takes effect twice while one call in five fails and the process is killed', async () => {
  const result = await runNativeChaos({ writes: 120, instances: 1, kills: 1, seed: 20261117 })
  expect(result.violations, JSON.stringify(result)).toEqual([])
  expect(result.kills).toBe(1)
  expect(result.faults).toBeGreaterThan(10)
  expect(result.unknownWritten).toBeGreaterThan(0)
  expect(result.replays).toBeGreaterThan(10)
}, 600_000)
