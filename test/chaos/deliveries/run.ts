// One chaos run of outgoing webhooks: records change at the simulators, the change feed finds them, and every change must
// reach every endpoint that asked for it, while receivers fail and processes are killed or stand still.
import { setTimeout as sleep } from 'node:timers/promises'
import { createFrontDoor, type FrontDoor, passes } from '../changes/front-door.ts'
import { touchShows, truthsOf } from '../changes/run.ts'
import { aliveIn, type Truth } from '../changes/truth.ts'
import { createDisruptor, describe } from '../disruptor.ts'
import { type Instances, startInstances } from '../instances.ts'
import { createRandom, type Random } from '../random.ts'
import { type SandboxProcess, startSandbox } from '../sandbox-process.ts'
import { type Checker, createChecker, type DeliveryViolation, type EndpointPlan, type LoggedChange } from './checker.ts'
import { type Receivers, startReceivers } from './receivers.ts'

export interface DeliveryChaosOptions {
  events: number // deliveries that must arrive, over all endpoints
  instances: number
  kills: number
  pauses?: number // SIGSTOP beyond the lease of an endpoint
  seed: number
  platforms?: readonly string[]
  records?: number // per account
  databaseUrl?: string | undefined
  script?: string
  environment?: Record<string, string>
  patienceMs?: number
  say?(line: string): void
}
export interface DeliveryChaosResult {
  accounts: number
  changes: number
  /** `wanted`: changes that it asked for; `due`: those that must arrive. */
  endpoints: { name: string; wanted: number; due: number; counts: Checker['counts'] }[]
  faults: Record<string, number>
  kills: number
  pauses: number
  settings: number // changes of the settings of endpoints
  violations: readonly DeliveryViolation[]
  seconds: number
}
const paceScale = 0.002
/** Longer than the lease of an endpoint. */
const standstillMs = 32_000
const longestMs = 240_000
const fewest = 8
/** Each record changes several times. The endpoint that coalesces receives nothing until then. */
const fewestRounds = 3
/**
 * The deliveries may lag behind the log by so many changes: the endpoint of a process that was killed waits for the end
 * of its lease, and the others go on.
 */
const mostBehind = 6000
const walkAgainMs = 3_000
/** Between two changes of the settings of an endpoint, on average. */
const settingsEveryMs = 2_000

export async function runDeliveryChaos(options: DeliveryChaosOptions): Promise<DeliveryChaosResult> {
  const { seed, platforms = ['square', 'woocommerce', 'bigcommerce'] } = options
  const random = createRandom(seed)
  const sandbox = await startSandbox({ seed, platforms, paceScale })
  let instances: Instances | undefined
  const receivers = await startReceivers(random.fork('receivers'))
  try {
    // Walks find the changes. They must not be the limit of a run, as a fetch per change would be.
    await sandbox.inject(platforms, [{ kind: 'webhook_lost' }])
    const PLATFORM_LIMITS = platforms.map((platform) => `${platform}=100000/1`).join(',')
    const environment = { PLATFORM_LIMITS, ...options.environment }
    const count = options.instances
    instances = await startInstances({ ...options, environment, count, sandboxUrl: sandbox.url, paceScale })
    return await deliverAndCheck(options, sandbox, instances, receivers, random)
  } finally {
    await instances?.stop()
    await sandbox.stop()
    await receivers.close()
  }
}

/** Fewer than the changes of a run, so that events wait and are coalesced. */
const coalescedPerSecond = 50
const plansOf = (accounts: readonly string[]): EndpointPlan[] => {
  const common: Omit<EndpointPlan, 'name'> = {
    events: ['customer.*'],
    data: 'full',
    format: 'standard',
    coalesce: false,
  }
  return [
    { ...common, name: 'full' },
    { ...common, name: 'thin', data: 'thin' },
    { ...common, name: 'coalesce', coalesce: true, perSecond: coalescedPerSecond },
    { ...common, name: 'cloudevents', format: 'cloudevents' },
    { ...common, name: 'filtered', events: ['customer.updated'], accounts: accounts.slice(0, 1) },
  ]
}
/** Creates the endpoints and the checkers of what they receive. */
export async function createEndpoints(
  plans: readonly EndpointPlan[],
  door: FrontDoor,
  receivers: Receivers,
  violations: DeliveryViolation[],
): Promise<{ checkers: Checker[]; ids: string[] }> {
  const checkers: Checker[] = []
  const ids: string[] = []
  for (const plan of plans) {
    const { name, ...settings } = plan
    const checker = createChecker(plan, (one) => void violations.push(one))
    const url = receivers.url(name)
    const { status, body } = await door.manage('POST', '/webhook-endpoints', { concurrency: 32, ...settings, url })
    if (status !== 201) throw new Error(`the endpoint is refused: ${JSON.stringify(body)}`)
    receivers.add(name, body.secret, checker)
    checkers.push(checker)
    ids.push(body.id)
  }
  return { checkers, ids }
}

async function deliverAndCheck(
  options: DeliveryChaosOptions,
  sandbox: SandboxProcess,
  instances: Instances,
  receivers: Receivers,
  random: Random,
): Promise<DeliveryChaosResult> {
  const { events, kills, pauses = 0, say = () => {} } = options
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  const door = createFrontDoor(instances, random.fork('door'))
  const truths = await watchedTruths(options, sandbox, door)
  const places = await Promise.all(truths.map((truth) => createPlace(truth, door)))
  const accounts = places.map(({ accountId }) => accountId)
  const violations: DeliveryViolation[] = []
  receivers.hold('coalesce')
  const { checkers, ids } = await createEndpoints(plansOf(accounts), door, receivers, violations)
  say(`${checkers.length} endpoints, ${accounts.length} accounts after ${seconds()} s`)

  const disruptor = createDisruptor(
    { kills, pauses, cuts: 0 },
    events,
    instances,
    random.fork('disruptions'),
    standstillMs,
  )
  const arrived = () => checkers.reduce((sum, { counts }) => sum + counts.first, 0)
  const logged = () => places.reduce((sum, { log }) => sum + log.length, 0)
  /** Changes that some endpoint has not received, those with a filter or a limit aside. */
  const behind = () =>
    logged() - Math.min(...checkers.flatMap(({ plan, counts }) => (isSteady(plan) ? [counts.first] : [])))
  const status = () =>
    `${logged()} changes, ${arrived()} of ${events} events have arrived, ${describe(disruptor)}, ${violations.length} violations, ${seconds()} s`
  const progress = setInterval(() => say(status()), 15_000)
  const noticing = setInterval(() => disruptor.notice(arrived()), 20)
  const most = Math.min(mostBehind, events / 15)
  let settings = 0
  let isOver = false
  /** Takes endpoints from their holders. */
  async function keepConfiguring(): Promise<void> {
    while (!isOver && !disruptor.failed()) {
      await sleep(settingsEveryMs * 2 * random.number())
      const description = `Changed ${++settings} times`
      const { status } = await door.manage('PATCH', `/webhook-endpoints/${random.pick(ids)}`, { description })
      if (status !== 200) throw new Error(`a change of settings returned ${status}`)
    }
  }
  /** The changes of one account, a round after the other. */
  async function keepChanging(place: Place): Promise<void> {
    for (let round = 1; (arrived() < events || round <= fewestRounds) && !disruptor.failed(); round++) {
      await disruptor.room()
      await readChanges(place, door, await changeRecords(place.truth, random))
      if (round >= fewestRounds) receivers.release('coalesce')
      while (behind() > most && !disruptor.failed()) await sleep(20)
      if (seconds() * 1000 > 20 * longestMs) throw new Error(`no end: ${status()}`)
    }
  }
  try {
    const changing = Promise.all(places.map(keepChanging)).finally(() => {
      isOver = true
    })
    await Promise.all([changing, keepConfiguring()])
    await disruptor.finished()
    receivers.calm()
    await Promise.all(places.map((place) => untilQuiet(place, door)))
    say(`${status()}; waiting for the rest`)
    await untilArrived(checkers, places, options.patienceMs ?? longestMs)
  } finally {
    clearInterval(progress)
    clearInterval(noticing)
  }
  const logs = new Map(places.map(({ accountId, log }) => [accountId, log]))
  for (const checker of checkers) checker.finish(logs)
  const { cuts: _, ...disrupted } = disruptor.done()
  return {
    accounts: accounts.length,
    changes: logged(),
    endpoints: checkers.map(({ plan, counts, expected }) => ({ name: plan.name, counts, ...expected(logs) })),
    faults: receivers.faults,
    ...disrupted,
    settings,
    violations,
    seconds: (Date.now() - began) / 1000,
  }
}
const isSteady = ({ name }: EndpointPlan): boolean => name !== 'coalesce' && name !== 'filtered'

/** One entity of each account, with enough records, whose first walk has ended. */
async function watchedTruths(
  { platforms, records = 600 }: DeliveryChaosOptions,
  sandbox: SandboxProcess,
  door: FrontDoor,
): Promise<Truth[]> {
  const all = await truthsOf({ entities: ['customer'] }, sandbox)
  const shown = await Promise.all(all.map((truth) => touchShows(truth, door)))
  const truths = all.filter((_, index) => shown[index] === 'always')
  if (truths.length === 0) throw new Error(`no platform of ${platforms} shows that a customer was changed`)
  for (const truth of truths) {
    const lacking = Math.max(0, records - aliveIn(truth).length)
    await Promise.all(Array.from({ length: lacking }, () => truth.change('add')))
  }
  await door.manage('PUT', '/watches', { entities: { customer: { pollSeconds: 86_400, walkHours: 168 } } })
  return truths
}

/** One entity of an account, and its log. */
interface Place {
  truth: Truth
  accountId: string
  log: LoggedChange[]
  /** Reads on to the end of the log, or waits for the next change. */
  read(waitSeconds: number): Promise<void>
}
export async function createPlace(truth: Truth, door: FrontDoor): Promise<Place> {
  const { accountId } = truth.place
  const log: LoggedChange[] = []
  let cursor = ''
  async function read(waitSeconds: number): Promise<void> {
    for (;;) {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const reply = await door.once(`${accountId}/changes?pageSize=250${query}`, { prefer: `wait=${waitSeconds}` })
      const { status, body } = reply
      if (passes(reply) || (status === 409 && cursor === '')) {
        await sleep(100)
        continue
      }
      if (status !== 200) throw new Error(`${accountId}: ${status} ${JSON.stringify(body)}`)
      log.push(...body.data)
      cursor = body.pagination.cursor
      if (!body.pagination.hasMore) return
    }
  }
  await read(0)
  if (log.length > 0) throw new Error(`${accountId}: the log is not empty at the start`)
  return { truth, accountId, log, read }
}

/** Returns the number of changes that the log must have. */
async function changeRecords(truth: Truth, random: Random): Promise<number> {
  const alive = aliveIn(truth)
  const removed = truth.removes && alive.length > fewest && random.chance(0.3) ? random.pick(alive) : undefined
  const touched = alive.filter((id) => id !== removed && random.chance(0.8))
  await Promise.all([
    ...touched.map((id) => truth.change('touch', id)),
    truth.change('add'),
    ...(removed === undefined ? [] : [truth.change('remove', removed)]),
  ])
  return touched.length + 1
}
/** Walks, until the log has so many more changes. */
export async function readChanges({ truth, accountId, log, read }: Place, door: FrontDoor, more: number) {
  const wanted = log.length + more
  const walk = `/accounts/${accountId}/watches/${truth.place.entityType}/walk`
  const began = Date.now()
  for (let askedAt = 0; log.length < wanted; ) {
    if (Date.now() - began > longestMs) throw new Error(`the feed of ${accountId} is stuck`)
    // A walk that was under way can have missed some, and one can end with its process.
    if (Date.now() - askedAt > walkAgainMs) {
      await door.manage('POST', walk)
      askedAt = Date.now()
    }
    await read(1)
  }
}
/** No walk is under way or due, so the log stays as it is. */
async function untilQuiet({ truth, accountId, read }: Place, door: FrontDoor): Promise<void> {
  for (const deadline = Date.now() + longestMs; Date.now() < deadline; await sleep(100)) {
    const { body } = await door.get(`${accountId}/changes/status`)
    const { walk, deletesOnHold, waitingHints, nextWalkAt } = body.entities[truth.place.entityType]
    if (!walk && deletesOnHold === 0 && waitingHints === 0 && Date.parse(nextWalkAt) > Date.now()) return read(0)
  }
  throw new Error(`the feed of ${accountId} does not come to rest`)
}
export async function untilArrived(
  checkers: readonly Checker[],
  places: readonly Place[],
  patienceMs: number,
): Promise<void> {
  let before = -1
  for (let since = Date.now(); Date.now() - since < patienceMs; await sleep(200)) {
    const missing = checkers
      .flatMap((checker) => places.map(({ accountId, log }) => checker.missing(accountId, log).length))
      .reduce((sum, count) => sum + count, 0)
    if (missing === 0) return
    if (missing !== before) since = Date.now()
    before = missing
  }
}
