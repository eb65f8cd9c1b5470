// The known name that a misspelled one is meant to be.

/** Undefined if no name is close: at most a third of the letters may differ, upper and lower case are the same. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((candidate) => ({ candidate, away: distance(name, candidate) }))
    .filter(({ candidate, away }) => away <= Math.floor(candidate.length / 3))
    .sort((left, right) => left.away - right.away)
  return best?.candidate
}

/** Letters to insert, remove, replace, or swap with the next one. */
export function distance(left: string, right: string): number {
  const [from, to] = [[...left.toLowerCase().slice(0, 64)], [...right.toLowerCase()]]
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [i, a] of from.entries()) {
    const next = [i + 1]
    for (const [j, b] of to.entries()) {
      const swapped = i > 0 && j > 0 && a === to[j - 1] && b === from[i - 1] ? (before[j - 1] as number) + 1 : Infinity
      next.push(
        Math.min((next[j] as number) + 1, (row[j + 1] as number) + 1, (row[j] as number) + (a === b ? 0 : 1), swapped),
      )
    }
    before = row
    row = next
  }
  return row.at(-1) as number
}
