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
  restarts?: number // SIGTERM, then a new process
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
  endpoints: { name: string; expected: number; counts: Checker['counts'] }[]
  faults: Record<string, number>
  kills: number
  pauses: number
  restarts: number
  violations: readonly DeliveryViolation[]
  seconds: number
}
const paceScale = 0.002
/** Longer than the lease of an endpoint. */
const standstillMs = 32_000
const longestMs = 240_000
const fewest = 8
/** Each record changes several times. */
const fewestRounds = 3

export async function runDeliveryChaos(options: DeliveryChaosOptions): Promise<DeliveryChaosResult> {
  const { seed, platforms = ['square', 'woocommerce', 'bigcommerce'] } = options
  const random = createRandom(seed)
  const sandbox = await startSandbox({ seed, platforms, paceScale })
  let instances: Instances | undefined
  const receivers = await startReceivers(random.fork('receivers'))
  try {
    // The walks must not be the limit of a run.
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

const plansOf = (accounts: readonly string[]): EndpointPlan[] => {
  const all = ['customer.*']
  const common = { events: all, data: 'full', format: 'standard', coalesce: false } as const
  return [
    { ...common, events: all, name: 'full' },
    { ...common, events: all, name: 'thin', data: 'thin' },
    { ...common, events: all, name: 'coalesce', coalesce: true },
    { ...common, events: all, name: 'cloudevents', format: 'cloudevents' },
    { ...common, events: ['customer.updated'], name: 'filtered', accounts: accounts.slice(0, 1) },
  ]
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
  const accounts = truths.map(({ place }) => place.accountId)
  const readers = await Promise.all(accounts.map((accountId) => createLogReader(accountId, door)))

  const violations: DeliveryViolation[] = []
  const checkers: Checker[] = []
  for (const plan of plansOf(accounts)) {
    const { name, ...settings } = plan
    const checker = createChecker(plan, (one) => void violations.push(one))
    const { status, body } = await door.manage('POST', '/webhook-endpoints', {
      ...settings,
      url: receivers.url(name),
      concurrency: 32,
    })
    if (status !== 201) throw new Error(`the endpoint is refused: ${JSON.stringify(body)}`)
    receivers.add(name, body.secret, checker)
    checkers.push(checker)
  }
  say(`${checkers.length} endpoints, ${accounts.length} accounts after ${seconds()} s`)

  const disruptor = createDisruptor(
    { kills, pauses, cuts: 0 },
    events,
    instances,
    random.fork('disruptions'),
    standstillMs,
  )
  const arrived = () => checkers.reduce((sum, { counts }) => sum + counts.first, 0)
  const logged = () => readers.reduce((sum, { log }) => sum + log.length, 0)
  const status = () =>
    `${logged()} changes, ${arrived()} of ${events} events have arrived, ${describe(disruptor)}, ${violations.length} violations, ${seconds()} s`
  const progress = setInterval(() => say(status()), 15_000)
  const noticing = setInterval(() => disruptor.notice(arrived()), 20)
  let restarts = 0
  try {
    for (let round = 1; (arrived() < events || round <= fewestRounds) && !disruptor.failed(); round++) {
      await disruptor.room()
      await changeRecords(truths, random)
      await readChanges(truths, readers, door)
      // The deliveries may lag behind the log, but not without a limit.
      while (logged() * checkers.length - arrived() > 20_000 && !disruptor.failed()) await sleep(50)
      if (restarts < (options.restarts ?? 0) && arrived() > (events * (restarts + 1)) / ((options.restarts ?? 0) + 2))
        await instances.replace(restarts++ % instances.count, 0, 'SIGTERM')
      if (seconds() * 1000 > 20 * longestMs) throw new Error(`no end: ${status()}`)
    }
    await disruptor.finished()
    receivers.calm()
    say(`${status()}; waiting for the rest`)
    await readChanges(truths, readers, door)
    await untilArrived(checkers, readers, options.patienceMs ?? longestMs)
  } finally {
    clearInterval(progress)
    clearInterval(noticing)
  }
  const logs = new Map(readers.map(({ accountId, log }) => [accountId, log]))
  for (const checker of checkers) checker.finish(logs)
  const { cuts: _, ...disrupted } = disruptor.done()
  return {
    accounts: accounts.length,
    changes: logged(),
    endpoints: checkers.map(({ plan, counts, expected }) => ({ name: plan.name, counts, expected: expected(logs) })),
    faults: receivers.faults,
    ...disrupted,
    restarts,
    violations,
    seconds: (Date.now() - began) / 1000,
  }
}

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

interface LogReader {
  accountId: string
  log: LoggedChange[]
  completeUntil(): number
  read(): Promise<void>
}
async function createLogReader(accountId: string, door: FrontDoor): Promise<LogReader> {
  const log: LoggedChange[] = []
  let cursor = ''
  let all = 0
  async function read(): Promise<void> {
    for (;;) {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const reply = await door.once(`${accountId}/changes?pageSize=250${query}`, { prefer: 'wait=0' })
      const { status, body } = reply
      if (passes(reply) || (status === 409 && cursor === '')) {
        await sleep(100)
        continue
      }
      if (status !== 200) throw new Error(`${accountId}: ${status} ${JSON.stringify(body)}`)
      log.push(...body.data)
      cursor = body.pagination.cursor
      if (body.pagination.hasMore) continue
      all = Date.parse(body.completeUntil?.customer?.all ?? '') || 0
      return
    }
  }
  await read()
  if (log.length > 0) throw new Error(`${accountId}: the log is not empty at the start`)
  return { accountId, log, read, completeUntil: () => all }
}

async function changeRecords(truths: readonly Truth[], random: Random): Promise<void> {
  for (const truth of truths) {
    const alive = aliveIn(truth)
    await Promise.all(alive.filter(() => random.chance(0.8)).map((id) => truth.change('touch', id)))
    await truth.change('add')
    if (truth.removes && alive.length > fewest && random.chance(0.3)) await truth.change('remove', random.pick(alive))
  }
}
/** Walks everything, until the log has all changes so far. */
async function readChanges(truths: readonly Truth[], readers: readonly LogReader[], door: FrontDoor): Promise<void> {
  const end = Date.now()
  for (let look = 0; ; look++) {
    const behind = readers.filter((reader) => reader.completeUntil() <= end)
    if (behind.length === 0) return
    if (Date.now() - end > longestMs)
      throw new Error(`the feed of ${behind.map(({ accountId }) => accountId)} is stuck`)
    for (const { accountId } of behind) {
      const place = truths.find((truth) => truth.place.accountId === accountId)?.place
      if (look % 20 === 0) await door.manage('POST', `/accounts/${accountId}/watches/${place?.entityType}/walk`)
    }
    await Promise.all(behind.map((reader) => reader.read()))
    await sleep(100)
  }
}
async function untilArrived(
  checkers: readonly Checker[],
  readers: readonly LogReader[],
  patienceMs: number,
): Promise<void> {
  let before = -1
  for (let since = Date.now(); Date.now() - since < patienceMs; await sleep(100)) {
    const missing = checkers
      .flatMap((checker) => readers.map(({ accountId, log }) => checker.missing(accountId, log).length))
      .reduce((sum, count) => sum + count, 0)
    if (missing === 0) return
    if (missing !== before) since = Date.now()
    before = missing
  }
}
