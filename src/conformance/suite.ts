// The suite that every platform must pass. Its subjects come from the connector's support matrix, its records from the
// schema's examples.
import { afterAll, beforeAll, describe, inject, it } from 'vitest'
import { chooseCases } from '../../test/case-choice.ts'
import { inOrder } from '../../test/in-order.ts'
import type { Connector } from '../contract/connector.ts'
import type { EntityType } from '../contract/entity.ts'
import { waivers } from '../platforms/waivers.ts'
import type { CreateSimulator } from '../sandbox/simulator.ts'
import { accountCases, accountChoice } from './account-cases.ts'
import type { Case } from './case.ts'
import { entityCases, entityChoice } from './cases.ts'
import { createHarness, type Harness } from './harness.ts'
import { createSubject, type Subject } from './subject.ts'

export function conformance(
  connector: Connector,
  createSimulator: CreateSimulator,
  options: { database?: 'sqlite' | 'postgres' } = {},
): void {
  const waived = waivers[connector.id] ?? {}
  const platform = connector.id
  const taken = chooseCases(entityCases(connector), entityChoice)

  for (const vertical of connector.verticals) {
    // Each has a service and a simulator of its own and mostly waits for slots, so they run side by side. The cases of
    // one share its state and run in order: the last one of an entity adds many records, and the last one of all
    // withdraws the consent.
    const name = `${platform} ${vertical} conforms${options.database === 'postgres' ? ' on Postgres' : ''}`
    describe.concurrent(name, inOrder, () => {
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

      const ofEntities = Map.groupBy(
        taken.filter((one) => one.vertical === vertical),
        ({ entityType }) => entityType,
      )
      for (const [entityType, cases] of ofEntities)
        describe.sequential(entityType, () => {
          for (const { test } of cases)
            check(test, () => createSubject(harness, vertical, entityType), waived[`${entityType}: ${test.name}`])
        })
      const [first] = ofEntities.keys()
      describe.sequential('the account', () => {
        for (const { test } of chooseCases(
          accountCases.map((test) => ({ platform, vertical, test })),
          accountChoice,
        ))
          check(test, () => createSubject(harness, vertical, first as EntityType), waived[`account: ${test.name}`])
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
