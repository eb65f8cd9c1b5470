// The change feed of one account in cases that are chosen, not drawn: each is what one safeguard is for.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../../../src/sandbox/simulator.ts'
import { type Instances, startInstances } from '../instances.ts'
import { createRandom } from '../random.ts'
import { type SandboxProcess, startSandbox } from '../sandbox-process.ts'
import { createFollower, type Follower } from './follower.ts'
import { createFrontDoor, type FrontDoor } from './front-door.ts'
import { compare, truthsOf, untilComplete } from './run.ts'
import type { FeedViolation, Truth } from './truth.ts'

export interface ScenarioOptions {
  databaseUrl?: string | undefined
  script?: string
  environment?: Record<string, string>
}
interface Scenario {
  sandbox: SandboxProcess
  instances: Instances
  door: FrontDoor // to the last instance
  truth: Truth
  follower: Follower
  inject(...faults: Fault[]): Promise<void>
  clear(): Promise<void>
  /** The state of the watch, as its status shows it. */
  // biome-ignore lint/suspicious/noExplicitAny: any part of the status
  status(): Promise<any>
  /** Walks now, if no walk is under way, and waits for its end. */
  walk(): Promise<void>
  until(what: string, look: () => Promise<unknown> | unknown): Promise<void>
  violation(violation: FeedViolation): void
}
interface Case {
  platform: string
  vertical: 'retail_pos' | 'restaurant'
  entityType: 'customer' | 'product'
  records: number
  instances?: number
  environment?: Record<string, string>
  run(scenario: Scenario): Promise<void>
  /** The cursor must expire. */
  expires?: true
}
const paceScale = 0.002
const patienceMs = 120_000

async function runCase(one: Case, options: ScenarioOptions): Promise<FeedViolation[]> {
  const { platform, vertical, entityType, records, instances: count = 1 } = one
  const sandbox = await startSandbox({ seed: 1, platforms: [platform], paceScale })
  const violations: FeedViolation[] = []
  const violation = (found: FeedViolation) => void violations.push(found)
  let instances: Instances | undefined
  try {
    const environment = { ...one.environment, ...options.environment }
    instances = await startInstances({ ...options, environment, count, sandboxUrl: sandbox.url, paceScale })
    const door = createFrontDoor(instances, createRandom(1), count - 1)
    const known = await truthsOf({ entities: [entityType] }, sandbox)
    const truth = known.find(({ place }) => place.vertical === vertical) as Truth
    const { accountId } = truth.place
    while (truth.lives.size < records) await truth.change('add')
    await door.manage('PUT', `/accounts/${accountId}/watches/${entityType}`, { pollSeconds: 86_400, walkHours: 168 })
    const follower = createFollower({
      accountId,
      truths: [truth],
      door,
      random: createRandom(2),
      waitSeconds: 0,
      caughtUp: () => sandbox.tally(),
      violation,
    })
    await follower.begin()
    let isOver = one.expires ?? false
    let failure: unknown
    const following = one.expires
      ? undefined
      : follower
          .follow(() => isOver)
          .catch((error: unknown) => {
            failure = error
          })
    const status = async () => (await door.get(`${accountId}/changes/status`)).body.entities[entityType]
    const until: Scenario['until'] = async (what, look) => {
      for (const deadline = Date.now() + patienceMs; !(await look()); await sleep(25))
        if (Date.now() > deadline) throw new Error(`never happened: ${what}; ${JSON.stringify(await status())}`)
    }
    await one.run({
      sandbox,
      instances,
      door,
      truth,
      follower,
      inject: (...faults) => sandbox.inject([platform], faults),
      clear: () => sandbox.clearFaults([platform]),
      status,
      async walk() {
        const before = Date.now()
        await door.manage('POST', `/accounts/${accountId}/watches/${entityType}/walk`)
        await until('a walk ends', async () => {
          const { walk, lastWalk } = await status()
          return !walk && lastWalk && Date.parse(lastWalk.endedAt) > before
        })
      },
      until,
      violation,
    })
    await sandbox.clearFaults([platform])
    if (one.expires) return violations
    await untilComplete([follower], [truth], door, () => failure !== undefined, violations, 60_000)
    isOver = true
    await following
    if (!failure) await compare(follower, [truth], door, sandbox, violations)
    return violations
  } finally {
    await instances?.stop()
    await sandbox.stop()
  }
}

const place = { platform: 'square', vertical: 'retail_pos', entityType: 'customer', records: 130 } as const
/** The second page of the list is empty and the last one. Square leaves empty lists out. */
const lostPage: Fault = {
  kind: 'foreign_after',
  method: 'GET',
  path: '/v2/customers',
  status: 200,
  body: {},
  times: 1,
  skip: 1,
}

const cases = {
  /** A walk that ends too early proves nothing. */
  'a lost page': {
    ...place,
    async run({ inject, walk }) {
      await inject(lostPage)
      await walk()
    },
  },
  /** Records that are no longer found are not deleted if others are not found either. */
  'nothing is found': {
    ...place,
    async run({ inject, walk, until, status, clear, follower }) {
      const body = { errors: [{ category: 'INVALID_REQUEST_ERROR', code: 'NOT_FOUND', detail: 'none' }] }
      const missing: Fault = { kind: 'foreign_before', method: 'GET', path: '/v2/customers/', status: 404, body }
      await inject(missing, lostPage)
      await walk()
      await until('the proofs fail', async () => {
        const { lastError } = await status()
        return lastError?.inARow > 1 || follower.counts.deletes > 0
      })
      await clear()
    },
  },
  /** A record that is deleted while no list shows it. */
  'removed while unlisted': {
    ...place,
    async run({ inject, walk, truth, until, status }) {
      await inject(lostPage)
      await walk()
      await until('all records are read by id', async () => (await status()).deletesOnHold === 0)
      const id = [...truth.lives.keys()].at(-1)
      await truth.change('remove', id)
    },
  },
  /** A process that stood still has read a page that is no longer true. Another one has the feed by then. */
  standstill: {
    platform: 'clover',
    vertical: 'restaurant',
    entityType: 'customer',
    records: 12,
    instances: 2,
    environment: { CALL_TIMEOUT_MS: '60000' },
    async run({ sandbox, instances, truth, inject, until, door, follower }) {
      const { platform, accountId, entityType } = truth.place
      const walk = `/accounts/${accountId}/watches/${entityType}/walk`
      const id = [...truth.lives.keys()].at(-1)
      instances.pause(1)
      await inject({ kind: 'stall', method: 'GET', path: '/customers', times: 1, delayMs: 1500 })
      await createFrontDoor(instances, createRandom(3), 0).manage('POST', walk)
      await until('the page is read', async () => (await sandbox.pendingFaults(platform)) === 0)
      instances.pause(0)
      await truth.change('touch', id)
      instances.resume(1)
      await door.manage('POST', walk) // takes the feed from its holder
      await until('the other instance reports the change', () => follower.counts.changes > 0)
      instances.resume(0)
      await sleep(4000) // the first one stores its page, or stops
    },
  },
  /** The records of the business before were not deleted. */
  'another business': {
    platform: 'woocommerce',
    vertical: 'retail_pos',
    entityType: 'customer',
    records: 20,
    expires: true,
    async run({ sandbox, truth, door, until, violation, status }) {
      const { platform, vertical, accountId, entityType } = truth.place
      const { body: first } = await door.get(`${accountId}/changes`)
      const account = `/accounts/${accountId}`
      await door.manage('POST', `${account}/disable`)
      for (const id of [...truth.lives.keys()].slice(0, 3))
        await sandbox.change({ platform, vertical, entityType, operation: 'remove', id })
      const settings = { shop: 'another-shop.example.com' }
      const changed = await door.manage('PATCH', `${account}?test=false`, { settings })
      if (changed.status !== 200) throw new Error(`the shop is not changed: ${JSON.stringify(changed.body)}`)
      await door.manage('POST', `${account}/enable`)
      await until('the cursor expires, or deletes are reported', async () => {
        const cursor = encodeURIComponent(first.pagination.cursor)
        const { status: code, body } = await door.get(`${accountId}/changes?cursor=${cursor}`)
        if (code === 410) return true
        const deleted = (body.data as { operation: string; externalId: string }[] | undefined)?.find(
          ({ operation }) => operation === 'deleted',
        )
        if (deleted)
          violation({
            kind: 'false delete',
            site: `${platform} ${vertical} ${entityType}`,
            detail: `${deleted.externalId} of the business before`,
          })
        else if ((await status()).phase === 'ready') await door.manage('POST', `${account}/watches/${entityType}/walk`)
        return deleted !== undefined
      })
    },
  },
} satisfies Record<string, Case>
export type CaseName = keyof typeof cases
export const feedCases = Object.keys(cases) as CaseName[]

export const runFeedCase = (name: CaseName, options: ScenarioOptions): Promise<FeedViolation[]> =>
  runCase(cases[name], options)
