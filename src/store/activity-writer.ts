// How activity is passed to its writer: as lines of text in one buffer, which costs the garbage collector nothing.
import type { PackedActivity, RecordedActivity, Store } from './store.ts'

export interface ActivityWriter extends Pick<Store['activity'], 'prune'> {
  /** The writer takes ownership of the buffer. */
  write(lines: Uint8Array<ArrayBuffer>): Promise<void>
  close(): Promise<void>
}

/** Two lines of JSON: the columns for lists and sums, and the trace. */
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
    entry.isOwn ? 1 : 0,
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
  isOwn: 0 | 1,
]
function entryOf(head: Head, trace: Uint8Array): PackedActivity {
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
    ...(head[18] === 1 ? { isOwn: true } : {}),
    trace,
  }
}
const lineBreak = 10
export function unpack(lines: Uint8Array): PackedActivity[] {
  const bytes = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength)
  const texts: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(lineBreak); end >= 0; end = bytes.indexOf(lineBreak, start)) {
    texts.push(bytes.subarray(start, end))
    start = end + 1
  }
  // One call: parsing each line takes twice as long.
  const heads = JSON.parse(`[${texts.filter((_, line) => line % 2 === 0).join(',')}]`) as Head[]
  return heads.map((head, index) => entryOf(head, texts[index * 2 + 1] as Buffer))
}

export interface Packed {
  lines: Uint8Array<ArrayBuffer>
  entries: number
}
/** Collects entries in a buffer. Calls `full` with its contents when the next entry does not fit. */
export function createPacker(size: number, full: (packed: Packed) => void) {
  const block = Buffer.allocUnsafeSlow(size)
  let used = 0
  let entries = 0
  /** A copy of what was collected since the last call. */
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

/** Writes in the calling thread. */
export const writeHere = ({ record, prune }: Store['activity']): ActivityWriter => ({
  write: (lines) => record(unpack(lines)),
  prune,
  close: async () => {},
})
