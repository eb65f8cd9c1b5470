// `npm run chaos -- safeguards`: a checker that never fails proves nothing, so it must fail with any safeguard off.
// Minutes, so not part of `npm test`.
import { expect, inject, it } from 'vitest'
import { freshDatabase } from '../postgres.ts'
import { blindSpots } from './blind-spots.ts'
import { foreignFaults } from './faults.ts'
import { runLate } from './late.ts'
import { report } from './report.ts'
import { type ChaosOptions, runChaos } from './run.ts'
import { runStandstill } from './standstill.ts'
import type { Site } from './survey.ts'
import type { Safeguard } from './unsafe-instance.ts'

const storm: ChaosOptions = {
  writes: 30,
  instances: 1,
  kills: 1,
  seed: 7,
  platforms: ['woocommerce'],
  script: 'test/chaos/unsafe-instance.ts',
  callers: 20,
  faults: [
    { kind: 'reset_after', probability: 0.3 },
    { kind: 'error_after', probability: 0.3 },
  ],
}

it.each<[Safeguard | 'nothing', string[]]>([
  ['nothing', []],
  ['journal', ['duplicated', 'wrong response']],
  ['recovery lookup', ['duplicated']],
  ['derived key', ['duplicated']],
])(
  'the checker fails without this safeguard: %s',
  async (off, expected) => {
    const result = await runChaos({ ...storm, environment: { SAFEGUARD_OFF: off } })
    const kinds = new Set(result.violations.map(({ kind }) => kind))
    expect([...kinds], report(result)).toEqual(expected.length === 0 ? [] : expect.arrayContaining(expected))
  },
  180_000,
)

it('the checker fails without this safeguard: shape check', async () => {
  const result = await runChaos({
    ...storm,
    kills: 0,
    platforms: ['square'],
    faults: foreignFaults(0.2, [200]),
    minutes: 0.1,
    calmMs: 20_000,
    environment: { SAFEGUARD_OFF: 'shape check' },
  })
  expect(result.violations.length, report(result)).toBeGreaterThan(0)
}, 180_000)

it('the checker fails without this safeguard: update lease', async () => {
  const result = await runChaos({
    ...storm,
    writes: 12,
    updates: 60,
    instances: 3,
    kills: 0,
    platforms: ['clover'],
    faults: [],
    databaseUrl: await freshDatabase(inject('postgresUrl')),
    environment: { SAFEGUARD_OFF: 'update lease' },
  })
  expect(
    result.violations.map(({ kind }) => kind),
    report(result),
  ).toContain('mixed')
}, 180_000)

const unsafe = (off: string) => ({ script: 'test/chaos/unsafe-instance.ts', environment: { SAFEGUARD_OFF: off } })
const callTimeoutMs = 5000

it('without the fence, a stopped process sends again, undoes what was acknowledged, and overwrites a newer update', async () => {
  const databaseUrl = await freshDatabase(inject('postgresUrl'))
  const violations = await runStandstill({ databaseUrl, ...unsafe('fence') })
  expect(violations).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: 'duplicated', site: 'woocommerce retail_pos product' }),
      expect.objectContaining({ kind: 'lost', site: 'clover restaurant order' }),
      expect.objectContaining({ kind: 'lost', site: 'bigcommerce retail_pos customer' }),
    ]),
  )
}, 180_000)

it('without the absence bound, a call that takes effect late is written twice', async () => {
  const violations = await runLate({ callTimeoutMs, delaysMs: [4000], ...unsafe('absence bound') })
  expect(violations).toContainEqual(expect.objectContaining({ kind: 'duplicated', site: 'clover restaurant customer' }))
}, 180_000)

it('if a platform offers no way to find out, every ambiguous failure is outcome_unknown, and nothing else is', async () => {
  const blind = (site: Site): Site => ({ ...site, steps: site.steps.map((step) => ({ ...step, recovery: 'none' })) })
  const { faults: _, ...all } = storm
  const result = await runChaos({
    ...all,
    writes: 120,
    kills: 0,
    platforms: ['quickbooks-online'],
    environment: { SAFEGUARD_OFF: 'all recovery' },
    seen: blind,
  })
  expect(result.violations, report(result)).toEqual([])
  const [spot] = blindSpots(result)
  expect(spot?.injected).toBeGreaterThan(5)
  expect(spot?.admitted).toBe(spot?.injected)
})
