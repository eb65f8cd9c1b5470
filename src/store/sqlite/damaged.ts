// A SQLite file that is no longer one: said in words an operator can act on, instead of being served from.
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** SQLITE_CORRUPT and SQLITE_NOTADB. https://www.sqlite.org/rescode.html */
const damagedCodes = new Set([11, 26])
/** Up to this size every page is looked at when the file is opened: some tenths of a second. Above it, what a look at the first pages tells. */
const quickCheckBytes = 64 * 1024 * 1024

export class DatabaseDamaged extends Error {
  readonly what: string
  constructor(what: string, cause?: unknown) {
    super(
      `the database is damaged: ${what}. Nothing was changed. Put a backup in its place with "unirec restore <file>" (the damaged file is kept beside it); docs/operating.md says more`,
      { cause },
    )
    this.name = 'DatabaseDamaged'
    this.what = what
  }
}

export const isDamage = (error: unknown): error is Error =>
  error instanceof Error && 'errcode' in error && damagedCodes.has(Number(error.errcode) & 0xff)

/** Answers what is wrong; undefined when nothing is. */
export function findDamage(database: DatabaseSync, file: string): string | undefined {
  try {
    database.prepare('select count(*) from sqlite_schema').get()
    const missing = missingBytes(file)
    if (missing > 0) return `${file} lacks its last ${missing} bytes`
    if (statSync(file).size > quickCheckBytes) return undefined
    const [row] = database.prepare('pragma quick_check(1)').all() as { quick_check: string }[]
    return row?.quick_check === 'ok' ? undefined : `${file}: ${firstLine(row?.quick_check)}`
  } catch (error) {
    if (isDamage(error)) return `${file}: ${error.message}`
    throw error
  }
}

/** Every page, every index. As long as it takes. */
export function findAnyDamage(database: DatabaseSync): string | undefined {
  try {
    const [row] = database.prepare('pragma integrity_check(1)').all() as { integrity_check: string }[]
    return row?.integrity_check === 'ok' ? undefined : firstLine(row?.integrity_check)
  } catch (error) {
    if (isDamage(error)) return error.message
    throw error
  }
}

const firstLine = (text = 'no answer to the check') => text.split('\n').at(-1) ?? text

/** By the number of pages in the header, which is current when no log of newer pages lies beside the file. https://www.sqlite.org/fileformat2.html */
function missingBytes(file: string): number {
  const log = `${file}-wal`
  const size = statSync(file).size
  if (size === 0 || (existsSync(log) && statSync(log).size > 0)) return 0
  const header = readStart(file)
  const counted = header.readUInt32BE(24) === header.readUInt32BE(92)
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  return counted ? header.readUInt32BE(28) * pageSize - size : 0
}
function readStart(file: string): Buffer {
  const start = Buffer.alloc(100)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, start, 0, start.length, 0)
    return start
  } finally {
    closeSync(descriptor)
  }
}
