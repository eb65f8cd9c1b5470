// One chaos run of the change feed: records change behind the API's back while calls fail and processes are killed.
// Readers keep copies; everything that they read is compared with what happened at the simulators.
import { setTimeout as sleep } from 'node:timers/promises'
import { canonical } from '../../../src/engine/write/canonical.ts'
import { connectors } from '../../../src/platforms/registry.ts'
import type { Fault } from '../../../src/sandbox/simulator.ts'
import { createClient } from '../caller.ts'
import { createDisruptor, type Disruptor, describe } from '../disruptor.ts'
import { chaoticFaults, foreignFaults } from '../faults.ts'
import { type Instances, startInstances } from '../instances.ts'
import { createOperator } from '../operator.ts'
import { createRandom, type Random } from '../random.ts'
import { type SandboxProcess, startSandbox, type Tally } from '../sandbox-process.ts'
import { createFollower, differing, type Follower } from './follower.ts'
import { createFrontDoor, type FrontDoor } from './front-door.ts'
import { aliveIn, createTruth, type FeedPlace, type FeedViolation, placeName, type Truth } from './truth.ts'
import { createWriter } from './writer.ts'

export interface FeedChaosOptions {
  changes: number
  instances: number
  kills: number
  pauses?: number // SIGSTOP beyond the lease of a feed
  cuts?: number // an instance without its database beyond the lease, with PostgreSQL
  writes?: number // through the API
  interruptions?: number // accounts that are disabled for a moment, or lose their authorization
  seed: number
  platforms: readonly string[]
  perSecond?: number // changes
  pollSeconds?: number
  walkHours?: number
  databaseUrl?: string | undefined
  script?: string
  environment?: Record<string, string>
  faults?: readonly Fault[] // instead of all kinds on one call in five
  calmStart?: boolean // the faults begin when everything is copied
  entities?: readonly string[]
  say?(line: string): void
}
export interface FeedChaosResult {
  places: number
  accounts: number
  made: Record<'add' | 'touch' | 'remove' | 'written', number>
  counts: Follower['counts']
  violations: readonly FeedViolation[]
  tally: Tally
  kills: number
  pauses: number
  cuts: number
  reconnected: number
  disabled: number
  seconds: number
}
const paceScale = 0.002
/** Longer than the lease of a feed. */
const standstillMs = 32_000
/** So many records stay, for control reads. */
const fewest = 8

export async function runFeedChaos(options: FeedChaosOptions): Promise<FeedChaosResult> {
  const { seed, platforms } = options
  const random = createRandom(seed)
  const sandbox = await startSandbox({ seed, platforms, paceScale })
  let instances: Instances | undefined
  try {
    instances = await startInstances({ ...options, count: options.instances, sandboxUrl: sandbox.url, paceScale })
    return await changeAndCheck(options, sandbox, instances, random)
  } finally {
    await instances?.stop()
    await sandbox.stop()
  }
}

async function changeAndCheck(
  options: FeedChaosOptions,
  sandbox: SandboxProcess,
  instances: Instances,
  random: Random,
): Promise<FeedChaosResult> {
  const { platforms, say = () => {}, interruptions = 0 } = options
  const began = Date.now()
  const door = createFrontDoor(instances, random.fork('door'))
  const violations: FeedViolation[] = []
  const truths = await truthsOf(options, sandbox)
  const shows = new Map<Truth, Shows>()
  for (const truth of truths) shows.set(truth, await touchShows(truth, door))
  const begin = async () => {
    await sandbox.inject(platforms, options.faults ?? [...feedFaults(), ...chaoticFaults()])
    if (options.faults) return
    await sandbox.inject(platforms, foreignFaults())
    if (platforms.includes('square')) await sandbox.inject(['square'], squareFaults)
  }
  if (!options.calmStart) await begin()
  const { pollSeconds = 300, walkHours = 4 } = options
  const entities = [...new Set(truths.map(({ place }) => place.entityType))]
  const watches = Object.fromEntries(entities.map((entityType) => [entityType, { pollSeconds, walkHours }]))
  await door.manage('PUT', '/watches', { entities: watches })

  const followers = [...Map.groupBy(truths, ({ place }) => place.accountId)].map(([accountId, own]) =>
    createFollower({
      accountId,
      truths: own,
      door,
      random: random.fork(`follower of ${accountId}`),
      caughtUp: () => sandbox.tally(),
      violation(one) {
        violations.push(one)
        say(`${one.kind}: ${one.site}: ${one.detail}`)
      },
    }),
  )
  const operator = createOperator(instances, sandbox)
  let isCalm = false
  const attending = attend(followers, operator, () => isCalm)
  await Promise.all(followers.map((follower) => follower.begin()))
  if (options.calmStart) await begin()
  say(`${truths.length} entities of ${followers.length} accounts are copied after ${secondsSince(began)} s`)
  let isOver = false
  const following = Promise.all(followers.map((follower) => follower.follow(() => isOver)))
  let failure: unknown
  following.catch((error: unknown) => {
    failure = error
  })
  const hasFailed = () => failure !== undefined

  const { kills, pauses = 0, cuts = 0 } = options
  const disruptor = createDisruptor(
    { kills, pauses, cuts },
    options.changes,
    instances,
    random.fork('disruptions'),
    standstillMs,
  )
  const client = createClient(instances)
  const writer = createWriter({ truths, client, random: random.fork('writer'), failed: hasFailed })
  const made = { add: 0, touch: 0, remove: 0, written: 0 }
  const total = () => made.add + made.touch + made.remove
  const progress = setInterval(
    () =>
      say(
        `${total()} of ${options.changes} changes, ${sum(followers, 'changes')} reported, ${describe(disruptor)}, ${violations.length} violations, ${secondsSince(began)} s`,
      ),
    15_000,
  )
  let disabled = 0
  try {
    const writing = writer.run(options.writes ?? 0, () => total() / options.changes)
    const interrupting = interrupt(
      followers,
      door,
      random.fork('interruptions'),
      interruptions,
      () => total() / options.changes,
      () => {
        disabled++
      },
    )
    await changeAll(
      options,
      truths,
      shows,
      random.fork('changes'),
      disruptor,
      made,
      () => hasFailed() || disruptor.failed(),
    )
    await disruptor.finished()
    made.written = await writing
    await interrupting
  } finally {
    clearInterval(progress)
    isCalm = true
    await attending
  }
  const tally = await sandbox.tally()
  await sandbox.clearFaults(platforms)
  for (const { accountId } of followers) await operator.reconnect(accountId)
  say(`${total()} changes made after ${describe(disruptor)} and ${secondsSince(began)} s; checking`)
  await untilComplete(followers, truths, door, hasFailed, violations)
  isOver = true
  await following.catch(() => {})
  if (!hasFailed()) for (const follower of followers) await compare(follower, truths, door, sandbox, violations)
  for (const follower of followers) foreignWrites(follower, truths, violations)
  const counts = Object.fromEntries(
    Object.keys((followers[0] as Follower).counts).map((name) => [
      name,
      sum(followers, name as keyof Follower['counts']),
    ]),
  ) as unknown as Follower['counts']
  return {
    places: truths.length,
    accounts: followers.length,
    made,
    counts,
    violations,
    tally,
    ...disruptor.done(),
    disabled,
    reconnected: operator.reconnected(),
    seconds: (Date.now() - began) / 1000,
  }
}
const secondsSince = (time: number) => Math.round((Date.now() - time) / 1000)
const sum = (followers: readonly Follower[], name: keyof Follower['counts']) =>
  followers.reduce((all, { counts }) => all + counts[name], 0)

/** A platform that refuses, beside the faults of the writes. */
const feedFaults = (): Fault[] => [{ kind: 'forbidden', probability: 0.005 }]
const squareError = (status: number, code: string, probability: number): Fault => ({
  kind: 'foreign_before',
  status,
  body: { errors: [{ category: 'INVALID_REQUEST_ERROR', code, detail: code }] },
  probability,
})
/** Positions that have expired, and a withdrawn authorization. */
const squareFaults = [
  { ...squareError(400, 'INVALID_CURSOR', 0.02), method: 'GET', path: '/v2/customers' },
  squareError(401, 'ACCESS_TOKEN_REVOKED', 0.0005),
]

export async function truthsOf(options: Pick<FeedChaosOptions, 'entities'>, sandbox: SandboxProcess): Promise<Truth[]> {
  return (await sandbox.places()).flatMap((native) => {
    const { platform, vertical, entityType } = native
    const adapter = connectors[platform]?.entities[entityType]
    if (!adapter || (options.entities && !options.entities.includes(entityType))) return []
    const place: FeedPlace = {
      platform,
      vertical,
      entityType,
      accountId: `sandbox-${platform}-${vertical}`,
      polls: adapter.list.updatedAfter === 'platform',
      hasHorizon: adapter.list.horizonDays !== undefined,
    }
    return [createTruth(place, native, sandbox)]
  })
}

type Shows = 'always' | 'once' | 'never'
/** Whether a unified record shows that its native record was touched, once or again. */
export async function touchShows(truth: Truth, door: FrontDoor): Promise<Shows> {
  const { accountId, entityType } = truth.place
  const [id = aliveIn(truth)[0]] = (await truth.change('add'))?.appeared ?? [] // a merchant is one location
  if (id === undefined) throw new Error(`${placeName(truth.place)}: there is no record`)
  const read = async () => {
    const { status, body } = await door.get(`${accountId}/${entityType}/${encodeURIComponent(id)}`)
    if (status !== 200) throw new Error(`${placeName(truth.place)} ${id}: ${status} ${JSON.stringify(body)}`)
    return canonical(body.data)
  }
  const seen = [await read()]
  for (let touch = 0; touch < 2; touch++) {
    await truth.change('touch', id)
    seen.push(await read())
  }
  return seen[1] === seen[0] ? 'never' : seen[2] === seen[1] ? 'once' : 'always'
}

async function changeAll(
  { changes, perSecond = 60 }: FeedChaosOptions,
  truths: readonly Truth[],
  shows: ReadonlyMap<Truth, Shows>,
  random: Random,
  disruptor: Disruptor,
  made: Record<'add' | 'touch' | 'remove', number>,
  stopped: () => boolean,
): Promise<void> {
  const touched = new Set<string>()
  const count = () => made.add + made.touch + made.remove
  for (let due = Date.now(); count() < changes && !stopped(); due += 1000 / perSecond) {
    await disruptor.room()
    await sleep(Math.max(0, due - Date.now()))
    due = Math.max(due, Date.now() - 1000)
    const truth = random.pick(truths)
    const alive = aliveIn(truth)
    const wanted = random.pick(['add', 'add', 'add', 'touch', 'touch', 'touch', 'touch', 'remove', 'remove'] as const)
    const mayTouch = shows.get(truth) !== 'never' && alive.length > 0
    const mayRemove = truth.removes && alive.length > fewest
    const id = random.pick(alive.length > 0 ? alive : [''])
    if (wanted === 'touch' && mayTouch && !(shows.get(truth) === 'once' && touched.has(id))) {
      touched.add(id)
      if (await truth.change('touch', id)) made.touch++
    } else if (wanted === 'remove' && mayRemove && !(truth.place.hasHorizon && truth.lives.get(id)?.born === 0)) {
      if (await truth.change('remove', id)) made.remove++
    } else if ((await truth.change('add'))?.appeared.length) made.add++
    disruptor.notice(count())
  }
}

/** Accounts that lose their authorization are connected again. */
async function attend(
  followers: readonly Follower[],
  operator: { reconnect(accountId: string): Promise<void> },
  stopped: () => boolean,
): Promise<void> {
  while (!stopped()) {
    for (const { accountId } of followers) await operator.reconnect(accountId)
    await sleep(500)
  }
}
async function interrupt(
  followers: readonly Follower[],
  door: FrontDoor,
  random: Random,
  times: number,
  progress: () => number,
  onDisabled: () => void,
): Promise<void> {
  for (let number = 1; number <= times; number++) {
    while (progress() < number / (times + 1)) await sleep(50)
    const { accountId } = random.pick(followers)
    await door.manage('POST', `/accounts/${accountId}/disable`)
    await sleep(random.below(1500))
    await door.manage('POST', `/accounts/${accountId}/enable`)
    onDisabled()
  }
}

const longestCalmMs = 480_000
/** Walks everything, until every feed says that it is complete. */
export async function untilComplete(
  followers: readonly Follower[],
  truths: readonly Truth[],
  door: FrontDoor,
  failed: () => boolean,
  violations: FeedViolation[],
  patienceMs = longestCalmMs,
): Promise<void> {
  const end = Date.now()
  await sleep(1500) // the platform's clock is known to a second
  const behind = () =>
    truths.filter(({ place }) => {
      const follower = followers.find(({ accountId }) => accountId === place.accountId) as Follower
      const { modified = 0, all = 0 } = follower.until(place.entityType)
      return all <= end || (place.polls && modified <= end)
    })
  for (let round = 0; !failed(); round++) {
    const open = behind()
    if (open.length === 0) return
    if (Date.now() - end > patienceMs) {
      for (const { place } of open) {
        const { body } = await door.get(`${place.accountId}/changes/status`)
        const detail = JSON.stringify(body.entities?.[place.entityType] ?? body)
        violations.push({ kind: 'stuck', site: placeName(place), detail })
      }
      return
    }
    if (round % 20 === 0)
      for (const { place } of open)
        await door.manage('POST', `/accounts/${place.accountId}/watches/${place.entityType}/walk`)
    await sleep(250)
  }
}

/** The copy, what the list shows, and what the simulator has. */
export async function compare(
  follower: Follower,
  truths: readonly Truth[],
  door: FrontDoor,
  sandbox: SandboxProcess,
  violations: FeedViolation[],
): Promise<void> {
  for (const { place } of truths.filter(({ place: { accountId } }) => accountId === follower.accountId)) {
    const { platform, vertical, entityType } = place
    const missed = (detail: string) => violations.push({ kind: 'missed', site: placeName(place), detail })
    const copy = follower.copy(entityType)
    const listed = await door.list(place.accountId, entityType)
    const ids = new Set(await sandbox.ids(platform, vertical, entityType))
    for (const id of ids) if (!copy.has(id)) missed(`${id} is not in the copy`)
    for (const id of copy.keys()) if (!ids.has(id)) missed(`${id} is in the copy, and the platform does not have it`)
    for (const [id, record] of listed) {
      const held = copy.get(id)
      const found = held && differing(held.json, canonical(record))
      if (found) missed(`${id} has an older state in the copy: ${found}`)
    }
  }
}
function foreignWrites(follower: Follower, truths: readonly Truth[], violations: FeedViolation[]): void {
  for (const { place, written } of truths.filter(({ place: { accountId } }) => accountId === follower.accountId))
    for (const id of follower.written.get(place.entityType) ?? [])
      if (!written.has(id))
        violations.push({ kind: 'foreign write', site: placeName(place), detail: `${id}: no caller wrote it` })
}
