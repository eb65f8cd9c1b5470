// The calls that this process has sent, in a file, so that the next process continues their windows. Each line is
// written before its call leaves and is not flushed to the disk: the end of a process does not lose it, and it costs a
// few microseconds. Only after the loss of the whole machine are lines missing. Then every window counts as used.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'

/** Instants are on the clock of this process. */
export interface PastCalls {
  own: readonly number[] // ascending
  lanes: ReadonlyMap<string, readonly number[]>
  heldUntil: number
  unknownAt?: number | undefined // until then every window may have been used
}
export interface CallLog {
  past(owner: string): PastCalls | undefined
  /** A call leaves. `keepMs`: how long a window counts it. */
  sent(owner: string, lane: string, now: number, keepMs: number): void
  held(owner: string, until: number): void
  close(): void
}
export interface CallLogOptions {
  file: string
  now?(): number // of the pacing clock
  machine?: Machine
}
/** The clocks of the machine, and its identity from one boot to the next; undefined where it has none. */
export interface Machine {
  boot: string | undefined
  monotonic(): number // milliseconds, the same for all processes
  wall(): number
}
const thisMachine: Machine = {
  boot: readBoot(),
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  wall: Date.now,
}
function readBoot(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    return undefined
  }
}

/** No window of a platform is longer. */
const unknownMs = 86_400_000
/** A file is replaced when it is larger than this, and the calls of the one before count no more. */
const maxBytes = 4 * 1024 * 1024

interface Line {
  kind: 'call' | 'hold' | 'unknown'
  at: number // on the clock of this process
  keepMs: number
  owner: string
  lane: string
}

export function createCallLog({ file, now = () => performance.now(), machine = thisMachine }: CallLogOptions): CallLog {
  const older = `${file}.1`
  const ahead = machine.monotonic() - now() // the machine's clock, compared with ours
  const lines = [...readLines([older, file], machine, ahead, now())]
  const past = pastOf(lines)
  const unknownAt = lines.findLast(({ kind }) => kind === 'unknown')?.at
  let descriptor = 0
  let bytes = 0
  let since = 0
  let longest = 0
  begin(`${file}.new`)
  for (const line of lines) write(line)
  renameSync(`${file}.new`, file)
  rmSync(older, { force: true })

  function begin(path: string): void {
    descriptor = openSync(path, 'w', 0o600)
    bytes = 0
    since = now()
    put(['start', machine.monotonic(), machine.wall(), machine.boot ?? ''])
  }
  function put(values: readonly (string | number)[]): void {
    try {
      bytes += writeSync(descriptor, `${values.join('\t')}\n`)
    } catch {
      // A full disk does not stop reads. If the process is killed as well, these calls are forgotten.
    }
  }
  function write({ kind, at, keepMs, owner, lane }: Line): void {
    longest = Math.max(longest, keepMs)
    put([kind, (at + ahead).toFixed(1), Math.ceil(keepMs), owner, lane])
  }
  return {
    past: (owner) =>
      past.get(owner) ?? (unknownAt === undefined ? undefined : { own: [], lanes: new Map(), heldUntil: 0, unknownAt }),
    sent(owner, lane, at, keepMs) {
      write({ kind: 'call', at, keepMs, owner, lane })
      if (bytes < maxBytes || at - since < longest) return
      closeSync(descriptor)
      renameSync(file, older)
      begin(file)
    },
    held: (owner, until) => write({ kind: 'hold', at: until, keepMs: 0, owner, lane: '' }),
    close() {
      put(['end'])
      fsyncSync(descriptor)
      closeSync(descriptor)
    },
  }
}

/** The calls that still count. */
function* readLines(files: readonly string[], machine: Machine, ahead: number, now: number): Generator<Line> {
  let shift = 0 // from the clock of the file to the machine's
  let complete = true
  for (const file of files) {
    if (!existsSync(file)) continue
    for (const line of readFileSync(file, 'utf8').split('\n')) {
      const [kind, first = '', second = '', owner = '', lane = ''] = line.split('\t')
      if (kind === 'start') {
        complete = machine.boot !== undefined && owner === machine.boot
        // After a boot only the wall clock tells how long ago the calls were.
        shift = complete ? 0 : machine.monotonic() - machine.wall() - (Number(first) - Number(second))
      } else if (kind === 'end') complete = true
      else if (kind === 'call' || kind === 'hold' || kind === 'unknown') {
        const at = Number(first) + shift - ahead
        const keepMs = Number(second)
        if (at + keepMs > now) yield { kind, at: kind === 'hold' ? at : Math.min(at, now), keepMs, owner, lane }
      }
    }
  }
  if (!complete) yield { kind: 'unknown', at: now, keepMs: unknownMs, owner: '', lane: '' }
}

interface Gathered extends PastCalls {
  own: number[]
  lanes: Map<string, number[]>
}
function pastOf(lines: readonly Line[]): Map<string, PastCalls> {
  const unknownAt = lines.findLast(({ kind }) => kind === 'unknown')?.at
  const past = new Map<string, Gathered>()
  for (const { kind, at, owner, lane } of lines.toSorted((left, right) => left.at - right.at)) {
    if (kind === 'unknown') continue
    const gathered: Gathered = past.get(owner) ?? { own: [], lanes: new Map(), heldUntil: 0, unknownAt }
    past.set(owner, gathered)
    if (kind === 'hold') gathered.heldUntil = Math.max(gathered.heldUntil, at)
    else gathered.own.push(at)
    if (kind !== 'call' || lane === '') continue
    const ofLane = gathered.lanes.get(lane) ?? []
    gathered.lanes.set(lane, ofLane)
    ofLane.push(at)
  }
  return past
}
