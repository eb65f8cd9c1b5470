// A process stands still with deliveries in its memory, beyond the lease of the endpoint. Another one delivers them, and
// newer events of the same records. Then the first one goes on: it must send nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import { createFrontDoor } from '../changes/front-door.ts'
import { truthsOf } from '../changes/run.ts'
import { aliveIn, type Truth } from '../changes/truth.ts'
import { type Instances, startInstances } from '../instances.ts'
import { createRandom } from '../random.ts'
import { startSandbox } from '../sandbox-process.ts'
import type { Checker, DeliveryViolation, EndpointPlan } from './checker.ts'
import { startReceivers } from './receivers.ts'
import { createEndpoints, createPlace, readChanges, untilArrived } from './run.ts'

interface StandstillOptions {
  databaseUrl: string
  script?: string
  environment?: Record<string, string>
}
const paceScale = 0.002
const records = 12
/** One delivery after the other: the rest is in the memory of the process. */
const plan: EndpointPlan = {
  name: 'one',
  events: ['customer.updated'],
  data: 'full',
  format: 'standard',
  coalesce: false,
  concurrency: 1,
}
const patienceMs = 60_000

export async function runDeliveryStandstill(options: StandstillOptions): Promise<DeliveryViolation[]> {
  const sandbox = await startSandbox({ seed: 1, platforms: ['square'], paceScale })
  const receivers = await startReceivers(createRandom(1), true)
  const violations: DeliveryViolation[] = []
  let instances: Instances | undefined
  try {
    await sandbox.inject(['square'], [{ kind: 'webhook_lost' }])
    instances = await startInstances({ ...options, count: 2, sandboxUrl: sandbox.url, paceScale })
    const doorTo = (index: number) => createFrontDoor(instances as Instances, createRandom(2), index)
    const door = doorTo(0)
    const [truth] = (await truthsOf({ entities: ['customer'] }, sandbox)) as [Truth]
    const { accountId, entityType } = truth.place
    while (aliveIn(truth).length < records) await truth.change('add')
    instances.pause(1)
    await door.manage('PUT', `/accounts/${accountId}/watches/${entityType}`, { pollSeconds: 86_400, walkHours: 168 })
    const place = await createPlace(truth, door)
    const { checkers } = await createEndpoints([plan], door, receivers, violations)
    const [checker] = checkers as [Checker]
    const changeAll = async () => {
      const ids = aliveIn(truth).slice(0, records)
      await Promise.all(ids.map((id) => truth.change('touch', id)))
      await readChanges(place, door, records)
    }
    receivers.hold(plan.name)
    await changeAll()
    const [endpoint] = (await door.manage('GET', '/webhook-endpoints')).body.data
    const waiting = `/webhook-endpoints/${endpoint.id}/deliveries?state=waiting`
    for (const deadline = Date.now() + patienceMs; ; await sleep(10)) {
      const { data } = (await door.manage('GET', waiting)).body
      if (checker.counts.first > 0 && data.length === records) break
      if (Date.now() > deadline) throw new Error(`${data.length} deliveries wait`)
    }
    await sleep(2000) // the process has read them by now
    instances.pause(0)
    receivers.release(plan.name)
    instances.resume(1)
    Object.assign(door, doorTo(1))
    await changeAll()
    await untilArrived([checker], [place], patienceMs)
    instances.resume(0)
    await sleep(4000) // the first one sends what it has in its memory, or stops
    checker.finish(new Map([[accountId, place.log]]))
    return violations
  } finally {
    await instances?.stop()
    await sandbox.stop()
    await receivers.close()
  }
}
