// The part of the conformance suite that `npm test` takes.
import { describe, expect, it } from 'vitest'
import { partOf } from '../../test/case-choice.ts'
import { connectors } from '../platforms/registry.ts'
import { simulators } from '../platforms/simulators.ts'
import { accountCases, accountChoice } from './account-cases.ts'
import { type EntityCase, entityCases, entityChoice, recoveryWitnesses } from './cases.ts'
import { createHarness } from './harness.ts'
import { createSubject } from './subject.ts'

const seeds = Array.from({ length: entityChoice.oneIn }, (_, seed) => seed)
const all = Object.values(connectors).flatMap((connector) => entityCases(connector))
const ofAccounts = Object.values(connectors).flatMap(({ id, verticals }) =>
  verticals.flatMap((vertical) => accountCases.map((test) => ({ platform: id, vertical, test }))),
)
const nameOf = ({ platform, vertical, entityType, test }: EntityCase) =>
  `${platform} ${vertical} ${entityType}: ${test.name}`

describe('the part of the conformance suite', () => {
  it('has every case with one of as many consecutive seeds as it takes parts, and less than half of them with each', () => {
    for (const seed of seeds) {
      expect(partOf(all, seed, entityChoice).length).toBeLessThan(all.length / 2)
      expect(partOf(ofAccounts, seed, accountChoice).length).toBeLessThan(ofAccounts.length / 2)
    }
    expect(new Set(seeds.flatMap((seed) => partOf(all, seed, entityChoice)))).toEqual(new Set(all))
    expect(new Set(seeds.flatMap((seed) => partOf(ofAccounts, seed, accountChoice)))).toEqual(new Set(ofAccounts))
  })
  it('reads and writes every entity of every account of every platform with each seed', () => {
    const entityOf = ({ platform, vertical, entityType }: EntityCase) => `${platform} ${vertical} ${entityType}`
    const written = (cases: readonly EntityCase[]) =>
      new Set(cases.filter(({ test }) => test.name.startsWith('every field that the platform stores')).map(entityOf))
    for (const seed of seeds) {
      const part = partOf(all, seed, entityChoice)
      expect(new Set(part.map(entityOf))).toEqual(new Set(all.map(entityOf)))
      expect(written(part)).toEqual(written(all))
      expect(new Set(partOf(ofAccounts, seed, accountChoice).map(({ platform }) => platform))).toEqual(
        new Set(Object.keys(connectors)),
      )
    }
  })
  it('loses responses of creates on every platform, and has all cases of one for each kind of recovery', () => {
    const kept = all.filter(
      ({ platform, entityType, test }) =>
        test.name.startsWith('a response lost at any call') ||
        Object.values(recoveryWitnesses).some((one) => one.platform === platform && one.entityType === entityType),
    )
    expect(kept.length).toBeGreaterThan(80)
    for (const seed of seeds)
      expect(partOf(all, seed, entityChoice).map(nameOf)).toEqual(expect.arrayContaining(kept.map(nameOf)))
  })
  it.each(Object.entries(recoveryWitnesses))('recovers by "%s" on %o', async (recovery, { platform, entityType }) => {
    const harness = await createHarness({ connectors, simulators, platform })
    try {
      const subject = createSubject(harness, connectors[platform]?.verticals[0] ?? 'restaurant', entityType)
      const { status, body } = await subject.create(await subject.fullRecord(), '?dryRun=true')
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.steps.map((step: { recovery: string }) => step.recovery)).toContain(recovery)
    } finally {
      await harness.close()
    }
  })
})
