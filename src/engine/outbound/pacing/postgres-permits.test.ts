// Concurrent calls of one account at several instances over one database, on a clock that the test moves.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FakeProcess, FakeTime } from '../../../../test/fake-time.ts'
import { createPacingDatabase, type PacingDatabase } from '../../../../test/pacing-database.ts'
import { createPacer, type Pacer } from './pacer.ts'
import { createPostgresSlots } from './postgres-slots.ts'

const rates = [{ requests: 100, seconds: 1 }]
let database: PacingDatabase
let time: FakeTime
let accounts = 0
let owner: string
beforeAll(async () => {
  database = await createPacingDatabase()
})
afterAll(() => database.close())
beforeEach(() => {
  time = new FakeTime()
  owner = `account-${++accounts}`
  underWay = most = 0
})

interface Instance {
  process: FakeProcess
  pacer: Pacer
  calls: number // that began
  reports: number
  /** Undefined: the database responds. 'before' and 'after': the connection breaks before or after a report arrives. */
  broken?: () => 'before' | 'after' | undefined
  reportMs?: number // how long the response to a report takes
}
let underWay = 0 // at the platform, of all instances
let most = 0

function start(instances: number): Instance[] {
  return Array.from({ length: instances }, () => {
    const process = new FakeProcess(time)
    const pacing = database.pacingOf(process)
    const source = createPostgresSlots({
      clock: process,
      scale: 1,
      pacing: {
        ...pacing,
        async sharePermits(...report) {
          instance.reports++
          const broken = instance.broken?.()
          if (broken === 'before') throw new Error('no database')
          const permits = await pacing.sharePermits(...report)
          if (instance.reportMs)
            await new Promise<void>((resolve) => process.after(instance.reportMs as number, resolve))
          if (broken === 'after') throw new Error('no database')
          return permits
        },
      },
    })
    const instance: Instance = { process, pacer: createPacer(source, process), calls: 0, reports: 0 }
    return instance
  })
}
/** One call. Resolves when it has ended, or was refused. */
async function callOnce(
  instance: Instance,
  { concurrency, responseMs, maxWaitMs = 1e9 }: { concurrency: number; responseMs: number; maxWaitMs?: number },
): Promise<'sent' | 'refused'> {
  const { process, pacer } = instance
  const limits = { owner, rates, concurrency }
  const call = {}
  const outcome = await pacer.take({ ...limits, caller: 'x', maxWaitMs, call })
  if ('wouldWaitMs' in outcome) return 'refused'
  instance.calls++
  most = Math.max(most, ++underWay)
  pacer.sent(limits, call)
  await new Promise<void>((resolve) => process.after(responseMs, resolve))
  underWay--
  pacer.responded(limits, call)
  pacer.release(limits, call)
  return 'sent'
}
/** Callers that always want one more call, at one instance. */
function keepCalling(instance: Instance, concurrency: number, callers: number, responseMs: () => number): void {
  for (let caller = 0; caller < callers; caller++) {
    void (async () => {
      for (;;) {
        const pause = new Promise<void>((resolve) => instance.process.after(10, resolve))
        await callOnce(instance, { concurrency, responseMs: responseMs() }).catch(() => pause)
      }
    })()
  }
}
const callsOf = (instances: readonly Instance[]) => instances.reduce((sum, { calls }) => sum + calls, 0)

describe('several instances', () => {
  it.each([
    [1, 5],
    [3, 5],
    [4, 5],
    [4, 2],
    [3, 1],
  ])(
    '%i with many callers have at most %i calls under way, use them, and all get a share',
    async (count, concurrency) => {
      const instances = start(count)
      for (const instance of instances) keepCalling(instance, concurrency, 8, () => 200)
      await time.advance(8_000)
      expect(most).toBe(concurrency)
      const possible = concurrency * (8_000 / 200)
      expect(callsOf(instances) / possible).toBeGreaterThan(count > concurrency ? 0.6 : 0.85)
      const share = callsOf(instances) / count
      for (const { calls } of instances) expect(calls).toBeGreaterThan(share * 0.4)
    },
  )
  it('return a permit soon after its call: a single caller moves from one to the other', async () => {
    const instances = start(2)
    let ended = 0
    void (async () => {
      for (;;) {
        await callOnce(instances[ended % 2] as Instance, { concurrency: 1, responseMs: 100 })
        ended++
      }
    })()
    await time.advance(10_000)
    expect(ended).toBeGreaterThan(45)
  })
  it.each([1, 2])('stay below the limit with a slow and broken database and pauses (%i)', async (seed) => {
    let state = seed
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state / 2 ** 32
    }
    const instances = start(3)
    for (const instance of instances) {
      instance.process.answerMs = Math.floor(random() * 40)
      instance.broken = () => (random() < 0.1 ? 'before' : random() < 0.1 ? 'after' : undefined)
      keepCalling(instance, 5, 6, () => 20 + random() * 1_000)
    }
    for (let pause = 0; pause < 9; pause++) {
      const { process } = instances[pause % 3] as Instance
      await time.advance(random() * 500)
      process.paused = true
      await time.advance(random() * 4_000)
      process.paused = false
    }
    expect(most).toBe(5)
    for (const { calls } of instances) expect(calls).toBeGreaterThan(10)
  })
  it('use no permit that they have just returned', async () => {
    const [slow, other] = start(2) as [Instance, Instance]
    for (let call = 0; call < 5; call++) void callOnce(slow, { concurrency: 5, responseMs: 1_000 })
    await time.advance(1_020) // all have ended
    slow.reportMs = 500
    await time.advance(50) // it returns its permits, and waits for the response
    for (const instance of [slow, other])
      for (let call = 0; call < 5; call++) void callOnce(instance, { concurrency: 5, responseMs: 1_000 })
    await time.advance(10_000)
    expect(most).toBe(5)
    expect(callsOf([slow, other])).toBe(15)
  })
  it('get the permits of one that was killed ten seconds later', async () => {
    const [killed, other] = start(2) as [Instance, Instance]
    for (let call = 0; call < 3; call++) void callOnce(killed, { concurrency: 5, responseMs: 1e9 })
    await time.advance(1_000)
    killed.process.paused = true
    keepCalling(other, 5, 8, () => 100)
    await time.advance(9_000)
    expect(most).toBe(5) // three of them at the platform, as far as anyone knows
    underWay -= 3
    most = 0
    await time.advance(4_000)
    expect(most).toBe(5)
  })
  it('get the permits of one that was shut down at once', async () => {
    const [stopped, other] = start(2) as [Instance, Instance]
    for (let call = 0; call < 5; call++) void callOnce(stopped, { concurrency: 5, responseMs: 1_000 })
    await time.advance(1_010) // its calls have ended; it has not reported that yet
    void stopped.pacer.close()
    await time.advance(1)
    stopped.process.paused = true
    const next = callOnce(other, { concurrency: 5, responseMs: 1, maxWaitMs: 100 })
    await time.advance(200)
    expect(await next).toBe('sent')
  })
  it('begin no call with permits that they could not renew', async () => {
    const [cut, other] = start(2) as [Instance, Instance]
    keepCalling(cut, 5, 8, () => 300)
    await time.advance(1_000)
    cut.broken = () => 'before'
    await time.advance(5_000)
    const { calls } = cut
    await time.advance(10_000)
    expect(cut.calls).toBe(calls)
    expect(underWay).toBe(0)
    keepCalling(other, 5, 8, () => 300)
    await time.advance(3_000)
    cut.broken = () => undefined
    await time.advance(3_000)
    expect(cut.calls).toBeGreaterThan(calls)
    expect(most).toBe(5)
  })
})

describe('a request', () => {
  it('that may not wait is sent while a permit is free, also if the database takes a moment', async () => {
    const [instance] = start(1) as [Instance]
    instance.process.answerMs = 5
    const asked = callOnce(instance, { concurrency: 5, responseMs: 1, maxWaitMs: 0 })
    await time.advance(1_000)
    expect(await asked).toBe('sent')
  })
  it('is refused at its deadline while other instances have all permits', async () => {
    const [busy, other] = start(2) as [Instance, Instance]
    for (let call = 0; call < 2; call++) void callOnce(busy, { concurrency: 2, responseMs: 5_000 })
    await time.advance(500)
    const outcomes: unknown[] = []
    void callOnce(other, { concurrency: 2, responseMs: 1, maxWaitMs: 1_000 }).then((outcome) => outcomes.push(outcome))
    await time.advance(900)
    expect(outcomes).toEqual([])
    await time.advance(200)
    expect(outcomes).toEqual(['refused'])
    void callOnce(other, { concurrency: 2, responseMs: 1, maxWaitMs: 10_000 }).then((outcome) => outcomes.push(outcome))
    await time.advance(4_000)
    expect(outcomes).toEqual(['refused', 'sent'])
  })
  it('fails when the database does, and the next one is sent when it is back', async () => {
    const [instance] = start(1) as [Instance]
    instance.broken = () => 'before'
    const failed = expect(callOnce(instance, { concurrency: 5, responseMs: 1 })).rejects.toThrow('no database')
    await time.advance(100)
    await failed
    instance.broken = () => undefined
    const sent = callOnce(instance, { concurrency: 5, responseMs: 1 })
    await time.advance(100)
    expect(await sent).toBe('sent')
  })
})

it('an idle account leaves nothing in the database and asks nothing', async () => {
  const [instance] = start(1) as [Instance]
  for (let call = 0; call < 3; call++) void callOnce(instance, { concurrency: 5, responseMs: 100 })
  await time.advance(1_000)
  const { reports } = instance
  expect(reports).toBeLessThanOrEqual(4)
  await time.advance(60_000)
  expect(instance.reports).toBe(reports)
  expect((await database.query('select * from call_permits where owner = $1', [owner], time.now)).rows).toEqual([])
})
it('a platform that does not limit concurrent calls costs no report', async () => {
  const [{ pacer, ...instance }] = start(1) as [Instance]
  const call = {}
  const asked = pacer.take({ owner, rates, caller: 'x', maxWaitMs: 0, call })
  await time.advance(10)
  expect(await asked).toEqual({ waitedMs: 0 })
  pacer.release({ owner, rates }, call)
  await time.advance(1_000)
  expect(instance.reports).toBe(0)
})
