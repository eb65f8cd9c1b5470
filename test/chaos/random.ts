// The source of every random choice of a run, so that a seed repeats it.
export interface Random {
  number(): number // from 0 to below 1
  below(limit: number): number // a whole number
  chance(probability: number): boolean
  pick<T>(values: readonly T[]): T
  /** A separate generator for one purpose, so that its use does not change other choices. */
  fork(purpose: string | number): Random
}

export function createRandom(seed: number | string): Random {
  let state = hash(String(seed))
  const number = () => {
    // mulberry32: small, fast and good enough to choose faults
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const below = (limit: number) => Math.floor(number() * limit)
  return {
    number,
    below,
    chance: (probability) => number() < probability,
    pick: (values) => values[below(values.length)] as (typeof values)[number],
    fork: (purpose) => createRandom(`${seed}/${purpose}`),
  }
}

function hash(text: string): number {
  let value = 2166136261
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) as number), 16777619)
  return value
}
