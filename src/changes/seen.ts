// What a walk has seen, as hashes of 8 bytes, so that the records it did not see are found in flat memory.
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChangeStore, Watch } from '../store/changes.ts'

/** The seed is random and belongs to one walk: two ids that collide do so in one walk only. */
export function hashesOf(seed: string, ids: readonly string[]): Buffer {
  const hashes = Buffer.allocUnsafe(ids.length * 8)
  for (const [index, id] of ids.entries()) hash('sha256', `${seed}\n${id}`, 'buffer').copy(hashes, index * 8, 0, 8)
  return hashes
}

/** Hashes that are compared at once: a million. Each pass reads the whole index. */
const passBytes = 8 * 1024 * 1024
const piecesAtOnce = 500
const recordsAtOnce = 1000

export interface Compared {
  seen: string[]
  unseen: string[]
}
/**
 * All records of the index, in pieces: those that the walk has seen, and those that it has not. Reads of SQLite take no
 * turn of the event loop, so requests get one between two pieces.
 */
export async function* compareSeen(
  store: Pick<ChangeStore, 'seenAfter' | 'recordsAfter'>,
  watch: Pick<Watch, 'id'>,
  walk: { seed: string; seenBytes: number },
  bytesAtOnce = passBytes,
): AsyncGenerator<Compared> {
  let bits = 0
  while (bits < 16 && walk.seenBytes > bytesAtOnce * 2 ** bits) bits++
  for (let pass = 0; pass < 2 ** bits; pass++) {
    const isOfPass = (value: bigint) => bits === 0 || Number(value >> BigInt(64 - bits)) === pass
    const known = await loadPass(store, watch, isOfPass)
    let after = ''
    for (;;) {
      await nextTurn()
      const records = await store.recordsAfter(watch, after, recordsAtOnce)
      if (records.length === 0) break
      after = records.at(-1)?.nativeId ?? after
      const ids = records.map(({ nativeId }) => nativeId)
      const hashes = hashesOf(walk.seed, ids)
      const compared: Compared = { seen: [], unseen: [] }
      for (const [index, id] of ids.entries()) {
        const value = hashes.readBigUInt64BE(index * 8)
        if (isOfPass(value)) compared[includes(known, value) ? 'seen' : 'unseen'].push(id)
      }
      yield compared
    }
  }
}

async function loadPass(
  store: Pick<ChangeStore, 'seenAfter'>,
  watch: Pick<Watch, 'id'>,
  isOfPass: (value: bigint) => boolean,
): Promise<BigUint64Array> {
  let known = new BigUint64Array(4096)
  let count = 0
  for (let after = 0; ; ) {
    await nextTurn()
    const pieces = await store.seenAfter(watch, after, piecesAtOnce)
    if (pieces.length === 0) return known.subarray(0, count).sort()
    after = pieces.at(-1)?.piece ?? after
    for (const { hashes } of pieces)
      for (let at = 0; at + 8 <= hashes.length; at += 8) {
        const value = hashes.readBigUInt64BE(at)
        if (!isOfPass(value)) continue
        if (count === known.length) {
          const larger = new BigUint64Array(count * 2)
          larger.set(known)
          known = larger
        }
        known[count++] = value
      }
  }
}
function includes(sorted: BigUint64Array, value: bigint): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as bigint) < value) low = middle + 1
    else high = middle
  }
  return sorted[low] === value
}
