// Counts the calls to the platform that a walk of 1 000 records takes.
import type { Connector } from '../contract/connector.ts'
import { type EntityType, entityTypes, type Vertical } from '../contract/entity.ts'
import { platformSupport } from '../engine/support.ts'
import type { CreateSimulator } from '../sandbox/simulator.ts'
import { createHarness } from './harness.ts'
import { createSubject } from './subject.ts'

/**
 * By entity: in pages of the service's default size, and in pages of the platform's limit. Not of what an account has
 * only once, such as the shop itself.
 */
export type CallCounts = Readonly<Partial<Record<EntityType, { defaultPage: number; largestPage: number }>>>

const records = 1000
const defaultPageSize = 50
const second = 1000
const hour = 3600 * second
/** The simulator's clock, per look at it: more than the windows of the limits that it checks itself. */
const tickMs = 20
const unlimited = [{ requests: 1_000_000, seconds: 1 }]

/** Counts do not depend on the pace, so nothing waits. */
const unpaced = (connector: Connector): Connector => ({
  ...connector,
  limit: unlimited,
  lanes: Object.fromEntries(Object.keys(connector.lanes ?? {}).map((lane) => [lane, unlimited])),
  throttle: undefined,
  ...{ dailyLimit: undefined },
})

/**
 * Each walk has a service and a simulator of its own, so nothing is cached when it begins: the calls for facts of the
 * account count too. The records are hours old and their modification times are seconds apart, because a walk by time
 * reads records of the same second, or of the last minutes, again.
 * `restart` begins the sequence of random values again.
 */
async function callsOf(
  connector: Connector,
  createSimulator: CreateSimulator,
  vertical: Vertical,
  entityType: EntityType,
  pageSize: number,
  restart: () => void,
): Promise<number | undefined> {
  const platform = connector.id
  const clock = { time: Date.now(), stepMs: tickMs }
  restart()
  const harness = await createHarness({
    connectors: { [platform]: unpaced(connector) },
    simulators: { [platform]: (options) => createSimulator({ ...options, paceScale: 0.0001 }) },
    platform,
    ownDisk: true,
    paceScale: 1,
    platformClock: () => (clock.time += clock.stepMs),
  })
  try {
    const subject = createSubject(harness, vertical, entityType)
    const { time } = clock
    Object.assign(clock, { time: time - 10 * hour, stepMs: second })
    restart()
    subject.native.add(records - subject.native.ids().length)
    if (subject.native.ids().length < records) return undefined
    Object.assign(clock, { time, stepMs: tickMs })
    harness.sandbox.clearCalls(platform)
    const walked = await subject.walk(pageSize)
    const ids = new Set(walked.map(({ externalId }) => externalId))
    if (ids.size !== records || walked.length !== records)
      throw new Error(`${platform} ${vertical} ${entityType}: a walk of ${records} records returned ${walked.length}`)
    return harness.sandbox.calls(platform).length
  } finally {
    await harness.close()
  }
}

export async function measureCalls(
  connector: Connector,
  createSimulator: CreateSimulator,
  vertical: Vertical,
  restart: () => void,
): Promise<CallCounts> {
  const support = platformSupport(connector).entities[vertical] ?? {}
  const counts: { -readonly [E in keyof CallCounts]: CallCounts[E] } = {}
  for (const entityType of entityTypes) {
    const { pageLimit } = support[entityType] ?? {}
    if (!pageLimit) continue
    const walk = (pageSize: number) => callsOf(connector, createSimulator, vertical, entityType, pageSize, restart)
    const defaultPage = await walk(defaultPageSize)
    const largestPage = defaultPage && (await walk(pageLimit))
    if (defaultPage && largestPage) counts[entityType] = { defaultPage, largestPage }
  }
  return counts
}
