import { afterEach, describe, expect, it, vi } from 'vitest'
import { until } from '../../test/until.ts'
import { LostLease } from '../store/lost-lease.ts'
import { createLoop, type Job, type Loop, type Next, type Turn } from './job.ts'
import { leaseMs } from './lease.ts'

const loops: Loop[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(loops.splice(0).map((loop) => loop.close()))
})

/** A job whose due ids, holders and work are those of the test. */
function open(given: Partial<Job<string>> & { due?: Job<string>['due'] }) {
  const [worked, released, errors, lost]: [string[], [string, Next][], unknown[], string[]] = [[], [], [], []]
  const loop = createLoop<string>(
    {
      ...{ name: 'things', does: '', everyMs: 3_600_000, atOnce: 1 },
      due: async () => [],
      take: async (id) => id,
      renew: async () => true,
      work: async () => ({ dueInMs: 0 }),
      async release(id, next) {
        released.push([id, next])
      },
      about: (id) => `the thing ${id}`,
      ...given,
    },
    { instance: 'a', scale: 1, onError: (error) => errors.push(error), onLost: (what) => lost.push(what) },
  )
  loops.push(loop)
  return { loop, worked, released, errors, lost }
}
const once = (...ids: string[]) => {
  const due = new Set(ids)
  return { due, look: async () => [...due] }
}

describe('the loop', () => {
  it('works on the next one when others have the first ones', async () => {
    const { due, look } = once('theirs', 'theirs too', 'free')
    const { loop, released } = open({
      due: look,
      take: async (id) => (id === 'free' ? id : undefined),
      async work(id) {
        due.delete(id)
        return { dueInMs: 0 }
      },
    })
    loop.wake()
    await until('the free one', () => released.length > 0)
    expect(released).toEqual([['free', { dueInMs: 0 }]])
  })

  it('works on as many at once as it may, and on the others in their turn', async () => {
    const { due, look } = once('1', '2', '3', '4', '5')
    let [now, most] = [0, 0]
    const { loop, released } = open({
      atOnce: 2,
      due: look,
      async work(id) {
        most = Math.max(most, ++now)
        await Promise.resolve()
        due.delete(id)
        now--
        return { dueInMs: 0 }
      },
    })
    loop.wake()
    await until('all', () => released.length === 5)
    expect(most).toBe(2)
  })

  it('leaves what has failed alone, longer each time, until it is woken', async () => {
    vi.useFakeTimers()
    let isFine = false
    const { due, look } = once('it')
    const { loop, released, errors } = open({
      due: look,
      async work(id) {
        if (!isFine) throw new Error('no')
        due.delete(id)
        return { dueInMs: 0 }
      },
    })
    const pauses: (number | undefined)[] = []
    loop.wake()
    await vi.advanceTimersByTimeAsync(0)
    for (let time = 0; time < 5; time++) {
      pauses.push(released.at(-1)?.[1].holdMs)
      await vi.advanceTimersByTimeAsync((pauses.at(-1) ?? 0) - 1)
      expect(errors).toHaveLength(time + 1)
      await vi.advanceTimersByTimeAsync(1)
    }
    expect(pauses).toEqual([5_000, 10_000, 20_000, 40_000, 60_000])
    isFine = true
    loop.wake('it')
    await vi.advanceTimersByTimeAsync(0)
    expect([errors.length, due.size]).toEqual([6, 0])
  })

  it('says once that a lease is lost, whether the work, a renewal or the clocks notice it', async () => {
    vi.useFakeTimers()
    const ways: Partial<Job<string>>[] = [
      { work: () => Promise.reject(new LostLease('a statement found it')) },
      { renew: async () => false, work: untilAborted },
      { renew: () => Promise.reject(new Error('away')), work: untilAborted },
      { renew: () => Promise.reject(new Error('away')), work: (_, { signal }) => rejectedOn(signal) },
    ]
    for (const way of ways) {
      const { due, look } = once('it')
      const { loop, released, errors, lost } = open({
        due: look,
        ...way,
        async release(id, next) {
          due.delete(id)
          released.push([id, next])
        },
      })
      loop.wake()
      await vi.advanceTimersByTimeAsync(leaseMs)
      expect([lost, errors, released]).toEqual([['the thing it'], [], [['it', { dueInMs: 0 }]]])
    }
  })

  it('tells a turn to end when it is stopped or the loop is closed, and works on it again after a stop', async () => {
    const { look } = once('it')
    const turns: Turn[] = []
    const { loop, released, errors, lost } = open({
      due: look,
      work(id, turn) {
        turns.push(turn)
        return untilAborted(id, turn)
      },
    })
    loop.wake()
    await until('the first turn', () => turns.length === 1)
    loop.stop('it')
    await until('the second turn', () => turns.length === 2)
    await loop.close()
    expect(turns.map((turn) => [turn.mayGoOn(), turn.isHeld()])).toEqual([
      [false, true],
      [false, true],
    ])
    expect([released.length, errors, lost]).toEqual([2, [], []])
  })

  it('runs on request, after the turn that is under way', async () => {
    const held = Promise.withResolvers<void>()
    const order: string[] = []
    const { loop } = open({
      async work() {
        order.push('begins')
        await held.promise
        order.push('ends')
        return { dueInMs: 0 }
      },
    })
    const first = loop.run('it')
    await until('the first turn', () => order.length === 1)
    const second = loop.run('it')
    held.resolve()
    await Promise.all([first, second])
    expect(order).toEqual(['begins', 'ends', 'begins', 'ends'])
  })
})

async function untilAborted(_: string, { signal }: Turn): Promise<Next> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  return { dueInMs: 60_000 }
}
const rejectedOn = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
