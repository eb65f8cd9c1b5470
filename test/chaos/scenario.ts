// A sandbox and instances for a few writes whose interruptions are chosen, not drawn.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AnyRecord } from '../../src/conformance/subject.ts'
import type { EntityType, Vertical } from '../../src/contract/entity.ts'
import type { Fault } from '../../src/sandbox/simulator.ts'
import { createClient, type Reply, untilSettled } from './caller.ts'
import type { Violation } from './checker.ts'
import { type Instances, type InstancesOptions, startInstances } from './instances.ts'
import { createRandom } from './random.ts'
import { type SandboxProcess, startSandbox } from './sandbox-process.ts'

export interface Place {
  platform: string
  vertical: Vertical
  entityType: EntityType
}
export interface Scenario {
  instances: Instances
  sandbox: SandboxProcess
  /** One request to that instance. */
  call(index: number, method: string, place: Place, body?: AnyRecord, id?: string): Promise<Reply>
  /** The same request to that instance until it succeeds; a final rejection is a violation. */
  settle(index: number, method: string, place: Place, body: AnyRecord, id?: string): Promise<Reply>
  inject(platform: string, ...faults: Fault[]): Promise<void>
  /** Resolves when calls have met all faults of the platform. */
  met(platform: string): Promise<void>
  /** Ids that the platform did not have when the scenario began. */
  added(place: Place): Promise<string[]>
  violation(kind: Violation['kind'], place: Place, detail: string): void
  /** The platform has exactly one new record, and it has this id. */
  expectOne(place: Place, reply: Reply): Promise<void>
}
export type ScenarioOptions = Omit<InstancesOptions, 'sandboxUrl' | 'count'> & {
  count: number
  places: readonly Place[]
}

export const nameOf = ({ platform, vertical, entityType }: Place) => `${platform} ${vertical} ${entityType}`

export async function runScenario(
  { places, ...options }: ScenarioOptions,
  run: (scenario: Scenario) => Promise<void>,
): Promise<Violation[]> {
  const platforms = [...new Set(places.map(({ platform }) => platform))]
  const sandbox = await startSandbox({ seed: 1, platforms, paceScale: options.paceScale })
  const violations: Violation[] = []
  let instances: Instances | undefined
  try {
    const running = await startInstances({ ...options, sandboxUrl: sandbox.url })
    instances = running
    const random = createRandom(1)
    const ids = ({ platform, vertical, entityType }: Place) => sandbox.ids(platform, vertical, entityType)
    const before = new Map(await Promise.all(places.map(async (place) => [nameOf(place), await ids(place)] as const)))
    const pathOf = ({ platform, vertical, entityType }: Place, id?: string) =>
      `sandbox-${platform}-${vertical}/${entityType}${id === undefined ? '' : `/${encodeURIComponent(id)}`}`
    const violation: Scenario['violation'] = (kind, place, detail) =>
      void violations.push({ kind, site: nameOf(place), detail })
    const added: Scenario['added'] = async (place) => {
      const known = new Set(before.get(nameOf(place)))
      return (await ids(place)).filter((id) => !known.has(id))
    }
    await run({
      instances: running,
      sandbox,
      call: (index, method, place, body, id) =>
        createClient(running, index).call(method, pathOf(place, id), body, random),
      async settle(index, method, place, body, id) {
        const reply = await untilSettled(createClient(running, index), method, pathOf(place, id), body, random)
        if (reply.status !== 200 && reply.status !== 201)
          violation('lost', place, `refused: ${reply.status} ${JSON.stringify(reply.body).slice(0, 400)}`)
        return reply
      },
      inject: (platform, ...faults) => sandbox.inject([platform], faults),
      async met(platform) {
        for (const deadline = Date.now() + 60_000; (await sandbox.pendingFaults(platform)) > 0; await sleep(20))
          if (Date.now() > deadline) throw new Error(`no call to ${platform} meets the fault`)
      },
      added,
      violation,
      async expectOne(place, reply) {
        const id = String(reply.body.reference?.id)
        const found = await added(place)
        if (!found.includes(id)) violation('lost', place, `${id} was acknowledged, and the platform does not have it`)
        const others = found.filter((other) => other !== id)
        if (others.length > 0) violation('duplicated', place, `besides ${id} the platform has ${others.join(', ')}`)
      },
    })
    return violations
  } finally {
    await instances?.stop()
    await sandbox.stop()
  }
}
