// Sides take turns, so that other load on the machine affects all of them. The result is the median over the rounds.
export interface Series {
  median: number
  low: number
  high: number
  values: number[]
}

export const series = (values: readonly number[]): Series => {
  const sorted = [...values].sort((left, right) => left - right)
  return {
    median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    low: sorted[0] ?? Number.NaN,
    high: sorted.at(-1) ?? Number.NaN,
    values: [...values],
  }
}

export async function rounds<S extends string, T>(
  count: number,
  sides: readonly S[],
  run: (side: S, round: number) => Promise<T>,
): Promise<Record<S, T[]>> {
  const results = Object.fromEntries(sides.map((side) => [side, [] as T[]])) as Record<S, T[]>
  for (let round = 0; round < count; round++) {
    // Every other round runs in reverse order, so that going first is no advantage.
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) results[side].push(await run(side, round))
  }
  return results
}

/** The ratio of two sides per round. */
export const ratio = (ours: readonly number[], theirs: readonly number[]): Series =>
  series(ours.map((value, round) => value / (theirs[round] as number)))

export interface Finding {
  title: string
  target?: string
  reached?: boolean
  ratio?: Series
  /** Label -> text or figures with their unit, in the order they are shown. */
  figures: Record<string, string>
  /** For the plot: bars of one unit. */
  bars?: { label: string; value: number; unit: string }[]
}

export interface SpeedReport {
  at: string
  machine: string
  node: string
  rounds: number
  seconds: number
  findings: Finding[]
}
