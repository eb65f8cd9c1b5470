// Stores writes to the simulators across restarts: one file with a log of the changes after seeding, one JSON line
// each.
// Seeds are deterministic, so the log is replayed over a fresh seed. A log with another format, seed or seeding code is
// ignored.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ObservableState } from './collection.ts'

const format = 1
const flushAfterMs = 500

interface Header {
  format: number
  seededAt: number
  size: string
}
type Change = [platform: string, collection: string, id: string, record?: unknown]
type Line = Header | Change | { platform: string; seed: string }

export interface Persistence {
  seededAt: number // the time that the seeds are relative to: that of the stored log, if there is one
  attach(platform: string, state: ObservableState): void // after seeding
  ready(): void // all are attached: the log is rewritten without obsolete entries
  flush(): void
}

export const forgetful = (seededAt: number): Persistence => ({ seededAt, attach() {}, ready() {}, flush() {} })

export function createPersistence(file: string, size: string, now: () => number): Persistence {
  const kept = readLog(file, size)
  const header: Header = { format, size, seededAt: kept?.header.seededAt ?? now() }
  const seeds: { platform: string; seed: string }[] = []
  const alive = new Map<string, Change>()
  let pending: Change[] = []
  let timer: NodeJS.Timeout | undefined

  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (pending.length === 0) return
    appendFileSync(file, pending.map((change) => `${JSON.stringify(change)}\n`).join(''))
    pending = []
  }
  const changed = (change: Change) => {
    pending.push(change)
    timer ??= setTimeout(flush, flushAfterMs).unref()
  }
  return {
    seededAt: header.seededAt,
    attach(platform, state) {
      const seed = fingerprint(state)
      seeds.push({ platform, seed })
      if (kept?.seeds.get(platform) === seed) {
        for (const change of kept.changes) {
          if (change[0] !== platform) continue
          replay(state, change)
          alive.set(`${change[0]}\n${change[1]}\n${change[2]}`, change)
        }
      }
      state.observe(({ collection, id, record }) =>
        changed(record === undefined ? [platform, collection, id] : [platform, collection, id, record]),
      )
    },
    ready() {
      mkdirSync(dirname(file), { recursive: true })
      const lines: Line[] = [header, ...seeds, ...alive.values()]
      writeFileSync(`${file}.new`, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 })
      renameSync(`${file}.new`, file)
      alive.clear()
    },
    flush,
  }
}

function replay(state: ObservableState, [, collection, id, record]: Change): void {
  if (record === undefined) state.collection(collection).delete(id)
  else state.collection(collection).set(id, record)
}

function fingerprint(state: ObservableState): string {
  const hash = createHash('sha256')
  // Tokens are not stored: each start issues new ones. The same code sets keys in the same order.
  for (const entry of state.entries()) if (!entry[0].startsWith('tokens/')) hash.update(JSON.stringify(entry))
  return hash.digest('base64url')
}

function readLog(
  file: string,
  size: string,
): { header: Header; seeds: Map<string, string>; changes: Change[] } | undefined {
  if (!existsSync(file)) return undefined
  const lines = readFileSync(file, 'utf8').split('\n').flatMap(parseLine)
  const [header, ...rest] = lines
  if (!header || !('format' in header) || header.format !== format || header.size !== size) return undefined
  const seeds = new Map(rest.flatMap((line) => ('platform' in line ? [[line.platform, line.seed] as const] : [])))
  return { header, seeds, changes: rest.filter((line): line is Change => Array.isArray(line)) }
}

/** A process that is killed while writing leaves an incomplete last line, which is ignored. */
function parseLine(text: string): Line[] {
  try {
    return text ? [JSON.parse(text) as Line] : []
  } catch {
    return []
  }
}
