// The suite that every platform must pass. Its subjects come from the connector's support matrix, its records from the
// schema's examples.
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { Connector } from '../contract/connector.ts'
import { entities } from '../contract/entities/index.ts'
import { type EntityType, entityTypes } from '../contract/entity.ts'
import { platformSupport } from '../engine/support.ts'
import { waivers } from '../platforms/waivers.ts'
import type { CreateSimulator } from '../sandbox/simulator.ts'
import { accountCases } from './account-cases.ts'
import type { Case } from './case.ts'
import { customCase } from './custom-case.ts'
import { emptyPageCase } from './empty-page-case.ts'
import { createHarness, type Harness } from './harness.ts'
import { nativeCases } from './native-cases.ts'
import { placeCase, storedParts } from './place-cases.ts'
import { instantCase, putCases, spellingCases } from './put-cases.ts'
import { longWalk, readCases, referencePointers, resolvesCase } from './read-cases.ts'
import { requirementCases } from './requirement-cases.ts'
import { searchCase } from './search-case.ts'
import { shapeReadCases, shapeUpdateCases, shapeWriteCases } from './shape-cases.ts'
import { createSubject, type Subject } from './subject.ts'
import { lostPutCase, lostResponseCase, otherNameCase, putBackCase, updateCases, writeCases } from './write-cases.ts'

export function conformance(
  connector: Connector,
  createSimulator: CreateSimulator,
  options: { database?: 'sqlite' | 'postgres' } = {},
): void {
  const waived = waivers[connector.id] ?? {}
  const platform = connector.id
  const support = platformSupport(connector)
  /** The adapter of an entity is the same in all verticals: faults at its calls are tried in the first one. */
  const firstOf = (type: EntityType) => connector.verticals.find((vertical) => support.entities[vertical]?.[type])

  for (const vertical of connector.verticals) {
    // Each has a service and a simulator of its own and mostly waits for slots, so they run side by side; the cases of
    // one share its state and run in order.
    describe.concurrent(`${platform} ${vertical} conforms${options.database === 'postgres' ? ' on Postgres' : ''}`, () => {
      let harness: Harness
      beforeAll(async () => {
        const databaseUrl =
          options.database === 'postgres'
            ? await (await import('../../test/postgres.ts')).freshDatabase(
                inject('postgresUrl'),
                inject('postgresTemplate'),
              )
            : undefined
        harness = await createHarness({
          connectors: { [platform]: connector },
          simulators: { [platform]: createSimulator },
          platform,
          databaseUrl,
        })
      })
      afterAll(() => harness?.close())

      const offered = entityTypes.filter((type) => support.entities[vertical]?.[type])
      for (const entityType of offered) {
        const entry = support.entities[vertical]?.[entityType]
        const refers = Object.keys(entities[entityType].references).length > 0
        const withFaults = vertical === firstOf(entityType)
        const cases = [
          ...readCases,
          ...(referencePointers(entityType).length > 0 ? [resolvesCase] : []),
          ...nativeCases,
          ...(withFaults ? [...shapeReadCases, emptyPageCase] : []),
          ...(entry?.write
            ? [
                ...writeCases,
                ...requirementCases,
                ...spellingCases,
                ...(withFaults ? [lostResponseCase, ...shapeWriteCases] : []),
              ]
            : [refusesWrites]),
          ...(entry?.write && 'processedAt' in entities[entityType].example ? [instantCase] : []),
          ...(entry?.write && entities[entityType].leftOut.partsOfName.length > 0 ? [otherNameCase] : []),
          ...(entry?.write && 'address' in entities[entityType].example && storedParts(entry).length > 0
            ? [placeCase]
            : []),
          ...(entry?.update
            ? [
                ...updateCases,
                ...putCases,
                ...(withFaults ? [lostPutCase, ...shapeUpdateCases] : []),
                ...(refers ? [putBackCase] : []),
              ]
            : [refusesUpdates]),
          ...(Object.keys(entry?.customPlaces ?? {}).length > 0 ? [customCase] : []),
          searchCase,
          longWalk,
        ]
        describe.sequential(entityType, () => {
          for (const test of cases)
            check(test, () => createSubject(harness, vertical, entityType), waived[`${entityType}: ${test.name}`])
        })
      }
      describe.sequential('the account', () => {
        for (const test of accountCases)
          check(
            test,
            () => createSubject(harness, vertical, offered[0] as (typeof entityTypes)[number]),
            waived[`account: ${test.name}`],
          )
      })
    })
  }
}

function check(test: Case, subject: () => Subject, waiver: string | undefined): void {
  it(waiver ? `${test.name} (waived: ${waiver})` : test.name, () => runCase(test, subject(), waiver))
}

/** A waived case must fail. If it passes, the waiver is not needed. */
export async function runCase(test: Case, subject: Subject, waiver: string | undefined): Promise<void> {
  if (!waiver) return test.run(subject)
  const failed = await test.run(subject).then(
    () => false,
    () => true,
  )
  if (!failed) throw new Error(`the waiver of "${test.name}" is stale: the case passes`)
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
