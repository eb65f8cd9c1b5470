import { describe, expect, it } from 'vitest'
import { createByteBudget, TooManyBytes } from './byte-budget.ts'

describe('the bytes of responses in memory', () => {
  function open(budget: ReturnType<typeof createByteBudget>, account: string, most = 100) {
    const aborted: Error[] = []
    const response = budget.open(account, most, (error) => {
      aborted.push(error)
      response.end()
    })
    return { ...response, aborted }
  }

  it('are bounded for an account, over all its responses', () => {
    const budget = createByteBudget(1000)
    const [first, second] = [open(budget, 'a'), open(budget, 'a')]
    first.add(60)
    second.add(40)
    expect([first.aborted, second.aborted]).toEqual([[], []])
    second.add(1)
    expect(second.aborted).toEqual([expect.any(TooManyBytes)])
    first.add(40)
    expect(first.aborted).toEqual([])
  })

  it('are free again at the end of a response', () => {
    const budget = createByteBudget(1000)
    for (let turn = 0; turn < 5; turn++) {
      const response = open(budget, 'a')
      response.add(90)
      response.end()
      response.end()
      expect(response.aborted).toEqual([])
    }
  })

  it('are taken from the account that holds the most, when the instance has no room left', () => {
    const budget = createByteBudget(200)
    const [small, large, other] = [open(budget, 'hostile'), open(budget, 'hostile'), open(budget, 'fine')]
    small.add(20)
    large.add(79)
    const third = open(budget, 'third')
    third.add(90)
    other.add(20)
    expect([small, large, third, other].map(({ aborted }) => aborted.length)).toEqual([0, 1, 0, 0])
  })
})
