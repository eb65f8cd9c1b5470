import { describe, expect, it } from 'vitest'
import type { IndexRow } from '../store/changes.ts'
import { compareSeen, hashesOf } from './seen.ts'

const watch = { id: 1 }
const ids = Array.from({ length: 3500 }, (_, index) => `record-${String(index).padStart(5, '0')}`)
const storeOf = (seed: string, seen: readonly string[], size = 100) => {
  const pieces: { piece: number; hashes: Buffer }[] = []
  for (let at = 0; at < seen.length; at += size)
    pieces.push({ piece: pieces.length + 1, hashes: hashesOf(seed, seen.slice(at, at + size)) })
  return {
    seenAfter: async (_: object, after: number, limit: number) =>
      pieces.filter(({ piece }) => piece > after).slice(0, limit),
    recordsAfter: async (_: object, after: string, limit: number) =>
      ids
        .filter((id) => id > after)
        .slice(0, limit)
        .map((nativeId): IndexRow => ({ nativeId, fingerprint: Buffer.alloc(16), revision: 1 })),
  }
}
async function compared(seen: readonly string[], bytesAtOnce?: number, seed = 'seed') {
  const found = { seen: [] as string[], unseen: [] as string[] }
  const walk = { seed: 'seed', seenBytes: seen.length * 8 }
  for await (const piece of compareSeen(storeOf(seed, seen), watch, walk, bytesAtOnce)) {
    found.seen.push(...piece.seen)
    found.unseen.push(...piece.unseen)
  }
  return { seen: found.seen.sort(), unseen: found.unseen.sort() }
}

describe('what a walk has seen', () => {
  const missing = ids.filter((_, index) => index % 7 === 0)
  const seen = ids.filter((_, index) => index % 7 !== 0)
  it('tells every record that it did not see, whatever the number of passes', async () => {
    for (const bytes of [undefined, 10_000, 3_000, 500])
      expect(await compared(seen.toReversed(), bytes)).toEqual({ seen, unseen: missing })
  })
  it('tells all records when nothing was seen, and none when all were seen twice', async () => {
    expect(await compared([])).toEqual({ seen: [], unseen: ids })
    expect(await compared([...ids, ...ids], 4_000)).toEqual({ seen: ids, unseen: [] })
  })
  it('is compared in pieces, with a turn for requests before each', async () => {
    let turns = 0
    const count = () => {
      turns++
      if (isRunning) setImmediate(count)
    }
    let isRunning = true
    setImmediate(count)
    await compared(ids)
    isRunning = false
    expect(turns).toBeGreaterThanOrEqual(ids.length / 1000)
  })
  it('belongs to its seed', async () => {
    expect((await compared(ids, undefined, 'other')).unseen).toEqual(ids)
  })
})
