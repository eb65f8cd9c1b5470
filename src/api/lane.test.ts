import { expect, it } from 'vitest'
import { createLane } from './lane.ts'

/** A lane of two places and a longest wait of 1000 ms, on a clock that the test moves. */
function openLane({ maxWaitMs = 1000 } = {}) {
  let now = 0
  const due: (() => void)[] = []
  const started: number[] = []
  const refused: number[] = []
  const lane = createLane<number>({
    concurrency: 2,
    maxWaitMs,
    start: (item) => void started.push(item),
    refuse: (item) => void refused.push(item),
    now: () => now,
    later: (run) => void due.push(run),
  })
  const turn = () => {
    for (const run of due.splice(0)) run()
  }
  return {
    ...lane,
    started,
    refused,
    turn,
    /** Lets time pass; `perSecond` requests are done meanwhile. */
    pass(milliseconds: number, perSecond = 0) {
      for (const until = now + milliseconds, step = perSecond > 0 ? 1000 / perSecond : milliseconds; now < until; ) {
        now += step
        if (perSecond > 0) lane.leave()
        turn()
      }
    },
  }
}
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

it('starts as many requests as it has places, and the others in order of arrival', () => {
  const { enter, leave, started, turn, queued } = openLane()
  for (const item of numbers(1, 5)) enter(item)
  expect(started).toEqual([1, 2])
  expect(queued()).toBe(3)
  leave()
  turn()
  leave()
  leave()
  turn()
  expect(started).toEqual([1, 2, 3, 4, 5])
})

it('never refuses a burst, however long it takes', () => {
  const { enter, pass, started, refused } = openLane()
  for (const item of numbers(1, 300)) enter(item)
  pass(30_000, 10)
  expect([started.length, refused.length]).toEqual([300, 0])
})

it('refuses a request whose expected wait is too long once the queue has stood for that long, and no other', () => {
  const { enter, pass, refused, started } = openLane()
  for (const item of numbers(1, 22)) enter(item)
  pass(1_100, 10) // 11 are done: the queue holds 9 and moves by 10 a second, so the next one waits for about a second
  enter(23)
  for (const item of numbers(24, 40)) enter(item)
  expect(refused.length).toBeGreaterThan(10)
  pass(5_000, 10)
  expect(started.length + refused.length).toBe(40)
  enter(41)
  expect(started.at(-1)).toBe(41)
})

it('refuses nothing while the queue moves fast enough, however many requests come', () => {
  const { enter, pass, refused } = openLane()
  for (let second = 0; second < 20; second++) {
    for (const item of numbers(1, 50)) enter(item)
    pass(1_000, 50)
  }
  expect(refused).toEqual([])
})

it('under overload makes those wait no longer that it accepted, though it turns slower than expected', () => {
  const { enter, pass, refused, started } = openLane()
  for (let tick = 0; tick < 30; tick++) {
    for (const item of numbers(1, 20)) enter(item)
    pass(100, 50) // four times as many as are done
  }
  const before = { started: started.length, refused: refused.length }
  expect(before.refused).toBeGreaterThan(0)
  pass(2_000, 10)
  // 50 were accepted for the next second; at 10 a second only the first of them are started in time.
  expect(started.length - before.started).toBeLessThan(25)
  expect(refused.length - before.refused).toBeGreaterThan(20)
})

it('gives the place of a request that waits for a platform to the next one', () => {
  const { enter, outside, inside, leave, started, turn } = openLane()
  for (const item of numbers(1, 4)) enter(item)
  outside()
  outside()
  turn()
  expect(started).toEqual([1, 2, 3, 4])
  inside()
  inside()
  enter(5)
  leave()
  leave()
  turn()
  expect(started).toEqual([1, 2, 3, 4]) // 1 and 2 are still in progress
  leave()
  turn()
  expect(started).toEqual([1, 2, 3, 4, 5])
})

it('refuses nothing where the longest wait is 0', () => {
  const { enter, pass, refused } = openLane({ maxWaitMs: 0 })
  for (const item of numbers(1, 10)) enter(item)
  pass(60_000)
  for (const item of numbers(11, 1_000)) enter(item)
  expect(refused).toEqual([])
})
