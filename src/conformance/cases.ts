// Which cases a platform must pass, and which of them `npm test` takes: see test/case-choice.ts.
import { expect } from 'vitest'
import type { Choice } from '../../test/case-choice.ts'
import type { Connector } from '../contract/connector.ts'
import { entities } from '../contract/entities/index.ts'
import { type EntityType, entityTypes, type Vertical } from '../contract/entity.ts'
import { type EntitySupport, platformSupport } from '../engine/support.ts'
import type { PlannedStep } from '../engine/write/dry-run.ts'
import type { Case } from './case.ts'
import { customCase } from './custom-case.ts'
import { emptyPageCase } from './empty-page-case.ts'
import { nativeCases } from './native-cases.ts'
import { refusedMoneyCase, sameOrderCase, sumCases } from './order-cases.ts'
import { placeCase, storedParts } from './place-cases.ts'
import { instantCase, putCases, spellingCases } from './put-cases.ts'
import { longWalk, readCases, referencePointers, resolvesCase } from './read-cases.ts'
import { requirementCases } from './requirement-cases.ts'
import { searchCase } from './search-case.ts'
import { shapeReadCases, shapeUpdateCases, shapeWriteCases } from './shape-cases.ts'
import { lostPutCase, lostResponseCase, otherNameCase, putBackCase, updateCases, writeCases } from './write-cases.ts'

/** One case of one entity of one account of a platform. */
export interface EntityCase {
  platform: string
  vertical: Vertical
  entityType: EntityType
  test: Case
}

/** Every platform has them for every entity in every run: what is read and written, and that it is written once. */
const alwaysTaken: ReadonlySet<Case> = new Set([...readCases.slice(0, 1), ...writeCases.slice(0, 2), lostResponseCase])
/** For each way to find out what became of a lost write, an entity of which every case is taken in every run. */
export const recoveryWitnesses: Readonly<
  Record<Exclude<PlannedStep['recovery'], 'none'>, { platform: string; entityType: EntityType }>
> = {
  key: { platform: 'square', entityType: 'order' },
  repeat: { platform: 'clover', entityType: 'order' },
  find: { platform: 'woocommerce', entityType: 'order' },
}
const isWitness = (one: EntityCase) =>
  Object.values(recoveryWitnesses).some(
    ({ platform, entityType }) => platform === one.platform && entityType === one.entityType,
  )
export const entityChoice: Choice<EntityCase> = {
  oneIn: 9,
  group: ({ platform, entityType }) => `${platform} ${entityType}`,
  always: (one) => alwaysTaken.has(one.test) || isWitness(one),
}

export function entityCases(connector: Connector): EntityCase[] {
  const support = platformSupport(connector).entities
  /** The adapter of an entity is the same in all verticals: faults at its calls are tried in the first one. */
  const firstOf = (type: EntityType) => connector.verticals.find((vertical) => support[vertical]?.[type])
  return connector.verticals.flatMap((vertical) =>
    entityTypes.flatMap((entityType) => {
      const entry = support[vertical]?.[entityType]
      if (!entry) return []
      const tests = casesFor(entityType, entry, vertical === firstOf(entityType))
      return tests.map((test) => ({ platform: connector.id, vertical, entityType, test }))
    }),
  )
}

function casesFor(entityType: EntityType, entry: EntitySupport, withFaults: boolean): Case[] {
  const refers = Object.keys(entities[entityType].references).length > 0
  return [
    ...readCases,
    ...(referencePointers(entityType).length > 0 ? [resolvesCase] : []),
    ...nativeCases,
    ...(entry.sums ? sumCases : []),
    ...(withFaults ? [...shapeReadCases, emptyPageCase] : []),
    ...(entry.write
      ? [
          ...writeCases,
          ...requirementCases,
          ...spellingCases,
          ...(Object.keys(entry.refused).length > 0 ? [refusedMoneyCase] : []),
          ...(withFaults ? [lostResponseCase, ...shapeWriteCases] : []),
        ]
      : [refusesWrites]),
    ...(entry.write && 'processedAt' in entities[entityType].example ? [instantCase] : []),
    ...(entry.write && entities[entityType].leftOut.partsOfName.length > 0 ? [otherNameCase] : []),
    ...(entry.write && 'address' in entities[entityType].example && storedParts(entry).length > 0 ? [placeCase] : []),
    ...(entry.update
      ? [
          ...updateCases,
          ...putCases,
          ...(withFaults ? [lostPutCase, ...shapeUpdateCases] : []),
          ...(refers ? [putBackCase] : []),
          ...(entry.sums ? [sameOrderCase] : []),
        ]
      : [refusesUpdates]),
    ...(Object.keys(entry.customPlaces ?? {}).length > 0 ? [customCase] : []),
    searchCase,
    longWalk,
  ]
}

const refusesWrites: Case = {
  name: 'a write is 405, and Allow lists the possible methods',
  async run(subject) {
    const { status, body, headers } = await subject.create({ externalId: 'X' })
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD, OPTIONS'])
  },
}
const refusesUpdates: Case = {
  name: 'an update is 405, and Allow lists the possible methods',
  async run(subject) {
    const { status, body, headers } = await subject.harness.call('PUT', `${subject.path}/x`, { externalId: 'X' })
    expect([status, body.code, headers.get('allow')]).toEqual([405, 'method_not_allowed', 'GET, HEAD, OPTIONS'])
  },
}
