// Of checks of which there are many, `npm test` takes a part and the nightly run all. A seed chooses the part. It comes
// from the commit, so that a failure can be repeated and the next commit gets another part.
import { createHash } from 'node:crypto'
import { appendFileSync } from 'node:fs'

export type Seed = number | 'all'

/** `CASES=all` takes all cases, and `CASES=<number>` the part of that seed. test/global-setup.ts sets it. */
export const caseSeed = (): Seed => {
  const given = process.env.CASES
  if (given === 'all') return given
  if (given !== undefined && isSeed(given)) return Number(given)
  throw new Error(`CASES is all or a whole number of at most 9 digits; not ${given ?? 'missing'}.`)
}
export const isSeed = (text: string): boolean => /^\d{1,9}$/.test(text)
export const numberOf = (text: string): number =>
  createHash('sha256').update(text).digest().readUInt32BE() % 1_000_000_000

export interface Choice<T> {
  /** One in so many is taken. With this number of consecutive seeds, each case is taken. */
  oneIn: number
  /** Such as the platform and the entity: of each group, at least one case is taken. */
  group?(one: T): string
  /** Taken with every seed. */
  always?(one: T): boolean
}

/** The cases of one seed, in their order. */
export function partOf<T>(cases: readonly T[], seed: Seed, { oneIn, group = () => '', always }: Choice<T>): T[] {
  if (seed === 'all') return [...cases]
  const fixed = cases.filter((one) => always?.(one))
  const groups = Map.groupBy(
    cases.filter((one) => !fixed.includes(one)),
    group,
  )
  const taken = new Set(fixed)
  for (const [name, members] of groups) {
    // Groups do not all begin with their first case.
    const part = (seed + numberOf(name)) % oneIn
    const own = members.filter((_, index) => index % oneIn === part)
    for (const one of own.length > 0 ? own : [members[part % members.length] as T]) taken.add(one)
  }
  return cases.filter((one) => taken.has(one))
}

/** The cases of this run. What it leaves out is counted for the last lines of `npm test`. */
export function chooseCases<T>(cases: readonly T[], choice: Choice<T>): T[] {
  const chosen = partOf(cases, caseSeed(), choice)
  leave(cases.length - chosen.length)
  return chosen
}

/**
 * For a loop that tries variants of one thing, such as faults of the same effect, at each call of a request: each call
 * gets the next variant, and which one is first depends on the seed and the name. With all cases, one loop per variant.
 */
export function inTurns<T>(variants: readonly T[], name: string): readonly (() => T)[] {
  const seed = caseSeed()
  if (seed === 'all') return variants.map((variant) => () => variant)
  let turn = (seed + numberOf(name)) % variants.length
  return [
    () => {
      leave(variants.length - 1)
      return variants[turn++ % variants.length] as T
    },
  ]
}

function leave(count: number): void {
  const file = process.env.CASES_LEFT // one for all workers
  if (count > 0 && file) appendFileSync(file, `${count}\n`)
}
