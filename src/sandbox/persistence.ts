// Stores what the simulators acknowledge: one file with the changes after seeding, as JSON lines. Seeds are
// deterministic, so the changes are replayed over a fresh seed.
//
// The changes of one turn of the event loop are one line, written in one piece, and no response leaves the sandbox
// before the changes that were made until then are written. A line is complete or it does not count, so a record and
// its idempotency key are never apart.
//
// This holds when the process ends, in any way: what it has written is with the operating system. It does not hold when
// the operating system or the power fails, because nothing waits for the disk: the last changes can be missing then.
import { createHash } from 'node:crypto'
import { constants, copyFileSync } from 'node:fs'
import { type ChangeLog, createChangeLog, readLines } from './change-log.ts'
import type { ObservableState, RecordChange } from './collection.ts'
import { clockCollection } from './world.ts'

/** 1: a line per change. 2: a line per turn, which is a list of changes. */
const format = 2
const readableFormats: readonly unknown[] = [1, 2]
/** The file is rewritten when it has grown to twice its size and this many bytes. */
const growth = 4 * 1024 * 1024

interface Header {
  format: number
  seededAt: number
  size: string
}
interface SeedLine {
  platform: string
  seed: string
}
type Change = [platform: string, collection: string, id: string, record?: unknown]
interface Stored {
  header: Header
  seeds: Map<string, string>
  changes: Change[]
}
/**
 * What became of the records that differ from the seed, by collection and id. `created`: not in the seed. `changed`,
 * `deleted`: in the seed; one that was deleted and created again stays `deleted`, because it comes last now.
 */
type Fate = 'created' | 'changed' | 'deleted'
interface Attached {
  state: ObservableState
  seed: string
  fates: Map<string, Map<string, Fate>>
}

export interface Persistence {
  seededAt: number // the time that the seeds are relative to: that of the stored changes, if there are any
  attach(platform: string, state: ObservableState): void // after seeding
  ready(): void // all are attached: the file is rewritten without obsolete changes
  /** Undefined if all changes are stored. Rejects if they cannot be: they are stored with the next ones. */
  stored(): Promise<void> | undefined
  close(): void
}

export const forgetful = (seededAt: number): Persistence => ({
  seededAt,
  attach() {},
  ready() {},
  stored: () => undefined,
  close() {},
})

export function createPersistence(file: string, size: string, now: () => number): Persistence {
  let before = readStored(file, size)
  const header: Header = { format, size, seededAt: before?.header.seededAt ?? now() }
  /** Of simulators that do not run this time: they keep what they have. */
  const absent: (SeedLine | [Change])[] = []
  const attached = new Map<string, Attached>()
  let log: ChangeLog | undefined
  let rewriteAt = 0
  let pending: Change[] = []
  let turn: Promise<void> | undefined

  function* snapshot(): Generator<string> {
    yield JSON.stringify(header)
    for (const line of absent) yield JSON.stringify(line)
    for (const [platform, one] of attached) {
      yield JSON.stringify({ platform, seed: one.seed } satisfies SeedLine)
      for (const change of differences(platform, one)) yield JSON.stringify([change])
    }
  }
  function rewrite(): void {
    if (log) log.replace(snapshot())
    else log = createChangeLog(file, snapshot())
    pending = []
    rewriteAt = 2 * log.size() + growth
  }
  function write(): void {
    if (!log || pending.length === 0) return
    log.append(JSON.stringify(pending))
    pending = []
    if (log.size() < rewriteAt) return
    try {
      rewrite()
    } catch {
      rewriteAt = 2 * log.size() // nothing is lost: the file goes on growing
    }
  }
  function writeThisTurn(): Promise<void> {
    if (turn) return turn
    turn = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      turn = undefined
      write()
    })
    turn.catch(() => {}) // the next response reports it
    return turn
  }
  return {
    seededAt: header.seededAt,
    attach(platform, state) {
      const seed = fingerprint(state)
      const one: Attached = { state, seed, fates: new Map() }
      attached.set(platform, one)
      if (before?.seeds.get(platform) === seed)
        for (const change of before.changes) if (change[0] === platform) replay(one, change)
      state.observe((change) => {
        note(one, change)
        const { collection, id, record } = change
        pending.push(record === undefined ? [platform, collection, id] : [platform, collection, id, record])
        if (log) void writeThisTurn()
      })
    },
    ready() {
      const written = new Set(before?.changes.map(([platform]) => platform))
      const outdated = [...attached.keys()].filter(
        (platform) => written.has(platform) && before?.seeds.get(platform) !== attached.get(platform)?.seed,
      )
      if (outdated.length > 0)
        console.error(
          `sandbox: this version has other first records at ${outdated.join(', ')}. What was written there does not fit them and is left out. A copy of the file is ${setAside(file)}.`,
        )
      for (const [platform, seed] of before?.seeds ?? []) if (!attached.has(platform)) absent.push({ platform, seed })
      for (const change of before?.changes ?? []) if (!attached.has(change[0])) absent.push([change])
      before = undefined
      rewrite()
    },
    stored: () => (pending.length === 0 ? undefined : writeThisTurn()),
    close() {
      write()
      log?.close()
      log = undefined
    },
  }
}

function note({ fates }: Attached, { collection, id, record, before }: RecordChange): void {
  const known = fates.get(collection) ?? new Map<string, Fate>()
  fates.set(collection, known)
  const fate = known.get(id)
  if (record === undefined) {
    if (fate === 'created') known.delete(id)
    else known.set(id, 'deleted')
  } else if (!fate) known.set(id, before === undefined ? 'created' : 'changed')
}

/** What makes the state of the seed. New records come in their order, because some lists have the order of creation. */
function* differences(platform: string, { state, fates }: Attached): Generator<Change> {
  for (const [collection, known] of fates) {
    for (const [id, fate] of known) if (fate === 'deleted') yield [platform, collection, id]
    const records = state.collection(collection)
    for (const id of records.ids()) if (known.has(id)) yield [platform, collection, id, records.get(id)]
  }
}

function replay(one: Attached, [, collection, id, record]: Change): void {
  const records = one.state.collection(collection)
  const before = records.get(id)
  if (record !== undefined) records.set(id, record)
  else if (!records.delete(id)) return
  note(one, { collection, id, record, before })
}

function fingerprint(state: ObservableState): string {
  const hash = createHash('sha256')
  // Tokens are issued again at each start, with other times. The same code sets keys in the same order.
  for (const entry of state.entries())
    if (!entry[0].startsWith('tokens/') && entry[0] !== clockCollection) hash.update(JSON.stringify(entry))
  return hash.digest('base64url')
}

/** Never replaces what it cannot read: the service remembers the writes in it. */
function readStored(file: string, size: string): Stored | undefined {
  const lines = readLines(file)
  if (!lines) return undefined
  const refuse = (what: string) =>
    new Error(`the sandbox cannot use ${file}: ${what}. To start with the first records, move the file away`)
  const parsed = lines.map(parse)
  if (parsed.length > 1 && parsed.at(-1) === undefined) parsed.pop() // a power failure can leave such a line
  const damaged = parsed.indexOf(undefined)
  if (damaged >= 0) throw refuse(`line ${damaged + 1} is damaged`)
  const [header, ...rest] = parsed as [Header?, ...(SeedLine | Change | Change[])[]]
  if (!header || typeof header.seededAt !== 'number') throw refuse('it has no header')
  if (!readableFormats.includes(header.format)) throw refuse(`its format is ${header.format}, not ${format}`)
  if (header.size !== size) throw refuse(`it was written with SANDBOX_SIZE=${header.size}, and this is ${size}`)
  const seeds = rest.filter((line): line is SeedLine => !Array.isArray(line))
  const changes = rest.filter((line): line is Change | Change[] => Array.isArray(line))
  return {
    header,
    seeds: new Map(seeds.map(({ platform, seed }) => [platform, seed])),
    changes: changes.flatMap((line) => (typeof line[0] === 'string' ? [line as Change] : (line as Change[]))),
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}

/** The name of a copy that was not there before. */
function setAside(file: string): string {
  for (let number = 1; ; number += 1) {
    const copy = `${file}.${number}`
    try {
      copyFileSync(file, copy, constants.COPYFILE_EXCL)
      return copy
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
