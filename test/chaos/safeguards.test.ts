// A checker that never complains proves nothing: with any one safeguard off it must.
import { expect, it } from 'vitest'
import { report } from './report.ts'
import { type ChaosOptions, runChaos } from './run.ts'
import type { Safeguard } from './unsafe-instance.ts'

const storm: Omit<ChaosOptions, 'environment'> = {
  writes: 60,
  instances: 1,
  kills: 3,
  seed: 7,
  platforms: ['woocommerce'],
  script: 'test/chaos/unsafe-instance.ts',
  faultScale: 2,
  callers: 20,
}

it.each<[Safeguard | 'nothing', string[]]>([
  ['nothing', []],
  ['journal', ['duplicated', 'answered wrongly']],
  ['recovery lookup', ['duplicated']],
  ['derived key', ['duplicated']],
])(
  'with the safeguard off, the checker finds it: %s',
  async (off, expected) => {
    const result = await runChaos({ ...storm, environment: { SAFEGUARD_OFF: off } })
    const kinds = new Set(result.violations.map(({ kind }) => kind))
    expect([...kinds], report(result)).toEqual(expected.length === 0 ? [] : expect.arrayContaining(expected))
  },
  180_000,
)
