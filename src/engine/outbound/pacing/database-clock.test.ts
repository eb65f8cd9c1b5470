import { expect, it } from 'vitest'
import { createDatabaseClock } from './database-clock.ts'

/** A database whose clock is `ahead`, and which looks at it so long after the question and before the answer. */
function setUp(ahead: number) {
  const world = { now: 1_000, ahead, asks: 0, ways: [] as [there: number, back: number][] }
  function look(there: number, back: number) {
    const asked = world.now
    world.now += there + back
    const looked = asked + there
    return { looked, told: { moment: looked + world.ahead, askedAt: asked, answered: world.now } }
  }
  const clock = createDatabaseClock({
    now: () => world.now,
    async moment() {
      world.asks++
      const way = world.ways.shift()
      if (!way) throw new Error('the database is away')
      return look(...way).told.moment
    },
  })
  /** By how much a moment told like that is misplaced. */
  async function misplaced(there: number, back: number, withinMs = 1e9): Promise<number> {
    const { looked, told } = look(there, back)
    return Math.abs((await clock.ours(told, withinMs)) - looked)
  }
  return { world, misplaced }
}

it('knows a moment by half of the time that the quickest answer took, also when a later one is slow', async () => {
  const { world, misplaced } = setUp(5_000)
  expect(await misplaced(10, 400)).toBe(195) // nothing else is known yet
  for (let turn = 0; turn < 50; turn++) {
    expect(await misplaced(1, 1)).toBeLessThanOrEqual(1)
    world.now += 1_000
    expect(await misplaced(turn % 2 ? 300 : 2, turn % 2 ? 2 : 300)).toBeLessThanOrEqual(1)
  }
})

it('knows more by two slow answers than by each of them', async () => {
  const { misplaced } = setUp(-70)
  await misplaced(100, 4)
  expect(await misplaced(4, 100)).toBeLessThanOrEqual(4)
})

it('asks again where one slow answer is all it has', async () => {
  const { world, misplaced } = setUp(0)
  world.ways = [
    [50, 50],
    [1, 1],
  ]
  expect(await misplaced(10, 400, 2)).toBeLessThanOrEqual(1)
  expect(await misplaced(400, 10, 2)).toBeLessThanOrEqual(1)
  expect(world.asks).toBe(2)
})

it('does not read the clock forever, and needs no response', async () => {
  const { world, misplaced } = setUp(0)
  world.ways = [
    [200, 200],
    [200, 200],
  ]
  for (let turn = 0; turn < 10; turn++) expect(await misplaced(10, 400, 2)).toBeLessThanOrEqual(195)
  expect(world.asks).toBe(3)
})

it('follows a clock that is set, and one that drifts', async () => {
  const { world, misplaced } = setUp(0)
  await misplaced(1, 1)
  world.ahead += 3_600_000
  expect(await misplaced(1, 1)).toBeLessThanOrEqual(1)
  for (let second = 0; second < 600; second++) {
    world.now += 1_000
    world.ahead += 0.02
    expect(await misplaced(1, 1)).toBeLessThanOrEqual(1.5)
  }
  world.now += 3_600_000 // nothing was asked for an hour
  world.ahead += 72
  expect(await misplaced(40, 40)).toBeLessThanOrEqual(1)
})
