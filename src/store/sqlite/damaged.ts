// Detects a damaged SQLite file, so that the service refuses it with a clear error.
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'

/** SQLITE_CORRUPT and SQLITE_NOTADB. https://www.sqlite.org/rescode.html */
const damagedCodes = new Set([11, 26])
/**
 * Up to this size every page is checked when the file is opened, which takes some tenths of a second. Of larger files
 * only the first pages are checked.
 */
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

/** Returns what is wrong, or undefined. */
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

/** Checks every page and every index, however long it takes. */
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

/**
 * Compares the size with the number of pages in the header, which is current if there is no log of newer pages.
 * https://www.sqlite.org/fileformat2.html
 */
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
