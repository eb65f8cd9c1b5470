// @module-tag git
// The part of many checks that `npm test` takes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type Choice, caseSeed, chooseCases, inTurns, partOf } from './case-choice.ts'
import { seedOfCommit } from './commit-seed.ts'

/** Groups of 1 to 9 cases. */
const groups = Array.from({ length: 9 }, (_, index) => `group ${index}`)
const cases = groups.flatMap((group, index) => Array.from({ length: index + 1 }, (_, number) => ({ group, number })))
interface Numbered {
  group: string
  number: number
}
const group = (one: Numbered) => one.group
const seeds = (count: number, first = 0) => Array.from({ length: count }, (_, index) => first + index)
const start = 999_999_000

describe('the part of a seed', () => {
  it.each([1, 2, 3, 5, 12])(
    'covers all cases with consecutive seeds, and every group with each, one in %i',
    (oneIn) => {
      const parts = seeds(oneIn, start).map((seed) => partOf(cases, seed, { oneIn, group }))
      expect(new Set(parts.flat())).toEqual(new Set(cases))
      for (const part of parts) expect(new Set(part.map(group))).toEqual(new Set(groups))
      for (const part of parts) expect(part).toEqual(cases.filter((one) => part.includes(one)))
    },
  )
  it('is the same for the same seed, and about as large as said', () => {
    const large = seeds(3000)
    const choice: Choice<number> = { oneIn: 3 }
    expect(partOf(large, start, choice)).toEqual(partOf(large, start, choice))
    expect(seeds(3).map((seed) => partOf(large, seed, choice).length)).toEqual([1000, 1000, 1000])
  })
  it('always has what it must have, beside a part of the rest', () => {
    const always = (one: Numbered) => one.group === 'group 8' && one.number % 2 === 0
    for (const seed of seeds(4)) {
      const part = partOf(cases, seed, { oneIn: 4, group, always })
      expect(part).toEqual(expect.arrayContaining(cases.filter(always)))
      expect(part.filter((one) => one.group === 'group 8' && !always(one))).toHaveLength(1)
    }
  })
  it('does not begin with the same case in every group', () => {
    const equal = seeds(20).flatMap((name) => seeds(3).map((number) => ({ group: `g${name}`, number })))
    expect(new Set(partOf(equal, 0, { oneIn: 3, group }).map(({ number }) => number))).toEqual(new Set([0, 1, 2]))
  })
  it('is everything in the nightly run', () => {
    expect(partOf(cases, 'all', { oneIn: 5, group })).toEqual(cases)
  })
  it('is nothing of nothing', () => {
    expect(partOf([], 5, { oneIn: 3 })).toEqual([])
  })
})

describe('the seed', () => {
  it('is that of the commit, and differs between commits', () => {
    const folder = mkdtempSync(join(tmpdir(), 'unified-records-seed-'))
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
    const git = (...words: string[]) => execFileSync('git', [...identity, ...words], { cwd: folder })
    const commit = (subject: string) => git('commit', '--quiet', '--allow-empty', '-m', subject)
    git('init', '--quiet')
    writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3"}')
    const released = seedOfCommit(folder)
    commit('One')
    const first = seedOfCommit(folder)
    expect(seedOfCommit(folder)).toBe(first)
    commit('Two')
    expect(new Set([released, first, seedOfCommit(folder)]).size).toBe(3)
    rmSync(join(folder, '.git'), { recursive: true })
    expect(seedOfCommit(folder)).toBe(released)
    rmSync(folder, { recursive: true })
  })
})

describe('a run', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })
  const left = () => {
    const file = join(mkdtempSync(join(tmpdir(), 'unified-records-left-')), 'left')
    writeFileSync(file, '')
    vi.stubEnv('CASES_LEFT', file)
    return () => readFileSync(file, 'utf8').trim().split('\n').map(Number)
  }

  it('takes the part of its seed, and counts the rest', () => {
    const counted = left()
    vi.stubEnv('CASES', String(start))
    const chosen = chooseCases(cases, { oneIn: 3, group })
    expect(chosen).toEqual(partOf(cases, start, { oneIn: 3, group }))
    expect(chosen.length).toBeLessThan(cases.length)
    expect(counted()).toEqual([cases.length - chosen.length])
    vi.stubEnv('CASES', 'all')
    expect(chooseCases(cases, { oneIn: 3, group })).toEqual(cases)
    expect(counted()).toHaveLength(1)
  })
  it('tries variants in turns, each of them first with some seed, and all of them in the nightly run', () => {
    const counted = left()
    const variants = ['a', 'b', 'c']
    const orders = seeds(3).map((seed) => {
      vi.stubEnv('CASES', String(seed))
      const [next, ...others] = inTurns(variants, 'square order')
      expect(others).toEqual([])
      return [next?.(), next?.(), next?.()].join('')
    })
    expect(orders.toSorted()).toEqual(['abc', 'bca', 'cab'])
    expect(counted()).toEqual(Array(9).fill(2))
    vi.stubEnv('CASES', 'all')
    expect(inTurns(variants, 'square order').map((next) => [next(), next()])).toEqual(variants.map((one) => [one, one]))
  })
  it.each(['', 'some', '-1', '1.5', '1234567890'])('does not start with the seed "%s"', (given) => {
    vi.stubEnv('CASES', given)
    expect(() => caseSeed()).toThrow('CASES is all or a whole number of at most 9 digits')
  })
})
