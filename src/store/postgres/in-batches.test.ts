import { expect, it } from 'vitest'
import { DatabaseUnavailable } from '../unavailable.ts'
import { inBatches } from './in-batches.ts'

/** Doubles numbers, and logs the statements: a number, or the numbers of a batch. */
function createDoubling({ refuses, fails }: { refuses?: number; fails?: Error } = {}) {
  const statements: (number | readonly number[])[] = []
  const double = inBatches<number, number>({
    async one(item) {
      statements.push(item)
      if (item === refuses) throw new Error(`${item} is refused`)
      return item * 2
    },
    async many(items) {
      statements.push(items)
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (fails) throw fails
      if (refuses !== undefined && items.includes(refuses)) throw new Error('one of them is refused')
      return items.map((item) => item * 2)
    },
  })
  return { double, statements }
}

it('makes one statement of the calls of one event-loop turn, and gives each its own result', async () => {
  const { double, statements } = createDoubling()
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6])
  expect(await double(4)).toBe(8)
  expect(statements).toEqual([[1, 2, 3], 4])
})
it('makes one statement of the calls that come while the most are under way', async () => {
  const { double, statements } = createDoubling()
  const calls: Promise<number>[] = []
  for (let turn = 0; turn < 20; turn++) {
    calls.push(double(turn * 2), double(turn * 2 + 1))
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(await Promise.all(calls)).toEqual(Array.from({ length: 40 }, (_, n) => n * 2))
  expect(statements.length).toBeLessThan(20)
})
it('puts no more than a hundred calls into a statement', async () => {
  const { double, statements } = createDoubling()
  await Promise.all(Array.from({ length: 250 }, (_, n) => double(n)))
  expect(statements.map((statement) => (Array.isArray(statement) ? statement.length : 1))).toEqual([100, 100, 50])
})
it('fails only the call that is refused', async () => {
  const { double } = createDoubling({ refuses: 2 })
  expect(await Promise.allSettled([1, 2, 3].map(double))).toMatchObject([
    { value: 2 },
    { reason: new Error('2 is refused') },
    { value: 6 },
  ])
})
it('fails all calls of a statement while the database is unavailable, and repeats none', async () => {
  const fails = new DatabaseUnavailable(new Error('gone'))
  const { double, statements } = createDoubling({ fails })
  expect(await Promise.allSettled([1, 2].map(double))).toMatchObject([{ reason: fails }, { reason: fails }])
  expect(statements).toEqual([[1, 2]])
})
