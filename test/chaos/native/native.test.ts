// A short run of chaos on native writes, for every `npm test`. The long one: npm run chaos -- native.
import { expect, it } from 'vitest'
import { faultsOf } from '../run.ts'
import { runNativeChaos } from './run.ts'

it('no native write takes effect twice while one call in five fails and the process is killed', async () => {
  const result = await runNativeChaos({ writes: 120, instances: 1, kills: 1, seed: 20261117 })
  expect(result.violations, JSON.stringify(result)).toEqual([])
  expect(result.kills).toBe(1)
  expect(Object.keys(result.faults).toSorted()).toEqual(
    [...new Set(faultsOf('square').map(({ kind }) => kind))].toSorted(),
  )
  expect(result.unknownWritten).toBeGreaterThan(0)
  expect(result.replays).toBe(40)
}, 600_000)
