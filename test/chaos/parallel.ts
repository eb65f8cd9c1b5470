/** Processes all values in order, at most this many at a time. */
export async function inParallel<T, R>(
  width: number,
  values: readonly T[],
  run: (value: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const waiting = [...values.entries()]
  waiting.reverse()
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) results[next[0]] = await run(next[1])
  }
  await Promise.all(Array.from({ length: width }, work))
  return results
}
