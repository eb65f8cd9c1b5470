// One chaos run: writes records on all platforms while calls fail and processes are killed, then checks the result.

import { setTimeout as sleep } from 'node:timers/promises'
import { entities } from '../../src/contract/entities/index.ts'
import { connectors } from '../../src/platforms/registry.ts'
import type { Fault } from '../../src/sandbox/simulator.ts'
import { blindSpots, unadmitted } from './blind-spots.ts'
import { type CallerOptions, createClient, type Outcome, persist } from './caller.ts'
import { check, type Violation } from './checker.ts'
import { createDisruptor, describe } from './disruptor.ts'
import { chaoticFaults, forcedFaults, foreignFaults } from './faults.ts'
import { type Instances, startInstances } from './instances.ts'
import { createOperator } from './operator.ts'
import { inParallel } from './parallel.ts'
import { type PlannedWrite, planWrites } from './plan.ts'
import { createRandom, type Random } from './random.ts'
import { type SandboxProcess, startSandbox, type Tally } from './sandbox-process.ts'
import { type Site, siteName, survey } from './survey.ts'
import { putRounds } from './updates.ts'

export interface ChaosOptions {
  writes: number
  instances: number
  kills: number
  pauses?: number // SIGSTOP beyond the lease
  cuts?: number // an instance without its database beyond the lease, with PostgreSQL
  updates?: number
  seed: number
  platforms: readonly string[]
  minutes?: number // then the faults end, and pending writes are retried
  calmMs?: number // how long writes are retried after that
  awaitSweep?: boolean // the journal must have nothing open in the end
  callers?: number
  databaseUrl?: string | undefined
  script?: string
  older?: string
  environment?: Record<string, string>
  faults?: readonly Fault[] // instead of all kinds on one call in five
  seen?(site: Site): Site // changes the survey
  say?(line: string): void
  /** Called after every settled write; the check waits for what it returns. */
  disrupt?(settled: number): Promise<void> | undefined
}
export interface ChaosResult {
  sites: readonly Site[]
  outcomes: readonly Outcome[]
  violations: readonly Violation[]
  responses: Readonly<Record<string, number>>
  tally: Tally
  kills: number
  pauses: number
  cuts: number
  reconnected: number
  seconds: number
}
const paceScale = 0.002
/** Longer than the service waits between two sweeps. */
const sweepMs = 16_000
/** How long writes are retried after the faults have ended: longer than a lease and any Retry-After. */
const calmMs = 180_000

export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const say = options.say ?? (() => {})
  const random = createRandom(options.seed)
  const sites = (await survey(options.platforms)).map(options.seen ?? ((site) => site))
  say(`${sites.length} kinds of records on ${options.platforms.length} platforms can be written`)
  const sandbox = await startSandbox({ seed: options.seed, platforms: options.platforms, paceScale })
  let instances: Instances | undefined
  try {
    instances = await startInstances({ ...options, count: options.instances, sandboxUrl: sandbox.url, paceScale })
    return await writeAndCheck(options, sites, sandbox, instances, random, say)
  } finally {
    await instances?.stop()
    await sandbox.stop()
  }
}

async function writeAndCheck(
  options: ChaosOptions,
  sites: Site[],
  sandbox: SandboxProcess,
  instances: Instances,
  random: Random,
  say: (line: string) => void,
): Promise<ChaosResult> {
  const began = Date.now()
  const seeded = await seededIds(sites, sandbox)
  const plan = planWrites(
    options.writes,
    sites,
    (site, type) => seeded.get(`${site.accountId} ${type}`),
    `CHAOS-${options.seed}`,
    random.fork('plan'),
    options.updates,
  )
  for (const { site, record } of plan)
    if (site.paysDue) record.orderExternalId = await sandbox.payable({ ...site, amount: record.amount })
  const before = await idsOf(sites, sandbox)
  const outcomes = new Map(
    plan.map((write): [PlannedWrite, Outcome] => [
      write,
      { write, ids: new Set(), created: 0, unknown: 0, attempts: 0, rounds: [], updates: 0 },
    ]),
  )
  const operator = createOperator(instances, sandbox)
  const client = createClient(instances)
  const responses: Record<string, number> = {}
  for (const platform of options.platforms) {
    const faults = options.faults ?? faultsOf(platform)
    await sandbox.inject([platform], options.faults ? faults : [...forcedFaults(faults), ...faults])
  }

  let settled = 0
  let end = Number.POSITIVE_INFINITY
  const calm = async () => {
    if (end !== Number.POSITIVE_INFINITY) return
    end = Date.now() + (options.calmMs ?? calmMs)
    await sandbox.clearFaults(options.platforms)
  }
  const clock = options.minutes === undefined ? undefined : setTimeout(() => void calm(), options.minutes * 60_000)
  const progress = setInterval(
    () =>
      say(`${settled} of ${plan.length} settled, ${describe(disruptor)}, ${Math.round((Date.now() - began) / 1000)} s`),
    15_000,
  )
  const { kills, pauses = 0, cuts = 0 } = options
  const disruptor = createDisruptor({ kills, pauses, cuts }, plan.length, instances, random.fork('disruptions'))

  const common: Omit<CallerOptions, 'random'> = {
    client,
    operator,
    onResponse: (status) => {
      responses[status] = (responses[status] ?? 0) + 1
    },
    stopped: () => Date.now() > end || disruptor.failed(),
  }
  const done = new Map<PlannedWrite, Promise<void>>()
  const disruptions: (Promise<void> | undefined)[] = []
  const write = async (planned: PlannedWrite): Promise<void> => {
    await disruptor.room()
    const outcome = outcomes.get(planned) as Outcome
    const known = () => planned.needs.every((need) => isSettled(outcomes.get(need.write) as Outcome))
    if (!planned.impatient) await Promise.all(planned.needs.map((need) => done.get(need.write)))
    await Promise.all(
      Array.from({ length: planned.copies }, (_, copy) =>
        persist(outcome, { ...common, random: random.fork(`${planned.number}/${copy}`) }, known),
      ),
    )
    if (outcome.id !== undefined && planned.rounds.length > 0)
      await putRounds(outcome, { ...common, random: random.fork(`${planned.number}/put`) })
    settled++
    disruptor.notice(settled)
    disruptions.push(options.disrupt?.(settled))
  }
  try {
    await inParallel(options.callers ?? 30, plan, (planned) => {
      const promise = write(planned)
      done.set(planned, promise)
      return promise
    })
    await disruptor.finished()
    await Promise.all(disruptions)
  } finally {
    clearTimeout(clock)
    clearInterval(progress)
  }
  const tally = await sandbox.tally()
  await calm()
  say(
    `all ${plan.length} settled after ${describe(disruptor)} and ${Math.round((Date.now() - began) / 1000)} s; checking`,
  )
  for (const { accountId } of sites) await operator.reconnect(accountId)
  const open = options.awaitSweep ? await leftOpen(instances) : 0
  const violations = await check({
    outcomes: [...outcomes.values()],
    sites,
    client,
    random: random.fork('check'),
    before: (site) => before.get(siteName(site)) ?? [],
    now: ({ platform, vertical, entityType }) => sandbox.ids(platform, vertical, entityType),
  })
  const spots = blindSpots({ sites, outcomes: [...outcomes.values()], tally })
  return {
    sites,
    outcomes: [...outcomes.values()],
    violations: [
      ...violations,
      ...unadmitted(spots, disruptor.done().kills),
      ...(open > 0 ? [{ kind: 'lost', site: 'journal', detail: `${open} writes stay open` } as const] : []),
    ],
    responses,
    tally,
    ...disruptor.done(),
    reconnected: operator.reconnected(),
    seconds: (Date.now() - began) / 1000,
  }
}

/** How many writes the journal still has open when the sweep had time for all of them. */
async function leftOpen(instances: Instances): Promise<number> {
  for (let sweep = 1; ; sweep++) {
    await sleep(sweepMs)
    const metrics = await (await fetch(`${instances.url(0)}/metrics`)).text()
    const states = [...metrics.matchAll(/^unified_journal_open\{.*\} (\d+)$/gm)]
    if (states.length === 0) throw new Error('the service reports no unified_journal_open')
    const open = states.reduce((sum, [, count]) => sum + Number(count), 0)
    if (open === 0 || sweep === 20) return open
  }
}

/** All kinds, each on some of the calls. */
export const faultsOf = (platform: string): Fault[] => [
  ...chaoticFaults(),
  ...(connectors[platform]?.shapes === undefined ? [] : foreignFaults()),
]
const isSettled = ({ id, refusal }: Outcome) => id !== undefined || refusal !== undefined

async function idsOf(sites: readonly Site[], sandbox: SandboxProcess): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>()
  for (const site of sites) ids.set(siteName(site), await sandbox.ids(site.platform, site.vertical, site.entityType))
  return ids
}

/** The first record of each kind that is referenced but cannot be written, by account and entity type. */
async function seededIds(sites: readonly Site[], sandbox: SandboxProcess): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { platform, vertical, accountId, references } of sites) {
    for (const { type } of references) {
      if (entities[type].linked || sites.some((site) => site.accountId === accountId && site.entityType === type))
        continue
      const [first] = await sandbox.ids(platform, vertical, type)
      if (first) ids.set(`${accountId} ${type}`, first)
    }
  }
  return ids
}
