// What is promised of every job of the catalog: an instance that stands still, dies, loses its database or is shut
// down in the middle of the work leaves it to the next one, and nothing is done twice.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type JobName, jobNames } from '../../src/jobs/jobs.ts'
import { simulators } from '../../src/platforms/simulators.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts'
import { type Receiver, startReceiver } from '../deliveries/receiver.ts'
import { type HookedPlatform, hookedPlatform, registered } from '../platform-webhooks/platform-with-webhooks.ts'
import { createTestDatabase, storeKinds, type TestDatabase } from '../store-on.ts'
import { quiet, until } from '../until.ts'
import { type Case, cases, type Prepared, type World } from './cases.ts'
import { type Instance, openInstance, vault } from './instance.ts'

it('every job of the catalog has a case here', () => {
  expect(Object.keys(cases).toSorted()).toEqual(jobNames.toSorted())
})

let sandbox: Sandbox
let platform: HookedPlatform
beforeAll(async () => {
  platform = hookedPlatform(registered)
  sandbox = await createSandbox({
    simulators: { ...platform.simulators, clover: simulators.clover! },
    size: 'small',
    paceScale: 0.001,
    strict: false,
  })
})
afterAll(() => sandbox.close())

let accounts = 0
describe.each(storeKinds)('on %s', (kind) => {
  let database: TestDatabase
  let receiver: Receiver
  const open: (Instance & { close(): Promise<void> })[] = []
  beforeEach(async () => {
    database = await createTestDatabase(kind)
    receiver = await startReceiver()
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await Promise.all(open.map((instance) => instance.close()))
    open.length = 0
    await receiver.close()
    await database.remove()
  })

  async function worldOf(job: JobName): Promise<World> {
    const store = await database.open(vault)
    await store.migrate()
    await store.workspaces.create({ id: 'w', name: 'Workspace' })
    return {
      store,
      sandbox,
      platform,
      receiver,
      async open() {
        const opened = await database.open(vault)
        const { connectors } = platform
        const instance = openInstance({ id: `instance ${open.length}`, job, opened, sandbox, connectors })
        open.push(instance)
        return instance
      },
      async account(name) {
        const tenant = sandbox.simulator(name).tenants.find(({ vertical }) => vertical === 'restaurant')!
        const account = await store.accounts.create({
          ...{ id: `${name}-${++accounts}`, workspaceId: 'w', platform: name, vertical: 'restaurant', name },
          ...{
            state: 'active',
            auth: 'oauth2',
            settings: { ...tenant.settings },
            credentials: { ...tenant.credentials },
          },
        })
        return account === 'exists' ? expect.fail('the account exists') : account
      },
      done: () => open.flatMap(({ hands }) => hands.done),
      turns: () => open.reduce((all, instance) => all + instance.turns(), 0),
    }
  }
  /** An instance in the middle of the work, and another one that has nothing to do yet. */
  async function inTheMiddle(job: JobName) {
    const one: Case = cases[job] ?? expect.fail(`${job} has no case`)
    const world = await worldOf(job)
    const prepared = await one.prepare(world)
    const first = await world.open()
    first.hands.stopAt(prepared.gate)
    await until('the first instance in the middle of its work', () => {
      first.loop.wake()
      return first.hands.hasStopped()
    })
    return { one, world, prepared, first, next: await world.open() }
  }
  const finish = ({ loop }: Instance, { isDone }: Prepared) =>
    until('it is done', () => {
      loop.wake()
      return isDone()
    })
  /** What the clocks of a process show that stood still. */
  function moveClocks(): void {
    const { now } = Date
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000)
  }
  /** The leases run out in the database. */
  const expire = ({ store }: World) => store.endLeases()

  describe.each(jobNames)('%s', (job) => {
    it('are done once when an instance stands still beyond its lease', async () => {
      const { one, world, prepared, first, next } = await inTheMiddle(job)
      await expire(world)
      await finish(next, prepared)
      await next.loop.close()
      moveClocks()
      const before = await prepared.state?.()
      const sent = [...first.hands.sent]
      first.endWhenLost()
      first.hands.goOn()
      if (!one.unleased) await until('it says that its lease is lost', () => first.lost() > 0)
      await first.loop.close()
      expect(first.lost()).toBe(one.unleased ? 0 : 1)
      expect(first.hands.sent).toEqual(sent)
      expect(await prepared.state?.()).toEqual(before)
      expect(await prepared.count?.()).toBeOneOf([1, undefined])
      expect([...first.errors, ...next.errors]).toEqual([])
    })

    it('are taken up when an instance dies', async () => {
      const { world, prepared, first, next } = await inTheMiddle(job)
      first.hands.kill()
      await expire(world)
      await finish(next, prepared)
      expect(await prepared.count?.()).toBeOneOf([1, undefined])
      expect(next.errors).toEqual([])
    })

    it('go on when the database was away', async () => {
      const { one, world, prepared, first } = await inTheMiddle(job)
      first.hands.databaseAway(true)
      first.hands.goOn()
      if (one.waitsForDatabase) moveClocks()
      await until('the turn has ended', () => first.turns() > 0)
      const calls = first.hands.calls.length
      await quiet(100)
      expect(first.hands.calls.length - calls, 'it must not ask again and again').toBeLessThan(5)
      first.hands.databaseAway(false)
      await expire(world)
      first.loop.wake()
      const next = await world.open()
      await finish(next, prepared)
      const count = (await prepared.count?.()) ?? 1
      expect(count).toBe(one.repeatsWithoutDatabase ? 2 : 1)
    })

    it('are left to the next one when an instance is shut down', async () => {
      const { prepared, first, next } = await inTheMiddle(job)
      const closed = first.loop.close()
      first.hands.goOn()
      await closed
      await finish(next, prepared)
      expect(await prepared.count?.()).toBeOneOf([1, undefined])
      expect([...first.errors, ...next.errors]).toEqual([])
    })
  })
})
