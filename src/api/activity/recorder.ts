// Keeps what requests did, off their path: gathered in memory, written in batches, dropped rather than waited for.
import { BoundedMap } from '../../base/bounded-map.ts'
import type { NativeCallEvent, StageEvent } from '../../engine/options.ts'
import { type ActivityWriter, createPacker, type Packed } from '../../store/activity-writer.ts'
import { addCall, addStage, type Finished, type Trail, toEntry } from './trace.ts'

export interface ActivityRecorder {
  nativeCall(event: NativeCallEvent): void
  stage(event: StageEvent): void
  /** What is known of a request so far, when it has reached a platform. */
  trail(requestId: string): Readonly<Trail> | undefined
  finish(finished: Finished): void
  /** Drops the request: it is not recorded. */
  discard(requestId: string): void
  /** Writes what is pending. */
  flush(): Promise<void>
  /** Removes a batch of entries that are too old. Returns how many. */
  prune(): Promise<number>
  /** Stops, and writes what is pending; gives up if the database does not accept it. */
  close(): Promise<void>
}
export interface RecorderOptions {
  writer: ActivityWriter
  days: number
  onDropped(entries: number): void
  onError(error: unknown): void
  flushMs?: number
  /** The most that can be pending: number and size of blocks. */
  blocks?: number
  blockBytes?: number
}
/** Work at the start of the service belongs to no request. */
const isRequest = ({ requestId }: { requestId: string }) => requestId.startsWith('req_')
const underWayKept = 20_000
/**
 * Entries are serialized in batches of this size: one by one, between other work, each would cost several times as
 * much. In larger batches, what they hold would survive garbage collections.
 */
const atOnce = 8
const dayMs = 24 * 3600 * 1000

export function createActivityRecorder({
  writer,
  days,
  onDropped,
  onError,
  flushMs = 1_000,
  blocks = 16,
  blockBytes = 512 * 1024,
}: RecorderOptions): ActivityRecorder {
  const underWay = new BoundedMap<string, Trail>(underWayKept)
  const waiting: Packed[] = []
  const packer = createPacker(blockBytes, (packed) => {
    waiting.push(packed)
    const oldest = waiting.length > blocks ? waiting.shift() : undefined
    if (oldest) onDropped(oldest.entries)
  })
  let ended: { finished: Finished; trail: Trail; at: number }[] = []
  let flushing: Promise<void> | undefined
  let closed = false

  function trailOf(requestId: string): Trail {
    let trail = underWay.get(requestId)
    if (!trail) {
      trail = { stages: [], calls: [] }
      underWay.set(requestId, trail)
    }
    return trail
  }
  /** An error here must not fail the request. */
  function safely(work: () => unknown, otherwise?: () => void): void {
    try {
      work()
    } catch (error) {
      otherwise?.()
      onError(error)
    }
  }
  function pack(): void {
    const entries = ended
    ended = []
    for (const { finished, trail, at } of entries)
      safely(
        () => packer.add(toEntry(finished, trail, at, onError)),
        () => onDropped(1),
      )
  }
  async function write(): Promise<void> {
    pack()
    // Entries that arrive in the meantime wait for the next write: writing them now would make ever smaller writes.
    const rest = packer.take()
    if (rest) waiting.push(rest)
    for (let packed = waiting.shift(); packed; packed = waiting.shift()) {
      try {
        await writer.write(packed.lines)
      } catch (error) {
        onDropped(packed.entries)
        onError(error)
      }
    }
  }
  const flush = () => {
    flushing ??= write().finally(() => {
      flushing = undefined
    })
    return flushing
  }
  const timer = setInterval(() => void flush(), flushMs).unref()

  return {
    nativeCall: (event) => safely(() => isRequest(event) && addCall(trailOf(event.requestId), event)),
    stage: (event) => safely(() => isRequest(event) && addStage(trailOf(event.requestId), event)),
    trail: (requestId) => underWay.get(requestId),
    discard: (requestId) => void underWay.delete(requestId),
    finish(finished) {
      const known = underWay.get(finished.requestId)
      underWay.delete(finished.requestId)
      if (closed) return
      ended.push({ finished, trail: known ?? { stages: [], calls: [] }, at: performance.now() })
      if (ended.length >= atOnce) pack()
    },
    flush,
    prune: () => writer.prune(Date.now() - days * dayMs),
    async close() {
      clearInterval(timer)
      await flushing
      await flush()
      closed = true
      await writer.close()
    },
  }
}
