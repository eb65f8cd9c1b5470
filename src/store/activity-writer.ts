// Who writes activity, and how it is handed over: as lines of text in one block of memory, with which the garbage collector has nothing to do.
import type { RecordedActivity, Store } from './store.ts'

export interface ActivityWriter extends Pick<Store['activity'], 'prune'> {
  /** The block is the writer's from then on. */
  write(lines: Uint8Array<ArrayBuffer>): Promise<void>
  close(): Promise<void>
}

/** Two lines of JSON: what lists and sums are made of, and the trace, which only people read. */
function linesOf(entry: RecordedActivity): string {
  const head = [
    entry.workspaceId,
    entry.requestId,
    entry.accountId,
    entry.platform,
    entry.credentialId,
    entry.method,
    entry.entityType,
    entry.operation,
    entry.status,
    entry.errorCode,
    entry.totalMs,
    entry.waitMs,
    entry.platformMs,
    entry.nativeCalls,
    entry.externalId,
    entry.nativeId,
    entry.throttled,
    entry.used,
  ]
  return `${JSON.stringify(head)}\n${entry.trace}\n`
}

type Head = [
  workspaceId: string,
  requestId: string,
  accountId: string,
  platform: string,
  credentialId: string,
  method: string,
  entityType: string,
  operation: string,
  status: number,
  errorCode: string | null,
  totalMs: number,
  waitMs: number,
  platformMs: number,
  nativeCalls: number,
  externalId: string | null,
  nativeId: string | null,
  throttled: number,
  used: number,
]
function entryOf(head: Head, trace: string): RecordedActivity {
  return {
    workspaceId: head[0],
    requestId: head[1],
    accountId: head[2],
    platform: head[3],
    credentialId: head[4],
    method: head[5],
    entityType: head[6],
    operation: head[7],
    status: head[8],
    errorCode: head[9] ?? undefined,
    totalMs: head[10],
    waitMs: head[11],
    platformMs: head[12],
    nativeCalls: head[13],
    externalId: head[14] ?? undefined,
    nativeId: head[15] ?? undefined,
    throttled: head[16],
    used: head[17],
    trace,
  }
}
export function unpack(lines: Uint8Array): RecordedActivity[] {
  const texts = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString('utf8').split('\n')
  texts.pop() // after the last end of line there is nothing
  const heads = JSON.parse(`[${texts.filter((_, line) => line % 2 === 0).join(',')}]`) as Head[] // at once: one by one takes twice as long
  return heads.map((head, place) => entryOf(head, texts[place * 2 + 1] as string))
}

export interface Packed {
  lines: Uint8Array<ArrayBuffer>
  entries: number
}
/** Gathers entries; `full` is called with those that leave no room for more. */
export function createPacker(size: number, full: (packed: Packed) => void) {
  const block = Buffer.allocUnsafeSlow(size)
  let used = 0
  let entries = 0
  /** What was gathered since, in memory of its own. */
  function take(): Packed | undefined {
    if (entries === 0) return undefined
    const packed = { lines: new Uint8Array(block.subarray(0, used)), entries }
    used = entries = 0
    return packed
  }
  return {
    take,
    add(entry: RecordedActivity): void {
      const text = linesOf(entry)
      if (used + text.length * 3 > size) {
        const packed = take()
        if (packed) full(packed)
      }
      if (text.length * 3 > size) full({ lines: new Uint8Array(Buffer.from(text)), entries: 1 })
      else {
        used += block.write(text, used)
        entries++
      }
    },
  }
}

/** Writes where it is called, for processes without a thread. */
export const writeHere = ({ record, prune }: Store['activity']): ActivityWriter => ({
  write: (lines) => record(unpack(lines)),
  prune,
  close: async () => {},
})
